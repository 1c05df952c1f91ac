"""Writing entries, once each, and clearing away what interrupted writers left."""

import os
import time
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from ledger.codec import content, encode, from_file, id_of, kind_of, to_file
from ledger.entry import Entry
from ledger.errors import LedgerError
from ledger.intake import check
from ledger.store.location import Ledger
from ledger.store.placing import TEMPORARY, place, sync_directory, unwritable
from ledger.store.reading import FILE_LIMIT, path_of, read_bytes
from ledger.store.scanning import is_entry_name

_OLD_S = 3600.0


class Written(Struct, frozen=True, kw_only=True):
    """The answer to a recording."""

    id: str
    path: str
    """Relative to the ledger's root."""
    new: bool
    """False when the entry was already there."""


def write(ledger: Ledger, entry: Entry) -> Written:
    """Record an entry; on return it is on disk. Recording it again changes nothing.

    Raises LedgerError `bad-input` for an entry that could not be read back, `unavailable` when the
    system refuses (nothing is left behind), `damaged` when the id is taken by other content.
    """
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
    taken = _files_named(ledger, entry_id)
    if taken:
        return _already(ledger, taken, data, entry_id)
    relative = path_of(entry, entry_id)
    path = ledger.root / relative
    try:
        path.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(error, path.parent) from None
    if place(path, payload):
        return Written(id=entry_id, path=relative, new=True)
    return _already(ledger, [relative], data, entry_id)


def _folders(ledger: Ledger) -> list[str]:
    with os.scandir(ledger.claims) as found:
        return [item.name for item in found if item.is_dir(follow_symlinks=False)]


def _files_named(ledger: Ledger, entry_id: str) -> list[str]:
    ending = f"-{entry_id}.json"
    found: list[str] = []
    try:
        for folder in _folders(ledger):
            with suppress(FileNotFoundError):  # a checkout of another branch may run meanwhile
                found += [
                    f"claims/{folder}/{name}"
                    for name in os.listdir(ledger.claims / folder)  # noqa: PTH208 - 5x faster
                    if name.endswith(ending) and is_entry_name(folder, name)
                ]
    except OSError as error:
        raise unwritable(error, ledger.claims) from None
    return sorted(found)


def _already(ledger: Ledger, taken: list[str], data: object, entry_id: str) -> Written:
    """The existing file answers, if it still holds this very content."""
    wanted = content(data)  # type: ignore[arg-type]
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
