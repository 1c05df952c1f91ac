"""Replacing a document in one step: readers see the old bytes or the new ones, never a part."""

import contextlib
import os
import re
import secrets
import stat
from pathlib import Path

from ledger.errors import LedgerError

_TEMPORARY = re.compile(r"\.ledger-([0-9]{1,9})-[0-9a-f]{12}\.tmp")
"""With the id of the process that writes it."""


def replace(path: Path, data: bytes) -> None:
    """Write a file through a temporary one in the same directory, keeping mode and owner.

    A symlink stays a symlink: the file that it points to is replaced. Both the data and the
    directory are on disk when this returns, and what a killed writer left in it is removed. Raises
    LedgerError, with the old file untouched, for a broken link, something other than a regular
    file, a read-only file or a full or missing directory.
    """
    target = _target(path)
    temporary = target.with_name(f".ledger-{os.getpid()}-{secrets.token_hex(6)}.tmp")
    _sweep(target.parent)
    try:
        _write(temporary, data, like=target)
        temporary.replace(target)
        _sync_directory(target.parent)
    except OSError as error:
        raise _refused(path, error.strerror or str(error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink()


def _target(path: Path) -> Path:
    try:
        target = path.resolve(strict=path.is_symlink())
        mode = target.stat().st_mode if target.exists() else None
    except (OSError, RuntimeError) as error:
        raise _refused(path, f"the link leads nowhere ({error})") from error
    if mode is not None and not stat.S_ISREG(mode):
        raise _refused(path, "it is not a regular file")
    if mode is not None and not os.access(target, os.W_OK):
        # The directory alone decides whether a rename succeeds; the file's own mode is the wish.
        raise _refused(path, "it is read-only")
    return target


def _write(temporary: Path, data: bytes, *, like: Path) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        if like.exists():
            old = like.stat()
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
            os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _sweep(directory: Path) -> None:
    with contextlib.suppress(OSError):
        for path in directory.glob(".ledger-*.tmp"):
            found = _TEMPORARY.fullmatch(path.name)
            if found and not _runs(int(found[1])):
                path.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # somebody else's
    return True


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refused(path: Path, why: str) -> LedgerError:
    return LedgerError(
        "bad-input",
        f"cannot write {path}: {why}",
        fix="make it a writable regular file in a writable directory, then run the command again",
    )
