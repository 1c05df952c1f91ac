"""Measured negatives: claims that a measurement refutes, not to be taken up again."""

from collections.abc import Iterator

from ledger.fold import Fold
from ledger.render.cells import part
from ledger.render.views.listing import COMMON, Row, listing
from ledger.render.views.shown import cited, claim_cell, measured_by, taken_on
from ledger.render.views.view import OptionError, Request, View

COLUMNS = ("claim", "measured", "evidence", "date")
_INCLUDE = "include"


def rows_of(fold: Fold, *, superseded: bool = False) -> Iterator[Row]:
    """Claims with a live matching measurement against them, the earliest measured first.

    Those of one day come in the order of recording.

    A superseded claim has its place among the superseded ones; it is here too only when asked for.
    """
    shown = {"refuted", "superseded"} if superseded else {"refuted"}
    rows = [
        _row(fold, claim_id)
        for claim_id, state in fold.claims.items()
        if state.status in shown and state.deciding("refutes") and not state.deciding("supports")
    ]
    return iter(sorted(rows, key=lambda row: row.date))


def _row(fold: Fold, claim_id: str) -> Row:
    claim, links = fold.claim(claim_id), fold.claims[claim_id].deciding_links("refutes")
    dates = [taken_on(fold.measurement(link.evidence)) for link in links]
    return Row(
        cells={
            "claim": claim_cell(fold, claim_id),
            "measured": "<br>".join(part(measured_by(fold, claim_id, link)) for link in links),
            "evidence": "<br>".join(cited([link.evidence]) for link in links),
            "date": "<br>".join(dates),
        },
        date=max(dates),
        about=claim.about,
        tags=claim.tags,
    )


def _body(request: Request) -> str:
    include = request.text(_INCLUDE)
    if include not in {None, "superseded"}:
        raise OptionError(_INCLUDE, f"{include!r} is not known", fix="use include=superseded")
    rows = rows_of(request.fold, superseded=include is not None)
    return listing(request, COLUMNS, rows)


VIEW = View(
    name="negatives",
    options=(_INCLUDE, *COMMON),
    columns=COLUMNS,
    body=_body,
    id_matters=lambda _: False,
)
