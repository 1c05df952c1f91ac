"""The state of each region of a document, in words, with its place and the way out."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ledger import render
from ledger.errors import LedgerError
from ledger.rules import RegionState
from ledger.service.documents.bodies import Bodies
from ledger.wording import counted

StateName = Literal["current", "stale", "missing", "unreadable", "malformed", "edited"]
RANKED: tuple[StateName, ...] = (
    "current", "stale", "missing", "unreadable", "malformed", "edited",
)  # fmt: skip
"""From good to bad: a file is in the worst state of its regions."""
MARKERS, CITATIONS = "markers", "citations"


@dataclass(frozen=True, kw_only=True)
class State:
    """A region as it was found, or what kept a whole file from being looked at."""

    region: str
    """`view id=name`; `markers`, `citations` or `file` where no region can be named."""
    line: int
    """1-based, as is `column`."""
    column: int = 1
    state: StateName
    detail: str = ""
    """What is wrong; empty for a current region."""
    fix: str = ""
    diff: str = ""
    """For a region edited by hand: what rendering would change in it."""

    @property
    def verb(self) -> str:
        """`is` or `are`, as the name of the region wants it."""
        return "are" if self.region in {MARKERS, CITATIONS} else "is"


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """What rendering did to one document."""

    path: str
    state: StateName
    """As it was found."""
    regions: tuple[State, ...]
    stale: tuple[str, ...]
    """Regions that were (or, with check, are) behind the ledger."""
    written: bool


def state_of(name: str, item: render.Judged, *, accept_loss: bool) -> State:
    """How a region of the named document was found."""
    region = f"{item.region.view} id={item.region.id}"
    line = item.region.begin_line
    if item.error is not None:
        return malformed(region, item.error)
    match item.state:
        case "edited" if accept_loss:
            given_up = "it was edited by hand, and the changes are given up"
            return State(region=region, line=line, state="stale", detail=given_up)
        case "edited":
            return State(
                region=region,
                line=line,
                state="edited",
                detail="edited by hand"
                if item.region.recorded is not None
                else "edited by hand: its sha256 was removed",
                fix=f"{_taken_in(name, item.region)}record the change as an entry or undo it; "
                f"ledger render {name} --accept-loss gives it up",
                diff=render.diff(item),
            )
        case "stale":
            fix = f"ledger render {name}"
            return State(region=region, line=line, state="stale", detail=_behind(item), fix=fix)
        case _:
            return State(region=region, line=line, state="current")


def _taken_in(name: str, region: render.Region) -> str:
    """What to do where rows were added at the end of a region that can take them in."""
    if region.view not in {"claims", "superseded"}:
        return ""
    return f"ledger adopt {name} --line {region.begin_line} takes in rows added at its end; else "


def _behind(item: render.Judged) -> str:
    if item.region.new:
        return "nothing is generated yet"
    body = item.made.body if item.made is not None else ""
    here, now = Counter(item.region.body.split("\n")), Counter(body.split("\n"))
    gone, missing = (here - now).total(), (now - here).total()
    return (
        f"{counted(gone, 'line')} that the ledger no longer gives, "
        f"{counted(missing, 'line')} missing"
    )


def malformed(region: str, error: render.MarkerError) -> State:
    """The state of a marker that cannot be followed."""
    return State(
        region=region,
        line=error.line,
        column=error.column,
        state="malformed",
        detail=error.what,
        fix=error.fix,
    )


def rendered(name: str, states: tuple[State, ...], *, written: bool = False) -> Rendered:
    """A document by the states of its regions."""
    return Rendered(
        path=name,
        state=max((state.state for state in states), key=RANKED.index),
        regions=states,
        stale=tuple(state.region for state in states if state.state == "stale"),
        written=written,
    )


def unreadable(
    name: str, error: LedgerError, *, region: str = "file", path: Path | None = None
) -> Rendered:
    """A document, or a file that is generated as a whole, that cannot be read or written.

    `path` is how the error names the file at its start, where it does: it is not said twice.
    """
    detail = error.message.removeprefix(f"{path}: ")
    state = State(region=region, line=1, state="unreadable", detail=detail, fix=error.fix)
    return rendered(name, (state,))


def states(bodies: Bodies, path: str, source: bytes) -> Iterator[State]:
    """How every region of a document was found."""
    try:
        for item in render.judge(source, bodies.of):
            yield state_of(path, item, accept_loss=False)
    except render.MarkerError as error:
        yield malformed(MARKERS, error)


def trouble(path: str, state: State) -> RegionState | None:
    """A region that is not current; None for one that is."""
    if state.state == "current":
        return None
    return RegionState(
        path=path,
        line=state.line,
        column=state.column,
        region=state.region,
        state=state.state,
        detail=state.detail,
        fix=state.fix,
    )
