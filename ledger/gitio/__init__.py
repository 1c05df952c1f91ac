"""What git knows: the state a measurement was taken in, and entries that history has rewritten.

GitPython finds the repository and runs git; git itself judges. The commands are fixed, and what
comes from a user stands behind `--`. They run neither hooks nor a file-system monitor, but do run
filters that the repository's own configuration names (gitattributes(5)), as git always does.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from ledger.entry import GitState
from ledger.gitio import porcelain
from ledger.gitio.repository import GitFailedError, NoRepositoryError, Repository
from ledger.gitio.searching import Line, grep

__all__ = [
    "DIRTY_LIMIT",
    "GitFailedError",
    "Line",
    "NoRepositoryError",
    "Rewritten",
    "grep",
    "rewritten",
    "state",
]

DIRTY_LIMIT = 200
"""Paths listed in a state; the last item then counts the rest."""
_STATUS = (
    "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all",
    "--ignore-submodules=none",
)  # fmt: skip
_DIFF = ("diff", "HEAD", "--binary", "--no-ext-diff", "--no-textconv", "--no-color")
_NAMES = ("--name-status", "-z", "-M100%", "--diff-filter=MDRT", "--no-ext-diff", "--no-textconv")
_ENTRY = re.compile(r".*/\d\d-[a-z]+-[a-z]-[0-9a-f]{12}\.json", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Rewritten:
    """A committed entry whose file did not stay as it was."""

    path: str
    """Relative to the ledger's root."""
    commit: str | None
    """The commit that did it; None for the working tree."""
    what: porcelain.What


def state(directory: Path, *, ignore: tuple[str, ...] = ()) -> GitState:
    """The state of the repository that `directory` lies in.

    `ignore` names paths below `directory` that do not count. `none` without a repository, `unknown`
    with a reason on any failure; `clean` only when git has looked at every file. `dirty` lists
    `CODE PATH` with the codes of git-status(1), or `hidden PATH` for files that git was told not to
    look at. `diff_sha256` covers `git diff HEAD --binary`, which has no untracked files.
    """
    try:
        with Repository(directory) as repository:
            return _state(repository, ignore)
    except NoRepositoryError:
        return GitState(state="none")
    except (GitFailedError, porcelain.UnexpectedError) as error:
        return GitState(state="unknown", reason=str(error))


def _state(repository: "Repository", ignore: tuple[str, ...]) -> GitState:
    skipped = [f"{repository.below}{path.strip('/')}" for path in ignore]
    now = porcelain.status(repository.run(*_STATUS))
    hidden = [porcelain.Dirty("hidden", path) for path in repository.hidden()]
    dirty = [item for item in (*now.dirty, *hidden) if not _is_under(item.path, skipped)]
    if now.oid is None:
        reason = "the repository has no commit yet"
        listed = GitState(state="dirty" if dirty else "unknown", branch=now.branch)
        return replace(listed, dirty=_listed(dirty), reason=reason)
    answer = GitState(
        state="dirty" if dirty else "clean",
        oid=now.oid,
        branch=now.branch,
        describe=repository.describe(),
    )
    if not dirty:
        return answer
    exclude = [f":(top,exclude,literal){path}" for path in skipped]
    try:
        digest = repository.digest(*_DIFF, "--", ":(top)", *exclude)
    except GitFailedError as error:
        return replace(answer, dirty=_listed(dirty), reason=f"no diff: {error}")
    return replace(answer, dirty=_listed(dirty), diff_sha256=digest)


def rewritten(ledger_root: Path, claims: Path) -> tuple[Rewritten, ...] | None:
    """Committed entries whose file was modified, deleted or renamed since, up to HEAD or just now.

    Each once, with the latest commit that did it. None when git could not be asked: no git, no
    repository, or it failed.
    """
    try:
        with Repository(ledger_root) as repository:
            found = _changes(repository, claims)
            below = repository.below
    except (NoRepositoryError, GitFailedError, porcelain.UnexpectedError):
        return None
    entries: dict[str, Rewritten] = {}
    for change in found:
        if _ENTRY.fullmatch(change.path) and change.path not in entries:
            path = os.path.relpath(change.path, below or ".")
            entries[change.path] = Rewritten(path=path, commit=change.commit, what=change.what)
    return tuple(entries[path] for path in sorted(entries))


def _changes(repository: Repository, claims: Path) -> list[porcelain.Change]:
    if porcelain.status(repository.run(*_STATUS)).oid is None:
        return []
    relative = os.path.relpath(os.path.realpath(claims), repository.top)
    where = ("--", f":(top,literal){relative}")
    now = porcelain.changes(repository.run("diff", "HEAD", *_NAMES, *where))
    history = ("log", "--format=%x00%x00%H %P", "--full-history", "-m", *_NAMES, *where)
    return [*now, *porcelain.log(repository.run(*history))]


def _is_under(path: str, folders: list[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _listed(dirty: list[porcelain.Dirty]) -> tuple[str, ...]:
    listed = [f"{code} {path}" for code, path in dirty[:DIRTY_LIMIT]]
    rest = len(dirty) - DIRTY_LIMIT
    return (*listed, f"and {rest} more") if rest > 0 else tuple(listed)
