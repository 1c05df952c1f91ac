"""Markers of generated regions: the lines that begin and end one, and what they say.

Markers are taken from the parser's HTML blocks, never from a search in the text: an example in a
code block, list, quote or comment is not a marker.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.cells import MARKER
from ledger.render.outline import outline
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


class MarkerError(LedgerError):
    """A marker that cannot be followed, with its place."""

    def __init__(self, what: str, *, line: int, column: int = 1, fix: str = "") -> None:
        super().__init__(
            "bad-markers",
            f"line {line}: {what}",
            fix=fix
            or "put BEGIN and END markers in pairs of the same view and id, one after another",
        )
        self.what = what
        self.line = line
        """1-based, as is `column`."""
        self.column = column


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


def markers_of(lines: Sequence[bytes]) -> tuple[Marker, ...]:
    """The markers among a document's lines, in order. Raises MarkerError for a malformed one."""
    if not _MARKER_BYTES.search(b"".join(lines)):
        return ()
    kept = outline(lines)
    found = []
    for token in kept.tokens:
        if token.type != "html_block" or token.level:
            continue
        span = markdown.lines_of(token)
        for i in span:
            line = kept.lines[i]
            text = markdown.text_of(lines[line]).rstrip("\r\n")
            mentioned = MARKER.search(text)
            if not mentioned:
                continue
            if i == span.start and MARKER.match(text.lstrip(" ")):
                found.append(read_marker(text, line + 1))
            elif not _EXAMPLE_BLOCK.match(token.content):
                raise MarkerError(
                    "the marker is part of the HTML block begun in line"
                    f" {kept.lines[span.start] + 1}",
                    line=line + 1,
                    column=mentioned.start() + 1,
                    fix="put the marker on a line of its own, with a blank line before it",
                )
    return tuple(found)


def read_marker(text: str, line: int) -> Marker:
    """What a marker says. Raises MarkerError, naming the 1-based line."""
    match = _MARKER_LINE.fullmatch(text)
    if match is None:
        raise MarkerError(
            f"not a marker: {text[:120]!r}",
            line=line,
            column=text.find("<") + 1,
            fix="write it as a whole line: <!-- BEGIN ledger:VIEW id=NAME sha256=DIGEST -->"
            " or <!-- END ledger:VIEW id=NAME -->",
        )
    begins, view = match[1] == "BEGIN", match[2]
    pairs = [pair.split("=", 1) for pair in match[3].split()]
    options = dict(pairs)
    if view not in VIEWS:
        raise MarkerError(
            f"unknown view {view!r}",
            line=line,
            column=match.start(2) + 1,
            fix=f"use one of: {', '.join(VIEWS)}",
        )
    if len(options) != len(pairs):
        raise MarkerError("an option is given twice", line=line, fix="give each option once")
    if not re.fullmatch(_WORD, options.get("id", "")):
        raise MarkerError(
            "the marker has no valid id", line=line, fix="give both markers the same id=NAME"
        )
    recorded = options.pop("sha256", None) if begins else None
    if recorded is not None and not _DIGEST.fullmatch(recorded):
        raise MarkerError(
            f"sha256={recorded} is not {DIGEST_DIGITS} hex digits",
            line=line,
            column=column_of(text, "sha256"),
            fix=REGENERATE,
        )
    allowed = ("id", *(VIEWS[view].options if begins else ()))
    if unknown := [key for key in options if key not in allowed]:
        raise MarkerError(
            f"unknown option {unknown[0]!r} for this marker of view {view}",
            line=line,
            column=column_of(text, unknown[0]),
            fix=f"use only: {', '.join(allowed)}",
        )
    return Marker(begins=begins, view=view, options=options, recorded=recorded, line=line)


def begin_line(view: str, options: Mapping[str, str], *, recorded: str | None = None) -> str:
    """A begin marker: the options, `id` first among them, and the digest."""
    every = options if recorded is None else {**options, "sha256": recorded}
    return f"<!-- BEGIN ledger:{view} {' '.join(f'{k}={v}' for k, v in every.items())} -->"


def end_line(view: str, name: str) -> str:
    """The end marker of the region with this id."""
    return f"<!-- END ledger:{view} id={name} -->"


def new_begin_line(view: str, options: Mapping[str, str], *, recorded: str | None = None) -> str:
    """A begin marker that was not in a document before.

    Raises LedgerError for an unknown view or option, and a value that a marker cannot hold.
    """
    begin = begin_line(view, options, recorded=recorded)
    try:
        read_marker(begin, 1)
    except MarkerError as error:
        raise LedgerError(
            "bad-input", f"cannot make the marker {begin!r}: {error.what}", fix=error.fix
        ) from None
    return begin


def column_of(text: str, option: str) -> int:
    """The 1-based column of an option in a marker; 1 where it is not there."""
    return text.find(f" {option}=") + 2 if f" {option}=" in text else 1
