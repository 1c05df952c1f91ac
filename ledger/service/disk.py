"""Files by path: what they are called, their bytes and their digests; regular files only."""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from ledger.errors import LedgerError


def real(path: Path) -> Path:
    """The path without links, as far as they lead somewhere; `Path.resolve` raises for a loop."""
    return Path(os.path.realpath(path))


def shown(path: Path, root: Path) -> str:
    """The path that entries and messages name a file by: relative to the root where it is below."""
    whole = real(path)
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(whole)


def opened(path: Path) -> BufferedReader:
    """Open a regular file, or a link to one, to read its bytes.

    Raises OSError for anything else: a pipe would be waited for, and a device may have no end.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except ValueError as error:  # a null character
        raise OSError(errno.EINVAL, str(error)) from None
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(
        errno.EINVAL,
        os.strerror(errno.EISDIR) if stat.S_ISDIR(mode) else "not a regular file",
    )


def bytes_of(path: Path) -> bytes | None:
    """A file's bytes; None where there is none to be read."""
    try:
        with opened(path) as file:
            return file.read()
    except OSError:
        return None


def sha256_of(path: Path) -> str | None:
    """A file's digest, whatever its size; None where there is none to be read."""
    import hashlib

    try:
        with opened(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def read(path: Path, *, called: str | None = None) -> bytes:
    """A named file's bytes. Raises LedgerError, naming it as `called`, where it cannot be read."""
    try:
        with opened(path) as file:
            return file.read()
    except OSError as error:
        raise unreadable(called or str(path), error) from None


def unreadable(called: str, error: OSError) -> LedgerError:
    """The error for a file that cannot be read."""
    return LedgerError(
        "bad-input",
        f"cannot read {called}: {error.strerror or error}",
        fix="make it a readable file, or name another one",
    )
