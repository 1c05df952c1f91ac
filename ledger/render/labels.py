"""What a status cell of a hand-kept table says: a label, a date, whether the row still stands."""

import datetime as dt
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from ledger.render import markdown

SUPERSEDED = (
    "deprecated", "removed", "superseded", "superceded", "wrong", "rejected", "obsolete",
    "withdrawn", "replaced", "not", "no longer", "never", "invalid", "incorrect", "false",
    "refuted", "disproved", "disproven", "retracted", "retired", "abandoned", "dropped",
    "reverted", "declined", "discarded", "outdated", "unnecessary", "already banked", "won't",
    "wontfix", "❌", "✗", "✘", "🚫", "⛔", "👎",
)  # fmt: skip
"""Labels of rows that are not to be followed any more."""
STANDING = (
    "accepted", "approved", "adopted", "agreed", "active", "valid", "open", "proposed", "stable",
    "measured", "current", "draft", "confirmed", "supported", "implemented", "in force", "pending",
    "true", "provisional", "experimental", "beta", "planned", "in progress", "under review",
    "deferred", "unmeasured", "not yet", "not started", "not decided", "✅", "✔", "✓", "☑", "👍",
)  # fmt: skip
"""Labels of rows that still stand, however well: adopting them measures nothing."""

_NAMES = "January February March April May June July August September October November December"
_MONTHS = {
    form: number
    for number, name in enumerate(_NAMES.lower().split(), 1)
    for form in (name, name[:3], "sept" if number == 9 else name)  # noqa: PLR2004 - September
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th|\.)?"
ISO = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_WHOLE = re.compile(
    r"(?<!\d)(?P<y1>\d{4})[-/](?P<m1>\d{2})[-/](?P<d1>\d{2})(?!\d)"
    rf"|\b(?P<d2>{_DAY})\s+(?:of\s+)?(?P<m2>{_MONTH})\b\.?,?\s+(?P<y2>\d{{4}})\b"
    rf"|\b(?P<m3>{_MONTH})\b\.?\s+(?P<d3>{_DAY})(?!\d),?\s+(?P<y3>\d{{4}})\b"
    r"|(?<![\d.])(?P<d4>\d{1,2})\.(?P<m4>\d{1,2})\.(?P<y4>\d{4})(?![\d.])",
    re.IGNORECASE,
)
_PARTIAL = re.compile(
    rf"\b(?:{_MONTH})\b\.?,?\s+\d{{4}}\b|(?<![\d-])\d{{4}}-\d{{2}}(?![\d-])"
    r"|(?<![\d/])\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})(?![\d/])|\bQ[1-4][ -]\d{4}\b",
    re.IGNORECASE,
)
_REVIEW = re.compile(
    r"[\s,;–—-]*\b(?:to be )?(?:reviewed|review|revisit|re-evaluate|expires|expiry"
    r"|(?<=[\w,;)] )valid until|until|due)\b(?:\s+(?:by|on|at|in))?[\s:]*$",
    re.IGNORECASE,
)
_DANGLING = re.compile(r"[\s,;]+(?:on|since|as of|from|at|in|until|by)$", re.IGNORECASE)
IN_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_STRUCK = re.compile(r"~~.*?~~")
AROUND = " \t*_`.,:;–—-"


@dataclass(frozen=True, kw_only=True)
class Dated:
    """The dates in a text."""

    date: str | None = None
    """The first whole one, YYYY-MM-DD."""
    review: str | None = None
    """The one up to which it is valid, YYYY-MM-DD."""
    partial: str | None = None
    """What looks like a date and has no day, or no certain one, where there is no whole date."""
    rest: str
    """The text without its dates, and without brackets that hold one."""


def dated(text: str) -> Dated:
    """The dates that a text states: 2026-08-26, 26 Aug 2026, August 26th, 2026 or 26.08.2026."""
    date = review = None
    places: list[tuple[int, int]] = []
    for match in _WHOLE.finditer(text):
        day = _day(match)
        if day is None:
            continue
        before = _REVIEW.search(text[: match.start()])
        places.append((before.start() if before else match.start(), match.end()))
        if before:
            review = review or day
        else:
            date = date or day
    partial = _PARTIAL.search(text) if not places else None
    if partial:
        places.append(partial.span())
    return Dated(
        date=date,
        review=review,
        partial=partial.group() if partial else None,
        rest=_without(text, places),
    )


def label(cell: str) -> str:
    """The words of a status cell without markup, dates and what is struck out beside other words.

    An emoji is kept where there is nothing else.
    """
    rest = dated(_STRUCK.sub("", cell)).rest
    if not plain(rest):
        rest = dated(cell).rest
    words = _DANGLING.sub("", plain(rest).strip(AROUND)).strip(AROUND)
    start, end = 0, len(words)
    while start < end and _is_ornament(words[start]):
        start += 1
    while end > start and _is_ornament(words[end - 1]):
        end -= 1
    return words[start:end].strip(AROUND) or words


def known(cell: str) -> bool | None:
    """Whether the row of a status cell still stands; None where its label is in neither list.

    The first word that is known decides, the longer one of two. A label that is struck out as a
    whole says nothing.
    """
    text = plain(_STRUCK.sub("", cell)).casefold()
    found = [
        (match.start(), -len(match.group()), stands)
        for stands, words in _KNOWN
        if (match := words.search(text))
    ]
    return min(found)[2] if found else None


def is_among(said: str, texts: Collection[str]) -> bool:
    """Whether a label is one of these as a whole, in any case and whatever their markup."""
    return bool(texts) and label(said).casefold() in {label(text).casefold() for text in texts}


def iso_date(text: str) -> str | None:
    """The first date written YYYY-MM-DD."""
    for match in ISO.finditer(text):
        try:
            return dt.date.fromisoformat(match.group()).isoformat()
        except ValueError:
            continue
    return None


def plain(source: str) -> str:
    """The text that a piece of inline Markdown shows, on one line."""
    (inline,) = markdown.parser().parseInline(source)
    shown = [
        child.content
        if child.type in {"text", "code_inline", "image"}
        else " " * (child.type != "html_inline" or child.content.lower().startswith("<br"))
        for child in inline.children or ()
        if not child.nesting
    ]
    return " ".join("".join(shown).replace("~~", "").split())


def _day(match: re.Match[str]) -> str | None:
    found = {name[0]: text for name, text in match.groupdict().items() if text is not None}
    month = _MONTHS.get(found["m"].lower()) or int(found["m"])
    try:
        return dt.date(int(found["y"]), month, int(re.sub(r"\D", "", found["d"]))).isoformat()
    except ValueError:
        return None


def _without(text: str, places: list[tuple[int, int]]) -> str:
    bracketed = [match.span() for match in IN_BRACKETS.finditer(text)]
    gone = {
        next(((a, b) for a, b in bracketed if a <= start and end <= b), (start, end))
        for start, end in places
    }
    for start, end in sorted(gone, reverse=True):
        text = text[:start] + text[end:]
    return text


def _is_ornament(character: str) -> bool:
    return unicodedata.category(character) in {"So", "Sk", "Mn", "Cf"} or character.isspace()


def _pattern(labels: tuple[str, ...]) -> re.Pattern[str]:
    words = [rf"\b{re.escape(x)}\b" if x.isascii() else re.escape(x) for x in labels]
    return re.compile("|".join(words))


_KNOWN = ((False, _pattern(SUPERSEDED)), (True, _pattern(STANDING)))
