"""The views: generated Markdown bodies, pure functions of the folded ledger."""

from ledger.render.views import superseded
from ledger.render.views.view import Request, View, registry

__all__ = ["VIEWS", "Request", "View"]

VIEWS = registry(superseded.VIEW)
"""Every kind of region by name."""
