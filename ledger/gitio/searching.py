"""Searching the files of a working tree with `git grep`.

A plain subprocess, not GitPython: importing that takes 0.3 s, which is longer than the search, and
`ledger audit` starts without it. The options are fixed, the pattern goes in through standard input,
and what comes from a caller stands behind `--` as a literal path or glob.
"""

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ledger.gitio.porcelain import text
from ledger.gitio.repository import ENVIRONMENT, GIT, TIMEOUT_S, GitFailedError, NoRepositoryError

_GREP = (
    "grep", "-I", "-n", "-z", "-E", "-f", "-", "--no-color", "--no-column", "--no-full-name",
    "--no-textconv", "--no-recurse-submodules",
)  # fmt: skip
_TRACKED_YET_IGNORED = ("ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
# What a hook or a caller sets for another repository, and what gives pathspecs another meaning.
_ELSEWHERE = (
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX",
    "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS",
)  # fmt: skip
_NO_MATCH = 1


class Line(NamedTuple):
    """A line that matches."""

    path: str
    """Relative to the directory searched, as `os.fsdecode` gives it."""
    number: int
    """1-based; only LF ends a line."""
    text: str
    """Without LF; bytes that are not UTF-8 are lone surrogates."""


def grep(
    directory: Path, pattern: str, *, only: Sequence[str] = (), exclude: Sequence[str] = ()
) -> tuple[Line, ...]:
    """The lines of text files below `directory` that match a POSIX ERE, byte by byte.

    Tracked files as they are in the working tree, and untracked ones that are not ignored; no
    submodules. `only` holds globs, `exclude` globs and directories, relative to `directory`.
    Raises NoRepositoryError, and GitFailedError when git does not answer.
    """
    below = [f":(glob){name}" for name in only] or ["."]
    paths = ("--", *below, *(f":(exclude,glob){name}" for name in exclude))
    found = dict.fromkeys(_lines(directory, pattern, "--untracked", *paths))
    # With --untracked git forgets the index: a tracked file that .gitignore names is left out.
    if _run(directory, *_TRACKED_YET_IGNORED, *paths):
        found.update(dict.fromkeys(_lines(directory, pattern, *paths)))
    return tuple(found)


def _lines(directory: Path, pattern: str, *arguments: str) -> Iterator[Line]:
    out = _run(directory, *_GREP, *arguments, stdin=pattern)
    at = 0
    # A path may hold a line end, so the output is read field by field: path NUL number NUL line LF.
    while at < len(out):
        after_path = out.index(b"\0", at)
        after_number = out.index(b"\0", after_path + 1)
        end = out.index(b"\n", after_number)
        yield Line(
            path=os.fsdecode(out[at:after_path]),
            number=int(out[after_path + 1 : after_number]),
            text=out[after_number + 1 : end].decode("utf-8", "surrogateescape"),
        )
        at = end + 1


def _run(directory: Path, *arguments: str, stdin: str = "") -> bytes:
    kept = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
    try:
        done = subprocess.run(
            [*GIT, "-C", str(directory), *arguments],
            input=stdin.encode(),
            capture_output=True,
            check=False,
            timeout=TIMEOUT_S,
            env={**kept, **ENVIRONMENT},
        )
    except (OSError, ValueError) as failure:
        raise GitFailedError(f"git could not run: {failure}") from None
    except subprocess.TimeoutExpired:
        raise GitFailedError(f"git did not answer in {TIMEOUT_S:.0f} s") from None
    if done.returncode == 0 or (done.returncode == _NO_MATCH and "grep" in arguments):
        return done.stdout
    said = text(done.stderr).strip().split("\n")[0]
    if said.startswith("fatal: not a git repository (or any"):
        raise NoRepositoryError
    raise GitFailedError(said or f"git ended with status {done.returncode}")
