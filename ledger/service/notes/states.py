"""The files beside noted artifacts, for `ledger render` and the audit."""

from collections.abc import Collection, Sequence
from pathlib import Path

from ledger import render
from ledger.errors import LedgerError
from ledger.rules import NoteFileState
from ledger.service.book import Book
from ledger.service.disk import real, shown
from ledger.service.documents.judging import Rendered, State, rendered, unreadable
from ledger.service.notes.files import NoteFiles, sidecar_of
from ledger.service.notes.region import NoteFile, place_of


def refresh(
    book: Book,
    *,
    check: bool,
    accept_loss: bool = False,
    files: Sequence[Path] = (),
    done: Sequence[Rendered] = (),
) -> list[Rendered]:
    """Bring the files beside every noted artifact up to date, or only say how they are.

    With `files`, only those that are among them. What `done` says of a region is not said again.
    No file stops another.
    """
    root, beside = book.ledger.root, NoteFiles(book.fold, book.ledger.root)
    chosen = {real(path) for path in files}
    told = {(item.path, state.region) for item in done for state in item.regions}
    found = []
    for path in beside.noted:
        if chosen and chosen.isdisjoint(_places(root, path)):
            continue
        # Looked at one by one: artifacts of one directory share a document.
        found += [
            _refreshed(root, file, check=check, accept_loss=accept_loss)
            for file in beside.of(path, told=told)
            if not chosen or real(file.path) in chosen
        ]
    return found


def places(book: Book) -> frozenset[Path]:
    """The resolved paths of the files that belong beside noted artifacts, there or not."""
    root = book.ledger.root
    noted = NoteFiles(book.fold, root).noted
    return frozenset(place for path in noted for place in _places(root, path))


def _places(root: Path, path: str) -> tuple[Path, Path]:
    """The resolved paths of the files of one artifact: its sidecar and its document."""
    return real(sidecar_of(root, path)), real(place_of(root, path).path)


def _refreshed(root: Path, file: NoteFile, *, check: bool, accept_loss: bool) -> Rendered:
    name = shown(file.path, root)
    state = _state(name, file, accept_loss=accept_loss)
    if state.state != "stale" or check:
        return rendered(name, (state,))
    try:
        render.replace(file.path, file.wanted)
    except LedgerError as error:
        return unreadable(name, error, region=file.region)
    return rendered(name, (state,), written=True)


def _state(name: str, file: NoteFile, *, accept_loss: bool) -> State:
    """The file's state in the words of a document's regions; one that is not there is behind."""
    match file.state:
        case "current":
            return State(region=file.region, line=file.line, state="current")
        case "edited" if not accept_loss:
            return State(
                region=file.region,
                line=file.line,
                state="edited",
                detail="edited by hand",
                fix=f"record the change as an entry or undo it; ledger render {name} --accept-loss"
                " gives it up",
                diff=file.diff,
            )
        case "foreign" | "malformed":
            refusal = file.refusal
            return State(
                region=file.region,
                line=file.line,
                state="unreadable" if file.state == "foreign" else "malformed",
                detail=refusal.message.removeprefix(f"{name}: ") if refusal else "",
                fix=refusal.fix if refusal else "",
            )
        case _:
            return State(
                region=file.region,
                line=file.line,
                state="stale",
                detail=f"the note of {file.artifact} is {file.state}",
                fix="ledger render",
            )


def troubles(book: Book, *, told: Collection[tuple[str, str]]) -> tuple[NoteFileState, ...]:
    """The files beside noted artifacts that are not current, without the regions in `told`."""
    beside = NoteFiles(book.fold, book.ledger.root)
    return tuple(
        NoteFileState(
            artifact=path,
            note=beside.noted[path].id,
            path=shown(file.path, book.ledger.root),
            line=file.line,
            region=file.region,
            state=file.state,
        )
        for path in beside.noted
        for file in beside.of(path, told=told)
        if file.state != "current"
    )
