"""What stands around a number: its sign, what it is joined to, and what it is a part of."""

import re
from dataclasses import dataclass

REACH = 48
"""How many characters before a number are looked at."""
SPACE = "[ \t\u00a0\u2009\u202f]"
"""No pattern crosses a line: `git grep` finds lines."""

_ROUND_MARKS = "~≈∼≃≅"
# fmt: off
_ROUND_WORDS = frozenset({
    "about", "approx", "approx.", "approximately", "roughly", "around", "circa", "ca.", "nearly",
    "almost", "some",
})
_NAMING_WORDS = frozenset({
    "section", "sections", "chapter", "chapters", "figure", "figures", "fig", "fig.", "table",
    "tables", "equation", "eq", "eq.", "appendix", "version", "versions", "ver.", "issue", "line",
    "lines", "no.", "nr.", "rfc", "ch.", "§", "per", "±", "+/-", "+-", "+/−", "∓",
})
"""What follows is a place, a name, a spread or a denominator."""
_MINUS_WORDS = frozenset({"minus", "negative", "−"})
_DASHES = "-‐‑‒–—―−﹣－"
_DASHED = re.compile(
    r"(?P<refused>[±/+][-−]"
    r"|[A-Za-zÀ-ɏ_)\]][-‐‑]"  # part of an identifier
    r"|[0-9][-‐‑‒–—―−﹣－])\Z"  # a range whose first half is no number
    r"|(?P<below>\b[Ss]ub[-‐‑])\Z"
    r"|(?P<minus>(?:^|(?<=[ \t\r\n\u00a0\u2009\u202f(\[{=|:,;<>~≈*`\"'“‘/…–—+]))[-‐‑‒–—―−﹣－]|−)\Z"
    r"|(?P<plus>)\Z",
    re.MULTILINE,
)
_REFUSING = re.compile(
    r"(?:[#$€£¥\\&^§%±∓/]|\w@"  # an issue, a price, an escape, a path, per so many
    r"|[0-9]:|\w\.[A-Za-z]{1,4}:|/[\w.:-]*:"  # a line of a file, a port
    r"|[0-9A-Za-z]\+)\Z"
)
# fmt: on
_MATH = re.compile(r"[0-9][0-9.,]*(?:\\[,;: ])?\\(?:times|%)\$")
"""Inline LaTeX, not a price: "$2.3\\times$"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Lead:
    """What stands before a number."""

    begin: int
    """Where the number begins with its sign."""
    minus: bool = False
    about: bool = False
    """Said to be rounded."""


def lead(text: str, begin: int) -> Lead | None:
    """The sign of the number that begins there; None where it is no statement."""
    start = max(0, begin - REACH)
    last = text[begin - 1 : begin]
    if last and last in _DASHES:
        return _dashed(text, begin)
    if last.isspace():
        words = text[start:begin].split()
        word = words[-1].lower().lstrip("(*_`") if words else ""
        if word in _NAMING_WORDS or _divides(words):
            return None
        if word in _MINUS_WORDS and not (word == "−" and words[-2:-1] and words[-2][-1].isdigit()):
            return Lead(begin=begin - len(word) - 1, minus=True)
    elif last == "$" and _MATH.match(text, begin):
        return Lead(begin=begin)
    elif last and last in "#$€£¥\\&^§%±∓@/:+" and _REFUSING.search(text, start, begin):
        return None
    return Lead(begin=begin, about=_rounded(text, begin))


def _divides(words: list[str]) -> bool:
    """Whether a slash divides by what comes next: `5 s / 10`, not `the kernel table / 68 %`."""
    if not words or words[-1][-1:] != "/" or words[-1] == "//":
        return False
    return words[-1] != "/" or any(word[-1].isdigit() for word in words[-3:-1])


def _dashed(text: str, begin: int) -> Lead | None:
    """What the dash before a number makes of it."""
    found = _DASHED.search(text, max(0, begin - REACH), begin)
    if found is None or found.lastgroup == "refused":
        return None
    if found.lastgroup != "minus":
        return Lead(begin=begin)
    return Lead(begin=begin - 1, minus=True, about=_rounded(text, begin - 1))


def _rounded(text: str, begin: int) -> bool:
    """Whether "~" or "about" stands before a place."""
    words = text[max(0, begin - REACH) : begin].split()
    if not words:
        return False
    return words[-1][-1] in _ROUND_MARKS or (
        text[begin - 1].isspace() and words[-1].lower().lstrip("(*_`") in _ROUND_WORDS
    )


BETWEEN = (
    rf"(?:(?P<tight>[-‐‑])|(?P<dash>{SPACE}?(?:--|[‒–—―−~…]|\.\.\.?){SPACE}?|{SPACE}-{SPACE})"
    rf"|(?P<to>{SPACE}(?i:to|through|thru|until|till){SPACE})|(?P<and>,?{SPACE}(?i:and|&){SPACE})"
    rf"|(?P<or>,?{SPACE}(?i:or){SPACE})|(?P<comma>,{SPACE})|(?P<slash>{SPACE}?/{SPACE}?)"
    rf"|(?P<into>{SPACE}?(?:→|->|=>|⇒|➔|⟶){SPACE}?|{SPACE}(?i:vs\.?|versus){SPACE})"
    rf"|(?P<spread>{SPACE}?(?:±|\+/?[-−]){SPACE}?))"
)
"""Between two numbers that share the unit behind the second."""
LINKS = frozenset("-‐‑‒–—―−﹣－~….→>⇒➔⟶/±,tohrulndsTOHRULNDS&*`_")
"""The last characters of what BETWEEN matches, space and emphasis aside."""
RANGE = re.compile(
    rf"{SPACE}?(?:-|--|[‐‑‒–—―−﹣－~…]|\.\.\.?){SPACE}?"
    rf"|{SPACE}(?i:to|through|thru|until|till){SPACE}"
)
"""Between two numbers that each have a unit."""
SLASH = re.compile(rf"{SPACE}?/{SPACE}?")
_BOTH = re.compile(rf"\b(?i:between|both|from){SPACE}(?:[~≈]|about{SPACE})?\Z")


def linked(text: str, begin: int) -> bool:
    """Whether a number could share its unit with one before it; a cheap no."""
    last = text[begin - 1 : begin]
    if last.isspace():
        last = text[begin - 2 : begin - 1]
    return last in LINKS


def both(text: str, begin: int) -> bool:
    """Whether "between" or the like stands before a number, so that "and" joins a pair."""
    return _BOTH.search(text, max(0, begin - REACH), begin) is not None
