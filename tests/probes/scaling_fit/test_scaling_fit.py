import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probes.scaling_fit.fit import (
    Data,
    condition,
    cones_of,
    distance,
    intervals,
    law_fits,
    polynomial,
    threshold,
)
from probes.scaling_fit.laws import ON_FLOOR, pieces
from probes.scaling_fit.points import Timed
from probes.scaling_fit.spread import summarise

SHARED = Path(os.environ.get("LEDGER_SHARED", Path(__file__).resolve().parents[4] / "shared"))
LENGTHS = (1024, 2048, 4096, 8192, 16384)


def exact(
    fixed: float, linear: float, quadratic: float, lengths: tuple[int, ...] = LENGTHS
) -> Data:
    return Data(
        lengths=lengths,
        seconds=tuple(fixed + linear * w + quadratic * w * w for w in lengths),
        errors=(0.01,) * len(lengths),
    )


@pytest.mark.parametrize(("longest", "share"), [(2048, 0.209), (8192, 0.513), (16384, 0.678)])
def test_published_coefficients_give_the_published_shares(longest: int, share: float) -> None:
    data = exact(0, 6.87e-4, 8.85e-8, (longest // 4, longest // 2, longest))
    assert law_fits(data, cones_of(data))["polynomial"].quadratic == pytest.approx(share, abs=1e-3)


@given(
    st.floats(0, 1), st.floats(1e-6, 1e-2), st.floats(0, 1e-6),
)  # fmt: skip
@settings(max_examples=50, deadline=None)
def test_exact_times_give_their_coefficients_back(a: float, b: float, c: float) -> None:
    found = polynomial(exact(a, b, c))
    top = a + b * LENGTHS[-1] + c * LENGTHS[-1] ** 2
    assert found.fixed == pytest.approx(a, abs=1e-6 * top)
    assert found.linear * LENGTHS[-1] == pytest.approx(b * LENGTHS[-1], abs=1e-6 * top)
    assert found.quadratic * LENGTHS[-1] ** 2 == pytest.approx(c * LENGTHS[-1] ** 2, abs=1e-6 * top)
    assert found.max_residual < 1e-6


@given(st.floats(1e-9, 1e9))
@settings(max_examples=20, deadline=None)
def test_shares_do_not_depend_on_the_time_unit(scale: float) -> None:
    data = exact(scale * 0.5, scale * 6.87e-4, scale * 8.85e-8)
    share = law_fits(data, cones_of(data))["polynomial"].quadratic
    unscaled = exact(0.5, 6.87e-4, 8.85e-8)
    assert share == pytest.approx(law_fits(unscaled, cones_of(unscaled))["polynomial"].quadratic)


def test_without_fixed_the_constant_is_zero() -> None:
    found = polynomial(exact(0.5, 6.87e-4, 8.85e-8), fixed=False)
    assert found.fixed == 0
    assert found.max_residual > 0.05


@pytest.mark.parametrize("bend", [0.1, 0.2, 0.4, 0.7])
@pytest.mark.parametrize("quadratic", [0.0, 0.3, 1.0])
def test_floor_and_window_cones_hold_their_laws_exactly(bend: float, quadratic: float) -> None:
    x = np.array(LENGTHS) / LENGTHS[-1]
    z = np.maximum(x, bend)
    floor = (1 - quadratic) * z + quadratic * z**2
    window = (1 - quadratic) * x + quadratic / bend * x * np.minimum(x, bend)
    for law, times in (("floor", floor), ("window", window)):
        cones = [cone for cone in pieces(LENGTHS) if cone.law == law]
        data = Data(lengths=LENGTHS, seconds=tuple(map(float, times)), errors=(0.01,) * 5)
        assert distance(data, cones) == pytest.approx(0, abs=1e-12)


def test_no_cone_counts_a_time_on_the_floor_as_growing() -> None:
    for cone in pieces(LENGTHS):
        if cone.law == "floor":
            assert np.all((cone.floor <= ON_FLOOR + 1e-12) | (cone.fixed == 1))
        assert cone.fixed + cone.linear + cone.quadratic == pytest.approx(1)
        assert cone.rays[-1] == pytest.approx(1)


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3))
@settings(max_examples=100, deadline=None)
def test_cut_keeps_exactly_the_half_space(keep: list[float]) -> None:
    cone = pieces(LENGTHS)[0]
    functional = np.array(keep)
    cut = cone.cut(functional)
    shares = np.array([cut.fixed, cut.linear, cut.quadratic])
    assert np.all(functional @ shares >= -1e-9)
    assert cut.rays == pytest.approx(cone.rays @ shares, abs=1e-12)
    assert (shares.shape[1] == 0) == bool(np.all(functional < 0))


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(3)
    truth = np.array([exact(0.9, 1e-4, 1.5e-8).seconds])
    share = 1.5e-8 * LENGTHS[-1] ** 2 / truth[0, -1]
    inside = 0
    for _ in range(60):
        noisy = truth[0] * np.exp(rng.normal(0, 0.01, len(LENGTHS)))
        data = Data(lengths=LENGTHS, seconds=tuple(map(float, noisy)), errors=(0.01,) * 5)
        found = intervals(data, cones_of(data))["quadratic"]
        inside += found.low <= share <= found.high
    assert inside >= 52


