"""Rules about measurements: how far they can be trusted."""

from collections.abc import Iterator

from ledger.entry import Artifact
from ledger.rules.finding import Finding
from ledger.rules.view import View
from ledger.wording import listed, quoted

_SAYS = {
    "supports": "supports it",
    "refutes": "refutes it",
    "inconclusive": "is inconclusive",
}


def _used(view: View) -> dict[str, list[str]]:
    """Evidence id to the claims it decides."""
    used: dict[str, list[str]] = {}
    for claim, state in view.fold.claims.items():
        if state.status not in {"retracted", "superseded"}:
            for link in state.links:
                if link.decides:
                    used.setdefault(link.evidence, []).append(claim)
    return used


def dirty_tree(view: View) -> Iterator[Finding]:
    """A measurement that decides a claim was taken on uncommitted code."""
    used = _used(view)
    for i, evidence in view.live_evidence():
        if i in used and evidence.git is not None and evidence.git.state in {"dirty", "unknown"}:
            yield Finding(
                slug="dirty-tree",
                level="warning",
                subject=i,
                message=f"taken on a tree that was {evidence.git.state}; "
                f"it decides {listed(used[i])}",
                got=", ".join(evidence.git.dirty[:3]) or evidence.git.reason or "unknown",
                expected="a clean commit",
                fix="commit, measure again and record that with ledger evidence add",
            )


def artifacts(view: View) -> Iterator[Finding]:
    """A file that a measurement was read from is gone or has changed."""
    for i, evidence in view.live_evidence():
        for artifact in evidence.artifacts:
            if artifact.path not in view.facts.artifacts:
                continue
            now = view.facts.artifacts[artifact.path]
            if now != artifact.sha256:
                yield changed(
                    artifact, now, subject=i, otherwise=f"ledger retract {i} --reason TEXT"
                )


def changed(artifact: Artifact, now: str | None, *, subject: str, otherwise: str) -> Finding:
    """A file that is gone or is another one now; `now` is its present sha256, if it is there.

    `otherwise` is the command for a file that cannot be restored.
    """
    return Finding(
        slug="artifact-missing" if now is None else "artifact-changed",
        level="warning" if now is None else "error",
        subject=subject,
        message=f"{artifact.path} is {'gone' if now is None else 'another file now'}",
        got="no such file" if now is None else f"sha256 {now[:12]}",
        expected=f"sha256 {artifact.sha256[:12]}, {artifact.bytes} bytes",
        fix=f"restore {artifact.path}, or {otherwise}",
        path=None if now is None else artifact.path,
        line=None if now is None else 1,
    )


def no_negative_control(view: View) -> Iterator[Finding]:
    """The instrument that decides a claim was not shown able to fail."""
    used = _used(view)
    for i, evidence in view.live_evidence():
        if i not in used:
            continue
        failed = [c for c in evidence.controls if c.got != c.must]
        if evidence.controls and not failed:
            continue
        got = [f"{c.name}: got {c.got}, must give {c.must}" for c in failed]
        yield Finding(
            slug="no-negative-control",
            level="error" if failed else "note",
            subject=i,
            message=f"{evidence.instrument.name} was not shown able to fail; "
            f"it decides {listed(used[i])}",
            got=listed(got, separator="; ") or "no control was run",
            expected="an input on which it must fail, and did",
            fix=f"see whether ledger probe selftest {evidence.instrument.name} still fails; if so, "
            f"ledger retract {i} --reason TEXT"
            if failed
            else "measure with a probe that has controls (ledger probe list)",
        )


def instrument_doubt(view: View) -> Iterator[Finding]:
    """The instrument doubts a result that decides a claim."""
    used = _used(view)
    for i, evidence in view.live_evidence():
        if i in used and evidence.doubts:
            yield Finding(
                slug="instrument-doubt",
                level="note",
                subject=i,
                message=f"{evidence.instrument.name} doubts its own result; "
                f"it decides {listed(used[i])}",
                got="; ".join(evidence.doubts),
                expected="a measurement without doubts, or a reader who knows them",
                fix=f"ledger show {i}",
            )


def cross_instrument(view: View) -> Iterator[Finding]:
    """One claim is decided by instruments that need not agree with each other."""
    for i, claim in view.open_claims():
        counting = [link for link in view.fold.claims[i].links if link.decides]
        names = {view.fold.measurement(x.evidence).instrument.name for x in counting}
        if len(names) > 1:
            split = len({x.outcome for x in counting}) > 1
            yield Finding(
                slug="cross-instrument",
                level="warning" if split else "note",
                subject=i,
                message=f"decided by different instruments: {quoted(claim.statement)}",
                got=listed(sorted(names)),
                expected="one instrument on both sides of a comparison",
                fix=f"ledger show {i}",
            )


def verdict_overruled(view: View) -> Iterator[Finding]:
    """A recorded verdict says otherwise than the claim's own expectation."""
    for i, state in view.fold.claims.items():
        if state.status in {"retracted", "superseded"}:
            continue
        for link in state.links:
            if link.counts and link.overruled is not None:
                yield Finding(
                    slug="verdict-overruled",
                    level="warning",
                    subject=i,
                    message=f"{link.source} says that {link.evidence} {_SAYS[link.overruled]}; the "
                    "claim's own expectation decides",
                    got=link.overruled,
                    expected=f"{link.outcome}: {link.reason}",
                    fix=f"take it back, ledger retract {link.source} --reason TEXT; or, if the "
                    f"expectation is wrong, "
                    f"ledger supersede {i} --status WRONG --replaced-by TEXT",
                )
