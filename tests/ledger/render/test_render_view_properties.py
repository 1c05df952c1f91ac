"""Whatever the entries hold: tables stay tables, and rendering twice changes nothing."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from inline import Ledger
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from ledger.entry import (
    Arm,
    By,
    Consult,
    Evidence,
    GitState,
    Instrument,
    Outcome,
    Quantity,
    Recorded,
    Rescope,
    Retraction,
    Verdict,
)
from ledger.fold import fold
from ledger.render import Region, find, generated, judge, renew
from ledger.render.markdown import blocks, bytes_of, split_lines
from ledger.render.markers import MarkerError, markers_of
from ledger.render.outline import Outline
from ledger.render.views import VIEWS, Request

RULE = re.compile(r"\|( --- \|)+")
DAY = "2026-06-15"
OPTIONS = {
    "superseded": ("",),
    "negatives": ("", "include=superseded"),
    "standing": ("",),
    "open": ("",),
    "consult": ("", "consult=k-0001"),
    "falls-survives": ("of=o-0001", "of=e-0002", "of=s-0003 scope=", "of=r-0001", "of=v-0001"),
    "probe": ("evidence=e-0001", "evidence=e-0002", "instrument=stopwatch"),
    "kernel-table": ("", "evidence=e-0002"),
    "scaling-fit": ("",),
}
"""Options of each view that can be followed in the ledger below."""

active = st.sampled_from(
    ["|", "\\", "`", "*", "_", "~~", "[", "](x)", "<", "</table>", "<!--", "-->", "\n", "\r\n", "$",
     "# ", "- ", "1. ", "> ", "```", "@a.org", "https://a.org", "&amp;", "\u202e", " ", "a", "é",
     "<!-- END ledger:superseded id=main -->", "<script>", "---", "| --- |", "\x00", "[c-0001]"]
)  # fmt: skip
texts = st.lists(active, min_size=1, max_size=6).map("".join)


def hostile(text: str) -> Ledger:
    """An entry of every kind, with the text in every field that may hold any."""
    book = Ledger()
    by = By(name=text, model=text)
    made = Evidence(
        recorded=Recorded(at=""),
        instrument=Instrument(name="stopwatch", version=text),
        about={text: text, "seat": "a"},
        quantities=(
            Quantity(name=text, value=1, unit="s", low=0, high=2, n=3),
            Quantity(name="unknown_share", value=None, reason=text),
        ),
        result=text,
        git=GitState(state="unknown", oid=text, reason=text),
        doubts=(text, text),
        taken_at=text,
        tags=(text,),
    )
    book.put("e-0001", made)
    book.put("e-0002", replace(made, instrument=Instrument(name="kernel-table", version=text)))
    book.put("k-0001", Consult(recorded=Recorded(at=""), question=text, asked_at=text,
             arms=(Arm(arm=text, model=text, read=(text, "e-0001")), Arm(arm="b"))))  # fmt: skip
    for number, markup in enumerate((None, "markdown")):
        for status in ("provisional", "refuted", "measured", "superseded", "retracted", "derived"):
            name = f"c-{number}{'prmsxd'[len(book) % 6]}{len(book):02d}"
            fields = {"by": by, "consult": "k-0001", "about": {"seat": "a"}, "tags": (text,)}
            if status == "derived":
                fields["rests_on"] = (("e-0001",),)
            book.claim(name, text, markup=markup, **fields)
            if status in {"refuted", "measured"}:
                outcome: Outcome = "refutes" if status == "refuted" else "supports"
                verdict = Verdict(recorded=Recorded(at=""), claim=name, evidence="e-0002",
                                  outcome=outcome, decided="person", note=text)  # fmt: skip
                book.put(f"v-{name[2:]}", verdict)
            elif status == "superseded":
                book.supersede(f"s-{name[2:]}", name, text, replaced_by=text)
            elif status == "retracted":
                book.put(f"r-{name[2:]}", Retraction(recorded=Recorded(at=""), target=name,
                         reason=text))  # fmt: skip
    last = list(book)[-1]
    book.put("o-0001", Rescope(recorded=Recorded(at=""), evidence="e-0002", about={"seat": text},
             unstated=(text,), reason=text))  # fmt: skip
    book.put("r-0001", Retraction(recorded=Recorded(at=""), target="e-0001", reason=text))
    book.verdict("v-0001", last, "e-0001", "inconclusive")
    book.supersede("s-0003", last, text)
    return book


def requests(book: Ledger) -> Iterator[tuple[str, str, str]]:
    """View, options as a marker holds them, and body."""
    found = fold(book, as_of=DAY)
    for view, several in OPTIONS.items():
        for words in several:
            options = dict(pair.split("=", 1) for pair in words.split())
            options = {key: value for key, value in options.items() if value}
            request = Request(fold=found, id="main", options=options)
            yield view, " ".join(f"{k}={v}" for k, v in options.items()), VIEWS[view].body(request)


def rows(tokens: list[Token]) -> Iterator[int]:
    """The number of cells in every row."""
    count = 0
    for token in tokens:
        if token.type == "tr_open":
            count = 0
        elif token.type in {"td_open", "th_open"}:
            count += 1
        elif token.type == "tr_close":
            yield count


@settings(max_examples=25, deadline=None)
@given(texts)
def test_any_text_keeps_paragraphs_and_tables(text: str) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    for view, _, body in requests(hostile(text)):
        generated(body)
        tokens = parser.parse(body)
        top = {token.type for token in tokens if not token.level and token.type != "inline"}
        assert top <= {"table_open", "table_close", "paragraph_open", "paragraph_close"}, view
        rules = [line for line in body.split("\n") if RULE.fullmatch(line)]
        assert sum(token.type == "table_open" for token in tokens) == len(rules) > 0, view
        assert set(rows(tokens)) == {rule.count("|") - 1 for rule in rules}, view
        written = sum(line.startswith("| ") for line in body.split("\n"))
        assert sum(token.type == "tr_open" for token in tokens) == written - len(rules), view


@settings(max_examples=12, deadline=None)
@given(texts)
def test_text_that_is_no_markup_makes_no_link_and_no_html(text: str) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    book = hostile(text)
    for name, entry in list(book.items()):
        if name.startswith("c-"):
            book[name] = replace(entry, markup=None)
    for view, _, body in requests(book):
        for token in parser.parse(body):
            for child in token.children or ():
                assert child.type in {
                    "text", "html_inline", "strong_open", "strong_close", "softbreak",
                }, (view, child)  # fmt: skip
                assert child.type != "html_inline" or child.content in {"<br>", "<!-- -->"}, view


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("last", ["", "EOL"])
def test_rendering_twice_changes_nothing(eol: str, bom: bytes, last: str) -> None:
    book = hostile("a | *b* `c` <d> [e](f)\n- g")
    bodies = {}
    parts = ["# Title", "", "text"]
    for number, (view, words, body) in enumerate(requests(book)):
        name = f"r{number}"
        bodies[name] = body
        begin = " ".join(f"<!-- BEGIN ledger:{view} id={name} {words}".split())
        parts += ["", f"{begin} -->", f"<!-- END ledger:{view} id={name} -->"]
    source = bom + (eol.join(parts) + (eol if last else "")).encode()

    def made(region: Region) -> object:
        return generated(bodies[region.id])

    first = judge(source, made)  # type: ignore[arg-type]
    assert {item.state for item in first} == {"stale"}
    once = renew(source, first)
    second = judge(once, made)  # type: ignore[arg-type]
    assert {item.state for item in second} == {"current"}
    assert renew(once, second) == once
    assert once.startswith(bom)
    assert once.endswith(eol.encode()) == bool(last)
    assert [r.id for r in find(once)] == list(bodies)


BEGIN, END = "<!-- BEGIN ledger:superseded id=a -->\n", "<!-- END ledger:superseded id=a -->\n"
pieces = st.lists(
    st.sampled_from(
        [BEGIN, END, "\n", "| a | b |\n", "| --- | --- |\n", "text\n", "```\n", "- item\n", "  ",
         "> ", "<div>\n", "<!-- open\n", "closes -->\n", "<pre>\n", "| </pre>\n", "    ", "\r\n",
         "1. x\n", "| `<!-- END ledger:x id=a -->`\n", "~~~\n", "# x\n", "[a]: b\n", "---\n"]
    ),
    max_size=4,
).map("".join)  # fmt: skip


@settings(max_examples=800, deadline=None)
@given(pieces, pieces, pieces)
@example("<pre>\n", "| </pre>\n", "")
@example("<!-- open\n", "closes -->\n", END)
@example("", "```\n", f"```\n{END}")
def test_markers_are_the_same_whether_bodies_are_parsed_or_not(
    before: str, inside: str, after: str
) -> None:
    lines = split_lines(bytes_of(f"{before}{BEGIN}{inside}\n{END}{after}"))

    def found() -> object:
        try:
            return [(m.begins, m.line) for m in markers_of(lines)]
        except MarkerError as error:
            return error.message

    def whole(given: tuple[bytes, ...]) -> Outline:
        return Outline(tokens=blocks(b"".join(given)), lines=range(len(given)))

    short = found()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("ledger.render.markers.outline", whole)
        assert found() == short
