"""Which leaves of an artifact are wrong, which were re-checked, and which nobody has disputed."""

from collections.abc import Iterable
from dataclasses import dataclass

from ledger.canonical import sha256
from ledger.errors import LedgerError
from ledger.provenance import pointers
from ledger.provenance.notes import ArtifactNote, Checked, Statement
from ledger.provenance.reading import read


@dataclass(frozen=True, kw_only=True)
class Disputed:
    """A field that is not right, with its leaves."""

    statement: Statement
    leaves: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Rechecked:
    """A field that was measured again, with its leaves."""

    checked: Checked
    leaves: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """Every leaf of an artifact, each once."""

    wrong: tuple[Disputed, ...]
    rechecked: tuple[Rechecked, ...]
    not_disputed: tuple[str, ...]
    leaves: tuple[str, ...]
    """All of them, in the order of the document."""
    nowhere: tuple[Statement | Checked, ...] = ()
    """Statements about a field that the artifact does not have."""


@dataclass(frozen=True, kw_only=True)
class Covered:
    """An artifact that is the one noted."""

    coverage: Coverage
    media_type: str


@dataclass(frozen=True, kw_only=True)
class NotCovered:
    """Why nothing can be said of the other leaves."""

    reason: str


def cover(note: ArtifactNote, leaves: Iterable[str]) -> Coverage:
    """Assign each leaf to the statement with the longest pointer that holds it, if there is one."""
    by_pointer = {statement.pointer: statement for statement in note.statements}
    held: dict[str, list[str]] = {pointer: [] for pointer in by_pointer}
    there: set[str] = set()
    rest: list[str] = []
    every = tuple(leaves)
    for leaf in every:
        above = [place for place in pointers.ancestors(leaf) if place in by_pointer]
        there.update(above)
        (held[above[0]] if above else rest).append(leaf)
    wrong, rechecked = [], []
    for pointer, statement in by_pointer.items():
        found = tuple(held[pointer])
        if found and isinstance(statement, Statement):
            wrong.append(Disputed(statement=statement, leaves=found))
        elif found and isinstance(statement, Checked):
            rechecked.append(Rechecked(checked=statement, leaves=found))
    return Coverage(
        wrong=tuple(wrong),
        rechecked=tuple(rechecked),
        not_disputed=tuple(rest),
        leaves=every,
        nowhere=tuple(s for s in note.statements if s.pointer not in there),
    )


def cover_artifact(note: ArtifactNote, source: bytes | None) -> Covered | NotCovered:
    """The coverage of the bytes that stand in the artifact's place now; None for no file."""
    artifact = note.artifact
    if source is None:
        return NotCovered(reason=f"{artifact.path} is not there any more")
    digest = sha256(source)
    if digest != artifact.sha256:
        return NotCovered(
            reason=f"{artifact.path} has other content now (sha256 {digest[:12]},"
            f" noted was {artifact.sha256[:12]}): it is another artifact"
        )
    try:
        document = read(source, name=artifact.path)
    except LedgerError as error:
        return NotCovered(reason=f"its fields cannot be listed: {error.message}")
    return Covered(
        coverage=cover(note, pointers.leaves(document.data)), media_type=document.media_type
    )
