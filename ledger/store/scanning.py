"""Looking at the entry files without reading them; imports as little as it can."""

import os
import re
import stat
from typing import Literal, NamedTuple
from zlib import adler32, crc32

from ledger.errors import LedgerError
from ledger.kinds import ID_DIGITS, LETTERS
from ledger.store.location import Ledger

_MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)
_NAME = re.compile(rf"\d\d-({'|'.join(LETTERS)})-([a-z]-[0-9a-f]{{{ID_DIGITS}}})\.json", re.ASCII)
_EXPECTED_NAME = "claims/<YYYY-MM>/<DD>-<kind>-<id>.json"


class Problem(NamedTuple):
    """A file that is not what an entry file should be."""

    slug: Literal["unreadable", "id-mismatch"]
    path: str
    """Relative to the ledger's root, bytes that are no UTF-8 escaped."""
    got: str
    expected: str
    message: str
    lasting: bool = True
    """False when the file may read well next time although it has not changed."""


class Scan(NamedTuple):
    """The entry files by relative path, without having been read."""

    files: dict[str, str]
    """Relative path to stamp."""
    problems: tuple[Problem, ...]

    def fingerprint(self) -> str:
        """Changes whenever a file comes, goes or changes."""
        text = "\n".join(map("\t".join, sorted(self.files.items()))).encode(errors="replace")
        return f"{len(self.files)}-{crc32(text):08x}-{adler32(text):08x}"


def scan(ledger: Ledger) -> Scan:
    """Look at every file once.

    Raises LedgerError `damaged` when claims/ itself cannot be listed.
    """
    files: dict[str, str] = {}
    problems: list[Problem] = []
    try:
        with os.scandir(ledger.claims) as found:
            tops = sorted(found, key=lambda item: item.name)
    except OSError as error:
        message = f"cannot list {ledger.claims}: {error.strerror}"
        fix = "Restore it (git checkout -- claims), or correct its permissions."
        raise LedgerError("damaged", message, fix=fix) from None
    for top in tops:
        if top.name.startswith(".") or top.name == "ledger.json":
            continue
        if top.is_dir(follow_symlinks=False):
            _scan_folder(top, files, problems)
        elif top.name.endswith(".json") or _MONTH.fullmatch(top.name):
            # A link in place of a month would take its entries away in silence.
            problems.append(misfit(f"claims/{top.name}", "a file that is no entry", _EXPECTED_NAME))
    return Scan(files=files, problems=tuple(problems))


def _scan_folder(
    folder: "os.DirEntry[str]", files: dict[str, str], problems: list[Problem]
) -> None:
    prefix = f"claims/{folder.name}/"
    try:
        with os.scandir(folder.path) as found:
            for item in found:
                name = item.name
                if not name.endswith(".json") or name[0] == ".":
                    continue
                if not is_entry_name(folder.name, name):
                    problems.append(misfit(prefix + name, "another name", _EXPECTED_NAME))
                    continue
                try:
                    state = item.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue  # it has just gone
                except OSError as error:
                    reason = error.strerror or str(error)
                    problems.append(misfit(prefix + name, reason, "a plain file"))
                    continue
                if stat.S_ISREG(state.st_mode):
                    files[prefix + name] = stamp_of(state)
                else:
                    kind = "a directory" if stat.S_ISDIR(state.st_mode) else "a link or device"
                    problems.append(misfit(prefix + name, kind, "a plain file"))
    except OSError as error:
        reason = error.strerror or str(error)
        problems.append(misfit(prefix, reason, "a directory that can be listed"))


def stamp_of(state: os.stat_result) -> str:
    """What changes when a file does; ctime cannot be set back by whoever edits it."""
    return f"{state.st_size} {state.st_mtime_ns} {state.st_ctime_ns} {state.st_ino}"


def named_id(name: str) -> str | None:
    """The id in the name of an entry file."""
    match = _NAME.fullmatch(name)
    return match[2] if match else None


def is_entry_name(folder: str, name: str) -> bool:
    """Whether a file of this name in this directory of claims/ is taken for an entry."""
    return _MONTH.fullmatch(folder) is not None and _NAME.fullmatch(name) is not None


def misfit(path: str, got: str, expected: str, *, lasting: bool = False) -> Problem:
    """The problem of a file that cannot be read as an entry."""
    shown = os.fsencode(path).decode("utf-8", "backslashreplace")
    message = f"cannot be read as an entry: {got}, expected {expected}"
    return Problem(
        slug="unreadable",
        path=shown,
        got=got,
        expected=expected,
        message=message,
        lasting=lasting,
    )
