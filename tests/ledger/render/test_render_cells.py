import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ledger.render.cells import bold, cell, survives

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
HOSTILE = [
    "|", "\\|", "\\", "\\\\", "\n", "\r\n", "\r", "`", "``", "*", "**", "_", "__", "~", "~~", "<",
    ">", "&", "#", ";", "&amp;", "&#124;", "&lt", "[", "]", "(", ")", "![", "](", "[^1]", "<b>",
    "</td>", "<!--", "-->", "<!-- BEGIN ledger:superseded id=x -->", "<script>", "<a@b.c>",
    "<http://a.b>", "a@b.co", "@user", "www.", "http://x.y", "https://", "ftp://", "mailto:", "$",
    "\x1b[31m", "\u202e", "\u2066", "\u200d", "\ufeff", "\x00", "\t", "\x85", "\u2028", "\xa0",
    "\u3000", " ", "  ", "-", "---", ":-:", "+", "1.", "a", "b1", "é", "𝕏", "🧪", "\ud800", "=",
    "'", '"', "!", "[c-7f3a9c21b04d]", "[e-12ab]", "«", "x_y",
]  # fmt: skip
hostile = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=3), max_size=14).map("".join)


def visible(text: str) -> str:
    text = re.sub("\r\n|\r", "\n", text)
    return "".join(
        f"\\u{{{ord(c):x}}}" if c != "\n" and unicodedata.category(c) in INVISIBLE else c
        for c in text
    )


def shown(inline: Token) -> str:
    out = []
    for child in inline.children or ():
        if child.type == "text":
            out.append(child.content)
        elif child.type == "html_inline" and child.content == "<br>":
            out.append("\n")
        elif child.type != "html_inline" or child.content != "<!-- -->":
            raise AssertionError(f"{child.type}: {child.content!r}")
    return "".join(out)


def row_of(source: str) -> list[Token]:
    document = f"| a | b | c |\n|---|---|---|\n| left | {source} | right |\n\nafter\n"
    tokens = PARSER.parse(document)
    assert [t.type for t in tokens if t.level == 0] == [
        "table_open", "table_close", "paragraph_open", "paragraph_close",
    ]  # fmt: skip
    inline = [t for t in tokens if t.type == "inline"]
    assert len(inline) == 7
    assert [inline[i].content for i in (0, 1, 2, 3, 5, 6)] == [
        "a", "b", "c", "left", "right", "after",
    ]  # fmt: skip
    return inline


@settings(max_examples=1500, deadline=None)
@given(hostile)
def test_any_text_shows_as_itself(text: str) -> None:
    source = cell(text)
    source.encode("utf-8")
    assert not re.search(r"[\r\n]", source)
    assert "\\|" not in source
    assert shown(row_of(source)[4]) == visible(text)


@settings(max_examples=300, deadline=None)
@given(hostile.filter(bool))
def test_any_text_shows_as_itself_in_bold(text: str) -> None:
    children = row_of(f"{bold(text)} (2026-01-02)")[4].children
    assert children is not None
    kinds = [child.type for child in children]
    start, end = kinds.index("strong_open"), kinds.index("strong_close")
    middle = Token("inline", "", 0, children=children[start + 1 : end])
    assert shown(middle) == visible(text)
    assert shown(Token("inline", "", 0, children=children[end + 1 :])) == " (2026-01-02)"


def test_tildes_and_stars_are_encoded_in_bold() -> None:
    assert bold("~~ a") == "**&#126;&#126; a**"
    assert bold("a* b") == "**a&#42; b**"
    assert bold("") == ""


@settings(max_examples=600, deadline=None)
@given(hostile)
def test_markdown_is_verbatim_or_encoded(text: str) -> None:
    source = cell(text, markup="markdown")
    content = row_of(source)[4].content
    if survives(text):
        assert content == text
    else:
        assert source == cell(text)


@pytest.mark.parametrize(
    "text",
    [
        "plain words, 42", "snake_case", "a=b", "§3.9", "2–5×", "~4ND vs ~6ND",
        "fmha_cutlass*_sm80",
        "2 * 3 * 4", "**kwargs", "w < 5 and w >= 3", "C:\\path", "R&D", "stopwatch@1", '"quoted"',
        "[c-7f3a9c21b04d]", "see [c-7f3a] and [e-12ab9c]", "10:30:00", "#12", "🧪", "it's (so)!",
        "x__y", "-1", "`", "",
    ],
)  # fmt: skip
def test_inactive_text_stays_readable(text: str) -> None:
    assert cell(text) == text


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a|b", "a&#124;b"),
        ("a\\|b", "a&#92;&#124;b"),
        ("a\nb\r\nc", "a<br>b<br>c"),
        (" a ", "&#32;a&#32;"),
        ("\u202eevil", "\\u{202e}evil"),
        ("\x1b[31mred", "\\u{1b}&#91;31mred"),
        ("*x*", "&#42;x&#42;"),
        ("`x`", "&#96;x&#96;"),
        ("<b>", "&#60;b>"),
        ("me@example.org", "me&#64;<!-- -->example.org"),
        ("@team", "&#64;<!-- -->team"),
        ("www.example.org", "www&#46;example.org"),
        ("https://example.org", "https&#58;//example.org"),
        ("&lt;", "&#38;lt;"),
        ("[a](b)", "&#91;a](b)"),
        ("[c-7f3a](b)", "&#91;c-7f3a](b)"),
        ("end\\", "end&#92;"),
        ("end\\ ", "end&#92;&#32;"),
    ],
)
def test_active_characters_are_encoded(text: str, source: str) -> None:
    assert cell(text) == source


@pytest.mark.parametrize(
    "text",
    [
        "`a|b`", "a|b", "*x* and **y**", "[link](https://example.org)", "<br>", "<a name=x></a>",
        "<details><summary>s</summary>t</details>", "a & b &lt;", "~half", "tab\there",
        "👩\u200d👩\u200d👧", "<no equivalent>", "List<T>", "<ul><li>x</li></ul>",
    ],
)  # fmt: skip
def test_markdown_of_a_document_is_kept(text: str) -> None:
    assert survives(text)
    assert cell(text, markup="markdown") == text.replace("|", "\\|")


@pytest.mark.parametrize(
    "text",
    [
        "a\\|b", " edge", "two\nlines", "<script>", "</td>",
        "a <div>", "<ul><li></ul></li>", "<STYLE>x</STYLE>", "<p/>", "\u202e",
        "\x1b[0m", "`<!-- BEGIN ledger:superseded id=x -->`", "\u2066x", "\ud800",
    ],
)  # fmt: skip
def test_markdown_that_would_not_survive_is_encoded(text: str) -> None:
    assert not survives(text)
    assert cell(text, markup="markdown") == cell(text)


@pytest.mark.parametrize(
    "unit", ["|", "\\", "`a", "*a ", "&a", "<", "@a", "[", "[c-7f3a]", "www.", "\n", "a", "_ _"]
)
def test_a_very_long_text_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.perf_counter()
    source = cell(text)
    assert time.perf_counter() - start < 2
    assert len(source) >= len(text)
