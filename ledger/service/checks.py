"""What is refused at the moment of recording, with the way out."""

from ledger import expects, scope
from ledger.entry import Claim, Supersession
from ledger.errors import LedgerError
from ledger.rules.restates import alike
from ledger.service.adding import Added
from ledger.service.book import Book
from ledger.wording import brief


def check_claim(book: Book, claim: Claim) -> None:
    """Refuse a claim that nothing settles or ends, or whose evidence is of another scope.

    Raises LedgerError refused.
    """
    if not claim.evidence and claim.expires is None:
        raise LedgerError(
            "refused",
            "a claim needs a linked measurement or an expiry date, and this one has neither",
            fix="link a measurement with --evidence e-… (ledger list evidence), or say until when "
            "it may go unsettled with --expires 90d",
        )
    for evidence_id in claim.evidence:
        check_link(book, "the claim", claim, evidence_id)
        if claim.expects is None:
            continue
        judgement = expects.judge(claim.expects, book.fold.measurement(evidence_id))
        if judgement.outcome is None:
            raise LedgerError(
                "refused",
                f"{evidence_id} cannot settle this claim: it {judgement.reason}",
                fix="expect a quantity that it measures, or name other evidence",
            )


def check_link(book: Book, name: str, claim: Claim, evidence_id: str) -> None:
    """Refuse to link evidence that fell or was measured on another configuration."""
    check_live(book, evidence_id)
    found = scope.mismatches(claim.about, book.fold.evidence[evidence_id].about)
    if found:
        differs = [m for m in found if m.kind == "differs"]
        said = " ".join(f"--about {m.key}={m.evidence or ''}" for m in differs)
        known = " ".join(f"--about {m.key}={m.claim or ''}" for m in found)
        fix = (
            f"measure the claim's configuration, or claim what was measured: {said}"
            if differs
            else "measure it and say so; or, where the run's own record shows it, "
            f"ledger rescope {evidence_id} {known} --reason TEXT"
        )
        raise LedgerError(
            "refused",
            f"{evidence_id} was measured on another scope than {name}: "
            + "; ".join(str(mismatch) for mismatch in found),
            fix=fix,
        )


def check_live(book: Book, evidence_id: str) -> None:
    """Refuse evidence that was retracted."""
    state = book.fold.evidence[evidence_id]
    if not state.live:
        raise LedgerError(
            "refused",
            f"{evidence_id} was retracted by {state.retracted_by}",
            fix=f"ledger show {state.retracted_by}; measure again",
        )


def restated(added: Added) -> tuple[str, ...]:
    """Messages about older claims that say the same and were superseded or settled."""
    folded = added.after
    new = folded.claim(added.id)
    skip = {added.id, *new.echoes}
    older = ((i, folded.claim(i).statement) for i in folded.claims if i not in skip)
    messages = []
    for earlier in alike(new.statement, older):
        state = folded.claims[earlier]
        if state.status == "superseded":
            entry = folded.entries[state.superseded_by or ""]
            by = entry.replaced_by if isinstance(entry, Supersession) else None
            instead = (by.text or by.claim) if by else None
            messages.append(
                f"restates-superseded: {earlier} said this and was superseded"
                + (f"; it was replaced by: {brief(instead)}" if instead else "")
            )
        elif state.status in {"measured", "refuted"} and folded.claim(earlier).about == new.about:
            messages.append(f"restates-settled: {earlier} says this and is {state.status}")
    return tuple(messages[:3])
