"""The files of a directory tree that are a project's own, its documents among them."""

import os
import stat
from collections.abc import Collection, Iterator
from pathlib import Path

from ledger.errors import LedgerError

SUFFIXES = frozenset({".md", ".markdown"})
"""Of Markdown files."""
_SKIPPED = frozenset({"node_modules", "site-packages"})


def documents(root: Path, *, skip: Collection[Path] = ()) -> list[Path]:
    """The Markdown files under a directory, sorted; `regular_files` says which are left out.

    Raises LedgerError when the root is not a directory.
    """
    if not root.is_dir():
        raise LedgerError(
            "bad-input", f"{root} is not a directory", fix="name an existing directory"
        )
    return sorted(regular_files(root, skip=skip, suffixes=SUFFIXES))


def regular_files(
    root: Path, *, skip: Collection[Path] = (), suffixes: Collection[str] | None = None
) -> Iterator[Path]:
    """The regular files under a directory, in no particular order.

    With `suffixes` (in lower case, with their dot), only those.

    Left out are `claims/` directly under the root, hidden directories, `node_modules`,
    `site-packages`, virtual environments and the directories in `skip` (absolute, or relative to
    the root). Symlinks are not followed: what they lead to is listed under its own name or lies
    elsewhere. Directories that cannot be read count as empty.
    """
    left_out = {(root / path).absolute() for path in (Path("claims"), *skip)}
    for directory, names, files in os.walk(root):
        here = Path(directory)
        names[:] = [name for name in names if _enters(here / name, left_out)]
        for path in (here / name for name in files):
            if (suffixes is None or path.suffix.lower() in suffixes) and _is_regular(path):
                yield path


def _enters(directory: Path, left_out: Collection[Path]) -> bool:
    return not (
        directory.name.startswith(".")
        or directory.name in _SKIPPED
        or directory.absolute() in left_out
        or os.path.isfile(directory / "pyvenv.cfg")  # noqa: PTH113 - that of Path raises
    )


def _is_regular(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False  # gone since it was listed
