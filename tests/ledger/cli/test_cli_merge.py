"""Two branches record and are merged by git: nothing conflicts and nothing is lost."""

from pathlib import Path

import pytest
from command_line import Shell

from ledger import clock


@pytest.fixture
def shell(bare: Shell) -> Shell:
    bare.git("init", "-q", "-b", "main")
    bare("init")
    bare.git("add", "-A")
    bare.git("commit", "-qm", "start")
    return bare


def record(shell: Shell, branch: str, at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same claim and one of its own, recorded on a branch that starts from the first commit."""
    shell.git("checkout", "-q", "-b", branch, "main")
    monkeypatch.setattr(clock, "now", lambda: at)
    shell.claim("said on both branches")
    shell.claim(f"said on {branch} alone")
    shell.git("add", "-A")
    shell.git("commit", "-qm", branch)


@pytest.mark.parametrize("how", ["merge", "rebase"])
def test_the_same_entry_on_two_branches_merges_and_keeps_its_earliest_recording(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    day = clock.today()
    record(shell, "late", f"{day}T20:00:00.000000Z", monkeypatch)
    record(shell, "early", f"{day}T08:00:00.000000Z", monkeypatch)
    shell.git(how, "-q", "late")
    rows = shell("list", "--fields", "statement,recorded_at", "--json").data["rows"]
    at = {row["statement"]: row["recorded_at"] for row in rows}
    assert len(rows) == 3
    assert at["said on both branches"] == f"{day}T08:00:00.000000Z"
    assert shell("verify", "--json").data["findings"] == []
    # Said once more, it is still the one entry.
    assert "already recorded" in shell("claim", "said on both branches", "--by", "arm-1",
                                       "--expires", "90d").out  # fmt: skip


def test_an_edit_on_one_branch_is_found_after_the_merge(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(shell, "one", f"{clock.today()}T08:00:00.000000Z", monkeypatch)
    (path,) = (p for p in Path(shell.root).glob("claims/2*/*.json") if "both" in p.read_text())
    record(shell, "two", f"{clock.today()}T09:00:00.000000Z", monkeypatch)
    path.write_text(path.read_text().replace("said on both", "unsaid on both"))
    shell.git("commit", "-qam", "edit")
    shell.git("merge", "-q", "one")
    found = shell("verify", "--json", expect=5).data["findings"]
    assert {f["path"] for f in found} == {path.relative_to(shell.root).as_posix()}


def test_tables_under_one_heading_adopted_on_two_branches_stay_apart(ledger: Shell) -> None:
    head = "# Superseded\n\n| claim | status | replaced by |\n|---|---|---|\n"
    for name in ("a.md", "b.md"):
        (ledger.root / name).write_text(f"{head}| {name} | **WRONG** (2026-01-02) | x |\n")
    ledger.git("init", "-q", "--initial-branch=main")
    ledger.git("add", "--all")
    ledger.git("commit", "-q", "-m", "start")
    ledger.git("checkout", "-q", "-b", "other")
    ledger("adopt", "a.md", "--table", "Superseded")
    ledger.git("add", "--all")
    ledger.git("commit", "-q", "-m", "a")
    ledger.git("checkout", "-q", "main")
    ledger("adopt", "b.md", "--table", "Superseded")
    ledger.git("add", "--all")
    ledger.git("commit", "-q", "-m", "b")
    ledger.git("merge", "-q", "--no-edit", "other")
    ledger("render", "--check")
    assert "a.md" not in (ledger.root / "b.md").read_text()
