"""The demonstration's stage: a temporary repository, and real commands run in it."""

import io
import os
import shlex
import shutil
import subprocess
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ledger import cli


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A command's exit code and the id it recorded first, if it recorded anything."""

    code: int
    id: str


class Stage:
    """Runs `ledger` commands in one directory and shows each with its output."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.step = 0

    def say(self, text: str) -> None:
        """A heading for what comes next."""
        self.step += 1
        print(f"\n== {self.step}. {text}\n")  # noqa: T201 - the demonstration is its output

    def ledger(self, *words: str, expect: int = 0) -> Ran:
        """Run one command; RuntimeError when it ends otherwise than expected."""
        print(f"$ ledger {shlex.join(words)}")  # noqa: T201
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            code = cli.run(list(words))
        text = out.getvalue()
        print(text.rstrip("\n") + (f"\n[exit {code}]" if code else "") + "\n")  # noqa: T201
        if code != expect:
            raise RuntimeError(f"ledger {shlex.join(words)} ended with {code}, not {expect}")
        return Ran(code=code, id=_first_id(text))

    def git(self, *words: str) -> None:
        """Run git quietly, without the user's configuration."""
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_AUTHOR_NAME": "demo",
            "GIT_AUTHOR_EMAIL": "demo@example.org",
            "GIT_COMMITTER_NAME": "demo",
            "GIT_COMMITTER_EMAIL": "demo@example.org",
        }
        subprocess.run(
            ["git", *words], cwd=self.root, env=environment, check=True, capture_output=True
        )

    def copy(self, *names: str) -> None:
        """Put files that ship with the package into the repository."""
        for name in names:
            source = resources.files("ledger.demo") / "data" / name
            with resources.as_file(source) as path:
                shutil.copyfile(path, self.root / name)


def _first_id(text: str) -> str:
    ids = (line.split()[0] for line in text.splitlines() if "recorded  claims/" in line)
    return next(ids, "")
