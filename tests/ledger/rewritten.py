"""A document with all its regions rewritten, for tests of what stays and what changes."""

from collections.abc import Callable
from dataclasses import dataclass

from ledger.errors import LedgerError
from ledger.render.regions import Region, generated
from ledger.render.rewriting import diff, judge, renew


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    source: bytes
    stale: tuple[Region, ...]
    edited: tuple[Region, ...]


def rewrite(
    source: bytes, body_of: Callable[[Region], str], *, accept_loss: bool = False
) -> Rewrite:
    """Every region brought up to date, as `render` does; the first that cannot be is raised."""
    judged = judge(source, lambda region: generated(body_of(region)))
    for item in judged:
        if item.error is not None:
            raise item.error
    edited = [item for item in judged if item.state == "edited"]
    if edited and not accept_loss:
        raise LedgerError("edited-region", diff(edited[0]), fix="--accept-loss")
    return Rewrite(
        source=renew(source, judged, accept_loss=accept_loss),
        stale=tuple(item.region for item in judged if item.state == "stale"),
        edited=tuple(item.region for item in edited),
    )
