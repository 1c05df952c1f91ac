"""What stands: claims that a measurement carries, directly or through derivations."""

from collections.abc import Iterator, Mapping

from ledger.fold import Fold
from ledger.impact import all_carriers
from ledger.kinds import WHOSE_WORD
from ledger.render.cells import part
from ledger.render.views.listing import COMMON, Row, listing
from ledger.render.views.shown import (
    NOTHING,
    cited,
    claim_cell,
    expected_figure,
    recorded_on,
)
from ledger.render.views.view import Request, View
from ledger.wording import counted

COLUMNS = ("claim", "rests on", "figure", "since")


def rows_of(fold: Fold) -> Iterator[Row]:
    """Measured claims, then derived ones by distance, each in the order of recording."""
    carried, since = all_carriers(fold), _since(fold)
    inside = [
        (state.depth or 0, fold.entries[i].recorded.at, i)
        for i, state in fold.claims.items()
        if state.is_in
    ]
    for depth, _, claim_id in sorted(inside):
        claim = fold.claim(claim_id)
        yield Row(
            cells={
                "claim": claim_cell(fold, claim_id),
                "rests on": rests_on(fold, claim_id, carried[claim_id]),
                "figure": _figure(fold, claim_id),
                "since": since[claim_id],
            },
            date=since[claim_id],
            about=claim.about,
            tags=claim.tags,
            keys={"rests on": depth},
        )


def rests_on(fold: Fold, claim_id: str, carried: tuple[str, ...]) -> str:
    """What carries a claim that is in: its measurements, or how many steps away they are."""
    state = fold.claims[claim_id]
    if state.status == "derived":
        return f"{counted(state.depth or 0, 'step')} from {cited(carried)}"
    how = dict.fromkeys(link.decided for link in state.deciding_links("supports"))
    words = ", ".join(WHOSE_WORD[decided] for decided in how if decided in WHOSE_WORD)
    return f"measured by {cited(carried)}" + (f" ({words})" if words else "")


def _figure(fold: Fold, claim_id: str) -> str:
    found = [
        text
        for link in fold.claims[claim_id].deciding_links("supports")
        if (text := expected_figure(fold.claim(claim_id), fold.measurement(link.evidence)))
    ]
    return "<br>".join(part(text) for text in found) or NOTHING


def _since(fold: Fold) -> Mapping[str, str]:
    """The day since which each claim that is in has been carried by what carries it now."""
    found: dict[str, str] = {}
    inside = [(state.depth or 0, i) for i, state in fold.claims.items() if state.is_in]
    for _, claim_id in sorted(inside):
        state = fold.claims[claim_id]
        own = recorded_on(fold.entries[claim_id])
        if state.status == "measured":
            sources = [
                max(recorded_on(fold.entries[link.source]), own)
                for link in state.deciding_links("supports")
            ]
            found[claim_id] = min(sources)
        else:
            members = (found.get(m) or recorded_on(fold.entries[m]) for m in state.holding)
            found[claim_id] = max(own, *members)
    return found


def _body(request: Request) -> str:
    return listing(request, COLUMNS, rows_of(request.fold))


VIEW = View(
    name="standing", options=COMMON, columns=COLUMNS, body=_body, id_matters=lambda _: False
)
