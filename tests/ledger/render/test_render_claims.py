import inspect

import pytest
from inline import LATER, Ledger
from markdown_it.token import Token
from test_render_cells import hostile_texts, in_bold, row_of, shown, shown_by_cmark, visible

from ledger.entry import By, ReplacedBy, TableRow
from ledger.fold import fold
from ledger.render.layout import kept
from ledger.render.views import VIEWS, Request

ADR = ("Title", "Status", "Superseded by")
RIGHT = {"claim": 0, "status": 1, "replaced_by": 2}


def adopted(book: Ledger, name: str, cells: tuple[str, ...], *, number: int, **columns: int) -> str:
    header = ADR[: len(cells)]
    row = TableRow(number=number, header=header, cells=cells, **(columns or RIGHT))
    return book.claim(
        name,
        cells[0],
        by=By(name="a.md", role="document"),
        basis="citation",
        tags=("adr",),
        markup="markdown",
        row=row,
    )


def body(book: Ledger, as_of: str = "2026-06-15") -> list[str]:
    request = Request(fold=fold(book, as_of=as_of), id="adr")
    return VIEWS["claims"].body(request).splitlines()[2:]


@pytest.fixture
def book() -> Ledger:
    found = Ledger()
    adopted(found, "c-2", ("`b|c`", "~~Old~~ **Accepted**", "—"), number=2)
    adopted(found, "c-1", ("a", "Superseded (2026-01-02)", "[b](x)"), number=1)
    found.supersede("s-1", "c-1", "Superseded", date="2026-01-02", shown="Superseded (2026-01-02)",
                    replaced_by=ReplacedBy(text="[b](x)", markup="markdown"))  # fmt: skip
    return found


def test_rows_stand_in_the_order_of_the_document_as_it_has_them(book: Ledger) -> None:
    found = VIEWS["claims"].body(Request(fold=fold(book, as_of="2026-06-15"), id="adr"))
    assert found == inspect.cleandoc(r"""
        | Title | Status | Superseded by |
        | --- | --- | --- |
        | a | Superseded (2026-01-02) | [b](x) |
        | `b\|c` | ~~Old~~ **Accepted** | — |
        """) + "\n"  # fmt: skip
    assert VIEWS["claims"].body(Request(fold=fold(book, as_of="2026-06-15"), id="other")) == ""


def test_what_is_superseded_later_says_so_and_by_what(book: Ledger) -> None:
    book.claim("c-3", "the *new* one")
    book.supersede("s-2", "c-2", "WRONG", replaced_by="c-3")
    assert body(book)[1] == (
        r"| `b\|c` | **WRONG** (2026-06-02) | the &#42;new&#42; one [c-3] |".replace("[", "&#91;")
    )
    book.supersede("s-3", "c-2", "WRONG|", date="2026-06-03")
    assert body(book)[1] == r"| `b\|c` | **WRONG&#124;** (2026-06-03) | — not stated |"
    assert body(book)[0] == "| a | Superseded (2026-01-02) | [b](x) |"


def test_a_supersession_that_is_taken_back_is_no_longer_shown(book: Ledger) -> None:
    book.retract("r-1", "s-1")
    assert body(book)[0] == "| a | **PROVISIONAL** |  |"
    assert body(book, as_of="2027-06-15")[0] == f"| a | **EXPIRED** ({LATER}) |  |"


def test_measurements_expiry_and_retraction_are_shown(book: Ledger) -> None:
    assert body(book, as_of="2027-06-15")[1] == rf"| `b\|c` | **EXPIRED** ({LATER}) | — |"
    book.evidence("e-0123456789ab")
    book.verdict("v-1", "c-2", "e-0123456789ab", "supports")
    assert body(book)[1] == r"| `b\|c` | **MEASURED** [e-0123456789ab] | — |"
    book.evidence("e-ba9876543210")
    book.verdict("v-2", "c-2", "e-ba9876543210", "refutes")
    both = r"| `b\|c` | **DISPUTED** [e-0123456789ab] [e-ba9876543210] | — |"
    assert body(book)[1] == both
    book.retract("r-1", "e-0123456789ab")
    assert body(book)[1] == r"| `b\|c` | **REFUTED** [e-ba9876543210] | — |"
    book.retract("r-2", "e-ba9876543210")
    assert body(book)[1] == r"| `b\|c` | **FALLEN** | — |"
    book.retract("r-3", "c-2")
    assert body(book)[1] == r"| `b\|c` | **RETRACTED** (2026-06-01) | — |"


