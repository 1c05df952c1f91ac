"""What the rules look at: the fold, and facts that were gathered from disk beforehand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ledger.entry import Claim, Evidence
from ledger.fold import Fold

if TYPE_CHECKING:
    # Importing it compiles the expressions for figures, 40 ms that most commands do not need.
    from ledger.figures.stale import Stale

SOON_DAYS = 14
"""An unsettled claim is announced this many days before it expires."""


@dataclass(frozen=True, kw_only=True)
class Damage:
    """A file of the ledger that could not be taken in."""

    slug: Literal["unreadable", "id-mismatch"]
    path: str
    message: str
    got: str
    expected: str


@dataclass(frozen=True, kw_only=True)
class Cited:
    """A claim named in a document."""

    path: str
    line: int
    column: int
    """1-based, in characters, of the opening bracket."""
    text: str
    """As written, without brackets."""
    ids: tuple[str, ...]
    """The entries it may mean: none is unknown, several ambiguous."""

    @property
    def place(self) -> str:
        """`path:line:column`."""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, kw_only=True)
class RegionState:
    """A generated part of a document that is not as it should be."""

    path: str
    line: int
    column: int = 1
    region: str
    """`view id=name`; `markers`, `citations` or `file` where no region can be named."""
    state: Literal["stale", "missing", "unreadable", "malformed", "edited"]
    detail: str
    fix: str
    """What to do about it."""

    @property
    def place(self) -> str:
        """`path:line:column`."""
        return f"{self.path}:{self.line}:{self.column}"


NoteFileCondition = Literal["current", "missing", "stale", "edited", "foreign", "malformed"]


@dataclass(frozen=True, kw_only=True)
class NoteFileState:
    """A file beside a noted artifact that is not as it should be."""

    artifact: str
    note: str
    """The last note entry of the artifact."""
    path: str
    line: int
    region: str
    """`sidecar`, or `note id=NAME` of the Markdown document."""
    state: NoteFileCondition


@dataclass(frozen=True, kw_only=True)
class FieldPlace:
    """Where a field stands in an artifact's text."""

    line: int
    """1-based."""
    column: int
    """1-based, in characters."""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is on disk now."""

    artifacts: Mapping[str, str | None] = field(default_factory=dict)
    """Path to sha256, or None for a file that is not there; a path not looked at is absent."""
    damage: tuple[Damage, ...] = ()
    cited: tuple[Cited, ...] = ()
    regions: tuple[RegionState, ...] = ()
    note_files: tuple[NoteFileState, ...] = ()
    fields: Mapping[tuple[str, str], FieldPlace] = field(default_factory=dict)
    """Where the fields stand that need a note, by path and pointer; as far as they can be read."""
    stale: "tuple[Stale, ...]" = ()
    """Figures of superseded and refuted claims that still stand in files, the weak ones too."""
    soon: str = ""
    """Unsettled claims that expire on or before this date are announced."""


@dataclass(frozen=True, kw_only=True)
class View:
    """The input of every rule."""

    fold: Fold
    facts: Facts = field(default_factory=Facts)

    def open_claims(self) -> list[tuple[str, Claim]]:
        """Claims that somebody may still follow: not superseded, retracted or refuted."""
        gone = {"superseded", "retracted", "refuted"}
        return [
            (i, self.fold.claim(i)) for i, s in self.fold.claims.items() if s.status not in gone
        ]

    def live_evidence(self) -> Iterator[tuple[str, Evidence]]:
        """Measurements that were not retracted."""
        for i, state in self.fold.evidence.items():
            if state.live:
                yield i, self.fold.measurement(i)
