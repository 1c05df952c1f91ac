import json
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from ledger import units
from ledger.contract import Control, Measurement, Probe, Unavailable
from ledger.entry import Quantity
from probes.scaling_fit.doubts import doubts
from probes.scaling_fit.inputs import Inputs
from probes.scaling_fit.probe import PROBE


def measure(tmp_path: Path, times: dict[int, list[float]], **more: float) -> Measurement:
    rows = [f"{w},{t!r}" for w, group in times.items() for t in group]
    path = tmp_path / "p.csv"
    path.write_text("\n".join(["seq_len,seconds", *rows]))
    found = PROBE.run(Inputs.model_validate({"points": str(path), **more}))
    assert isinstance(found, Measurement)
    return found


def values(found: Measurement) -> dict[str, Quantity]:
    return {quantity.name: quantity for quantity in found.quantities}


LINEAR = {w: [1e-4 * w, 1.002e-4 * w, 0.998e-4 * w] for w in (512, 1024, 2048, 4096, 8192)}


@pytest.mark.parametrize("control", PROBE.controls(), ids=lambda control: control.name)
def test_controls_give_the_verdict_they_must(control: Control, tmp_path: Path) -> None:
    found = PROBE.run(control.inputs(tmp_path))
    got = "unavailable" if isinstance(found, Unavailable) else found.result
    assert got == control.must


def test_it_is_a_probe_with_known_units_and_unique_names() -> None:
    probe: Probe = PROBE
    assert probe.name == "scaling-fit"
    assert probe.file_input in Inputs.model_fields
    assert len({spec.name for spec in probe.quantities}) == len(probe.quantities)
    for spec in probe.quantities:
        assert units.check(spec.unit) == spec.unit


@pytest.mark.parametrize("control", PROBE.controls(), ids=lambda control: control.name)
def test_every_measurement_is_complete_and_readable(control: Control, tmp_path: Path) -> None:
    found = PROBE.run(control.inputs(tmp_path))
    if isinstance(found, Unavailable):
        return
    specs = [(spec.name, spec.unit) for spec in PROBE.quantities]
    assert [(quantity.name, quantity.unit) for quantity in found.quantities] == specs
    for quantity in found.quantities:
        assert (quantity.value is None) == (quantity.reason is not None)
        if quantity.low is not None and quantity.high is not None and quantity.value is not None:
            assert quantity.low - 1e-9 <= quantity.value <= quantity.high + 1e-9
    assert max(map(len, found.report.splitlines())) <= 80
    assert found.result in found.report
    assert found.report.isprintable() or "\n" in found.report
    json.dumps(found.details, allow_nan=False)
    assert all("\n" not in line for line in PROBE.doubts(found))


def test_quantities_of_a_linear_step(tmp_path: Path) -> None:
    found = measure(tmp_path, LINEAR)
    quantity = values(found)
    assert found.result == "linear"
    assert quantity["linear_coefficient"].value == pytest.approx(1e-4, rel=1e-3)
    assert quantity["linear_share"].value == pytest.approx(1, abs=0.02)
    assert quantity["linear_share"].n == 5
    assert quantity["points"].value == 5
    assert quantity["length_range"].value == 16
    longest = quantity["longest_seconds"]
    assert (longest.n, longest.low, longest.high) == (3, 0.998e-4 * 8192, 1.002e-4 * 8192)
    assert found.artifacts == (tmp_path / "p.csv",)
    assert found.taken_at is None


def test_a_misfit_has_no_coefficients_but_a_residual(tmp_path: Path) -> None:
    found = measure(tmp_path, {512: [1.0], 1024: [3.0], 2048: [1.5], 4096: [6.0], 8192: [5.0]})
    quantity = values(found)
    assert found.result == "misfit"
    assert quantity["linear_coefficient"].value is None
    assert quantity["quadratic_share"].value is None
    assert "refuted" in (quantity["quadratic_share"].reason or "")
    residual = quantity["max_residual"].value
    assert residual is not None
    assert residual > 0.2


def test_three_lengths_bound_the_fixed_cost_without_fitting_it(tmp_path: Path) -> None:
    quantity = values(measure(tmp_path, {w: [1e-4 * w] for w in (1024, 4096, 16384)}))
    assert quantity["fixed_seconds"].value is None
    assert quantity["fixed_share"].value is None
    assert quantity["fixed_share"].high is not None
    assert quantity["fixed_share"].high < 0.1


def test_the_assumed_model_error_is_printed_and_matters(tmp_path: Path) -> None:
    mixed = {w: [6e-4 * w + 1e-8 * w * w] for w in (1024, 2048, 4096, 8192, 16384)}
    tight, loose = measure(tmp_path, mixed), measure(tmp_path, mixed, model_error=0.1)
    assert (tight.result, loose.result) == ("mixed", "undetermined")
    assert "model error 10.0%" in loose.report
    assert "model error of 10.0% is assumed, not measured" in PROBE.doubts(loose)


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_than_three_lengths_are_refused(tmp_path: Path, count: int) -> None:
    path = tmp_path / "p.csv"
    path.write_text("seq_len,ms\n" + "".join(f"{1024 * 2**i},{i + 1}\n" for i in range(count)))
    found = PROBE.run(Inputs(points=path))
    assert isinstance(found, Unavailable)
    assert found.cause == "input"
    assert "undetermined over three terms: measure a third length" in found.reason


