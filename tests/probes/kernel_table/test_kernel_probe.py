import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ledger.canonical import canonical
from ledger.contract import Control, Measurement, Probe, Unavailable
from ledger.units import check
from probes.kernel_table.inputs import KernelTableInputs
from probes.kernel_table.probe import PROBE
from probes.kernel_table.report import printable, short

NVIDIA = [{"id": 0, "name": "NVIDIA H200", "computeMajor": 9, "computeMinor": 0}]
AMD = [{"id": 0, "name": "AMD Instinct MI300X", "computeMajor": 9, "computeMinor": 4}]
FLASH = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4>>"
GRAPH_DOUBT = (
    "1 launches own many kernels (largest 2): kernel count is not launch count, operators unlinked"
)
GEMM = "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT"


def kernel(name: str, ts: float, dur: Any, **more: Any) -> dict[str, Any]:
    args = {"device": 0, "correlation": more.pop("correlation", None),
            "External id": more.pop("external", None)}  # fmt: skip
    event = {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": ts, "dur": dur}
    return {**event, "args": args, **more}


def launch(correlation: int, ts: float = 0.0, name: str = "cudaLaunchKernel") -> dict[str, Any]:
    return {"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1, "tid": 1, "ts": ts,
            "dur": 1.0, "args": {"correlation": correlation}}  # fmt: skip


def op(name: str, ts: float, dur: float, external: int) -> dict[str, Any]:
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur,
            "args": {"External id": external}}  # fmt: skip


def write(path: Path, events: list[Any], **members: Any) -> Path:
    path.write_text(json.dumps({**members, "traceEvents": events}), encoding="utf-8")
    return path


def measure(*paths: Path, **options: Any) -> Measurement:
    found = PROBE.run(KernelTableInputs(trace=list(paths), **options))
    assert isinstance(found, Measurement), found
    return found


def refused(*paths: Path) -> Unavailable:
    found = PROBE.run(KernelTableInputs(trace=list(paths)))
    assert isinstance(found, Unavailable), found
    assert found.cause == "input"
    assert found.fix
    return found


def values(found: Measurement) -> dict[str, Any]:
    return {quantity.name: quantity.value for quantity in found.quantities}


def table(found: Measurement) -> dict[str, tuple[str, str]]:
    rows = found.details["traces"][0]["table"]
    return {row["name"]: (row["label"], row["decided_by"]) for row in rows}


@pytest.fixture
def step(tmp_path: Path) -> Path:
    """Attention 6, GEMM 3 and a copy of 1 microseconds in a span of 12.5."""
    copy = kernel("Memcpy DtoD (Device -> Device)", 9.5, 1.0, cat="gpu_memcpy", correlation=3)
    return write(
        tmp_path / "step.json",
        [launch(1), launch(2), launch(3, name="cudaMemcpyAsync"),
         kernel(FLASH, 0.0, 6.0, correlation=1), kernel(GEMM, 6.5, 3.0, correlation=2), copy,
         kernel("Memset (Device)", 12.5, 0.0, cat="gpu_memset", correlation=3)],
        deviceProperties=NVIDIA, cuda_runtime_version=13000,
    )  # fmt: skip


def test_is_a_probe() -> None:
    probe: Probe = PROBE
    assert probe.file_input in probe.inputs.model_fields
    assert [check(spec.unit) for spec in probe.quantities]
    assert len({spec.name for spec in probe.quantities}) == len(probe.quantities)
    assert probe.decisive == ("seat", "attn_implementation")


def test_a_step(step: Path) -> None:
    found = measure(step)
    got = values(found)
    assert found.result == "attention-dominant"
    assert (got["attention_share"], got["gemm_share"], got["copy_share"]) == (0.6, 0.3, 0.1)
    assert (got["kernel_sum"], got["copy_sum"], got["device_busy"]) == (0.009, 0.001, 0.01)
    assert (got["device_span"], got["idle_share"]) == (0.0125, 0.2)
    assert (got["kernel_count"], got["launch_count"], got["orphan_count"]) == (2, 2, 0)
    assert got["kernel_names"] == 2
    assert "device_over_wall" not in got
    idle = next(q for q in found.quantities if q.name == "idle_share")
    assert (idle.low, idle.high) == (0.0, 0.2)
    others = (q for q in found.quantities if q is not idle)
    assert all(q.n is None and q.low is None and q.high is None for q in others)
    assert found.about == {"device": "NVIDIA H200", "compute_capability": "9.0",
                           "sdpa_backend": "flash", "device_count": "1"}  # fmt: skip
    assert found.taken_at is None
    assert found.artifacts == (step,)
    assert found.environment == {"cuda_runtime_version": 13000}
    assert PROBE.doubts(found) == ("one profiled step: no spread is known",)


