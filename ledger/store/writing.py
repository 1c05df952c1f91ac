"""Writing entries, once each, and clearing away what interrupted writers left."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ledger.codec import content, encode, from_file, id_of, kind_of, to_file
from ledger.entry import Entry
from ledger.errors import LedgerError
from ledger.intake import check
from ledger.kinds import ID_DIGITS
from ledger.store.location import Ledger
from ledger.store.placing import TEMPORARY, place, sync_directory, unwritable
from ledger.store.reading import FILE_LIMIT, path_of, read_bytes
from ledger.store.scanning import is_entry_name

_OLD_S = 3600.0
_WRITERS = 8
"""Files synced at a time: file systems put syncs that wait together on disk together."""
_ID_IN_NAME = slice(-len("c-.json") - ID_DIGITS, -len(".json"))


class Written(Struct, frozen=True, kw_only=True):
    """The answer to a recording."""

    id: str
    path: str
    """Relative to the ledger's root."""
    new: bool
    """False when the entry was already there."""


class _Prepared(Struct, frozen=True, kw_only=True):
    """An entry that may be written."""

    id: str
    relative: str
    data: dict[str, Any]
    payload: bytes


def write(ledger: Ledger, entry: Entry) -> Written:
    """Record an entry; on return it is on disk. Recording it again changes nothing.

    Raises LedgerError `bad-input` for an entry that could not be read back, `unavailable` when the
    system refuses (nothing is left behind), `damaged` when the id is taken by other content.
    """
    prepared = _prepared(entry)
    taken = _files_named(ledger, frozenset({prepared.id}))
    return _written(ledger, prepared, taken.get(prepared.id, ()), synced=True)


def write_all(ledger: Ledger, entries: Sequence[Entry]) -> tuple[Written, ...]:
    """Record many entries; on return all are on disk. The answers are in their order.

    As `write` for each, but the ledger is listed and its directories are synced only once, and
    several wait for the disk at a time. Nothing is written unless every entry could be; after an
    error of the system, repeating is safe.
    """
    from concurrent.futures import ThreadPoolExecutor

    prepared = [_prepared(entry) for entry in entries]
    once = {item.id: item for item in prepared}
    taken = _files_named(ledger, frozenset(once))
    with ThreadPoolExecutor(_WRITERS) as pool:
        written = pool.map(
            lambda item: _written(ledger, item, taken.get(item.id, ()), synced=False),
            once.values(),
        )
        done = dict(zip(once, written, strict=True))
    try:
        for folder in {(ledger.root / item.path).parent for item in done.values() if item.new}:
            sync_directory(folder)
        sync_directory(ledger.claims)
    except OSError as error:
        raise unwritable(error, ledger.claims) from None
    answers = []
    for item in prepared:
        answers.append(done[item.id])
        done[item.id] = replace(done[item.id], new=False)
    return tuple(answers)


def _prepared(entry: Entry) -> _Prepared:
    check(entry, where=kind_of(entry))
    data = encode(entry)
    try:
        payload = to_file(data)
        derived = id_of(from_file(payload))
    except (ValueError, TypeError, RecursionError) as error:
        fix = "Record Unicode text and finite numbers."
        raise LedgerError("bad-input", f"{kind_of(entry)}: not JSON: {error}", fix=fix) from None
    entry_id = id_of(data)
    if derived != entry_id or len(payload) > FILE_LIMIT:
        message = f"{kind_of(entry)}: would not read back from its file ({len(payload):,} bytes)"
        raise LedgerError("bad-input", message, fix="Put large data into an artifact.")
    return _Prepared(id=entry_id, relative=path_of(entry, entry_id), data=data, payload=payload)


def _written(ledger: Ledger, entry: _Prepared, taken: Sequence[str], *, synced: bool) -> Written:
    if taken:
        return _already(ledger, taken, entry.data, entry.id)
    path = ledger.root / entry.relative
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(error, path.parent) from None
    if place(path, entry.payload, synced=synced):
        return Written(id=entry.id, path=entry.relative, new=True)
    return _already(ledger, [entry.relative], entry.data, entry.id)


def _folders(ledger: Ledger) -> list[str]:
    with os.scandir(ledger.claims) as found:
        return [item.name for item in found if item.is_dir(follow_symlinks=False)]


def _files_named(ledger: Ledger, ids: frozenset[str]) -> dict[str, list[str]]:
    """The files that carry one of these ids in their name, by id."""
    found: dict[str, list[str]] = {}
    try:
        for folder in sorted(_folders(ledger)):
            with suppress(FileNotFoundError):  # a checkout of another branch may run meanwhile
                for name in os.listdir(ledger.claims / folder):  # noqa: PTH208 - 5x faster
                    entry_id = name[_ID_IN_NAME]
                    if entry_id in ids and is_entry_name(folder, name):
                        found.setdefault(entry_id, []).append(f"claims/{folder}/{name}")
    except OSError as error:
        raise unwritable(error, ledger.claims) from None
    return {entry_id: sorted(paths) for entry_id, paths in found.items()}


def _already(ledger: Ledger, taken: Sequence[str], data: dict[str, Any], entry_id: str) -> Written:
    """The existing file answers, if it still holds this very content."""
    wanted = content(data)
    reason = ""
    for relative in taken:
        path = ledger.root / relative
        try:
            existing = from_file(read_bytes(path))
            same = isinstance(existing, dict) and content(existing) == wanted
            if same:
                # Whoever wrote it may not have got as far as this.
                sync_directory(path.parent)
                return Written(id=entry_id, path=relative, new=False)
            reason = "its content is not what its name says"
        except (OSError, ValueError, RecursionError) as error:
            reason = str(error)
    fix = f"git checkout -- {taken[-1]}, then repeat the command"
    raise LedgerError("damaged", f"{taken[-1]}: {reason}", fix=fix)


def leftovers(ledger: Ledger, *, everything: bool = False) -> tuple[Path, ...]:
    """Temporary files of writers that were interrupted more than an hour ago, or all of them.

    With `everything`, a writer that is at work just now fails. Raises LedgerError `damaged`.
    """
    before = time.time() - _OLD_S
    found: list[Path] = []
    try:
        for folder in ("", *_folders(ledger)):
            with os.scandir(ledger.claims / folder) as items:
                for item in items:
                    if item.name.startswith(TEMPORARY):
                        with suppress(FileNotFoundError):  # its writer has just finished
                            written = item.stat(follow_symlinks=False).st_mtime
                            found += [Path(item.path)] if everything or written < before else []
    except OSError as error:
        raise unwritable(error, ledger.claims) from None
    return tuple(sorted(found))


def sweep(ledger: Ledger, *, everything: bool = False) -> tuple[Path, ...]:
    """Remove `leftovers`, and say which. Raises LedgerError `damaged` or `unavailable`."""
    found = leftovers(ledger, everything=everything)
    for path in found:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise unwritable(error, path) from None
    return found
