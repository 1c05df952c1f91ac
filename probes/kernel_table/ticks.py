"""Exact arithmetic on the times of a trace: integers of 10^-24 microsecond, read from the text.

A float keeps a time stamp of days of uptime to a tenth of a microsecond only, so sums of starts
and ends drift; every decimal that a double prints is a whole number of ticks.
"""

import re
from decimal import Decimal

from ledger.canonical import Number

PLACES = 24
"""Decimals of a microsecond that one tick stands for."""
_PLAIN = re.compile(rb"-?\d{1,30}(?:\.\d{1,24})?")
_SCIENTIFIC = re.compile(rb"-?\d{1,40}(?:\.\d{1,60})?[eE][+-]?\d{1,3}")
_POWERS: tuple[int, ...] = tuple(int("1" + "0" * power) for power in range(PLACES + 1))
_LARGEST = 10 ** (30 + PLACES)


def ticks(text: bytes) -> int | None:
    """Ticks of a time in microseconds as written; a quoted number is read like a bare one.

    None for what is no number, is finer than a tick or is 10^30 microseconds or more.
    """
    text = text.strip(b'"')
    if _PLAIN.fullmatch(text):
        whole, _, fraction = text.partition(b".")
        return int(whole + fraction) * _POWERS[PLACES - len(fraction)]
    if not _SCIENTIFIC.fullmatch(text):
        return None
    sign, digits, exponent = Decimal(text.decode()).as_tuple()
    if not isinstance(exponent, int) or exponent + len(digits) > 30:  # noqa: PLR2004
        return None
    value = int("".join(map(str, digits)))
    shift = exponent + PLACES
    value, rest = (value * 10**shift, 0) if shift >= 0 else divmod(value, 10**-shift)
    return None if rest or value >= _LARGEST else -value if sign else value


def number(value: int, *, unit: str) -> Number | int:
    """Ticks in `us`, `ms` or `s`, with exactly the digits that they have."""
    places = PLACES + {"us": 0, "ms": 3, "s": 6}[unit]
    digits = str(abs(value)).rjust(places + 1, "0")
    fraction = digits[-places:].rstrip("0")
    text = ("-" if value < 0 else "") + digits[:-places]
    return Number(f"{text}.{fraction}") if fraction else int(text)