def test_shares_sum_to_one_and_the_record_is_json(step: Path) -> None:
    found = measure(step)
    parts = [quantity for quantity in found.quantities if quantity.name.endswith("_share")]
    total = sum(float(q.value or 0) for q in parts if q.name != "idle_share")
    assert total == pytest.approx(1, abs=1e-12)
    assert canonical(found.details)
    assert b"0.009" in canonical([quantity.value for quantity in found.quantities])
    specs = {spec.name: spec.unit for spec in PROBE.quantities}
    assert all(specs[quantity.name] == quantity.unit for quantity in found.quantities)


def test_wall_clock(step: Path) -> None:
    near = measure(step, wall_s=12e-6)
    assert values(near)["device_over_wall"] == pytest.approx(10 / 12)
    assert len(PROBE.doubts(near)) == 1
    for wall_s in (9e-6, 1e-3):
        assert any("wall clock" in doubt for doubt in PROBE.doubts(measure(step, wall_s=wall_s)))


def test_bad_options() -> None:
    bad_inputs: list[dict[str, Any]] = [
        {"trace": []},
        {"trace": ["t"], "top": 0},
        {"trace": ["t"], "wall_s": 0},
        {"trace": ["t"], "wall_s": float("nan")},
        {"trace": ["t"], "tpo": 3},
    ]
    for bad in bad_inputs:
        with pytest.raises(ValueError, match="validation error"):
            KernelTableInputs.model_validate(bad)


@pytest.mark.parametrize("control", PROBE.controls(), ids=lambda control: control.name)
def test_controls_fail_as_they_must(control: Control, tmp_path: Path) -> None:
    probe: Probe = PROBE
    found = probe.run(control.inputs(tmp_path))
    got = "unavailable" if isinstance(found, Unavailable) else found.result
    assert got == control.must


def test_a_double_counting_table_would_miss_the_operator_control(tmp_path: Path) -> None:
    control = next(c for c in PROBE.controls() if c.name == "operator rows carry device time")
    (path,) = control.inputs(tmp_path).model_dump()["trace"]
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    rows = [event for event in events if event["cat"] in ("kernel", "cpu_op")]
    gemm_names = ("ampere_sgemm_32x32_tn", "aten::mm", "aten::linear")
    gemm = sum(event["dur"] for event in rows if event["name"] in gemm_names)
    assert gemm / sum(event["dur"] for event in rows) > 0.5


def test_cpu_only(tmp_path: Path) -> None:
    found = refused(write(tmp_path / "t.json", [op("aten::mm", 0, 5, 1), launch(1)]))
    assert "no device event: CPU-only trace" in found.reason


def test_the_operator_decides_where_the_symbol_does_not(tmp_path: Path) -> None:
    events = [
        op("aten::linear", 0, 50, 10), op("aten::mm", 5, 20, 11), launch(1, ts=6),
        kernel("kernel_by_id", 100, 5, correlation=1, external=11),
        op("aten::softmax", 59, 30, 13), op("aten::add", 60, 9, 12),
        op("aten::layer_norm", 58, 40, 14), launch(2, ts=61),
        kernel("kernel_by_call", 110, 5, correlation=2, external=2),
        kernel("kernel_unlinked", 120, 1, correlation=9, external=9),
        kernel(GEMM, 130, 1, correlation=2, external=12),
    ]  # fmt: skip
    assert table(measure(write(tmp_path / "t.json", events))) == {
        "kernel_by_id": ("gemm", "operator"),
        "kernel_by_call": ("elementwise", "operator"),
        "kernel_unlinked": ("unknown", "none"),
        GEMM: ("gemm", "symbol"),
    }


def test_unknown_has_a_number_and_a_doubt(tmp_path: Path) -> None:
    events = [kernel("kernel0", 0, 3), kernel(GEMM, 3, 1)]
    found = measure(write(tmp_path / "t.json", events))
    assert values(found)["unknown_share"] == 0.75
    assert found.result == "undetermined"
    assert any("75.0% of the time has no label" in doubt for doubt in PROBE.doubts(found))


def test_mixed(tmp_path: Path) -> None:
    events = [kernel(GEMM, 0, 4), kernel(FLASH, 4, 4), kernel("ncclDevKernel_AllReduce", 8, 4)]
    assert measure(write(tmp_path / "t.json", events)).result == "mixed"


