"""Text for a terminal: safe characters, columns that fit, wrapped paragraphs."""

import re
import sys
from collections.abc import Iterable, Sequence

# C0/C1 controls (ANSI escapes among them), bidi controls, zero-width and other format characters,
# line separators, surrogates, tags: shown as \u{1b}, so that no text can move the cursor, hide
# itself or reorder what stands beside it.
_ACTIVE = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


def safe(text: str) -> str:
    r"""The text with every character that is not plainly visible written as `\u{hex}`.

    Newlines and tabs stay.
    """
    if text.isprintable():
        return text
    return re.sub(_ACTIVE, lambda match: f"\\u{{{ord(match.group()):x}}}", text)


def one_line(text: str) -> str:
    """The text, safe, on one line."""
    return safe(" ".join(text.split()))


def width_of(text: str) -> int:
    """Terminal columns that the text takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)


def fit(text: str, width: int) -> str:
    """The text cut to `width` columns, with an ellipsis where something is left out."""
    if width_of(text) <= width:
        return text
    while width_of(text) > width - 1:
        text = text[: max(width - 1, 0)] if len(text) > 2 * width else text[:-1]
    return text.rstrip() + "…"


def columns() -> int:
    """The width to write for: the terminal's, 80 when there is none."""
    import shutil

    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 80


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, width: int) -> str:
    """Left-aligned columns, two spaces apart, none wider than `width`.

    The last column takes what is left of `width`.
    """
    cells = [[fit(one_line(cell), width) for cell in row] for row in (header, *rows)]
    if len(cells) == 1:
        return ""
    widths = [max(width_of(row[i]) for row in cells) for i in range(len(header) - 1)]
    last = max(width - sum(widths) - 2 * len(widths), 20)
    lines = []
    for row in cells:
        padded = [
            cell + " " * (size - width_of(cell)) for cell, size in zip(row, widths, strict=False)
        ]
        lines.append("  ".join([*padded, fit(row[-1], last)]).rstrip())
    return "\n".join(lines)


def wrap(text: str, *, width: int, indent: str = "") -> str:
    """Paragraphs wrapped at words; lines of the text stay lines."""
    import textwrap

    lines = [
        wrapped
        for line in safe(text).split("\n")
        for wrapped in textwrap.wrap(
            line,
            max(width - len(indent), 20),
            break_long_words=False,
            break_on_hyphens=False,
            replace_whitespace=False,
        )
        or [""]
    ]
    return "\n".join(indent + line for line in lines)
