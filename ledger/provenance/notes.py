"""The notes on each artifact, folded: what is said of it now, whichever note said it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET

from ledger import canonical
from ledger.entry import (
    Artifact,
    By,
    Claim,
    Evidence,
    Note,
    NoteField,
    Retraction,
    Supersession,
)
from ledger.fold import Fold
from ledger.provenance.falls import Down, FieldStatus, down
from ledger.provenance.pointers import ancestors

_MOST_TELLING: tuple[FieldStatus, ...] = (
    "wrong", "wrong_actual_unknown", "misleading_scope", "uninformative", "under_investigation",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One field that is not right, as it is known now."""

    pointer: str
    status: FieldStatus
    reason: str
    recorded: Any = UNSET
    """The value in the artifact; UNSET where the note withholds it."""
    actual: Any = UNSET
    """The right value; UNSET where it is not known."""
    evidence: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    """Those of `evidence` that were retracted since; the statement stays."""
    cause: str | None = None
    note: str


@dataclass(frozen=True, kw_only=True)
class Checked:
    """One field that was measured again and found right."""

    pointer: str
    evidence: str
    note: str


@dataclass(frozen=True, kw_only=True)
class ArtifactNote:
    """What the notes in force say of one file content."""

    artifact: Artifact
    notes: tuple[str, ...]
    """Ids, oldest first, without those retracted."""
    version: int
    """Rises with every note on this content and every retraction of one, and with nothing else: not
    where a statement changes with the entry that it follows."""
    date: str
    """YYYY-MM-DD of the latest note."""
    by: By | None
    """Who wrote the latest note."""
    statements: tuple[Statement | Checked, ...]
    """In the order of the notes, none for a place of which a later note says something else.

    No two have the same pointer; where one holds another, the longer pointer is what counts.
    """
    lapsed: tuple[Checked, ...] = ()
    """Re-checks whose measurement was retracted, where nothing later was said."""

    @property
    def wrong(self) -> tuple[Statement, ...]:
        """The fields that are not right."""
        return tuple(s for s in self.statements if isinstance(s, Statement))

    @property
    def rechecked(self) -> tuple[Checked, ...]:
        """The fields that are right."""
        return tuple(s for s in self.statements if isinstance(s, Checked))


def notes_of(fold: Fold) -> Mapping[str, ArtifactNote]:
    """By path, the note on the content that was noted last under it."""
    found = by_content(fold).values()
    return {note.artifact.path: note for note in sorted(found, key=lambda n: _latest(fold, n))}


def note_on(fold: Fold, path: str, source: bytes | None) -> ArtifactNote | None:
    """The note on the content that stands at a path now, else on the one noted last under it.

    None where no note on the path is in force. Without folding the notes on other artifacts.
    """
    found = by_content(fold, path=path)
    here = found.get((path, canonical.sha256(source))) if source is not None else None
    return here or max(found.values(), key=lambda note: _latest(fold, note), default=None)


def _latest(fold: Fold, note: ArtifactNote) -> tuple[str, str]:
    return _order(fold, note.notes[-1])


def by_content(fold: Fold, *, path: str | None = None) -> Mapping[tuple[str, str], ArtifactNote]:
    """By path and sha256: a file that changed is another artifact, and so is a copy elsewhere.

    With `path`, only the contents noted under it.
    """
    groups: dict[tuple[str, str], dict[str, Note]] = {}
    for note_id, note in notes_by_age(fold):
        if note_id in fold.retracted:
            continue
        key = (note.artifact.path, note.artifact.sha256)
        if path in {None, key[0]}:
            groups.setdefault(key, {})[note_id] = note
    versions = _versions(fold)
    return {key: _folded(fold, notes, versions[key]) for key, notes in groups.items()}


def notes_by_age(fold: Fold) -> list[tuple[str, Note]]:
    """Every note with its id, oldest first, those retracted too."""
    notes = [(i, e) for i, e in fold.entries.items() if isinstance(e, Note)]
    return sorted(notes, key=lambda item: _order(fold, item[0]))


def _order(fold: Fold, entry_id: str) -> tuple[str, str]:
    return fold.entries[entry_id].recorded.at, entry_id


def _versions(fold: Fold) -> Mapping[tuple[str, str], int]:
    """Notes and retractions of notes by content: entries are only added, so it only rises."""
    counts: dict[tuple[str, str], int] = {}
    for here in fold.entries.values():
        entry, seen = here, set()
        while isinstance(entry, Retraction) and entry.target not in seen:
            seen.add(entry.target)
            entry = fold.entries.get(entry.target, entry)
        if isinstance(entry, Note):
            key = (entry.artifact.path, entry.artifact.sha256)
            counts[key] = counts.get(key, 0) + 1
    return counts


def _folded(fold: Fold, notes: dict[str, Note], version: int) -> ArtifactNote:
    latest = notes[next(reversed(notes))]
    said: set[str] = set()
    kept: list[tuple[Statement | Checked, ...]] = []
    lapsed: list[Checked] = []
    for note_id, note in reversed(list(notes.items())):
        here = [
            s for s in _statements(fold, note_id, note) if said.isdisjoint(ancestors(s.pointer))
        ]
        gone = [s for s in here if isinstance(s, Checked) and not is_live(fold, s.evidence)]
        standing = _one_each([s for s in here if s not in gone])
        # Only a later note overrides what is below a pointer; within one the longer one counts.
        said.update(s.pointer for s in standing)
        kept.append(standing)
        lapsed += gone
    return ArtifactNote(
        artifact=latest.artifact,
        notes=tuple(notes),
        version=version,
        date=latest.recorded.at[:10],
        by=latest.by,
        statements=tuple(s for standing in reversed(kept) for s in standing),
        lapsed=tuple(lapsed),
    )


def is_live(fold: Fold, evidence: str) -> bool:
    """Whether a measurement is there and was not retracted."""
    state = fold.evidence.get(evidence)
    return state is not None and state.live


def _statements(fold: Fold, note_id: str, note: Note) -> list[Statement | Checked]:
    """What one note says now."""
    fields = [s for f in note.fields if (s := _statement(fold, note_id, f)) is not None]
    return [
        *fields,
        *(Checked(pointer=c.pointer, evidence=c.evidence, note=note_id) for c in note.rechecked),
    ]


def _one_each(statements: list[Statement | Checked]) -> tuple[Statement | Checked, ...]:
    """Of those with the same pointer the one that tells most, wrong before right."""
    chosen: dict[str, Statement | Checked] = {}
    for statement in statements:
        other = chosen.get(statement.pointer, statement)
        chosen[statement.pointer] = min(other, statement, key=_rank)
    return tuple(chosen.values())


def _rank(statement: Statement | Checked) -> int:
    if isinstance(statement, Checked):
        return len(_MOST_TELLING)
    return _MOST_TELLING.index(statement.status)


def _statement(fold: Fold, note_id: str, field: NoteField) -> Statement | None:
    """A field's statement; one that follows an entry says what that entry makes of it now."""
    said: NoteField | Down | None = field
    cause = fold.entries.get(field.cause) if field.cause is not None else None
    if field.cause is not None and isinstance(cause, Claim | Evidence | Supersession):
        said = down(fold, field.cause)
    if said is None:
        return None
    return Statement(
        pointer=field.pointer,
        status=said.status,
        reason=said.reason,
        recorded=field.recorded,
        actual=said.actual,
        evidence=said.evidence,
        withdrawn=tuple(i for i in said.evidence if i in fold.retracted),
        cause=field.cause,
        note=note_id,
    )
