"""The installed `ledger` script: real streams, locales, time zones, arguments as bytes."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from command_line import console, tree

TEXT = "π is 3 ä \U0001d518"


def ledger(
    root: Path,
    *words: str | bytes,
    expect: int = 0,
    stdin: bytes = b"",
    environ: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [console(), *words],
        cwd=root,
        input=stdin,
        env={**os.environ, **(environ or {})},
        capture_output=True,
        check=False,
    )
    assert done.returncode == expect, done
    assert b"Traceback" not in done.stderr, done
    return done


@pytest.fixture
def root(tmp_path: Path) -> Path:
    ledger(tmp_path, "init")
    ledger(tmp_path, "claim", "-", "--by", "a", "--expires", "9d", stdin=TEXT.encode())
    return tmp_path


def statement(root: Path) -> str:
    (path,) = root.glob("claims/*/*-claim-*.json")
    return str(json.loads(path.read_bytes())["statement"])


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C"},
        {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
        {"PYTHONIOENCODING": "latin-1"},
    ],
)
def test_other_locales(tmp_path: Path, environment: dict[str, str]) -> None:
    ledger(tmp_path, "init", environ=environment)
    words = ("claim", "-", "--by", "a", "--expires", "9d")
    ledger(tmp_path, *words, stdin=TEXT.encode(), environ=environment)
    assert statement(tmp_path) == TEXT
    ledger(tmp_path, "list", environ=environment)
    done = ledger(tmp_path, "list", "--json", environ=environment)
    assert json.loads(done.stdout)["data"]["rows"][0]["statement"] == TEXT
    error = ledger(tmp_path, "list", "é\U0001d518", "--json", expect=2, environ=environment)
    assert json.loads(error.stderr)["error"]["code"] == "bad-input"


def test_bytes_that_are_no_text_are_refused_with_the_reason(root: Path) -> None:
    before = tree(root)
    for words in ((b"bad \xff", "--by", "a"), ("c", "--by", b"\xff")):
        done = ledger(root, "claim", *words, "--expires", "9d", expect=2)
        assert b"surrogate" in done.stderr
    done = ledger(root, "claim", "-", "--by", "a", "--expires", "9d", expect=2, stdin=b"\xff")
    assert b"not UTF-8" in done.stderr
    assert tree(root) == before


def test_a_reader_that_leaves_early_is_no_error(root: Path) -> None:
    script = f"'{console()}' sql \"$0\" --limit 0 --json; echo $? >&2"
    query = (
        "with recursive n(i) as (select 1 union all select i+1 from n limit 90000) select * from n"
    )
    done = subprocess.run(
        ["bash", "-c", f"({script}) | head -c 9", query], cwd=root, capture_output=True, check=True
    )
    assert done.stdout == b'{"schema"'
    assert done.stderr == b"0\n"


@pytest.mark.parametrize(
    ("streams", "code"), [(">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), (">/dev/full", 6)]
)
def test_a_closed_or_full_standard_output(root: Path, streams: str, code: int) -> None:
    done = subprocess.run(
        ["bash", "-c", f"'{console()}' list {streams}"], cwd=root, capture_output=True, check=False
    )
    assert done.returncode == code
    assert b"Traceback" not in done.stderr
    assert (b"cannot write the output" in done.stderr) is (code == 6)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "UTC"])
def test_the_day_is_the_day_in_utc_everywhere(root: Path, zone: str) -> None:
    words = ("claim", "ends today", "--by", "a", "--expires", "0d", "--json")
    data = json.loads(ledger(root, *words, environ={"TZ": zone}).stdout)["data"]
    assert data["state"]["status"] == "provisional"
    assert data["new"] is True
    again = json.loads(ledger(root, *words, environ={"TZ": "Pacific/Kiritimati"}).stdout)["data"]
    assert again["new"] is False
    done = ledger(root, "list", "--status", "provisional", "--json", environ={"TZ": zone})
    assert json.loads(done.stdout)["data"]["total"] == 2


def test_no_colour_no_prompt_and_the_module_form(root: Path) -> None:
    import sys

    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}):
        done = ledger(root, "audit", environ=environment)
        assert b"\x1b" not in done.stdout + done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "ledger", "list"], cwd=root, capture_output=True, check=True
    )
    assert TEXT.encode() in done.stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write in a read-only directory")
def test_a_read_only_directory_can_be_read_and_refuses_entries(root: Path) -> None:
    places = [root, root / "claims", *(root / "claims").iterdir()]
    for place in places:
        place.chmod(0o555)
    try:
        assert TEXT.encode() in ledger(root, "list").stdout
        done = ledger(root, "claim", "c", "--by", "a", "--expires", "9d", expect=6)
        assert b"cannot write" in done.stderr
    finally:
        for place in places:
            place.chmod(0o755)


def test_two_writers_of_the_same_claim_at_once_make_one_entry(root: Path) -> None:
    words = [console(), "claim", "both", "--by", "a", "--expires", "9d", "--json"]
    running = [subprocess.Popen(words, cwd=root, stdout=subprocess.PIPE) for _ in range(4)]
    answers = [json.loads(each.communicate()[0])["data"] for each in running]
    assert len({answer["id"] for answer in answers}) == 1
    assert [answer["new"] for answer in answers].count(True) == 1
