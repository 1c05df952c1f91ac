"""Finding withdrawn figures, and measured ones without a date, in the files of the repository."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.service.book import Book
from ledger.service.searching import DOCUMENTS, Files

if TYPE_CHECKING:
    from ledger.figures.stale import Stale, Stated, Undated


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where withdrawn figures stand."""

    claims: int = 0
    """Superseded and refuted claims with a figure of their own."""
    figures: int = 0
    found: "tuple[Stale, ...]" = ()
    """By path, line and column."""
    warnings: tuple[str, ...] = ()


def places(book: Book) -> Places:
    """Where figures of superseded and refuted claims stand outside entries and generated parts.

    Without such a figure, no file is read and git is not run.
    """
    if not any(state.status in {"superseded", "refuted"} for state in book.fold.claims.values()):
        return Places()
    from ledger.figures import withdrawn as figures
    from ledger.figures.stale import Search, Stated

    sought = figures.withdrawn(book.fold)
    if not sought:
        return Places()
    search = Search(sought)
    files = Files(book)
    hit = list(files.stating([item.figure for item in sought], search.matcher))
    # Only now: every claim that stands has to be looked at for this.
    stated = _stated(book) if hit else Stated((), {})
    return Places(
        claims=len({item.claim for item in sought}),
        figures=len({item.figure for item in sought}),
        found=tuple(
            place
            for file in hit
            for place in search.find(file.path, file.lines, file.numbers, stated=stated)
        ),
        warnings=tuple(files.warnings),
    )


def _stated(book: Book) -> "Stated":
    from ledger.figures import withdrawn as figures
    from ledger.figures.stale import Stated
    from ledger.provenance.notes import notes_of

    return Stated(
        figures.standing(book.fold), figures.answers(book.fold), notes_of(book.fold).keys()
    )


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search for figures found."""

    stale: Places
    undated: "tuple[Undated, ...]"
    """Measured figures of documents that stand on their subject without a date or a citation; none
    of them in a place that is stale by a strong sign."""


def find(book: Book) -> Found:
    """Search the files for withdrawn figures, and the documents for measured ones without a date.

    Both searches at once: while git looks for the one, the other is judged.
    """
    from concurrent.futures import ThreadPoolExecutor

    book.fold  # noqa: B018 - computed before there are two threads to compute it
    with ThreadPoolExecutor(max_workers=1) as pool:
        advice = pool.submit(_undated, book)
        stale = places(book)
        taken = {_spot(item) for item in stale.found if item.strong}
        kept = tuple(item for item in advice.result() if _spot(item) not in taken)
    return Found(stale=stale, undated=kept)


def _undated(book: Book) -> "list[Undated]":
    from ledger.figures import withdrawn as figures
    from ledger.figures.stale import Dating

    sought = figures.measured(book.fold)
    if not sought:
        return []
    dating = Dating(sought)
    hit = Files(book).stating([m.figure for m in sought], dating.matcher, only=DOCUMENTS)
    return [item for file in hit for item in dating.find(file.path, file.lines, file.numbers)]


def _spot(item: "Stale | Undated") -> tuple[str, int, int]:
    return item.place.path, item.place.line, item.place.column
