"""Superseded claims: claim | status | replaced by."""

from dataclasses import dataclass
from typing import Literal

from ledger.entry import Claim, ReplacedBy, Supersession
from ledger.fold import Fold
from ledger.render.cells import bold, cell
from ledger.render.views.listing import COMMON, Row, listing
from ledger.render.views.view import Request, View, table

Markup = Literal["markdown"]

COLUMNS = ("claim", "status", "replaced by")
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


def superseded(rows: tuple[SupersededRow, ...]) -> str:
    """The table claim | status | replaced by, rows in the given order, LF, with a final LF.

    Without rows it is a table without body rows.
    """
    return table(COLUMNS, tuple(tuple(_cells(row).values()) for row in rows))


def _cells(row: SupersededRow) -> dict[str, str]:
    """The source of a row's cells by column, in the order of the columns."""
    claim = cell(row.statement, markup=row.markup)
    return dict(zip(COLUMNS, (claim, _status(row), replaced_by_cell(row)), strict=True))


def status_cell(status: str, *, date: str) -> str:
    """The generated status cell: `**STATUS** (YYYY-MM-DD)`."""
    return f"{bold(status)} ({cell(date)})"


def _status(row: SupersededRow) -> str:
    if row.shown:
        return cell(row.shown, markup="markdown")
    return status_cell(row.status, date=row.date)


def replaced_by_cell(row: SupersededRow) -> str:
    """The cell that says what to follow instead."""
    text, claim = row.replaced_by_text, row.replaced_by_claim
    if text is None and claim is None:
        return NOT_STATED
    parts = [] if not text else [cell(text, markup=row.replaced_by_markup)]
    if claim is not None:
        parts.append(cell(f"[{claim}]"))
    return " ".join(parts)


def rows_of(fold: Fold, *, tag: str | None, region: str) -> tuple[SupersededRow, ...]:
    """Superseded claims, those of the hand-kept table first, each in the order of recording.

    With a tag, those that carry it. Without, every claim; but a claim that was adopted from a
    document only in the region that its table became, whose id it carries as a tag.
    """
    rows = []
    for claim_id, ids in fold.supersessions.items():
        entry = fold.entries[ids[-1]]
        if claim_id not in fold.claims or claim_id in fold.retracted:
            continue
        claim = fold.claim(claim_id)
        if isinstance(entry, Supersession) and _belongs(claim, tag, region):
            # A supersession that is said again stays where the first one put it.
            first = fold.entries[ids[0]].recorded.at
            place = (claim.by.role != "document", first, ids[0])
            rows.append((place, row_of(fold, claim_id, claim, entry)))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _belongs(claim: Claim, tag: str | None, region: str) -> bool:
    if tag is not None:
        return tag in claim.tags
    return claim.by.role != "document" or region in claim.tags


def row_of(fold: Fold | None, claim_id: str, claim: Claim, entry: Supersession) -> SupersededRow:
    """A row as the ledger says it; without a fold, as a document that is being adopted says it."""
    by = entry.replaced_by or ReplacedBy()
    text, markup = by.text, by.markup
    if fold is not None and by.claim is not None and by.claim in fold.claims:
        replacement = fold.claim(by.claim)
        text, markup = replacement.statement, replacement.markup
    return SupersededRow(
        claim_id=claim_id,
        statement=claim.statement,
        markup=claim.markup,
        status=entry.status,
        date=entry.date,
        shown=entry.shown,
        replaced_by_text=text,
        replaced_by_markup=markup,
        replaced_by_claim=by.claim,
    )


def _body(request: Request) -> str:
    fold = request.fold
    rows = (
        Row(
            cells=_cells(row),
            date=row.date,
            about=fold.claim(row.claim_id).about,
            tags=fold.claim(row.claim_id).tags,
        )
        for row in rows_of(fold, tag=request.text("tag"), region=request.id)
    )
    return listing(request, COLUMNS, rows)


def _id_matters(request: Request) -> bool:
    """Whether the region is one that a document's table became."""
    claims = map(request.fold.claim, request.fold.supersessions.keys() & request.fold.claims.keys())
    return any(claim.by.role == "document" and request.id in claim.tags for claim in claims)


VIEW = View(name="superseded", options=COMMON, columns=COLUMNS, body=_body, id_matters=_id_matters)
