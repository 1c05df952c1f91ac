import pytest
from inline import TODAY
from markdown_it import MarkdownIt

from ledger.fold import fold
from ledger.render.views import VIEWS, Request
from ledger.render.views.superseded import NOT_STATED, SupersededRow, superseded
from ledger.render.views.view import registry

PLAIN = SupersededRow(
    claim_id="c-0123456789ab", statement="It is a|b", status="WRONG", date="2026-03-04"
)
HEAD = "| claim | status | replaced by |\n| --- | --- | --- |\n"


def row(**changes: str) -> SupersededRow:
    return SupersededRow(**{**PLAIN.__dict__, **changes})


def test_no_rows_make_a_table_without_body() -> None:
    assert superseded(()) == HEAD


def test_a_row_without_replacement_says_so() -> None:
    assert superseded((PLAIN,)) == (
        HEAD + f"| It is a&#124;b | **WRONG** (2026-03-04) | {NOT_STATED} |\n"
    )


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({"replaced_by_text": "new"}, "| It is a&#124;b | **WRONG** (2026-03-04) | new |"),
        (
            {"replaced_by_text": "`n`", "replaced_by_claim": "c-7f3a9c21b04d"},
            "| It is a&#124;b | **WRONG** (2026-03-04) | &#96;n&#96; [c-7f3a9c21b04d] |",
        ),
        (
            {"replaced_by_text": "`n`", "replaced_by_markup": "markdown"},
            "| It is a&#124;b | **WRONG** (2026-03-04) | `n` |",
        ),
        (
            {"replaced_by_claim": "c-7f3a9c21b04d"},
            "| It is a&#124;b | **WRONG** (2026-03-04) | [c-7f3a9c21b04d] |",
        ),
        ({"replaced_by_text": ""}, "| It is a&#124;b | **WRONG** (2026-03-04) |  |"),
        ({"markup": "markdown"}, f"| It is a\\|b | **WRONG** (2026-03-04) | {NOT_STATED} |"),
        ({"shown": "~~no~~ 2025"}, f"| It is a&#124;b | ~~no~~ 2025 | {NOT_STATED} |"),
        (
            {"status": "A*|\n"},
            f"| It is a&#124;b | **A&#42;&#124;<br>** (2026-03-04) | {NOT_STATED} |",
        ),
    ],
)
def test_cells_of_a_row(changes: dict[str, str], line: str) -> None:
    assert superseded((row(**changes),)) == f"{HEAD}{line}\n"


def test_hostile_rows_keep_the_table() -> None:
    evil = "|\n</td><script>`\\|[x](y)\u202e|-->\n<!-- END ledger:superseded id=main -->"
    hostile = row(
        statement=evil, status=evil, date=evil, replaced_by_text=evil, replaced_by_claim=evil,
        shown=evil, markup="markdown", replaced_by_markup="markdown",
    )  # fmt: skip
    tokens = MarkdownIt("commonmark").enable("table").parse(superseded((PLAIN, hostile, PLAIN)))
    assert [t.type for t in tokens if t.level == 0] == ["table_open", "table_close"]
    assert sum(t.type == "tr_open" for t in tokens) == 4
    cells = [t for t in tokens if t.type == "inline"]
    assert [t.content for t in cells[3:6]] == [t.content for t in cells[9:12]]
    html = {c.content for t in cells for c in t.children or () if c.type == "html_inline"}
    assert html == {"<br>"}


def test_the_registry_is_frozen_and_refuses_a_name_given_twice() -> None:
    empty = Request(fold=fold({}, as_of=TODAY), id="main")
    assert VIEWS["superseded"].body(empty) == HEAD
    with pytest.raises(TypeError):
        VIEWS["x"] = VIEWS["superseded"]  # type: ignore[index]
    with pytest.raises(ValueError, match="same name"):
        registry(VIEWS["superseded"], VIEWS["superseded"])
