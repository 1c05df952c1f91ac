"""Which table of a document is meant: by the heading above it, by a line of it, or both."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ledger.errors import LedgerError
from ledger.render import markdown, regions
from ledger.render.columns import Columns, by_words
from ledger.render.headings import find_heading
from ledger.render.labels import plain


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the user says about a hand-kept table."""

    heading: str | None = None
    """Part of the text of the heading of its section."""
    line: int | None = None
    """A line of the table, 1-based."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """Role to header cell, as `columns.by_words` takes it."""
    status: str | None = None
    """The label of rows that state none."""
    superseded: tuple[str, ...] = ()
    """Labels of rows that are not to be followed any more."""
    standing: tuple[str, ...] = ()
    """Labels of rows that still stand."""
    known: int = 0
    """How many rows at its start are adopted already, and left out."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The table that is meant."""

    table: markdown.Table
    columns: Columns | None
    """None where it is generated already and has no column of claims."""
    region: regions.Region | None
    """The region that it is in; there is nothing to adopt then."""
    heading: str
    """What it is called: the heading as wanted, else the one above it; may be empty."""


def choose(source: bytes, wanted: Wanted) -> Chosen:
    """The one table that is meant and can be adopted.

    Raises LedgerError "not-found" or "ambiguous", naming the candidates with their lines;
    "bad-input" for no choice and for a table in a list or quote; "bad-markers" as `regions.find`
    does.
    """
    found = regions.find(source)
    tokens = markdown.blocks(source)
    headings = markdown.headings(tokens)
    tables = list(markdown.tables(source, tokens))
    where, near = "in the document", len(source)
    if wanted.heading is None and wanted.line is None:
        raise LedgerError(
            "bad-input",
            f"which table is not said{_listed(tables)}",
            fix="name it: --table HEADING, or --line N with a line of it",
        )
    if wanted.heading is not None:
        section = find_heading(headings, wanted.heading, otherwise="--line N")
        where = f"under the heading in line {section.line + 1} ({section.text})"
        after = headings[headings.index(section) + 1 :]
        end = next((h.line for h in after if h.level <= section.level), len(source))
        tables = [t for t in tables if section.line < t.begin < end]
        near = after[0].line if after else end
    if wanted.line is not None:
        tables = [_at(wanted.line, tables, found, where)]
    table, columns = _one(tables, wanted, found, where, near=near)
    above = [h.text for h in headings if h.line < table.begin]
    return Chosen(
        table=table,
        columns=columns,
        region=_region(table, found),
        heading=wanted.heading if wanted.heading is not None else plain(above[-1] if above else ""),
    )


def _at(
    line: int, tables: list[markdown.Table], found: tuple[regions.Region, ...], where: str
) -> markdown.Table:
    for table in tables:
        if table.begin < line <= table.end:
            return table
    # Adopting a table moved it down by the marker and a blank line.
    region = next((r for r in found if r.begin_line <= line <= r.end_line), None)
    for table in tables:
        if region is not None and _region(table, found) is region:
            return table
    raise LedgerError(
        "not-found",
        f"line {line} is no line of a table {where}{_listed(tables)}",
        fix="give a line of one of these tables" if tables else "name another document",
    )


def _one(
    tables: list[markdown.Table],
    wanted: Wanted,
    found: tuple[regions.Region, ...],
    where: str,
    *,
    near: int,
) -> tuple[markdown.Table, Columns | None]:
    """The one that fits, rather before the line `near` where the next heading is."""
    flat = [table for table in tables if table.level == 0]
    generated = [(t, None) for t in flat if _region(t, found)]
    alone = len(flat) == 1 and not generated
    fitting = [(t, c) for t in flat if (c := _columns(t, wanted, alone=alone))]
    close = [(table, columns) for table, columns in fitting if table.begin < near]
    if len(fitting) == 1 or len(close) == 1:
        return (close if len(close) == 1 else fitting)[0]
    if not fitting and len(generated) == 1:
        return generated[0]
    if fitting:
        raise LedgerError(
            "ambiguous",
            f"{len(fitting)} tables with claims {where}{_listed([t for t, _ in fitting])}",
            fix="name a line of the one: --line N",
        )
    if tables and not flat:
        nested = "; ".join(f"line {t.begin + 1}: {' | '.join(t.header.cells)}" for t in tables)
        raise LedgerError(
            "bad-input",
            f"no table that could be generated {where}: {nested} is inside a list or quote",
            fix="move the table to the top level of the document: a region cannot be indented",
        )
    raise LedgerError(
        "not-found",
        f"no table with the columns claim and status {where}{_listed(flat)}",
        fix="say which column holds what, such as --map claim=1 --map status=HEADER, and without a"
        " status column --status LABEL",
    )


def _columns(table: markdown.Table, wanted: Wanted, *, alone: bool) -> Columns | None:
    try:
        columns = by_words(table.header.cells, wanted.columns)
    except LedgerError as error:
        if alone:
            where = f"line {table.begin + 1}: "
            raise LedgerError(error.code, f"{where}{error.message}", fix=error.fix) from None
        return None
    if columns is None or (
        columns.status is None and not columns.deprecates and wanted.status is None
    ):
        return None
    return columns


def _region(table: markdown.Table, found: tuple[regions.Region, ...]) -> regions.Region | None:
    return next((r for r in found if r.begin_line <= table.begin < r.end_line), None)


def _listed(tables: list[markdown.Table]) -> str:
    listed = "; ".join(f"line {t.begin + 1}: {' | '.join(t.header.cells)}" for t in tables)
    return f"; tables there: {listed}" if listed else ""
