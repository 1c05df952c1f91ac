"""A document parsed without the tables inside its regions: most of its lines, none of its markers.

A body that is nothing but table rows, lines that begin with a letter and blank lines cannot open
a block that outlasts it, so what is before it and after it parses as if it were not there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.render import markdown

if TYPE_CHECKING:
    from markdown_it.token import Token

_MARKER = re.compile(rb"<!-- (BEGIN|END) ledger:[^<>\r\n]* -->[\r\n]*")
_CLOSED = re.compile(rb"(?:(?:[|A-Za-z][^\r\n]*|[ \t]*)(?:\r\n|\r|\n))*")


@dataclass(frozen=True, kw_only=True)
class Outline:
    """The block tokens of a document, and where its lines were."""

    tokens: "Sequence[Token]"
    """Their lines are places in `lines`."""
    lines: Sequence[int]
    """The 0-based line of the document for each line that was parsed."""


def outline(lines: Sequence[bytes]) -> Outline:
    """Parse a document, given as its lines, without the bodies that cannot matter."""
    kept, begins = _without_bodies(lines)
    if begins:
        tokens = markdown.blocks(b"".join(lines[i] for i in kept))
        alone = {
            kept[token.map[0]]
            for token in tokens
            if token.type == "html_block"
            and not token.level
            and token.map is not None
            and token.map[1] - token.map[0] == 1
        }
        # A begin marker in a fence or a list is none, and what follows it is no body.
        if begins <= alone:
            return Outline(tokens=tokens, lines=kept)
    return Outline(tokens=markdown.blocks(b"".join(lines)), lines=range(len(lines)))


def closed(body: bytes) -> bool:
    """Whether it is plain that a body ends where its blank last line does."""
    return _CLOSED.fullmatch(body) is not None


def _without_bodies(lines: Sequence[bytes]) -> tuple[list[int], set[int]]:
    """The lines that are left, and the begin markers whose body was left out."""
    kept: list[int] = []
    begins: set[int] = set()
    begin: int | None = None
    for i, line in enumerate(lines):
        match = _MARKER.fullmatch(line) if line.startswith(b"<!-- ") else None
        if match is not None and match[1] == b"BEGIN":
            begin = i
        elif match is not None and begin is not None:
            blank = i - 1
            if blank > begin and not lines[blank].strip(b" \t\r\n"):
                body = b"".join(lines[begin + 1 : i])
                if closed(body):
                    del kept[len(kept) - (blank - begin - 1) - 1 : len(kept) - 1]
                    begins.add(begin)
            begin = None
        kept.append(i)
    return kept, begins
