"""Durations of several units: "4 h 18 min", "4h18m30s", "4:18 h"."""

import re
from dataclasses import dataclass
from decimal import Decimal

from ledger.figures import spelling
from ledger.figures.numbers import THIN, Number, read

_GAP = rf"[ \t{THIN}]?"
_JOIN = rf"(?:[ \t:{THIN}]|[ ]and[ ]|(?<=[rsey]),[ ])?"
_PART = r"[0-9]{1,2}(?:\.[0-9]+)?"
COMPOUND = (
    rf"(?P<big>[1-9][0-9]{{0,3}}){_GAP}(?P<bigger>(?i:days?|d|hours?|hrs?|h|minutes?|mins?|m))"
    rf"{_JOIN}(?P<small>{_PART}){_GAP}(?P<smaller>(?i:hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s))"
    rf"(?:{_JOIN}(?P<least>{_PART}){_GAP}(?P<lesser>(?i:minutes?|mins?|m|seconds?|secs?|s)))?"
    r"(?![A-Za-z0-9_])"
)
CLOCK = (
    r"(?P<clock>[1-9][0-9]{0,2}(?::[0-5][0-9]){1,2}(?:\.[0-9]+)?)"
    r"[ \t\u00a0\u202f]?(?P<counts>hours|hrs|h|minutes|min)\b"
)
_ORDER = ("d", "h", "min", "s")
_PER = {"h": 24, "min": 60, "s": 60}


@dataclass(frozen=True, kw_only=True, slots=True)
class Duration:
    """The whole, in the smallest unit that was written."""

    number: Number
    unit: str


def total(found: re.Match[str]) -> Duration | None:
    """The whole of what COMPOUND or CLOCK matched; None where the parts do not fit."""
    if clock := found["clock"]:
        parts = [Decimal(part) for part in clock.split(":")]
        first = _ORDER.index("h" if found["counts"].startswith("h") else "min")
        names = list(_ORDER[first : first + len(parts)])
    else:
        parts = [Decimal(found[name]) for name in ("big", "small", "least") if found[name]]
        forms = [found[name].lower() for name in ("bigger", "smaller", "lesser") if found[name]]
        names = ["min" if form == "m" else spelling.named(form) for form in forms]
    first = _ORDER.index(names[0])
    if tuple(names) != _ORDER[first : first + len(parts)]:
        return None
    whole = parts[0]
    for name, part in zip(names[1:], parts[1:], strict=True):
        if part >= _PER[name]:
            return None
        whole = whole * _PER[name] + part
    return Duration(number=read(f"{whole:f}"), unit=names[-1])
