r"""Any text as one GFM table cell, encoding only the characters that are active in their place.

Backslashes are never put before a pipe: renderers disagree on what `\\|` means. Entities do not
stop e-mail autolinks in cmark-gfm, an empty comment after the `@` does.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal

from ledger.kinds import ID_PATTERN
from ledger.render import markdown

_CITATION = re.compile(rf"\[{ID_PATTERN}\](?![(\[:])")
_ACTIVE = re.compile(
    # E-mail as cmark-gfm finds it, and mentions.
    r"(?P<address>@(?=[\w\-]*\.)|(?<![A-Za-z0-9_])@(?=[A-Za-z0-9_\-]))"
    r"|(?P<run>\*+|_+|~+|\$+|`+)"
    r"|(?P<link>\[)"
    r"|(?P<eol>\r\n|\r|\n)"
    r"|(?P<other>[^\x20-\x7e])"
    # Escape, cell end, character reference, tag or autolink, URL.
    r"|\\(?![A-Za-z0-9]| (?s:.))|\||&(?=#|[A-Za-z][A-Za-z0-9]{0,40};)|<(?![ 0-9=\-]|$)"
    r"|:(?=//)|(?<=[Ww]{3})\."
)
_RUN = re.compile(r"\*+|_+|~+|\$+|`+")
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# In Markdown from a document joiners and soft hyphens stay; what can reorder or hide text does not.
_DECEPTIVE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
_STRUCTURAL = re.compile(r"[|\\<]")
MARKER = re.compile(r"<!--\s*(?:BEGIN|END)\s+ledger:", re.IGNORECASE)
"""What a region marker starts with; no generated text may hold it."""

# CommonMark 0.31 html blocks of kind 6 that have an end tag: left open, they end or outlast a cell.
# A browser closes any other tag with the cell, such as the `<T>` of an unquoted type.
_BLOCK_TAGS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "colgroup", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "html", "iframe",
    "legend", "li", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option",
    "p", "pre", "search", "section", "select", "summary", "table", "tbody", "td", "tfoot", "th",
    "thead", "title", "tr", "ul",
})  # fmt: skip
# https://github.github.com/gfm/#disallowed-raw-html-extension-
_DISALLOWED = frozenset({
    "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
})  # fmt: skip
_ANY_TAG = re.compile(r"<[/!A-Za-z][^>]*")
_EMPTY_COMMENT = re.compile(r"<!---?>")
_URL = re.compile(r"www\.|://", re.IGNORECASE)
_URL_WITH_ESCAPE = re.compile(rf"(?:{_URL.pattern})[^\s<]*[\\`]", re.IGNORECASE)
_TAG_NAME = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")


def cell(text: str, *, markup: Literal["markdown"] | None = None) -> str:
    r"""The source of a table cell that shows `text`.

    With `markup` the text is Markdown taken from a document and comes out as it is, but for its
    pipes, where `survives` says that this is safe; otherwise it is encoded like any other text.
    Line ends become `<br>`; control, bidi and format characters are shown as `\u{202e}`.
    """
    if markup == "markdown" and survives(text):
        return text.replace("|", "\\|")
    return _encode(text, _pairing(text, embedded=False))


def part(text: str) -> str:
    """The source of a text that shares its cell or line with others.

    A mark that is alone in one of them may find its partner in another: all of them are encoded.
    """
    return _encode(text, frozenset(match.start() for match in _active_runs(text)))


def bold(text: str) -> str:
    """The source of `text` in bold, for use inside a cell; empty for empty text."""
    return f"**{_encode(text, _pairing(text, embedded=True))}**" if text else ""


def survives(text: str) -> bool:
    """Whether Markdown source can stand in a cell verbatim.

    It must come back from the parser as the content of one cell, hold no region marker, no
    character that reorders or hides text, no backslash directly before a pipe and no block of
    HTML that is disallowed or not closed in the cell.
    """
    if _DECEPTIVE.search(text) or MARKER.search(text) or "\\|" in text:
        return False
    if not _STRUCTURAL.search(text) and text == text.strip():
        return True  # parsing costs 0.2 ms, and a document may have thousands of cells
    return _comes_back(text)


def _comes_back(text: str) -> bool:
    source = text.replace("|", "\\|")
    document = f"| a | b | c |\n|---|---|---|\n| x | {source} | y |\n"
    tokens = markdown.parser().parse(document)
    inline = [token for token in tokens if token.type == "inline"]
    cells = [token.content for token in inline]
    if cells != ["a", "b", "c", "x", text, "y"] or tokens[-1].type != "table_close":
        return False
    children = inline[4].children or ()
    tags = [child.content for child in children if child.type == "html_inline"]
    if _URL_WITH_ESCAPE.search(text) and any(
        child.type == "text" and _URL.search(child.content) for child in children
    ):
        # cmark-gfm takes the backslash or backtick into the URL: what it hid is a tag there.
        tags = [*tags, *_ANY_TAG.findall(text)]
    return _balanced(tags)


def _balanced(tags: list[str]) -> bool:
    opened: list[str] = []
    for tag in tags:
        match = _TAG_NAME.match(tag)
        name = match[2].lower() if match else ""
        # Renderers before CommonMark 0.31 take `<!-->` for the start of a comment.
        if name in _DISALLOWED or _EMPTY_COMMENT.match(tag):
            return False
        if match is None or name not in _BLOCK_TAGS:
            continue
        if not match[1]:
            opened.append(name)
        elif not opened or opened.pop() != name:
            return False
    return not opened


def _encode(text: str, pairing: frozenset[int]) -> str:
    """The text with what is active encoded; of the runs, those that start at `pairing`."""

    def encoded(match: re.Match[str]) -> str:
        found = match.group()
        match match.lastgroup:
            case "address":
                return _entity(found) + "<!-- -->"
            case "run":
                return _entity(found) if match.start() in pairing else found
            case "link":
                return found if _CITATION.match(text, match.start()) else _entity(found)
            case "eol":
                return "<br>"
            case "other":
                invisible = unicodedata.category(found) in _INVISIBLE
                return f"\\u{{{ord(found):x}}}" if invisible else found
            case _:
                return _entity(found)

    return _edges(_ACTIVE.sub(encoded, text))


def _active_runs(text: str) -> Iterator[re.Match[str]]:
    """Runs of `*`, `_`, `~`, `$` and backticks; an underscore inside a word is none."""
    for match in _RUN.finditer(text):
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        if match.group()[0] != "_" or not (before.isalnum() and after.isalnum()):
            yield match


def _pairing(text: str, *, embedded: bool) -> frozenset[int]:
    """Where the runs of `*`, `_`, `~`, `$` and backticks start that could find a partner.

    Only an ASCII space or the edge of the cell counts as space here; what else a parser takes for
    space or punctuation makes fewer runs active, never more. Inside bold even a lone `*` or `~`
    is active.
    """
    opens: dict[str, list[int]] = {}
    closes: dict[str, list[int]] = {}
    for match in _active_runs(text):
        start, end, kind = match.start(), match.end(), match.group()[0]
        before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
        if kind == "`":
            kind, before, after = match.group(), "`", "`"
        if after != " ":
            opens.setdefault(kind, []).append(start)
        if before != " ":
            closes.setdefault(kind, []).append(start)
        # cmark-gfm looks past tildes when it decides whether the bold around them opens.
        if kind in {"*", "~"} and embedded:
            opens.setdefault(kind, []).append(-1)
            closes.setdefault(kind, []).extend((start, len(text)))
    return frozenset(
        start
        for kind, openers in opens.items()
        if min(openers) < max(closes.get(kind, [-1]))
        for start in (*openers, *closes[kind])
    )


def _entity(characters: str) -> str:
    return "".join(f"&#{ord(character)};" for character in characters)


def _edges(encoded: str) -> str:
    """Spaces at the edges, which a parser would trim, as entities."""
    if encoded[:1].isspace():
        encoded = _entity(encoded[0]) + encoded[1:]
    if encoded[-1:].isspace():
        encoded = encoded[:-1] + _entity(encoded[-1])
    return encoded
