from pathlib import Path

import pytest

from ledger.errors import LedgerError
from ledger.service import disk


def test_a_name_is_relative_below_the_root_and_whole_elsewhere(tmp_path: Path) -> None:
    root = tmp_path / "repo"
    (root / "docs").mkdir(parents=True)
    assert disk.shown(root / "docs" / ".." / "a.md", root) == "a.md"
    assert disk.shown(tmp_path / "b.md", root) == str(tmp_path / "b.md")


def test_what_is_no_file_has_no_bytes_and_no_digest(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "gone"):
        assert disk.bytes_of(path) is None
        assert disk.sha256_of(path) is None
    assert disk.bytes_of(Path("a\0b")) is None


def test_a_named_file_that_cannot_be_read_is_told_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot read the artifact x: Is a directory") as caught:
        disk.read(tmp_path, called="the artifact x")
    assert caught.value.code == "bad-input"
