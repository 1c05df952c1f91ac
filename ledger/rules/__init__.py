"""The audit's rules: each takes a view of the ledger and returns findings."""

from collections.abc import Callable, Iterable

from ledger.rules import (
    claims,
    documents,
    evidence,
    integrity,
    notes,
    premises,
    restates,
    scopes,
    stale,
    supersessions,
)
from ledger.rules.documents import region_finding
from ledger.rules.finding import LEVELS, Finding, Level
from ledger.rules.view import (
    SOON_DAYS,
    Cited,
    Damage,
    Facts,
    FieldPlace,
    NoteFileState,
    RegionState,
    View,
)

__all__ = [
    "LEVELS",
    "RULES",
    "SOON_DAYS",
    "Cited",
    "Damage",
    "Facts",
    "FieldPlace",
    "Finding",
    "Level",
    "NoteFileState",
    "RegionState",
    "View",
    "audit",
    "region_finding",
]

RULES: tuple[Callable[[View], Iterable[Finding]], ...] = (
    integrity.damage,
    integrity.dangling,
    claims.circular,
    claims.disputed,
    premises.rests_on_fallen,
    scopes.scope_mismatch,
    evidence.artifacts,
    notes.note_missing,
    notes.artifacts,
    notes.files,
    supersessions.supersession_conflict,
    supersessions.replaced_by_fallen,
    documents.regions,
    documents.citations,
    stale.stale_figures,
    claims.expired_unsettled,
    claims.unsupported,
    premises.rests_on_derivation,
    claims.agreement_only,
    restates.restates,
    scopes.broader_than_measured,
    evidence.cross_instrument,
    scopes.requested_not_resolved,
    evidence.dirty_tree,
    evidence.verdict_overruled,
    supersessions.supersession_unmeasured,
    evidence.no_negative_control,
    evidence.instrument_doubt,
    scopes.scope_unstated,
    claims.expiring_soon,
)


def audit(view: View) -> tuple[Finding, ...]:
    """Every finding, errors first, then in the order of the rules and of the entries' ids."""
    found = [(rule, finding) for rule, check in enumerate(RULES) for finding in check(view)]
    found.sort(key=lambda item: (LEVELS.index(item[1].level), item[0], item[1].subject))
    return tuple(finding for _, finding in found)
