"""The arithmetic of a kernel table: sums, unions, overlaps, orphans, launches. Pure, exact."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from probes.kernel_table.labels import generation_in_name
from probes.kernel_table.parse import DeviceEvent, Trace
from probes.kernel_table.stream import Scalar

DecidedBy = Literal["symbol", "operator", "none"]
Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What a device event is, and which source said so."""

    label: str
    decided_by: DecidedBy


@dataclass(frozen=True, kw_only=True)
class Row:
    """The device events of one full name that were decided alike."""

    name: str
    label: str
    decided_by: DecidedBy
    count: int
    ticks: int


@dataclass(frozen=True, kw_only=True)
class StreamTotal:
    """One stream; times in ticks."""

    pid: str
    tid: str
    events: int
    sum: int
    busy: int


@dataclass(frozen=True, kw_only=True)
class Totals:
    """What one trace adds up to; times in ticks of 10^-24 microsecond, no rounding anywhere."""

    kernels: int
    kernel_sum: int
    memcpys: int
    memcpy_sum: int
    memsets: int
    memset_sum: int
    names: int
    """Distinct full kernel names."""
    busy: int
    """Union of all device intervals over all streams."""
    kernels_busy: int
    device_span: int
    """First device start to last device end."""
    streams: tuple[StreamTotal, ...]
    same_stream_overlaps: int
    """Neighbours in one stream where the next starts before the one before it ends."""
    same_stream_overlap: int
    """Device time counted more than once because of them."""
    cross_stream_overlap: int
    orphans: int
    """Device events whose correlation matches no runtime or driver event, or that have none."""
    orphan_kernels: int
    orphan_sum: int
    graph_launches: int
    """Launches that own more than one kernel."""
    largest_launch: int
    devices: tuple[str, ...]

    @property
    def copy_sum(self) -> int:
        """Memcpy and memset events."""
        return self.memcpy_sum + self.memset_sum

    @property
    def device_sum(self) -> int:
        """Kernels, memcpys and memsets: the denominator of every share."""
        return self.kernel_sum + self.copy_sum


def union(spans: Iterable[Span]) -> int:
    """Length of the union of half-open intervals, in their unit."""
    total, reach = 0, None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            total += end - start
            reach = end
        elif end > reach:
            total += end - reach
            reach = end
    return total


def overlaps(spans: Iterable[Span]) -> int:
    """How many intervals, in order of start, begin before the one before them ends."""
    return sum(later[0] < earlier[1] for earlier, later in pairwise(sorted(spans)))


def _span(event: DeviceEvent) -> Span:
    return event.start, event.end


def _stream_totals(trace: Trace) -> tuple[list[StreamTotal], int]:
    by_stream: list[list[Span]] = [[] for _ in trace.streams]
    for event in trace.device_events:
        by_stream[event.stream].append(_span(event))
    totals = [
        StreamTotal(
            pid=pid,
            tid=tid,
            events=len(by_stream[i]),
            sum=sum(end - start for start, end in by_stream[i]),
            busy=union(by_stream[i]),
        )
        for (pid, tid), i in trace.streams.items()
    ]
    return totals, sum(map(overlaps, by_stream))


def is_orphan(event: DeviceEvent, host_correlations: set[Scalar]) -> bool:
    """No runtime or driver call in the trace carries the event's correlation id, if it has one."""
    return event.correlation not in host_correlations


def _of(events: Sequence[DeviceEvent]) -> int:
    return sum(event.end - event.start for event in events)


def totals(trace: Trace) -> Totals:
    """Everything that a trace adds up to. The trace must hold a device event."""
    events = trace.device_events
    kernels = [event for event in events if event.kind == "kernel"]
    memcpys = [event for event in events if event.kind == "memcpy"]
    memsets = [event for event in events if event.kind == "memset"]
    orphans = [event for event in events if is_orphan(event, trace.host_correlations)]
    streams, overlapping = _stream_totals(trace)
    busy = union(map(_span, events))
    stream_busy = sum(stream.busy for stream in streams)
    launched = Counter(e.correlation for e in kernels if e.correlation is not None)
    return Totals(
        kernels=len(kernels),
        kernel_sum=_of(kernels),
        memcpys=len(memcpys),
        memcpy_sum=_of(memcpys),
        memsets=len(memsets),
        memset_sum=_of(memsets),
        names=len({event.name for event in kernels}),
        busy=busy,
        kernels_busy=union(map(_span, kernels)),
        device_span=max(event.end for event in events) - min(event.start for event in events),
        streams=tuple(sorted(streams, key=lambda stream: (stream.pid, stream.tid))),
        same_stream_overlaps=overlapping,
        same_stream_overlap=_of(events) - stream_busy,
        cross_stream_overlap=stream_busy - busy,
        orphans=len(orphans),
        orphan_kernels=sum(event.kind == "kernel" for event in orphans),
        orphan_sum=_of(orphans),
        graph_launches=sum(count > 1 for count in launched.values()),
        largest_launch=max(launched.values(), default=0),
        devices=tuple(sorted({event.device for event in events})),
    )


def rows(events: Sequence[DeviceEvent], decisions: Sequence[Decision]) -> tuple[Row, ...]:
    """The table, by full name and decision, longest first; `decisions` runs beside `events`."""
    counts: Counter[tuple[str, Decision]] = Counter()
    sums: Counter[tuple[str, Decision]] = Counter()
    for event, decision in zip(events, decisions, strict=True):
        counts[event.name, decision] += 1
        sums[event.name, decision] += event.end - event.start
    table = [
        Row(
            name=name,
            label=decision.label,
            decided_by=decision.decided_by,
            count=counts[name, decision],
            ticks=total,
        )
        for (name, decision), total in sums.items()
    ]
    return tuple(sorted(table, key=lambda row: (-row.ticks, row.name, row.label)))


def generations(events: Sequence[DeviceEvent]) -> dict[str, tuple[int, int]]:
    """Kernels and their ticks by the architecture that their own name states.

    A fact about the name, no fault: sm80 code may be the right choice on a newer card.
    """
    found: dict[str, tuple[int, int]] = {}
    by_name: dict[str, str] = {}
    for event in events:
        if event.kind != "kernel":
            continue
        stated = by_name.get(event.name)
        if stated is None:
            stated = by_name[event.name] = generation_in_name(event.name) or "none stated"
        count, total = found.get(stated, (0, 0))
        found[stated] = (count + 1, total + event.end - event.start)
    return dict(sorted(found.items()))
