"""Rules about artifacts that state what fell, and about the notes beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.entry import Artifact, Note
from ledger.fold import Fold
from ledger.references import fields_of
from ledger.rules.evidence import changed
from ledger.rules.finding import Finding
from ledger.rules.view import View

if TYPE_CHECKING:
    from ledger.provenance.missing import Missing


def note_missing(view: View) -> Iterator[Finding]:
    """A field of an artifact states what does not stand, and no note says so; or its file is gone.

    A note that is recorded needs its files beside the artifact: nobody reads it otherwise.
    """
    for item in unnoted(view.fold):
        path = item.artifact.path
        place = view.facts.fields.get((path, item.pointer))
        yield Finding(
            slug="note-missing",
            level="error",
            subject=item.entry,
            message=f"{path}#{item.pointer} states it and carries no note: {item.reason}",
            got="no note" if item.taken_back is None else f"{item.taken_back} took the note back",
            expected=f"a note beside {path} that says {item.status}",
            fix=_note_fix(item),
            path=path if place else None,
            line=place.line if place else None,
            column=place.column if place else None,
        )
    for file in view.facts.note_files:
        if file.state == "missing":
            yield Finding(
                slug="note-missing",
                level="error",
                subject=file.note,
                message=f"{file.artifact} has a note that is not beside it",
                got=f"no {file.region} in {file.path}",
                expected="the note as JSON and in PROVENANCE-NOTE.md",
                fix="ledger render",
            )


def files(view: View) -> Iterator[Finding]:
    """A file beside a noted artifact is behind the ledger, was edited, or is something else."""
    # What is amiss with a generated region of a document is told once, with the documents.
    told = {(region.path, region.region) for region in view.facts.regions}
    for file in view.facts.note_files:
        if file.state == "missing" or (file.path, file.region) in told:
            continue
        stale = file.state == "stale"
        fix = "ledger render"
        if file.state == "edited":
            fix = (
                "record the change as an entry, then "
                f"ledger render {_quoted(file.path)} --accept-loss, which drops it"
            )
        elif not stale:
            fix = f"move {file.path} away or correct its markers, then ledger render"
        yield Finding(
            slug="region-stale" if stale else "region-edited",
            level="warning" if stale else "error",
            subject=file.path,
            message=f"{file.path}: the note of {file.artifact} is {file.state}",
            got=f"{file.region} {file.state}",
            expected="what the ledger says now",
            fix=fix,
            path=file.path,
            line=file.line,
        )


def artifacts(view: View) -> Iterator[Finding]:
    """An artifact that has a note, or states an entry, is gone or is another file now.

    Each content of a file has its own note: a file is another one where nothing in force names what
    it holds now.
    """
    told = {(a.path, a.sha256) for _, entry in view.live_evidence() for a in entry.artifacts}
    named = list(_named(view))
    known = told | {(item.artifact.path, item.artifact.sha256) for item in named} | _noted(view)
    for item in named:
        artifact = item.artifact
        key = (artifact.path, artifact.sha256)
        if key in told or artifact.path not in view.facts.artifacts:
            continue
        told.add(key)
        now = view.facts.artifacts[artifact.path]
        if now is None or (artifact.path, now) not in known:
            yield changed(artifact, now, subject=item.subject, otherwise=item.otherwise)


def _note_fix(item: "Missing") -> str:
    path = _quoted(item.artifact.path)
    if item.taken_back is None:
        return f"ledger note {path}"
    return (
        f"give it back, ledger retract {item.taken_back} --reason TEXT, or say what holds instead: "
        f"ledger note {path} --wrong {_quoted(item.pointer)} --reason TEXT"
    )


def _quoted(path: str) -> str:
    import shlex

    return shlex.quote(path)


def unnoted(fold: Fold) -> "tuple[Missing, ...]":
    """The fields that state what does not stand and that no note tells of."""
    if not any(fields_of(entry) for entry in fold.entries.values()):
        return ()
    from ledger.provenance.missing import missing  # ledgers without artifact fields start faster

    return missing(fold)


@dataclass(frozen=True, kw_only=True)
class _Named:
    """An artifact as it was when an entry in force named it."""

    subject: str
    artifact: Artifact
    otherwise: str
    """What to do where it cannot be restored."""


def _named(view: View) -> Iterator[_Named]:
    entries = view.fold.entries
    if any(isinstance(entry, Note) for entry in entries.values()):
        from ledger.provenance.notes import notes_of

        for note in notes_of(view.fold).values():
            pointer = note.statements[0].pointer if note.statements else "/POINTER"
            yield _Named(
                subject=note.notes[-1],
                artifact=note.artifact,
                otherwise="say what holds of the new file: ledger note "
                f"{_quoted(note.artifact.path)} --wrong {_quoted(pointer)} --reason TEXT",
            )
    for entry_id, entry in entries.items():
        if fields := fields_of(entry):
            from ledger.provenance.falls import down

            if down(view.fold, entry_id) is None:
                for field in fields:
                    yield _Named(
                        subject=entry_id,
                        artifact=field.artifact,
                        otherwise=f"ledger retract {entry_id} --reason TEXT",
                    )


def _noted(view: View) -> set[tuple[str, str]]:
    """Path and sha256 of every content of which a note is in force."""
    if not any(isinstance(entry, Note) for entry in view.fold.entries.values()):
        return set()
    from ledger.provenance.notes import by_content

    return {*by_content(view.fold)}
