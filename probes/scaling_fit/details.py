"""An analysis as JSON data: what the report, the doubts and `--json` are made from."""

from typing import Any

from probes.scaling_fit.analysis import Analysis
from probes.scaling_fit.fit import SHARES
from probes.scaling_fit.levers import lever
from probes.scaling_fit.spread import Point


def details(analysis: Analysis) -> dict[str, Any]:
    """Everything that was found, as JSON data; seconds and tokens throughout."""
    decision, used = analysis.decision, analysis.used
    shown = analysis.hidden is None
    return {
        "verdict": decision.verdict,
        "reason": decision.reason,
        "lever": lever(decision.verdict, shares=analysis.fit.shares),
        "shares_unknown": analysis.hidden,
        "law": decision.chosen.law if shown else None,
        "shortest": used[0].seq_len,
        "longest": used[-1].seq_len,
        "length_range": analysis.length_range,
        "dropped": [point.seq_len for point in analysis.series.points[: analysis.first]],
        "model_error": analysis.model_error,
        "repeat_spread": analysis.series.sigma,
        "equal_spread": analysis.series.equal_spread,
        "condition_number": analysis.condition,
        "shares": {
            name: {
                "value": analysis.fit.shares.get(name),
                "low": analysis.intervals[name].low,
                "high": analysis.intervals[name].high,
            }
            for name in SHARES
        }
        if shown
        else None,
        "coefficients": {
            "fixed_seconds": analysis.fit.coefficients.fixed,
            "seconds_per_token": analysis.fit.coefficients.linear,
            "seconds_per_token_squared": analysis.fit.coefficients.quadratic,
            "floor_seconds": analysis.fit.floor_seconds,
        },
        "lack_of_fit_p": {"polynomial": decision.polynomial_p, "nearest": decision.best_p},
        "laws": {
            name: {
                "chi2": fit.chi2,
                "fixed": fit.fixed,
                "linear": fit.linear,
                "quadratic": fit.quadratic,
                "on_floor": fit.on_floor,
            }
            for name, fit in decision.laws.items()
        },
        # Infinite where no reading makes the label wrong, which JSON cannot say.
        "gaps": {name: gap if gap < float("inf") else None for name, gap in decision.gaps.items()},
        "limit": decision.limit,
        "ranges": [
            {
                "shortest": item.shortest,
                "longest": item.longest,
                "verdict": item.verdict,
                "reason": item.reason,
            }
            for item in analysis.ranges
        ],
        "points": _points(analysis),
    }


def _points(analysis: Analysis) -> list[dict[str, Any]]:
    fitted: list[float | None] = [None] * analysis.first
    fitted += analysis.fit.fitted
    return [
        _point(point, value) for point, value in zip(analysis.series.points, fitted, strict=True)
    ]


def _point(point: Point, fitted: float | None) -> dict[str, Any]:
    return {
        "seq_len": point.seq_len,
        "seconds": point.seconds,
        "n": point.n,
        "low": point.low,
        "high": point.high,
        "spread": point.sigma if point.n > 1 else None,
        "error": point.error,
        "iqr_ratio": point.iqr_ratio,
        "fitted": fitted,
        "residual": None if fitted is None else fitted / point.seconds - 1,
    }
