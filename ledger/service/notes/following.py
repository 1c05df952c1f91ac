"""What a recorded entry means for artifacts: the notes that follow, and the files beside them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import UNSET

from ledger import clock, index, intake
from ledger.codec import encode, id_of
from ledger.entry import Artifact, By, Note, NoteField
from ledger.errors import LedgerError
from ledger.fold import Fold, fold
from ledger.provenance import notes, pointers, reading
from ledger.provenance.missing import Missing, missing
from ledger.service.adding import Followed, Noted
from ledger.service.artifacts import read_artifact
from ledger.service.notes.files import NoteFiles
from ledger.service.notes.values import withheld
from ledger.store import Ledger

BY = By(name="ledger", role="agent")
"""Who records a note that follows from another entry."""


def follow(
    ledger: Ledger,
    before: Fold,
    after: Fold,
    *,
    entry_id: str,
    dry_run: bool = False,
    accept_loss: bool = False,
) -> Followed:
    """Record the notes that are missing, and write the files of every note that changed.

    `entry_id` is the entry just recorded: of a note, the files are written in any case. A file that
    cannot be written is a problem to tell of, never a failure: what is recorded is recorded.
    """
    made = _recorded_notes(ledger, after, dry_run=dry_run)
    if made.entries:
        after = fold({**after.entries, **made.entries}, as_of=after.as_of)
    ids = {note.artifact.path: note_id for note_id, note in made.entries.items()}
    recorded = after.entries[entry_id]
    own = {recorded.artifact.path: entry_id} if isinstance(recorded, Note) else {}
    changed = dict.fromkeys([*own, *ids, *_changed(before, after)])
    beside = NoteFiles(after, ledger.root)
    noted = tuple(
        _noted(
            beside,
            path,
            note_id=ids.get(path, own.get(path)),
            dry_run=dry_run,
            accept_loss=accept_loss,
        )
        for path in changed
    )
    return Followed(after=after, notes=(*made.failed, *noted), paths=tuple(made.paths))


@dataclass(kw_only=True)
class _Made:
    """The notes that follow, as recorded."""

    entries: dict[str, Note] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    failed: list[Noted] = field(default_factory=list)


def _recorded_notes(ledger: Ledger, after: Fold, *, dry_run: bool) -> _Made:
    made = _Made()
    for note in due(ledger.root, after):
        path = note.artifact.path
        try:
            intake.check(note, where=f"the note on {path}")
            if not dry_run:
                made.paths.append(index.record(ledger, note).path)
        except LedgerError as error:
            problem = f"the note on {path} is not recorded: {error.message}; {error.fix}"
            made.failed.append(Noted(id=None, artifact=path, files=(), problem=problem))
        else:
            made.entries[id_of(encode(note))] = note
    return made


def _changed(before: Fold, after: Fold) -> Iterable[str]:
    """Artifacts of which the notes now say something else, whichever content they are on."""
    earlier, now = notes.by_content(before), notes.by_content(after)
    return [key[0] for key in {**earlier, **now} if earlier.get(key) != now.get(key)]


def _noted(
    beside: NoteFiles, path: str, *, note_id: str | None, dry_run: bool, accept_loss: bool
) -> Noted:
    files: tuple[str, ...] = ()
    problem = None
    try:
        files = tuple(beside.write(path, accept_loss=accept_loss, dry_run=dry_run))
    except LedgerError as error:
        problem = f"{error.message}; {error.fix}"
    return Noted(id=note_id, artifact=path, files=files, problem=problem)


def due(root: Path, after: Fold, *, path: str | None = None) -> tuple[Note, ...]:
    """The notes that follow from the ledger and are missing, one for each content of an artifact.

    With `path`, those on that artifact alone. What somebody took back is not said again.
    """
    groups: dict[tuple[str, str], list[Missing]] = {}
    for item in missing(after):
        if item.taken_back is None and path in {None, item.artifact.path}:
            groups.setdefault((item.artifact.path, item.artifact.sha256), []).append(item)
    return tuple(_note(root, items) for items in groups.values())


def _note(root: Path, items: list[Missing]) -> Note:
    artifact = items[0].artifact
    data = _data(root, artifact)
    return Note(
        recorded=clock.recorded(),
        artifact=artifact,
        fields=tuple(
            NoteField(
                pointer=item.pointer,
                status=item.status,
                reason=item.reason,
                recorded=_recorded(data, item.pointer),
                actual=item.actual,
                evidence=item.evidence,
                cause=item.entry,
            )
            for item in items
        ),
        by=BY,
    )


def _data(root: Path, artifact: Artifact) -> Any:
    """What the artifact says; UNSET where it is gone, is another file now or cannot be read."""
    try:
        read = read_artifact(root, root / artifact.path)
        if read.artifact.sha256 != artifact.sha256:
            return UNSET
        return reading.read(read.source, name=artifact.path).data
    except LedgerError:
        return UNSET


def _recorded(data: Any, pointer: str) -> Any:
    if data is UNSET:
        return UNSET
    try:
        value = pointers.value_at(data, pointer)
    except LedgerError:
        return UNSET
    return UNSET if withheld(value) is not None else value
