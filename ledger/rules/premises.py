"""Rules about what claims rest on."""

from collections.abc import Iterator, Mapping

from ledger import scope
from ledger.entry import Claim
from ledger.fold import ClaimState, Link
from ledger.rules.chains import End, ends
from ledger.rules.claims import MEASURE, SETTLE
from ledger.rules.finding import Finding
from ledger.rules.view import View
from ledger.wording import listed, quoted


def rests_on_derivation(view: View) -> Iterator[Finding]:
    """No set of premises consists of measurements: a derivation carries a derivation."""
    weaker = _weaker(view)
    found = ends(weaker)
    circles = {i for group in view.fold.circular() for i in group}
    for i, claim in view.open_claims():
        state = view.fold.claims[i]
        if (
            i not in weaker
            or i in circles
            or state.status in {"measured", "disputed"}
            or any(ms and all(_measured(view, i, m) for m in ms) for ms in claim.rests_on)
        ):
            continue
        last = found[i].last
        yield Finding(
            slug="rests-on-derivation",
            # Carried by a measurement in the end, it is weak; on guesses alone, it is nothing yet.
            level="note" if state.is_in else "warning",
            subject=i,
            message=f"no premise set is wholly measured: {quoted(claim.statement)}",
            got=_chain(weaker, found[i], i)
            + (f" ({state.depth} steps from a measurement)" if state.depth else ""),
            expected="premises that were measured",
            fix=MEASURE.format(id=last if last in view.fold.claims else i),
        )


def _measured(view: View, claim: str, premise: str) -> bool:
    if premise in view.fold.evidence:
        return view.fold.carries(claim, premise)
    return premise in view.fold.claims and view.fold.claims[premise].status == "measured"


def _weaker(view: View) -> dict[str, str]:
    """Claim to the unmeasured premise that is farthest from a measurement, of sets still whole."""
    following = {}
    for i, state in view.fold.claims.items():
        claim = view.fold.claim(i)
        sets = [state.holding] if state.holding else claim.rests_on
        whole = [ms for ms in sets if all(_down(view, i, m) is None for m in ms)]
        below = [m for members in whole for m in members if not _measured(view, i, m)]
        if below:
            following[i] = max(below, key=lambda m: _distance(view, m))
    return following


def _distance(view: View, premise: str) -> float:
    state = view.fold.claims.get(premise)
    return float("inf") if state is None or state.depth is None else state.depth


def _chain(following: Mapping[str, str], end: End, claim: str) -> str:
    """From the claim down to the end; the middle of a long path is only counted."""
    path = [claim]
    while path[-1] != end.last and len(path) < 4:  # noqa: PLR2004
        path.append(following[path[-1]])
    if path[-1] != end.last:
        hidden = end.steps - len(path)
        path += [f"{hidden} more", end.last] if hidden else [end.last]
    return " <- ".join(path)


def rests_on_fallen(view: View) -> Iterator[Finding]:
    """What carried the claim has fallen, or what it rests on does not stand."""
    first = ends(_fallen_below(view))
    for i, claim in view.open_claims():
        state = view.fold.claims[i]
        gone = [link for link in state.links if link.supported_once and not link.counts]
        lost = [_lost(view, link) for link in gone]
        bad = _bad_premises(view, i, claim, state)
        fell = state.status == "fallen"
        if not fell and not bad:
            continue
        # A guess below a guess that ran out of time is no news about either.
        guess = not fell and all(_status(view, m) == "expired" for m in bad)
        yield Finding(
            slug="rests-on-fallen",
            level="warning" if guess else "error",
            subject=i,
            message=("its support fell" if fell else "rests on what does not stand")
            + f": {quoted(claim.statement)}",
            got=listed([*lost, *bad.values()], separator="; "),
            expected="at least one live support",
            fix=f"measure again and {SETTLE.format(id=first[i].last if i in first else i)}, "
            f"or ledger supersede {i} --status WRONG --replaced-by TEXT",
        )


def _fallen_below(view: View) -> dict[str, str]:
    """Fallen claim to a fallen premise: the last of such a path is where to measure again."""
    fallen = {i for i, state in view.fold.claims.items() if state.status == "fallen"}
    below = {
        i: next((m for ms in view.fold.claim(i).rests_on for m in ms if m in fallen), None)
        for i in fallen
    }
    return {i: m for i, m in below.items() if m is not None}


def _lost(view: View, link: Link) -> str:
    state = view.fold.evidence[link.evidence]
    if not link.live:
        return f"{link.evidence} retracted by {state.retracted_by}"
    return _moved(link.evidence, state.rescopes, link.mismatches)


def _moved(evidence: str, rescopes: tuple[str, ...], mismatches: tuple[scope.Mismatch, ...]) -> str:
    by = f"rescoped by {rescopes[-1]}" if rescopes else "of another scope"
    return f"{evidence} {by}: {', '.join(map(str, mismatches))}"


def _bad_premises(view: View, claim_id: str, claim: Claim, state: ClaimState) -> dict[str, str]:
    """Premises that took the claim down, with the reason: every set has one, or none is given."""
    if state.status in {"measured", "derived", "disputed"}:
        return {}
    worst: dict[str, str] = {}
    for members in filter(None, claim.rests_on):
        reasons = {m: _down(view, claim_id, m) for m in members}
        bad = {m: reason for m, reason in reasons.items() if reason is not None}
        if not bad:
            return {}
        worst |= bad
    return worst


def _status(view: View, premise: str) -> str | None:
    state = view.fold.claims.get(premise)
    return None if state is None else state.status


def _down(view: View, claim: str, premise: str) -> str | None:
    """Why a premise no longer carries the claim; None while it may."""
    evidence = view.fold.evidence.get(premise)
    if evidence is None:
        status = _status(view, premise)
        standing = {None, "measured", "derived", "provisional"}
        return None if status in standing else f"{premise} {status}"
    if view.fold.carries(claim, premise):
        return None
    if not evidence.live:
        return f"{premise} retracted by {evidence.retracted_by}"
    found = scope.mismatches(view.fold.claim(claim).about, evidence.about)
    return _moved(premise, evidence.rescopes, tuple(m for m in found if m.kind == "differs"))
