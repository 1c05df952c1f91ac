"""Verifying the ledger itself: every file read and hashed again, history, leftovers."""

from dataclasses import dataclass
from pathlib import Path

from ledger import clock, gitio, index, rules, store
from ledger.rules import Finding, View, integrity
from ledger.service.auditing import damage
from ledger.service.book import Book
from ledger.store.scanning import named_id


@dataclass(frozen=True, kw_only=True)
class Verified:
    """What a full check found."""

    entries: int
    findings: tuple[Finding, ...]
    leftovers: tuple[str, ...]
    swept: bool
    young: tuple[str, ...]
    """Temporary files younger than an hour: perhaps of a writer at work, so they are kept."""
    history: str
    """`checked`, or why it could not be."""


def verify(directory: Path, *, fix: bool) -> Verified:
    """Read and hash every file, compare with git's history, rebuild the index.

    With `fix`, files left by interrupted writes are removed. Entries are never changed.
    """
    ledger = store.find(directory)
    loaded = index.rebuild(ledger)
    book = Book(
        ledger=ledger,
        loaded=loaded,
        as_of=clock.today(),
        entries=loaded.entries,
    )
    view = View(fold=book.fold, facts=rules.Facts(damage=damage(book)))
    findings = [*integrity.damage(view), *integrity.dangling(view)]
    rewritten = gitio.rewritten(ledger.root, ledger.claims)
    findings += [
        Finding(
            slug="history-rewritten",
            level="error",
            subject=item.path,
            message=f"a committed entry was {item.what}",
            got=f"{item.what} in {item.commit or 'the working tree'}",
            expected="entries that are never edited, renamed or deleted",
            fix=f"git checkout {item.commit + '~ ' if item.commit else ''}-- {item.path}",
            path=item.path,
        )
        for item in rewritten or ()
        # Content decides: an entry that is there and derives its id is whole, whatever happened.
        if named_id(item.path.rsplit("/", 1)[-1]) not in loaded.entries
    ]
    left = store.sweep(ledger) if fix else store.leftovers(ledger)
    young = set(store.leftovers(ledger, everything=True)) - set(left)
    return Verified(
        entries=len(loaded.entries),
        findings=tuple(findings),
        leftovers=tuple(path.relative_to(ledger.root).as_posix() for path in left),
        swept=fix,
        young=tuple(sorted(path.relative_to(ledger.root).as_posix() for path in young)),
        history="checked" if rewritten is not None else "not checked: git could not be asked",
    )
