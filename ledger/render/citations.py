"""Citations of entries, `[c-7f3a9c21b04d]`, in the text of Markdown documents."""

import functools
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.kinds import ID_PATTERN
from ledger.render import markdown

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_CITED = re.compile(rf"\[({ID_PATTERN})\]")
_CITED_BYTES = re.compile(_CITED.pattern.encode())
# HTML blocks whose content a browser does not show as text, or shows as code.
_OPAQUE = re.compile(r"[ ]{0,3}<(?:pre|script|style|textarea)\b", re.IGNORECASE)
_HTML = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Citation:
    """A place where a document cites an entry."""

    id_prefix: str
    """Letter and 4 to 12 hex digits; may be short of the whole id."""
    line: int
    """1-based."""
    column: int
    """1-based, in characters, of the opening bracket; a byte order mark does not count."""


def citations(source: bytes) -> tuple[Citation, ...]:
    """The citations in a document's text, in order.

    Code spans, code blocks, HTML tags and comments are not text; link texts, headings, table
    cells, lists, quotes and the text inside HTML blocks are.
    """
    if not _CITED_BYTES.search(source):
        return ()
    tokens = markdown.blocks(source)
    lines = [markdown.text_of(line) for line in markdown.split_lines(source)]
    places: dict[int, Iterator[_Place]] = {}
    found: list[Citation] = []
    for token in tokens:
        if token.type not in {"inline", "html_block"} or not _CITED.search(token.content):
            continue
        span = markdown.lines_of(token)
        # The n-th match in a token is the n-th in its lines: what a block adds around the content
        # (quote and list marks, indentation, pipes) never matches. Cells of a row share a line.
        here = places.setdefault(span.start, _places(lines, span))
        hidden = _hidden(token)
        for match in _CITED.finditer(token.content):
            place = next(here)
            if not any(match.start() in part for part in hidden):
                found.append(
                    Citation(id_prefix=match[1], line=place.line + 1, column=place.column + 1)
                )
    return tuple(found)


@dataclass(frozen=True, kw_only=True)
class _Place:
    line: int
    column: int


def _places(lines: list[str], span: range) -> Iterator[_Place]:
    for line in span:
        for match in _CITED.finditer(lines[line]):
            yield _Place(line=line, column=match.start())


def _hidden(token: "Token") -> Collection[range]:
    """The parts of a token's content that are not text."""
    if token.type == "html_block":
        if _OPAQUE.match(token.content):
            return (range(len(token.content)),)
        return [range(*match.span()) for match in _HTML.finditer(token.content)]
    spans: list[tuple[str, range]] = []
    _inline_parser().inline.parse(token.content, _inline_parser(), {"spans": spans}, [])
    # The text of an image is parsed as a document of its own; its places mean nothing here.
    return [span for source, span in spans if source == token.content]


@functools.cache
def _inline_parser() -> "MarkdownIt":
    """A parser that notes in `env["spans"]` where code spans and HTML stand."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import autolink, backtick, html_inline

    parser = MarkdownIt("commonmark")
    for name, rule in (
        ("backticks", backtick), ("html_inline", html_inline), ("autolink", autolink),
    ):  # fmt: skip
        parser.inline.ruler.at(name, _noting(rule))
    return parser


def _noting(rule: "Callable[[StateInline, bool], bool]") -> "Callable[[StateInline, bool], bool]":
    def noting(state: "StateInline", silent: bool) -> bool:
        start = state.pos
        matched = rule(state, silent)
        if matched:
            state.env["spans"].append((state.src, range(start, state.pos)))
        return matched

    return noting
