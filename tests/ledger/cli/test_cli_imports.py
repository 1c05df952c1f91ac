"""Start time is measured in tests/bench; here: what a command must not import."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {"torch", "transformers", "mcp", "git", "sqlite_utils", "scipy", "jinja2", "numpy"}
LIGHT_LIST = {"pydantic", "msgspec"}
PROBE = """
import sys
from ledger import cli
code = cli.run(sys.argv[1:])
print(code, *sorted(m for m in sys.modules if "." not in m), file=sys.stderr)
"""


def modules(directory: Path, *words: str) -> set[str]:
    """Top-level modules loaded by one command in a fresh interpreter; the command must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *words],
        cwd=directory,
        capture_output=True,
        text=True,
        check=True,
    )
    code, *found = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr
    return set(found)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    for words in (
        ("init",),
        ("claim", "a first claim", "--by", "arm-1", "--expires", "90d"),
    ):
        modules(tmp_path, *words)
    return tmp_path


def test_common_commands_load_nothing_heavy(directory: Path) -> None:
    (entry,) = directory.glob("claims/*/*-claim-*.json")
    for words in (
        ("--help",),
        ("claim", "another claim", "--by", "arm-2", "--expires", "90d"),
        ("list",),
        ("show", entry.stem[-14:]),
        ("audit",),
    ):
        assert not HEAVY & modules(directory, *words), words


def test_a_fresh_clone_without_an_index_loads_nothing_heavy_either(directory: Path) -> None:
    for path in (directory / ".ledger").iterdir():
        path.unlink()
    assert not HEAVY & modules(directory, "list")


def test_a_search_for_figures_loads_nothing_heavy(directory: Path) -> None:
    modules(directory, "claim", "it takes 4.3 h", "--by", "arm-1", "--expires", "90d")
    (entry,) = [path for path in directory.glob("claims/*/*.json") if b"4.3" in path.read_bytes()]
    modules(directory, "supersede", entry.stem[-14:], "--status", "WRONG")
    found = modules(directory, "stale")
    assert "subprocess" in found
    assert not HEAVY & found


def test_a_remembered_list_loads_no_entry_at_all(directory: Path) -> None:
    modules(directory, "list")
    assert not (HEAVY | LIGHT_LIST) & modules(directory, "list")
