"""Bringing generated regions up to date, and saying which are not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from ledger import render
from ledger.entry import Note
from ledger.errors import LedgerError
from ledger.service import disk
from ledger.service.book import Book
from ledger.service.documents import citing
from ledger.service.documents.bodies import Bodies
from ledger.service.documents.judging import (
    CITATIONS,
    MARKERS,
    Rendered,
    State,
    malformed,
    rendered,
    state_of,
    unreadable,
)
from ledger.wording import counted

_MARKED = b"ledger:"


@dataclass(frozen=True, kw_only=True)
class Insertion:
    """A region to put into a document."""

    view: str
    after: str
    """Text of the heading that it comes under."""
    id: str
    options: Mapping[str, str] = field(default_factory=dict)
    """As they are typed; spaces and the like are encoded."""

    def into(self, source: bytes) -> bytes:
        """The document with the region, still empty."""
        options = {key: render.encoded(value) for key, value in self.options.items()}
        return render.insert(source, self.view, self.id, options, after=self.after)


def render_files(
    book: Book,
    files: Sequence[Path],
    *,
    check: bool,
    accept_loss: bool = False,
    cite: bool = False,
    insertion: Insertion | None = None,
) -> list[Rendered]:
    """Bring the regions of these files up to date; without files, of every document.

    Each file is judged and written on its own, in one step, and none stops another. A file with
    broken markers, or with a region that was edited by hand, stays as it is. A region with an
    option that cannot be followed stays, and the others of its file are brought up to date. With
    `cite`, the status beside each citation is kept too. Raises LedgerError "bad-input", only for an
    insertion that cannot be made.
    """
    root, bodies = book.ledger.root, Bodies(book)
    paths = files or render.documents(root, skip=(book.ledger.claims,))
    notes = insertion is None and any(isinstance(entry, Note) for entry in book.entries.values())
    beside = _note_places(book) if notes and files else frozenset()
    done = []
    for path in dict.fromkeys(paths):
        name = disk.shown(path, root)
        if disk.real(path) in beside and not _is_document(path):
            continue
        try:
            source = read_document(path)
        except LedgerError as error:
            done.append(unreadable(name, error, path=path))
            continue
        if not files and not cite and _MARKED not in source:
            continue
        job = _Job(
            name=name,
            path=path,
            source=source,
            bodies=bodies,
            as_of=None if check else book.as_of,
            cited=partial(citing.with_statuses, book.fold) if cite else None,
        )
        found = _render(job, accept_loss=accept_loss, insertion=insertion)
        # Of all documents, only those with regions are of interest.
        if (files and disk.real(path) not in beside) or found.state != "missing":
            done.append(found)
    if notes:
        from ledger.service.notes import states

        done += states.refresh(book, check=check, accept_loss=accept_loss, files=files, done=done)
    return done


def _note_places(book: Book) -> frozenset[Path]:
    from ledger.service.notes import states

    return states.places(book)


def _is_document(path: Path) -> bool:
    return path.suffix.lower() in render.SUFFIXES and path.is_file()


@dataclass(frozen=True, kw_only=True)
class _Job:
    name: str
    path: Path
    source: bytes
    bodies: Bodies
    as_of: str | None
    """The date that dated regions are brought to; None to look only."""
    cited: Callable[[bytes], bytes] | None
    """Puts the statuses beside the citations of a document; None where they stay."""


def _render(job: _Job, *, accept_loss: bool, insertion: Insertion | None) -> Rendered:
    try:
        source = _inserted(job, insertion) if insertion is not None else job.source
        judged = render.judge(source, job.bodies.of, options_of=_options(job.as_of))
    except render.MarkerError as error:
        return rendered(job.name, (malformed(MARKERS, error),))
    if insertion is not None:
        _check_options(job, insertion, judged)
    states = tuple(state_of(job.name, item, accept_loss=accept_loss) for item in judged)
    if job.cited is not None:
        states += _citations(job.name, source, job.cited(source))
    if not states:
        return rendered(job.name, (_missing(job.name),))
    written = False
    if job.as_of is not None and all(state.state != "edited" for state in states):
        new = render.renew(source, judged, accept_loss=accept_loss) if judged else source
        new = job.cited(new) if job.cited is not None else new
        written = new != job.source
        if written:
            try:
                render.replace(job.path, new)
            except LedgerError as error:
                return unreadable(job.name, error)
    return rendered(job.name, states, written=written)


def _inserted(job: _Job, insertion: Insertion) -> bytes:
    """The document with a new region. Raises LedgerError "bad-input" where it cannot be made."""
    try:
        return insertion.into(job.source)
    except render.MarkerError:
        raise
    except LedgerError as error:
        # A heading that is not found is no entry that is not found: 4 says "edited by hand" here.
        message = f"{job.name}: {error.message}"
        raise LedgerError("bad-input", message, fix=error.fix) from None


def _check_options(job: _Job, insertion: Insertion, judged: Sequence[render.Judged]) -> None:
    """Raise LedgerError for a new region that cannot be generated as its options say."""
    for item in judged:
        made = (item.region.view, item.region.id) == (insertion.view, insertion.id)
        if made and item.error is not None:
            message = f"{job.name}: the region cannot be made: {item.error.what}"
            raise LedgerError("bad-input", message, fix=item.error.fix)


def _options(as_of: str | None) -> Callable[[render.Region], Mapping[str, str]]:
    """What a begin marker should carry: a dated one the day it is rendered on."""

    def options_of(region: render.Region) -> Mapping[str, str]:
        if as_of is not None and render.VIEWS[region.view].dated:
            return {**region.options, render.AS_OF: as_of}
        return region.options

    return options_of


def _citations(name: str, source: bytes, cited: bytes) -> tuple[State, ...]:
    """How the statuses beside a document's citations were found; nothing where there are none."""
    lines = zip(source.split(b"\n"), cited.split(b"\n"), strict=True)
    behind = [number for number, (old, new) in enumerate(lines, 1) if old != new]
    if not behind:
        return ()
    return (
        State(
            region=CITATIONS,
            line=behind[0],
            state="stale",
            detail="the status beside a citation is not the present one in "
            f"{counted(len(behind), 'line')}",
            fix=f"ledger render {name} --cite",
        ),
    )


def _missing(name: str) -> State:
    if Path(name).suffix.lower() not in render.SUFFIXES:
        return State(
            region="file",
            line=1,
            state="missing",
            detail="not a Markdown document, and no generated region is in it",
            fix="name a Markdown file, or a file that ledger note wrote beside an artifact",
        )
    return State(
        region="file",
        line=1,
        state="missing",
        detail="no generated region is in it",
        fix=f"ledger render {name} --insert superseded --after HEADING, or ledger adopt",
    )


def read_document(path: Path) -> bytes:
    """A document's bytes. Raises LedgerError where it is no file or cannot be read."""
    if not path.is_file():
        raise LedgerError("bad-input", f"{path}: there is no such file", fix="name a Markdown file")
    return disk.read(path)
