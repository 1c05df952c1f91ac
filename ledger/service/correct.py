"""Corrections, each a new entry: supersede, retract, renew, rescope."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET

from ledger import clock, scope
from ledger.codec import encode, id_of
from ledger.entry import (
    ArtifactField,
    By,
    Claim,
    Evidence,
    Renewal,
    ReplacedBy,
    Rescope,
    Retraction,
    Scope,
    Supersession,
    Verdict,
)
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.rules.supersessions import why_not
from ledger.service.adding import Added, add
from ledger.service.artifacts import artifact_fields
from ledger.service.book import Book

_CLAIM_ID = re.compile(r"c-[0-9a-f]{4,12}", re.IGNORECASE)


def supersede(
    book: Book,
    claim_text: str,
    *,
    status: str,
    replaced_by: str | None = None,
    evidence: Sequence[str] = (),
    date: str | None = None,
    artifacts: Sequence[str] = (),
    actual: str | None = None,
) -> Added:
    """Record that a claim is not to be followed any more, and what replaced it.

    Said again with the same status, it keeps the date and the replacement that are not given, so
    that evidence can be added later. Evidence that does not bear it out is warned about.
    `artifacts` are the fields, `FILE#/pointer`, that state the claim, beside those that it names
    itself; `actual` is their right value.
    """
    claim_id, claim = book.get(claim_text, Claim)
    _refuse_secret("--replaced-by", replaced_by)
    replacement = None
    if replaced_by is not None:
        if not replaced_by.strip():
            raise LedgerError(
                "bad-input", "--replaced-by is empty", fix="leave it out when nothing replaces it"
            )
        replacement = ReplacedBy(text=replaced_by)
        if _CLAIM_ID.fullmatch(replaced_by.strip()):
            replacement = ReplacedBy(claim=book.resolve(replaced_by.strip(), "claim"))
        if replacement.claim == claim_id:
            raise LedgerError(
                "bad-input", f"{claim_id} cannot replace itself", fix="name another claim or a text"
            )
    before = _before(book, claim_id, status)
    fields = artifact_fields(book.ledger.root, artifacts)
    right = _right_value(book, (*fields, *claim.artifact_fields), actual)
    entry = Supersession(
        recorded=clock.recorded(),
        claim=claim_id,
        status=status,
        date=clock.parse_date(date)
        if date is not None
        else (before.date if before else clock.today()),
        replaced_by=replacement or (before.replaced_by if before else None),
        evidence=tuple(dict.fromkeys(book.resolve(e, "evidence") for e in evidence)),
        shown=before.shown if before and date is None else None,
        artifact_fields=fields or (before.artifact_fields if before else ()),
        actual=right if right is not UNSET or before is None else before.actual,
    )
    doubtful = ((e, why_not(book.fold, claim_id, e)) for e in entry.evidence)
    return add(book, entry, start=claim_id).saying(
        *(f"{e} does not bear it out: it {why}" for e, why in doubtful if why is not None)
    )


def _right_value(book: Book, fields: Sequence[ArtifactField], actual: str | None) -> Any:
    """The right value of fields that state a claim; UNSET where it is not said."""
    if actual is None:
        return UNSET
    from ledger.service.notes.values import stated_value

    return stated_value(book.ledger.root, fields, actual)


def _before(book: Book, claim_id: str, status: str) -> Supersession | None:
    """The supersession in force, when it says the same: what is not given again stays."""
    entry = book.entries.get(book.fold.claims[claim_id].superseded_by or "")
    return entry if isinstance(entry, Supersession) and entry.status == status else None


def retract(
    book: Book, text: str, *, reason: str, by: str | None = None, dry_run: bool = False
) -> Added:
    """Take an entry back. Never blocked: what falls is computed and reported."""
    target = book.resolve(text)
    _refuse_secret("--reason", reason)
    entry = Retraction(
        recorded=clock.recorded(),
        target=target,
        reason=reason,
        by=By(name=by) if by else None,
    )
    added = add(book, entry, start=_subject(book, target), dry_run=dry_run)
    return added.saying(*_leaning(added.after, target))


def _subject(book: Book, entry_id: str) -> str:
    """The claim or measurement that an entry acts on, through retractions of retractions."""
    entry = book.fold.entries.get(entry_id)
    match entry:
        case Retraction():
            return _subject(book, entry.target)
        case Supersession() | Renewal() | Verdict():
            return entry.claim
        case Rescope():
            return entry.evidence
        case _:
            return entry_id


def renew(book: Book, claim_text: str, *, expires: str, reason: str) -> Added:
    """Give an unsettled claim a later expiry date."""
    claim_id, _ = book.get(claim_text, Claim)
    state = book.fold.claims[claim_id]
    if state.status in {"superseded", "retracted", "refuted"}:
        raise LedgerError(
            "refused", f"{claim_id} is {state.status}", fix="record a new claim instead"
        )
    if state.status in {"measured", "disputed"}:
        raise LedgerError(
            "refused",
            f"{claim_id} is {state.status}: what was measured does not expire",
            fix=f"ledger show {claim_id}",
        )
    day = clock.parse_expiry(expires)
    if state.expires is not None and day < state.expires:
        raise LedgerError(
            "bad-input",
            f"{claim_id} already lasts until {state.expires}",
            fix="give a later date",
        )
    entry = Renewal(recorded=clock.recorded(), claim=claim_id, expires=day, reason=reason)
    added = add(book, entry, start=claim_id)
    if added.impact is None:
        return added
    # A later date takes nothing away, so that there is nothing to survive it.
    return replace(added, impact=replace(added.impact, survives=()))


def rescope(
    book: Book,
    evidence_text: str,
    *,
    about: Scope,
    reason: str,
    unstated: Sequence[str] = (),
    supported_by: Sequence[str] = (),
    dry_run: bool = False,
) -> Added:
    """Correct what a measurement was taken of; reports what falls and what survives."""
    evidence_id, _ = book.get(evidence_text, Evidence)
    _refuse_secret("--reason", reason)
    if not about and not unstated:
        raise LedgerError(
            "bad-input",
            "a rescope needs the corrected key",
            fix="--about attn_implementation=sdpa, or --unstated KEY when it is not known",
        )
    if both := sorted(about.keys() & set(unstated)):
        raise LedgerError("bad-input", f"{both[0]} is both stated and unstated", fix="choose one")
    now = book.fold.evidence[evidence_id].about
    entry = Rescope(
        recorded=clock.recorded(),
        evidence=evidence_id,
        about=about,
        reason=reason,
        unstated=tuple(unstated),
        supported_by=tuple(dict.fromkeys(book.resolve(e, "evidence") for e in supported_by)),
    )
    said = scope.matches_filter(now, about) and not set(unstated) & now.keys()
    said = said and id_of(encode(entry)) not in book.entries
    added = add(book, entry, start=evidence_id, dry_run=dry_run or said)
    if said:
        return replace(added, notes=(), dry_run=dry_run).saying(
            f"{evidence_id} already says so: nothing is recorded"
        )
    return added.saying(*_leaning(added.after, evidence_id))


def _leaning(fold: Fold, evidence_id: str) -> list[str]:
    """Supersessions that named a measurement which no longer bears them out."""
    found = []
    for claim_id, ids in fold.supersessions.items():
        entry = fold.entries[ids[-1]]
        if isinstance(entry, Supersession) and evidence_id in entry.evidence:
            why = why_not(fold, claim_id, evidence_id) if claim_id in fold.claims else None
            if why is not None:
                found.append(f"{ids[-1]} superseded {claim_id} by this measurement, which {why}")
    return found


def _refuse_secret(option: str, text: str | None) -> None:
    """Raise LedgerError for a key in a text: the notes that follow would repeat it."""
    from ledger.service.notes.values import refuse_secret

    if text is not None:
        refuse_secret(option, text)
