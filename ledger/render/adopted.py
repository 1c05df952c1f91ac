"""What the rows of a hand-kept table of claims say."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ledger.render import labels, markdown
from ledger.render.cells import survives
from ledger.render.choosing import Wanted
from ledger.render.columns import Columns
from ledger.render.views.superseded import NOT_STATED, status_cell

_GENERATED = re.compile(r"\*\*(?P<label>.+)\*\* \((?P<date>\d{4}-\d{2}-\d{2})\)")


@dataclass(frozen=True, kw_only=True)
class AdoptedRow:
    """One row of an existing table; its texts are the Markdown source of cells."""

    number: int
    """1-based place among the rows."""
    cells: tuple[str, ...]
    """As many as the header has."""
    statement: str
    """The cell of the claim, or the whole row where that is empty; empty where the row is."""
    superseded: bool
    """Whether it is not to be followed any more."""
    status: str
    """The label in plain words; empty where none is known."""
    date: str | None
    """YYYY-MM-DD; None where the row states none."""
    review: str | None
    """The day up to which the row says that it is valid, YYYY-MM-DD."""
    shown: str | None
    """The status cell; None where it is what would be generated from `status` and `date`.

    Empty where the table has no column for it.
    """
    replaced_by: str | None
    """None where the table says so or has no such column; empty for an empty cell."""
    line: int
    """1-based."""
    doubts: tuple[str, ...] = ()
    """What the user should know."""


def standard_rows(rows: tuple[markdown.Row, ...], wanted: Wanted) -> tuple[AdoptedRow, ...] | None:
    """The rows of a table headed claim | status | replaced by, where every label supersedes.

    None where the view of superseded claims could not show them all: a row stands, states no claim
    or no label, or is there twice.
    """
    if any(labels.is_among(row.cells[1], wanted.standing) for row in rows):
        return None
    read = tuple(_standard(number, row) for number, row in enumerate(rows, 1))
    same = Counter((row.statement, row.date) for row in read)
    complete = all(row.statement and row.status for row in read)
    return read if complete and len(same) == len(read) else None


def _standard(number: int, row: markdown.Row) -> AdoptedRow:
    statement, cell, replaced = row.cells
    generated = _GENERATED.fullmatch(cell)
    date = labels.iso_date(generated["date"] if generated else cell) or labels.dated(cell).date
    status = generated["label"] if generated and date else _written_label(cell)
    same = date is not None and cell == status_cell(status, date=date)
    shown = None if same else cell
    instead = None if replaced == NOT_STATED else replaced
    doubts = [*_encoded((statement, shown, instead)), *_undated(cell, None, date)]
    return AdoptedRow(
        number=number,
        cells=row.cells,
        statement=statement,
        superseded=True,
        status=status if same else _written_label(cell),
        date=date,
        review=None,
        shown=shown,
        replaced_by=instead,
        line=row.line + 1,
        doubts=tuple(doubts),
    )


def _written_label(cell: str) -> str:
    """The words of a status cell as they are written, without dates and bold marks."""

    def undated(match: re.Match[str]) -> str:
        return "" if labels.ISO.search(match.group()) else match.group()

    rest = cell if labels.ISO.search(cell) else labels.dated(cell).rest
    text = (
        labels.ISO.sub("", labels.IN_BRACKETS.sub(undated, rest))
        .replace("**", "")
        .replace("__", "")
    )
    return " ".join(text.split()).strip(labels.AROUND)


def rows(
    found: tuple[markdown.Row, ...], columns: Columns, wanted: Wanted
) -> tuple[AdoptedRow, ...]:
    """The rows of any table of claims."""
    return tuple(_row(number, row, columns, wanted) for number, row in enumerate(found, 1))


def _row(number: int, row: markdown.Row, columns: Columns, wanted: Wanted) -> AdoptedRow:
    cells = row.cells
    cell = "" if columns.status is None else cells[columns.status]
    written = labels.dated(cell)
    column = labels.dated("" if columns.date is None else cells[columns.date])
    status = labels.label(cell) or wanted.status or ""
    if not status and columns.deprecates:
        status = columns.deprecation(cells)
    replaced = None if columns.replaced_by is None else cells[columns.replaced_by]
    stands = _stands(cell or status, status, columns, wanted)
    date = written.date or column.date
    doubts = list(_encoded(cells))
    if not cells[columns.claim]:
        doubts.append("the claim cell is empty: the claim is the whole row")
    if status:
        doubts += _doubts(status, cell or status, stands=stands, replaced=replaced, wanted=wanted)
    partial = written.partial or column.partial
    if stands is False:
        doubts += _undated(cell, column.partial, date)
    elif partial and date is None:
        doubts.append(f"{partial!r} is no full date")
    return AdoptedRow(
        number=number,
        cells=cells,
        statement=cells[columns.claim] or " | ".join(text for text in cells if text),
        superseded=stands is False,
        status=status,
        date=date,
        review=written.review or column.review,
        shown=cell,
        replaced_by=None if replaced == NOT_STATED else replaced,
        line=row.line + 1,
        doubts=tuple(doubts),
    )


def _stands(cell: str, status: str, columns: Columns, wanted: Wanted) -> bool | None:
    """Whether a row still stands; None where nothing tells.

    A label that is not known supersedes where the table says what replaces its rows.
    """
    if labels.is_among(status, wanted.superseded):
        return False
    if labels.is_among(status, wanted.standing):
        return True
    known = labels.known(cell)
    if known is None and (columns.replaced_by is not None or columns.deprecates):
        return False
    return known


def _doubts(
    status: str, cell: str, *, stands: bool | None, replaced: str | None, wanted: Wanted
) -> Iterator[str]:
    if stands is None:
        yield (
            f"the status {status!r} is not known: it stays a claim that stands;"
            f" --superseded {status!r} or --standing {status!r} decides"
        )
    elif (
        stands is False
        and labels.known(cell) is None
        and not labels.is_among(status, wanted.superseded)
        and not re.search(r"\w", replaced or "")
    ):
        yield (
            f"the status {status!r} is not known and counts as superseded;"
            f" --standing {status!r} decides otherwise"
        )


def _undated(cell: str, other: str | None, date: str | None) -> Iterator[str]:
    if date is None:
        partial = labels.dated(cell).partial or other
        said = f"{partial!r} is no full date" if partial else "the row states no date"
        yield f"{said}: today's is taken"


def _encoded(cells: tuple[str | None, ...]) -> Iterator[str]:
    return (
        f"this cell cannot be kept as it is and would be encoded: {text[:80]}"
        for text in cells
        if text and not survives(text)
    )
