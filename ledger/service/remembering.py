"""Letting the index remember a list that has been computed anyway."""

from ledger import clock
from ledger.codec import kind_of
from ledger.fold import Fold
from ledger.index import listed
from ledger.service import words
from ledger.store import Ledger


def remember(ledger: Ledger, fold: Fold, *, fingerprint: str) -> None:
    """Keep every entry's status and headline for `ledger list`, if the fold is today's.

    `fingerprint` is that of exactly the files whose entries were folded.
    """
    if fold.as_of != clock.today():
        return
    rows = [
        listed.Row(
            id=i,
            kind=kind_of(entry),
            status=words.status_of(fold, i),
            headline=words.headline(fold, i),
            at=entry.recorded.at,
        )
        for i, entry in fold.entries.items()
    ]
    listed.remember(ledger, rows, day=fold.as_of, fingerprint=fingerprint)
