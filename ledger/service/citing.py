"""What the repository's documents cite."""

import re

from ledger import render
from ledger.errors import LedgerError
from ledger.store import Ledger

_OF_INTEREST = re.compile(rb"\[[kcevsrown]-[0-9a-f]{4}|ledger:", re.IGNORECASE)


def read_all(ledger: Ledger) -> dict[str, bytes]:
    """Markdown files of the repository that cite entries or carry regions, by relative path."""
    found = {}
    for path in render.documents(ledger.root, skip=(ledger.claims,)):
        try:
            source = path.read_bytes()
        except OSError:
            continue
        if _OF_INTEREST.search(source):
            found[path.relative_to(ledger.root).as_posix()] = source
    return found


def cited(source: bytes) -> list[tuple[int, str]]:
    """Line and id (or prefix) of each citation outside generated regions."""
    try:
        spans = [range(r.begin_line, r.end_line + 1) for r in render.find(source)]
    except LedgerError:
        spans = []
    return [
        (citation.line, citation.id_prefix)
        for citation in render.citations(source)
        if not any(citation.line in span for span in spans)
    ]
