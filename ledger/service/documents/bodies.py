"""What the ledger says now in a region: every distinct body is computed once in a run."""

from ledger import render
from ledger.service.book import Book
from ledger.service.disk import bytes_of

_Key = tuple[str, tuple[tuple[str, str], ...], str | None]


class Bodies:
    """The bodies of regions, from one folded ledger and the artifacts beside it."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._made: dict[_Key, render.Generated] = {}
        self._files: dict[str, bytes | None] = {}

    def of(self, region: render.Region) -> render.Generated:
        """What belongs into a region. Raises LedgerError for an option that cannot be followed."""
        view = render.VIEWS[region.view]
        request = render.Request(
            fold=self._book.fold, id=region.id, options=region.options, read=self._read
        )
        own = region.id if view.id_matters(request) else None
        key = (view.name, tuple(sorted(region.options.items())), own)
        if key not in self._made:
            self._made[key] = render.generated(view.body(request))
        return self._made[key]

    def _read(self, path: str) -> bytes | None:
        if path not in self._files:
            self._files[path] = bytes_of(self._book.ledger.root / path)
        return self._files[path]
