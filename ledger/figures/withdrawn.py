"""Figures that are not to be followed any more, and those that a claim which stands states."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ledger import canonical
from ledger.entry import Claim, Consult, Evidence, Figure, Supersession
from ledger.figures import stated_in, states
from ledger.figures.conditions import conditions
from ledger.figures.subject import words
from ledger.fold import STANDING, Fold
from ledger.units import UNITS, convert

_ANSWER = 20
"""Characters of an answer that is told from other words by being it."""


@dataclass(frozen=True, kw_only=True)
class Withdrawn:
    """A figure of a claim that was superseded or refuted."""

    claim: str
    status: Literal["superseded", "refuted"]
    label: str | None
    """WRONG and the like; None for a refuted claim."""
    figure: Figure
    words: Mapping[str, str]
    """Subject words of the claim, as `subject.words` gives them."""
    instead: str
    """What to say instead, in plain text; empty where nothing is recorded."""
    instead_id: str | None
    """The claim that replaced it, or the measurement that refuted it."""
    replacing: tuple[Figure, ...]
    """Figures that stand in its place."""
    repeated: bool
    """Whether what replaced the claim states the figure too."""
    condition: bool
    """Whether the statement only names it as what the claim holds at: "at 16,384 tokens"."""
    told_by: tuple[str, ...]
    """The claim, what superseded or refuted it and what replaced it: who cites one of them beside
    the figure tells its history."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A figure of a claim that stands."""

    claim: str
    figure: Figure


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A figure of a measured claim, with the date of its measurement."""

    claim: str
    evidence: str
    date: str
    """YYYY-MM-DD."""
    figure: Figure
    words: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class _Replacement:
    texts: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    said: str = ""
    entry_id: str | None = None
    label: str | None = None


def figures_of(claim: Claim) -> tuple[Figure, ...]:
    """The figures recorded with a claim and those that its statement states."""
    recorded = (figure for figure in claim.figures if figure.unit in UNITS)
    return tuple(dict.fromkeys((*recorded, *stated_in(claim.statement))))


def withdrawn(fold: Fold) -> tuple[Withdrawn, ...]:
    """The figures of superseded and refuted claims."""
    return tuple(item for i in fold.claims for item in _of(fold, i))


def _of(fold: Fold, claim_id: str) -> Iterator[Withdrawn]:
    status = fold.claims[claim_id].status
    if status not in {"superseded", "refuted"}:
        return
    claim = fold.claim(claim_id)
    figures = figures_of(claim)
    if not figures:
        return
    by = _superseding(fold, claim_id) if status == "superseded" else _refuting(fold, claim_id)
    stated = [figure for text in by.texts for figure in stated_in(text)]
    replacing = tuple(dict.fromkeys((*by.figures, *stated)))
    subject = words(claim.statement)
    only_conditions = conditions(claim.statement) - {*claim.figures}
    told_by = (claim_id, *fold.supersessions.get(claim_id, ()), *filter(None, (by.entry_id,)))
    for figure in figures:
        same = any(convert(f.value, f.unit, figure.unit) == figure.value for f in replacing)
        yield Withdrawn(
            claim=claim_id,
            status=status,
            label=by.label,
            figure=figure,
            words=subject,
            instead=by.said,
            instead_id=by.entry_id,
            replacing=replacing,
            repeated=same or any(states(text, figure) for text in by.texts),
            condition=figure in only_conditions,
            told_by=told_by,
        )


def _superseding(fold: Fold, claim_id: str) -> _Replacement:
    entry = fold.entries.get(fold.claims[claim_id].superseded_by or "")
    if not isinstance(entry, Supersession):
        return _Replacement()
    by = entry.replaced_by
    text, other = (by.text, by.claim) if by else (None, None)
    claim = fold.claim(other) if other is not None and other in fold.claims else None
    texts = tuple(said for said in (text, claim.statement if claim else None) if said)
    return _Replacement(
        texts=texts,
        figures=(*(figures_of(claim) if claim else ()), *_measured(fold, entry.evidence)),
        said=texts[0] if texts else "",
        entry_id=other,
        label=entry.status,
    )


def _refuting(fold: Fold, claim_id: str) -> _Replacement:
    evidence = fold.claims[claim_id].deciding("refutes")
    expects = fold.claim(claim_id).expects
    wanted = expects.quantity if expects else None
    values = [
        f"{q.name} = {q.value:.6g}" + ("" if q.unit == "1" else f" {q.unit}")
        for i in evidence[-1:]
        for q in fold.measurement(i).quantities
        if q.value is not None and wanted in {None, q.name}
    ]
    return _Replacement(
        figures=_measured(fold, evidence),
        said=", ".join(values),
        entry_id=evidence[-1] if evidence else None,
    )


def _measured(fold: Fold, evidence: tuple[str, ...]) -> tuple[Figure, ...]:
    """The quantities of measurements that are there and live."""
    return tuple(
        Figure(value=q.value, unit=q.unit)
        for i in evidence
        if i in fold.evidence and fold.evidence[i].live
        for q in fold.measurement(i).quantities
        if q.value is not None and q.unit in UNITS
    )


def standing(fold: Fold) -> tuple[Standing, ...]:
    """The figures of claims that are measured, derived or provisional."""
    return tuple(
        Standing(claim=i, figure=figure)
        for i, state in fold.claims.items()
        if state.status in STANDING
        for figure in figures_of(fold.claim(i))
    )


def answers(fold: Fold) -> dict[str, str]:
    """What arms answered, as text and as in JSON, each with its consult.

    Answers of a few words are left out: anybody may write those.
    """
    return {
        form: consult_id
        for consult_id, entry in fold.entries.items()
        if isinstance(entry, Consult)
        for arm in entry.arms
        if arm.text and len(arm.text) >= _ANSWER
        for form in (arm.text, canonical.compact(arm.text)[1:-1], json.dumps(arm.text)[1:-1])
    }


def measured(fold: Fold) -> tuple[Measured, ...]:
    """What measured a measured claim, as its date is known: the quantity that the claim expects.

    Of a claim without an expectation, the quantities whose value it states or has recorded.
    """
    found = []
    for i, state in fold.claims.items():
        if state.status != "measured":
            continue
        claim = fold.claim(i)
        subject = words(claim.statement)
        for evidence in state.deciding("supports"):
            date = fold.measurement(evidence).taken_at
            if date is not None:
                found += [
                    Measured(
                        claim=i, evidence=evidence, date=date[:10], figure=figure, words=subject
                    )
                    for figure in _claimed(claim, fold.measurement(evidence))
                ]
    return tuple(found)


def _claimed(claim: Claim, evidence: Evidence) -> tuple[Figure, ...]:
    """The values of a measurement that the claim is about."""
    named = {
        q.name: Figure(value=q.value, unit=q.unit)
        for q in evidence.quantities
        if q.value is not None and q.unit in UNITS
    }
    if claim.expects is not None:
        return tuple(figure for name, figure in named.items() if name == claim.expects.quantity)
    recorded = ", ".join(f"{figure.value} {figure.unit}" for figure in claim.figures)
    return tuple(
        figure
        for figure in named.values()
        if states(claim.statement, figure) or states(recorded, figure)
    )
