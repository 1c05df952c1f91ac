import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.errors import LedgerError
from ledger.render.files import replace


def test_content_and_mode(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace(path, b"new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_killed_writer_left_is_removed_and_what_is_being_written_stays(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.md"
    script = (
        "import os, signal, sys; from pathlib import Path; from ledger.render import files\n"
        "os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "files.replace(Path(sys.argv[1]), b'half')"
    )
    killed = subprocess.run([sys.executable, "-c", script, path], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(list(tmp_path.iterdir())) == 1
    running = tmp_path / f".ledger-{os.getpid()}-0123456789ab.tmp"
    others = [running, tmp_path / ".ledger-notes.tmp", tmp_path / ".ledger-1-0123456789ab.tmp"]
    for other in others:
        other.touch()
    replace(path, b"new")
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])


def test_a_new_file_gets_the_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    replace(tmp_path / "a.md", b"x")
    assert (tmp_path / "a.md").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_symlink_is_written_through(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    target = tmp_path / "sub" / "real.md"
    target.write_bytes(b"old")
    link = tmp_path / "link.md"
    link.symlink_to("sub/real.md")
    replace(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert not target.is_symlink()


@pytest.mark.parametrize("kind", ["broken link", "loop", "directory", "pipe", "no parent"])
def test_what_is_no_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a.md"
    if kind == "broken link":
        path.symlink_to("nowhere.md")
    elif kind == "loop":
        path.symlink_to("a.md")
    elif kind == "directory":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path = tmp_path / "none" / "a.md"
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(LedgerError, match=r"cannot write .*a\.md") as caught:
        replace(path, b"new")
    assert caught.value.code == "bad-input"
    assert sorted(tmp_path.rglob("*")) == before


def test_a_read_only_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        # root may write everything
        monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(LedgerError, match="read-only"):
        replace(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("step", ["fsync", "fchmod"])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"old")

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fails)
    with pytest.raises(LedgerError, match="No space left"):
        replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_data_then_directory_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bool] = []
    real = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(stat.S_ISDIR(os.fstat(descriptor).st_mode))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    replace(tmp_path / "a.md", b"x")
    assert synced == [False, True]
