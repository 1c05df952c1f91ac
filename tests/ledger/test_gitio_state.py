import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import gitio
from ledger.gitio import porcelain, repository


def git(folder: Path, *arguments: str) -> str:
    settings = {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        check=True,
    )
    return done.stdout.decode(errors="replace").strip()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """One commit on `main` with two files."""
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    (folder / "train.py").write_text("steps = 1\n")
    (folder / "sub").mkdir()
    (folder / "sub/config.yaml").write_text("seq_len: 2048\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    return folder


def test_clean_names_commit_branch_and_description(repo: Path) -> None:
    git(repo, "tag", "v1")
    state = gitio.state(repo)
    assert state.state == "clean"
    assert state.oid == git(repo, "rev-parse", "HEAD")
    assert (state.branch, state.describe) == ("main", "v1")
    assert (state.dirty, state.diff_sha256, state.reason) == ((), None, None)


def test_untracked_only_is_dirty(repo: Path) -> None:
    (repo / "new.py").write_text("")
    state = gitio.state(repo)
    assert (state.state, state.dirty) == ("dirty", ("?? new.py",))
    assert state.diff_sha256 == hashlib.sha256(b"").hexdigest()


def test_modified_and_staged_are_dirty_with_the_digest_of_the_diff(repo: Path) -> None:
    (repo / "train.py").write_text("steps = 2\n")
    (repo / "sub/config.yaml").write_bytes(b"\0binary")
    git(repo, "add", "sub")
    state = gitio.state(repo)
    assert state.state == "dirty"
    assert set(state.dirty) == {".M train.py", "M. sub/config.yaml"}
    diff = subprocess.run(
        ["git", "diff", "HEAD", "--binary"], cwd=repo, capture_output=True, check=True
    ).stdout
    assert state.diff_sha256 == hashlib.sha256(diff).hexdigest()


def test_a_staged_rename_lists_both_names(repo: Path) -> None:
    git(repo, "mv", "train.py", "run.py")
    assert set(gitio.state(repo).dirty) == {"R. run.py", "R. train.py"}


def test_a_deleted_file_is_dirty(repo: Path) -> None:
    (repo / "train.py").unlink()
    assert gitio.state(repo).dirty == (".D train.py",)


def test_a_subdirectory_answers_for_the_whole_repository(repo: Path) -> None:
    (repo / "new.py").write_text("")
    assert gitio.state(repo / "sub") == gitio.state(repo)
    assert gitio.state(repo).state == "dirty"


def test_an_untracked_file_in_a_submodule_is_dirty(repo: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repo), "dep")
    git(outer, "config", "-f", ".gitmodules", "submodule.dep.ignore", "all")
    git(outer, "add", ".")
    git(outer, "commit", "-q", "-m", "one")
    assert gitio.state(outer).state == "clean"
    (outer / "dep/new.py").write_text("")
    assert gitio.state(outer).dirty == (".M S..U dep",)
    assert gitio.state(outer / "dep").dirty == ("?? new.py",)
    (outer / "dep/new.py").unlink()
    git(outer / "dep", "update-index", "--assume-unchanged", "train.py")
    assert gitio.state(outer).dirty == ("hidden dep/train.py",)


