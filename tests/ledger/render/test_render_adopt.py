import json
import os
import re
from pathlib import Path

import pytest
from rewritten import rewrite

from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.adopt import ClaimsTable, adopt, read_claims_table
from ledger.render.adopted import AdoptedRow
from ledger.render.cells import cell, survives
from ledger.render.choosing import Wanted
from ledger.render.regions import find, wrap
from ledger.render.views.superseded import SupersededRow, status_cell, superseded

SHARED = Path(
    os.environ.get("LEDGER_SHARED", Path(__file__).resolve().parents[3] / ".." / "shared")
).resolve()
BEFORE = """# Notebook

Text with a | pipe.

## 3. Retired claims — stop citing these

The table was begun in spring.

"""
TABLE = r"""| claim | status | replaced by |
|---|---|---|
| The loader is bound by `zstd -d \| tar` | **WRONG** (2026-02-03) | It waits for disk: 71% |
| "Pinned memory" costs 2–5× | **WRONG** (2026-02-03) | ~1.1× vs ~1.3×, *both* noise — see §2.4 |
| `prefetch_factor=8` is the lever | **NOT A FLAG** (2026-02-04) | a\|b test of `a\|b`: *nothing* |
| Dropout costs 10% 🧪 | **UNNECESSARY** (2026-02-04) | 0.3% ± 0.1% |
| bf16_full_eval halves memory | **ALREADY BANKED** (2026-02-05) | [notes](notes.md#mem) say so |
| w=4,096 fits in 24 GB | **REMOVED IN torchlike 9** (2026-02-05) | |
| x < y && a_b_c | WRONG, 2026-02-06 | <br> and `<b>` stay |
| Seeds don't matter | ❌ **No** (2026-02-30, then 2026-03-01) | three seeds: 1.2, 1.9, 0.7 |
| "a" is 'b' \| c | **WRONG** | 100 % |
| It's fmha_x*_sm80 | **W\*ONG** (2026-02-07) | — |
"""
AFTER = "\n## 4. Next\n\n| claim | status |\n|---|---|\n| z | **WRONG** (2026-01-01) |\n"
DOCUMENT = BEFORE + TABLE + AFTER


def read(source: bytes, heading: str) -> ClaimsTable:
    return read_claims_table(source, Wanted(heading=heading))


def told(table: ClaimsTable) -> list[str]:
    return [f"line {said.line}: {said.text}" for said in (*table.losses, *table.warnings)]


def rows_of(table: ClaimsTable) -> tuple[SupersededRow, ...]:
    return tuple(
        SupersededRow(
            claim_id=f"c-{i:012x}",
            statement=row.statement,
            markup="markdown",
            status=row.status,
            date=row.date or "2026-01-01",
            shown=row.shown,
            replaced_by_text=row.replaced_by,
            replaced_by_markup="markdown",
        )
        for i, row in enumerate(table.rows)
    )


def cells_of(text: str) -> list[tuple[str, ...]]:
    source = text.encode()
    (table,) = markdown.tables(source, markdown.blocks(source))
    return [table.header.cells, *(row.cells for row in table.rows)]


def test_the_rows_of_a_playbook() -> None:
    table = read(DOCUMENT.encode(), "retired CLAIMS")
    assert (table.begin_line, table.end_line) == (9, 20)
    assert table.header == ("claim", "status", "replaced by")
    assert table.region is None
    cells = ("The loader is bound by `zstd -d | tar`", "**WRONG** (2026-02-03)",
             "It waits for disk: 71%")  # fmt: skip
    assert table.rows[0] == AdoptedRow(
        number=1, cells=cells, statement=cells[0], superseded=True, status="WRONG",
        date="2026-02-03", review=None, shown=None, replaced_by=cells[2], line=11,
    )  # fmt: skip
    assert [(r.status, r.date, r.shown) for r in table.rows[1:]] == [
        ("WRONG", "2026-02-03", None),
        ("NOT A FLAG", "2026-02-04", None),
        ("UNNECESSARY", "2026-02-04", None),
        ("ALREADY BANKED", "2026-02-05", None),
        ("REMOVED IN torchlike 9", "2026-02-05", None),
        ("WRONG", "2026-02-06", "WRONG, 2026-02-06"),
        ("❌ No", "2026-03-01", "❌ **No** (2026-02-30, then 2026-03-01)"),
        ("WRONG", None, "**WRONG**"),
        ("W\\*ONG", "2026-02-07", "**W\\*ONG** (2026-02-07)"),
    ]
    assert [r.replaced_by for r in table.rows][5] == ""
    assert (table.view, table.losses) == ("superseded", ())
    assert told(table) == ["line 19: the row states no date: today's is taken"]


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", [b"", markdown.BOM])
def test_adopting_gives_back_the_same_cells_and_no_other_byte_changes(eol: str, bom: bytes) -> None:
    source = bom + DOCUMENT.replace("\n", eol).encode()
    table = read(source, "Retired claims")
    body = superseded(rows_of(table))
    assert cells_of(body) == cells_of(TABLE)
    for text in (body, table.text):
        adopted = adopt(source, table, wrap("superseded", "main", {}, text))
        region = wrap("superseded", "main", {}, text).replace("\n", eol).encode()
        head, tail = (part.replace("\n", eol).encode() for part in (BEFORE, AFTER))
        assert adopted == bom + head + region + tail
        assert rewrite(adopted, lambda _: body).source == adopted
        again = read(adopted, "Retired claims")
        assert again.region == find(adopted)[0]
        longer = wrap("superseded", "main", {}, text + "| a | b | c |\n")
        assert adopt(adopted, again, longer) == (
            bom + head + longer.replace("\n", eol).encode() + tail
        )
        assert [r.statement for r in again.rows] == [r.statement for r in table.rows]


