"""Which term dominates at the longest length: a label is given only when every law allows it. Pure.

For each label and law there is a region of shares in which the label would be wrong. The label is
given when the nearest point of every such region is rejected against the best fit overall (profile
chi-square). Nothing is chosen by the smallest residual.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from probes.scaling_fit.fit import (
    FEWEST,
    LEVEL,
    REFUTED,
    Data,
    LawFit,
    cones_of,
    distance,
    lack_of_fit,
    law_fits,
    polynomial,
    threshold,
)
from probes.scaling_fit.laws import ON_FLOOR, Law, Piece

if TYPE_CHECKING:
    from probes.scaling_fit.laws import Floats

Label = Literal["launch-bound", "linear", "quadratic", "mixed"]
Verdict = Literal["launch-bound", "linear", "quadratic", "mixed", "undetermined", "misfit"]
LABELS: tuple[Label, ...] = ("launch-bound", "linear", "quadratic", "mixed")

FIXED_ABOVE = 0.5
LINEAR_BELOW = 0.1
QUADRATIC_ABOVE = 0.9
TOLERANCE = 0.02
"""A share this near a boundary makes neither neighbour wrong."""
CLEAR = 1.5
"""A time is clear of a floor from this multiple of it. A launch floor bends softly: one model on an
H200 read quadratic 45 % at batch 8, and 21 % [15, 27] at batch 1, where the second longest length
took 1.25 floors."""
BENT = 0.05
"""A window that takes this much off the longest time has bent the curve inside the range."""


@dataclass(frozen=True, kw_only=True)
class Decision:
    """The verdict for one range of lengths, at its longest."""

    verdict: Verdict
    reason: str
    laws: dict[Law, LawFit]
    chosen: LawFit
    """The law that shares are read from: the polynomial unless the floor is closer by more than
    the limit."""
    gaps: dict[Label, float]
    """Chi-square by which the nearest reading that makes the label wrong is behind the best."""
    limit: float
    """A gap above this rejects: one-sided 95 %, as a wrong region lies on one side of the fit."""
    polynomial_p: float
    """Lack of fit of the polynomial."""
    best_p: float
    """Lack of fit of the best law."""
    near_floor: bool
    """Fewer than two lengths are clear of the floor that was chosen: it hides the shares."""
    two_terms_refuted: bool
    """Three lengths alone: linear + quadratic without a fixed cost misfits."""

    @property
    def nothing_fits(self) -> bool:
        """Whether even the nearest law is refuted."""
        return self.best_p < REFUTED


def decide(data: Data) -> Decision:
    """The verdict on one series of at least three lengths."""
    cones = cones_of(data)
    laws = law_fits(data, cones)
    best = min(laws.values(), key=lambda fit: fit.chi2)
    limit = threshold(data, p=2 * (1 - LEVEL))
    gaps = {label: _gap(data, cones, label, best.chi2) for label in LABELS}
    flat, straight = laws["floor"], laws["polynomial"]
    chosen = flat if straight.chi2 - flat.chi2 > limit else straight
    polynomial_p = lack_of_fit(data, chi2=straight.chi2, free=3)
    best_p = lack_of_fit(data, chi2=best.chi2, free=3)
    label = max(LABELS, key=lambda name: gaps[name])
    settled = label if gaps[label] > limit else None
    near_floor = _near_floor(data, chosen)
    two_terms_refuted = len(data.lengths) == FEWEST and _two_terms_refuted(data)
    verdict: Verdict
    if best_p < REFUTED:
        verdict, reason = "misfit", _nothing_fits(laws)
    elif two_terms_refuted:
        verdict = "undetermined"
        reason = "linear + quadratic misfits, and three lengths cannot tell a fixed cost apart"
    elif near_floor and settled != "launch-bound":
        verdict = "undetermined"
        reason = f"fewer than two lengths take over {CLEAR:g} times the floor, which bends softly"
    elif settled:
        verdict, reason = settled, _settled(data, chosen, gap=gaps[settled], limit=limit)
    elif polynomial_p < REFUTED or straight.chi2 - best.chi2 > threshold(data, p=REFUTED):
        verdict, reason = "misfit", _refuted(best)
    else:
        verdict, reason = "undetermined", _open(gaps, limit)
    return Decision(
        verdict=verdict, reason=reason, laws=laws, chosen=chosen, gaps=gaps, limit=limit,
        polynomial_p=polynomial_p, best_p=best_p, near_floor=near_floor,
        two_terms_refuted=two_terms_refuted,
    )  # fmt: skip


def _near_floor(data: Data, chosen: LawFit) -> bool:
    if chosen.law != "floor" or not chosen.on_floor:
        return False
    return sum(t > CLEAR * chosen.fitted[0] for t in data.seconds) < 2  # noqa: PLR2004


def _two_terms_refuted(data: Data) -> bool:
    """Whether linear + quadratic alone misfits; its chi-square has one degree of freedom."""
    terms = polynomial(data, fixed=False)
    rows = zip(data.lengths, data.seconds, data.errors, strict=True)
    chi2 = sum(((terms.at(w) - t) / (t * s)) ** 2 for w, t, s in rows)
    return lack_of_fit(data, chi2=chi2, free=2) < REFUTED


def _gap(data: Data, cones: Sequence[Piece], label: Label, best: float) -> float:
    wrong = [cone.cut(keep) for cone in cones for keep in _wrong(cone, label)]
    return distance(data, wrong) - best


def _wrong(cone: Piece, label: Label) -> "list[Floats]":
    """Functionals that are >= 0 where the label would be wrong under this cone's law."""
    everywhere = 0 * cone.quadratic + 1
    if cone.law == "window" and cone.saturated:
        # Past its window attention grows linearly: no polynomial label describes the whole range
        # unless what is visibly not linear is small.
        return [cone.excess - (LINEAR_BELOW + TOLERANCE)] if label == "linear" else [everywhere]
    bent = [] if cone.unbent is None else [cone.unbent - (1 + BENT)]
    if label == "launch-bound":
        near = ON_FLOOR - TOLERANCE if cone.law == "floor" else FIXED_ABOVE - TOLERANCE
        value = cone.floor if cone.law == "floor" else cone.fixed
        return [near - value]
    return [
        cone.fixed - (FIXED_ABOVE + TOLERANCE),
        *(bent if label != "linear" else []),
        *([] if label == "quadratic" else [cone.quadratic - _upper(label)]),
        *([] if label == "linear" else [_lower(label) - cone.quadratic]),
    ]


