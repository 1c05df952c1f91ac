"""Recording what was said, and what a measurement says about it: consults, claims, verdicts."""

from collections.abc import Sequence
from typing import Any, get_args

from ledger import canonical, clock, expects, units
from ledger.entry import Basis, By, Claim, Consult, Evidence, Figure, Outcome, Role, Scope, Verdict
from ledger.errors import LedgerError
from ledger.service.adding import Added, add
from ledger.service.artifacts import artifact_fields
from ledger.service.book import Book
from ledger.service.checks import check_claim, check_link, restated

BASES: tuple[Basis, ...] = get_args(Basis)
ROLES: tuple[Role, ...] = get_args(Role)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


def consult(book: Book, data: Any) -> Added:
    """Record a panel from its JSON form.

    `{"question", "asked_at"?, "arms": [{"arm", "model"?, "text"?, "at"?, "read"?: [..]}], "tags"?}`
    Raises LedgerError naming the field that is wrong.
    """
    from ledger.importers import panel

    return add(book, panel.consult(data, recorded=clock.recorded()))


def claim(
    book: Book,
    statement: str,
    *,
    by: str | None,
    basis: Basis,
    role: Role | None = None,
    model: str | None = None,
    consult: str | None = None,
    about: Scope | None = None,
    evidence: Sequence[str] = (),
    rests_on: Sequence[str] = (),
    expects_text: str | None = None,
    expires: str | None = None,
    figures: Sequence[str] = (),
    echoes: Sequence[str] = (),
    tags: Sequence[str] = (),
    artifacts: Sequence[str] = (),
) -> Added:
    """Record a claim; refused when it has neither evidence nor an expiry date.

    Each `rests_on` is a comma-separated set of ids that together carry the claim; several sets are
    alternatives. Evidence named here must match the claim's scope and, with `expects`, measure its
    quantity. `artifacts` are the fields, `FILE#/pointer`, that state the claim.
    """
    consult_id, panel = book.get(consult, Consult) if consult is not None else (None, None)
    entry = Claim(
        recorded=clock.recorded(),
        statement=statement,
        by=_author(by, role, model, panel),
        basis=basis,
        consult=consult_id,
        about=about or {},
        evidence=tuple(dict.fromkeys(book.resolve(e, "evidence") for e in evidence)),
        rests_on=tuple(_premises(book, text) for text in rests_on),
        expects=expects.parse(expects_text) if expects_text is not None else None,
        expires=clock.parse_expiry(expires) if expires is not None else None,
        figures=tuple(_figure(text) for text in figures),
        echoes=tuple(dict.fromkeys(book.resolve(c, "claim") for c in echoes)),
        tags=tuple(tags),
        artifact_fields=artifact_fields(book.ledger.root, artifacts),
    )
    check_claim(book, entry)
    added = add(book, entry)
    return added.saying(*restated(added))


def _author(by: str | None, role: Role | None, model: str | None, panel: Consult | None) -> By:
    arms = {arm.arm: arm for arm in panel.arms} if panel else {}
    if by is None:
        known = (
            f"one of the consult's arms: {', '.join(arms)}" if arms else "an arm, agent or person"
        )
        raise LedgerError("bad-input", "a claim needs its author", fix=f"add --by with {known}")
    if role in {None, "arm"} and arms:
        if by not in arms:
            raise LedgerError(
                "bad-input",
                f"the consult has no arm {by!r}",
                fix=f"--by one of {', '.join(arms)}, or --role agent|person for somebody else",
            )
        return By(name=by, role="arm", model=model or arms[by].model)
    return By(name=by, role=role or "agent", model=model)


def _premises(book: Book, text: str) -> tuple[str, ...]:
    words = [word.strip() for word in text.split(",") if word.strip()]
    if not words:
        raise LedgerError(
            "bad-input",
            "an empty set of premises supports nothing",
            fix="--rests-on e-1234,c-5678 (all together); repeat the option for alternatives",
        )
    return tuple(dict.fromkeys(book.resolve(word, "claim", "evidence") for word in words))


def _figure(text: str) -> Figure:
    value, _, unit = text.partition(":")
    try:
        return Figure(value=canonical.number(value), unit=units.check(unit or "1"))
    except ValueError as error:
        raise LedgerError("bad-input", str(error), fix="--figure 65.2:%") from None


def settle(
    book: Book,
    claim_text: str,
    evidence_text: str,
    *,
    outcome: Outcome | None,
    by: str | None = None,
    role: Role = "agent",
    note: str | None = None,
) -> Added:
    """Record what a measurement says about a claim.

    The claim's own expectation decides where it has one; otherwise `outcome` is needed. Refused
    when the measurement is of another scope or contradicts the given outcome.
    """
    claim_id, entry = book.get(claim_text, Claim)
    evidence_id, measured = book.get(evidence_text, Evidence)
    check_link(book, claim_id, entry, evidence_id)
    judgement = expects.judge(entry.expects, measured) if entry.expects else None
    if judgement is not None and judgement.outcome is not None:
        if outcome is not None and outcome != judgement.outcome:
            raise LedgerError(
                "refused",
                f"the expectation of {claim_id} decides, and says {judgement.outcome}: "
                f"{judgement.reason}",
                fix=f"ledger settle {claim_id} {evidence_id}",
            )
        outcome, decided = judgement.outcome, "expects"
    elif judgement is not None and outcome not in {None, "inconclusive"}:
        raise LedgerError(
            "refused",
            f"{claim_id} expects {entry.expects.quantity if entry.expects else ''}, and "
            f"{evidence_id} {judgement.reason}",
            fix="measure that quantity, or record a claim that expects another one",
        )
    elif outcome is None:
        reason = f" ({judgement.reason})" if judgement else ""
        raise LedgerError(
            "bad-input",
            f"nothing decides what {evidence_id} says about {claim_id}{reason}",
            fix="add --supports, --refutes or --inconclusive",
        )
    else:
        decided = "person" if role == "person" else "agent"
    verdict = Verdict(
        recorded=clock.recorded(),
        claim=claim_id,
        evidence=evidence_id,
        outcome=outcome,
        decided=decided,  # type: ignore[arg-type]
        by=By(name=by, role=role) if by else None,
        note=note,
    )
    return add(book, verdict, start=claim_id)