def test_a_missing_final_line_end_and_a_table_at_the_start_are_kept() -> None:
    source = ("# Retired\n" + TABLE).encode().removesuffix(b"\n")
    table = read(source, "retired")
    adopted = adopt(source, table, wrap("superseded", "main", {}, table.text))
    assert adopted.startswith(b"# Retired\n<!-- BEGIN")
    assert adopted.endswith(b"<!-- END ledger:superseded id=main -->")


def test_a_document_changed_since_it_was_read_is_refused() -> None:
    table = read(DOCUMENT.encode(), "retired")
    with pytest.raises(LedgerError, match="not the table that was read"):
        adopt(b"x\n" + DOCUMENT.encode(), table, "region")


@pytest.mark.parametrize(
    ("source", "heading", "code", "words"),
    [
        (DOCUMENT, "nothing", "not-found", "no heading contains 'nothing'"),
        (DOCUMENT + "\n# Old: retired\n", "retired", "ambiguous", "line 5: 3. Retired"),
        (DOCUMENT + "\n# Old: retired\n", "retired", "ambiguous", "line 28: Old: retired"),
        (BEFORE, "retired", "not-found", "no table with the columns"),
        ("# R\n\n| a | b |\n|---|---|\n", "r", "not-found", "tables there: line 3: a | b"),
        (f"# R\n\n{TABLE}\ntext\n\n{TABLE}", "r", "ambiguous", "2 tables"),
        ("# R\n\n> | claim | status |\n> |---|---|\n", "r", "bad-input", "inside a list or quote"),
        ("text", "r", "not-found", "no heading"),
    ],
)
def test_a_table_that_is_not_to_be_found(source: str, heading: str, code: str, words: str) -> None:
    with pytest.raises(LedgerError) as caught:
        read(source.encode(), heading)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.fix


def test_candidates_of_a_missing_heading_are_in_the_fix() -> None:
    with pytest.raises(LedgerError) as caught:
        read(DOCUMENT.encode(), "nothing")
    assert "line 1: Notebook; line 5: 3. Retired claims" in caught.value.fix


def test_a_whole_heading_wins_over_part_of_another() -> None:
    source = f"# Retired\n\n{TABLE}\n# Retired later\n".encode()
    assert read(source, "retired").begin_line == 3


def test_tables_below_a_subheading_belong_to_the_section() -> None:
    source = f"# A\n\n## B\n\n{TABLE}\n# C\n".encode()
    assert read(source, "a").begin_line == 5
    with pytest.raises(LedgerError):
        read(source, "c")


def test_of_several_tables_of_a_section_the_one_before_the_next_heading_is_meant() -> None:
    source = f"# A\n\n{TABLE}\n## B\n\n{TABLE}".encode()
    assert read(source, "a").begin_line == 3
    assert read(source, "b").begin_line == 18
    assert read_claims_table(source, Wanted(heading="a", line=20)).begin_line == 18
    with pytest.raises(LedgerError, match="line 3 is no line of a table under the heading"):
        read_claims_table(source, Wanted(heading="b", line=3))


def test_a_table_with_other_columns_keeps_its_header_and_cells() -> None:
    source = (
        b"# R\n\n| Status | Use instead | The claim | who |\n|---|---|---|---|\n"
        b"| **WRONG** (2026-01-02) | y | x | me |\n"
    )
    table = read(source, "r")
    cells = ("**WRONG** (2026-01-02)", "y", "x", "me")
    assert table.rows == (
        AdoptedRow(
            number=1, cells=cells, statement="x", superseded=True, status="WRONG",
            date="2026-01-02", review=None, shown=cells[0], replaced_by="y", line=5,
        ),
    )  # fmt: skip
    assert (table.view, told(table)) == ("claims", [])
    without = read(b"# R\n\n| claim | status |\n|---|---|\n| x | y |\n", "r")
    assert (without.view, without.rows[0].replaced_by) == ("claims", None)


