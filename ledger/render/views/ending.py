"""How a claim ended, or how it stands, in a cell."""

from ledger.entry import Outcome, Retraction, Supersession
from ledger.fold import Fold
from ledger.impact import carriers
from ledger.render.cells import cell, part
from ledger.render.views.shown import cited, measured_by, strong
from ledger.wording import counted


def ended(fold: Fold, claim_id: str) -> str:
    """The status of a claim, with what settled, replaced or withdrew it."""
    status = fold.claims[claim_id].status
    return f"**{status}**{_more(fold, claim_id)}"


def _more(fold: Fold, claim_id: str) -> str:
    state = fold.claims[claim_id]
    more = ""
    match state.status:
        case "superseded":
            more = f": {_superseded(fold, state.superseded_by or '')}"
        case "retracted":
            more = f": {_retracted(fold, state.retracted_by or '')}"
        case "measured":
            more = f": {_decided(fold, claim_id, 'supports')}"
        case "refuted":
            more = f": {_decided(fold, claim_id, 'refutes')}"
        case "disputed":
            both = (_decided(fold, claim_id, outcome) for outcome in ("supports", "refutes"))
            more = f": {' against '.join(both)}"
        case "derived":
            more = f": {counted(state.depth or 0, 'step')} from {cited(carriers(fold, claim_id))}"
        case "expired":
            more = f" on {state.expires}, not settled"
        case "provisional":
            more = f", open until {state.expires}" if state.expires is not None else ""
        case "fallen":
            more = ": what carried it does not any more"
    return more


def _retracted(fold: Fold, retraction: str) -> str:
    entry = fold.entries.get(retraction)
    reason = part(entry.reason) if isinstance(entry, Retraction) else ""
    return f"{reason} {cited([retraction])}"


def _decided(fold: Fold, claim_id: str, outcome: Outcome) -> str:
    return ", ".join(
        f"{part(measured_by(fold, claim_id, link))} {cited([link.evidence])}"
        for link in fold.claims[claim_id].deciding_links(outcome)
    )


def _superseded(fold: Fold, supersession: str) -> str:
    entry = fold.entries[supersession]
    if not isinstance(entry, Supersession):
        return cited([supersession])
    parts = [f"{strong(entry.status)} ({entry.date})"]
    by = entry.replaced_by
    if by is not None and by.text:
        parts.append(f"replaced by {cell(by.text, markup=by.markup)}")
    if by is not None and by.claim is not None:
        parts.append(f"see {cited([by.claim])}")
    if entry.evidence:
        parts.append(f"by {cited(entry.evidence)}")
    return ", ".join(parts)
