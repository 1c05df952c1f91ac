import os
import subprocess
from pathlib import Path

import pytest

from ledger import gitio, store
from ledger.entry import By, Claim, Recorded


def git(folder: Path, *arguments: str) -> str:
    who = {"NAME": "a", "EMAIL": "a@example.org"}
    people = {f"GIT_{role}_{key}": v for role in ("AUTHOR", "COMMITTER") for key, v in who.items()}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **people, "GIT_CONFIG_GLOBAL": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "change")
    return git(folder, "rev-parse", "HEAD")


def record(ledger: store.Ledger, statement: str, *, at: str = "2026-01-05") -> Path:
    entry = Claim(
        recorded=Recorded(at=f"{at}T09:30:00.000000Z"),
        statement=statement,
        by=By(name="arm"),
        basis="derivation",
    )
    return Path(store.write(ledger, entry).path)


@pytest.fixture(params=[".", "work/ledger"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> store.Ledger:
    """A ledger of two committed entries, at the top of its repository or below."""
    git(tmp_path, "init", "-q", "-b", "main")
    root = tmp_path / str(request.param)
    root.mkdir(parents=True, exist_ok=True)
    ledger = store.init(root)
    record(ledger, "one")
    record(ledger, "two")
    commit(root)
    return ledger


def found(ledger: store.Ledger) -> list[tuple[str, str | None, str]]:
    answer = gitio.rewritten(ledger.root, ledger.claims)
    assert answer is not None
    return [(item.path, item.commit, item.what) for item in answer]


def test_adding_is_not_rewriting(ledger: store.Ledger) -> None:
    record(ledger, "three")
    assert found(ledger) == []
    commit(ledger.root)
    assert found(ledger) == []


def test_an_edit_is_found_before_and_after_it_is_committed(ledger: store.Ledger) -> None:
    path = record(ledger, "one")
    (ledger.root / path).write_text("{}")
    assert found(ledger) == [(str(path), None, "modified")]
    git(ledger.root, "add", ".")
    assert found(ledger) == [(str(path), None, "modified")]
    oid = commit(ledger.root)
    assert found(ledger) == [(str(path), oid, "modified")]


def test_a_deletion_stays_known_when_the_entry_comes_back(ledger: store.Ledger) -> None:
    path = record(ledger, "one")
    content = (ledger.root / path).read_bytes()
    (ledger.root / path).unlink()
    assert found(ledger) == [(str(path), None, "deleted")]
    oid = commit(ledger.root)
    (ledger.root / path).write_bytes(content)
    commit(ledger.root)
    assert found(ledger) == [(str(path), oid, "deleted")]


def test_a_renamed_entry_is_named_by_its_old_path(ledger: store.Ledger) -> None:
    path = record(ledger, "one")
    (ledger.root / "claims/2025-12").mkdir()
    git(ledger.root, "mv", str(path), f"claims/2025-12/{path.name}")
    assert found(ledger) == [(str(path), None, "renamed")]
    oid = commit(ledger.root)
    assert found(ledger) == [(str(path), oid, "renamed")]


def test_other_files_may_change(ledger: store.Ledger) -> None:
    (ledger.claims / "README.md").write_text("changed")
    (ledger.root / "train.py").write_text("1")
    commit(ledger.root)
    (ledger.root / "train.py").write_text("2")
    commit(ledger.root)
    assert found(ledger) == []


def test_merging_branches_is_not_rewriting(ledger: store.Ledger) -> None:
    git(ledger.root, "checkout", "-q", "-b", "side")
    record(ledger, "three", at="2026-02-01")
    commit(ledger.root)
    git(ledger.root, "checkout", "-q", "main")
    record(ledger, "four", at="2026-02-01")
    commit(ledger.root)
    git(ledger.root, "merge", "-q", "--no-edit", "side")
    assert len(store.read_all(ledger).entries) == 4
    assert found(ledger) == []


def test_one_side_of_a_merge_may_win_for_an_entry_recorded_on_both(ledger: store.Ledger) -> None:
    (ledger.claims / ".gitattributes").unlink()  # with it, git keeps both recordings
    commit(ledger.root)
    git(ledger.root, "checkout", "-q", "-b", "side")
    path = record(ledger, "same")
    content = (ledger.root / path).read_bytes()
    commit(ledger.root)
    git(ledger.root, "checkout", "-q", "main")
    assert record(ledger, "same") == path
    (ledger.root / path).write_bytes(content.replace(b"09:30", b"10:45"))
    commit(ledger.root)
    git(ledger.root, "merge", "-q", "--no-edit", "-X", "ours", "side")
    assert found(ledger) == []


@pytest.mark.parametrize("what", ["deleted", "modified"])
def test_a_merge_that_drops_or_edits_an_entry_is_found(ledger: store.Ledger, what: str) -> None:
    path = record(ledger, "one")
    git(ledger.root, "checkout", "-q", "-b", "side")
    record(ledger, "three")
    commit(ledger.root)
    git(ledger.root, "checkout", "-q", "main")
    record(ledger, "four")
    commit(ledger.root)
    git(ledger.root, "merge", "-q", "--no-edit", "--no-commit", "side")
    if what == "deleted":
        (ledger.root / path).unlink()
    else:
        (ledger.root / path).write_text("{}")
    oid = commit(ledger.root)
    assert found(ledger) == [(str(path), oid, what)]


def test_a_change_that_a_merge_undid_is_still_found(ledger: store.Ledger) -> None:
    path = record(ledger, "one")
    git(ledger.root, "checkout", "-q", "-b", "side")
    (ledger.root / path).write_text("{}")
    oid = commit(ledger.root)
    git(ledger.root, "checkout", "-q", "main")
    record(ledger, "four")
    commit(ledger.root)
    git(ledger.root, "merge", "-q", "--no-edit", "-s", "ours", "side")
    assert (str(path), oid, "modified") in found(ledger)


def test_without_a_commit_nothing_was_rewritten(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    ledger = store.init(tmp_path)
    record(ledger, "one")
    assert found(ledger) == []


def test_without_a_repository_it_cannot_be_asked(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    assert gitio.rewritten(ledger.root, ledger.claims) is None
