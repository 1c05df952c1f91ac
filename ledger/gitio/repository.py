"""Finding a repository and running git in it."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from ledger.gitio.porcelain import text

if TYPE_CHECKING:
    from git import Repo

TIMEOUT_S = 60.0
GIT = (
    "git", "--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null", "-c", "core.safecrlf=false", "-c", "log.showSignature=false",
)  # fmt: skip
ENVIRONMENT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1"}


class GitFailedError(Exception):
    """git did not answer; the text says why."""


class NoRepositoryError(Exception):
    """The directory lies in no repository."""


class Repository:
    """A repository with a working tree, and git commands in it."""

    def __init__(self, directory: Path) -> None:
        self._directory = os.path.realpath(directory)
        self._repo = _opened(self._directory)

    def __enter__(self) -> Self:
        try:
            self.top = os.path.realpath(self._work_tree())
            inside = os.path.relpath(self._directory, self.top)
            if inside.split("/")[0] == "..":
                raise GitFailedError(f"git answers for another working tree, {self.top}")
            self.below = "" if inside == "." else f"{inside}/"
        except BaseException:
            self._repo.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._repo.close()

    def _work_tree(self) -> str:
        if self._repo.working_tree_dir is None:
            raise GitFailedError("a bare repository has no working tree")
        # GIT_WORK_TREE and the like in the environment may send git elsewhere.
        return os.fsdecode(self.run("rev-parse", "--show-toplevel").removesuffix(b"\n"))

    def run(self, *arguments: str) -> bytes:
        """What git prints. Raises GitFailedError, also after TIMEOUT_S seconds."""
        return bytes(self._execute(arguments))

    def digest(self, *arguments: str) -> str:
        """The sha256 of what git prints, without holding it in memory. Raises GitFailedError."""
        sink = _Digest()
        self._execute(arguments, output_stream=sink)
        return sink.sha256.hexdigest()

    def _execute(self, arguments: tuple[str, ...], **options: Any) -> Any:
        from git.exc import GitError

        runner = self._repo.git
        try:
            with runner.custom_environment(**ENVIRONMENT):
                code, out, error = runner.execute(
                    [*GIT, "-C", getattr(self, "top", self._directory), *arguments],
                    with_extended_output=True,
                    with_exceptions=False,
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                    kill_after_timeout=TIMEOUT_S,
                    **options,
                )
        except (GitError, OSError, ValueError) as failure:
            raise GitFailedError(f"git could not run: {failure}") from None
        if code != 0:
            lines = error.strip().splitlines()
            raise GitFailedError(lines[0] if lines else f"git ended with status {code}")
        return out

    def describe(self) -> str | None:
        """The nearest tag, or the short hash; None when git cannot say."""
        try:
            return text(self.run("describe", "--tags", "--always")).strip() or None
        except GitFailedError:
            return None

    def hidden(self) -> Iterator[str]:
        """Files that git does not compare: assume-unchanged, or skip-worktree where they exist.

        A sparse checkout leaves skipped files out by design; without one, a missing file is hidden.
        """
        sparse: bool | None = None
        listing = self.run("ls-files", "-v", "-z", "--recurse-submodules")
        for item in listing.split(b"\0"):
            flag, path = item[:1], item[2:]
            if flag == b"S":
                if sparse is None:
                    sparse = self._is_sparse()
                if sparse and not os.path.lexists(os.path.join(os.fsencode(self.top), path)):  # noqa: PTH118 - bytes
                    continue
            if flag == b"S" or flag.islower():
                yield text(path)

    def _is_sparse(self) -> bool:
        try:
            answer = self.run("config", "--type=bool", "--get", "core.sparseCheckout")
        except GitFailedError:
            return False
        return answer.strip() == b"true"


class _Digest:
    """A stream that is only hashed."""

    def __init__(self) -> None:
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sha256.update(data)
        return len(data)


def _opened(directory: str) -> "Repo":
    try:
        import git
    except ImportError as error:
        # GitPython raises it when there is no git to run.
        raise GitFailedError(str(error).strip().split("\n")[0]) from None
    try:
        return git.Repo(directory, search_parent_directories=True, expand_vars=False)
    except git.InvalidGitRepositoryError:
        parents = (Path(directory), *Path(directory).parents)
        broken = next((path for path in parents if os.path.lexists(path / ".git")), None)
        if broken is not None:
            raise GitFailedError(f"{broken}/.git is not a repository") from None
        raise NoRepositoryError from None
    except (git.GitError, OSError, ValueError) as error:
        raise GitFailedError(f"{type(error).__name__}: {error}") from None