def test_interval_ends_are_where_chi_square_reaches_the_limit() -> None:
    data = exact(0.9, 1e-4, 1.5e-8)
    cones = [cone for cone in cones_of(data) if cone.law == "polynomial"]
    found = intervals(data, cones)["linear"]
    limit = threshold(data, p=0.05)
    assert 0 < found.low < found.high < 1
    for sign, end in ((1, found.high), (-1, -found.low)):
        outside = [cone.cut(sign * cone.linear - (end + 0.003)) for cone in cones]
        inside = [cone.cut(sign * cone.linear - (end - 0.003)) for cone in cones]
        assert distance(data, inside) < limit < distance(data, outside)


def test_threshold_grows_when_the_spread_is_itself_estimated() -> None:
    known = exact(0.9, 1e-4, 1.5e-8)
    guessed = Data(lengths=known.lengths, seconds=known.seconds, errors=known.errors, dof=4)
    assert threshold(known, p=0.05) == pytest.approx(3.841, abs=1e-3)
    assert threshold(guessed, p=0.05) == pytest.approx(7.709, abs=1e-3)


def test_condition_number_falls_with_range() -> None:
    """Published: 76-89 at 2x and 10-11 at 8x, three or six points, linear truth."""
    wide = exact(0, 1e-4, 0, (1000, 2828, 8000))
    narrow = exact(0, 1e-4, 0, (1000, 1414, 2000))
    assert 9 < condition(wide) < 12
    assert 70 < condition(narrow) < 95


def test_a_slow_outlier_hardly_moves_a_length() -> None:
    steady = (1.00, 1.01, 0.99, 1.0, 1.005)
    timed = [
        Timed(seq_len=8, seconds=steady),
        Timed(seq_len=16, seconds=(*steady[:4], 3.0)),
        Timed(seq_len=32, seconds=steady),
    ]
    points = summarise(timed, model_error=0.01).points
    assert points[1].seconds == pytest.approx(1.0, rel=0.02)
    assert points[1].high == 3.0


def test_pooled_sigma_is_the_spread_of_one_repeat() -> None:
    rng = np.random.default_rng(5)
    timed = [
        Timed(seq_len=w, seconds=tuple(map(float, np.exp(rng.normal(0, 0.02, 40)))))
        for w in (8, 16, 32)
    ]
    series = summarise(timed, model_error=0.01)
    assert series.sigma == pytest.approx(0.02, rel=0.15)
    assert series.equal_spread
    assert series.points[0].error == pytest.approx(math.hypot(0.02 / math.sqrt(40), 0.01), rel=0.1)


def test_lengths_that_spread_differently_keep_their_own_sigma() -> None:
    rng = np.random.default_rng(5)
    timed = [
        Timed(seq_len=w, seconds=tuple(map(float, np.exp(rng.normal(0, sigma, 10)))))
        for w, sigma in ((8, 0.15), (16, 0.15), (32, 0.003))
    ]
    series = summarise(timed, model_error=0.01)
    assert not series.equal_spread
    noisy, _, quiet = (point.sigma or 0 for point in series.points)
    assert quiet < 0.02
    assert noisy > 0.05


@pytest.mark.parametrize("seconds", [(0.5,), (0.5, 0.5, 0.5)])
def test_no_repeat_spread_leaves_the_model_error(seconds: tuple[float, ...]) -> None:
    timed = [Timed(seq_len=w, seconds=seconds) for w in (8, 16, 32)]
    for point in summarise(timed, model_error=0.03).points:
        assert point.error == pytest.approx(0.03)
        assert point.dof is None


@pytest.mark.shared
def test_shared_series_give_the_expected_coefficients() -> None:
    """Same weights (repeat spread and 0.03); terms compared as seconds at the longest length."""
    path = SHARED / "data" / "scaling" / "expected.json"
    if not path.exists():
        pytest.skip(f"no {path}")
    checked = 0
    for name, item in json.loads(path.read_text())["series"].items():
        for first, key in ((0, "full"), (None, "top8x")):
            checked += _check(name, item, item[key], first)
    assert checked > 100


def _check(name: str, item: dict[str, Any], want: dict[str, Any], first: int | None) -> int:
    start = len(item["w"]) - want["k"] if first is None else first
    lengths = tuple(int(w) for w in item["w"][start:])
    spread = item["repeat_rel_sd"] or [0.0] * len(item["w"])
    data = Data(
        lengths=lengths,
        seconds=tuple(item["t"][start:]),
        errors=tuple(math.hypot(s, 0.03) for s in spread[start:]),
    )
    for law, fixed in (("CLQ", True), ("LQ", False)):
        found = polynomial(data, fixed=fixed)
        top = data.seconds[-1]
        terms = (found.fixed, found.linear * lengths[-1], found.quadratic * lengths[-1] ** 2)
        expected = (
            want[law]["C"],
            want[law]["A"] * lengths[-1],
            want[law]["B"] * lengths[-1] ** 2,
        )
        assert terms == pytest.approx(expected, abs=1e-4 * top), (name, law)
        assert found.max_residual == pytest.approx(want[f"{law}_max_rel_resid"], abs=1e-4), name
    return 2
