"""What stands behind a number or its unit and makes it no such quantity."""

import re
from dataclasses import dataclass

from ledger.figures.context import REACH, SPACE

_PER = r"(?i:(?:milli)?seconds?|sec|s|ms|minutes?|min|hours?|hr|h|days?|d|weeks?|months?|years?)"
_RATE = re.compile(
    rf"{SPACE}?/{SPACE}?[A-Za-zµμ(]"
    rf"|{SPACE}?[·⋅]{SPACE}?[A-Za-z]"  # times
    r"|-(?:hours?|hrs?|h|days?|seconds?|s|order|functions?|table)\b"
    rf"|[-−]1(?![0-9.,]|{SPACE}?[A-Za-z%])"  # s-1
    rf"|{SPACE}(?i:per|an?){SPACE}{_PER}\b"
    rf"|{SPACE}?\^|\.[a-z0-9]"  # a power, a file name
)
_OF_MANY = re.compile(
    rf"{SPACE}of{SPACE}(?!(?i:a|an|the|this|that|its|each|one|gpu|cpu)\b)"
    r"(?:[A-Za-z]*[^s\W]s|[kMGT]i?B|[mb]illion)\b"
)
_PERCENT_POINTS = re.compile(r"[ -]?(?i:p\.?p\b|points?|pts?\b|iles?|tiles?)")
_MODULO = re.compile(rf"{SPACE}(?:\w+{SPACE}?[=!]=|[0-9]+{SPACE}?(?:[)\];]|\Z))")
"""What is divided by and what closes the expression: `92 % k == 0`, `(92 % 8)`."""
_MODULO_NAME = re.compile(rf"{SPACE}[A-Za-z]+_\w+\b(?!{SPACE}?[=:(|]|{SPACE}[0-9])")
_CODE = re.compile(rf"(?:[=(\[,+*]|\breturn){SPACE}?\Z")
_FACTOR_OF = re.compile(
    rf"{SPACE}?[0-9(]|{SPACE}[B-HJ-Zb-z]\b|{SPACE}?[A-Z]{{1,4}}[0-9]{{2,}}|{SPACE}?[×x]{SPACE}?[0-9]"
)
_TIMES = re.compile(
    r"[ -](?i:as|the|that|what|faster|slower|more|less|fewer|larger|smaller|bigger|higher|lower"
    r"|longer|shorter|cheaper|better|worse|greater|quicker|speed)"
)
_DECADE = re.compile(rf"\b(?i:(?:in|of|from|since|during){SPACE}the|mid|late|early)(?:{SPACE}|-)\Z")
_HYPHENED = re.compile(
    r"[-‐‑](?!(?i:long|ish|per|old|wide|or|and|faster|slower|larger|smaller)\b)[A-Za-z]"
)
_PART = re.compile(
    rf"-(?![0-9]*\.[0-9]+(?![.0-9A-Za-z]))\w|[/:]\w|\.[A-Za-z]|{SPACE}?[×x]{SPACE}?[0-9]"
)
_NAMED = re.compile(
    rf"(?:[?&][A-Za-z_-]*=|[&/]|\b(?i:pr|issue|id|port|seed|sm|rev|page|p\.){SPACE}?)\Z"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """A number and its unit as written."""

    number: str
    gap: str
    spelled: str


def other_quantity(text: str, form: Form, unit: str, *, begin: int, end: int) -> bool:
    """Whether the number at begin..end, read as this unit, is a rate, a name or a plain word."""
    spelled = form.spelled
    if per_another(text, end) or (len(spelled) == 1 and _HYPHENED.match(text, end)):
        return True
    if unit == "%":
        modulo = form.gap == " " and _modulo(text, begin=begin, end=end)
        return modulo or _PERCENT_POINTS.match(text, end) is not None
    if unit == "x":
        return _no_factor(text, form, end=end)
    if spelled == "s" and not form.gap and form.number[-1:] == "0" and form.number.isdigit():
        # "10s of retries" are tens, "the 90s" a decade.
        year = len(form.number) == 4 and form.number[:2] in {"18", "19", "20"}  # noqa: PLR2004
        decade = _DECADE.search(text, max(0, begin - REACH), begin)
        return year or decade is not None or _OF_MANY.match(text, end) is not None
    return spelled == "d" and not form.gap and form.number in {"1", "2", "3", "4"}


def _modulo(text: str, *, begin: int, end: int) -> bool:
    """Whether "%" is the operator of code: `idx = 92 % world_size`."""
    if _MODULO.match(text, end):
        return True
    before = _CODE.search(text, max(0, begin - REACH), begin)
    return before is not None and _MODULO_NAME.match(text, end) is not None


def _no_factor(text: str, form: Form, *, end: int) -> bool:
    spelled = form.spelled.lower()
    if spelled == "times":  # "ran 5 times" is a count
        return not re.search(r"\.|point", form.number) and not _TIMES.match(text, end)
    if spelled == "x" and ("-" in form.gap or "|" in form.gap):
        return True
    return _FACTOR_OF.match(text, end) is not None


def per_another(text: str, end: int) -> bool:
    """Whether the unit that ends there goes on: "/s", " per second", a power, a file name."""
    return _RATE.match(text, end) is not None


def no_plain_number(text: str, *, begin: int, end: int) -> bool:
    """Whether a number without a unit is part of a name, a date or a place."""
    return bool(_PART.match(text, end) or _NAMED.search(text, max(0, begin - REACH), begin))
