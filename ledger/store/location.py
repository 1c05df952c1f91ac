"""Where a ledger is: finding it from a directory, and making one."""

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from ledger.errors import LedgerError
from ledger.store.placing import place, unwritable

FORMAT = 1
"""The version in the marker: how entry files are named and laid out."""
_MARKER = "ledger.json"
_INIT = "ledger init"
_README = """\
# Claims
One JSON file per entry of the evidence ledger, written by `ledger`; `ledger list` reads them.
Append-only: never edit, rename or delete a file here. A correction is a new entry.
"""


class Ledger(NamedTuple):
    """A ledger by the directory it belongs to, usually the root of a repository."""

    root: Path

    @property
    def claims(self) -> Path:
        """The entry files: the only source of truth."""
        return self.root / "claims"

    @property
    def index_path(self) -> Path:
        """The disposable index."""
        return self.root / ".ledger" / "index.sqlite"


def find(start: Path) -> Ledger:
    """The ledger that `start` lies in: the nearest directory upwards with claims/ledger.json.

    The search ends at the first directory that holds `.git`, inclusive. Raises LedgerError
    `no-ledger` when there is none, `damaged` when there is one that cannot be read, `bad-input`
    when `start` is no directory.
    """
    here = Path(os.path.realpath(start))
    if not here.is_dir():
        raise LedgerError("bad-input", f"no such directory: {start}", fix="Name a directory.")
    nearest: LedgerError | None = None
    for directory in (here, *here.parents):
        match _look(directory):
            case Ledger() as ledger:
                return ledger
            case LedgerError() as error:
                # Many projects have a claims/ of their own, so a real ledger may lie further up.
                nearest = nearest or error
            case None:
                pass
        if os.path.lexists(directory / ".git"):
            break
    raise nearest or LedgerError("no-ledger", f"no ledger in {here} or above it", fix=_INIT)


def _look(directory: Path) -> Ledger | LedgerError | None:
    claims = directory / "claims"
    try:
        mode = claims.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return _damaged(claims, error.strerror or str(error))
    if not stat.S_ISDIR(mode):
        return _damaged(claims, "it is a file; a ledger has a directory of that name")
    try:
        marker = (claims / _MARKER).read_bytes()
    except FileNotFoundError:
        message = f"{claims} is not a ledger: it has no {_MARKER}"
        return LedgerError("no-ledger", message, fix=f"{_INIT}, in the directory meant")
    except OSError as error:
        raise _damaged(claims / _MARKER, error.strerror or str(error)) from None
    _check_marker(claims / _MARKER, marker)
    return Ledger(directory)


def _damaged(path: Path, reason: str) -> LedgerError:
    fix = "Restore it (git checkout -- claims), or correct its permissions."
    return LedgerError("damaged", f"cannot read {path}: {reason}", fix=fix)


def _marker() -> bytes:
    return b'{\n  "ledger": %d\n}\n' % FORMAT


def _check_marker(path: Path, marker: bytes) -> None:
    if marker == _marker():
        return
    from ledger import canonical

    try:
        data = canonical.parse(marker)
    except ValueError as error:
        raise _damaged(path, f"it is not JSON ({error})") from None
    version = data.get("ledger") if isinstance(data, dict) else None
    if type(version) is not int or version < 1:
        raise _damaged(path, f'it does not read {{"ledger": {FORMAT}}}')
    if version > FORMAT:
        message = f"{path} has format {version}, this program knows {FORMAT}"
        raise LedgerError("damaged", message, fix="Install a newer evidence-ledger.")


def init(root: Path) -> Ledger:
    """Make a ledger in a directory; what is already there stays as it is.

    Raises LedgerError `bad-input` when `root` is no directory, `damaged` when its claims/ cannot
    be one, `unavailable` when nothing can be written.
    """
    root = Path(os.path.realpath(root))
    if not root.is_dir():
        raise LedgerError(
            "bad-input", f"no such directory: {root}", fix="Make the directory first."
        )
    ledger = Ledger(root)
    match _look(root):
        case LedgerError(code="damaged") as error:
            raise error
        case _:
            pass
    try:
        ledger.claims.mkdir(exist_ok=True)
    except OSError as error:
        raise unwritable(error, ledger.claims) from None
    place(ledger.claims / "README.md", _README.encode())
    # A writer's temporary file is not for committing, should `git add` run at the same time.
    place(ledger.claims / ".gitignore", b".tmp-*\n")
    # The same entry recorded on two branches differs in one line: git keeps both (see codec).
    place(ledger.claims / ".gitattributes", b"*.json merge=union\n")
    place(ledger.claims / _MARKER, _marker())
    try:
        prepare_index(ledger)
    except OSError as error:
        raise unwritable(error, ledger.index_path.parent) from None
    return ledger


def prepare_index(ledger: Ledger) -> None:
    """Make the directory of the index, ignored by git without touching the user's .gitignore.

    Raises OSError.
    """
    directory = ledger.index_path.parent
    # A link committed to a repository must not send the index into another file.
    if directory.is_symlink() or ledger.index_path.is_symlink():
        raise OSError(errno.ELOOP, "the index is a link", str(ledger.index_path))
    directory.mkdir(exist_ok=True)
    ignore = directory / ".gitignore"
    if not ignore.exists():
        ignore.write_bytes(b"*\n")
