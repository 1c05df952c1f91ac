"""Adopting an existing table of superseded claims: reading its rows and putting it in a region."""

import datetime as dt
import re
from dataclasses import dataclass, field

from ledger.errors import LedgerError
from ledger.render import markdown, regions
from ledger.render.cells import survives
from ledger.render.views.superseded import COLUMNS, NOT_STATED, status_cell

_REPLACED = re.compile(r"\b(?:replaced by|replacement|instead)\b", re.IGNORECASE)
_STATUS = re.compile(r"\bstatus\b", re.IGNORECASE)
_CLAIM = re.compile(r"\bclaims?\b", re.IGNORECASE)
_GENERATED = re.compile(r"\*\*(?P<label>.+)\*\* \((?P<date>\d{4}-\d{2}-\d{2})\)")
_DATE = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")
_IN_BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
_AROUND_LABEL = " \t*_`.,:;–—-"


@dataclass(frozen=True, kw_only=True)
class AdoptedRow:
    """One row of an existing table."""

    statement: str
    """Markdown source of the cell; so are `shown` and `replaced_by`."""
    status: str
    """The label in plain words; empty where the cell states none, with a warning."""
    date: str | None
    """YYYY-MM-DD; None where the cell states none."""
    shown: str | None
    """The status cell, where it is not what would be generated from `status` and `date`."""
    replaced_by: str | None
    """None where the table says so or has no such column; empty for an empty cell."""
    line: int
    """1-based."""


@dataclass(frozen=True, kw_only=True)
class ClaimsTable:
    """An existing table of superseded claims."""

    begin_line: int
    """1-based line of the header."""
    end_line: int
    """1-based line of the last row, inclusive."""
    header: tuple[str, ...]
    rows: tuple[AdoptedRow, ...]
    warnings: tuple[str, ...] = ()
    """What adopting would change, each with its line."""
    losses: tuple[str, ...] = ()
    """What adopting would lose, each with its line: other columns, cells beyond the header."""
    text: str
    """The table as it stands, with LF."""
    region: regions.Region | None = field(default=None)
    """The region that it is already in; there is nothing to adopt then."""


@dataclass(frozen=True, kw_only=True)
class _Columns:
    claim: int
    status: int
    replaced_by: int | None


def read_claims_table(source: bytes, heading: str) -> ClaimsTable:
    """The claims table in the section whose heading contains `heading`, in any case.

    Raises LedgerError "not-found" or "ambiguous", naming the candidates with their lines, when the
    heading or the table under it is missing or not unique; "bad-markers" as `regions.find` does.
    """
    found = regions.find(source)
    tokens = markdown.blocks(source)
    headings = markdown.headings(tokens)
    chosen = _heading(headings, heading)
    after = headings[headings.index(chosen) + 1 :]
    end = next((h.line for h in after if h.level <= chosen.level), len(source))
    under = [
        table
        for table in markdown.tables(source, tokens)
        if table.level == 0 and chosen.line < table.begin < end
    ]
    table, columns = _claims_table(under, chosen)
    lines = markdown.split_lines(source)[table.begin : table.end]
    rows = tuple(_row(row, columns) for row in table.rows)
    return ClaimsTable(
        begin_line=table.begin + 1,
        end_line=table.end,
        header=table.header.cells,
        rows=rows,
        warnings=(*_header_warnings(table), *_row_warnings(rows)),
        losses=tuple(_losses(table, columns)),
        text=markdown.unix(markdown.text_of(b"".join(lines))),
        region=next((r for r in found if r.begin_line <= table.begin < r.end_line), None),
    )


def adopt(source: bytes, table: ClaimsTable, region: str) -> bytes:
    """Put a region, as made by `regions.wrap`, in the place of exactly the table's lines.

    A table that is in a region already stays: the source comes back as it is. The region takes the
    line end of the table's header, and no final line end where the table had none. Raises
    LedgerError when the source has changed since the table was read.
    """
    if table.region is not None:
        return source
    lines = list(markdown.split_lines(source))
    span = slice(table.begin_line - 1, table.end_line)
    if markdown.unix(markdown.text_of(b"".join(lines[span]))) != table.text:
        raise LedgerError(
            "bad-input",
            f"lines {table.begin_line}-{table.end_line} are not the table that was read",
            fix="run adopt again",
        )
    text = markdown.unix(region).rstrip("\n") + "\n"
    if not markdown.eol_of(lines[span][-1]):
        text = text.removesuffix("\n")
    new = markdown.bytes_of(text).replace(b"\n", markdown.eol_of(lines[span][0]))
    lines[span] = [new]
    adopted = b"".join(lines)
    regions.find(adopted)
    return adopted


