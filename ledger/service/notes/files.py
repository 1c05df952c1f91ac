"""The files beside noted artifacts: a sidecar for programs, PROVENANCE-NOTE.md for readers."""

import difflib
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ledger import canonical, render
from ledger.entry import Note
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.kinds import SIDECAR_SUFFIX
from ledger.provenance import sidecar
from ledger.provenance.notes import ArtifactNote, by_content, notes_of
from ledger.service.disk import bytes_of, shown
from ledger.service.notes.region import NoteFile, edited, file_of, place_of

_DIGEST = "content_sha256"
"""The sidecar's last key, over all the others: a change by hand is noticed."""


class LastNote(NamedTuple):
    """A note entry with its id."""

    id: str
    note: Note


@dataclass(frozen=True)
class NoteFiles:
    """The files that a ledger wants beside artifacts."""

    fold: Fold
    root: Path

    @cached_property
    def noted(self) -> Mapping[str, LastNote]:
        """By artifact's path, the last note that was ever recorded for it."""
        notes = [LastNote(i, e) for i, e in self.fold.entries.items() if isinstance(e, Note)]
        notes.sort(key=lambda last: (last.note.recorded.at, last.id))
        return {last.note.artifact.path: last for last in notes}

    @cached_property
    def _in_force(self) -> Mapping[str, ArtifactNote]:
        return notes_of(self.fold)

    @cached_property
    def _by_content(self) -> Mapping[tuple[str, str], ArtifactNote]:
        return by_content(self.fold)

    def of(self, path: str, *, told: Collection[tuple[str, str]] = ()) -> tuple[NoteFile, ...]:
        """The files beside one artifact; none where its directory is gone.

        Files that are not there are not wanted once every note on the artifact was taken back. A
        document whose region, or whose broken markers, are in `told` is left out: it was looked at.
        """
        artifact = self.root / path
        if not artifact.parent.is_dir():
            return ()
        files = [self._sidecar(path)]
        place, region = place_of(self.root, path)
        document = shown(place, self.root)
        if (document, region) not in told and (document, "markers") not in told:
            files.append(file_of(self.fold, self.root, path))
        wanted = path in self._in_force
        return tuple(file for file in files if wanted or file.state != "missing")

    def check(self, path: str, *, accept_loss: bool) -> None:
        """Raise LedgerError where a file beside the artifact is not to be written."""
        for file in self.of(path):
            file.allow(accept_loss=accept_loss)

    def write(self, path: str, *, accept_loss: bool = False, dry_run: bool = False) -> list[str]:
        """Bring the files beside an artifact up to date; the paths of those that were behind.

        Each is replaced in one step. Raises LedgerError, before the first is written, where one is
        not to be written, and where the system refuses.
        """
        files = [file for file in self.of(path) if file.state != "current"]
        for file in files:
            file.allow(accept_loss=accept_loss)
        for file in files if not dry_run else ():
            render.replace(file.path, file.wanted)
        return [shown(file.path, self.root) for file in files]

    def _sidecar(self, path: str) -> NoteFile:
        place, source = sidecar_of(self.root, path), bytes_of(self.root / path)
        data = sidecar.sidecar(self.fold, self._note(path, source), source=source)
        wanted = sidecar.to_bytes({**data, _DIGEST: _digest(data)})
        file = NoteFile(path=place, artifact=path, region="sidecar", wanted=wanted)
        return _judged(file, self.root)

    def _note(self, path: str, source: bytes | None) -> ArtifactNote:
        """The note on what is there now, else the latest, else the last one, saying nothing."""
        here = None
        if source is not None:
            here = self._by_content.get((path, canonical.sha256(source)))
        found = here or self._in_force.get(path)
        if found is not None:
            return found
        note_id, note = self.noted[path]
        return ArtifactNote(
            artifact=note.artifact,
            notes=(note_id,),
            version=1,
            date=note.recorded.at[:10],
            by=note.by,
            statements=(),
        )


def sidecar_of(root: Path, path: str) -> Path:
    """The sidecar's place beside an artifact."""
    artifact = root / path
    return artifact.with_name(artifact.name + SIDECAR_SUFFIX)


def _judged(file: NoteFile, root: Path) -> NoteFile:
    """The sidecar as it is beside what it is to hold."""
    source = bytes_of(file.path)
    if source == file.wanted:
        return replace(file, state="current")
    if source is None and not os.path.lexists(file.path):
        return file
    found = _parsed(source)
    if found is None:
        refusal = LedgerError(
            "refused",
            f"{shown(file.path, root)} is there and was not written by ledger",
            fix="move that file away: the artifact's note belongs in its place",
        )
        return replace(file, state="foreign", refusal=refusal)
    if found.pop(_DIGEST, None) != _digest(found):
        lines = difflib.unified_diff(
            (source or b"").decode("utf-8", "replace").splitlines(),
            file.wanted.decode().splitlines(),
            "as edited",
            "as generated",
            lineterm="",
        )
        return edited(file, root, "\n".join(lines))
    return replace(file, state="stale")


def _digest(data: Mapping[str, Any]) -> str:
    return canonical.sha256(canonical.canonical(data))


def _parsed(source: bytes | None) -> dict[str, Any] | None:
    """What a sidecar says; None for a file that is none."""
    try:
        data = canonical.parse(source or b"")
    except ValueError:
        return None
    ours = isinstance(data, dict) and str(data.get("schema")).startswith("provenance-note/")
    return data if ours else None