def test_a_table_without_a_status_gets_one_when_a_row_needs_it() -> None:
    book = Ledger()
    for number in (1, 2, 3):
        adopted(book, f"c-{number}", (f"row {number}", "x|y"), number=number, claim=0)
    book.supersede("s-1", "c-1", "DEPRECATED", shown="")
    plain = ["| row 1 | x\\|y |", "| row 2 | x\\|y |", "| row 3 | x\\|y |"]
    assert body(book) == plain
    before = VIEWS["claims"].body(Request(fold=fold(book, as_of="2026-06-15"), id="adr"))
    book.supersede("s-2", "c-2", "WRONG", replaced_by="a\n|b")
    request = Request(fold=fold(book, as_of="2026-06-15"), id="adr")
    assert VIEWS["claims"].body(request).splitlines() == [
        "| Title | Status | status |",
        "| --- | --- | --- |",
        "| row 1 | x\\|y |  |",
        "| row 2 | x\\|y | **WRONG** (2026-06-02), replaced by a<br>&#124;b |",
        "| row 3 | x\\|y |  |",
    ]
    aligned = before.replace("| --- | --- |", "|--:|---|")
    assert kept(aligned.strip(), VIEWS["claims"].body(request)).splitlines()[1] == (
        "| --: | --- | --- |"
    )


def test_rows_that_are_the_same_stay_two() -> None:
    book = Ledger()
    for number in (1, 2):
        adopted(book, f"c-{number}", ("a", "Accepted"), number=number, claim=0, status=1)
    assert body(book) == ["| a | Accepted |"] * 2


def test_rows_of_two_headers_make_two_tables() -> None:
    book = Ledger()
    adopted(book, "c-1", ("a", "Accepted"), number=1, claim=0, status=1)
    adopted(book, "c-2", ("b", "Accepted", "-"), number=2)
    assert body(book) == [
        "| a | Accepted |", "",
        "| Title | Status | Superseded by |", "| --- | --- | --- |", "| b | Accepted | - |",
    ]  # fmt: skip


def test_thousands_of_hostile_rows_keep_the_table_in_two_renderers() -> None:
    texts = hostile_texts(1500)
    book = Ledger()
    for number, text in enumerate(texts, 1):
        name = f"c-{number}"
        row = TableRow(
            number=number, header=("a", "b", "c"), cells=("left", text, "right"), claim=1, status=1
        )
        book.claim(name, "x", tags=("adr",), markup="markdown", row=row)
        if number % 3 == 0:
            book.supersede(f"s-{number}", name, text)
        elif number % 3 == 1:
            book.supersede(f"s-{number}", name, "WRONG", replaced_by=text)
    lines = body(book)
    middle = [line.removeprefix("| left | ").removesuffix(" | right |") for line in lines]
    assert [f"| left | {source} | right |" for source in middle] == lines
    cmark = shown_by_cmark(middle, footnote="")
    for number, (text, source, seen) in enumerate(zip(texts, middle, cmark, strict=True), 1):
        inline = row_of(source)[4]
        if number % 3 == 0:
            date = " (2026-06-02)"
            assert seen == f"\ue000<strong []>{visible(text)}\ue000</strong>{date}"
            assert shown(in_bold((inline.children or [])[:-1])) == visible(text)
        elif number % 3 == 1:
            lead = "\ue000<strong []>WRONG\ue000</strong> (2026-06-02), replaced by "
            assert seen == lead + visible(text)
            rest = Token("inline", "", 0, children=(inline.children or [])[4:])
            assert shown(rest) == f" (2026-06-02), replaced by {visible(text)}"
        elif text.strip() == text and not set("|\\<") & set(text) and text.isprintable():
            assert inline.content == text
