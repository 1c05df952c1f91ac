"""The one table of the index, by plain sqlite3: reading it must not import anything larger."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ledger.store.location import Ledger, prepare_index

if TYPE_CHECKING:
    import sqlite3

SCHEMA = 3
"""`PRAGMA user_version`: raised with every change to the table, the full text or the views."""
BUSY_MS = 1000
"""The index saves time; waiting longer for it than reading the files takes would not."""
COLUMNS = (
    "path", "stamp", "checksum", "id", "kind", "at", "host", "user", "content", "recorded", "words",
    "slug", "got", "expected", "message", "checked_by",
)  # fmt: skip
_CREATE = """
CREATE TABLE file (
  path TEXT PRIMARY KEY, stamp TEXT, checksum INTEGER,
  id TEXT, kind TEXT, at TEXT, host TEXT, user TEXT, content TEXT, recorded TEXT, words TEXT,
  slug TEXT, got TEXT, expected TEXT, message TEXT, checked_by TEXT
)
"""
# An upsert, because INSERT OR REPLACE would remove the old row without telling the full text.
_PUT = (
    f"INSERT INTO file ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
    f" ON CONFLICT (path) DO UPDATE SET {', '.join(f'{c} = excluded.{c}' for c in COLUMNS[1:])}"
)
_UNUSABLE = {3, 5, 6, 8, 13, 14, 23}
"""Primary result codes of a sound index that cannot be used just now: permission, busy, locked,
read-only, full, cannot open, not authorised (https://sqlite.org/rescode.html)."""


class OutdatedError(Exception):
    """The index was made by another version."""


def connect(ledger: Ledger) -> "sqlite3.Connection":
    """The index, made when it is not there. Raises sqlite3.Error, OSError or OutdatedError."""
    import sqlite3

    prepare_index(ledger)
    connection = sqlite3.connect(ledger.index_path, timeout=BUSY_MS / 1000, isolation_level=None)
    try:
        prepare(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: "sqlite3.Connection") -> None:
    """Make the table in a new database. Raises sqlite3.Error or OutdatedError."""
    version = _version(connection)
    if version == SCHEMA:
        return
    if version != 0:
        raise OutdatedError
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _version(connection) == 0:  # nobody else was quicker
            connection.execute(_CREATE)
            connection.execute("CREATE INDEX file_id ON file (id)")
            connection.execute("CREATE TABLE remembered (day TEXT, version TEXT, files TEXT)")
            connection.execute(
                "CREATE TABLE listed (id TEXT, kind TEXT, status TEXT, headline TEXT, at TEXT)"
            )
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _version(connection: "sqlite3.Connection") -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def put(
    connection: "sqlite3.Connection", rows: list[tuple[Any, ...]], *, gone: list[str] | None = None
) -> None:
    """Store rows and forget files that are gone, in one transaction. Raises sqlite3.Error."""
    connection.execute("PRAGMA synchronous = NORMAL")  # losing the last rows costs reading them
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany("DELETE FROM file WHERE path = ?", [(path,) for path in gone or ()])
        connection.executemany(_PUT, rows)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def is_broken(error: Exception) -> bool:
    """Whether the index itself is at fault, so that making it anew helps."""
    code = getattr(error, "sqlite_errorcode", None)
    return not isinstance(error, OSError) and (code is None or code & 0xFF not in _UNUSABLE)


def discard(ledger: Ledger) -> None:
    """Remove the index. Raises OSError."""
    # The log first: SQLite would otherwise replay it into the index that is made next.
    for suffix in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            ledger.index_path.with_name(ledger.index_path.name + suffix).unlink()
