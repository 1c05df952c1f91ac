"""The kernel table: where the device time of a profiled step went, kernel by kernel."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.contract import Control, Measurement, QuantitySpec, Unavailable

if TYPE_CHECKING:
    from probes.kernel_table.compute import Row
    from probes.kernel_table.inputs import KernelTableInputs
    from probes.kernel_table.quantities import Rank

_VERSIONS = ("schemaVersion", "cuda_runtime_version", "cuda_driver_version", "cupti_version",
             "hip_runtime_version", "hip_driver_version", "roctracer_version")  # fmt: skip
# PyTorch builds these kernels for scaled_dot_product_attention alone (aten/src/ATen/native/
# transformers/cuda); other packages bring the same kernels under other namespaces.
_SDPA_BACKENDS = (
    ("pytorch_flash::", "flash"),
    ("fmha_cutlassF", "efficient"),
    ("fmha_cutlassB", "efficient"),
)


def _rank(path: Path) -> "Rank | Unavailable":
    from probes.kernel_table import compute
    from probes.kernel_table.card import card_of
    from probes.kernel_table.operators import decide
    from probes.kernel_table.parse import read_trace
    from probes.kernel_table.quantities import Rank
    from probes.kernel_table.stream import UnreadableTrace

    try:
        trace = read_trace(path)
        decisions = decide(trace) if trace.device_events else []
    except UnreadableTrace as error:
        return Unavailable(cause="input", reason=f"{path}: {error.reason}", fix=error.fix)
    if not trace.device_events:
        return Unavailable(
            cause="input",
            reason=f"{path}: no device event: CPU-only trace",
            fix="profile with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]",
        )
    totals = compute.totals(trace)
    if not totals.device_sum:
        return Unavailable(
            cause="input",
            reason=f"{path}: every device event has duration 0",
            fix="profile again: the profiler recorded no device time",
        )
    return Rank(
        trace=trace,
        totals=totals,
        rows=compute.rows(trace.device_events, decisions),
        card=card_of(trace, totals),
        generations=compute.generations(trace.device_events),
    )


def _about(ranks: "list[Rank]") -> dict[str, str | None]:
    """What the traces resolve and agree on; a key that they do not state is absent."""
    about: dict[str, str | None] = {}
    for key in ("name", "compute_capability"):
        stated = {getattr(rank.card, key) for rank in ranks}
        value = stated.pop() if len(stated) == 1 else None
        if value is not None:
            about["device" if key == "name" else key] = value
    backends = {backend for rank in ranks for backend in _sdpa_backends(rank.rows)}
    if len(backends) == 1:
        about["sdpa_backend"] = backends.pop()
    about["device_count"] = str(sum(len(rank.totals.devices) for rank in ranks))
    return about


def _sdpa_backends(rows: "tuple[Row, ...]") -> set[str]:
    """The backends of scaled_dot_product_attention that the kernels' own names state."""
    return {backend for row in rows for mark, backend in _SDPA_BACKENDS if mark in row.name}


def _repeated(paths: list[Path]) -> list[Path]:
    counted = Counter(os.path.realpath(path) for path in paths)
    return [path for path in paths if counted[os.path.realpath(path)] > 1]


@dataclass(frozen=True, kw_only=True)
class KernelTable:
    """Sums, busy time and shares by kernel, from Kineto traces; one trace per rank."""

    name: str = "kernel-table"
    version: str = "1"
    summary: str = "where the device time of a profiled step went, kernel by kernel"
    file_input: str | None = "trace"
    decisive: tuple[str, ...] = ("seat", "attn_implementation")

    @property
    def inputs(self) -> "type[KernelTableInputs]":
        """The pydantic model, imported when asked for."""
        from probes.kernel_table.inputs import KernelTableInputs

        return KernelTableInputs

    @property
    def quantities(self) -> tuple[QuantitySpec, ...]:
        """What a measurement holds; `device_over_wall` only where `wall_s` was given."""
        from probes.kernel_table.quantities import SPECS

        return SPECS

    def run(self, inputs: "KernelTableInputs") -> Measurement | Unavailable:
        """Read every trace; one that cannot be read whole leaves no answer at all."""
        from probes.kernel_table import quantities, report

        if twice := _repeated(inputs.trace):
            return Unavailable(
                cause="input",
                reason=f"{twice[0]}: the same trace is given twice",
                fix="give each rank's trace once",
            )
        ranks: list[Rank] = []
        for path in inputs.trace:
            rank = _rank(path)
            if isinstance(rank, Unavailable):
                return rank
            ranks.append(rank)
        chosen = quantities.slowest(ranks)
        members = ranks[chosen].trace.members
        return Measurement(
            result=quantities.result_of(quantities.shares(ranks[chosen])),
            quantities=quantities.quantities(ranks, wall_s=inputs.wall_s),
            about=_about(ranks),
            artifacts=tuple(inputs.trace),
            environment={key: members[key] for key in _VERSIONS if key in members},
            report=report.report(ranks, top=inputs.top),
            details={
                "quantities_of": str(ranks[chosen].trace.path),
                "traces": [report.details(rank) for rank in ranks],
            },
        )

    def doubts(self, measurement: Measurement) -> tuple[str, ...]:
        """What a reader should know before relying on the numbers."""
        from probes.kernel_table.doubts import doubts

        return doubts(measurement)

    def controls(self) -> tuple[Control, ...]:
        """Inputs on which the table must fail or must not be misled."""
        from probes.kernel_table.controls import CONTROLS

        return CONTROLS


PROBE = KernelTable()
