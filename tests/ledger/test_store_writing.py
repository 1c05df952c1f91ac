import errno
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import canonical, store
from ledger.codec import encode, id_of, to_file
from ledger.entry import By, Claim, Evidence, Instrument, Quantity, Recorded
from ledger.errors import LedgerError
from ledger.store import placing


def claim(statement: str = "Attention is most of the step.", **fields: Any) -> Claim:
    fields = {"at": "2026-01-05T09:30:00.000000Z", "basis": "derivation", **fields}
    recorded = Recorded(at=fields.pop("at"))
    return Claim(recorded=recorded, statement=statement, by=By(name="arm-1"), **fields)


@pytest.fixture
def ledger(tmp_path: Path) -> store.Ledger:
    return store.init(tmp_path)


def names(ledger: store.Ledger) -> list[str]:
    return sorted(path.name for path in ledger.claims.rglob("*") if path.parent != ledger.claims)


def test_an_entry_is_one_readable_file_named_by_day_kind_and_id(ledger: store.Ledger) -> None:
    written = store.write(ledger, claim())
    assert written == store.Written(
        id=id_of(encode(claim())), path=f"claims/2026-01/05-claim-{written.id}.json", new=True
    )
    assert (ledger.root / written.path).read_bytes() == to_file(encode(claim()))
    assert names(ledger) == [f"05-claim-{written.id}.json"]


@pytest.mark.parametrize("at", ["2026-01-05T10:00:00.000000Z", "2027-12-31T09:30:00.000000Z"])
def test_recording_again_answers_with_the_first_file(ledger: store.Ledger, at: str) -> None:
    first = store.write(ledger, claim())
    again = store.write(ledger, claim(at=at))
    assert (again.id, again.path, again.new) == (first.id, first.path, False)
    assert len(names(ledger)) == 1


def test_an_existing_file_that_was_edited_is_damage(ledger: store.Ledger) -> None:
    path = ledger.root / store.write(ledger, claim()).path
    path.write_bytes(path.read_bytes().replace(b"most", b"half"))
    with pytest.raises(LedgerError, match="not what its name says") as caught:
        store.write(ledger, claim())
    assert caught.value.code == "damaged"
    assert path.name in caught.value.message


def test_one_whole_copy_is_enough(ledger: store.Ledger) -> None:
    first = ledger.root / store.write(ledger, claim()).path
    copy = ledger.claims / "2026-02" / first.name
    copy.parent.mkdir()
    copy.write_bytes(first.read_bytes())
    first.write_bytes(b"")
    assert store.write(ledger, claim()).path == f"claims/2026-02/{first.name}"


def test_an_id_taken_by_other_content_is_damage(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.store.writing.id_of", lambda _: "c-0123456789ab")
    assert store.write(ledger, claim("one")).new
    with pytest.raises(LedgerError) as caught:
        store.write(ledger, claim("two"))
    assert caught.value.code == "damaged"


def test_a_file_that_appears_meanwhile_is_not_overwritten(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store.write(ledger, claim())
    monkeypatch.setattr("ledger.store.writing._files_named", lambda *_: {})
    again = store.write(ledger, claim())
    assert (again.path, again.new) == (first.path, False)
    (ledger.root / first.path).write_bytes(b"{}")
    with pytest.raises(LedgerError, match="not what its name says"):
        store.write(ledger, claim())
    assert (ledger.root / first.path).read_bytes() == b"{}"


def test_many_entries_are_written_in_order_and_each_once(ledger: store.Ledger) -> None:
    known = store.write(ledger, claim("two"))
    later = claim("three", at="2026-02-05T09:30:00.000000Z")
    written = store.write_all(ledger, (claim("one"), claim("two"), later, claim("one")))
    assert [item.new for item in written] == [True, False, True, False]
    assert (written[1].id, written[3].path) == (known.id, written[0].path)
    assert set(store.read_all(ledger).entries) == {item.id for item in written}
    assert len(names(ledger)) == 3
    assert store.write_all(ledger, ()) == ()


def test_of_many_entries_none_is_written_where_one_is_refused(ledger: store.Ledger) -> None:
    with pytest.raises(LedgerError, match="statement"):
        store.write_all(ledger, (claim("one"), claim(" ")))
    assert names(ledger) == []


def test_the_directories_of_many_entries_are_synced_after_the_last_of_them(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[str, int]] = []

    def sync(path: Path) -> None:
        synced.append((path.name, len(names(ledger))))

    monkeypatch.setattr("ledger.store.writing.sync_directory", sync)
    later = claim("two", at="2026-02-05T09:30:00.000000Z")
    store.write_all(ledger, (claim("one"), later, claim("three")))
    assert sorted(synced) == [("2026-01", 3), ("2026-02", 3), ("claims", 3)]

    def refuse(path: Path) -> None:
        raise OSError(errno.EIO, "Input/output error", str(path))

    monkeypatch.setattr("ledger.store.writing.sync_directory", refuse)
    with pytest.raises(LedgerError, match="Input/output error"):
        store.write_all(ledger, (claim("four"),))


def test_an_entry_that_could_not_be_read_back_is_refused(ledger: store.Ledger) -> None:
    entry = Evidence(
        recorded=claim().recorded,
        instrument=Instrument(name="stopwatch", version="1"),
        quantities=(Quantity(name="step", value=float("nan"), unit="s"),),
    )
    with pytest.raises(LedgerError) as caught:
        store.write(ledger, entry)
    assert caught.value.code == "bad-input"
    for bad in (claim("\ud800"), claim(" "), claim(expires="soon"), claim(at="../../etc")):
        with pytest.raises(LedgerError) as caught:
            store.write(ledger, bad)
        assert caught.value.code == "bad-input"
    assert names(ledger) == []


TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@settings(max_examples=60, deadline=None)
@given(statement=TEXT.filter(lambda text: bool(text.strip())), value=TEXT)
def test_any_text_comes_back_exactly_and_its_id_from_the_file(
    tmp_path_factory: pytest.TempPathFactory, statement: str, value: str
) -> None:
    ledger = store.init(tmp_path_factory.mktemp("ledger"))
    written = store.write(ledger, claim(statement, about={"seat": value}))
    path = ledger.root / written.path
    assert id_of(canonical.parse(path.read_bytes())) == written.id
    read = store.read_all(ledger).entries[written.id]
    assert isinstance(read, Claim)
    assert (read.statement, read.about["seat"]) == (statement, value)


def failing(call: Callable[..., Any], *, nth: int, code: int) -> Callable[..., Any]:
    calls = iter(range(1_000_000))

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == nth:
            raise OSError(code, os.strerror(code))
        return call(*args, **kwargs)

    return wrapper


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        (errno.ENOSPC, "unavailable"),
        (errno.EDQUOT, "unavailable"),
        (errno.EROFS, "unavailable"),
        (errno.EACCES, "unavailable"),
        (errno.EIO, "damaged"),
    ],
)
@pytest.mark.parametrize(("name", "nth"), [("open", 0), ("write", 0), ("fsync", 0), ("link", 0)])
def test_a_refusing_system_leaves_nothing_behind(
    ledger: store.Ledger,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    nth: int,
    code: int,
    answer: str,
) -> None:
    monkeypatch.setattr(os, name, failing(getattr(os, name), nth=nth, code=code))
    with pytest.raises(LedgerError) as caught:
        store.write(ledger, claim())
    assert caught.value.code == answer
    assert os.strerror(code) in caught.value.message
    assert names(ledger) == []
    monkeypatch.undo()
    assert store.write(ledger, claim()).new


