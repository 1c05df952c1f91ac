import re
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import clock
from ledger.errors import LedgerError

TODAY = "2026-06-15"


@pytest.fixture(autouse=True)
def _fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "today", lambda: TODAY)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("90d", "2026-09-13"),
        ("1d", "2026-06-16"),
        ("0d", TODAY),
        ("007d", "2026-06-22"),
        (TODAY, TODAY),
        ("2028-02-29", "2028-02-29"),
        ("9999-12-31", "9999-12-31"),
    ],
)
def test_an_expiry_date_is_a_date_or_a_number_of_days(text: str, day: str) -> None:
    assert clock.parse_expiry(text) == day


@pytest.mark.parametrize("text", ["2026-06-14", "1999-01-01", "0001-01-01"])
def test_a_date_in_the_past_is_refused(text: str) -> None:
    with pytest.raises(LedgerError, match=f"{text} is in the past .today is {TODAY}") as caught:
        clock.parse_expiry(text)
    assert caught.value.fix.endswith("--expires 90d")


@pytest.mark.parametrize(
    "text",
    [
        "", "d", "90", "-1d", "+1d", "1.5d", "90 d", "90D", "٩٠d", "tomorrow", "2026-02-29",
        "2026-13-01", "2026-6-15", "20260615", "2026-W25-1", "2026-06-15T00:00", " 2026-06-15",
        "15.06.2026", "10000-01-01", "2026-06-1５",
    ],
)  # fmt: skip
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(LedgerError, match=re.escape(f"{text!r} is not a date")) as caught:
        clock.parse_expiry(text)
    assert caught.value.code == "bad-input"
    assert "YYYY-MM-DD" in caught.value.fix


@pytest.mark.parametrize("digits", ["9999999", "99999999999999999999", "9" * 5000])
def test_a_date_that_no_calendar_reaches_is_refused(digits: str) -> None:
    with pytest.raises(LedgerError, match="days is too far off"):
        clock.parse_expiry(f"{digits}d")


@given(st.integers(0, 2_000_000))
def test_days_from_today_are_counted_on_the_calendar(days: int) -> None:
    assert clock.parse_expiry(f"{days}d") == (
        (date.fromisoformat(TODAY) + timedelta(days=days)).isoformat()
    )


@given(st.dates())
def test_every_date_reads_as_itself(day: date) -> None:
    assert clock.parse_date(day.isoformat()) == day.isoformat()


def test_host_and_user_can_be_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_HOST", "node-1")
    monkeypatch.setenv("LEDGER_USER", "me")
    found = clock.recorded()
    assert (found.host, found.user) == ("node-1", "me")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", found.at)


def test_a_missing_user_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("LEDGER_USER", "USER", "USERNAME", "LEDGER_HOST"):
        monkeypatch.delenv(key, raising=False)
    found = clock.recorded()
    assert found.user is None
    assert found.host
