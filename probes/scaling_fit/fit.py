"""Fit the laws to times: coefficients, lack of fit, and profile intervals of the shares. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from probes.scaling_fit.laws import Law, Piece, pieces

if TYPE_CHECKING:
    from probes.scaling_fit.laws import Floats
    from probes.scaling_fit.spread import Series

FEWEST = 3
"""Lengths; two are undetermined over three terms."""
REFUTED = 0.001
"""A law is refuted when its lack of fit, or its distance from a better law, has p below this."""
LEVEL = 0.95
"""Of the profile intervals and of the rejection of a wrong region."""
_STEPS = 30
_NOTHING = 1e-12
"""A weight below this share of the largest is the solver's rounding of 0."""

Share = Literal["fixed", "linear", "quadratic"]
SHARES: tuple[Share, ...] = ("fixed", "linear", "quadratic")


@dataclass(frozen=True, kw_only=True)
class Data:
    """What is fitted: ascending lengths with a time and its relative standard error."""

    lengths: tuple[int, ...]
    seconds: tuple[float, ...]
    errors: tuple[float, ...]
    dof: float | None = None
    """Degrees of freedom behind the errors; None when they are taken as known."""


@dataclass(frozen=True, kw_only=True)
class LawFit:
    """The nearest point of one law."""

    law: Law
    chi2: float
    fitted: tuple[float, ...]
    """Seconds at each length."""
    fixed: float
    linear: float
    quadratic: float
    """Shares of the fitted time at the longest length; they add up to 1."""
    on_floor: int
    """How many of the shortest lengths lie on the floor (floor law)."""

    @property
    def top(self) -> float:
        """Fitted seconds at the longest length."""
        return self.fitted[-1]


@dataclass(frozen=True, kw_only=True)
class Interval:
    """Inclusive bounds of a share, each in [0, 1]."""

    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Coefficients:
    """t = fixed + linear·w + quadratic·w², w in tokens; each >= 0."""

    fixed: float
    """s"""
    linear: float
    """s/token"""
    quadratic: float
    """s/token²"""
    max_residual: float
    """Largest |fitted - time| / time."""

    def at(self, length: int) -> float:
        """Seconds that the terms add up to at a length in tokens."""
        return self.fixed + self.linear * length + self.quadratic * length**2


@dataclass(frozen=True, kw_only=True)
class _Nearest:
    chi2: float
    weights: "Floats"


