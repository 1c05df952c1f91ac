"""Where the kernel table doubts itself. Pure."""

from collections.abc import Mapping
from typing import Any

from ledger.contract import Measurement
from ledger.entry import Quantity

_UNKNOWN_ABOVE = 0.05
_IDLE_ABOVE = 0.3
_WALL_WITHIN = (0.5, 1.02)


def _of_trace(data: Mapping[str, Any]) -> list[str]:
    found = []
    if data["same_stream_overlaps"]:
        found.append(
            f"{data['same_stream_overlaps']} overlaps inside one stream"
            f" ({data['same_stream_overlap_us']} us): sums exceed busy time"
        )
    if data["cross_stream_overlap_us"]:
        found.append(
            f"streams overlap ({data['cross_stream_overlap_us']} us): sums exceed busy time,"
            " shares are of the sum"
        )
    if data["orphans"]:
        found.append(
            f"{data['orphans']} device events have no launch in the trace:"
            " the profile began or ended inside the work"
        )
    if data["graph_launches"]:
        found.append(
            f"{data['graph_launches']} launches own many kernels (largest"
            f" {data['largest_launch']}): kernel count is not launch count, operators unlinked"
        )
    if data["annotations"]:
        found.append(
            f"{data['annotations']} device annotations ({data['annotation_sum_us']} us) are in no"
            " sum; a profiler's footer may include them"
        )
    if data["copies_as_kernels"]:
        found.append(f"{data['copies_as_kernels']} copies arrived as kernels and count as copies")
    if data["shares"]["unknown"] > _UNKNOWN_ABOVE:
        found.append(f"{data['shares']['unknown']:.1%} of the time has no label: read the table")
    idle = 1 - float(data["busy_us"]) / float(data["device_span_us"])
    if idle > _IDLE_ABOVE:
        found.append(
            f"device idle {idle:.0%} of its span: launch-bound, or the trace is incomplete;"
            " the profiler slows the host, so a step without it idles less"
        )
    return found


def _of_wall(quantities: Mapping[str, Quantity]) -> list[str]:
    ratio = quantities.get("device_over_wall")
    if ratio is None or ratio.value is None or _WALL_WITHIN[0] <= ratio.value <= _WALL_WITHIN[1]:
        return []
    doubt = (
        f"device time is {ratio.value:.2f} of the wall clock given: the trace and the clock"
        " do not cover the same work, or the step waits for the host"
    )
    return [doubt]


def _of_spread(traces: list[Mapping[str, Any]]) -> list[str]:
    if len(traces) > 1:
        return ["the range is over ranks, not over repeats: the spread in time is not known"]
    steps = traces[0]["profiler_steps"]
    if steps > 1:
        return [f"the sums cover {steps} profiled steps together: no spread between them"]
    return ["one profiled step: no spread is known"]


def doubts(measurement: Measurement) -> tuple[str, ...]:
    """What a reader should know before relying on the numbers, one line each."""
    traces = list(measurement.details["traces"])
    quantities = {quantity.name: quantity for quantity in measurement.quantities}
    several = len(traces) > 1
    found = [
        f"trace {i}: {doubt}" if several else doubt
        for i, data in enumerate(traces)
        for doubt in _of_trace(data)
    ]
    return (*found, *_of_wall(quantities), *_of_spread(traces))
