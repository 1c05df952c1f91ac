"""The command line in-process: run `ledger` words in a directory and hold every run to the rules.

Whatever a test is about, each run is held to these: results on stdout and messages on stderr, the
JSON envelope under `--json`, nothing active in the text, and nothing written by a failure.
"""

import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ledger import cli, clock

FAILED = {2, 3, 4, 5, 6}
ACTIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\U000e0000-\U000e007f]"
)
"""What may never reach a terminal: controls but for tab and newline, bidi, invisible characters."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One finished command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """`data` of the JSON document on stdout."""
        document = json.loads(self.out)
        assert list(document) == ["schema", "data"]
        assert document["schema"] == "ledger/1"
        return document["data"]

    @property
    def error(self) -> dict[str, str]:
        """`error` of the JSON document on stderr; warnings may stand before it."""
        document = json.loads(self.err.splitlines()[-1])
        assert list(document) == ["schema", "error"]
        assert document["schema"] == "ledger/1"
        found = document["error"]
        assert set(found) == {"code", "message", "fix"}
        assert all(found.values())
        return dict(found)

    @property
    def id(self) -> str:
        """The id that a recording command names first on stdout."""
        found = re.search(r"^([kcevsrown]-[0-9a-f]{12})  ", self.out, re.MULTILINE)
        assert found, self.out
        return found[1]


class Shell:
    """Runs `ledger` in one directory."""

    def __init__(self, root: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capture = capture

    def __call__(
        self, *words: str, expect: int = 0, stdin: bytes = b"", writes: bool = False
    ) -> Ran:
        """Run one command; a failure must write nothing unless `writes`."""
        before = tree(self.root) if expect in FAILED else {}
        self.capture.readouterr()
        with chdir(self.root), _stdin(stdin):
            code = cli.run(list(words))
        out, err = self.capture.readouterr()
        ran = Ran(code=code, out=out, err=err)
        assert code == expect, f"{words!r} ended with {code}\n{out}{err}"
        assert not ACTIVE.search(out + err), (words, out, err)
        if code in FAILED and not writes:
            assert tree(self.root) == before, words
        if "--json" in words[: words.index("--") if "--" in words else None]:
            assert (ran.data, True) if out else ran.error
        elif code in FAILED and not out and not err.startswith("Usage: "):
            assert re.search(r"^error: .+\n(  .*\n)*fix: .+", err, re.MULTILINE), err
        return ran

    def json(self, *words: str, expect: int = 0, stdin: bytes = b"") -> Any:
        """Run one command with `--json`; its data, or its error when it has to fail."""
        name = 2 if words[0] in {"consult", "evidence", "probe"} else 1
        ran = self(*words[:name], "--json", *words[name:], expect=expect, stdin=stdin)
        return ran.data if ran.out else ran.error

    def claim(self, text: str = "a claim", *words: str, by: str = "arm-1") -> str:
        """Record a claim that may go unsettled for 90 days; its id."""
        limit = () if "--evidence" in words else ("--expires", "90d")
        return self("claim", "--by", by, *limit, *words, "--", text).id

    def evidence(self, *words: str, value: str = "step=35.2:s") -> str:
        """Record a measurement by a stopwatch; its id."""
        return self("evidence", "add", "--instrument", "stopwatch@1", "--value", value, *words).id

    def entry(self, entry_id: str) -> Any:
        """An entry as its file holds it."""
        (path,) = self.root.glob(f"claims/*/*-{entry_id}.json")
        return json.loads(path.read_text("utf-8"))

    def path(self, entry_id: str) -> Path:
        """An entry's file."""
        (path,) = self.root.glob(f"claims/*/*-{entry_id}.json")
        return path

    def status(self, claim_id: str) -> str:
        """A claim's present status."""
        return str(self("show", claim_id, "--json").data["state"]["status"])

    def git(self, *words: str) -> None:
        """Run git without anybody's configuration."""
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
            cwd=self.root,
            check=True,
            capture_output=True,
        )


def tree(root: Path) -> dict[str, bytes]:
    """Every file under a directory but the disposable index and git's own."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not {".ledger", ".git"} & set(path.relative_to(root).parts)
        and path.stat().st_mode & 0o400
    }


@contextmanager
def _stdin(text: bytes) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8", errors="surrogateescape")
    try:
        yield
    finally:
        sys.stdin = before


def in_days(days: int) -> str:
    """The date so many days from today."""
    return clock.plus_days(clock.today(), days)


def console() -> str:
    """The installed `ledger` script."""
    beside = Path(sys.executable).with_name("ledger")
    found = str(beside) if beside.exists() else shutil.which("ledger")
    if found is None:
        pytest.skip("the ledger script is not installed")
    return found


def shared() -> Path:
    """The folder of real inputs; skips the test where there is none."""
    import os

    places = [Path(__file__).resolve().parents[3] / "shared"]
    if named := os.environ.get("LEDGER_SHARED"):
        places.insert(0, Path(named))
    found = next((place for place in places if place.is_dir()), None)
    if found is None:
        pytest.skip("no shared folder beside the repository and LEDGER_SHARED is not set")
    return found