def data_of(series: "Series", *, first: int = 0) -> Data:
    """The points from index `first` on, as the fit takes them."""
    points = series.points[first:]
    known = sorted(point.dof for point in points if point.dof is not None)
    return Data(
        lengths=tuple(point.seq_len for point in points),
        seconds=tuple(point.seconds for point in points),
        errors=tuple(point.error for point in points),
        dof=known[len(known) // 2] if known else None,
    )


def threshold(data: Data, *, p: float) -> float:
    """How much chi-square one more constraint may cost at probability `p`.

    The chi-square quantile of one degree of freedom, or Fisher's F where the errors are estimated.
    """
    from scipy.special import chdtri, fdtri

    return float(chdtri(1, p) if data.dof is None else fdtri(1, data.dof, 1 - p))


def lack_of_fit(data: Data, *, chi2: float, free: int) -> float:
    """Probability of a misfit this large or larger against the repeat spread.

    `free` is the number of fitted terms; at least one degree of freedom is counted, since a term
    at its bound of 0 frees one.
    """
    from scipy.special import chdtrc, fdtrc

    left = max(len(data.lengths) - free, 1)
    if data.dof is None:
        return float(chdtrc(left, chi2))
    return float(fdtrc(left, data.dof, chi2 / left))


def polynomial(data: Data, *, fixed: bool = True) -> Coefficients:
    """Relative-weighted non-negative least squares for fixed + linear·w + quadratic·w².

    With `fixed=False` the constant is left out (three lengths leave nothing to check it by).
    """
    import numpy as np

    longest = data.lengths[-1]
    x = np.array(data.lengths) / longest
    columns = np.array([x**power for power in (0, 1, 2)]).T[:, 0 if fixed else 1 :]
    nearest = _nearest(data, columns)
    terms = np.concatenate([np.zeros(0 if fixed else 1), nearest.weights])
    fitted = columns @ nearest.weights
    times = np.array(data.seconds)
    return Coefficients(
        fixed=float(terms[0]),
        linear=float(terms[1]) / longest,
        quadratic=float(terms[2]) / longest**2,
        max_residual=float(np.max(np.abs(fitted - times) / times)),
    )


def law_fits(data: Data, cones: Sequence[Piece]) -> dict[Law, LawFit]:
    """The nearest point of every law."""
    best: dict[Law, LawFit] = {}
    for cone in cones:
        found = _law_fit(data, cone)
        if found and (cone.law not in best or found.chi2 < best[cone.law].chi2):
            best[cone.law] = found
    return best


def _law_fit(data: Data, cone: Piece) -> LawFit | None:
    if cone.rays.shape[1] == 0:
        return None
    nearest = _nearest(data, cone.rays)
    total = float(nearest.weights.sum())
    return LawFit(
        law=cone.law,
        chi2=nearest.chi2,
        fitted=tuple(float(t) for t in cone.rays @ nearest.weights),
        fixed=float(cone.fixed @ nearest.weights) / total,
        linear=float(cone.linear @ nearest.weights) / total,
        quadratic=float(cone.quadratic @ nearest.weights) / total,
        on_floor=cone.on_floor,
    )


def distance(data: Data, cones: Iterable[Piece]) -> float:
    """Chi-square of the nearest point of any of the cones; infinite when none has a ray."""
    chi2s = [_nearest(data, cone.rays).chi2 for cone in cones if cone.rays.shape[1]]
    return min(chi2s, default=float("inf"))


def _nearest(data: Data, rays: "Floats") -> _Nearest:
    import numpy as np
    from scipy.optimize import nnls

    errors = np.array(data.errors)
    rows = rays / (np.array(data.seconds) * errors)[:, None]
    # Columns of length 1 keep the solver's tolerance meaningful when terms differ by 1e6.
    scale = np.linalg.norm(rows, axis=0)
    weights, norm = nnls(rows / scale, 1 / errors)
    weights[weights < _NOTHING * weights.max()] = 0.0
    return _Nearest(chi2=float(norm) ** 2, weights=weights / scale)


def intervals(data: Data, cones: Sequence[Piece]) -> dict[Share, Interval]:
    """Profile chi-square intervals of the shares at the longest length, non-negativity kept.

    Over the polynomial and the floor together, so that an interval also covers what the rival
    would say; a window has no share of its own beyond its bend.
    """
    shared = [cone for cone in cones if cone.law != "window" and cone.rays.shape[1]]
    limit = distance(data, shared) + threshold(data, p=1 - LEVEL)
    out: dict[Share, Interval] = {}
    for name in SHARES:
        fits = [(_law_fit(data, cone), cone) for cone in shared]
        near = [(fit, cone) for fit, cone in fits if fit and fit.chi2 <= limit]
        lows = [_bound(data, cone, limit, name, getattr(fit, name), sign=-1) for fit, cone in near]
        highs = [_bound(data, cone, limit, name, getattr(fit, name), sign=1) for fit, cone in near]
        out[name] = Interval(low=min(lows), high=max(highs))
    return out


def _bound(data: Data, cone: Piece, limit: float, name: Share, best: float, *, sign: int) -> float:
    """The furthest share in the direction of `sign` whose nearest point is within the limit."""
    share: Floats = getattr(cone, name)

    def within(value: float) -> bool:
        return distance(data, [cone.cut(sign * (share - value))]) <= limit

    end = 1.0 if sign > 0 else 0.0
    return end if within(end) else _bisect(within, inside=best, outside=end)


def _bisect(within: Callable[[float], bool], *, inside: float, outside: float) -> float:
    for _ in range(_STEPS):
        middle = (inside + outside) / 2
        if within(middle):
            inside = middle
        else:
            outside = middle
    return inside


def condition(data: Data, *, fixed: bool = True) -> float:
    """Condition number of the relative-weighted design, its columns scaled to length 1; >= 1."""
    import numpy as np

    x = np.array(data.lengths) / data.lengths[-1]
    columns = np.array([x**power for power in (0, 1, 2)]).T[:, 0 if fixed else 1 :]
    rows = columns / np.array(data.seconds)[:, None]
    return float(np.linalg.cond(rows / np.linalg.norm(rows, axis=0)))


def cones_of(data: Data) -> tuple[Piece, ...]:
    """The cones of all three laws over these lengths."""
    return pieces(data.lengths)