def _upper(label: Label) -> float:
    return TOLERANCE + (LINEAR_BELOW if label == "linear" else QUADRATIC_ABOVE)


def _lower(label: Label) -> float:
    return (QUADRATIC_ABOVE if label == "quadratic" else LINEAR_BELOW) - TOLERANCE


def _settled(data: Data, chosen: LawFit, *, gap: float, limit: float) -> str:
    rejected = (
        f"at {data.lengths[-1]:,} tokens every law rejects the other labels: the nearest reading "
        f"with one is behind by chi-square {gap:.1f}, {limit:.1f} rejects it"
    )
    if chosen.on_floor == len(data.lengths):
        return f"the step is on the floor up to the longest length; {rejected}"
    if chosen.on_floor:
        return f"a floor up to {data.lengths[chosen.on_floor - 1]:,} tokens; {rejected}"
    return rejected


def _nothing_fits(laws: dict[Law, LawFit]) -> str:
    nearest = min(laws.values(), key=lambda fit: fit.chi2)
    return (
        "no law fits within repeat spread and model error (nearest: "
        f"{nearest.law}): times wander between lengths or bend softly"
    )


def _refuted(best: LawFit) -> str:
    what = "a floor under the short lengths" if best.law == "floor" else "a window that saturates"
    return f"fixed + linear + quadratic is refuted; {what} fits, and leaves the shares open"


def _open(gaps: dict[Label, float], limit: float) -> str:
    possible = sorted(gaps, key=lambda label: -gaps[label])[:2]
    return (
        f"the data do not separate {possible[0]} from {possible[1]}: the nearest other reading is "
        f"behind by chi-square {max(gaps[possible[0]], 0):.1f}, {limit:.1f} would reject it"
    )
