"""What a correction took down and what it left, or what would fall with a claim or measurement."""

from collections.abc import Iterator

from ledger.fold import Fold
from ledger.impact import Impact, all_carriers, apart, impact
from ledger.render.views.cause import CAUSES, cause_line
from ledger.render.views.listing import COMMON, Row, listing
from ledger.render.views.shown import NOTHING, cited, claim_cell, recorded_on
from ledger.render.views.view import OptionError, Request, View

COLUMNS = ("outcome", "claim", "status", "why")
DIRECTION = "Direction unknown: what fell is unmeasured now, not thereby better or worse."
_UNMEASURED = frozenset({"fallen", "provisional", "expired"})
_SHOWN = 3
"""Ids at each end of a path that is longer than twice as many."""


def rows_of(fold: Fold, found: Impact, *, untouched: bool) -> Iterator[Row]:
    """What falls, by the path to it; what survives, by what still carries it; what comes in.

    `untouched` adds to the survivors the claims that stand and never depended on the cause.
    """
    for fallen in found.falls:
        yield _row(fold, "falls", fallen.claim, fallen.status, _path(fallen.path))
    for left in found.survives:
        yield _row(fold, "survives", left.claim, left.status, _carried(left.carried_by))
    carried = all_carriers(fold)
    for claim_id in apart(fold, found) if untouched else ():
        by = carried[claim_id]
        yield _row(fold, "survives", claim_id, fold.claims[claim_id].status, _carried(by))
    for claim_id in found.rises:
        why = _carried(carried.get(claim_id, ()))
        yield _row(fold, "comes in", claim_id, fold.claims[claim_id].status, why)


def _row(fold: Fold, outcome: str, claim_id: str, status: str, why: str) -> Row:
    claim = fold.claim(claim_id)
    return Row(
        cells={
            "outcome": f"**{outcome}**",
            "claim": claim_cell(fold, claim_id),
            "status": status,
            "why": why,
        },
        date=recorded_on(claim),
        about=claim.about,
        tags=claim.tags,
    )


def _path(path: tuple[str, ...]) -> str:
    if len(path) <= 2 * _SHOWN:
        return " → ".join(cited([i]) for i in path)
    ends = [cited([i]) for i in (*path[:_SHOWN], *path[-_SHOWN:])]
    ends.insert(_SHOWN, f"{len(path) - 2 * _SHOWN} more")
    return " → ".join(ends)


def _carried(ids: tuple[str, ...]) -> str:
    return f"carried by {cited(ids)}" if ids else NOTHING


def _body(request: Request) -> str:
    cause = request.entry("of", *CAUSES)
    if cause is None:
        raise OptionError(
            "of", "it is missing", fix="add of=ID: a correction, or a claim or measurement"
        )
    fold = request.fold
    found = impact(fold.entries, cause, as_of=fold.as_of, now=fold)
    # Where a part of the ledger is asked for, its split is whole only with what was never at risk.
    chosen = "scope" in request.options or "tag" in request.options
    body = f"{cause_line(fold, cause)}\n\n"
    body += listing(request, COLUMNS, rows_of(fold, found, untouched=chosen))
    if any(fallen.status in _UNMEASURED for fallen in found.falls):
        body += f"\n{DIRECTION}\n"
    return body


VIEW = View(
    name="falls-survives",
    options=("of", *COMMON),
    columns=COLUMNS,
    body=_body,
    id_matters=lambda _: False,
)
