"""Traces on which the kernel table must fail, or on which a naive one gives another answer."""

import json
from pathlib import Path
from typing import Any

from ledger.contract import Control
from probes.kernel_table.inputs import KernelTableInputs


def _event(cat: str, name: str, *, at: float, dur: float, **args: Any) -> dict[str, Any]:
    on_device = cat in ("kernel", "gpu_memcpy", "gpu_user_annotation")
    where = {"pid": 0, "tid": 7} if on_device else {"pid": 100, "tid": 100}
    return {"ph": "X", "cat": cat, "name": name, **where, "ts": at, "dur": dur, "args": args}


def _launched(operator: str, kernel: str, *, at: float, dur: float, ident: int) -> list[Any]:
    """An operator row that carries the kernel's device time, its launch call and the kernel."""
    return [
        _event("cpu_op", operator, at=at, dur=dur, **{"External id": ident, "Device time": dur}),
        _event(
            "kernel", kernel, at=at, dur=dur,
            **{"External id": ident, "correlation": ident + 1000, "device": 0},
        ),
        _event("cuda_runtime", "cudaLaunchKernel", at=at, dur=1.0, correlation=ident + 1000),
    ]  # fmt: skip


def _write(folder: Path, name: str, text: str) -> KernelTableInputs:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return KernelTableInputs(trace=[path])


def _trace(events: list[Any]) -> str:
    return json.dumps({"schemaVersion": 1, "traceEvents": events}, indent=1)


def _cpu_only(folder: Path) -> KernelTableInputs:
    return _write(folder, "cpu.json", _trace([_event("cpu_op", "aten::mm", at=1.0, dur=50.0)]))


def _truncated(folder: Path) -> KernelTableInputs:
    whole = _trace(_launched("aten::mm", "ampere_sgemm_32x32_tn", at=1.0, dur=9.0, ident=1) * 9)
    return _write(folder, "cut.json", whole[: len(whole) * 2 // 3])


def _operators_carry_device_time(folder: Path) -> KernelTableInputs:
    """GEMM 40 us, elementwise 60 us, and operator rows that would make GEMM the larger part.

    The GEMM's operator stands inside another, so adding operator rows counts it three times.
    """
    gemm = _launched("aten::mm", "ampere_sgemm_32x32_tn", at=1.0, dur=40.0, ident=1)
    add = _launched(
        "aten::add", "void at::native::vectorized_elementwise_kernel<4>", at=50.0, dur=60.0, ident=2
    )
    outer = _event("cpu_op", "aten::linear", at=0.0, dur=45.0, **{"External id": 3})
    return _write(folder, "operators.json", _trace([*gemm, *add, outer]))


def _annotations_outweigh(folder: Path) -> KernelTableInputs:
    """GEMM is all of the work; the device annotation around it is named after attention."""
    gemm = _launched("aten::mm", "ampere_sgemm_32x32_tn", at=1.0, dur=40.0, ident=1)
    note = _event("gpu_user_annotation", "flash_attention_layer", at=0.0, dur=500.0)
    return _write(folder, "annotated.json", _trace([*gemm, note]))


def _unlabelled(folder: Path) -> KernelTableInputs:
    """A name that says nothing, launched by nothing: no category may be made up for it."""
    return _write(folder, "unknown.json", _trace([_event("kernel", "kernel0", at=1.0, dur=5.0)]))


CONTROLS: tuple[Control, ...] = (
    Control(name="no device event", inputs=_cpu_only, must="unavailable"),
    Control(name="truncated file", inputs=_truncated, must="unavailable"),
    Control(
        name="operator rows carry device time",
        inputs=_operators_carry_device_time,
        must="elementwise-dominant",
    ),
    Control(
        name="annotations outweigh kernels", inputs=_annotations_outweigh, must="gemm-dominant"
    ),
    Control(name="unlabelled kernels", inputs=_unlabelled, must="undetermined"),
)
