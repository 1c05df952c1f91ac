"""What `ledger list` showed last, for as long as no file and no date has changed.

A memory of a computation, not a source: it is used only while the fingerprint of every entry file,
the date and the program's version are those it was computed for, and is computed again otherwise.
Without it, listing 1,000 entries has to import and run the fold, twice the CPU of the rest.
"""

from contextlib import closing
from typing import NamedTuple

from ledger import __version__
from ledger.index import table
from ledger.store.location import Ledger
from ledger.store.scanning import scan


class Row(NamedTuple):
    """One entry of a list."""

    id: str
    kind: str
    status: str
    headline: str
    at: str


class Recalled(NamedTuple):
    """The rows that match, oldest first."""

    rows: list[Row]
    total: int


def recall(
    ledger: Ledger, *, day: str, kind: str, status: str | None, limit: int
) -> Recalled | None:
    """The last `limit` entries of a kind (0 for all); None when the list has to be computed."""
    import sqlite3

    found = scan(ledger)
    if found.problems or not ledger.index_path.exists():
        return None
    key = (day, __version__, found.fingerprint())
    where = "kind = ? AND (? IS NULL OR status = ?)"
    try:
        with closing(table.connect(ledger)) as connection:
            if connection.execute("SELECT * FROM remembered").fetchone() != key:
                return None
            wanted = (kind, status, status)
            count = connection.execute(f"SELECT count(*) FROM listed WHERE {where}", wanted)  # noqa: S608
            total = int(count.fetchone()[0])
            rows = connection.execute(
                f"SELECT * FROM listed WHERE {where} ORDER BY at DESC, id DESC LIMIT ?",  # noqa: S608
                (*wanted, limit or -1),
            ).fetchall()
    except (sqlite3.Error, OSError, table.OutdatedError):
        return None
    return Recalled(rows=[Row(*row) for row in reversed(rows)], total=total)


def remember(ledger: Ledger, rows: list[Row], *, day: str, fingerprint: str) -> None:
    """Keep what was computed; a failing index is no failure."""
    import sqlite3

    try:
        with closing(table.connect(ledger)) as connection:
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DELETE FROM remembered")
            connection.execute("DELETE FROM listed")
            connection.executemany("INSERT INTO listed VALUES (?, ?, ?, ?, ?)", rows)
            connection.execute(
                "INSERT INTO remembered VALUES (?, ?, ?)", (day, __version__, fingerprint)
            )
            connection.execute("COMMIT")
    except (sqlite3.Error, OSError, table.OutdatedError):
        pass  # the next list computes it again
