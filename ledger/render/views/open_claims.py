"""Open claims: what nothing has settled yet, and how long it may stay so."""

import datetime as dt
from collections.abc import Iterator

from ledger.entry import Claim
from ledger.expects import text_of
from ledger.fold import Fold
from ledger.render.cells import cell
from ledger.render.views.listing import COMMON, Row, day, listing
from ledger.render.views.shown import NOTHING, about, claim_cell, recorded_on
from ledger.render.views.view import AS_OF, Request, View

LEFT = "days left"
COLUMNS = ("claim", "by", "basis", "expires", LEFT, "settled by")
_LAST = "9999-12-31"


def rows_of(fold: Fold, *, as_of: str) -> Iterator[Row]:
    """Provisional and expired claims, the first to expire first.

    Statuses are those of the fold's date; days are counted from `as_of`, which may lie before it.
    """
    still_open = sorted(
        (state.expires or _LAST, fold.entries[i].recorded.at, i)
        for i, state in fold.claims.items()
        if state.status in {"provisional", "expired"}
    )
    for _, _, claim_id in still_open:
        claim, state = fold.claim(claim_id), fold.claims[claim_id]
        left = _days(as_of, state.expires)
        yield Row(
            cells={
                "claim": claim_cell(fold, claim_id),
                "by": cell(claim.by.name),
                "basis": claim.basis,
                "expires": state.expires or NOTHING,
                LEFT: _shown(left, expired=state.status == "expired"),
                "settled by": cell(_settled_by(claim)),
            },
            date=recorded_on(claim),
            about=claim.about,
            tags=claim.tags,
            keys={LEFT: left},
        )


def _days(start: str, end: str | None) -> int | None:
    if end is None:
        return None
    return (dt.date.fromisoformat(end) - dt.date.fromisoformat(start)).days


def _shown(left: int | None, *, expired: bool) -> str:
    if expired:
        return "**expired**"
    return NOTHING if left is None else str(left)


def _settled_by(claim: Claim) -> str:
    needed = "a verdict on a measurement" if claim.expects is None else text_of(claim.expects)
    return f"{needed}, of {about(claim.about)}" if claim.about else needed


def _body(request: Request) -> str:
    as_of = day(request, AS_OF) or request.fold.as_of
    rows = rows_of(request.fold, as_of=as_of)
    return listing(request, COLUMNS, rows, titles={LEFT: f"{LEFT} on {as_of}"})


VIEW = View(
    name="open", options=(*COMMON, AS_OF), columns=COLUMNS, body=_body, id_matters=lambda _: False
)
