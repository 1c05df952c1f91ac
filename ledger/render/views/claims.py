"""Rows of an adopted table under the document's own header, with what became of their claims."""

from collections.abc import Iterator
from dataclasses import dataclass

from ledger.entry import Supersession, TableRow
from ledger.fold import ClaimState, Fold
from ledger.render.cells import bold, cell
from ledger.render.views.superseded import replaced_by_cell, row_of, status_cell
from ledger.render.views.view import Request, View, table

STATUS = "status"
"""The header of the column that a table without one gets when a row needs it."""


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the ledger says of a row; Markdown source of cells, None for what the document says."""

    status: str | None = None
    replaced_by: str | None = None


def claims(fold: Fold, region: str) -> str:
    """The table that a region was adopted from: its rows in their order, LF, with a final LF.

    Rows that were adopted under different headers make a table each; without rows there is none.
    """
    headers: dict[tuple[str, ...], list[tuple[TableRow, Said]]] = {}
    withdrawn = {
        entry.claim
        for entry in map(fold.entries.get, fold.retracted)
        if isinstance(entry, Supersession)
    }
    for claim_id, row in _rows(fold, region):
        said = _said(fold, claim_id, row, given_back=claim_id in withdrawn)
        headers.setdefault(row.header, []).append((row, said))
    return "\n".join(_table(header, rows) for header, rows in headers.items())


def _rows(fold: Fold, region: str) -> list[tuple[str, TableRow]]:
    found = []
    for claim_id in fold.claims:
        claim = fold.claim(claim_id)
        if claim.row is not None and region in claim.tags:
            found.append(((claim.row.number, claim.recorded.at, claim_id), claim.row))
    return [(place[2], row) for place, row in sorted(found, key=lambda item: item[0])]


def _table(header: tuple[str, ...], rows: list[tuple[TableRow, Said]]) -> str:
    columns = [cell(text, markup="markdown") for text in header]
    more = any(said.status and row.status is None for row, said in rows)
    return table(
        (*columns, STATUS) if more else tuple(columns),
        tuple(_cells(row, said, more=more) for row, said in rows),
    )


def _cells(row: TableRow, said: Said, *, more: bool) -> tuple[str, ...]:
    cells = [cell(text, markup="markdown") for text in row.cells]
    if said.replaced_by is not None and row.replaced_by is not None:
        cells[row.replaced_by] = said.replaced_by
    if said.status is not None and row.status is not None:
        cells[row.status] = said.status
    return (*cells, said.status or "") if more else tuple(cells)


def _said(fold: Fold, claim_id: str, row: TableRow, *, given_back: bool) -> Said:
    """What to show; `given_back` where a supersession was taken back, so that its cells go too."""
    state = fold.claims[claim_id]
    entry = fold.entries.get(state.superseded_by or "")
    if state.status == "superseded" and isinstance(entry, Supersession):
        return _superseded(fold, claim_id, row, entry)
    if state.status == "provisional" and not given_back:
        return Said()
    return Said(status=_status(fold, state), replaced_by="" if given_back else None)


def _superseded(fold: Fold, claim_id: str, row: TableRow, entry: Supersession) -> Said:
    shown = row_of(fold, claim_id, fold.claim(claim_id), entry)
    replaced = replaced_by_cell(shown)
    as_adopted = entry.shown is not None
    if row.replaced_by is None:
        if entry.replaced_by is None:
            return Said() if as_adopted else Said(status=status_cell(entry.status, date=entry.date))
        said = status_cell(entry.status, date=entry.date)
        return Said(status=f"{said}, replaced by {replaced}")
    return Said(
        status=None if as_adopted else status_cell(entry.status, date=entry.date),
        replaced_by=replaced,
    )


def _status(fold: Fold, state: ClaimState) -> str:
    return " ".join([bold(state.status.upper()), *_because(fold, state)])


def _because(fold: Fold, state: ClaimState) -> Iterator[str]:
    match state.status:
        case "measured":
            ids = state.deciding("supports")
        case "refuted":
            ids = state.deciding("refutes")
        case "disputed":
            ids = (*state.deciding("supports"), *state.deciding("refutes"))
        case "retracted" if state.retracted_by is not None:
            yield f"({fold.entries[state.retracted_by].recorded.at[:10]})"
            return
        case "expired" if state.expires is not None:
            yield f"({state.expires})"
            return
        case _:
            return
    yield from (cell(f"[{i}]") for i in ids)


def _body(request: Request) -> str:
    return claims(request.fold, request.id)


VIEW = View(name="claims", options=(), columns=(STATUS,), body=_body)
