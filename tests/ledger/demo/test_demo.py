"""`ledger demo`: it ends, and what it leaves behind is a sound ledger."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from command_line import Shell


@pytest.fixture
def demo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(tmp_path, capsys)


def test_the_demo_ends_and_leaves_a_sound_repository(demo: Shell) -> None:
    ran = demo("demo", "--no-live", "--keep", "kept")
    kept = Shell(demo.root / "kept", demo.capture)
    assert kept("verify", "--json").data["findings"] == []
    assert "history checked" in kept("verify").out
    kept("render", "--check")
    assert "| claim | status | replaced by |" in (kept.root / "playbook.md").read_text()
    ids = set(re.findall(r"\b[kcevsrown]-[0-9a-f]{12}\b", ran.out))
    entries = {path.stem[-14:] for path in kept.root.glob("claims/*/*.json")}
    assert ids
    assert ids <= entries
    assert "[exit 3]" in ran.out
    assert "FALLS" in ran.out
    assert "SURVIVES" in ran.out
    audit = kept("audit", "--json", expect=1).data
    assert {"measured", "derived", "fallen", "superseded", "refuted"} <= set(audit["counts"])
    cited = [f for f in audit["findings"] if f["slug"] == "cites-fallen"]
    assert [f["path"] for f in cited] == ["playbook.md"]
    git = ["git", "log", "--format=%an"]
    done = subprocess.run(git, cwd=kept.root, capture_output=True, text=True, check=True)
    assert done.stdout == "demo\n"


def test_the_demo_overwrites_nothing(demo: Shell) -> None:
    (demo.root / "kept").mkdir()
    (demo.root / "kept" / "mine.txt").write_text("mine")
    assert "is there already" in demo("demo", "--no-live", "--keep", "kept", expect=2).err
    shutil.rmtree(demo.root / "kept")
    (demo.root / "kept").write_text("a file")
    assert demo("demo", "--no-live", "--keep", "kept", expect=2).out == ""
