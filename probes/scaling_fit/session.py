"""One live measurement from the factory to the times, with everything about the machine."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.contract import Unavailable
from probes.scaling_fit import device as _device
from probes.scaling_fit.live import WARM_CALLS, Clock, Timing, clock_of, time_steps
from probes.scaling_fit.points import Timed
from probes.scaling_fit.steps import Factory, Steps, build, load, one_line

if TYPE_CHECKING:
    from probes.scaling_fit.inputs import Inputs


@dataclass(frozen=True, kw_only=True)
class Session:
    """The times of a live measurement and what they were taken on."""

    timed: tuple[Timed, ...]
    environment: dict[str, Any]
    about: dict[str, str | None]
    artifacts: tuple[Path, ...]
    taken_at: str


@dataclass(frozen=True, kw_only=True)
class _Taken:
    timings: tuple[Timing, ...]
    steps: Steps
    device: str
    threads: int | None
    load: dict[str, float | None]


def take(inputs: "Inputs", *, progress: Callable[[str], None]) -> Session | Unavailable:
    """Load the user's step, time it at every length, and describe the machine."""
    factory = load(str(inputs.step))
    if isinstance(factory, Unavailable):
        return factory
    device = _device.resolve(inputs.device)
    if isinstance(device, Unavailable):
        return device
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with _device.fixed_threads(inputs.threads) as threads:
        taken = _timed(inputs, factory, device=device, threads=threads, progress=progress)
    if isinstance(taken, Unavailable):
        return taken
    clock = clock_of(taken.timings)
    return Session(
        timed=tuple(
            Timed(seq_len=item.seq_len, seconds=item.seconds(clock)) for item in taken.timings
        ),
        environment=_environment(inputs, taken, clock),
        about={
            "device": _device.name_of(device),
            "batch": str(inputs.batch),
            **taken.steps.about,
        },
        artifacts=(factory.source,) if factory.source else (),
        taken_at=started,
    )


def _timed(
    inputs: "Inputs",
    factory: Factory,
    *,
    device: str,
    threads: int | None,
    progress: Callable[[str], None],
) -> _Taken | Unavailable:
    lengths = tuple(sorted(set(inputs.seq_lens)))
    steps = build(factory, lengths=lengths, batch=inputs.batch, device=device)
    if isinstance(steps, Unavailable):
        return steps
    before = _device.load_average()
    try:
        timings = time_steps(
            steps.by_length,
            tick=_device.clock(device),
            now=time.monotonic,
            budget_s=inputs.budget_s,
            repeats=inputs.repeats,
            progress=progress,
        )
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's step may raise anything
        return Unavailable(
            reason=f"the step raised {one_line(error)}",
            fix="call it twice per length in a plain Python session; a GPU may be out of memory",
        )
    load_now = {"before": before, "after": _device.load_average()}
    return _Taken(timings=timings, steps=steps, device=device, threads=threads, load=load_now)


def _environment(inputs: "Inputs", taken: _Taken, clock: Clock) -> dict[str, Any]:
    return {
        **_device.versions(),
        "step": inputs.step,
        "device": _device.name_of(taken.device),
        "clock": clock,
        "clock_note": _note(clock, taken.threads),
        "threads": taken.threads,
        "cores": os.cpu_count(),
        "load_average": taken.load,
        "warm_calls": WARM_CALLS,
        "order": "interleaved, rotating",
        "budget_s": inputs.budget_s,
        "unsettled": [item.seq_len for item in taken.timings if not item.settled(clock)],
        "about_disagrees": list(taken.steps.disagree),
        "peak_memory_bytes": _memory(taken),
        "seconds": {str(item.seq_len): _all_times(item) for item in taken.timings},
    }


def _note(clock: Clock, threads: int | None) -> str:
    if clock == "cuda_event":
        return "CUDA events around each step, synchronised before and after"
    kind = "CPU time of the process" if clock == "process_time" else "wall time"
    return f"{kind}, {'no torch here' if threads is None else f'torch on {threads} thread(s)'}"


def _memory(taken: _Taken) -> Mapping[str, int | None]:
    if taken.device == "cpu":
        return {"process": _device.process_peak_bytes()}
    return {
        str(item.seq_len): max((tick.peak_bytes or 0 for tick in item.ticks), default=None)
        for item in taken.timings
    }


def _all_times(timing: Timing) -> dict[str, list[float]]:
    times = {
        "wall": list(timing.seconds("wall")),
        "process_time": list(timing.seconds("process_time")),
        "cuda_event": list(timing.seconds("cuda_event")),
    }
    return {name: values for name, values in times.items() if values}
