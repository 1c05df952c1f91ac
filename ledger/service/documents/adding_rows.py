"""Rows that were added by hand below those of a generated table."""

from collections.abc import Mapping
from dataclasses import replace

from ledger import render
from ledger.entry import TableRow
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.render.adopt import ClaimsTable, read_claims_table
from ledger.render.choosing import Wanted
from ledger.render.layout import rows_of
from ledger.render.views.superseded import COLUMNS

_Rows = tuple[tuple[str, ...], ...]


def added_rows(
    before: Fold, source: bytes, table: ClaimsTable, wanted: Wanted
) -> ClaimsTable | None:
    """The table in its region, with the added rows alone; None where none can be told from edits.

    They can in a region of the views `claims` and `superseded`, while the table has the columns
    that it is generated with, and above them stands, cell for cell, what the ledger gives or what
    it gave when the region was rendered. Raises LedgerError for rows that the view could not show.
    """
    region = table.region
    if region is None or not region.edited:
        return None
    match region.view:
        case "superseded" if table.header == COLUMNS:
            return _superseded(before, source, table, wanted)
        case "claims":
            return _claims(before, source, table, wanted)
        case _:
            return None


def _superseded(
    before: Fold, source: bytes, table: ClaimsTable, wanted: Wanted
) -> ClaimsTable | None:
    known = _known(before, table.region)
    if known is None:
        return None
    again = read_claims_table(source, replace(wanted, line=table.begin_line, known=known))
    if again.view != "superseded":
        raise LedgerError(
            "bad-input",
            f"from line {again.rows[0].line} on, not every row is a superseded claim: one stands, "
            "states no claim or no status, or is there twice",
            fix="complete or remove that row, then adopt again",
        )
    return again


def _claims(before: Fold, source: bytes, table: ClaimsTable, wanted: Wanted) -> ClaimsTable | None:
    region = table.region
    adopted = [
        claim.row
        for claim in map(before.claim, before.claims)
        if claim.row is not None and region is not None and region.id in claim.tags
    ]
    if not adopted or adopted[0].header != table.header:
        return None
    known = _known(before, region)
    if known is None:
        return None
    columns = {**_mapping(adopted[0]), **wanted.columns}
    again = read_claims_table(
        source, replace(wanted, line=table.begin_line, columns=columns, known=known)
    )
    last = max(row.number for row in adopted)
    return replace(again, rows=tuple(replace(row, number=last + row.number) for row in again.rows))


def _known(before: Fold, region: render.Region | None) -> int | None:
    """How many rows of a region are the ledger's; None where others than the last are not."""
    there = rows_of(region.body) if region is not None else None
    if region is None or there is None:
        return None
    given = _given(before, region)
    if given is not None and there[: len(given)] == given:
        return len(given)
    # The ledger may have gone on since: what the marker covers was generated, too.
    lines = region.body.split("\n")
    head = len(lines) - len(there)
    covered = (n for n in range(len(there)) if _covers(region, lines[: head + n]))
    return next(covered, None)


def _covers(region: render.Region, lines: list[str]) -> bool:
    return render.digest("\n".join(lines)) == region.recorded


def _given(fold: Fold, region: render.Region) -> _Rows | None:
    """The rows that the ledger gives for a region; None where that is not one table."""
    request = render.Request(fold=fold, id=region.id, options=region.options)
    return rows_of(render.VIEWS[region.view].body(request))


def check_shown(before: Fold, after: Fold, table: ClaimsTable, name: str) -> None:
    """Raise LedgerError where a row that was added would not be in its region."""
    if table.region is None:
        return
    there, then = _given(after, table.region), _given(before, table.region)
    if len(there or ()) < len(then or ()) + len(table.rows):
        raise LedgerError(
            "bad-input",
            f"{name}:{table.rows[0].line}: not every row from here on would be in the table: one "
            "is recorded already, or the options of the region leave it out",
            fix="remove that row, or the option from the begin marker, then adopt again",
        )


def _mapping(row: TableRow) -> Mapping[str, str]:
    """The columns that the rows before were adopted with, as `Wanted` names them."""
    columns = {"claim": row.claim, "status": row.status, "replaced_by": row.replaced_by}
    return {role: "" if i is None else f"{i + 1}" for role, i in columns.items()}
