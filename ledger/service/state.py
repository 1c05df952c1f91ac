"""An entry with its present state, as JSON data for `show`, `list` and recording commands."""

from typing import Any

from ledger.codec import encode
from ledger.entry import Claim, Consult, Entry, Evidence, Supersession
from ledger.fold import Fold, Link
from ledger.impact import Impact, carriers
from ledger.references import references
from ledger.service.words import status_of


def of(fold: Fold, entry_id: str) -> dict[str, Any]:
    """Id, kind, every field of the entry, and `state`: what follows from the rest of the ledger."""
    entry = fold.entries[entry_id]
    return {"id": entry_id, **encode(entry), "state": _state(fold, entry_id, entry)}


def _state(fold: Fold, entry_id: str, entry: Entry) -> dict[str, Any]:
    match entry:
        case Claim():
            return claim_state(fold, entry_id)
        case Evidence():
            return evidence_state(fold, entry_id)
        case Consult():
            claims = [i for i in fold.claims if fold.claim(i).consult == entry_id]
            return {"claims": [{"id": i, "status": fold.claims[i].status} for i in claims]}
        case _:
            return {"retracted_by": fold.retracted.get(entry_id)}


def claim_state(fold: Fold, claim_id: str) -> dict[str, Any]:
    """Status of a claim and everything it follows from."""
    state = fold.claims[claim_id]
    superseded = fold.entries.get(state.superseded_by or "")
    replaced = None
    if isinstance(superseded, Supersession):
        replaced = {
            "id": state.superseded_by,
            "status": superseded.status,
            "date": superseded.date,
            "replaced_by": encode_replacement(superseded),
        }
    return {
        "status": state.status,
        "in": state.is_in,
        "expires": state.expires,
        "depth": state.depth,
        "nearest": state.nearest,
        "carried_by": list(carriers(fold, claim_id)) if state.is_in else [],
        "links": [_link(link) for link in state.links],
        "rests_on": [
            [{"id": member, "status": status_of(fold, member)} for member in members]
            for members in fold.claim(claim_id).rests_on
        ],
        "superseded": replaced,
        "retracted_by": state.retracted_by,
        "rested_on_by": dependents(fold, claim_id),
    }


def encode_replacement(entry: Supersession) -> dict[str, str] | None:
    """The text and claim that replace a superseded claim."""
    by = entry.replaced_by
    if by is None:
        return None
    return {key: value for key, value in (("text", by.text), ("claim", by.claim)) if value}


def _link(link: Link) -> dict[str, Any]:
    return {
        "evidence": link.evidence,
        "outcome": link.outcome,
        "decided": link.decided,
        "counts": link.counts,
        "live": link.live,
        "mismatches": [str(mismatch) for mismatch in link.mismatches],
        "reason": link.reason,
        "source": link.source,
    }


def evidence_state(fold: Fold, evidence_id: str) -> dict[str, Any]:
    """Whether a measurement is live, what it is about now, and which claims it decides."""
    state = fold.evidence[evidence_id]
    return {
        "status": "live" if state.live else "retracted",
        "about": dict(state.about),
        "rescopes": list(state.rescopes),
        "retracted_by": state.retracted_by,
        "decides": [
            {"claim": claim, "outcome": link.outcome}
            for claim, found in fold.claims.items()
            for link in found.links
            if link.evidence == evidence_id and link.counts
        ],
        "rested_on_by": dependents(fold, evidence_id),
    }


def dependents(fold: Fold, entry_id: str) -> list[str]:
    """Claims that name the entry among their premises."""
    return [
        i for i in fold.claims if any(entry_id in members for members in fold.claim(i).rests_on)
    ]


def mentions(fold: Fold, entry_id: str) -> list[str]:
    """Every entry that names this one, oldest first."""
    found = [i for i, entry in fold.entries.items() if entry_id in references(entry)]
    return sorted(found, key=lambda i: (fold.entries[i].recorded.at, i))


UNMEASURED = frozenset({"fallen", "provisional", "expired"})
"""Statuses of a claim that lost what carried it: not thereby better or worse."""


def short(path: tuple[str, ...], *, keep: int = 20) -> tuple[str, ...]:
    """A path with its middle left out where it is longer than twice `keep`."""
    if len(path) <= 2 * keep:
        return path
    return (*path[:keep], f"… {len(path) - 2 * keep} more …", *path[-keep:])


def impact(found: Impact) -> dict[str, Any]:
    """An impact as JSON data."""
    return {
        "cause": found.cause,
        "correction": found.correction,
        "falls": [
            {"claim": f.claim, "status": f.status, "path": list(short(f.path))} for f in found.falls
        ],
        "survives": [
            {
                "claim": s.claim,
                "status": s.status,
                "carried_by": list(s.carried_by),
                "path": list(short(s.path)),
            }
            for s in found.survives
        ],
        "rises": list(found.rises),
        "direction_unknown": [f.claim for f in found.falls if f.status in UNMEASURED],
        "changes": {claim: list(change) for claim, change in found.changes.items()},
    }
