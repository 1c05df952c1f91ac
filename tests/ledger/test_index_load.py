import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger import canonical, index, store
from ledger.codec import encode
from ledger.entry import By, Claim, Evidence, Instrument, Quantity, Recorded
from ledger.index import refresh, table


def claim(statement: str, *, at: str = "2026-01-05", **fields: Any) -> Claim:
    return Claim(
        recorded=Recorded(at=f"{at}T09:30:00.000000Z", host="node-1"),
        statement=statement,
        by=By(name="arm-1"),
        basis="derivation",
        **fields,
    )


@pytest.fixture
def ledger(tmp_path: Path) -> store.Ledger:
    """Three entries, one of them edited afterwards, and an index of them."""
    ledger = store.init(tmp_path)
    store.write(ledger, claim("Attention is most of the step.", about={"seat": None}))
    quantity = Quantity(name="step", value=canonical.Number("35.20"), unit="s")
    recorded = Recorded(at="2026-02-01T00:00:00.000000Z", user="me")
    instrument = Instrument(name="stopwatch", version="1")
    store.write(ledger, Evidence(recorded=recorded, instrument=instrument, quantities=(quantity,)))
    path = ledger.root / store.write(ledger, claim("Edited")).path
    path.write_bytes(path.read_bytes().replace(b"Edited", b"edited"))
    return ledger


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read, not taken from the index."""
    seen: list[str] = []
    real = store.read_file

    def read_file(path: Path, *, relative: str) -> store.Stored | store.Problem:
        seen.append(relative)
        return real(path, relative=relative)

    monkeypatch.setattr(refresh, "read_file", read_file)
    return seen


def test_a_second_load_reads_no_file_and_gives_the_same(
    ledger: store.Ledger, reads: list[str]
) -> None:
    first = index.load(ledger)
    assert len(reads) == 3
    reads.clear()
    assert index.load(ledger) == first == store.read_all(ledger)
    assert reads == []
    assert len(first.entries) == 2
    assert [problem.slug for problem in first.problems] == ["id-mismatch"]


def test_a_number_keeps_its_value_in_the_index_and_its_digits_in_the_file(
    ledger: store.Ledger,
) -> None:
    index.load(ledger)
    loaded = index.load(ledger)
    (i,) = [i for i, entry in loaded.entries.items() if isinstance(entry, Evidence)]
    evidence = loaded.entries[i]
    assert isinstance(evidence, Evidence)
    assert evidence.quantities[0].value == 35.2
    assert '"value": 35.20,' in (ledger.root / loaded.paths[i]).read_text()


def test_only_new_files_are_read_and_vanished_ones_forgotten(
    ledger: store.Ledger, reads: list[str]
) -> None:
    old = index.load(ledger)
    reads.clear()
    written = store.write(ledger, claim("New"))
    assert set(index.load(ledger).entries) == {*old.entries, written.id}
    assert reads == [written.path]
    (ledger.root / written.path).unlink()
    assert index.load(ledger) == old
    assert index.sql(ledger, "SELECT count(*) FROM file").rows == [(3,)]


def test_recording_through_the_index_spares_the_next_load_the_file(
    ledger: store.Ledger, reads: list[str]
) -> None:
    index.load(ledger)
    reads.clear()
    written = index.record(ledger, claim("New"))
    assert written.new
    assert index.load(ledger) == store.read_all(ledger)
    assert reads == []
    assert not index.record(ledger, claim("New", at="2026-03-01")).new


def test_recording_many_through_the_index_spares_the_next_load_their_files(
    ledger: store.Ledger, reads: list[str]
) -> None:
    index.load(ledger)
    reads.clear()
    written = index.record_all(ledger, (claim("New"), claim("Newer"), claim("New")))
    assert [item.new for item in written] == [True, True, False]
    loaded = index.load(ledger)
    assert {item.id for item in written} <= set(loaded.entries)
    assert reads == []
    assert loaded == store.read_all(ledger)


def test_recording_never_fails_for_the_index(ledger: store.Ledger) -> None:
    ledger.index_path.write_bytes(b"garbage" * 1000)
    written = index.record(ledger, claim("New"))
    assert written.id in index.load(ledger).entries


def test_an_edit_in_place_is_seen_although_size_and_mtime_stay(ledger: store.Ledger) -> None:
    loaded = index.load(ledger)
    (path,) = [loaded.paths[i] for i, e in loaded.entries.items() if isinstance(e, Claim)]
    file = ledger.root / path
    before = file.stat()
    time.sleep(0.02)
    with file.open("r+b") as stream:
        stream.write(file.read_bytes().replace(b"most", b"half"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    for found in (index.load(ledger), index.rebuild(ledger), index.load(ledger)):
        assert path in {problem.path for problem in found.problems}
        assert path not in found.paths.values()


def test_rebuilding_hashes_every_file_whatever_the_index_says(
    ledger: store.Ledger, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = index.load(ledger)
    (path,) = [loaded.paths[i] for i, e in loaded.entries.items() if isinstance(e, Claim)]
    file = ledger.root / path
    stamps = store.scan(ledger)
    file.write_bytes(file.read_bytes().replace(b"most", b"half"))
    # As if nothing could be told from the outside.
    monkeypatch.setattr(refresh, "scan", lambda _: stamps)
    assert index.load(ledger) == loaded
    reads.clear()
    assert path not in index.rebuild(ledger).paths.values()
    assert len(reads) == 3
    assert path not in index.load(ledger).paths.values()


def test_permission_granted_again_is_noticed(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("ledger.store.reading.read_bytes", forbidden)
    assert index.load(ledger).entries == {}
    monkeypatch.undo()
    assert len(index.load(ledger).entries) == 2


def test_a_problem_that_another_version_found_is_looked_at_again(
    ledger: store.Ledger, reads: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as other:
        other.setattr("ledger.index.rows.__version__", "0.0.0")
        index.load(ledger)
    reads.clear()
    loaded = index.load(ledger)
    assert reads == [problem.path for problem in loaded.problems]
    assert len(reads) == 1


def damaged_truncated(ledger: store.Ledger) -> None:
    content = ledger.index_path.read_bytes()
    ledger.index_path.write_bytes(content[: len(content) // 2])


def damaged_garbage(ledger: store.Ledger) -> None:
    ledger.index_path.write_bytes(os.urandom(20_000))


def damaged_empty(ledger: store.Ledger) -> None:
    ledger.index_path.write_bytes(b"")


def damaged_pages(ledger: store.Ledger) -> None:
    content = bytearray(ledger.index_path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    ledger.index_path.write_bytes(content)


def damaged_deleted(ledger: store.Ledger) -> None:
    ledger.index_path.unlink()


def damaged_directory_deleted(ledger: store.Ledger) -> None:
    for path in ledger.index_path.parent.iterdir():
        path.unlink()
    ledger.index_path.parent.rmdir()


def damaged_newer(ledger: store.Ledger) -> None:
    with closing(sqlite3.connect(ledger.index_path)) as connection:
        connection.execute("ALTER TABLE file RENAME COLUMN content TO body")
        connection.execute("PRAGMA user_version = 99")


def damaged_foreign(ledger: store.Ledger) -> None:
    ledger.index_path.unlink()
    with closing(sqlite3.connect(ledger.index_path)) as connection:
        connection.execute("CREATE TABLE file (a)")


def damaged_rows(ledger: store.Ledger) -> None:
    with closing(sqlite3.connect(ledger.index_path)) as connection:
        connection.execute("UPDATE file SET content = replace(content, 'most', 'half')")
        connection.commit()


def damaged_types(ledger: store.Ledger) -> None:
    with closing(sqlite3.connect(ledger.index_path)) as connection:
        connection.execute("UPDATE file SET content = NULL, at = 3")
        connection.commit()


DAMAGES = [value for name, value in sorted(globals().items()) if name.startswith("damaged_")]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_index_costs_one_rebuild(
    ledger: store.Ledger, reads: list[str], damage: Any
) -> None:
    loaded = index.load(ledger)
    damage(ledger)
    reads.clear()
    assert index.load(ledger) == loaded
    assert len(reads) >= 3
    reads.clear()
    assert index.load(ledger) == loaded
    assert reads == []
    assert (ledger.index_path.parent / ".gitignore").read_text() == "*\n"


def test_a_directory_or_file_in_the_way_of_the_index_is_no_error(ledger: store.Ledger) -> None:
    expected = store.read_all(ledger)
    ledger.index_path.mkdir()
    assert index.load(ledger) == expected
    assert index.search(ledger, "attention") == index.search(ledger, "ATTENTION") != []
    ledger.index_path.rmdir()
    (ledger.index_path.parent / ".gitignore").unlink()
    ledger.index_path.parent.rmdir()
    ledger.index_path.parent.write_text("")
    assert index.load(ledger) == expected == index.rebuild(ledger)
    assert index.sql(ledger, "SELECT count(*) FROM claims").rows == [(1,)]


HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("how", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_an_index_locked_by_another_process_loses_no_entry(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(table, "BUSY_MS", 50)
    assert index.search(ledger, "locked") == []
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(ledger.index_path), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        written = index.record(ledger, claim("Written while locked"))
        assert index.load(ledger) == store.read_all(ledger)
        assert index.search(ledger, "locked") == [written.id]
        holder.communicate()
    assert index.load(ledger) == store.read_all(ledger)
    assert index.search(ledger, "locked") == [written.id]


LOADER = """
import sys
from pathlib import Path
from ledger import index, store
for _ in range(5):
    print(len(index.load(store.find(Path(sys.argv[1]))).entries))
