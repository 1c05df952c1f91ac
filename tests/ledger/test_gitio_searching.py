import os
import subprocess
from pathlib import Path

import pytest
from test_gitio_state import git

from ledger import gitio


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / ".gitignore").write_text("*.log\nbuild/\n")
    (folder / "a.txt").write_bytes(b"one\nfigure 4.3 h\r\nthree figure\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def paths(folder: Path, pattern: str = "figure", **options: tuple[str, ...]) -> list[str]:
    return sorted({line.path for line in gitio.grep(folder, pattern, **options)})


def test_lines_come_with_path_number_and_text(repo: Path) -> None:
    assert gitio.grep(repo, "figure") == (
        gitio.Line("a.txt", 2, "figure 4.3 h\r"),
        gitio.Line("a.txt", 3, "three figure"),
    )
    assert gitio.grep(repo, "no such thing") == ()


def test_untracked_files_count_and_ignored_ones_do_not_unless_they_are_tracked(repo: Path) -> None:
    (repo / "new.txt").write_text("figure")
    (repo / "run.log").write_text("figure")
    (repo / "build").mkdir()
    (repo / "build/x").write_text("figure")
    assert paths(repo) == ["a.txt", "new.txt"]
    (repo / "forced.log").write_text("figure\n")
    git(repo, "add", "-f", "forced.log", "build/x")
    assert paths(repo) == ["a.txt", "build/x", "forced.log", "new.txt"]
    assert len(gitio.grep(repo, "figure")) == len(set(gitio.grep(repo, "figure")))


def test_hostile_names_and_bytes_come_through(repo: Path) -> None:
    names = ["new\nline", '"quoted"', "-e", "--help", ":(top)x", "tab\there", "\x1b[31m", "ünï"]
    for name in names:
        (repo / name).write_text("figure\n")
    raw = os.fsdecode(b"latin-\xe9")
    (repo / raw).write_bytes(b"caf\xe9 figure\n")
    found = {line.path: line for line in gitio.grep(repo, "figure")}
    assert found.keys() == {"a.txt", raw, *names}
    assert found[raw].text.encode("utf-8", "surrogateescape") == b"caf\xe9 figure"
    for path in found:
        assert (repo / path).is_file()


def test_binary_files_and_links_are_left_out(repo: Path) -> None:
    (repo / "binary").write_bytes(b"figure\n\0")
    (repo / "link").symlink_to("a.txt")
    assert paths(repo) == ["a.txt"]


def test_only_and_exclude_are_relative_to_the_directory(repo: Path) -> None:
    sub = repo / "sub"
    for name in ("claims/x.json", "deep/claims/y.json", "b.MD", "deep/c.md"):
        (sub / name).parent.mkdir(parents=True, exist_ok=True)
        (sub / name).write_text("figure\n")
    (repo / "claims").mkdir()
    (repo / "claims/outside").write_text("figure\n")
    assert paths(sub, exclude=("claims/**",)) == ["b.MD", "deep/c.md", "deep/claims/y.json"]
    assert paths(sub, only=("**/*.[mM][dD]",)) == ["b.MD", "deep/c.md"]


def test_no_setting_changes_the_answer_or_runs_a_program(
    repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = repo.parent / "ran"
    program = repo.parent / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n")
    program.chmod(0o700)
    (repo / ".gitattributes").write_text("*.txt diff=odd\n")
    for key, value in (
        ("grep.patternType", "fixed"), ("grep.lineNumber", "false"), ("grep.column", "true"),
        ("grep.fullName", "true"), ("color.ui", "always"), ("color.grep", "always"),
        ("submodule.recurse", "true"), ("core.quotePath", "true"), ("core.pager", str(program)),
        ("core.fsmonitor", str(program)), ("diff.odd.textconv", str(program)),
        ("grep.fallbackToNoIndex", "true"), ("core.hooksPath", str(repo.parent)),
    ):  # fmt: skip
        git(repo, "config", key, value)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(repo.parent / "elsewhere"))
    for name in ("GIT_LITERAL_PATHSPECS", "GIT_ICASE_PATHSPECS"):
        monkeypatch.setenv(name, "1")
    found = gitio.grep(repo, "fig[a-z]+ 4", exclude=("b/**",))
    assert found == (gitio.Line("a.txt", 2, "figure 4.3 h\r"),)
    assert not ran.exists()


def test_a_long_pattern_goes_in(repo: Path) -> None:
    pattern = "|".join(f"nothing{number:09d}" for number in range(10_000)) + "|4\\.3 h"
    assert [line.number for line in gitio.grep(repo, pattern)] == [2]


def test_no_repository_and_failures_are_two_answers(
    tmp_path: Path, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    bare = tmp_path / "bare"
    bare.mkdir()
    with pytest.raises(gitio.NoRepositoryError):
        gitio.grep(bare, "x")
    git(bare, "init", "-q", "--bare")
    with pytest.raises(gitio.GitFailedError, match="work tree"):
        gitio.grep(bare, "x")
    with pytest.raises(gitio.GitFailedError, match=r"fatal: .*[(]"):
        gitio.grep(repo, "(")

    def slow(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("git", 1)

    monkeypatch.setattr(subprocess, "run", slow)
    with pytest.raises(gitio.GitFailedError, match="did not answer in 60 s"):
        gitio.grep(repo, "x")
    monkeypatch.undo()
    monkeypatch.setenv("PATH", "")
    with pytest.raises(gitio.GitFailedError, match="could not run"):
        gitio.grep(repo, "x")
