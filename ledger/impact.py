"""What falls when an entry is taken away or comes in, and what survives, and why."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ledger.entry import Claim, Entry, Evidence, Renewal, Rescope, Retraction, Supersession, Verdict
from ledger.fold import Fold, Status, fold


@dataclass(frozen=True, kw_only=True)
class Paths:
    """Shortest dependency paths from one entry, as pointers: linear however long the chains."""

    start: str
    below: Mapping[str, str]
    """Claim to what it rests on, one step nearer to the start."""
    steps: Mapping[str, int]
    """Claim to the length of its path; 0 for the start."""

    def to(self, claim: str) -> tuple[str, ...]:
        """From the start to the claim, each resting on the one before."""
        path = [claim]
        while path[-1] != self.start:
            path.append(self.below.get(path[-1], self.start))
        return tuple(reversed(path))

    def order(self, claim: str, entries: Mapping[str, Entry]) -> tuple[int, str, str]:
        """Sort key: near ones first, what rests on the same thing together; as they were recorded.

        Among equal ones it leaves the order to what is sorted.
        """
        below = self.below.get(claim, self.start)
        at = entries[below].recorded.at if below in entries else ""
        return self.steps.get(claim, 1), at, below


@dataclass(frozen=True, kw_only=True)
class Fallen:
    """A claim that was in and is not any more."""

    claim: str
    status: Status
    """Its status afterwards."""
    paths: Paths = field(repr=False, compare=False)

    @property
    def path(self) -> tuple[str, ...]:
        """From the cause to the claim, each resting on the one before."""
        return self.paths.to(self.claim)


@dataclass(frozen=True, kw_only=True)
class Survivor:
    """A claim that depends on the cause and is still in."""

    claim: str
    status: Status
    carried_by: tuple[str, ...]
    """The measurements that still carry it."""
    paths: Paths = field(repr=False, compare=False)

    @property
    def path(self) -> tuple[str, ...]:
        """From the cause to the claim, each resting on the one before."""
        return self.paths.to(self.claim)


@dataclass(frozen=True, kw_only=True)
class Impact:
    """The difference an entry makes.

    A claim that falls is unmeasured, not thereby false: the direction in which the truth moved is
    not known.
    """

    cause: str
    correction: bool
    """True when the entry is itself a correction, and `before` is the ledger without it."""
    falls: tuple[Fallen, ...] = ()
    survives: tuple[Survivor, ...] = ()
    rises: tuple[str, ...] = ()
    """Claims that come in by it."""
    changes: Mapping[str, tuple[Status, Status]] = field(default_factory=dict)
    """Every claim whose status changes, before and after; not where only its history does."""


def impact(
    entries: Mapping[str, Entry], cause: str, *, as_of: str, now: Fold | None = None
) -> Impact:
    """What the entry carries; for a correction, what it did.

    `now` is the fold of these entries on that date, where it is known already.

    Taking away a claim or a measurement shows what rests on it. A retraction, rescope,
    supersession, verdict or renewal has its effect by being there, so the ledger with it is
    compared with the ledger without it. KeyError when there is no such entry.
    """
    entry = entries[cause]
    correction = not isinstance(entry, Claim | Evidence)
    now = now or fold(entries, as_of=as_of)
    if correction:
        other = fold({i: e for i, e in entries.items() if i != cause}, as_of=as_of)
    else:
        # Taken back rather than left out, so that what it carried is fallen and not forgotten.
        gone = Retraction(recorded=entry.recorded, target=cause, reason="what if it were not there")
        other = fold({**entries, "r-what-if": gone}, as_of=as_of)
    return compare(
        other if correction else now,
        now if correction else other,
        cause=cause,
        start=_target(entries, cause),
        correction=correction,
    )


def _target(entries: Mapping[str, Entry], cause: str) -> str:
    """The claim or measurement whose state the entry changes, through retractions of corrections.

    Ends: an entry's id covers what it names, so none can name itself in a circle; what is made up
    ends at the second visit.
    """
    seen: set[str] = set()
    here = cause
    while here not in seen:
        seen.add(here)
        match entries.get(here):
            case Retraction(target=target):
                here = target
            case Rescope(evidence=evidence) | Verdict(evidence=evidence):
                return evidence
            case Supersession(claim=claim) | Renewal(claim=claim):
                return claim
            case _:
                return here
    return cause


def compare(before: Fold, after: Fold, *, cause: str, start: str, correction: bool) -> Impact:
    """The difference between two folds, explained by paths from `start`."""
    paths = _paths(before, after, start)
    falls, left, rises = [], [], []
    changes: dict[str, tuple[Status, Status]] = {}
    for claim, now in after.claims.items():
        then = before.claims.get(claim)
        if then is None or claim == cause:
            continue
        if then.status != now.status and not _only_history(then.status, now.status):
            changes[claim] = (then.status, now.status)
        if then.is_in and not now.is_in:
            falls.append(Fallen(claim=claim, status=now.status, paths=paths))
        elif then.is_in and now.is_in and claim in paths.below:
            left.append(claim)
        elif now.is_in and not then.is_in:
            rises.append(claim)
    carried = all_carriers(after) if left else {}
    survives = [
        Survivor(claim=c, status=after.claims[c].status, carried_by=carried[c], paths=paths)
        for c in sorted(left, key=lambda claim: paths.order(claim, after.entries))
    ]
    return Impact(
        cause=cause,
        correction=correction,
        falls=tuple(sorted(falls, key=lambda f: paths.order(f.claim, after.entries))),
        survives=tuple(survives),
        rises=tuple(rises),
        changes=changes,
    )


def within(found: Impact, keep: Callable[[str], bool]) -> Impact:
    """The part of an impact that concerns the claims to keep."""
    return replace(
        found,
        falls=tuple(f for f in found.falls if keep(f.claim)),
        survives=tuple(s for s in found.survives if keep(s.claim)),
        rises=tuple(filter(keep, found.rises)),
        changes={claim: change for claim, change in found.changes.items() if keep(claim)},
    )


def apart(folded: Fold, found: Impact) -> tuple[str, ...]:
    """Claims that stand and never depended on the cause, in the order of recording."""
    touched = {f.claim for f in found.falls} | {s.claim for s in found.survives}
    touched |= {*found.rises, found.cause}
    standing = [i for i, state in folded.claims.items() if state.is_in and i not in touched]
    return tuple(sorted(standing, key=lambda i: (folded.entries[i].recorded.at, i)))


def _only_history(then: Status, now: Status) -> bool:
    """Whether the claim had no support before nor after, and only what it once had differs."""
    return {then, now} == {"fallen", "provisional"} or (then, now) == ("fallen", "expired")


def _paths(before: Fold, after: Fold, start: str) -> Paths:
    """Shortest dependency path from `start` to everything that rests on it, fallen paths first."""
    above = _dependents(before, after)
    below: dict[str, str] = {}
    steps = {start: 0}
    queue = deque([start])
    late: deque[str] = deque()
    while queue or late:
        here = queue.popleft() if queue else late.popleft()
        for claim in above.get(here, ()):
            if claim not in steps:
                steps[claim] = steps[here] + 1
                below[claim] = here
                # A path through a survivor is taken only where no fallen one leads.
                survives = claim in after.claims and after.claims[claim].is_in
                (late if survives else queue).append(claim)
    return Paths(start=start, below=below, steps=steps)


def _dependents(before: Fold, after: Fold) -> dict[str, list[str]]:
    """What rested on each entry; also what a measurement that came in has taken down."""
    above: dict[str, list[str]] = {}
    for claim, state in before.claims.items():
        entry = before.claim(claim)
        below = {link.evidence for link in state.links if link.counts}
        below |= {member for members in entry.rests_on for member in members}
        now = after.claims.get(claim)
        if state.is_in and now is not None and not now.is_in:
            below |= {link.evidence for link in now.links if link.decides}
        for item in sorted(below):
            above.setdefault(item, []).append(claim)
    return above


def carriers(folded: Fold, claim: str) -> tuple[str, ...]:
    """The measurements that carry a claim that is in; empty for one that is not."""
    found: set[str] = set()
    seen: set[str] = set()
    stack = [claim]
    while stack:
        here = stack.pop()
        if here in seen:
            continue
        seen.add(here)
        if here in folded.evidence:
            found.add(here)
        elif here in folded.claims:
            state = folded.claims[here]
            if state.status == "measured":
                found.update(state.deciding("supports"))
            else:
                stack.extend(state.holding)
    return tuple(sorted(found))


def all_carriers(folded: Fold) -> dict[str, tuple[str, ...]]:
    """`carriers` of every claim that is in, each computed once from those it rests on."""
    found: dict[str, tuple[str, ...]] = {}
    inside = [(s.depth or 0, i) for i, s in folded.claims.items() if s.is_in]
    # A claim's holding set is less deep than the claim itself.
    for _, claim in sorted(inside):
        state = folded.claims[claim]
        if state.status == "measured":
            sources = [state.deciding("supports")]
        else:
            sources = [found.get(m) or (m,) for m in dict.fromkeys(state.holding)]
        # A chain shares one tuple all the way up.
        found[claim] = (
            sources[0]
            if len(sources) == 1 and state.status != "measured"
            else tuple(sorted({e for source in sources for e in source}))
        )
    return found
