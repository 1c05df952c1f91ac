"""How the views show parts of entries, as the Markdown source of a cell."""

import datetime as dt
from collections.abc import Iterable

from ledger import canonical, scope
from ledger.entry import Claim, Entry, Evidence, Quantity, Scope, Verdict
from ledger.fold import Fold, Link
from ledger.render.cells import cell, part

NOTHING = "—"
_GROUPED = 10_000
"""Integers from here on are shown with commas."""
_INSTRUMENT = 9
"""Significant digits that an instrument may have; what is longer is the rest of a division."""
_ROUNDED = 4
"""Significant digits that such a number is shown with."""
_FEW = 3
"""Quantities of a measurement that are listed where none is asked for."""


def cited(ids: Iterable[str]) -> str:
    """Citations of entries."""
    return ", ".join(cell(f"[{i}]") for i in ids)


def claim_cell(fold: Fold, claim_id: str) -> str:
    """A claim's statement and its citation."""
    claim = fold.claim(claim_id)
    return f"{cell(claim.statement, markup=claim.markup)} {cited([claim_id])}"


def claim_words(fold: Fold, claim_id: str) -> str:
    """The same for a line that other texts stand in too."""
    return f"{part(fold.claim(claim_id).statement)} {cited([claim_id])}"


def strong(text: str) -> str:
    """A text in bold, for a cell or line that it shares with others; empty for empty text."""
    return f"**{part(text)}**" if text else ""


def number(value: float) -> str:
    """A number with the digits it was recorded with; large integers with commas.

    What was divided or fitted has more digits than it was measured to: it is rounded to four.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}" if abs(value) >= _GROUPED else str(value)
    text = value.text if isinstance(value, canonical.Number) else repr(value)
    digits = text.lower().partition("e")[0].replace(".", "").strip("-0")
    return f"{value:.{_ROUNDED}g}" if len(digits) > _INSTRUMENT else text


def united(text: str, unit: str) -> str:
    """A number with its unit; a plain ratio or count has none."""
    return text if unit == "1" else f"{text} {unit}"


def value_of(quantity: Quantity) -> str:
    """The value with its unit, or why it is not known."""
    if quantity.value is None:
        return f"unknown: {quantity.reason or 'no reason given'}"
    return united(number(quantity.value), quantity.unit)


def interval_of(quantity: Quantity) -> str:
    """`low..high` with the unit; empty where no spread is known."""
    if quantity.low is None and quantity.high is None:
        return ""
    ends = ["" if end is None else number(end) for end in (quantity.low, quantity.high)]
    return united("..".join(ends), quantity.unit)


def figure(quantity: Quantity) -> str:
    """Value, unit and interval in one."""
    interval = interval_of(quantity)
    return value_of(quantity) + (f" ({interval})" if interval else "")


def expected_figure(claim: Claim, measured: Evidence) -> str | None:
    """What a measurement gives for the quantity that the claim expects; None where it has none."""
    if claim.expects is None:
        return None
    name = claim.expects.quantity
    if name == "result":
        return f"result {measured.result}" if measured.result is not None else None
    found = next((q for q in measured.quantities if q.name == name), None)
    return f"{name} {figure(found)}" if found is not None else None


def measured_by(fold: Fold, claim_id: str, link: Link) -> str:
    """What decided a claim: the expected quantity, else the verdict's note, else what there is."""
    measured, source = fold.measurement(link.evidence), fold.entries[link.source]
    expected = expected_figure(fold.claim(claim_id), measured)
    note = source.note if isinstance(source, Verdict) else None
    return expected or note or _all_of(measured)


def _all_of(measured: Evidence) -> str:
    said = [f"result {measured.result}"] if measured.result is not None else []
    said += [f"{q.name} {figure(q)}" for q in measured.quantities[:_FEW]]
    more = len(measured.quantities) - _FEW
    return ", ".join([*said, f"{more} more"] if more > 0 else said) or "no quantity recorded"


def about(values: Scope) -> str:
    """A configuration in one line; empty for none."""
    return " ".join(f"{key}={scope.shown(value)}" for key, value in sorted(values.items()))


def recorded_on(entry: Entry) -> str:
    """The day an entry was recorded, YYYY-MM-DD."""
    return entry.recorded.at[:10]


def taken_on(measured: Evidence) -> str:
    """The day a measurement was taken, else recorded, YYYY-MM-DD."""
    return day_of(measured.taken_at) or recorded_on(measured)


def day_of(moment: str | None) -> str | None:
    """The day of a date or time as YYYY-MM-DD; None for text that is neither."""
    try:
        return dt.datetime.fromisoformat(moment or "").date().isoformat()
    except ValueError:
        return None
