"""Whether an entry that names artifact fields is down, and what a note must then say of them."""

from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import UNSET

from ledger import scope
from ledger.entry import (
    ArtifactField,
    Claim,
    Entry,
    Evidence,
    Rescope,
    Retraction,
    Scope,
    Supersession,
)
from ledger.fold import Fold
from ledger.references import fields_of

FieldStatus = Literal[
    "wrong", "wrong_actual_unknown", "misleading_scope", "uninformative", "under_investigation"
]


@dataclass(frozen=True, kw_only=True)
class Down:
    """An entry that is not to be relied on any more, and what that makes of its fields."""

    entry: str
    fields: tuple[ArtifactField, ...]
    """The artifact fields that the entry names; none where it names none."""
    status: FieldStatus
    reason: str
    """Plain words that name the entries."""
    actual: Any = UNSET
    """The right value of the fields, where it is known."""
    evidence: tuple[str, ...] = ()
    """What shows it."""


def down(fold: Fold, entry_id: str) -> Down | None:
    """What has become of a claim, a measurement or a supersession; None while it stands.

    A supersession is down while it is in force: the fields that it names state the claim it takes
    away. None for any other entry and for an unknown id.
    """
    entry = fold.entries.get(entry_id)
    match entry:
        case Claim():
            return _claim(fold, entry_id, entry)
        case Evidence():
            return _evidence(fold, entry_id, entry)
        case Supersession() if entry_id not in fold.retracted:
            return _superseded(entry_id, entry, entry_id, entry)
        case _:
            return None


def _claim(fold: Fold, claim_id: str, claim: Claim) -> Down | None:
    state = fold.claims[claim_id]
    supports, refutes = state.deciding("supports"), state.deciding("refutes")
    what: FieldStatus = "under_investigation"
    evidence: tuple[str, ...] = ()
    match state.status:
        case "superseded" if state.superseded_by is not None:
            by = fold.entries[state.superseded_by]
            return _superseded(claim_id, claim, state.superseded_by, by)
        case "refuted":
            what, evidence = "wrong_actual_unknown", refutes
            reason = f"claim {claim_id} is refuted by {_listed(refutes)}"
        case "disputed":
            evidence = (*supports, *refutes)
            reason = (
                f"claim {claim_id} is disputed: {_listed(supports)} for it,"
                f" {_listed(refutes)} against it"
            )
        case "retracted" if state.retracted_by is not None:
            reason = f"claim {claim_id} {_taken_back(fold, state.retracted_by)}"
        case "fallen":
            lost = _lost(fold, claim_id)
            reason = f"claim {claim_id} lost what carried it: {_losses(fold, lost)}"
            if lost.rescoped and not lost.gone and not lost.claims:
                what, evidence = "misleading_scope", lost.rescoped
                reason = f"claim {claim_id} is about another run: {_losses(fold, lost)}"
        case _:
            return None
    return Down(
        entry=claim_id, fields=claim.artifact_fields, status=what, reason=reason, evidence=evidence
    )


def _superseded(entry_id: str, entry: Entry, by_id: str, by: Entry) -> Down | None:
    if not isinstance(by, Supersession):
        return None
    reason = f"claim {by.claim} is superseded by {by_id} ({by.status}, {by.date})"
    if by.replaced_by is not None:
        parts = [part for part in (by.replaced_by.text, by.replaced_by.claim) if part]
        reason += f"; replaced by: {' '.join(parts)}" if parts else ""
    return Down(
        entry=entry_id,
        fields=fields_of(entry),
        status="wrong_actual_unknown" if by.actual is UNSET else "wrong",
        reason=reason,
        actual=by.actual,
        evidence=by.evidence,
    )


def _evidence(fold: Fold, evidence_id: str, entry: Evidence) -> Down | None:
    state = fold.evidence[evidence_id]
    if state.retracted_by is not None:
        return Down(
            entry=evidence_id,
            fields=entry.artifact_fields,
            status="wrong_actual_unknown",
            reason=f"measurement {evidence_id} {_taken_back(fold, state.retracted_by)}",
        )
    if state.about == entry.about:
        return None
    shown = [i for o in state.rescopes for i in _supporting(fold, o)]
    return Down(
        entry=evidence_id,
        fields=entry.artifact_fields,
        status="misleading_scope",
        reason=f"measurement {_rescoped(fold, evidence_id)}",
        evidence=tuple(dict.fromkeys(shown)),
    )


@dataclass(kw_only=True)
class _Lost:
    """What a fallen claim once stood on."""

    rescoped: tuple[str, ...] = ()
    """Measurements that are good, of another configuration."""
    gone: tuple[str, ...] = ()
    """Measurements that were retracted."""
    claims: tuple[str, ...] = ()
    """Claims that are out for a reason of their own."""
    seen: set[str] = field(default_factory=set)

    def note(self, fold: Fold, evidence: str) -> None:
        if fold.evidence[evidence].live:
            self.rescoped = tuple(dict.fromkeys((*self.rescoped, evidence)))
        else:
            self.gone = tuple(dict.fromkeys((*self.gone, evidence)))


def _lost(fold: Fold, claim_id: str) -> _Lost:
    """Everything that is lost below a fallen claim, through other fallen claims."""
    lost = _Lost(seen={claim_id})
    stack = [claim_id]
    while stack:
        here = stack.pop()
        for link in fold.claims[here].links:
            if link.supported_once and not link.counts:
                lost.note(fold, link.evidence)
        for member in dict.fromkeys(m for ms in fold.claim(here).rests_on for m in ms):
            if member in fold.evidence:
                if not fold.carries(here, member):
                    lost.note(fold, member)
            elif member in fold.ever and member not in lost.seen:
                lost.seen.add(member)
                state = fold.claims[member]
                if state.status == "fallen":
                    stack.append(member)
                elif not state.is_in:
                    lost.claims = (*lost.claims, member)
    return lost


def _losses(fold: Fold, lost: _Lost) -> str:
    parts = [_rescoped(fold, i) for i in lost.rescoped]
    parts += [f"{i} {_taken_back(fold, fold.retracted[i])}" for i in lost.gone]
    parts += [f"{i} is {fold.claims[i].status}" for i in lost.claims]
    return "; ".join(parts) or "nothing carries it now"


def _rescoped(fold: Fold, evidence_id: str) -> str:
    state, entry = fold.evidence[evidence_id], fold.measurement(evidence_id)
    before, now = entry.about, state.about
    keys = [k for k in {**before, **now} if (k in before, before.get(k)) != (k in now, now.get(k))]
    changes = ", ".join(f"{k}={_stated(now, k)}, not {_stated(before, k)}" for k in keys)
    return f"{evidence_id} was taken with {changes} ({_listed(state.rescopes)})"


def _stated(about: Scope, key: str) -> str:
    return scope.shown(about[key]) if key in about else "(not stated)"


def _supporting(fold: Fold, rescope: str) -> tuple[str, ...]:
    entry = fold.entries[rescope]
    return entry.supported_by if isinstance(entry, Rescope) else ()


def _taken_back(fold: Fold, retraction: str) -> str:
    entry = fold.entries[retraction]
    why = f": {entry.reason}" if isinstance(entry, Retraction) else ""
    return f"was retracted by {retraction}{why}"


def _listed(ids: tuple[str, ...]) -> str:
    return " and ".join(ids)
