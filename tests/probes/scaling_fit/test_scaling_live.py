import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ledger.contract import Measurement, Unavailable
from probes.scaling_fit import device as scaling_device
from probes.scaling_fit.live import Tick, Timing, clock_of, median_error, time_steps
from probes.scaling_fit.probe import PROBE
from probes.scaling_fit.steps import Step

STEPS = Path(__file__).with_name("scaling_steps.py")


def schedule(
    costs: dict[int, Iterator[float]], *, budget_s: float = 60, repeats: int | None = None
) -> tuple[list[int], tuple[Timing, ...]]:
    """Runs the schedule against a fake clock; returns the order of calls and the timings."""
    spent, calls = [0.0], list[int]()

    def step(length: int) -> Step:
        def run() -> float:
            calls.append(length)
            return next(costs[length])

        return run

    def tick(run: Step) -> Tick:
        cost = run()
        assert isinstance(cost, float)
        spent[0] += cost
        return Tick(wall=cost, cpu=cost)

    timings = time_steps(
        {length: step(length) for length in costs},
        tick=tick,
        now=lambda: spent[0],
        budget_s=budget_s,
        repeats=repeats,
        progress=lambda _: None,
    )
    return calls, timings


def steady() -> Iterator[float]:
    return itertools.repeat(0.1)


def noisy() -> Iterator[float]:
    return itertools.cycle([0.1, 0.15, 0.12, 0.2])


def test_every_length_is_warmed_then_interleaved_in_rotating_order() -> None:
    calls, timings = schedule({8: steady(), 16: steady(), 32: steady()}, repeats=3)
    assert calls[:6] == [8, 8, 16, 16, 32, 32]
    assert calls[6:] == [8, 16, 32, 16, 32, 8, 32, 8, 16]
    assert [len(item.ticks) for item in timings] == [3, 3, 3]


def test_a_steady_length_stops_at_five_and_a_noisy_one_at_fifty() -> None:
    _, timings = schedule({8: steady(), 16: noisy(), 32: steady()})
    assert [len(item.ticks) for item in timings] == [5, 50, 5]
    assert [item.settled("process_time") for item in timings] == [True, False, True]


def test_five_repeats_are_taken_even_past_the_budget_and_none_after_it() -> None:
    _, timings = schedule({8: noisy(), 16: noisy(), 32: noisy()}, budget_s=0.01)
    assert [len(item.ticks) for item in timings] == [5, 5, 5]


def test_warm_calls_are_not_measured() -> None:
    first_two_slow = itertools.chain([9.0, 9.0], itertools.repeat(0.1))
    _, (timing, *_) = schedule({8: first_two_slow})
    assert timing.seconds("wall") == (0.1,) * 5


def test_median_error() -> None:
    assert median_error([1.0]) is None
    assert median_error([0.0, 0.0]) is None
    assert median_error([0.99, 1.0, 1.01, 1.0]) == pytest.approx(1.2533 * 1.4826 * 0.005 / 2)


@pytest.mark.parametrize(
    ("tick", "clock"),
    [
        (Tick(wall=1, cpu=0.9), "process_time"),
        (Tick(wall=1, cpu=0.01), "wall"),
        (Tick(wall=1, cpu=7), "wall"),
        (Tick(wall=1, cpu=0), "wall"),
        (Tick(wall=1, cpu=0.5, device=0.7), "cuda_event"),
    ],
)
def test_clock_that_the_fit_uses(tick: Tick, clock: str) -> None:
    assert clock_of((Timing(seq_len=8, ticks=(tick, tick)),)) == clock


@pytest.fixture
def without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaling_device, "_torch", lambda: None)


def run(factory: str, *, where: str | None = None, **more: str) -> Measurement | Unavailable:
    given = {"seq_lens": "16,32,64,128", "device": "cpu", "budget_s": "0.2", **more}
    return PROBE.run(PROBE.inputs.model_validate({"step": f"{where or STEPS}:{factory}", **given}))


@pytest.mark.usefixtures("without_torch")
def test_a_plain_python_step_is_measured_without_torch() -> None:
    found = run("burn_cpu", batch="2")
    assert isinstance(found, Measurement)
    environment = found.environment
    assert found.about["attn_implementation"] == "none"
    assert found.about["batch"] == "2"
    assert found.artifacts == (STEPS,)
    assert found.taken_at is not None
    assert found.taken_at.endswith("Z")
    assert environment["threads"] is None
    assert environment["clock"] in {"process_time", "wall"}
    assert set(environment["load_average"]) == {"before", "after"}
    assert list(environment["seconds"]) == ["16", "32", "64", "128"]
    for times in environment["seconds"].values():
        assert 5 <= len(times["wall"]) == len(times["process_time"]) <= 50
    assert [point["n"] for point in found.details["points"]] == [
        len(times["wall"]) for times in environment["seconds"].values()
    ]
    assert environment["clock_note"] in found.report.replace("\n" + " " * 9, " ")


