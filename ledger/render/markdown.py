"""Reading Markdown: lines as bytes, block tokens, headings and tables with their line ranges.

Line ranges are 0-based and half-open, as the parser gives them; whatever a user reads is 1-based.
Bytes that are not UTF-8 go through unharmed as surrogates.
"""

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_EOL = re.compile(r"\r\n|\r|\n")
_UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, kw_only=True)
class Heading:
    """A heading at the top level of a document."""

    text: str
    """Markdown source of the heading."""
    level: int
    line: int
    """0-based."""
    end: int
    """The line after it, 0-based; an underlined heading has more than one line."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A table row: its cells as the parser sees them, as many as the header has."""

    cells: tuple[str, ...]
    """Markdown source of each cell, trimmed, with its escaped pipes (`\\|`) turned into `|`."""
    raw_cells: int
    """Cells written in the line; those beyond the header's are not shown by any renderer."""
    line: int
    """0-based."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table and the lines [begin, end) that it covers, 0-based."""

    header: Row
    rows: tuple[Row, ...]
    begin: int
    end: int
    level: int
    """0 at the top level; more inside lists and quotes."""


def split_lines(source: bytes) -> tuple[bytes, ...]:
    """The lines with their ends; only CR LF, CR and LF end a line, and joining gives the source."""
    return tuple(_LINE.findall(source))


def eol_of(line: bytes) -> bytes:
    """The line end of one line, empty where it has none."""
    return line[len(line.rstrip(b"\r\n")) :]


def text_of(source: bytes) -> str:
    """The text without a byte order mark; bytes that are not UTF-8 become lone surrogates."""
    return source.removeprefix(BOM).decode("utf-8", "surrogateescape")


def bytes_of(text: str) -> bytes:
    """The inverse of `text_of`; a lone surrogate that stands for no byte becomes `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


def unix(text: str) -> str:
    """The text with every line end as LF."""
    return _EOL.sub("\n", text)


@functools.cache
def parser() -> "MarkdownIt":
    """CommonMark with GFM tables."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


@functools.cache
def _block_parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline")


@functools.lru_cache(maxsize=4)
def blocks(source: bytes) -> "list[Token]":
    """Block tokens with unparsed inline content, not to be changed.

    The last few documents are remembered: their regions, tables and headings are found by one
    parse.
    """
    return _block_parser().parse(text_of(source))


def headings(tokens: "list[Token]") -> tuple[Heading, ...]:
    """The top-level headings in order."""
    return tuple(
        Heading(
            text=tokens[i + 1].content,
            level=int(token.tag[1:]),
            line=lines_of(token).start,
            end=lines_of(token).stop,
        )
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    )


def tables(source: bytes, tokens: "list[Token]") -> tuple[Table, ...]:
    """All tables in order, those in lists and quotes too."""
    lines = split_lines(source)
    found = []
    for i, token in enumerate(tokens):
        if token.type != "table_open":
            continue
        end = next(
            j
            for j in range(i, len(tokens))
            if tokens[j].type == "table_close" and tokens[j].level == token.level
        )
        header, *rows = _rows(lines, tokens[i:end])
        span = lines_of(token)
        found.append(
            Table(
                header=header,
                rows=tuple(rows),
                begin=span.start,
                end=span.stop,
                level=token.level,
            )
        )
    return tuple(found)


def _rows(lines: tuple[bytes, ...], tokens: "list[Token]") -> list[Row]:
    rows: list[Row] = []
    for token in tokens:
        if token.type == "tr_open":
            line = lines_of(token).start
            text = text_of(lines[line])
            if token.level > 2:  # noqa: PLR2004 - table, head, row: deeper means list or quote
                text = text.lstrip("> ")
            rows.append(Row(cells=(), raw_cells=_count_cells(text), line=line))
        elif token.type == "inline":
            last = rows[-1]
            rows[-1] = Row(
                cells=(*last.cells, token.content), raw_cells=last.raw_cells, line=last.line
            )
    return rows


def _count_cells(line: str) -> int:
    cells = _UNESCAPED_PIPE.split(line.strip())
    outer = (cells[0] == "") + (len(cells) > 1 and cells[-1] == "")
    return len(cells) - outer


def lines_of(token: "Token") -> range:
    """The 0-based lines of a block token. Raises ValueError for a token that has none."""
    if token.map is None:
        raise ValueError(f"a {token.type} token has no lines")
    return range(token.map[0], token.map[1])


@functools.lru_cache(maxsize=256)
def shape(text: str) -> tuple[tuple[str, str], ...]:
    """What a text holds, whatever its layout: block types and inline sources in order.

    Two tables with the same cells have the same shape, however they are padded or aligned.
    """
    return tuple((token.type, token.content) for token in _block_parser().parse(text))
