import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import store
from ledger.errors import LedgerError


def refusal(start: Path) -> LedgerError:
    with pytest.raises(LedgerError) as caught:
        store.find(start)
    assert "\n" not in caught.value.message
    assert caught.value.fix
    return caught.value


def test_init_makes_a_ledger_that_find_finds_from_below(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert store.find(below) == ledger == store.find(tmp_path)
    assert json.loads((tmp_path / "claims/ledger.json").read_text()) == {"ledger": 1}
    assert len((tmp_path / "claims/README.md").read_text().splitlines()) == 3
    assert (tmp_path / ".ledger/.gitignore").read_text() == "*\n"
    assert ledger.index_path == tmp_path / ".ledger/index.sqlite"


def test_init_again_changes_nothing(tmp_path: Path) -> None:
    store.init(tmp_path)
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    (tmp_path / "claims/README.md").write_text("ours")
    store.init(tmp_path)
    assert (tmp_path / "claims/README.md").read_text() == "ours"
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == set(files)


def test_init_turns_a_claims_directory_into_a_ledger_and_keeps_what_is_in_it(
    tmp_path: Path,
) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims/a.txt").write_text("mine")
    assert "has no ledger.json" in refusal(tmp_path).message
    store.init(tmp_path)
    assert (tmp_path / "claims/a.txt").read_text() == "mine"
    assert store.find(tmp_path).root == tmp_path


def test_without_a_ledger_init_is_suggested(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    error = refusal(tmp_path)
    assert (error.code, error.fix) == ("no-ledger", "ledger init")


@pytest.mark.parametrize("kind", ["directory", "file"])
def test_the_search_ends_at_the_repository(tmp_path: Path, kind: str) -> None:
    store.init(tmp_path)
    inner = tmp_path / "inner" / "src"
    inner.mkdir(parents=True)
    git = tmp_path / "inner" / ".git"
    if kind == "file":
        git.write_text("gitdir: elsewhere")
    else:
        git.mkdir()
    assert refusal(inner).code == "no-ledger"


def test_the_repository_itself_may_hold_the_ledger(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    store.init(tmp_path)
    assert store.find(tmp_path).root == tmp_path


def test_another_claims_directory_on_the_way_does_not_hide_the_ledger(tmp_path: Path) -> None:
    store.init(tmp_path)
    below = tmp_path / "insurance"
    (below / "claims").mkdir(parents=True)
    assert store.find(below).root == tmp_path


@pytest.mark.parametrize(
    ("marker", "reason"),
    [
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "does not read"),
        (b'{"ledger": "1"}', "does not read"),
        (b'{"ledger": true}', "does not read"),
        (b'{"ledger": 2}', "format 2"),
    ],
)
def test_a_marker_that_is_not_ours_is_damage(tmp_path: Path, marker: bytes, reason: str) -> None:
    store.init(tmp_path)
    (tmp_path / "claims/ledger.json").write_bytes(marker)
    error = refusal(tmp_path)
    assert error.code == "damaged"
    assert reason in error.message
    with pytest.raises(LedgerError, match=reason):
        store.init(tmp_path)


def test_a_file_called_claims_is_damage(tmp_path: Path) -> None:
    (tmp_path / "claims").write_text("")
    (tmp_path / ".git").mkdir()
    assert refusal(tmp_path).code == "damaged"
    with pytest.raises(LedgerError, match="it is a file"):
        store.init(tmp_path)


def test_a_marker_that_is_a_directory_is_damage(tmp_path: Path) -> None:
    (tmp_path / "claims/ledger.json").mkdir(parents=True)
    assert refusal(tmp_path).code == "damaged"


def test_a_loop_of_links_is_damage(tmp_path: Path) -> None:
    (tmp_path / "claims").symlink_to("claims")
    (tmp_path / ".git").mkdir()
    assert refusal(tmp_path).code == "damaged"


def test_a_directory_that_may_not_be_read_is_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.init(tmp_path)

    def forbidden(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    error = refusal(tmp_path)
    assert error.code == "damaged"
    assert "Permission denied" in error.message


def test_a_start_that_does_not_exist_is_bad_input(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere").code == "bad-input"
    with pytest.raises(LedgerError, match="no such directory"):
        store.init(tmp_path / "nowhere")


def test_a_linked_working_directory_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    store.init(tmp_path / "real")
    (tmp_path / "link").symlink_to("real")
    assert store.find(tmp_path / "link").root == tmp_path / "real"


def test_importing_the_store_and_the_index_is_cheap() -> None:
    heavy = ["pydantic", "git", "sqlite_utils", "sqlite3", "torch", "numpy", "rich"]
    code = (
        "import sys, ledger.store, ledger.index;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.strip() == "[]"
