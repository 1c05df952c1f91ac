import json
import os
import random
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical, store
from ledger.codec import encode, id_of
from ledger.entry import By, Claim, Recorded
from ledger.errors import LedgerError

DAY = "claims/2026-01/05-claim-c-0123456789ab.json"


def claim(statement: str = "Attention is most of the step.", *, at: str = "2026-01-05") -> Claim:
    return Claim(
        recorded=Recorded(at=f"{at}T09:30:00.000000Z"),
        statement=statement,
        by=By(name="arm-1"),
        basis="derivation",
    )


@pytest.fixture
def ledger(tmp_path: Path) -> store.Ledger:
    """A ledger with one good entry, which must load whatever lies beside it."""
    ledger = store.init(tmp_path)
    store.write(ledger, claim("good"))
    return ledger


def only_problem(ledger: store.Ledger) -> store.Problem:
    loaded = store.read_all(ledger)
    statements = [e.statement for e in loaded.entries.values() if isinstance(e, Claim)]
    assert statements == ["good"]
    (problem,) = loaded.problems
    assert problem.message
    assert problem.got
    assert problem.expected
    return problem


def put(ledger: store.Ledger, relative: str, content: bytes) -> Path:
    path = ledger.root / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_an_empty_ledger_is_empty(tmp_path: Path) -> None:
    loaded = store.read_all(store.init(tmp_path))
    assert (loaded.entries, loaded.paths, loaded.problems) == ({}, {}, ())


def test_an_edited_entry_is_not_loaded_and_both_ids_are_named(ledger: store.Ledger) -> None:
    written = store.write(ledger, claim("was right"))
    path = ledger.root / written.path
    path.write_bytes(path.read_bytes().replace(b"right", b"wrong"))
    problem = only_problem(ledger)
    assert (problem.slug, problem.path) == ("id-mismatch", written.path)
    assert problem.expected == written.id
    assert problem.got == id_of(encode(claim("was wrong")))


VALID = canonical.readable(encode(claim("x")))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "JSON"),
        (VALID[:-20], "JSON"),
        (b"\xff\xfe{}", "utf-8"),
        (b"\xef\xbb\xbf" + VALID, "BOM"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"kind": "claim", "kind": "claim"}', "duplicate key"),
        (b'{"kind": NaN}', "NaN"),
        (b"<<<<<<< HEAD\n" + VALID, "unresolved merge"),
        (b"[]", "an entry of kind"),
        (b'{"kind": "clam"}', "an entry of kind"),
        (b'{"kind": "claim", "statement": "\\ud800"}', "Unicode"),
    ],
)
def test_a_file_that_is_no_entry_is_named_with_the_reason(
    ledger: store.Ledger, content: bytes, reason: str
) -> None:
    put(ledger, DAY, content)
    problem = only_problem(ledger)
    assert (problem.slug, problem.path) == ("unreadable", DAY)
    assert reason in problem.message


def authentic(data: dict[str, object]) -> tuple[str, bytes]:
    """A file whose id is right, whatever its content."""
    entry_id = id_of(data)
    return f"claims/2026-01/05-{data['kind']}-{entry_id}.json", canonical.readable(data)


@pytest.mark.parametrize(
    ("extra", "reason"),
    [
        ({"basis": "vibes"}, "basis"),
        ({"surprise": 1}, "surprise"),
        ({"expires": "2026-02-30"}, "expires"),
        ({"tags": []}, "another spelling of c-"),
    ],
)
def test_an_invalid_entry_with_the_right_id_is_not_loaded(
    ledger: store.Ledger, extra: dict[str, object], reason: str
) -> None:
    path, content = authentic({**encode(claim("x")), **extra})
    put(ledger, path, content)
    problem = only_problem(ledger)
    assert problem.slug == "unreadable"
    assert reason in problem.message


@pytest.mark.parametrize(
    "relative",
    [
        "claims/stray.json",
        "claims/2026-01/notes.json",
        "claims/2026-01/05-claim-c-0123456789AB.json",
        "claims/archive/05-claim-c-0123456789ab.json",
    ],
)
def test_json_that_is_named_or_placed_otherwise_is_not_passed_over(
    ledger: store.Ledger, relative: str
) -> None:
    put(ledger, relative, VALID)
    problem = only_problem(ledger)
    assert (problem.slug, problem.path) == ("unreadable", relative)


@pytest.mark.parametrize(
    "relative",
    [
        "claims/2026-01/.tmp-05-claim-c-0123456789ab-1-ab",
        "claims/2026-01/.hidden.json",
        "claims/2026-01/README.md",
        "claims/notes.txt",
        "claims/.git/x.json",
    ],
)
def test_other_files_are_none_of_the_ledgers_business(ledger: store.Ledger, relative: str) -> None:
    put(ledger, relative, b"{")
    assert store.read_all(ledger).problems == ()


def test_a_directory_named_like_an_entry_is_named(ledger: store.Ledger) -> None:
    (ledger.root / DAY).mkdir()
    assert only_problem(ledger).got == "a directory"


@pytest.mark.parametrize("target", [Path(DAY).name, "nowhere", "../../../etc/passwd"])
def test_links_are_not_followed(ledger: store.Ledger, target: str) -> None:
    (ledger.root / DAY).symlink_to(target)
    assert only_problem(ledger).got == "a link or device"


