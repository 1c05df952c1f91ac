"""A short status beside each citation: `[c-7f3a9c21b04d] (superseded)`."""

import re
from collections.abc import Callable, Container

from ledger.kinds import ID_PATTERN, STATUSES
from ledger.render import markdown
from ledger.render.citations import Citation, citations

_CITED = re.compile(rf"\[{ID_PATTERN}\]")
# A link whose text is the citation: a word put between would take it apart.
_LINK = re.compile(rf"\(|\[(?!{ID_PATTERN}\])")
_WORD = re.compile(rf" \((?:{'|'.join(STATUSES)})\)")


def beside(
    source: bytes,
    status_of: Callable[[Citation], str | None],
    *,
    generated: Container[int] = (),
) -> bytes:
    """The document with each citation's status in brackets after it, in place of an older one.

    `status_of` gives one of the ledger's statuses; an empty text takes one away, None leaves the
    citation as it is. Citations in headings stay bare, since their anchors would change with them,
    and so do those that are the text of a link; those in the 1-based lines of `generated` belong to
    their region. Every other byte is kept.
    """
    lines = list(markdown.split_lines(source))
    titles = _titles(source)
    for citation in reversed(citations(source)):
        if citation.line in generated or citation.line in titles:
            continue
        status = status_of(citation)
        if status is not None:
            lines[citation.line - 1] = _with(lines[citation.line - 1], citation.column, status)
    return b"".join(lines)


def _titles(source: bytes) -> set[int]:
    """The 1-based lines of headings."""
    return {
        line + 1
        for token in markdown.blocks(source)
        if token.type == "heading_open"
        for line in markdown.lines_of(token)
    }


def _with(line: bytes, column: int, status: str) -> bytes:
    mark = markdown.BOM if line.startswith(markdown.BOM) else b""
    text = markdown.text_of(line)
    cited = _CITED.match(text, column - 1)
    if cited is None:
        raise ValueError(f"no citation in column {column} of {text!r}")
    end = cited.end()
    if _LINK.match(text, end):
        return line
    older = _WORD.match(text, end)
    rest = text[older.end() if older else end :]
    word = f" ({status})" if status else ""
    return mark + markdown.bytes_of(text[:end] + word + rest)