def test_a_detached_head_has_no_branch(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    state = gitio.state(repo)
    assert (state.state, state.branch) == ("clean", None)
    assert state.oid


def test_without_a_commit_it_is_never_clean(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    state = gitio.state(tmp_path)
    assert (state.state, state.oid, state.branch) == ("unknown", None, "main")
    assert "no commit" in (state.reason or "")
    (tmp_path / "a").write_text("")
    state = gitio.state(tmp_path)
    assert (state.state, state.dirty, state.oid) == ("dirty", ("?? a",), None)


def test_a_bare_repository_is_unknown(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare")
    state = gitio.state(tmp_path)
    assert state.state == "unknown"
    assert "bare" in (state.reason or "")


def test_a_worktree_answers_for_itself(repo: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    git(repo, "worktree", "add", "-q", "-b", "side", str(other))
    (other / "new.py").write_text("")
    assert gitio.state(repo).state == "clean"
    state = gitio.state(other)
    assert (state.state, state.branch) == ("dirty", "side")


def test_no_repository_is_none(tmp_path: Path) -> None:
    assert gitio.state(tmp_path).state == "none"


def test_a_broken_repository_is_unknown(repo: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    (tmp_path / "x").mkdir()
    assert gitio.state(tmp_path / "x").state == "unknown"
    (repo / ".git/index").write_bytes(b"garbage")
    state = gitio.state(repo)
    assert state.state == "unknown"
    assert state.reason


def test_a_directory_that_does_not_exist_is_unknown(tmp_path: Path) -> None:
    assert gitio.state(tmp_path / "nowhere").state == "unknown"


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_a_hidden_change_is_dirty(repo: Path, flag: str) -> None:
    git(repo, "update-index", flag, "sub/config.yaml")
    (repo / "sub/config.yaml").write_text("seq_len: 8192\n")
    assert git(repo, "status", "--porcelain") == ""
    assert gitio.state(repo).dirty == ("hidden sub/config.yaml",)
    assert gitio.state(repo / "sub").dirty == ("hidden sub/config.yaml",)


def test_a_sparse_checkout_hides_nothing(repo: Path) -> None:
    git(repo, "sparse-checkout", "set", "--no-cone", "/train.py")
    assert not (repo / "sub/config.yaml").exists()
    assert gitio.state(repo).state == "clean"
    (repo / "sub").mkdir(exist_ok=True)
    (repo / "sub/config.yaml").write_text("seq_len: 8192\n")
    assert gitio.state(repo).state == "dirty"


def test_odd_names_are_listed_as_they_are(repo: Path) -> None:
    for name in (b'a\n"b" \tc', b"\xff\xfe", "é ß".encode()):
        with open(os.fsencode(repo) + b"/" + name, "wb"):  # noqa: PTH123 - bytes
            pass
    assert set(gitio.state(repo).dirty) == {'?? a\n"b" \tc', "?? \\xff\\xfe", "?? é ß"}


def test_what_is_ignored_does_not_count(repo: Path) -> None:
    for name in ("claims/a.json", ".ledger/index.sqlite", "claims2/b", "sub/claims/c"):
        (repo / name).parent.mkdir(parents=True, exist_ok=True)
        (repo / name).write_text("1")
    ignore = ("claims", ".ledger")
    assert gitio.state(repo, ignore=ignore).dirty == ("?? claims2/b", "?? sub/claims/c")
    assert gitio.state(repo / "sub", ignore=("claims",)).dirty == (
        "?? .ledger/index.sqlite",
        "?? claims/a.json",
        "?? claims2/b",
    )
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "two")
    (repo / "claims/a.json").write_text("2")
    assert gitio.state(repo, ignore=ignore).state == "clean"
    (repo / "train.py").write_text("steps = 3\n")
    with_claims = gitio.state(repo, ignore=ignore)
    git(repo, "checkout", "-q", "claims")
    assert with_claims == gitio.state(repo)


def test_a_long_list_is_cut_and_counted(repo: Path) -> None:
    for i in range(203):
        (repo / f"new{i:03d}").write_text("")
    dirty = gitio.state(repo).dirty
    assert len(dirty) == 201
    assert dirty[-1] == "and 3 more"


def test_the_repository_gets_to_run_nothing(repo: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\n")
    script.chmod(0o755)
    (repo / ".gitattributes").write_text("*.py diff=evil\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "two")
    (repo / "hooks").mkdir()
    for hook in ("post-index-change", "fsmonitor-watchman", "reference-transaction"):
        (repo / "hooks" / hook).symlink_to(script)
    for key, value in {
        "core.fsmonitor": str(script),
        "core.hooksPath": "hooks",
        "core.pager": str(script),
        "diff.external": str(script),
        "diff.evil.textconv": str(script),
        "diff.evil.command": str(script),
        "log.showSignature": "true",
        "gpg.program": str(script),
    }.items():
        git(repo, "config", key, value)
    (repo / "train.py").write_text("steps = 4\n")
    assert gitio.state(repo).state == "dirty"
    assert gitio.rewritten(repo, repo / "sub") == ()
    assert not ran.exists()
    # The trap is armed: plain git does run it.
    git(repo, "status")
    assert ran.exists()


def test_a_submodule_gets_to_run_nothing(repo: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho $0 $@ >> {ran}\n")
    script.chmod(0o755)
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    git(outer, "submodule", "--quiet", "add", str(repo), "dep")
    git(outer, "commit", "-q", "-m", "one")
    git(outer / "dep", "config", "core.fsmonitor", str(script))
    assert gitio.state(outer).state == "clean"
    assert not ran.exists()
    git(outer, "status")
    assert ran.exists()


def test_nothing_is_written(repo: Path) -> None:
    index = repo / ".git/index"
    os.utime(repo / "train.py", (1e9, 1e9))  # git would like to refresh its index now
    before = index.read_bytes(), sorted(path.name for path in (repo / ".git").iterdir())
    gitio.state(repo)
    assert (index.read_bytes(), sorted(path.name for path in (repo / ".git").iterdir())) == before


def test_the_environment_cannot_send_git_to_another_repository(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = gitio.state(repo)
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert gitio.state(repo) == expected
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    assert gitio.state(repo).state == "unknown"
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(repo))
    assert gitio.state(repo) == expected


def test_another_owner_is_unknown(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    state = gitio.state(repo)
    assert state.state == "unknown"
    assert "dubious ownership" in (state.reason or "")


def test_a_git_that_does_not_answer_in_time_is_unknown(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    (bin_ / "git").write_text("#!/bin/sh\nexec sleep 30\n")
    (bin_ / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")
    monkeypatch.setattr(repository, "TIMEOUT_S", 0.3)
    state = gitio.state(repo)
    assert state.state == "unknown"
    assert "did not complete" in (state.reason or "")


def test_without_git_it_is_unknown(repo: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ledger import gitio;"
        "p = Path(sys.argv[1]); s = gitio.state(p); print(s.state, bool(s.reason));"
        "print(gitio.rewritten(p, p))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(repo)],
        env={**os.environ, "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "unknown True\nNone\n", done.stderr


def test_the_module_itself_is_cheap_to_import() -> None:
    code = "import sys, ledger.gitio; print('git' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.parametrize("raw", [b"", b"garbage\0", b"1 .M\0", b"# branch.head main\0"])
def test_an_answer_that_is_not_understood_is_never_clean(raw: bytes) -> None:
    with pytest.raises(porcelain.UnexpectedError):
        porcelain.status(raw)
