"""Rules about what a claim's own measurements and its date say of it."""

from collections.abc import Iterator

from ledger.entry import Claim
from ledger.fold import ClaimState, Link
from ledger.rules.finding import Finding
from ledger.rules.view import View
from ledger.wording import listed, quoted

SETTLE = "ledger settle {id} EVIDENCE --supports | --refutes"
MEASURE = f"measure it and {SETTLE}"
RENEW = "ledger renew {id} --expires DATE --reason TEXT"


def expired_unsettled(view: View) -> Iterator[Finding]:
    """No measurement came before the expiry date."""
    for i, state in view.fold.claims.items():
        if state.status == "expired":
            yield Finding(
                slug="expired-unsettled",
                level="warning",
                subject=i,
                message=f"expired without a measurement: {quoted(view.fold.claim(i).statement)}",
                got=f"expired after {state.expires}",
                expected="a measurement or a later date",
                fix=f"{MEASURE}, or {RENEW}".format(id=i),
            )


def expiring_soon(view: View) -> Iterator[Finding]:
    """The expiry date of an unsettled claim is near."""
    for i, state in view.fold.claims.items():
        if state.status in {"provisional", "derived"} and (state.expires or "9") <= view.facts.soon:
            yield Finding(
                slug="expiring-soon",
                level="note",
                subject=i,
                message=f"unsettled and about to expire: {quoted(view.fold.claim(i).statement)}",
                got=f"expires after {state.expires}",
                expected="a measurement before then",
                fix=f"{MEASURE}, or {RENEW}".format(id=i),
            )


def unsupported(view: View) -> Iterator[Finding]:
    """A claim of measurement without one, or an unsettled claim that never expires."""
    for i, state in view.fold.claims.items():
        claim = view.fold.claim(i)
        if state.status != "provisional":
            continue
        by_measurement = claim.basis == "measurement"
        if not by_measurement and state.expires is not None:
            continue
        yield Finding(
            slug="unsupported",
            level="warning",
            subject=i,
            message=f"said to be by {claim.basis}, and no measurement decides it: "
            f"{quoted(claim.statement)}",
            got=_why_not(state) + ("" if state.expires else ", and no expiry date"),
            expected="a measurement that decides it",
            fix=MEASURE.format(id=i) + ("" if state.expires else f", or {RENEW}".format(id=i)),
        )


def _why_not(state: ClaimState) -> str:
    return listed(map(_undecided, state.links), separator="; ") or "no measurement is linked"


def _undecided(link: Link) -> str:
    if not link.live:
        return f"{link.evidence} is retracted"
    if link.mismatches:
        return f"{link.evidence} is of another scope"
    return f"{link.evidence} is inconclusive" + (f" ({link.reason})" if link.reason else "")


def disputed(view: View) -> Iterator[Finding]:
    """Live measurements on both sides."""
    for i, state in view.fold.claims.items():
        if state.status == "disputed":
            yield Finding(
                slug="disputed",
                level="error",
                subject=i,
                message=f"measurements disagree: {quoted(view.fold.claim(i).statement)}",
                got=f"supported by {listed(state.deciding('supports'))}; "
                f"refuted by {listed(state.deciding('refutes'))}",
                expected="measurements that agree",
                fix="take the wrong one back, ledger retract EVIDENCE --reason TEXT; or, if both "
                f"are right, ledger supersede {i} --status TOO-BROAD --replaced-by a claim of "
                "narrower scope",
            )


def circular(view: View) -> Iterator[Finding]:
    """Claims that carry only each other."""
    for group in view.fold.circular():
        yield Finding(
            slug="circular",
            level="error",
            subject=group[0],
            message="these claims rest on each other, and nothing measured is below them"
            if len(group) > 1
            else "it rests on itself, and nothing measured is below it",
            got=listed(group, separator=" <-> "),
            expected="a measurement below at least one of them",
            fix=MEASURE.format(id=group[0]),
        )


def agreement_only(view: View) -> Iterator[Finding]:
    """Several arms say it and nobody measured it."""
    echoed: dict[str, list[str]] = {}
    opened: dict[str, Claim] = dict(view.open_claims())
    for i, claim in opened.items():
        for other in dict.fromkeys(claim.echoes):
            echoed.setdefault(other, []).append(i)
    for i, claim in opened.items():
        echoes = echoed.get(i, [])
        by = {opened[e].by.name for e in echoes} - {claim.by.name}
        unsettled = all(
            view.fold.claims[c].status in {"provisional", "expired", "fallen"} for c in (i, *echoes)
        )
        if by and unsettled:
            yield Finding(
                slug="agreement-only",
                level="warning",
                subject=i,
                message=f"agreement is its only support: {quoted(claim.statement)}",
                got=f"{claim.by.name} and {listed(sorted(by))} say so; no measurement does",
                expected="a measurement: agreement between arms is not one",
                fix=MEASURE.format(id=i),
            )
