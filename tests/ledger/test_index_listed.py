"""What the index remembers of a list is what would be computed, or nothing."""

from pathlib import Path

import pytest

from ledger import clock, store
from ledger.entry import By, Claim, Recorded
from ledger.index import listed
from ledger.service import listing


def claim(text: str, expires: str = "2099-01-01") -> Claim:
    return Claim(
        recorded=Recorded(at="2026-01-05T09:30:00.000000Z"),
        statement=text,
        by=By(name="arm-1"),
        basis="derivation",
        expires=expires,
    )


@pytest.fixture
def ledger(tmp_path: Path) -> store.Ledger:
    made = store.init(tmp_path)
    for number in range(3):
        store.write(made, claim(f"claim {number}"))
    return made


def rows(ledger: store.Ledger, **more: object) -> listing.Listing:
    options: dict[str, object] = {
        "kind": "claims",
        "status": None,
        "about": {},
        "tag": None,
        "names": ("id", "status", "statement"),
        "limit": 0,
        "as_of": None,
    }
    return listing.listing(ledger.root, **{**options, **more})  # type: ignore[arg-type]


def recall(ledger: store.Ledger, **more: object) -> listed.Recalled | None:
    options: dict[str, object] = {"day": clock.today(), "kind": "claim", "status": None, "limit": 0}
    return listed.recall(ledger, **{**options, **more})  # type: ignore[arg-type]


def test_a_list_is_remembered_and_the_same(ledger: store.Ledger) -> None:
    assert recall(ledger) is None
    computed = rows(ledger)
    remembered = recall(ledger)
    assert remembered is not None
    assert remembered.total == 3
    assert rows(ledger) == computed
    assert rows(ledger, limit=2).rows == computed.rows[-2:]
    assert rows(ledger, status="measured").rows == []
    assert rows(ledger, status="provisional").total == 3
    assert rows(ledger, kind="evidence").rows == []


def test_a_new_entry_a_lost_one_and_an_edited_one_make_it_forget(ledger: store.Ledger) -> None:
    rows(ledger)
    path = ledger.root / store.write(ledger, claim("another")).path
    assert recall(ledger) is None
    assert rows(ledger).total == 4
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"another", b"ANOTHER"))
    assert recall(ledger) is None
    found = rows(ledger)
    assert found.total == 3
    assert "id-mismatch" in found.warnings[0]
    assert recall(ledger) is None
    path.unlink()
    assert recall(ledger) is None
    assert rows(ledger).total == 3
    assert recall(ledger) is not None


def test_another_day_or_version_makes_it_forget(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.write(ledger, claim("short", expires="2026-01-06"))
    monkeypatch.setattr(clock, "today", lambda: "2026-01-06")
    assert [r["status"] for r in rows(ledger).rows] == ["provisional"] * 4
    assert recall(ledger, day="2026-01-06") is not None
    monkeypatch.setattr(clock, "today", lambda: "2026-01-07")
    assert recall(ledger, day="2026-01-07") is None
    assert sorted(r["status"] for r in rows(ledger).rows) == ["expired"] + ["provisional"] * 3
    monkeypatch.setattr(listed, "__version__", "0.0.0")
    assert recall(ledger, day="2026-01-07") is None


def test_a_damaged_memory_is_computed_again(ledger: store.Ledger) -> None:
    computed = rows(ledger)
    ledger.index_path.write_bytes(b"no database")
    assert recall(ledger) is None
    assert rows(ledger) == computed


def test_filters_that_are_not_remembered_are_computed(ledger: store.Ledger) -> None:
    rows(ledger)
    assert rows(ledger, about={"seat": "training"}).rows == []
    assert rows(ledger, tag="x").rows == []
    assert rows(ledger, names=("id", "expires")).rows[0]["expires"] == "2099-01-01"
    assert rows(ledger, as_of="2026-01-04").rows == []


def test_recording_lets_the_next_list_remember(ledger: store.Ledger) -> None:
    from ledger.service import book, record

    added = record.claim(
        book.open_book(ledger.root), "one more", by="arm-2", basis="derivation", expires="90d"
    )
    remembered = recall(ledger)
    assert remembered is not None
    assert remembered.total == 4
    assert rows(ledger, limit=1).rows[0]["id"] == added.id
    listed.remember(ledger, [], day="2000-01-01", fingerprint="")
    assert rows(ledger, limit=1).rows[0]["id"] == added.id


def test_recording_beside_another_process_remembers_nothing(ledger: store.Ledger) -> None:
    from ledger.service import book, record

    opened = book.open_book(ledger.root)
    store.write(ledger, claim("by another process"))
    record.claim(opened, "one more", by="arm-2", basis="derivation", expires="90d")
    assert recall(ledger) is None
    assert rows(ledger).total == 5