def test_every_doubt_of_a_trace(tmp_path: Path) -> None:
    annotation = {"ph": "X", "cat": "gpu_user_annotation", "name": "ProfilerStep#1", "pid": 0,
                  "tid": 7, "ts": 0, "dur": 900.5}  # fmt: skip
    events = [
        launch(1, name="cudaGraphLaunch"), annotation, {**annotation, "name": "ProfilerStep#2"},
        kernel(GEMM, 0, 4, correlation=1), kernel(GEMM, 3, 4, correlation=1),
        kernel(GEMM, 5, 4, tid=8), kernel("Memcpy DtoH", 80, 1), kernel("hipMemcpyAsync", 90, 1),
    ]  # fmt: skip
    found = measure(write(tmp_path / "t.json", events))
    assert PROBE.doubts(found) == (
        "1 overlaps inside one stream (1 us): sums exceed busy time",
        "streams overlap (2 us): sums exceed busy time, shares are of the sum",
        "3 device events have no launch in the trace: the profile began or ended inside the work",
        GRAPH_DOUBT,
        "2 device annotations (1801 us) are in no sum; a profiler's footer may include them",
        "2 copies arrived as kernels and count as copies",
        (
            "device idle 88% of its span: launch-bound, or the trace is incomplete; the profiler"
            " slows the host, so a step without it idles less"
        ),
        "the sums cover 2 profiled steps together: no spread between them",
    )
    got = values(found)
    assert (got["kernel_sum"], got["copy_sum"], got["kernel_count"]) == (0.012, 0.002, 3)


def test_several_ranks(step: Path, tmp_path: Path) -> None:
    slow = write(tmp_path / "slow.json", [launch(1), kernel(FLASH, 0, 4, correlation=1),
                 kernel(GEMM, 4, 16, correlation=1)], deviceProperties=NVIDIA)  # fmt: skip
    found = measure(step, slow)
    share = next(quantity for quantity in found.quantities if quantity.name == "attention_share")
    assert (share.value, share.n, share.low, share.high) == (0.2, 2, 0.2, 0.6)
    assert found.result == "gemm-dominant"
    assert found.details["quantities_of"] == str(slow)
    assert found.about["device_count"] == "2"
    assert "trace 1, the longest device span" in found.report
    assert any(doubt.startswith("trace 1: 1 launches own many") for doubt in PROBE.doubts(found))


def test_one_bad_rank_leaves_no_answer(step: Path, tmp_path: Path) -> None:
    cpu = write(tmp_path / "cpu.json", [op("aten::mm", 0, 5, 1)])
    assert str(cpu) in refused(step, cpu).reason
    assert "given twice" in refused(step, step).reason


@pytest.mark.parametrize(
    ("cards", "calls", "about"),
    [
        (NVIDIA, "cudaLaunchKernel", {"device": "NVIDIA H200", "compute_capability": "9.0"}),
        (AMD, "hipLaunchKernel", {"device": "AMD Instinct MI300X"}),
        ([{**AMD[0], "name": ""}], "hipLaunchKernel", {}),
        ([{**NVIDIA[0], "name": ""}], "cudaLaunchKernel", {"compute_capability": "9.0"}),
        ([{**NVIDIA[0], "name": ""}], "launch", {}),
        ([*NVIDIA, {**AMD[0], "id": 1}], "cudaLaunchKernel",
         {"device": "NVIDIA H200", "compute_capability": "9.0"}),
        ("not a list", "cudaLaunchKernel", {}),
        ([], "cudaLaunchKernel", {}),
    ],
)  # fmt: skip
def test_the_card_is_what_the_trace_says(
    tmp_path: Path, cards: Any, calls: str, about: dict[str, str]
) -> None:
    events = [launch(1, name=calls), kernel(GEMM, 0, 4, correlation=1)]
    found = measure(write(tmp_path / "t.json", events, deviceProperties=cards))
    assert found.about == {**about, "device_count": "1"}


def test_generation_is_reported_beside_the_card_and_not_for_amd(tmp_path: Path) -> None:
    old = kernel("cutlass_75_tensorop_bf16_s1688gemm", 0, 3, correlation=1)
    events = [launch(1), old, kernel("volta_sgemm", 3, 1, correlation=1)]
    nvidia = measure(write(tmp_path / "n.json", events, deviceProperties=NVIDIA))
    assert "the card: sm90" in nvidia.report
    assert re.search(r"sm75 +75\.0%", nvidia.report)
    assert not any("sm75" in doubt for doubt in PROBE.doubts(nvidia))
    amd = measure(write(tmp_path / "a.json", events, deviceProperties=AMD))
    assert "Architecture" not in amd.report


@pytest.mark.parametrize("dur", [None, -1.0, "fast", "", [], float("nan"), float("inf"), True])
def test_a_device_event_without_a_time_is_refused(tmp_path: Path, dur: Any) -> None:
    path = write(tmp_path / "t.json", [kernel(GEMM, 0, 4), kernel(GEMM, 4, dur)])
    assert "no usable time" in refused(path).reason


