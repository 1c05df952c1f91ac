"""Whether a measurement bears out the field that it is said to have re-checked."""

import re
import shlex
from decimal import Decimal
from typing import Any

from ledger import canonical
from ledger.entry import Evidence, Quantity
from ledger.errors import LedgerError
from ledger.provenance import pointers
from ledger.units import UNITS


def check(
    data: Any, pointer: str, evidence_id: str, evidence: Evidence, *, name: str
) -> str | None:
    """What to tell of a re-check of a whole part of the artifact `name`; None for a single field.

    A quantity is of a field where it is named as the field's last key is, with or without its unit;
    it agrees where the recorded number, in some unit of its family, lies in the measured interval,
    give or take half a unit in the last written place of either. Raises LedgerError "refused" where
    the measurement has a quantity of the field that does not agree.
    """
    value = pointers.value_at(data, pointer)
    below = pointers.leaves(value)
    if below == ("",):
        if (why := _against(pointer, value, evidence)) is not None:
            raise LedgerError(
                "refused",
                f"{why} by {evidence_id}: that does not bear the field out",
                fix="name the measurement that does; or, where the field is wrong, ledger note "
                f"{shlex.quote(name)} --wrong {shlex.quote(pointer)} --evidence {evidence_id} "
                "--reason TEXT",
            )
        return None
    told = f"{evidence_id} vouches for all {len(below)} leaves of {pointer or 'the document'}"
    leaves = ((pointer + leaf, pointers.value_at(value, leaf)) for leaf in below)
    against = [why for place, leaf in leaves if (why := _against(place, leaf, evidence))]
    return "; but ".join([told, *against[:1]])


def _against(pointer: str, recorded: Any, evidence: Evidence) -> str | None:
    """How a measurement contradicts one field; None where it does not."""
    if isinstance(recorded, bool) or not isinstance(recorded, int | float):
        return None
    found = [q for q in evidence.quantities if q.value is not None and _named(q, pointer)]
    if not found or any(_agrees(q, recorded) for q in found):
        return None
    measured = f"{found[0].value:.6g}" + ("" if found[0].unit == "1" else f" {found[0].unit}")
    return (
        f"{pointer} records {canonical.compact(recorded)}, and {found[0].name} was measured as "
        f"{measured}"
    )


def _named(quantity: Quantity, pointer: str) -> bool:
    parts = pointers.split(pointer)
    key = _plain(parts[-1]) if parts else ""
    name = _plain(quantity.name)
    return key in {name, name + _plain(quantity.unit)}


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _agrees(quantity: Quantity, recorded: float) -> bool:
    value = quantity.value or 0
    low = value if quantity.low is None else quantity.low
    high = value if quantity.high is None else quantity.high
    for scale in _scales(quantity.unit):
        slack = max(_half(recorded), _half(low) * scale, _half(high) * scale)
        slack *= 1 + 1e-9  # what is off by just so much agrees, whatever a float makes of it
        if low * scale - slack <= recorded <= high * scale + slack:
            return True
    return False


def _scales(unit: str) -> list[float]:
    """How much a unit is in each one of its family: fields seldom say which they are in."""
    if unit not in UNITS:
        return [1.0]
    own = UNITS[unit]
    return [own.factor / other.factor for other in UNITS.values() if other.family == own.family]


def _half(number: float) -> float:
    """Half a unit in the last place that is written."""
    written = number.text if isinstance(number, canonical.Number) else repr(number)
    exponent = Decimal(written).as_tuple().exponent
    return float(Decimal(1).scaleb(exponent)) / 2 if isinstance(exponent, int) else 0.0
