"""The one place that reads the clock, the host and the user."""

import os
import time
from typing import TYPE_CHECKING

from ledger.errors import LedgerError

if TYPE_CHECKING:
    from ledger.entry import Recorded

_DAY_FIX = "write a date as YYYY-MM-DD"
_DATE_FIX = "write a date as YYYY-MM-DD, or a number of days as 90d"


def today() -> str:
    """Today in UTC, YYYY-MM-DD."""
    return time.strftime("%Y-%m-%d", time.gmtime())


def now() -> str:
    """The present time in UTC, ISO 8601 with microseconds and a final Z."""
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def recorded() -> "Recorded":
    """Time, host and user for a new entry; LEDGER_HOST and LEDGER_USER override what is found."""
    from ledger.entry import Recorded

    return Recorded(at=now(), host=os.environ.get("LEDGER_HOST") or _host(), user=_user())


def _host() -> str | None:
    import socket

    return socket.gethostname() or None


def _user() -> str | None:
    names = (os.environ.get(key) for key in ("LEDGER_USER", "USER", "USERNAME"))
    return next((name for name in names if name), None)


def plus_days(day: str, days: int) -> str:
    """The date so many days after `day`. Raises LedgerError beyond the year 9999."""
    from datetime import date, timedelta

    try:
        return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
    except OverflowError:
        raise LedgerError("bad-input", f"{days} days is too far off", fix=_DATE_FIX) from None


def parse_date(text: str) -> str:
    """A calendar date, YYYY-MM-DD. Raises LedgerError for anything else."""
    from datetime import date

    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise LedgerError("bad-input", f"{text!r} is not a date", fix=_DAY_FIX) from None
    if day.isoformat() != text:
        raise LedgerError("bad-input", f"{text!r} is not a date", fix=_DAY_FIX)
    return text


def parse_expiry(text: str) -> str:
    """An expiry date, given as a date or as a number of days from today (`90d`).

    Raises LedgerError for another form and for a date in the past; today is still allowed.
    """
    if text.endswith("d") and text[:-1].isascii() and text[:-1].isdigit():
        # Eight digits are beyond the last year already, and int() refuses thousands of them.
        day = plus_days(today(), int(text[:-1].lstrip("0")[:8] or "0"))
    else:
        day = parse_date(text)
    if day < today():
        raise LedgerError(
            "bad-input",
            f"the expiry date {day} is in the past (today is {today()})",
            fix="give a date from today on, or a number of days: --expires 90d",
        )
    return day
