import json
import os
from pathlib import Path

import pytest
from scaling_laws import KINDS, Kind, score

from probes.scaling_fit.analysis import Analysis, analyse
from probes.scaling_fit.points import Timed
from probes.scaling_fit.quantities import quantities

SHARED = Path(os.environ.get("LEDGER_SHARED", Path(__file__).resolve().parents[4] / "shared"))


def series(times: dict[int, float], *, delta: float = 0.01) -> Analysis:
    timed = [Timed(seq_len=w, seconds=(t,)) for w, t in times.items()]
    return analyse(timed, model_error=delta)


@pytest.mark.parametrize("kind", KINDS)
def test_calibration_on_simulated_laws(kind: Kind) -> None:
    """tests/bench/bench_scaling_fit.py prints the rates for more draws."""
    counts = score(kind, draws=250, seed=11)
    assert counts["wrong"] <= 0.02 * 250, counts
    # A floor with too few lengths clear of it is left undecided, though these bend sharply.
    assert counts["right"] >= (0.5 if kind == "F" else 0.6) * 250, counts


def test_the_ratio_trap_is_mixed_with_its_true_share() -> None:
    found = series({w: 4 + (w / 1024) ** 2 for w in (1024, 1536, 2048, 3072, 4096)})
    assert found.decision.verdict == "mixed"
    assert found.fit.shares["quadratic"] == pytest.approx(0.8)


@pytest.mark.parametrize("lengths", [(1024, 2048, 4096), (1024, 2048, 3072, 4096)])
def test_the_ratio_trap_is_never_linear(lengths: tuple[int, ...]) -> None:
    verdict = series({w: 4 + (w / 1024) ** 2 for w in lengths}).decision.verdict
    assert verdict in {"mixed", "undetermined"}


def test_three_lengths_with_a_fixed_cost_are_undetermined() -> None:
    found = series({1024: 1.0, 2048: 1.1, 4096: 1.3})
    assert found.decision.verdict == "undetermined"
    assert "three lengths" in found.decision.reason


def test_three_lengths_without_misfit_are_decided() -> None:
    found = series({w: 6.87e-4 * w + 8.85e-8 * w * w for w in (2048, 8192, 16384)})
    assert found.decision.verdict == "mixed"
    assert "fixed" not in found.fit.shares
    assert found.fit.shares["quadratic"] == pytest.approx(0.678, abs=1e-3)


def test_a_floor_hides_the_short_lengths_and_the_rest_is_read() -> None:
    found = series(
        {w: max(0.9, 1e-4 * w + 2e-8 * w * w) for w in (512, 1024, 2048, 4096, 8192, 16384)}
    )
    assert found.decision.chosen.law == "floor"
    assert [(r.shortest, r.longest, r.verdict) for r in found.ranges] == [
        (512, 4096, "launch-bound"),
        (512, 16384, "mixed"),
    ]
    assert found.fit.floor_seconds == pytest.approx(0.9)
    assert found.fit.coefficients.quadratic == pytest.approx(2e-8, rel=1e-3)


def test_a_soft_bend_near_the_floor_leaves_the_shares_unknown() -> None:
    """Medians of one H200 model at batch 1; at batch 8 its quadratic share is 45 %."""
    times = {1024: 0.03047, 2048: 0.03045, 4096: 0.03089, 8192: 0.03819, 16384: 0.08531}
    found = series(times)
    assert found.decision.chosen.law == "floor"
    assert found.decision.verdict == "undetermined"
    assert found.hidden is not None
    assert all(q.value is None for q in quantities(found) if q.name.endswith("_share"))
    clear = series({**times, 8192: 0.0655, 16384: 0.1643})
    assert clear.hidden is None


def test_a_window_that_saturates_is_a_misfit() -> None:
    found = series({w: w * (1e-4 + 2e-7 * min(w, 2048)) for w in (512, 1024, 2048, 4096, 8192)})
    assert found.decision.verdict == "misfit"
    assert "a window that saturates fits" in found.decision.reason
    assert found.decision.laws["window"].chi2 == pytest.approx(0, abs=1e-9)


def test_a_soft_floor_is_dropped_and_the_range_reported() -> None:
    """A host time that adds in part: no law fits with the shortest lengths."""
    times = {
        w: (0.5**3 + (1e-4 * w + 1e-8 * w * w) ** 3) ** (1 / 3)
        for w in [2**k for k in range(8, 17)]
    }
    found = series(times, delta=0.003)
    assert found.first > 0
    assert found.ranges[0].verdict == "misfit"
    assert found.used[0].seq_len == found.ranges[-1].shortest > 256
    assert found.length_range >= 8


def test_times_that_wander_are_a_misfit_over_the_whole_range() -> None:
    found = series({512: 1.0, 1024: 3.0, 2048: 1.5, 4096: 6.0, 8192: 5.0})
    assert found.decision.verdict == "misfit"
    assert found.decision.nothing_fits
    assert found.first == 0


@pytest.mark.parametrize(
    ("fixed", "quadratic", "verdict"),
    [(0.9, 0.05, "launch-bound"), (0.1, 0.0, "linear"), (0.1, 0.5, "mixed"),
     (0.0, 1.0, "quadratic"), (0.3, 0.4, "mixed"), (0.7, 0.1, "launch-bound")],
)  # fmt: skip
def test_clear_shares_get_their_label(fixed: float, quadratic: float, verdict: str) -> None:
    linear = 1 - fixed - quadratic
    times = {
        w: fixed + linear * w / 16384 + quadratic * (w / 16384) ** 2
        for w in (512, 1024, 2048, 4096, 8192, 16384)
    }
    assert series(times, delta=0.005).decision.verdict == verdict


@pytest.mark.shared
def test_h200_steps_are_not_called_by_the_wrong_term() -> None:
    """dense-flash: launch-bound up to 4096, then attention is under half of the step."""
    path = SHARED / "data" / "h200" / "times-subset.json"
    if not path.exists():
        pytest.skip(f"no {path}")
    cases = {case["name"]: case for case in json.loads(path.read_text())["cases"]}
    found = {
        name: analyse(
            [Timed(seq_len=p["w"], seconds=tuple(p["times_s"])) for p in case["points"]],
            model_error=0.01,
        )
        for name, case in cases.items()
    }
    flash = found["dense-flash"]
    assert flash.decision.verdict == "mixed"
    assert [(r.longest, r.verdict) for r in flash.ranges] == [
        (4096, "launch-bound"),
        (16384, "mixed"),
    ]
    assert 0.3 < flash.fit.shares["quadratic"] < 0.5
    assert found["dense-small-launchbound"].decision.verdict in {"launch-bound", "undetermined"}
    for name in ("moe-eager", "moe-grouped_mm"):
        assert found[name].decision.verdict in {"launch-bound", "undetermined"}


@pytest.mark.shared
def test_shared_flash_kernels_are_quadratic_and_rope_sits_on_a_floor() -> None:
    path = SHARED / "data" / "scaling" / "expected.json"
    if not path.exists():
        pytest.skip(f"no {path}")
    data = json.loads(path.read_text())["series"]

    def verdict(name: str) -> Analysis:
        item = data[name]
        return series({int(w): t for w, t in zip(item["w"], item["t"], strict=True)})

    for name in ("fla_a100/flash_fwd", "fla_a100/flash_fwdbwd", "fla_a100/parallel_fwd"):
        assert verdict(name).decision.verdict == "quadratic", name
    rope = verdict("liger/rope/liger/A100-SXM4-80GB#1")
    assert rope.decision.verdict == "linear"
    assert rope.decision.chosen.on_floor == 3
