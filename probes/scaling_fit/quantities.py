"""The quantities of an analysis, each with its unit, interval or the reason why it is unknown."""

from ledger.contract import QuantitySpec
from ledger.entry import Quantity
from probes.scaling_fit.analysis import Analysis
from probes.scaling_fit.fit import SHARES, Share

SPECS = (
    QuantitySpec(name="linear_coefficient", unit="s/token", description="A of C + A·w + B·w²"),
    QuantitySpec(name="quadratic_coefficient", unit="s/token^2", description="B of C + A·w + B·w²"),
    QuantitySpec(name="fixed_seconds", unit="s", description="C of C + A·w + B·w²"),
    QuantitySpec(name="floor_seconds", unit="s", description="F of max(F, A·w + B·w²)"),
    QuantitySpec(
        name="floor_length",
        unit="tokens",
        description="longest length whose time lies on the floor",
    ),
    QuantitySpec(
        name="quadratic_share", unit="1", description="of the time at the longest length, with B"
    ),
    QuantitySpec(
        name="linear_share", unit="1", description="of the time at the longest length, with A"
    ),
    QuantitySpec(
        name="fixed_share", unit="1", description="of the time at the longest length, with C"
    ),
    QuantitySpec(
        name="max_residual", unit="1", description="largest |fitted - time| / time of the fit"
    ),
    QuantitySpec(name="points", unit="points", description="lengths in the range used"),
    QuantitySpec(name="length_range", unit="1", description="longest over shortest length used"),
    QuantitySpec(name="longest_seconds", unit="s", description="time at the longest length"),
)

_HIDDEN = "the times follow max(floor, A·w + B·w²): no additive part"
_ON_FLOOR = "every length is on the floor, which hides the work that grows with length"
_NO_FLOOR = "no floor was chosen over the polynomial"
_THREE = "three lengths leave no degree of freedom for a fixed cost; the interval bounds it"


def quantities(analysis: Analysis) -> tuple[Quantity, ...]:
    """Every quantity of SPECS, in that order."""
    used = analysis.used
    last = used[-1]
    return (
        *_terms(analysis),
        _floor_length(analysis),
        *_shares(analysis),
        Quantity(
            name="max_residual",
            value=analysis.fit.coefficients.max_residual,
            unit="1",
            n=len(used),
        ),
        Quantity(name="points", value=len(used), unit="points"),
        Quantity(name="length_range", value=analysis.length_range, unit="1"),
        Quantity(
            name="longest_seconds",
            value=last.seconds,
            unit="s",
            n=last.n,
            low=last.low if last.n > 1 else None,
            high=last.high if last.n > 1 else None,
        ),
    )


def unknown(analysis: Analysis, term: str) -> str | None:
    """Why a term (linear, quadratic, fixed, floor) has no value; None where it has one."""
    if term != "floor" and analysis.hidden is not None:
        return analysis.hidden
    flat = analysis.fit.floor_seconds is not None
    if term == "floor":
        misfit = analysis.decision.verdict == "misfit"
        return _NO_FLOOR if misfit or not flat else None
    if flat and analysis.decision.chosen.on_floor == len(analysis.used):
        return _ON_FLOOR
    if term == "fixed":
        return _HIDDEN if flat else (None if "fixed" in analysis.fit.shares else _THREE)
    return None


def _terms(analysis: Analysis) -> list[Quantity]:
    fit, n = analysis.fit, len(analysis.used)
    table = (
        ("linear_coefficient", "linear", fit.coefficients.linear, "s/token"),
        ("quadratic_coefficient", "quadratic", fit.coefficients.quadratic, "s/token^2"),
        ("fixed_seconds", "fixed", fit.coefficients.fixed, "s"),
        ("floor_seconds", "floor", fit.floor_seconds, "s"),
    )
    found = []
    for name, term, value, unit in table:
        reason = unknown(analysis, term)
        known = value if reason is None else None
        found.append(Quantity(name=name, value=known, unit=unit, n=n, reason=reason))
    return found


def _floor_length(analysis: Analysis) -> Quantity:
    reason = unknown(analysis, "floor")
    length = analysis.used[max(analysis.decision.chosen.on_floor, 1) - 1].seq_len
    known = length if reason is None else None
    return Quantity(
        name="floor_length", value=known, unit="tokens", n=len(analysis.used), reason=reason
    )


def _shares(analysis: Analysis) -> list[Quantity]:
    return [
        _share(analysis, s)
        if analysis.hidden is None
        else Quantity(name=f"{s}_share", value=None, unit="1", reason=analysis.hidden)
        for s in reversed(SHARES)
    ]


def _share(analysis: Analysis, share: Share) -> Quantity:
    known = analysis.fit.shares.get(share)
    return Quantity(
        name=f"{share}_share",
        value=known,
        unit="1",
        n=len(analysis.used),
        low=analysis.intervals[share].low,
        high=analysis.intervals[share].high,
        reason=_THREE if known is None else None,
    )
