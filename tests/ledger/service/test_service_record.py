"""Recording without the command line: the named results, and the clock's dates."""

from contextlib import suppress
from pathlib import Path

import pytest
from command_line import DAY
from hypothesis import given
from hypothesis import strategies as st

from ledger import clock
from ledger.errors import LedgerError
from ledger.service import book, correct, measured, prime, record


@pytest.fixture
def root(tmp_path: Path) -> Path:
    book.init(tmp_path, here=True)
    return tmp_path


def test_adding_answers_with_the_ledger_afterwards(root: Path) -> None:
    opened = book.open_book(root)
    added = record.claim(opened, "c", by="a", basis="derivation", expires="9d")
    assert added.after.claims[added.id].status == "provisional"
    assert (added.new, added.kind, added.impact) == (True, "claim", None)
    taken = measured.evidence(book.open_book(root), instrument="i@1", about={}, result="pass")
    settled = record.settle(book.open_book(root), added.id, taken.id, outcome="supports")
    assert settled.impact is not None
    assert settled.impact.rises == (added.id,)


def test_what_another_process_recorded_meanwhile_is_not_recorded_twice(root: Path) -> None:
    stale = book.open_book(root)
    first = record.claim(book.open_book(root), "c", by="a", basis="derivation", expires="9d")
    second = record.claim(stale, "c", by="a", basis="derivation", expires="9d")
    assert (second.id, second.new) == (first.id, False)
    assert len(list(root.glob("claims/*/*-claim-*.json"))) == 1


def test_a_dry_run_names_the_entry_and_writes_nothing(root: Path) -> None:
    taken = measured.evidence(book.open_book(root), instrument="i@1", about={}, result="pass")
    opened = book.open_book(root)
    added = correct.retract(opened, taken.id, reason="wrong run", dry_run=True)
    assert added.path is None
    assert added.id in added.after.entries
    assert not list(root.glob("claims/*/*-retraction-*.json"))


def test_prime_says_how_many_there_are_when_it_shows_none(root: Path) -> None:
    text = "\U000e0041" * 100
    for number in range(3):
        by = f"arm-{number}"
        record.claim(book.open_book(root), f"{number} {text}", by=by, basis="derivation",
                     expires="9d")  # fmt: skip
    data = prime.prime(book.open_book(root), about={})
    assert data["open_total"] == 3
    assert 0 < len(data["open"]) <= 3
    assert f"({len(data['open'])} of 3)" in prime.as_text(data) or len(data["open"]) == 3


@given(days=st.integers(min_value=0, max_value=2_000_000))
def test_an_expiry_in_days_is_the_day_so_many_from_today(days: int) -> None:
    assert clock.parse_expiry(f"{days}d") == clock.plus_days(clock.today(), days)


@given(text=st.text(max_size=12))
def test_any_other_text_is_a_date_or_refused(text: str) -> None:
    with suppress(LedgerError):
        assert clock.parse_date(text) == text
        assert DAY.fullmatch(text)


@pytest.mark.parametrize("text", ["20260131", "2026-W05-1", "2026-01-31T00:00", "٢٠٢٦-٠١-٣١", "d"])
def test_other_ways_to_write_a_date_are_refused(text: str) -> None:
    with pytest.raises(LedgerError):
        clock.parse_date(text)
    with pytest.raises(LedgerError):
        clock.parse_expiry(text)
