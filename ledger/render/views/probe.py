"""Measurements: one with all its quantities, or a row for each of an instrument."""

from collections.abc import Iterator, Sequence
from functools import partial

from ledger.entry import Quantity
from ledger.fold import Fold
from ledger.render.cells import cell
from ledger.render.views.facts import facts, heading, warning
from ledger.render.views.instruments import LAYOUTS, Group, Layout
from ledger.render.views.listing import COMMON, Row, listing
from ledger.render.views.shown import (
    NOTHING,
    about,
    cited,
    figure,
    interval_of,
    number,
    taken_on,
    value_of,
)
from ledger.render.views.view import OptionError, Request, View

COLUMNS = ("quantity", "value", "interval", "n")
MEASUREMENTS = ("date", "scope", "result", "evidence")
"""Columns where each measurement is a row; names of quantities can be added."""
_ANY = Group(quantities=("*",))


def _body(request: Request, *, layout: Layout | None = None) -> str:
    evidence_id, named = request.entry("evidence", "evidence"), request.text("instrument")
    if evidence_id is not None and named is not None:
        raise OptionError("instrument", "evidence= is given too", fix="keep one of the two")
    if evidence_id is not None:
        return _one(request, evidence_id, layout)
    instrument = layout.instrument if layout is not None else named
    if instrument is None:
        raise OptionError(
            "evidence", "it is missing", fix="add evidence=e-ID or instrument=NAME to the marker"
        )
    return _all(request, instrument, layout)


def _one(request: Request, evidence_id: str, layout: Layout | None) -> str:
    fold, measured = request.fold, request.fold.measurement(evidence_id)
    name = measured.instrument.name
    if layout is not None and name != layout.instrument:
        raise OptionError(
            "evidence",
            f"{evidence_id} was measured by {name}, not by {layout.instrument}",
            fix=f"use ledger:probe evidence={evidence_id}",
        )
    groups = (*(layout.groups if layout is not None else ()), _ANY)
    parts = [*warning(fold, evidence_id), heading(fold, evidence_id)]
    left: Sequence[Quantity] = measured.quantities
    for group in groups:
        inside = [q for q in left if group.place(q.name) is not None]
        left = [q for q in left if group.place(q.name) is None]
        if inside or (group is _ANY and not measured.quantities):
            titles = dict(zip(COLUMNS[:2], group.heads, strict=True))
            rows = _quantity_rows(fold, evidence_id, group, inside)
            parts.append(listing(request, COLUMNS, rows, titles=titles).rstrip("\n"))
    parts += facts(fold, evidence_id)
    return "\n\n".join(parts) + "\n"


def _quantity_rows(
    fold: Fold, evidence_id: str, group: Group, quantities: Sequence[Quantity]
) -> Iterator[Row]:
    measured, state = fold.measurement(evidence_id), fold.evidence[evidence_id]

    def place(quantity: Quantity) -> tuple[float, ...]:
        size = -float(quantity.value or 0) if group.largest_first else 0.0
        return (group.place(quantity.name) or 0, quantity.value is None, size)

    for quantity in sorted(quantities, key=place):
        yield Row(
            cells={
                "quantity": cell(quantity.name.removesuffix(group.suffix)),
                "value": cell(value_of(quantity)),
                "interval": cell(interval_of(quantity)) or NOTHING,
                "n": NOTHING if quantity.n is None else number(quantity.n),
            },
            date=taken_on(measured),
            about=state.about,
            tags=measured.tags,
            keys={"value": quantity.value, "n": quantity.n, "interval": quantity.low},
        )


def _all(request: Request, instrument: str, layout: Layout | None) -> str:
    fold = request.fold
    found = [
        i
        for i in fold.evidence
        if instrument in {_name(fold, i), f"{_name(fold, i)}@{_version(fold, i)}"}
    ]
    if not found and layout is None:
        known = ", ".join(sorted({_name(fold, i) for i in fold.evidence})) or "none yet"
        raise OptionError(
            "instrument",
            f"nothing was measured by {instrument!r}",
            fix=f"use one of the instruments in the ledger: {known}",
        )
    live = [i for i in found if fold.evidence[i].live]
    names = dict.fromkeys(q.name for i in live for q in fold.measurement(i).quantities)
    quantities = tuple(name for name in names if name not in MEASUREMENTS)
    headline = tuple(n for n in (layout.headline if layout else ()) if n in quantities)
    live.sort(key=lambda i: taken_on(fold.measurement(i)))
    return listing(
        request,
        (*MEASUREMENTS, *quantities),
        [_measurement_row(fold, i, quantities) for i in live],
        shown=(*MEASUREMENTS[:3], *headline, MEASUREMENTS[3]),
        titles={name: cell(name) for name in quantities},
    )


def _name(fold: Fold, evidence_id: str) -> str:
    return fold.measurement(evidence_id).instrument.name


def _version(fold: Fold, evidence_id: str) -> str:
    return fold.measurement(evidence_id).instrument.version


def _measurement_row(fold: Fold, evidence_id: str, names: tuple[str, ...]) -> Row:
    measured, state = fold.measurement(evidence_id), fold.evidence[evidence_id]
    by_name = {q.name: q for q in measured.quantities}
    return Row(
        cells={
            **{n: cell(figure(by_name[n])) if n in by_name else NOTHING for n in names},
            "date": taken_on(measured),
            "scope": cell(about(state.about)) or NOTHING,
            "result": cell(measured.result) if measured.result is not None else NOTHING,
            "evidence": cited([evidence_id]),
        },
        date=taken_on(measured),
        about=state.about,
        tags=measured.tags,
        keys={n: by_name[n].value if n in by_name else None for n in names},
    )


VIEW = View(
    name="probe",
    options=("evidence", "instrument", *COMMON),
    columns=COLUMNS,
    body=_body,
    id_matters=lambda _: False,
)
OF_INSTRUMENTS = tuple(
    View(
        name=layout.instrument,
        options=("evidence", *COMMON),
        columns=COLUMNS,
        body=partial(_body, layout=layout),
        id_matters=lambda _: False,
    )
    for layout in LAYOUTS
)
"""A view by the name of each instrument whose layout is known."""
