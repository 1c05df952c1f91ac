"""Putting a whole file in place: durable when acknowledged, never half there, never overwriting."""

import errno
import os
import time
from contextlib import suppress
from pathlib import Path

from ledger.errors import LedgerError

TEMPORARY = ".tmp-"
"""How the name of a file begins that is still being written."""
_RESERVED_S = 5.0
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
_NO_DIRECTORY_SYNC = {errno.EINVAL, errno.ENOTSUP}
_BROKEN = {errno.EIO, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.ENOENT}


def place(path: Path, payload: bytes, *, synced: bool = True) -> bool:
    """Put `payload` at `path` in an existing directory; False when that name is already taken.

    On return the file and the directories that name it are on disk; without `synced` the caller
    syncs the directories. A crash at any point leaves the whole file or none, and perhaps a
    temporary one beside it. Raises LedgerError `unavailable`
    (disk full, read-only, no permission), `damaged` (not what a ledger looks like) or `busy`.
    """
    temporary = path.with_name(f"{TEMPORARY}{path.stem}-{os.getpid()}-{os.urandom(4).hex()}")
    try:
        _write(temporary, payload)
        new = _link(temporary, path)
        if synced:
            sync_directory(path.parent)
            # Always: another writer may have made the directory and not have come this far yet.
            sync_directory(path.parent.parent)
    except OSError as error:
        raise unwritable(error, path) from None
    finally:
        with suppress(OSError):
            temporary.unlink()
    return new


def unwritable(error: OSError, path: Path) -> LedgerError:
    """What to tell the user when the system refuses to write."""
    reason = error.strerror or str(error)
    if error.errno in _BROKEN:
        fix = "Run `ledger verify`; restore the directory with git checkout -- claims."
        return LedgerError("damaged", f"cannot write {path}: {reason}", fix=fix)
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        fix = "Free some space, then repeat the command: repeating is safe."
    else:
        fix = "Make the directory writable, then repeat the command: repeating is safe."
    return LedgerError("unavailable", f"cannot write {path}: {reason}", fix=fix)


def _write(path: Path, payload: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        rest = memoryview(payload)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _link(temporary: Path, path: Path) -> bool:
    try:
        os.link(temporary, path)
    except FileExistsError:
        # Over NFS a repeated request reports the first one's success as EEXIST: open(2), O_EXCL.
        return temporary.stat().st_nlink > 1
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        return _rename(temporary, path)
    return True


def _rename(temporary: Path, path: Path) -> bool:
    """Without hard links: only the writer that holds the reservation may move into place.

    rename(2) replaces its target, which no writer can then have put there in between. A writer
    killed here leaves the reservation, and the same entry is busy until it is swept.
    """
    reservation = path.with_name(f"{TEMPORARY}{path.stem}.reserved")
    deadline = time.monotonic() + _RESERVED_S
    while True:
        try:
            os.close(os.open(reservation, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC))
            break
        except FileExistsError:
            if path.exists():
                return False
            if time.monotonic() > deadline:
                message = f"another process holds {reservation}"
                raise LedgerError("busy", message, fix="ledger verify --fix") from None
            time.sleep(0.01)
    try:
        if os.path.lexists(path):
            return False
        temporary.rename(path)
    finally:
        reservation.unlink()
    return True


def sync_directory(path: Path) -> None:
    """Wait until the names in a directory are on disk. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_DIRECTORY_SYNC:
            raise
    finally:
        os.close(descriptor)