@pytest.mark.usefixtures("without_torch")
def test_a_module_is_found_from_the_working_directory_only_for_the_import(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "scaling_user_step.py").write_text(STEPS.read_text())
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert isinstance(run("burn_cpu", where="scaling_user_step", repeats="2"), Measurement)
    assert sys.path == before
    monkeypatch.delitem(sys.modules, "scaling_user_step")


@pytest.mark.usefixtures("without_torch")
def test_lengths_of_different_configurations_are_doubted() -> None:
    found = run("changes_attention", repeats="2")
    assert isinstance(found, Measurement)
    assert "attn_implementation" not in found.about
    assert any("different configurations: attn_impl" in line for line in PROBE.doubts(found))


@pytest.mark.usefixtures("without_torch")
def test_what_a_step_prints_does_not_reach_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    run("prints", repeats="2")
    out, err = capsys.readouterr()
    assert out == ""
    assert "a step may print" in err


@pytest.mark.usefixtures("without_torch")
def test_what_a_library_writes_does_not_reach_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    run("writes_to_the_descriptor", repeats="2")
    out, err = capfd.readouterr()
    assert out == ""
    assert "RAW" in err


@pytest.mark.usefixtures("without_torch")
@pytest.mark.parametrize(
    ("call", "reason", "cause"),
    [
        (lambda: run("nothing_here"), "has no callable 'nothing_here'", "input"),
        (lambda: run("f", where="no_such_module_here"), "cannot find no_such_module_here", "input"),
        (lambda: run("f", where="no/such/file.py"), "cannot find no/such/file.py", "input"),
        (lambda: run("raises_at_build"), "RuntimeError: no memory for 16 at", "environment"),
        (lambda: run("raises_in_step"), "ValueError: bad shape 16", "environment"),
        (lambda: run("exits_at_build"), "SystemExit: 0 at", "environment"),
        (lambda: run("exits_in_step"), "SystemExit: 0", "environment"),
        (lambda: run("not_a_step"), "the factory returned int, not a callable", "input"),
        (lambda: run("burn_cpu", device="cuda"), "torch, which cannot be imported", "environment"),
        (lambda: run("burn_cpu", seq_lens="64,128,64"), "measure a third length", "input"),
    ],
)  # fmt: skip
def test_what_cannot_be_measured_is_unavailable(
    call: Callable[[], Measurement | Unavailable], reason: str, cause: str
) -> None:
    found = call()
    assert isinstance(found, Unavailable)
    assert reason in found.reason
    assert "\n" not in found.reason
    assert found.cause == cause
    assert found.fix


@pytest.mark.usefixtures("without_torch")
def test_a_step_module_that_needs_a_missing_package_says_so(tmp_path: Path) -> None:
    path = tmp_path / "needs.py"
    path.write_text("import no_such_package_here\n")
    found = run("f", where=str(path))
    assert isinstance(found, Unavailable)
    assert found.reason.endswith("needs no_such_package_here, which is not installed here")
    assert found.cause == "environment"


def test_progress_is_only_written_to_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    run("burn_cpu", repeats="2")
    assert capsys.readouterr().err == ""


def test_load_average_is_a_number_or_unknown() -> None:
    load = scaling_device.load_average()
    assert load is None or load >= 0


@pytest.mark.live
def test_a_torch_step_is_timed_on_fixed_threads() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    before = torch.get_num_threads()
    found = run("attention", repeats="5", threads="1")
    assert isinstance(found, Measurement)
    assert found.environment["threads"] == 1
    assert found.environment["torch"] == str(torch.__version__)
    assert found.about["attn_implementation"] == "sdpa"
    assert torch.get_num_threads() == before


@pytest.mark.gpu
def test_a_gpu_step_is_timed_by_events() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    found = run("attention", device="cuda", repeats="5")
    assert isinstance(found, Measurement)
    assert found.environment["clock"] == "cuda_event"
    assert found.about["device"] == torch.cuda.get_device_name("cuda")
    assert all(value > 0 for value in found.environment["peak_memory_bytes"].values())
