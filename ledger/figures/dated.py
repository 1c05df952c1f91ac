"""Whether a text dates what it says, or says where it is from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ledger.kinds import ID_PATTERN

_MONTH = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"(?<!\d)\d{{4}}-\d\d-\d\d(?!\d)|\b(?:\d\d?\s+)?{_MONTH}\s+(?:\d\d?,\s+)?\d{{4}}(?!\d)",
    re.IGNORECASE,
)
_CITATION = re.compile(r"\[[ce]-[0-9a-f]{4,12}\]")
_CITED = re.compile(rf"\[({ID_PATTERN})\]")
_END = re.compile(r"[.!?][\"'”’)\]*_`]*(?=\s|$)")
_MARK = r"(?:(?://|--|[#*;>])+\s*)?"
"""What begins a comment's line in code, or a quote's in Markdown."""
_BLANK = re.compile(rf"\s*{_MARK}$")
_ITEM = re.compile(rf"\s*{_MARK}(?:[-*+]\s|\d+[.)]\s|\|)")
"""A list item or a table row: no sentence goes on into it."""
_WRAPPED = 2
"""A sentence is followed over this many lines before and after the one it is found in."""


def date_in(text: str) -> str | None:
    """The first date as written: `2026-08-26`, `August 2026`, `26 Aug 2026`; None without one."""
    found = _DATE.search(text)
    return found.group() if found else None


def cited(text: str) -> tuple[str, ...]:
    """The ids that it cites, of whatever kind, as written: `s-7f3a` of `[s-7f3a]`."""
    return tuple(_CITED.findall(text))


def sentence_ends(text: str) -> tuple[int, ...]:
    """Offsets past the full stop, and the quotes that close with it, of every sentence."""
    return tuple(found.end() for found in _END.finditer(text))


def cites(text: str) -> bool:
    """Whether it cites a claim or a measurement: `[c-7f3a9c21b04d]`."""
    return _CITATION.search(text) is not None


@dataclass(frozen=True, kw_only=True)
class Passage:
    """The text around a figure, on one line."""

    text: str
    begin: int
    """Of the figure in it, 0-based."""
    end: int
    """Exclusive."""


def sentence(lines: Sequence[str], number: int, begin: int, end: int) -> str:
    """The text of `passage`, with single spaces."""
    return " ".join(passage(lines, number, begin, end).text.split())


def passage(lines: Sequence[str], number: int, begin: int, end: int) -> Passage:
    """The sentence that holds characters [begin, end) of the 0-based line.

    Of its own line all of it, whatever sentences that holds; of the lines around it what a wrapped
    sentence has there.
    """
    before: list[str] = []
    after: list[str] = []
    head, tail = lines[number][:begin], lines[number][end:]
    for above in range(number - 1, max(number - _WRAPPED, 0) - 1, -1):
        if _END.search(head) or _ITEM.match(lines[above + 1]) or _BLANK.match(lines[above]):
            break
        head = lines[above]
        ends = sentence_ends(head)
        before.insert(0, head[ends[-1] if ends else 0 :])
    for line in lines[number + 1 : number + 1 + _WRAPPED]:
        if _END.search(tail) or _ITEM.match(line) or _BLANK.match(line):
            break
        tail = line
        found = _END.search(tail)
        after.append(tail[: found.end()] if found else tail)
    shift = sum(len(part) + 1 for part in before)
    text = " ".join((*before, lines[number], *after))
    return Passage(text=text, begin=begin + shift, end=end + shift)
