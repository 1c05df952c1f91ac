"""The quantities of the record, from the totals and the table. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ledger.contract import QuantitySpec
from ledger.entry import Quantity
from probes.kernel_table.card import Card
from probes.kernel_table.compute import Row, Totals
from probes.kernel_table.labels import SHARE_OF, SHARES
from probes.kernel_table.parse import Trace
from probes.kernel_table.ticks import number

DOMINANT = 0.5
"""Share of kernel and copy time from which on a category names the result."""

_SHARE_SPECS = tuple(
    QuantitySpec(
        name=f"{share}_share",
        unit="1",
        description=f"{', '.join(labels)}: part of kernel and copy time",
    )
    for share, labels in SHARES.items()
)
SPECS: tuple[QuantitySpec, ...] = (
    *_SHARE_SPECS,
    QuantitySpec(name="kernel_sum", unit="ms", description="sum of all kernel durations"),
    QuantitySpec(name="copy_sum", unit="ms", description="sum of all memcpy and memset events"),
    QuantitySpec(name="device_busy", unit="ms", description="union of all device intervals"),
    QuantitySpec(
        name="device_span", unit="ms", description="first device start to last device end"
    ),
    QuantitySpec(
        name="idle_share",
        unit="1",
        description="part of the profiled span with nothing running; an upper bound for a step that"
        " is not slowed by the profiler, whose low is 1 - device_over_wall (0 without wall_s)",
    ),
    QuantitySpec(name="kernel_count", unit="kernels", description="kernels that ran"),
    QuantitySpec(name="launch_count", unit="launches", description="host calls that launch"),
    QuantitySpec(
        name="orphan_count", unit="1", description="device events without a launch in the trace"
    ),
    QuantitySpec(name="kernel_names", unit="1", description="distinct full kernel names"),
    QuantitySpec(
        name="device_over_wall", unit="1", description="device_busy over wall_s, where given"
    ),
)


@dataclass(frozen=True, kw_only=True)
class Rank:
    """One trace with all that was computed from it."""

    trace: Trace
    totals: Totals
    rows: tuple[Row, ...]
    card: Card
    generations: dict[str, tuple[int, int]]


def shares(rank: Rank) -> dict[str, float]:
    """Part of kernel and copy time per category; they sum to 1 up to rounding."""
    whole = rank.totals.device_sum
    ticks = dict.fromkeys(SHARES, 0)
    for row in rank.rows:
        ticks[SHARE_OF[row.label]] += row.ticks
    return {share: part / whole for share, part in ticks.items()}


def result_of(parts: dict[str, float]) -> str:
    """`gemm-dominant` and the like; `mixed`, or `undetermined` where the unknown could decide."""
    known = {share: part for share, part in parts.items() if share != "unknown"}
    largest = max(known, key=lambda share: known[share])
    if known[largest] >= DOMINANT:
        return f"{largest}-dominant"
    return "undetermined" if known[largest] + parts["unknown"] >= DOMINANT else "mixed"


def values(rank: Rank, *, wall_s: float | None) -> dict[str, Any]:
    """Each quantity's value in the unit of its spec; exact decimals where it is a time."""
    totals = rank.totals
    found: dict[str, Any] = {f"{share}_share": part for share, part in shares(rank).items()}
    found |= {
        "kernel_sum": number(totals.kernel_sum, unit="ms"),
        "copy_sum": number(totals.copy_sum, unit="ms"),
        "device_busy": number(totals.busy, unit="ms"),
        "device_span": number(totals.device_span, unit="ms"),
        "idle_share": (totals.device_span - totals.busy) / totals.device_span,
        "kernel_count": totals.kernels,
        "launch_count": sum(rank.trace.launch_calls.values()),
        "orphan_count": totals.orphans,
        "kernel_names": totals.names,
    }
    if wall_s is not None:
        found["device_over_wall"] = float(number(totals.busy, unit="s")) / wall_s
    return found


def slowest(ranks: Sequence[Rank]) -> int:
    """The rank that the record speaks of: the longest device span, then the busiest."""
    return max(
        range(len(ranks)), key=lambda i: (ranks[i].totals.device_span, ranks[i].totals.busy, -i)
    )


def quantities(ranks: Sequence[Rank], *, wall_s: float | None) -> tuple[Quantity, ...]:
    """The slowest rank's values; with several ranks, their number and the range over them."""
    found = [values(rank, wall_s=wall_s) for rank in ranks]
    of_slowest = found[slowest(ranks)]
    return tuple(
        _quantity(spec, of_slowest[spec.name], [rank[spec.name] for rank in found])
        if spec.name != "idle_share"
        else _idle(spec, of_slowest, found)
        for spec in SPECS
        if spec.name in of_slowest
    )


def _quantity(spec: QuantitySpec, value: Any, over_ranks: list[Any]) -> Quantity:
    several = len(over_ranks) > 1
    return Quantity(
        name=spec.name,
        value=value,
        unit=spec.unit,
        n=len(over_ranks) if several else None,
        low=min(over_ranks) if several else None,
        high=max(over_ranks) if several else None,
    )


def _idle(spec: QuantitySpec, of_slowest: dict[str, Any], found: list[dict[str, Any]]) -> Quantity:
    """The profiler slows the host: what was idle in the trace bounds what is idle without it."""
    value, high = of_slowest["idle_share"], max(rank["idle_share"] for rank in found)
    unprofiled = min(1 - rank.get("device_over_wall", 1.0) for rank in found)
    return Quantity(
        name=spec.name,
        value=value,
        unit=spec.unit,
        n=len(found) if len(found) > 1 else None,
        low=min(max(unprofiled, 0.0), value),
        high=high,
    )
