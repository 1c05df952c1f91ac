"""The views: generated Markdown bodies, pure functions of the folded ledger."""

from ledger.render.views import (
    claims,
    consult,
    falls_survives,
    negatives,
    note,
    open_claims,
    probe,
    standing,
    superseded,
)
from ledger.render.views.view import OptionError, Request, View, registry

__all__ = ["VIEWS", "OptionError", "Request", "View"]

VIEWS = registry(
    superseded.VIEW,
    claims.VIEW,
    negatives.VIEW,
    standing.VIEW,
    open_claims.VIEW,
    consult.VIEW,
    falls_survives.VIEW,
    note.VIEW,
    probe.VIEW,
    *probe.OF_INSTRUMENTS,
)
"""Every kind of region by name."""
