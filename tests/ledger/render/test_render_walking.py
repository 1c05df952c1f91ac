from pathlib import Path

import pytest

from ledger.errors import LedgerError
from ledger.render.walking import documents


def test_documents_of_a_tree(tmp_path: Path) -> None:
    kept = ["README.md", "docs/a.MD", "docs/claims/x.md", "docs/b.markdown"]
    left_out = [
        ".hidden/a.md", "node_modules/a.md", "docs/node_modules/a.md", "env/a.md", "claims/a.md",
        "lib/site-packages/a.md", "docs/a.txt", "old/a.md", "out/deep/a.md",
    ]  # fmt: skip
    for name in (*kept, *left_out, "env/pyvenv.cfg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "docs" / "loop").symlink_to(tmp_path)
    (tmp_path / "docs" / "link.md").symlink_to(tmp_path / "README.md")
    (tmp_path / "broken.md").symlink_to("nowhere.md")
    (tmp_path / "folder.md").mkdir()
    found = documents(tmp_path, skip=(Path("old"), tmp_path / "out" / "deep"))
    assert found == sorted(tmp_path / name for name in kept)
    with pytest.raises(LedgerError, match="not a directory"):
        documents(tmp_path / "none")


def test_a_directory_that_cannot_be_looked_into_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a")
    # Too long a path for a name below it: refused by the system to root as well.
    deep = tmp_path
    while len(str(deep)) < 3900:
        deep /= "d" * 100
    deep /= "d" * (4092 - len(str(deep)))
    deep.mkdir(parents=True)
    assert documents(tmp_path) == [tmp_path / "a.md"]


def test_a_file_that_goes_while_files_are_listed_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("a")
    monkeypatch.setattr("os.walk", lambda root: [(str(root), [], ["a.md", "gone.md"])])
    assert documents(tmp_path) == [tmp_path / "a.md"]
