"""Consults: what each arm of a panel claimed, how that ended, and what the arm had read."""

from collections.abc import Iterator, Mapping, Sequence

from ledger.entry import Arm, Consult
from ledger.fold import Fold
from ledger.render.cells import cell, part
from ledger.render.views.ending import ended
from ledger.render.views.listing import COMMON, Row, listing, selection
from ledger.render.views.shown import NOTHING, cited, claim_cell, day_of, recorded_on
from ledger.render.views.view import Request, View

COLUMNS = ("arm", "model", "claimed", "how it ended", "had read")
_KEYS = ("scope", "tag", "since")


def _body(request: Request) -> str:
    chosen = request.entry("consult", "consult")
    claims = _claims(request.fold)
    ids = [chosen] if chosen is not None else _consults(request, claims)
    # A consult is selected as a whole: every arm has its row.
    whole = Request(
        fold=request.fold,
        id=request.id,
        options={key: value for key, value in request.options.items() if key not in _KEYS},
    )
    parts = [
        f"{_heading(request.fold, i)}\n\n"
        + listing(whole, COLUMNS, _rows(request.fold, i, claims.get(i, ())))
        for i in ids
    ]
    return "\n".join(parts) or "No consult is recorded.\n"


def _consults(request: Request, claims: Mapping[str, Sequence[str]]) -> list[str]:
    """Consults with a claim that the options select, the first asked first."""
    fold, selects = request.fold, selection(request)
    rows = {}
    for i, entry in fold.entries.items():
        if not isinstance(entry, Consult):
            continue
        made = [fold.claim(claim) for claim in claims.get(i, ())]
        date = asked_on(entry)
        tags = (*entry.tags, *(tag for claim in made for tag in claim.tags))
        found = [Row(cells={}, date=date, about=c.about, tags=tags) for c in made]
        found = found or [Row(cells={}, date=date, tags=tags)]
        if any(selects(row) for row in found):
            rows[i] = found[0]
    return sorted(rows, key=lambda i: (rows[i].date, fold.entries[i].recorded.at, i))


def _claims(fold: Fold) -> Mapping[str, list[str]]:
    """The claims of each consult in the order of recording."""
    found: dict[str, list[str]] = {}
    for i in sorted(fold.claims, key=lambda i: (fold.entries[i].recorded.at, i)):
        consult = fold.claim(i).consult
        if consult is not None:
            found.setdefault(consult, []).append(i)
    return found


def asked_on(entry: Consult) -> str:
    """The day a panel was asked, else recorded, YYYY-MM-DD."""
    return day_of(entry.asked_at) or recorded_on(entry)


def _heading(fold: Fold, consult_id: str) -> str:
    entry = fold.entries[consult_id]
    question = entry.question if isinstance(entry, Consult) else ""
    asked = asked_on(entry) if isinstance(entry, Consult) else recorded_on(entry)
    return f"Asked on {asked} {cited([consult_id])}: {cell(question)}"


def _rows(fold: Fold, consult_id: str, claims: Sequence[str]) -> Iterator[Row]:
    """A row for every claim of every arm, in the panel's order, then those of others.

    An arm of which no claim is recorded has a row that says so.
    """
    entry = fold.entries[consult_id]
    arms = entry.arms if isinstance(entry, Consult) else ()
    for arm in arms:
        made = [i for i in claims if fold.claim(i).by.name == arm.arm]
        for claim_id in made or (None,):
            yield _row(fold, consult_id, arm, claim_id)
    named = {arm.arm for arm in arms}
    for claim_id in claims:
        by = fold.claim(claim_id).by
        if by.name not in named:
            yield _row(fold, consult_id, Arm(arm=by.name, model=by.model), claim_id)


def _row(fold: Fold, consult_id: str, arm: Arm, claim_id: str | None) -> Row:
    consult = fold.entries[consult_id]
    date = asked_on(consult) if isinstance(consult, Consult) else recorded_on(consult)
    claim = fold.claim(claim_id) if claim_id is not None else None
    model = (claim.by.model if claim is not None else None) or arm.model
    return Row(
        cells={
            "arm": cell(arm.arm),
            "model": cell(model) if model else NOTHING,
            "claimed": claim_cell(fold, claim_id) if claim_id else f"{NOTHING} no claim recorded",
            "how it ended": ended(fold, claim_id) if claim_id else NOTHING,
            "had read": ", ".join(_read(fold, item) for item in arm.read) or NOTHING,
        },
        date=date if claim is None else recorded_on(claim),
    )


def _read(fold: Fold, item: str) -> str:
    return cited([item]) if item in fold.entries else part(item)


VIEW = View(
    name="consult",
    options=("consult", *COMMON),
    columns=COLUMNS,
    body=_body,
    id_matters=lambda _: False,
)
