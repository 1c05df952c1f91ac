import random
import re
import time
import unicodedata
from html.parser import HTMLParser

import pytest
from cmarkgfm.cmark import Options, github_flavored_markdown_to_html
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ledger.render.cells import _comes_back, bold, cell, part, survives

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


class Cells(HTMLParser):
    """The cells of tables in HTML, by rows: their text, with any tag but `<br>` as `<name>`."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.outside = ""
        self.inside = False
        self.feed(html)
        self.close()

    def add(self, text: str) -> None:
        if self.inside:
            self.rows[-1][-1] += text
        else:
            self.outside += text.strip()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self.inside = True
        elif tag not in {"table", "thead", "tbody"}:
            self.add("\n" if tag == "br" and not attrs else f"\ue000<{tag} {attrs}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self.inside = False
        elif tag not in {"table", "thead", "tbody", "tr"}:
            self.add(f"\ue000</{tag}>")

    def handle_data(self, data: str) -> None:
        self.add(data)

    def handle_comment(self, data: str) -> None:
        self.add("" if data == " " else f"\ue000<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.add(f"\ue000<!{decl}>")

    def handle_pi(self, data: str) -> None:
        self.add(f"\ue000<?{data}>")

    def unknown_decl(self, data: str) -> None:
        self.add(f"\ue000<![{data}]>")


def shown_by_cmark(sources: list[str], *, footnote: str = "[^1]: note") -> list[str]:
    """What cmark-gfm shows in the middle cell of a row for each source, with its tags."""
    rows = "".join(f"| left | {source} | right |\n" for source in sources)
    document = f"| a | b | c |\n|---|---|---|\n{rows}\n{footnote}\n"
    options = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES
    found = Cells(github_flavored_markdown_to_html(document, options))
    assert (found.rows[0], found.outside) == (["a", "b", "c"], "")
    assert len(found.rows) == len(sources) + 1
    assert all((len(row), row[0], row[2]) == (3, "left", "right") for row in found.rows[1:])
    return [row[1] for row in found.rows[1:]]


@settings(max_examples=1500, deadline=None)
@given(hostile)
def test_any_text_shows_as_itself(text: str) -> None:
    source = cell(text)
    source.encode("utf-8")
    assert not re.search(r"[\r\n]", source)
    assert "\\|" not in source
    assert shown(row_of(source)[4]) == visible(text)
    assert shown_by_cmark([source]) == [visible(text)]


def some_text(source: random.Random) -> str:
    """Hostile pieces, printable ASCII and any other characters, up to 16 in a row."""
    anything = (0x20, 0x7F), (0x80, 0x3000), (0x3000, 0x1FFFF)
    return "".join(
        source.choice(HOSTILE)
        if source.random() < 0.7
        else chr(source.randrange(*source.choice(anything)))
        for _ in range(source.randrange(1, 17))
    )


def hostile_texts(count: int) -> list[str]:
    source = random.Random(20260826)  # noqa: S311 - the same texts in every run
    return [some_text(source) for _ in range(count)]


def in_bold(children: list[Token] | None) -> Token:
    """What is in the bold part that begins a cell and ends it, or stands before a date."""
    kinds = [child.type for child in children or ()]
    assert children is not None
    start, end = kinds.index("strong_open"), kinds.index("strong_close")
    rest = [*children[:start], *children[end + 1 :]]
    assert shown(Token("inline", "", 0, children=rest)) in {"", " (2026-01-02)"}
    return Token("inline", "", 0, children=children[start + 1 : end])


def test_thousands_of_texts_show_as_themselves_in_two_renderers() -> None:
    texts = hostile_texts(5000)
    encoded = [cell(text) for text in texts]
    assert shown_by_cmark(encoded) == [visible(text) for text in texts]
    assert [shown(row_of(source)[4]) for source in encoded] == [visible(text) for text in texts]


def test_thousands_of_texts_show_as_themselves_in_bold_in_two_renderers() -> None:
    texts = hostile_texts(3000)
    encoded = [bold(text) for text in texts]
    strong = [f"\ue000<strong []>{visible(text)}\ue000</strong>" for text in texts]
    assert shown_by_cmark(encoded) == strong
    inner = [in_bold(row_of(source)[4].children) for source in encoded]
    assert [shown(token) for token in inner] == [visible(text) for text in texts]


def test_markdown_of_thousands_of_cells_stays_in_its_cell_in_two_renderers() -> None:
    encoded = [cell(text, markup="markdown") for text in hostile_texts(5000)]
    assert len(shown_by_cmark(encoded, footnote="")) == len(encoded)
    for source in encoded:
        row_of(source)


@settings(max_examples=300, deadline=None)
@given(hostile.filter(bool))
def test_any_text_shows_as_itself_in_bold(text: str) -> None:
    source = f"{bold(text)} (2026-01-02)"
    assert shown(in_bold(row_of(source)[4].children)) == visible(text)
    strong = f"\ue000<strong []>{visible(text)}\ue000</strong> (2026-01-02)"
    assert shown_by_cmark([source]) == [strong]


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
        assert _comes_back(text)
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
        "👩\u200d👩\u200d👧", "<no equivalent>", "List<T>", "`http://a` and `<div>`",
        "`curl http://a` <br>", "a\\</td>", "<ul><li>x</li></ul>",
    ],
)  # fmt: skip
def test_markdown_of_a_document_is_kept(text: str) -> None:
    assert survives(text)
    assert cell(text, markup="markdown") == text.replace("|", "\\|")


@pytest.mark.parametrize(
    "text",
    [
        "a\\|b", " edge", "two\nlines", "<script>", "</td>",
        "a <div>", "http://x.y\\</td>", "www.x`<div>`", "http://x.y`a </td>`", "a <!-->",
        "<!--->",
        "<ul><li></ul></li>", "<STYLE>x</STYLE>", "<p/>", "\u202e",
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


def test_texts_that_share_a_cell_do_not_pair() -> None:
    assert part("one ` and a_b_c * ~ $") == "one &#96; and a_b_c &#42; &#126; &#36;"
    assert part(" _x_ | [y](z)") == "&#32;&#95;x&#95; &#124; &#91;y](z)"
    assert part("") == ""


@settings(max_examples=300, deadline=None)
@given(hostile, hostile, hostile)
def test_any_texts_in_one_cell_show_as_themselves(first: str, second: str, third: str) -> None:
    source = f"1 {part(first)} [c-7f3a9c21b04d], {part(second)} ({part(third)})"
    said = f"1 {visible(first)} [c-7f3a9c21b04d], {visible(second)} ({visible(third)})"
    assert shown(row_of(source)[4]) == said
    assert shown_by_cmark([source]) == [said]
