"""Searching the ledger's texts, and asking it in SQL."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ledger.errors import LedgerError
from ledger.index import rows, table
from ledger.index.refresh import refreshed
from ledger.index.views import complete
from ledger.store import Ledger, Loaded, Problem, Stored

if TYPE_CHECKING:
    import sqlite3

T = TypeVar("T")
SECONDS = 30.0
"""How long one query may run."""
_WORDS = 32
_DAMAGED = {11, 26}
"""Primary result codes SQLITE_CORRUPT and SQLITE_NOTADB."""
_PRAGMAS = {"data_version", "function_list", "index_info", "index_list", "table_info"} | {
    "table_list",
    "table_xinfo",
}
_VIRTUAL = ("file_fts", "json_each('[]')", "json_tree('[]')")
"""Opened before the authorizer is set, which would take their first use for CREATE TABLE."""
_SEARCH = """
SELECT file.id FROM file_fts JOIN file ON file.rowid = file_fts.rowid
WHERE file_fts MATCH ? AND file.id IS NOT NULL ORDER BY bm25(file_fts), file.at DESC, file.id
"""


class SqlResult(Struct, frozen=True, kw_only=True):
    """The answer to a query; values are text, int, float, bytes or None."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def search(ledger: Ledger, text: str, *, limit: int = 20) -> list[str]:
    """Ids of entries that hold every word of `text`, the last one possibly cut short; best first.

    The text is words, never query syntax; beyond the first 32 they are ignored. At most `limit`
    ids. Raises LedgerError `damaged` when claims/ itself cannot be listed.
    """
    expression = _expression(text)
    if not expression:
        return []

    def question(connection: "sqlite3.Connection") -> list[str]:
        found: dict[str, None] = {}
        for (entry_id,) in connection.execute(_SEARCH, (expression,)):
            if len(found) >= limit:
                break
            found[entry_id] = None
        return list(found)

    return _ask(ledger, question)


def _expression(text: str) -> str:
    """An FTS5 expression that is only quoted words (https://sqlite.org/fts5.html#fts5_strings)."""
    plain = text.encode("utf-8", "replace").decode().replace("\0", " ")
    words = [word for word in plain.split() if any(map(str.isalnum, word))][:_WORDS]
    quoted = ['"' + word.replace('"', '""') + '"' for word in words]
    return f"{' '.join(quoted)}*" if quoted else ""


def sql(ledger: Ledger, query: str, *, statuses: Iterable[tuple[str, str]] = ()) -> SqlResult:
    """The answer to one SELECT over the index; nothing can be changed through it.

    `statuses` (id, status) become the table `status`. All rows are returned: limit them in the
    query. Raises LedgerError `bad-input` with SQLite's message, `damaged` as `search` does.
    """
    pairs = list(statuses)

    def question(connection: "sqlite3.Connection") -> SqlResult:
        guarded = _read_only(connection)
        try:
            _guard(guarded, pairs)
            return _run(guarded, query)
        finally:
            if guarded is not connection:
                guarded.close()

    return _ask(ledger, question)


def _ask(ledger: Ledger, question: "Callable[[sqlite3.Connection], T]") -> T:
    """Ask the index, or a copy of it in memory where the file cannot be used."""
    import sqlite3

    answer = refreshed(ledger)
    if answer.current:
        try:
            with closing(table.connect(ledger)) as connection:
                complete(connection)
                return question(connection)
        except (sqlite3.Error, OSError, table.OutdatedError):
            pass  # the copy answers
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _fill(connection, answer.loaded)
        complete(connection)
        return question(connection)


def _fill(connection: "sqlite3.Connection", loaded: Loaded) -> None:
    entries = [Stored(id=i, path=loaded.paths[i], entry=e) for i, e in loaded.entries.items()]
    taken = set(loaded.paths.values())
    problems = [problem for problem in loaded.problems if problem.path not in taken]
    table.prepare(connection)
    everything: list[Stored | Problem] = [*entries, *problems]
    table.put(connection, [rows.row(item, "") for item in everything])


def _read_only(connection: "sqlite3.Connection") -> "sqlite3.Connection":
    import sqlite3

    file = connection.execute("PRAGMA database_list").fetchone()[2]
    if not file:
        return connection
    uri = f"{Path(file).as_uri()}?mode=ro"
    return sqlite3.connect(uri, uri=True, timeout=table.BUSY_MS / 1000, isolation_level=None)


def _guard(connection: "sqlite3.Connection", statuses: list[tuple[str, str]]) -> None:
    import sqlite3

    allowed = {
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
    }

    def authorize(action: int, name: str | None, *_: str | None) -> int:
        if action in allowed or (action == sqlite3.SQLITE_PRAGMA and name in _PRAGMAS):
            return sqlite3.SQLITE_OK
        return sqlite3.SQLITE_DENY

    connection.execute("CREATE TEMP TABLE status (id TEXT PRIMARY KEY, status TEXT)")
    connection.executemany("INSERT OR REPLACE INTO status VALUES (?, ?)", statuses)
    for virtual in _VIRTUAL:
        connection.execute(f"SELECT 1 FROM {virtual} LIMIT 0").fetchall()  # noqa: S608 - constants
    connection.execute("PRAGMA query_only = ON")
    connection.set_authorizer(authorize)
    deadline = time.monotonic() + SECONDS
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 100_000)


def _run(connection: "sqlite3.Connection", query: str) -> SqlResult:
    import sqlite3

    try:
        cursor = connection.execute(query)
        rows = cursor.fetchall()
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _DAMAGED:
            raise
        reason = f"took longer than {SECONDS:g} s" if code == sqlite3.SQLITE_INTERRUPT else error
        fix = "Write one SELECT; ledger sql 'SELECT name, sql FROM sqlite_master' shows the tables."
        raise LedgerError("bad-input", f"SQL: {reason}", fix=fix) from None
    if cursor.description is None:
        raise LedgerError("bad-input", "SQL: not a query", fix="Write one SELECT statement.")
    return SqlResult(columns=tuple(column[0] for column in cursor.description), rows=rows)
