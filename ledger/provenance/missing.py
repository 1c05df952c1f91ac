"""What notes do not say yet: fields that state what is down, without a note that says so."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET

from ledger import canonical
from ledger.entry import Artifact, ArtifactField, Note, NoteField
from ledger.fold import Fold
from ledger.provenance.falls import Down, FieldStatus, down
from ledger.provenance.notes import is_live, notes_by_age
from ledger.provenance.pointers import ancestors
from ledger.references import fields_of


@dataclass(frozen=True, kw_only=True)
class Missing:
    """A field of an entry that is down, of which no note in force says so."""

    entry: str
    artifact: Artifact
    pointer: str
    status: FieldStatus
    reason: str
    actual: Any = UNSET
    evidence: tuple[str, ...] = ()
    taken_back: str | None = None
    """The retraction of the note that said this; the ledger does not say it again by itself."""


def missing(fold: Fold) -> tuple[Missing, ...]:
    """What the notes do not say yet, oldest entry first.

    A note covers a field when it names the entry as its cause and the field or what holds it, with
    the status and the right value that follow now: a claim that first fell and was then superseded
    needs a second note. Where such a note was taken back, one in somebody's own words will do.
    """
    said = _said(fold)
    found = []
    naming = [i for i, entry in fold.entries.items() if fields_of(entry)]
    for entry_id in sorted(naming, key=lambda i: (fold.entries[i].recorded.at, i)):
        now = down(fold, entry_id)
        if now is None:
            continue
        for named in now.fields:
            if said.says(now, named):
                continue
            back = said.taken_back(now, named)
            if back is None or not said.otherwise(named):
                found.append(_missing(now, named, taken_back=back))
    return tuple(found)


class _Place(NamedTuple):
    path: str
    sha256: str
    pointer: str


class _Following(NamedTuple):
    """A field of a note that follows an entry, and what took the note back."""

    field: NoteField
    retraction: str | None


@dataclass(kw_only=True)
class _Said:
    """What the notes say of each field."""

    following: defaultdict[tuple[str, _Place], list[_Following]] = field(
        default_factory=lambda: defaultdict(list)
    )
    """By the entry that they follow."""
    own: set[_Place] = field(default_factory=set)
    """Of which a note in force says something in somebody's own words."""

    def says(self, now: Down, named: ArtifactField) -> bool:
        """Whether a note in force says what follows."""
        return any(item.retraction is None for item in self._alike(now, named))

    def taken_back(self, now: Down, named: ArtifactField) -> str | None:
        """The last retraction of a note that said what follows."""
        return next((i.retraction for i in reversed(self._alike(now, named)) if i.retraction), None)

    def otherwise(self, named: ArtifactField) -> bool:
        """Whether a note in force says something else of the field."""
        return not self.own.isdisjoint(_places(named))

    def _alike(self, now: Down, named: ArtifactField) -> list[_Following]:
        return [
            item
            for place in _places(named)
            for item in self.following.get((now.entry, place), ())
            if item.field.status == now.status and _same(item.field.actual, now.actual)
        ]


def _said(fold: Fold) -> _Said:
    said = _Said()
    for note_id, note in notes_by_age(fold):
        by = fold.retracted.get(note_id)
        for item in note.fields:
            place = _place(note, item.pointer)
            if item.cause is not None:
                said.following[item.cause, place].append(_Following(item, by))
            elif by is None:
                said.own.add(place)
        if by is None:
            right = (r for r in note.rechecked if is_live(fold, r.evidence))
            said.own.update(_place(note, item.pointer) for item in right)
    return said


def _place(note: Note, pointer: str) -> _Place:
    return _Place(note.artifact.path, note.artifact.sha256, pointer)


def _places(named: ArtifactField) -> Iterable[_Place]:
    """The field and what holds it."""
    for pointer in ancestors(named.pointer):
        yield _Place(named.artifact.path, named.artifact.sha256, pointer)


def _same(one: Any, other: Any) -> bool:
    if one is UNSET or other is UNSET:
        return one is other
    return canonical.canonical(one) == canonical.canonical(other)


def _missing(now: Down, named: ArtifactField, *, taken_back: str | None) -> Missing:
    return Missing(
        entry=now.entry,
        artifact=named.artifact,
        pointer=named.pointer,
        status=now.status,
        reason=now.reason,
        actual=now.actual,
        evidence=now.evidence,
        taken_back=taken_back,
    )
