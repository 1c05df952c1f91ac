"""Reading: lists, search, impact, SQL, and the short text that an agent starts from."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import index, scope
from ledger.codec import encode
from ledger.entry import KINDS, Claim, Entry, Evidence, Scope
from ledger.kinds import PLURALS
from ledger.service import words
from ledger.service.book import Book

if TYPE_CHECKING:
    from ledger.impact import Impact
    from ledger.index import SqlResult


def listing(
    book: Book,
    *,
    kind: str = "claims",
    status: str | None = None,
    about: Scope | None = None,
    tag: str | None = None,
) -> list[str]:
    """Ids of one kind in the order they were recorded, filtered."""
    cls = KINDS[PLURALS[kind]]
    found = [
        (entry.recorded.at, i)
        for i, entry in book.fold.entries.items()
        if type(entry) is cls
        and (status is None or words.status_of(book.fold, i) == status)
        and (not about or scope.matches_filter(_about(book, i, entry), about))
        and (tag is None or tag in getattr(entry, "tags", ()))
    ]
    return [i for _, i in sorted(found)]


def _about(book: Book, entry_id: str, entry: Entry) -> Scope:
    if isinstance(entry, Evidence):
        return book.fold.evidence[entry_id].about
    return entry.about if isinstance(entry, Claim) else {}


def field(book: Book, entry_id: str, name: str) -> Any:
    """One field of a list row; None where the entry has no such thing."""
    entry = book.fold.entries[entry_id]
    if name in _COMPUTED:
        return _COMPUTED[name](book, entry_id)
    if isinstance(entry, Claim) and name in _OF_CLAIMS:
        return _OF_CLAIMS[name](book, entry_id)
    value = encode(entry).get(name)
    if name == "instrument" and isinstance(value, dict):
        return f"{value['name']}@{value['version']}"
    return value


def _author(entry: Entry, part: str) -> str | None:
    author = getattr(entry, "by", None)
    return getattr(author, part) if author else None


_COMPUTED: dict[str, Callable[[Book, str], Any]] = {
    "id": lambda _, i: i,
    "status": lambda book, i: words.status_of(book.fold, i),
    "statement": lambda book, i: words.headline(book.fold, i),
    "headline": lambda book, i: words.headline(book.fold, i),
    "path": lambda book, i: book.path(i),
    "recorded_at": lambda book, i: book.fold.entries[i].recorded.at,
    "about": lambda book, i: _about(book, i, book.fold.entries[i]),
    "by": lambda book, i: _author(book.fold.entries[i], "name"),
    "model": lambda book, i: _author(book.fold.entries[i], "model"),
}
_OF_CLAIMS: dict[str, Callable[[Book, str], Any]] = {
    "expires": lambda book, i: book.fold.claims[i].expires,
    "expects": lambda book, i: words.expectation(book.fold.claim(i)),
}


def search(book: Book, text: str, *, limit: int) -> list[str]:
    """Ids of entries whose text has these words, best first."""
    found = index.search(book.ledger, text, limit=limit)
    return [i for i in found if i in book.fold.entries]


class Split(NamedTuple):
    """What falls with an entry and what survives, of the whole ledger or a part of it."""

    impact: "Impact"
    apart: tuple[str, ...]
    """Claims of the part that stand and never depended on the entry; none for the whole ledger."""


def impact(book: Book, text: str, *, about: Scope | None = None, tag: str | None = None) -> Split:
    """What falls with an entry and what survives; with a scope or tag, among such claims alone."""
    from ledger import impact as effects

    entries, cause = book.fold.entries, book.resolve(text)
    found = effects.impact(entries, cause, as_of=book.as_of, now=book.fold)
    if not about and tag is None:
        return Split(found, ())

    def chosen(claim_id: str) -> bool:
        claim = book.fold.claim(claim_id)
        tagged = tag is None or tag in claim.tags
        return tagged and scope.matches_filter(claim.about, about or {})

    left = tuple(filter(chosen, effects.apart(book.fold, found)))
    return Split(effects.within(found, chosen), left)


def sql(book: Book, query: str) -> "SqlResult":
    """Rows of a read-only query over the index, with the table `status(id, status)` of today."""
    statuses = [(i, words.status_of(book.fold, i)) for i in book.fold.entries]
    return index.sql(book.ledger, query, statuses=statuses)
