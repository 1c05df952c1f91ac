"""Repeat spread: one robust time per length, and how uncertain it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from probes.scaling_fit.points import Timed

HUBER = 1.5
"""Residuals beyond this many sigma count as this many: slow outliers bend nothing (Huber 1964)."""
_HUBER_VARIANCE = 0.7784655
"""E[min(z², HUBER²)] of a standard normal z, which makes the scale unbiased without outliers."""
_MAD_TO_SIGMA = 1.4826
_ROUNDS = 30
_UNEQUAL = 0.001
"""Bartlett p-value under which every length keeps its own spread instead of the pooled one."""
_SMALLEST_SHARE = 0.1
"""A length's own sigma is not taken below this share of the pooled one (a coarse clock)."""
_FOR_OWN = 3
_FOR_TEST = 2
_FOR_QUARTILES = 4


@dataclass(frozen=True, kw_only=True)
class Point:
    """One length with its robust time."""

    seq_len: int
    seconds: float
    """Huber centre of the log times, in seconds."""
    n: int
    low: float
    high: float
    """Smallest and largest repeat, seconds."""
    sigma: float | None
    """Relative spread of one repeat; None when no length was repeated."""
    error: float
    """Relative standard error used in the fit: sqrt(sigma²/n + model_error²)."""
    dof: float | None
    """Degrees of freedom behind `error` (Satterthwaite); None when it holds no estimate."""
    iqr_ratio: float | None
    """(p75 - p25) / median of the repeats; None below four repeats."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """All lengths of one configuration, ascending."""

    points: tuple[Point, ...]
    sigma: float | None
    """Pooled relative spread of one repeat."""
    equal_spread: bool
    """False when the lengths spread so differently that each keeps its own sigma."""


@dataclass(frozen=True, kw_only=True)
class _Scale:
    centres: tuple[float, ...]
    sigma: float


def summarise(timed: Sequence[Timed], *, model_error: float) -> Series:
    """One point per length with its relative standard error.

    `model_error` (relative, > 0) is the floor below which no law is held to the data.
    """
    logs = [[math.log(t) for t in item.seconds] for item in timed]
    repeats = [len(group) - 1 for group in logs]
    if sum(repeats) == 0:
        points = [_point(item, math.log(item.seconds[0]), None, 0, model_error) for item in timed]
        return Series(points=tuple(points), sigma=None, equal_spread=True)
    scale = _huber(logs)
    own = [
        max(_huber([group]).sigma, _SMALLEST_SHARE * scale.sigma)
        if len(group) >= _FOR_OWN
        else None
        for group in logs
    ]
    equal = scale.sigma == 0 or _equal_spread(own, repeats)
    points = []
    for item, centre, alone in zip(timed, scale.centres, own, strict=True):
        keep = not equal and alone is not None
        sigma = alone if keep else scale.sigma
        dof = len(item.seconds) - 1 if keep else sum(repeats)
        points.append(_point(item, centre, sigma, dof, model_error))
    return Series(points=tuple(points), sigma=scale.sigma, equal_spread=equal)


def _point(item: Timed, centre: float, sigma: float | None, dof: int, model_error: float) -> Point:
    n = len(item.seconds)
    variance = 0.0 if sigma is None else sigma**2 / n
    total = variance + model_error**2
    return Point(
        seq_len=item.seq_len,
        # exp(log x) may miss x by a rounding: the centre of equal repeats is the repeat.
        seconds=min(max(math.exp(centre), min(item.seconds)), max(item.seconds)),
        n=n,
        low=min(item.seconds),
        high=max(item.seconds),
        sigma=sigma,
        error=math.sqrt(total),
        dof=dof * (total / variance) ** 2 if variance > 0 else None,
        iqr_ratio=_iqr_ratio(item.seconds),
    )


def _iqr_ratio(seconds: Sequence[float]) -> float | None:
    if len(seconds) < _FOR_QUARTILES:
        return None
    from statistics import quantiles

    low, middle, high = quantiles(seconds, n=4, method="inclusive")
    return (high - low) / middle


def _huber(logs: Sequence[Sequence[float]]) -> _Scale:
    """Huber's proposal 2 with one scale over all lengths and one centre per length."""
    centres = [median(group) for group in logs]
    dof = sum(len(group) - 1 for group in logs)
    residuals = [
        abs(value - centre)
        for group, centre in zip(logs, centres, strict=True)
        for value in group
        if len(group) > 1
    ]
    correction = math.sqrt(len(residuals) / dof)
    sigma = _MAD_TO_SIGMA * median(residuals) * correction
    if sigma == 0:
        # Half of the residuals are exactly 0 (an odd number of nearly equal times): start wider.
        sigma = math.sqrt(sum(r * r for r in residuals) / dof)
    for _ in range(_ROUNDS):
        if sigma == 0:
            break
        cut = HUBER * sigma
        centres = [
            centre + sum(_clip(value - centre, cut) for value in group) / len(group)
            for group, centre in zip(logs, centres, strict=True)
        ]
        sigma = math.sqrt(
            sum(
                _clipped_square(group, centre, cut)
                for group, centre in zip(logs, centres, strict=True)
            )
            / (_HUBER_VARIANCE * dof)
        )
    return _Scale(centres=tuple(centres), sigma=sigma)


def _clip(residual: float, cut: float) -> float:
    return max(-cut, min(cut, residual))


def _clipped_square(group: Sequence[float], centre: float, cut: float) -> float:
    return sum(_clip(value - centre, cut) ** 2 for value in group)


def _equal_spread(own: Sequence[float | None], repeats: Sequence[int]) -> bool:
    """Bartlett's test over robust sigmas; a length with fewer than three repeats takes no part."""
    known = [(sigma, dof) for sigma, dof in zip(own, repeats, strict=True) if sigma is not None]
    if len(known) < _FOR_TEST:
        return True
    from scipy.special import chdtrc

    total = sum(dof for _, dof in known)
    pooled = sum(dof * sigma**2 for sigma, dof in known) / total
    statistic = total * math.log(pooled) - sum(dof * math.log(sigma**2) for sigma, dof in known)
    correction = 1 + (sum(1 / dof for _, dof in known) - 1 / total) / (3 * (len(known) - 1))
    # Equal spreads leave a rounding error around 0, and the tail below 0 is not a number.
    return bool(chdtrc(len(known) - 1, max(statistic / correction, 0.0)) >= _UNEQUAL)