def test_a_link_in_place_of_a_month_is_named(ledger: store.Ledger) -> None:
    (ledger.claims / "2025-12").symlink_to("2026-01")
    assert only_problem(ledger).path == "claims/2025-12"


def test_nothing_waits_for_a_pipe_or_socket(ledger: store.Ledger) -> None:
    os.mkfifo(ledger.root / DAY)
    assert only_problem(ledger).slug == "unreadable"
    (ledger.root / DAY).unlink()
    found = store.read_file(ledger.root / "claims", relative="claims")
    assert isinstance(found, store.Problem)
    os.mkfifo(ledger.root / "pipe")
    found = store.read_file(ledger.root / "pipe", relative="pipe")
    assert isinstance(found, store.Problem)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(ledger.root / "s"))
        assert isinstance(store.read_file(ledger.root / "s", relative="s"), store.Problem)


def test_a_name_that_is_no_text_is_shown_escaped(ledger: store.Ledger) -> None:
    with open(os.fsencode(ledger.claims / "2026-01") + b"/\xff.json", "wb"):  # noqa: PTH123
        pass
    assert only_problem(ledger).path == "claims/2026-01/\\xff.json"


FORBIDDEN = """
import os, sys, json
from pathlib import Path
import ledger.intake, pydantic, sqlite3
from ledger import store, index
found = store.find(Path(sys.argv[1]))
store.read_all(found)
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
for loaded in (store.read_all(found), index.load(found)):
    print(json.dumps([len(loaded.entries), [p.path + ": " + p.got for p in loaded.problems]]))
"""


@pytest.mark.parametrize("what", ["file", "month"])
def test_what_may_not_be_read_is_named_and_the_rest_loads(what: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        ledger = store.init(root)
        store.write(ledger, claim("good", at="2026-02-01"))
        path = ledger.root / store.write(ledger, claim("secret")).path
        closed = path if what == "file" else path.parent
        closed.chmod(0)
        done = subprocess.run(
            [sys.executable, "-c", FORBIDDEN, folder], capture_output=True, text=True, check=False
        )
        closed.chmod(stat.S_IRWXU)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        count, problems = json.loads(line)
        assert count == 1
        (problem,) = problems
        assert "Permission denied" in problem
    assert len(done.stdout.splitlines()) == 2


def test_a_ledger_whose_claims_have_gone_is_damage(ledger: store.Ledger) -> None:
    ledger.claims.rename(ledger.root / "gone")
    with pytest.raises(LedgerError) as caught:
        store.read_all(ledger)
    assert caught.value.code == "damaged"


def test_a_moved_entry_is_loaded_and_reported(ledger: store.Ledger) -> None:
    written = store.write(ledger, claim("moved"))
    elsewhere = f"claims/2025-12/{Path(written.path).name}"
    (ledger.root / "claims/2025-12").mkdir()
    (ledger.root / written.path).rename(ledger.root / elsewhere)
    loaded = store.read_all(ledger)
    assert loaded.paths[written.id] == elsewhere
    (problem,) = loaded.problems
    assert (problem.slug, problem.got) == ("id-mismatch", elsewhere)
    assert problem.expected == written.path


def test_an_entry_recorded_on_two_branches_counts_from_the_earlier(ledger: store.Ledger) -> None:
    early, late = claim("twice", at="2026-01-07"), claim("twice", at="2026-03-01")
    entry_id = id_of(encode(early))
    for entry in (late, early):
        put(ledger, store.path_of(entry, entry_id), canonical.readable(encode(entry)))
    loaded = store.read_all(ledger)
    assert loaded.entries[entry_id] == early
    assert loaded.paths[entry_id] == store.path_of(early, entry_id)
    assert loaded.problems == ()


@given(seed=st.integers(), days=st.lists(st.integers(1, 28), min_size=1, max_size=6))
def test_the_order_of_reading_does_not_matter(seed: int, days: list[int]) -> None:
    read: list[store.Stored | store.Problem] = []
    for i, day in enumerate(days):
        entry = claim(f"statement {i % 3}", at=f"2026-01-{day:02d}")
        entry_id = id_of(encode(entry))
        read.append(store.as_stored(entry, entry_id, store.path_of(entry, entry_id)))
        problem = store.Problem(
            slug="unreadable", path=f"claims/{i}", got="a", expected="b", message="c"
        )
        read.append(problem)
    found = store.Scan(files={}, problems=())
    expected = store.collect(read, found)
    random.Random(seed).shuffle(read)  # noqa: S311 - order, not secrets
    loaded = store.collect(read, found)
    assert loaded == expected
    assert list(loaded.entries) == list(expected.entries)
    times = [entry.recorded.at for entry in loaded.entries.values()]
    assert times == sorted(times)


def test_a_file_beyond_the_limit_is_named(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = store.write(ledger, claim("x" * 2000))
    monkeypatch.setattr("ledger.store.reading.FILE_LIMIT", 1000)
    assert only_problem(ledger).path == written.path
    monkeypatch.setattr("ledger.store.writing.FILE_LIMIT", 1000)
    with pytest.raises(LedgerError, match="would not read back"):
        store.write(ledger, claim("y" * 2000))