@pytest.mark.parametrize(
    ("times", "doubt"),
    [
        ({w: [1e-4 * w] * 3 for w in (1024, 2048, 3072, 4096)}, "lengths span 4x, under 8x"),
        ({w: [1e-4 * w] for w in (512, 1024, 8192)}, "three lengths only"),
        ({w: [1e-4 * w] for w in (512, 1024, 8192)}, "no repeat spread"),
        ({**LINEAR, 512: [0.0512]}, "timed once, spread taken from the others: 512"),
        ({**LINEAR, 512: [0.04, 0.05, 0.06, 0.07]}, "IQR over median is 27% at seq_len 512"),
        (
            {**LINEAR, 512: [0.05, 0.06, 0.07] * 3, 1024: [0.1024] * 9, 2048: [0.2048] * 9},
            "repeat spread differs between lengths",
        ),
        (
            {
                w: [t * spread for spread in (0.87, 1.0, 1.15)]
                for w, t in ((256, 1.0), (512, 1.05), (1024, 1.3), (2048, 2.2))
            },
            "a floor fits about as well",
        ),
    ],
)  # fmt: skip
def test_doubts(tmp_path: Path, times: dict[int, list[float]], doubt: str) -> None:
    lines = PROBE.doubts(measure(tmp_path, times))
    assert any(doubt in line for line in lines), lines


def test_a_clean_series_is_doubted_only_for_what_is_assumed(tmp_path: Path) -> None:
    assert PROBE.doubts(measure(tmp_path, LINEAR)) == (
        "model error of 1.0% is assumed, not measured",
    )


def test_dropped_lengths_are_doubted_and_shown(tmp_path: Path) -> None:
    times = {
        w: [(0.5**3 + (1e-4 * w + 1e-8 * w * w) ** 3) ** (1 / 3)]
        for w in [2**k for k in range(8, 17)]
    }
    found = measure(tmp_path, times, model_error=0.003)
    assert any("short lengths dropped" in line for line in PROBE.doubts(found))
    assert "dropped" in found.report
    assert values(found)["points"].value == 9 - len(found.details["dropped"])


@pytest.mark.parametrize(
    ("environment", "doubt"),
    [
        ({"load_average": {"before": 1.5, "after": 2.0}}, "load average 1.5 on 2 cores"),
        ({"load_average": {"before": 0.1, "after": 2.9}}, "load average 1.9 on 2 cores"),
        ({"load_average": {"before": None, "after": None}}, "load average unknown"),
        ({"clock": "wall"}, "wall time"),
        (
            {"unsettled": [1024]},
            "median not known to 1 % when the budget or the repeats ended: 1024",
        ),
    ],
)
def test_doubts_of_a_live_measurement(
    tmp_path: Path, environment: dict[str, object], doubt: str
) -> None:
    calm = {"clock": "process_time", "cores": 2, "load_average": {"before": 0.1, "after": 1.0}}
    details = measure(tmp_path, LINEAR).details
    assert len(doubts(details, environment=calm)) == 1
    assert any(doubt in line for line in doubts(details, environment={**calm, **environment}))


def test_inputs_from_the_command_line_are_strings() -> None:
    found = Inputs.model_validate(
        {"step": "m:f", "seq_lens": "1024, 2048,4096", "batch": "2", "budget_s": "5"}
    )
    assert found.seq_lens == (1024, 2048, 4096)
    assert (found.batch, found.budget_s, found.model_error) == (2, 5.0, 0.01)
    assert Inputs.model_validate({"step": "m:f", "seq_lens": [8, 16, 32]}).seq_lens == (8, 16, 32)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"points": "p.csv", "step": "m:f", "seq_lens": "1,2,3"},
        {"points": "p.csv", "seq_lens": "1,2,3"},
        {"step": "m:f"},
        {"step": "no_factory", "seq_lens": "1,2,3"},
        {"step": "m:f", "seq_lens": "1,two"},
        {"step": "m:f", "seq_lens": "0,1,2"},
        {"points": "p.csv", "model_error": "0"},
        {"points": "p.csv", "model_error": "nan"},
        {"points": "p.csv", "colour": "red"},
        {"step": "m:f", "seq_lens": "1,2,3", "device": "tpu"},
        {"step": "m:f", "seq_lens": "1,2,3", "budget_s": "inf"},
    ],
)
def test_inputs_that_are_refused(given: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Inputs.model_validate(given)


def test_importing_the_probe_loads_nothing_heavy() -> None:
    code = (
        "import sys, probes.scaling_fit.probe as p; p.PROBE.name, p.PROBE.controls(); "
        "print([m for m in ('numpy', 'scipy', 'torch', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
