"""From times to everything that is reported: the range used, the verdict, the fit. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from probes.scaling_fit.fit import (
    FEWEST,
    Coefficients,
    Data,
    Interval,
    Share,
    condition,
    cones_of,
    data_of,
    intervals,
    polynomial,
)
from probes.scaling_fit.points import Timed
from probes.scaling_fit.spread import Point, Series, summarise
from probes.scaling_fit.verdict import Decision, Verdict, decide

WIDE = 8.0
"""Longest over shortest length under which a fixed cost and a square are hardly told apart."""
_KEPT = 4
"""Lengths that remain at least when short ones are dropped."""


@dataclass(frozen=True, kw_only=True)
class RangeVerdict:
    """The verdict over the lengths from `shortest` to `longest`, both inclusive."""

    shortest: int
    longest: int
    verdict: Verdict
    reason: str


@dataclass(frozen=True, kw_only=True)
class Fit:
    """Coefficients and shares of the law that the data allow."""

    coefficients: Coefficients
    shares: dict[Share, float]
    """At the longest length; `fixed` is left out when it could not be fitted (three lengths)."""
    floor_seconds: float | None
    """Height of the floor, where the floor law was chosen."""
    fitted: tuple[float, ...]
    """Seconds at each used length."""


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """One series, analysed over the widest range that some law describes."""

    series: Series
    model_error: float
    first: int
    """Index of the shortest length used; those before it were dropped."""
    decision: Decision
    fit: Fit
    """Of the nearest polynomial when the verdict is misfit: then only its residuals mean much."""
    intervals: dict[Share, Interval]
    condition: float
    ranges: tuple[RangeVerdict, ...]
    """The verdicts of wider ranges that were given up, lengths on a floor, and the one used."""

    @property
    def used(self) -> tuple[Point, ...]:
        """The points of the range used, ascending."""
        return self.series.points[self.first :]

    @property
    def hidden(self) -> str | None:
        """Why the shares have no value; None where they have one."""
        three = len(self.used) == FEWEST and self.decision.two_terms_refuted
        if self.decision.verdict == "misfit" or three:
            return "the polynomial is refuted and no other law settles the shares"
        if self.decision.near_floor and self.decision.verdict != "launch-bound":
            return "too few lengths are clear of the floor, which bends softly"
        return None

    @property
    def length_range(self) -> float:
        """Longest over shortest length used."""
        return self.used[-1].seq_len / self.used[0].seq_len


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """The range that is reported."""

    first: int
    data: Data
    decision: Decision
    given_up: tuple[RangeVerdict, ...]
    """Wider ranges, none of which any law describes."""


def choose(series: Series) -> Chosen:
    """The widest range that some law describes, or the whole one when there is none.

    When no law fits and a floor is nearest, the shortest length is dropped and the rest tried
    again, as long as four lengths over 8x remain.
    """
    whole = data = data_of(series)
    decision = at_first = decide(whole)
    given_up: list[RangeVerdict] = []
    while _may_drop(data, decision):
        given_up.append(_range(data, decision))
        data = data_of(series, first=len(given_up))
        decision = decide(data)
    if decision.nothing_fits:
        return Chosen(first=0, data=whole, decision=at_first, given_up=())
    return Chosen(first=len(given_up), data=data, decision=decision, given_up=tuple(given_up))


def analyse(timed: Sequence[Timed], *, model_error: float) -> Analysis:
    """The verdict and the fit for at least three lengths, ascending."""
    series = summarise(timed, model_error=model_error)
    chosen = choose(series)
    data, decision = chosen.data, chosen.decision
    return Analysis(
        series=series,
        model_error=model_error,
        first=chosen.first,
        decision=decision,
        fit=_fit(data, decision),
        intervals=intervals(data, cones_of(data)),
        condition=condition(data, fixed=len(data.lengths) > FEWEST),
        ranges=(*chosen.given_up, *_on_floor(data, decision), _range(data, decision)),
    )


def _may_drop(data: Data, decision: Decision) -> bool:
    rest = data.lengths[1:]
    return (
        decision.verdict == "misfit"
        and decision.nothing_fits
        and decision.laws["floor"].chi2 <= decision.laws["window"].chi2
        and len(rest) >= _KEPT
        and rest[-1] / rest[0] >= WIDE
    )


def _range(data: Data, decision: Decision) -> RangeVerdict:
    return RangeVerdict(
        shortest=data.lengths[0],
        longest=data.lengths[-1],
        verdict=decision.verdict,
        reason=decision.reason,
    )


def _on_floor(data: Data, decision: Decision) -> list[RangeVerdict]:
    count = decision.chosen.on_floor
    if not 1 < count < len(data.lengths) or decision.verdict in {"misfit", "undetermined"}:
        return []
    return [
        RangeVerdict(
            shortest=data.lengths[0],
            longest=data.lengths[count - 1],
            verdict="launch-bound",
            reason="these lengths lie on the floor: their time does not grow",
        )
    ]


def _fit(data: Data, decision: Decision) -> Fit:
    chosen, longest = decision.chosen, data.lengths[-1]
    if decision.verdict == "misfit" or chosen.law == "polynomial":
        fixed = len(data.lengths) > FEWEST
        terms = polynomial(data, fixed=fixed)
        fitted = tuple(terms.at(w) for w in data.lengths)
        shares: dict[Share, float] = {
            "linear": terms.linear * longest / fitted[-1],
            "quadratic": terms.quadratic * longest**2 / fitted[-1],
        }
        if fixed:
            shares["fixed"] = terms.fixed / fitted[-1]
        return Fit(coefficients=terms, shares=shares, floor_seconds=None, fitted=fitted)
    residuals = [abs(m - t) / t for m, t in zip(chosen.fitted, data.seconds, strict=True)]
    terms = Coefficients(
        fixed=chosen.fixed * chosen.top,
        linear=chosen.linear * chosen.top / longest,
        quadratic=chosen.quadratic * chosen.top / longest**2,
        max_residual=max(residuals),
    )
    return Fit(
        coefficients=terms,
        shares={"fixed": chosen.fixed, "linear": chosen.linear, "quadratic": chosen.quadratic},
        floor_seconds=chosen.fitted[0],
        fitted=chosen.fitted,
    )