def _heading(headings: tuple[markdown.Heading, ...], wanted: str) -> markdown.Heading:
    key = wanted.casefold().strip()
    matching = [h for h in headings if key in h.text.casefold()]
    # The whole text of one heading may be part of another's.
    exact = [h for h in matching if key == h.text.casefold()]
    if len(exact) == 1 or len(matching) == 1:
        return (exact if len(exact) == 1 else matching)[0]
    listed = "; ".join(f"line {h.line + 1}: {h.text}" for h in matching or headings)
    if matching:
        raise LedgerError(
            "ambiguous",
            f"{len(matching)} headings contain {wanted!r}: {listed}",
            fix="give more of the heading's text",
        )
    raise LedgerError(
        "not-found",
        f"no heading contains {wanted!r}",
        fix=f"use part of one of these: {listed}" if headings else "put a heading above the table",
    )


def _claims_table(
    tables: list[markdown.Table], heading: markdown.Heading
) -> tuple[markdown.Table, _Columns]:
    where = f"under the heading in line {heading.line + 1} ({heading.text})"
    found = [(table, columns) for table in tables if (columns := _columns(table.header.cells))]
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"line {t.begin + 1}: {' | '.join(t.header.cells)}" for t in tables)
    if found:
        raise LedgerError(
            "ambiguous",
            f"{len(found)} tables with the columns claim and status {where}: {listed}",
            fix="put each table under a heading of its own",
        )
    raise LedgerError(
        "not-found",
        f"no table with the columns claim and status {where}"
        + (f"; tables there: {listed}" if tables else ""),
        fix="name the columns claim, status and replaced by",
    )


def _columns(header: tuple[str, ...]) -> _Columns | None:
    free = dict(enumerate(header))
    replaced = _take(free, _REPLACED)
    status = _take(free, _STATUS)
    claim = _take(free, _CLAIM)
    if claim is None or status is None:
        return None
    return _Columns(claim=claim, status=status, replaced_by=replaced)


def _take(free: dict[int, str], pattern: re.Pattern[str]) -> int | None:
    index = next((i for i, text in free.items() if pattern.search(text)), None)
    if index is not None:
        del free[index]
    return index


def _row(row: markdown.Row, columns: _Columns) -> AdoptedRow:
    cell = row.cells[columns.status]
    generated = _GENERATED.fullmatch(cell)
    date = _date(generated["date"] if generated else cell)
    status = generated["label"] if generated and date else _label(cell)
    same = date is not None and cell == status_cell(status, date=date)
    replaced = None if columns.replaced_by is None else row.cells[columns.replaced_by]
    return AdoptedRow(
        statement=row.cells[columns.claim],
        status=status if same else _label(cell),
        date=date,
        shown=None if same else cell,
        replaced_by=None if replaced == NOT_STATED else replaced,
        line=row.line + 1,
    )


def _date(text: str) -> str | None:
    for match in _DATE.finditer(text):
        try:
            return dt.date.fromisoformat(match.group()).isoformat()
        except ValueError:
            continue
    return None


def _label(cell: str) -> str:
    """The words of a status cell, without dates, the brackets around them and markup."""

    def undated(match: re.Match[str]) -> str:
        return "" if _DATE.search(match.group()) else match.group()

    text = _DATE.sub("", _IN_BRACKETS.sub(undated, cell)).replace("**", "").replace("__", "")
    return " ".join(text.split()).strip(_AROUND_LABEL)


def _header_warnings(table: markdown.Table) -> list[str]:
    header = table.header.cells
    generated = COLUMNS
    if header == generated:
        return []
    line = f"line {table.begin + 1}"
    return [f"{line}: the header would become {' | '.join(generated)}"]


def _losses(table: markdown.Table, columns: _Columns) -> list[str]:
    used = (columns.claim, columns.status, columns.replaced_by)
    lost = [repr(text) for i, text in enumerate(table.header.cells) if i not in used]
    found = [f"line {table.begin + 1}: column {', '.join(lost)}"] if lost else []
    width = len(table.header.cells)
    return found + [
        f"line {row.line + 1}: {row.raw_cells} cells under a header of {width} (an unescaped pipe?)"
        for row in table.rows
        if row.raw_cells > width
    ]


def _row_warnings(rows: tuple[AdoptedRow, ...]) -> list[str]:
    found = []
    for adopted in rows:
        line = f"line {adopted.line}"
        found += [
            f"{line}: this cell cannot be kept as it is and would be encoded: {text[:80]}"
            for text in (adopted.statement, adopted.shown, adopted.replaced_by)
            if text and not survives(text)
        ]
        if not adopted.status:
            found.append(f"{line}: the status cell has no label")
        if adopted.date is None:
            found.append(f"{line}: the status cell has no date")
        if adopted.statement == "":
            found.append(f"{line}: the claim cell is empty")
    return found