@pytest.mark.parametrize("nth", [1, 2])
def test_an_entry_whose_directory_is_not_yet_on_disk_is_not_acknowledged(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch, nth: int
) -> None:
    monkeypatch.setattr(os, "fsync", failing(os.fsync, nth=nth, code=errno.EIO))
    with pytest.raises(LedgerError):
        store.write(ledger, claim())
    monkeypatch.undo()
    assert len(names(ledger)) == 1
    assert not store.write(ledger, claim()).new


def test_file_and_directories_are_synced_in_that_order_around_the_link(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    real_sync, real_link = os.fsync, os.link

    def sync(descriptor: int) -> None:
        steps.append(os.path.basename(os.readlink(f"/proc/self/fd/{descriptor}"))[:5])  # noqa: PTH115, PTH119
        real_sync(descriptor)

    def link(source: Path, target: Path) -> None:
        steps.append("link")
        real_link(source, target)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(os, "link", link)
    store.write(ledger, claim())
    assert steps == [".tmp-", "link", "2026-", "claim"]
    steps.clear()
    store.write(ledger, claim())
    assert steps == ["2026-"]


def test_short_writes_are_continued(ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: real(fd, data[:7]))
    written = store.write(ledger, claim())
    assert (ledger.root / written.path).read_bytes() == to_file(encode(claim()))


def without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", link)


def test_without_hard_links_an_entry_is_renamed_into_place(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch)
    written = store.write(ledger, claim())
    assert names(ledger) == [Path(written.path).name]
    assert not store.write(ledger, claim()).new


def test_without_hard_links_a_file_that_appears_is_not_overwritten(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch)
    path = ledger.root / store.write(ledger, claim()).path
    before = path.stat().st_ino
    monkeypatch.setattr("ledger.store.writing._files_named", lambda *_: {})
    assert not store.write(ledger, claim()).new
    assert path.stat().st_ino == before
    assert len(names(ledger)) == 1


def test_without_hard_links_a_writer_waits_for_the_one_before(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_links(monkeypatch)
    path = ledger.root / store.path_of(claim(), id_of(encode(claim())))
    path.parent.mkdir()
    reservation = path.with_name(f".tmp-{path.stem}.reserved")
    reservation.touch()
    monkeypatch.setattr(placing, "_RESERVED_S", 0.05)
    with pytest.raises(LedgerError) as caught:
        store.write(ledger, claim())
    assert caught.value.code == "busy"
    monkeypatch.setattr(placing, "_RESERVED_S", 30.0)
    timer = threading.Timer(0.05, reservation.unlink)
    timer.start()
    assert store.write(ledger, claim()).new
    timer.join()


def test_leftovers_are_swept_when_they_are_old(ledger: store.Ledger) -> None:
    written = store.write(ledger, claim())
    month = (ledger.root / written.path).parent
    old, new = month / ".tmp-old", ledger.claims / ".tmp-new"
    for path in (old, new):
        path.write_bytes(b"{")
    hours_ago = time.time() - 7200
    os.utime(old, (hours_ago, hours_ago))
    assert store.leftovers(ledger) == (old,)
    assert store.leftovers(ledger, everything=True) == (new, old)
    assert store.sweep(ledger) == (old,)
    assert store.sweep(ledger, everything=True) == (new,)
    assert names(ledger) == [Path(written.path).name]


def test_writing_where_the_ledger_has_gone_is_damage(ledger: store.Ledger) -> None:
    ledger.claims.rename(ledger.root / "gone")
    with pytest.raises(LedgerError) as caught:
        store.write(ledger, claim())
    assert caught.value.code == "damaged"
