"""The README's console blocks are run, and what they print is compared."""

import re
import shlex
from pathlib import Path

import pytest

from ledger import cli

README = Path(__file__).parent.parent / "README.md"
_ID = re.compile(r"\b[kcevsrown]-[0-9a-f]{4,12}\b")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{4}-\d\d(?=/)|(?<=/)\d\d(?=-)")


def steps() -> list[tuple[str, str]]:
    """Each `$ ledger ...` line of the README with the output printed below it."""
    found: list[tuple[str, str]] = []
    for block in re.findall(r"```console\n(.*?)```", README.read_text("utf-8"), re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


def files() -> dict[str, str]:
    """Each block of the README that is a file: its language, then its name."""
    return dict(re.findall(r"```\w+ (\S+)\n(.*?)```", README.read_text("utf-8"), re.DOTALL))


def test_the_readme_shows_what_the_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    ids: dict[str, str] = {}
    shown = steps()
    assert len(shown) == 13
    assert list(files()) == ["launch.sh", "notes.md", "run.json"]
    for command, expected in shown:
        words = shlex.split(command)
        assert words[0] == "ledger"
        if words[1] == "stale":
            # From here on: the audit above is of the ledger alone.
            for name, text in files().items():
                cited = _ID.sub(lambda m: _actual(m.group(), ids), text)
                (tmp_path / name).write_text(cited, "utf-8")
        actual_words = [_ID.sub(lambda m: _actual(m.group(), ids), word) for word in words[1:]]
        cli.run(actual_words)
        captured = capsys.readouterr()
        printed = captured.out + captured.err
        for here, there in zip(_ID.findall(expected), _ID.findall(printed), strict=False):
            ids.setdefault(here, there)
        assert masked(printed) == masked(expected), command


def _actual(shown: str, ids: dict[str, str]) -> str:
    return next((there for here, there in ids.items() if here.startswith(shown)), shown)


def masked(text: str) -> str:
    """Without ids and dates, which change from run to run; wrapped lines are joined."""
    return " ".join(_DATE.sub("DATE", _ID.sub("ID", text)).split())
