"""Loading through the index, reading only the files that have changed."""

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from msgspec import UNSET, Struct, json

from ledger import __version__, canonical
from ledger.codec import decode
from ledger.entry import Entry, Note, Supersession
from ledger.index import rows, table
from ledger.store import (
    Ledger,
    Loaded,
    Problem,
    Scan,
    Stored,
    collect,
    read_file,
    scan,
    stamp_of,
)

if TYPE_CHECKING:
    import sqlite3

    from ledger.store import Written

_ALTERED = (ValueError, TypeError, LookupError, AttributeError)
"""What decoding a row raises that this program has not written."""
_SELECT = (
    "SELECT path, stamp, checksum, id, content, recorded, slug, got, expected, message, checked_by"
    " FROM file ORDER BY at, path"
)


class _Kept(Struct, frozen=True, kw_only=True):
    """What the index answers for, and what it does not."""

    read: list[Stored | Problem]
    changed: list[str]
    gone: list[str]


class Refreshed(Struct, frozen=True, kw_only=True):
    """What a load found."""

    loaded: Loaded
    current: bool
    """Whether the index now holds the same."""


def load(ledger: Ledger) -> Loaded:
    """Everything in the ledger, reading only files that changed since the last load.

    The index is made, mended or done without as needed; that never shows in the answer. Raises
    LedgerError `damaged` when claims/ itself cannot be listed.
    """
    return refreshed(ledger).loaded


def refreshed(ledger: Ledger) -> Refreshed:
    """As `load`, and whether the index kept up."""
    import sqlite3

    found = scan(ledger)
    for _ in range(2):
        try:
            return _through_index(ledger, found)
        except (sqlite3.Error, OSError, table.OutdatedError, *_ALTERED) as error:
            if not table.is_broken(error) or not _discarded(ledger):
                break
    read = [read_file(ledger.root / path, relative=path) for path in found.files]
    return Refreshed(loaded=collect(read, found), current=False)


def rebuild(ledger: Ledger) -> Loaded:
    """Everything in the ledger, with every file read and hashed again, and the index made anew.

    Raises LedgerError `damaged` when claims/ itself cannot be listed.
    """
    import sqlite3

    found = scan(ledger)
    read = [read_file(ledger.root / path, relative=path) for path in found.files]
    if _discarded(ledger):
        try:
            with closing(table.connect(ledger)) as connection:
                table.put(connection, _rows(read, found))
        except (sqlite3.Error, OSError, table.OutdatedError):
            pass  # the answer comes from the files; the next load tries again
    return collect(read, found)


def record(ledger: Ledger, entry: Entry) -> "Written":
    """`store.write`, and tell the index, so that the next load need not read the new file.

    Raises what `store.write` raises; a failing index is no failure.
    """
    from ledger.store import write

    written = write(ledger, entry)
    _tell(ledger, [(written, entry)])
    return written


def record_all(ledger: Ledger, entries: Sequence[Entry]) -> "tuple[Written, ...]":
    """`store.write_all`, and tell the index of all of them at once, as `record` does of one."""
    from ledger.store import write_all

    written = write_all(ledger, entries)
    _tell(ledger, list(zip(written, entries, strict=True)))
    return written


def _tell(ledger: Ledger, recorded: "list[tuple[Written, Entry]]") -> None:
    import sqlite3

    new = [(written, entry) for written, entry in recorded if written.new]
    if not new or not ledger.index_path.exists():
        return
    try:
        put = [
            rows.row(
                Stored(id=written.id, path=written.path, entry=entry),
                stamp_of((ledger.root / written.path).lstat()),
            )
            for written, entry in new
        ]
        with closing(table.connect(ledger)) as connection:
            table.put(connection, put)
    except (sqlite3.Error, OSError, table.OutdatedError):
        pass  # the next load reads the files


def _discarded(ledger: Ledger) -> bool:
    try:
        table.discard(ledger)
    except OSError:
        return False
    return True


def _rows(read: list[Stored | Problem], found: Scan) -> list[tuple[Any, ...]]:
    return [
        rows.row(item, found.files[item.path])
        for item in read
        if isinstance(item, Stored) or item.lasting
    ]


def _through_index(ledger: Ledger, found: Scan) -> Refreshed:
    import sqlite3

    current = True
    with closing(table.connect(ledger)) as connection:
        kept = _kept(connection, found)
        fresh = [read_file(ledger.root / path, relative=path) for path in kept.changed]
        new = _rows(fresh, found)
        if new or kept.gone:
            try:
                table.put(connection, new, gone=kept.gone)
            except sqlite3.Error as error:
                if table.is_broken(error):
                    raise
                current = False
    return Refreshed(loaded=collect([*kept.read, *fresh], found), current=current)


def _kept(connection: "sqlite3.Connection", found: Scan) -> _Kept:
    """Raises sqlite3.Error, or ValueError for rows that this program has not written."""
    files = dict(found.files)
    gone: list[str] = []
    current: list[tuple[Any, ...]] = []
    problems: list[Stored | Problem] = []
    for row in connection.execute(_SELECT):
        path, stamp, _, entry_id, *_ = row
        if path not in files:
            gone.append(path)
        elif files[path] != stamp:
            pass
        elif entry_id is not None:
            current.append(row)
            del files[path]
        elif row[10] == __version__:  # another version may find nothing wrong
            problems.append(_problem(row))
            del files[path]
    return _Kept(read=[*_decoded(current), *problems], changed=list(files), gone=gone)


def _problem(row: tuple[Any, ...]) -> Problem:
    slug, got, expected, message = row[6:10]
    return Problem(slug=slug, path=row[0], got=got, expected=expected, message=message)


def _decoded(kept: list[tuple[Any, ...]]) -> list[Stored]:
    """The entries in the rows, decoded at once: 1,000 cost 2 ms so, 9 when built in Python."""
    if any(rows.checksum(row[4], row[5]) != row[2] for row in kept):
        raise ValueError("the index was altered")
    texts = ",".join([f'{row[4][:-1]},"recorded":{row[5]}}}' for row in kept])
    entries = json.Decoder(list[Entry]).decode(f"[{texts}]")
    return [
        Stored(
            id=row[3],
            path=row[0],
            entry=_as_written(row, entry),
            misplaced=_problem(row) if row[6] else None,
        )
        for row, entry in zip(kept, entries, strict=True)
    ]


def _as_written(row: tuple[Any, ...], entry: Entry) -> Entry:
    """The entry with its numbers as they were written, values copied from an artifact included."""
    copied = isinstance(entry, Note) or (
        isinstance(entry, Supersession) and entry.actual is not UNSET
    )
    if copied:
        return decode({**canonical.parse(row[4]), "recorded": canonical.parse(row[5])})
    return rows.as_written(row[4], row[5]) or entry
