"""Markers of generated regions: the lines that begin and end one, and what they say.

Markers are taken from the parser's HTML blocks, never from a search in the text: an example in a
code block, list, quote or comment is not a marker.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.cells import MARKER
from ledger.render.views import VIEWS

DIGEST_DIGITS = 12
REGENERATE = "restore the marker from version control, or empty the region and render it again"
_WORD = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_MARKER_LINE = re.compile(rf"<!-- (BEGIN|END) ledger:({_WORD})((?: [a-z0-9_]+=[^\s<>]+)*) -->")
_DIGEST = re.compile(rf"[0-9a-f]{{{DIGEST_DIGITS}}}")
_EXAMPLE_BLOCK = re.compile(
    r"[ ]{0,3}<(?:!--|\?|![A-Za-z\[]|(?:pre|script|style|textarea)\b)", re.IGNORECASE
)
_MARKER_BYTES = re.compile(rb"ledger:", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Marker:
    """One marker line."""

    begins: bool
    view: str
    options: Mapping[str, str]
    """With `id`, without `sha256`."""
    recorded: str | None
    line: int
    """1-based."""


def markers_of(source: bytes) -> tuple[Marker, ...]:
    """The markers of a document, in order. Raises LedgerError for one that is malformed."""
    if not _MARKER_BYTES.search(source):
        return ()
    lines = markdown.split_lines(source)
    found = []
    for token in markdown.blocks(source):
        if token.type != "html_block" or token.level:
            continue
        span = markdown.lines_of(token)
        for i in span:
            text = markdown.text_of(lines[i]).rstrip("\r\n")
            if not MARKER.search(text):
                continue
            if i == span.start and MARKER.match(text.lstrip(" ")):
                found.append(read_marker(text, i + 1))
            elif not _EXAMPLE_BLOCK.match(token.content):
                raise bad_marker(
                    i + 1,
                    f"the marker is part of the HTML block begun in line {span.start + 1}",
                    fix="put the marker on a line of its own, with a blank line before it",
                )
    return tuple(found)


def read_marker(text: str, line: int) -> Marker:
    """What a marker says. Raises LedgerError "bad-markers", naming the 1-based line."""
    match = _MARKER_LINE.fullmatch(text)
    if match is None:
        raise bad_marker(
            line,
            f"not a marker: {text[:120]!r}",
            fix="write it as a whole line: <!-- BEGIN ledger:VIEW id=NAME sha256=DIGEST -->"
            " or <!-- END ledger:VIEW id=NAME -->",
        )
    begins, view = match[1] == "BEGIN", match[2]
    pairs = [pair.split("=", 1) for pair in match[3].split()]
    options = dict(pairs)
    if view not in VIEWS:
        raise bad_marker(line, f"unknown view {view!r}", fix=f"use one of: {', '.join(VIEWS)}")
    if len(options) != len(pairs):
        raise bad_marker(line, "an option is given twice", fix="give each option once")
    if not re.fullmatch(_WORD, options.get("id", "")):
        raise bad_marker(
            line, "the marker has no valid id", fix="give both markers the same id=NAME"
        )
    recorded = options.pop("sha256", None) if begins else None
    if recorded is not None and not _DIGEST.fullmatch(recorded):
        raise bad_marker(
            line, f"sha256={recorded} is not {DIGEST_DIGITS} hex digits", fix=REGENERATE
        )
    allowed = ("id", *(VIEWS[view].options if begins else ()))
    if unknown := [key for key in options if key not in allowed]:
        raise bad_marker(
            line,
            f"unknown option {unknown[0]!r} for this marker of view {view}",
            fix=f"use only: {', '.join(allowed)}",
        )
    return Marker(begins=begins, view=view, options=options, recorded=recorded, line=line)


def bad_marker(line: int, what: str, *, fix: str = "") -> LedgerError:
    """The error for a marker in a 1-based line."""
    return LedgerError(
        "bad-markers",
        f"line {line}: {what}",
        fix=fix or "put BEGIN and END markers in pairs of the same view and id, one after another",
    )
