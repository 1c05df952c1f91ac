"""What the repository's documents cite."""

import re
from collections.abc import Callable

from ledger import render
from ledger.fold import Fold
from ledger.render import markdown
from ledger.service import disk
from ledger.service.words import status_of
from ledger.store import Ledger

_OF_INTEREST = re.compile(rb"\[[kcevsrown]-[0-9a-f]{4}|ledger:", re.IGNORECASE)


def read_all(ledger: Ledger) -> dict[str, bytes]:
    """Markdown files of the repository that cite entries or carry regions, by relative path."""
    found = {}
    for path in render.documents(ledger.root, skip=(ledger.claims,)):
        source = disk.bytes_of(path)
        if source is not None and _OF_INTEREST.search(source):
            found[path.relative_to(ledger.root).as_posix()] = source
    return found


def cited(source: bytes) -> list[render.Citation]:
    """The citations outside generated regions."""
    return list(render.citations(_without_bodies(source)))


def with_statuses(fold: Fold, source: bytes) -> bytes:
    """The document with the present status beside each citation outside generated regions.

    A measurement has one only when it was retracted; a citation that is unknown or ambiguous stays
    as it is.
    """
    lines = {line for span in render.generated_lines(source) for line in span}
    resolve = resolver(fold)

    def status(citation: render.Citation) -> str | None:
        found = resolve(citation.id_prefix)
        word = status_of(fold, found[0]) if len(found) == 1 else None
        return "" if word == "live" else word

    return render.beside(source, status, generated=lines)


def resolver(fold: Fold) -> Callable[[str], tuple[str, ...]]:
    """Ids a citation may mean, by its prefix."""
    by_start: dict[str, list[str]] = {}
    for i in fold.entries:
        by_start.setdefault(i[:6], []).append(i)
    return lambda text: tuple(i for i in by_start.get(text[:6], ()) if i.startswith(text))


def _without_bodies(source: bytes) -> bytes:
    """The document with its generated lines empty: they are most of it, and need no parsing."""
    lines = list(markdown.split_lines(source))
    for span in render.generated_lines(source):
        # The begin marker stays: it ends a list or paragraph above it.
        for number in span[1:]:
            # A space, so that the end of a line never joins that of the line before.
            lines[number - 1] = b" " + markdown.eol_of(lines[number - 1])
    return b"".join(lines)
