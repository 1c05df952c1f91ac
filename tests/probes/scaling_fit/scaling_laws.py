"""Simulated step times of three laws, with the labels that would be right for each."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np

from probes.scaling_fit.analysis import choose
from probes.scaling_fit.laws import ON_FLOOR
from probes.scaling_fit.points import Timed
from probes.scaling_fit.spread import summarise
from probes.scaling_fit.verdict import BENT, TOLERANCE

Kind = Literal["P", "F", "W"]
KINDS: tuple[Kind, ...] = ("P", "F", "W")


@dataclass(frozen=True, kw_only=True)
class Draw:
    timed: tuple[Timed, ...]
    right: frozenset[str]


def label(fixed: float, quadratic: float) -> str:
    if fixed > 0.5:
        return "launch-bound"
    if quadratic < 0.1:
        return "linear"
    return "quadratic" if quadratic > 0.9 else "mixed"


def labels_near(fixed: float, quadratic: float) -> set[str]:
    near = (-TOLERANCE, 0.0, TOLERANCE)
    return {label(fixed + df, quadratic + dq) for df in near for dq in near}


def draw(rng: np.random.Generator, kind: Kind) -> Draw:
    """3-8 lengths over 4-32x, sigma 0.3-4 %, 3-10 repeats, slow outliers in a quarter of sets."""
    count = int(rng.integers(3, 9))
    spread = 2 ** rng.uniform(2, 5)
    lengths = np.round(np.geomspace(1 / spread, 1, count) * 32768).astype(int)
    x = lengths / lengths[-1]
    bend = math.exp(rng.uniform(math.log(x[0]), math.log(1.4)))
    if kind == "P":
        fixed, linear, quadratic = rng.dirichlet([1, 1, 1] if rng.random() < 0.5 else [0.5] * 3)
        mean, right = fixed + linear * x + quadratic * x**2, labels_near(fixed, quadratic)
    elif kind == "F":
        quadratic = rng.beta(0.5, 0.5)
        z = np.maximum(x, bend)
        mean = (1 - quadratic) * z + quadratic * z**2
        right = labels_near(0, quadratic) | {"misfit"} if bend < 1 else {"launch-bound"}
        right |= {"launch-bound"} if mean[0] / mean[-1] > ON_FLOOR else set()
    else:
        quadratic = rng.beta(0.5, 0.5)
        mean = (1 - quadratic) * x + quadratic / bend * x * np.minimum(x, bend)
        right = _right_of_window(x, float(bend), float(quadratic), float(mean[-1]))
    sigma = math.exp(rng.uniform(math.log(0.003), math.log(0.04)))
    noise = rng.normal(0, sigma, (count, int(rng.integers(3, 11))))
    if rng.random() < 0.25:
        slow = rng.random(noise.shape) < 0.08
        noise += np.where(slow, np.log(rng.uniform(1, 3, noise.shape)), 0)
    times = mean[:, None] * np.exp(noise)
    return Draw(
        timed=tuple(
            Timed(seq_len=int(w), seconds=tuple(float(t) for t in row))
            for w, row in zip(lengths, times, strict=True)
        ),
        right=frozenset(right),
    )


def _right_of_window(
    x: np.ndarray[tuple[int], np.dtype[np.float64]], bend: float, quadratic: float, top: float
) -> set[str]:
    if bend >= 1:
        return labels_near(0, 1 - (1 - quadratic) / top)
    right = {"misfit"}
    if quadratic * (1 - x[0] / bend) < 0.1 + TOLERANCE:
        right.add("linear")
    if bend > x[-2] and quadratic * (1 / bend - 1) < BENT:
        right |= labels_near(0, quadratic)
    return right


def score(kind: Kind, *, draws: int, seed: int) -> Counter[str]:
    """How many verdicts were right, abstained (undetermined) and wrong."""
    rng = np.random.default_rng(seed)
    counts: Counter[str] = Counter()
    for _ in range(draws):
        one = draw(rng, kind)
        verdict = choose(summarise(one.timed, model_error=0.01)).decision.verdict
        if verdict == "undetermined":
            counts["abstain"] += 1
        else:
            counts["right" if verdict in one.right else "wrong"] += 1
    return counts