@pytest.mark.parametrize(
    ("row", "warning"),
    [
        ("| a | **X** (2026-01-02) | b | c |", "line 5: 4 cells under a header of 3"),
        ("| `a|b` | **X** (2026-01-02) | c |", "line 5: 4 cells under a header of 3"),
        ("| a <div> | **X** (2026-01-02) | c |", "line 5: this cell cannot be kept as it is"),
        ("| a\\\\|b | **X** (2026-01-02) | c |", "line 5: this cell cannot be kept as it is"),
        ("| a | **X** | c |", "line 5: the row states no date"),
        ("| a | **X** March 2026 | c |", "line 5: 'March 2026' is no full date"),
        ("|  | **X** (2026-01-02) | c |", "line 5: the claim cell is empty"),
    ],
)
def test_what_adopting_would_lose_is_reported(row: str, warning: str) -> None:
    source = f"# R\n\n| claim | status | replaced by |\n|---|---|---|\n{row}\n".encode()
    assert any(text.startswith(warning) for text in told(read(source, "r")))


@pytest.mark.parametrize(
    ("shown", "label", "date"),
    [
        ("**WRONG (2026-01-02)**", "WRONG", "2026-01-02"),
        ("*Wrong* — 2026-01-02", "Wrong", "2026-01-02"),
        ("2026-01-02: not a flag", "not a flag", "2026-01-02"),
        ("WRONG (see log) [2026-01-02]", "WRONG (see log)", "2026-01-02"),
        ("**A | B** (2026-01-02)", "A | B", "2026-01-02"),
        ("**WRONG** (12026-01-021)", "WRONG (12026-01-021)", None),
    ],
)
def test_other_forms_of_the_status_cell(shown: str, label: str, date: str | None) -> None:
    encoded = cell(shown, markup="markdown")
    for header, rest in (("| claim | status |", ""), ("| claim | status | replaced by |", " |")):
        source = f"# R\n\n{header}\n{'|---' * header.count(' | ')}|---|\n| a | {encoded} |{rest}\n"
        (row,) = read(source.encode(), "r").rows
        assert (row.status, row.date, row.shown) == (label, date, shown)


def test_the_generated_status_is_read_back() -> None:
    for status in ("WRONG", "NOT A FLAG", "x_y"):
        generated = status_cell(status, date="2026-01-02")
        source = f"# R\n\n| claim | status | replaced by |\n|--|--|--|\n| a | {generated} | |\n"
        (row,) = read(source.encode(), "r").rows
        assert (row.status, row.date, row.shown) == (status, "2026-01-02", None)


def test_a_generated_not_stated_is_read_back_as_such() -> None:
    row = SupersededRow(claim_id="c-1", statement="a", status="WRONG", date="2026-01-02")
    table = read(f"# R\n\n{superseded((row,))}".encode(), "r")
    assert table.rows[0].replaced_by is None
    assert table.warnings == ()


def shared_data(name: str) -> Path:
    path = SHARED / "data" / name
    if not path.exists():
        pytest.skip(f"{path} is not there; set LEDGER_SHARED")
    return path


@pytest.mark.shared
def test_the_shared_playbook_is_adopted_with_its_cells() -> None:
    source = shared_data("playbook/training-throughput-playbook.md").read_bytes()
    table = read(source, "superseded claims")
    assert len(table.rows) == 10
    assert table.warnings == ()
    assert all(row.shown is None and row.date for row in table.rows)
    body = superseded(rows_of(table))
    assert cells_of(body) == cells_of(table.text)
    region = wrap("superseded", "main", {}, body)
    adopted = adopt(source, table, region)
    lines = source.splitlines(keepends=True)
    head, tail = lines[: table.begin_line - 1], lines[table.end_line :]
    assert adopted == b"".join(head) + region.encode() + b"".join(tail)


@pytest.mark.shared
def test_cells_of_real_documents_survive() -> None:
    folder = shared_data("markdown")
    expected = json.loads((folder / "expected.json").read_bytes())
    encoded = total = 0
    for path in sorted(folder.glob("*.md")):
        if path.name not in expected:
            continue
        source = path.read_bytes()
        tables = markdown.tables(source, markdown.blocks(source))
        per_table = expected[path.name]["per_table"]
        assert [(t.begin + 1, len(t.header.cells), len(t.rows)) for t in tables] == [
            (t["line"], t["columns"], t["body_rows"]) for t in per_table
        ]
        for table in tables:
            rows = (table.header, *table.rows)
            total += sum(len(row.cells) for row in rows)
            encoded += sum(not survives(text) for row in rows for text in row.cells)
            lines = [
                f"| {' | '.join(cell(text, markup='markdown') for text in row.cells)} |"
                for row in rows
            ]
            lines.insert(1, "|---" * len(table.header.cells) + "|")
            again = cells_of("\n".join(lines))
            assert [row.cells for row in rows] == again, re.sub("\n.*", "", path.name)
    assert total > 3000
    assert encoded == 0