def test_missing_times(tmp_path: Path) -> None:
    event = kernel(GEMM, 0, 4)
    for key in ("ts", "dur"):
        without = {name: value for name, value in event.items() if name != key}
        assert "no usable time" in refused(write(tmp_path / f"{key}.json", [without])).reason
    zero = write(tmp_path / "zero.json", [kernel(GEMM, 0, 0), kernel(GEMM, 9, 0)])
    assert "duration 0" in refused(zero).reason


def test_a_time_in_quotes_is_read(tmp_path: Path) -> None:
    assert values(measure(write(tmp_path / "t.json", [kernel(GEMM, 0, "4.125")])))[
        "kernel_sum"
    ] == pytest.approx(0.004125, abs=0)


def test_host_events_without_times_do_no_harm(tmp_path: Path) -> None:
    broken = {**op("aten::mm", 0, 1, 1), "dur": None}
    far = {**op("aten::mm", 0, 1, 1), "ts": 1e300}
    path = write(tmp_path / "t.json", [broken, far, kernel(GEMM, 5, 4)])
    assert measure(path).details["traces"][0]["span_us"] == 4


def test_duplicate_keys_in_an_event_take_the_last_like_json(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('[{"ph":"X","cat":"kernel","name":"gemm","ts":0,"dur":9,"dur":2,"tid":1}]',
                    encoding="utf-8")  # fmt: skip
    assert values(measure(path))["kernel_sum"] == 0.002


def test_hostile_names_stay_inside_the_report(tmp_path: Path) -> None:
    names = ["\x1b[2J\x1b[31mred\r\n\x07", "x" * 100_000, "\u202egnp.exe", "名" * 60, "", "<" * 90,
             "a<b<c<d>>>(e)->f" * 40, "\ud7ff\ue000", "| a | <script> |"]  # fmt: skip
    events = [launch(1, name="Launch\x1b[0m" + "y" * 500)]
    events += [kernel(name, i, 1, correlation=1) for i, name in enumerate(names)]
    found = measure(write(tmp_path / "t\x1b[1m.json", events), top=50)
    assert all(len(line) <= 80 for line in found.report.splitlines())
    assert found.report.replace("\n", "").isprintable()
    assert found.report.isascii()
    assert {row["name"] for row in found.details["traces"][0]["table"]} == set(names)


def test_odd_fields_do_not_stop_the_table(tmp_path: Path) -> None:
    events = [
        kernel(GEMM, 0, 1, args=None), kernel(GEMM, 1, 1, args=[1]), kernel(GEMM, 2, 1, args="x"),
        kernel(GEMM, 3, 1, args={"correlation": {"a": 1}}), kernel(GEMM, 4, 1, pid="GPU 0"),
        kernel(GEMM, 5, 1, cat="Kernel"), kernel(GEMM, 6, 1, ph="B"), kernel(GEMM, 7, 1, cat=None),
        {"ph": 3, "cat": 4, "name": None}, {},
    ]  # fmt: skip
    del events[4]["args"]
    trace = measure(write(tmp_path / "t.json", events)).details["traces"][0]
    assert (trace["kernels"], trace["orphans"], trace["events"]) == (6, 6, 10)


def test_names_are_shortened_for_reading_only() -> None:
    gelu = ("void at::native::vectorized_elementwise_kernel<4, at::native::GeluFunctor<float>, "
            "std::array<char*, 2ul> >(int, at::native::GeluFunctor<float>)")  # fmt: skip
    mul = gelu.replace("GeluFunctor<float>", "BinaryFunctor<float, MulFunctor<float>>")
    assert short(gelu, 60) == "vectorized_elementwise_kernel [GeluFunctor]"
    assert short(mul, 32) == "vectorized_..kernel [MulFunctor]"
    assert short("Memcpy DtoD (Device -> Device)", 31) == "Memcpy DtoD (Device -> Device)"
    cutlass = "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm>(cutlass_75::Params)"
    assert short(cutlass, 40) == "cutlass_75_tensorop_bf16_s1688gemm"
    assert len(short("k" * 90, 31)) == 31
    assert printable("a\x1b[0m") == "a\\x1b[0m"


def test_the_report_is_the_same_each_time(step: Path) -> None:
    assert measure(step).report == measure(step).report
    assert "attention        60.0%  ##################" in measure(step).report


def test_the_module_is_light_to_import() -> None:
    program = (
        "import sys, probes.kernel_table.probe as p; p.PROBE.name; "
        "print([m for m in ('pydantic', 'numpy', 'scipy', 'torch') if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True,
        cwd=Path(__file__).parents[3],
    )  # fmt: skip
    assert run.stdout.strip() == "[]"