"""


def test_concurrent_refreshers_agree(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    for i in range(30):
        store.write(ledger, claim(f"statement {i}"))
    loaders = [
        subprocess.Popen(
            [sys.executable, "-c", LOADER, str(tmp_path)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(6)
    ]
    answers = [loader.communicate()[0].split() for loader in loaders]
    assert answers == [["30"] * 5] * 6
    assert index.sql(ledger, "SELECT count(*) FROM entries").rows == [(30,)]


def test_an_index_that_is_a_link_is_not_followed(ledger: store.Ledger, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE theirs (a)")
    before = other.read_bytes()
    expected = index.load(ledger)
    for path in ledger.index_path.parent.glob("index.sqlite*"):
        path.unlink()
    ledger.index_path.symlink_to(other)
    assert index.load(ledger).entries == expected.entries
    assert other.read_bytes() == before


@pytest.mark.parametrize("text", ["35.20", "1.0", "1e-3", "0.00001", "12345678901234567.25", "7"])
def test_numbers_come_back_with_the_digits_they_were_written_with(
    tmp_path: Path, text: str
) -> None:
    ledger = store.init(tmp_path)
    entry = Evidence(
        recorded=Recorded(at="2026-06-01T00:00:00.000000Z"),
        instrument=Instrument(name="stopwatch", version="1"),
        quantities=(Quantity(name="step", value=canonical.number(text), unit="s"),),
    )
    store.write(ledger, entry)
    for _ in range(3):
        (loaded,) = index.load(ledger).entries.values()
        assert f'"value":{text}' in canonical.compact(encode(loaded))
