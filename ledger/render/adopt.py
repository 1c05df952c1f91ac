"""Adopting an existing table of claims: reading it and putting it in a region."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from ledger.errors import LedgerError
from ledger.render import adopted, markdown, regions
from ledger.render.adopted import AdoptedRow
from ledger.render.cells import survives
from ledger.render.choosing import Wanted, choose
from ledger.render.columns import Columns
from ledger.render.views.superseded import COLUMNS


@dataclass(frozen=True, kw_only=True)
class Remark:
    """Something to say about a line of a document."""

    line: int
    """1-based."""
    text: str


@dataclass(frozen=True, kw_only=True)
class ClaimsTable:
    """An existing table of claims."""

    begin_line: int
    """1-based line of the header."""
    end_line: int
    """1-based line of the last row, inclusive."""
    header: tuple[str, ...]
    columns: Columns
    rows: tuple[AdoptedRow, ...]
    view: Literal["superseded", "claims"]
    """What generates it from now on: `superseded` where it looks as that view does."""
    heading: str
    """What the table is called; may be empty."""
    warnings: tuple[Remark, ...] = ()
    """What the user should know."""
    losses: tuple[Remark, ...] = ()
    """What adopting would lose: cells beyond the header."""
    text: str
    """The table as it stands, with LF."""
    region: regions.Region | None = field(default=None)
    """The region that it is already in; then only rows added to it can be adopted."""


def read_claims_table(source: bytes, wanted: Wanted) -> ClaimsTable:
    """The table of claims that is meant, with what its rows say, but for those that are known.

    Raises what `choosing.choose` raises.
    """
    chosen = choose(source, wanted)
    table = chosen.table
    columns = chosen.columns or Columns(claim=0)
    lines = markdown.split_lines(source)[table.begin : table.end]
    added, standard = table.rows[wanted.known :], None
    if table.header.cells == COLUMNS and not wanted.columns:
        standard = adopted.standard_rows(added, wanted)
    rows = adopted.rows(added, columns, wanted) if standard is None else standard
    return ClaimsTable(
        begin_line=table.begin + 1,
        end_line=table.end,
        header=table.header.cells,
        columns=columns,
        rows=rows,
        view="claims" if standard is None else "superseded",
        heading=chosen.heading,
        warnings=tuple(_warnings(table, columns, rows, wanted)),
        losses=tuple(_losses(table, added)),
        text=markdown.unix(markdown.text_of(b"".join(lines))),
        region=chosen.region,
    )


def adopt(source: bytes, table: ClaimsTable, region: str) -> bytes:
    """Put a region, as made by `regions.wrap`, in the place of exactly the table's lines.

    Where the table is in a region already, in the place of that. The region takes the line end of
    the first of these lines, and no final line end where the last had none. Raises LedgerError when
    the source has changed since the table was read.
    """
    lines = list(markdown.split_lines(source))
    span = slice(table.begin_line - 1, table.end_line)
    if markdown.unix(markdown.text_of(b"".join(lines[span]))) != table.text:
        raise LedgerError(
            "bad-input",
            f"lines {table.begin_line}-{table.end_line} are not the table that was read",
            fix="run adopt again",
        )
    if table.region is not None:
        span = slice(table.region.begin_line - 1, table.region.end_line)
    text = markdown.unix(region).rstrip("\n") + "\n"
    if not markdown.eol_of(lines[span][-1]):
        text = text.removesuffix("\n")
    first = lines[span][0]
    bom = markdown.BOM if first.startswith(markdown.BOM) else b""
    lines[span] = [bom + markdown.bytes_of(text).replace(b"\n", markdown.eol_of(first))]
    result = b"".join(lines)
    if len(regions.find(result)) != len(regions.find(source)) + (table.region is None):
        raise LedgerError(
            "bad-input",
            f"the markers around lines {table.begin_line}-{table.end_line} would not be found",
            fix="put a blank line above and below the table, then run adopt again",
        )
    return result


def _warnings(
    table: markdown.Table, columns: Columns, rows: tuple[AdoptedRow, ...], wanted: Wanted
) -> Iterator[Remark]:
    if not wanted.known:
        yield from _of_header(table, columns, wanted)
    for row in rows:
        yield from (Remark(line=row.line, text=text) for text in row.doubts)


def _of_header(table: markdown.Table, columns: Columns, wanted: Wanted) -> Iterator[Remark]:
    for text in table.header.cells:
        if not survives(text):
            said = f"this cell cannot be kept as it is and would be encoded: {text[:80]}"
            yield Remark(line=table.begin + 1, text=said)
    if columns.deprecates and wanted.status is None:
        said = "no column holds a status: every row counts as deprecated; --status says otherwise"
        yield Remark(line=table.begin + 1, text=said)


def _losses(table: markdown.Table, rows: tuple[markdown.Row, ...]) -> Iterator[Remark]:
    width = len(table.header.cells)
    for row in rows:
        if row.raw_cells > width:
            said = f"{row.raw_cells} cells under a header of {width} (an unescaped pipe?)"
            yield Remark(line=row.line + 1, text=said)
