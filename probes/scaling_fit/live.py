"""Time steps of several lengths: warmed, interleaved in rotating order, repeated as needed.

The clock and the step are handed in, so that the schedule is testable without either.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Literal

from probes.scaling_fit.steps import Step

WARM_CALLS = 2
"""Per length: the first call costs up to 2.6 times the second, in CPU time too."""
SMALLEST, LARGEST = 5, 50
ENOUGH = 0.01
"""Relative standard error of a median at which a length needs no more repeats."""
_MEDIAN_COST = 1.2533
"""Standard error of a median over that of a mean, sqrt(pi/2), for a normal spread."""
_MAD_TO_SIGMA = 1.4826
_WAITS, _SPREADS = 0.1, 1.5
"""CPU over wall time below which a step waits for something else, above which it uses threads."""

Clock = Literal["cuda_event", "process_time", "wall"]


@dataclass(frozen=True, kw_only=True)
class Tick:
    """One timed call, in seconds."""

    wall: float
    cpu: float
    """CPU time of the process over all its threads."""
    device: float | None = None
    """Between two CUDA events; None on a CPU."""
    peak_bytes: int | None = None
    """Peak memory that the call allocated on the device; None on a CPU."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Every timed call at one length, in the order taken."""

    seq_len: int
    ticks: tuple[Tick, ...]

    def settled(self, clock: Clock) -> bool:
        """Whether the median's standard error by this clock came down to 1 %."""
        return _settled(list(self.seconds(clock)))

    def seconds(self, clock: Clock) -> tuple[float, ...]:
        """The times by one clock."""
        if clock == "wall":
            return tuple(tick.wall for tick in self.ticks)
        if clock == "process_time":
            return tuple(tick.cpu for tick in self.ticks)
        return tuple(tick.device for tick in self.ticks if tick.device is not None)


@dataclass(kw_only=True)
class _Open:
    step: Step
    ticks: list[Tick] = field(default_factory=list)
    settled: bool = False


def time_steps(
    steps: Mapping[int, Step],
    *,
    tick: Callable[[Step], Tick],
    now: Callable[[], float],
    budget_s: float,
    repeats: int | None = None,
    progress: Callable[[str], None],
) -> tuple[Timing, ...]:
    """Time every length; at least five repeats each, whatever the budget, and at most fifty.

    One round times each length that still needs it once, starting one length further than the
    round before, so that drift and heat do not fall on one length. `repeats` fixes the number.
    """
    table = {length: _Open(step=step) for length, step in steps.items()}
    for length, item in table.items():
        progress(f"warming seq_len {length}")
        for _ in range(WARM_CALLS):
            tick(item.step)
    start = now()
    turn = 0
    while waiting := _waiting(table, repeats=repeats, spent=now() - start, budget_s=budget_s):
        offset = turn % len(waiting)
        for length in waiting[offset:] + waiting[:offset]:
            item = table[length]
            item.ticks.append(tick(item.step))
            best = [t.cpu if t.device is None else t.device for t in item.ticks]
            item.settled = _settled(best)
        turn += 1
        progress(f"round {turn}: {len(waiting)} of {len(table)} lengths still need repeats")
    return tuple(Timing(seq_len=length, ticks=tuple(item.ticks)) for length, item in table.items())


def _waiting(
    table: Mapping[int, _Open], *, repeats: int | None, spent: float, budget_s: float
) -> list[int]:
    if repeats is not None:
        return [length for length, item in table.items() if len(item.ticks) < repeats]
    most = LARGEST if spent < budget_s else SMALLEST
    return [
        length
        for length, item in table.items()
        if len(item.ticks) < most and not (item.settled and len(item.ticks) >= SMALLEST)
    ]


def _settled(seconds: list[float]) -> bool:
    error = median_error(seconds)
    return error is not None and error <= ENOUGH


def median_error(seconds: list[float]) -> float | None:
    """Relative standard error of the median, from the median absolute deviation.

    None for a single time or a median of 0.
    """
    middle = median(seconds)
    if len(seconds) < 2 or middle <= 0:  # noqa: PLR2004
        return None
    sigma = _MAD_TO_SIGMA * median(abs(t - middle) for t in seconds) / middle
    return _MEDIAN_COST * sigma / math.sqrt(len(seconds))


def clock_of(timings: tuple[Timing, ...]) -> Clock:
    """The clock that the fit uses.

    CUDA events on a GPU; on a CPU the process's CPU time, which other processes disturb least,
    unless that is not the step's own time (it waits for something else, or adds up several
    threads): then the wall clock.
    """
    ticks = [tick for timing in timings for tick in timing.ticks]
    if all(tick.device is not None for tick in ticks):
        return "cuda_event"
    cpu, wall = sum(tick.cpu for tick in ticks), sum(tick.wall for tick in ticks)
    own = _WAITS * wall <= cpu <= _SPREADS * wall and all(tick.cpu > 0 for tick in ticks)
    return "process_time" if own else "wall"
