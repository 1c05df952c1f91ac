"""Rules about what measurements were taken of, and what claims make of that."""

import shlex
from collections.abc import Iterator

from ledger import scope
from ledger.entry import Rescope, Scope
from ledger.rules.finding import Finding, Level
from ledger.rules.view import View
from ledger.wording import listed, quoted


def broader_than_measured(view: View) -> Iterator[Finding]:
    """A claim leaves open a scope key that its instrument calls decisive."""
    for i, claim in view.open_claims():
        measured = {}
        for link in view.fold.claims[i].links:
            about = view.fold.evidence[link.evidence].about
            decisive = view.fold.measurement(link.evidence).instrument.decisive
            open_keys = {k: about[k] for k in decisive if k not in claim.about and k in about}
            if link.decides and open_keys:
                measured[link.evidence] = open_keys
        if measured:
            first = next(iter(measured))
            keys = dict.fromkeys(k for found in measured.values() for k in found)
            said = (f"{e} measured {_words(found)}" for e, found in measured.items())
            options = _options({**claim.about, **measured[first]})
            author = shlex.quote(claim.by.name)
            yield Finding(
                slug="broader-than-measured",
                level="warning",
                subject=i,
                message=f"says more than was measured: {quoted(claim.statement)}",
                got=f"states no {', '.join(keys)}; {listed(said, separator='; ')}",
                expected=f"a claim about {_words(measured[first])}",
                fix="say it of what was measured, "
                f"ledger claim TEXT --by {author} {options} --evidence {first}, "
                f"then ledger supersede {i} --status TOO-BROAD --replaced-by its id",
            )


def _words(about: Scope) -> str:
    return " ".join(f"{key}={scope.shown(value)}" for key, value in about.items())


def _options(about: Scope) -> str:
    """As words of a command."""
    return " ".join("--about " + shlex.quote(f"{k}={v or ''}") for k, v in about.items())


def scope_mismatch(view: View) -> Iterator[Finding]:
    """A measurement of another configuration stands beside the claim, and counts for nothing."""
    for i, claim in view.open_claims():
        state = view.fold.claims[i]
        for link in state.links:
            if link.live and link.mismatches:
                # A claim that another measurement carries does not hang on this one.
                level: Level = "warning" if state.is_in else "error"
                yield _mismatch(view, i, link.evidence, link.mismatches, level=level)
        if state.status != "measured":
            for premise in dict.fromkeys(m for members in claim.rests_on for m in members):
                below = view.fold.evidence.get(premise)
                if below is not None and below.live and scope.conflicts(claim.about, below.about):
                    found = scope.mismatches(claim.about, below.about)
                    differing = tuple(m for m in found if m.kind == "differs")
                    yield _mismatch(view, i, premise, differing, level="warning")


def _mismatch(
    view: View,
    claim: str,
    evidence: str,
    keys: tuple[scope.Mismatch, ...],
    *,
    level: Level,
) -> Finding:
    wanted = {key.key: key.claim for key in keys}
    return Finding(
        slug="scope-mismatch",
        level=level,
        subject=claim,
        message=f"{evidence} was measured on another configuration than the claim is about: "
        f"{quoted(view.fold.claim(claim).statement)}",
        got="; ".join(str(key) for key in keys),
        expected=f"a measurement that states {_words(wanted)}",
        fix=_another(view, claim, evidence, wanted),
    )


def _another(view: View, claim: str, evidence: str, wanted: Scope) -> str:
    """The next step where a claim has the measurement of another configuration."""
    rescopes = map(view.fold.entries.get, view.fold.evidence[evidence].rescopes)
    corrected = {key for o in rescopes if isinstance(o, Rescope) for key in (*o.about, *o.unstated)}
    if corrected & wanted.keys():
        # Somebody looked what it was taken of: to say otherwise again would undo that.
        return (
            f"measure again on {_words(wanted)} and ledger settle {claim} EVIDENCE --supports | "
            f"--refutes, or ledger supersede {claim} --status WRONG --replaced-by TEXT"
        )
    return (
        f"measure that, then ledger settle {claim} EVIDENCE --supports | --refutes; or, if the "
        f"record is wrong, ledger rescope {evidence} {_options(wanted)} --reason TEXT"
    )


def scope_unstated(view: View) -> Iterator[Finding]:
    """A measurement does not say what its instrument calls decisive."""
    for i, evidence in view.live_evidence():
        about = view.fold.evidence[i].about
        # What was at least asked for is reported by requested-not-resolved.
        missing = [
            key
            for key in evidence.instrument.decisive
            if key not in about and key + scope.REQUESTED not in about
        ]
        if missing:
            yield Finding(
                slug="scope-unstated",
                level="note",
                subject=i,
                message=f"{evidence.instrument.name} does not say of what it was taken",
                got=f"not stated: {', '.join(missing)}",
                expected="every decisive key, with `KEY=` for known to be none",
                fix=f"ledger rescope {i} {_options(dict.fromkeys(missing, 'VALUE'))} --reason TEXT",
            )


def requested_not_resolved(view: View) -> Iterator[Finding]:
    """Only what was asked for is known, not what the run resolved to."""
    for i, _ in view.live_evidence():
        about = view.fold.evidence[i].about
        for key in about:
            plain = key.removesuffix(scope.REQUESTED)
            if plain != key and plain not in about:
                yield Finding(
                    slug="requested-not-resolved",
                    level="warning",
                    subject=i,
                    message="states what was asked for, not what happened",
                    got=f"{key}={scope.shown(about[key])}, no {plain}",
                    expected=f"{plain}, read back from the run",
                    fix=f"ledger rescope {i} {_options({plain: 'VALUE'})} --reason TEXT",
                )
