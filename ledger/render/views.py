"""The views: generated Markdown bodies, pure functions of rows that the caller computed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ledger.render.cells import bold, cell

Markup = Literal["markdown"]

NOT_STATED = "— not stated"
"""The replaced-by cell of a claim that nothing is known to replace."""


@dataclass(frozen=True, kw_only=True)
class SupersededRow:
    """A claim that is not to be followed any more."""

    claim_id: str
    """Identifies the row for the caller; not shown."""
    statement: str
    markup: Markup | None = None
    """Set when `statement` is Markdown source taken from a document."""
    status: str
    """The short label: WRONG, NOT A FLAG and the like."""
    date: str
    """YYYY-MM-DD."""
    shown: str | None = None
    """Markdown source of the status cell of an adopted document, in place of the generated form."""
    replaced_by_text: str | None = None
    """None where nothing is stated; empty where a document has an empty cell."""
    replaced_by_markup: Markup | None = None
    replaced_by_claim: str | None = None
    """Id of the claim to follow instead; its text is `replaced_by_text`."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A kind of generated region."""

    name: str
    options: tuple[str, ...]
    """The keys that its begin marker may carry, besides `id` and `sha256`."""
    columns: tuple[str, ...]
    body: Callable[[tuple[SupersededRow, ...]], str]


def superseded(rows: tuple[SupersededRow, ...]) -> str:
    """The table claim | status | replaced by, rows in the given order, LF, with a final LF.

    Without rows it is a table without body rows.
    """
    return _table(
        _SUPERSEDED_COLUMNS,
        tuple(
            (cell(row.statement, markup=row.markup), _status(row), _replaced_by(row))
            for row in rows
        ),
    )


def status_cell(status: str, *, date: str) -> str:
    """The generated status cell: `**STATUS** (YYYY-MM-DD)`."""
    return f"{bold(status)} ({cell(date)})"


def _status(row: SupersededRow) -> str:
    if row.shown is not None:
        return cell(row.shown, markup="markdown")
    return status_cell(row.status, date=row.date)


def _replaced_by(row: SupersededRow) -> str:
    text, claim = row.replaced_by_text, row.replaced_by_claim
    if text is None and claim is None:
        return NOT_STATED
    parts = [] if not text else [cell(text, markup=row.replaced_by_markup)]
    if claim is not None:
        parts.append(cell(f"[{claim}]"))
    return " ".join(parts)


def _table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


_SUPERSEDED_COLUMNS = ("claim", "status", "replaced by")


def registry(*views: View) -> Mapping[str, View]:
    """The views by name. Raises ValueError for a name given twice."""
    named = {view.name: view for view in views}
    if len(named) != len(views):
        raise ValueError("two views have the same name")
    return MappingProxyType(named)


VIEWS = registry(
    View(name="superseded", options=("tag",), columns=_SUPERSEDED_COLUMNS, body=superseded)
)
