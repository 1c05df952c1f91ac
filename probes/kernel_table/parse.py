"""From the pieces of a trace to its device events, launches and card; exact times."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from probes.kernel_table.stream import Batch, Event, Member, Scalar, UnreadableTrace, pieces
from probes.kernel_table.ticks import ticks

Kind = Literal["kernel", "memcpy", "memset"]
_KINDS: dict[str, str] = {
    "kernel": "kernel",
    "gpu_memcpy": "memcpy",
    "memcpy": "memcpy",  # torch 1.8
    "gpu_memset": "memset",
    "memset": "memset",
    "gpu_user_annotation": "annotation",
    "user_annotation": "user_annotation",
}
_COPY_NAMES: tuple[tuple[str, Kind], ...] = (
    ("memcpy", "memcpy"),
    ("hipmemcpy", "memcpy"),
    ("memory_copy", "memcpy"),
    ("copyhosttodevice", "memcpy"),
    ("copydevicetohost", "memcpy"),
    ("copydevicetodevice", "memcpy"),
    ("memset", "memset"),
    ("hipmemset", "memset"),
)
"""ROCm 7.1 writes copies with the category of kernels (TraceLens #613)."""


class Args(msgspec.Struct, gc=False):
    """The arguments of an event that are used."""

    correlation: Scalar = None
    external: Scalar = msgspec.field(default=None, name="External id")
    external_lower: Scalar = msgspec.field(default=None, name="external id")
    device: Scalar = None


class DeviceEvent(NamedTuple):
    """One kernel, copy or memset; times in ticks, the end exclusive."""

    start: int
    end: int
    name: str
    kind: Kind
    stream: int
    """Index into `Trace.streams`."""
    correlation: Scalar
    external: Scalar
    device: str


@dataclass(kw_only=True)
class Trace:
    """What one trace file says, nothing computed yet."""

    path: Path
    device_events: list[DeviceEvent] = field(default_factory=list)
    streams: dict[tuple[str, str], int] = field(default_factory=dict)
    """(pid, tid) as written, in order of appearance."""
    host_correlations: set[Scalar] = field(default_factory=set)
    launch_calls: Counter[str] = field(default_factory=Counter)
    runtime_names: set[str] = field(default_factory=set)
    """First three letters of the runtime and driver calls: cud, cuL, hip ..."""
    events: int = 0
    complete_events: int = 0
    as_kernels: int = 0
    """Copies that arrived with the category of kernels."""
    annotations: int = 0
    annotation_ticks: int = 0
    profiler_steps: set[str] = field(default_factory=set)
    first: int | None = None
    last: int | None = None
    """Start and end of all complete events, host included, in ticks."""
    members: dict[str, Any] = field(default_factory=dict)
    """`deviceProperties` and the versions that the profiler wrote."""


_FAR = 1e29
"""Microseconds that no clock reads."""
_ARGS = msgspec.json.Decoder(Args)
_KEPT = ("deviceProperties", "cuda_runtime_version", "cuda_driver_version", "cupti_version",
         "hip_runtime_version", "hip_driver_version", "roctracer_version", "schemaVersion",
         "distributedInfo")  # fmt: skip


def _identifier(value: Scalar) -> Scalar:
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def arguments(event: Event) -> Args:
    """The event's arguments; empty where they are missing or no object."""
    try:
        args = _ARGS.decode(event.args)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return Args()
    if args.external is None:
        args.external = args.external_lower
    args.correlation, args.external = _identifier(args.correlation), _identifier(args.external)
    return args


def category(cat: Scalar) -> str:
    """`kernel`, `memcpy`, `memset`, `annotation`, `user_annotation`, `call`, `op` or empty."""
    if not isinstance(cat, str):
        return ""
    lower = cat.lower()
    if lower in _KINDS:
        return _KINDS[lower]
    if lower.endswith(("runtime", "driver")):
        return "call"
    return "op" if lower in ("cpu_op", "operator") else ""


def _device_kind(name: str, kind: Kind) -> Kind:
    if kind != "kernel":
        return kind
    lower = name.lower()
    return next((copy for prefix, copy in _COPY_NAMES if lower.startswith(prefix)), kind)


def text_of(raw: msgspec.Raw) -> str:
    """A pid or tid as text, without quotes."""
    return bytes(raw).decode("utf-8", "replace").strip('"')


def _add_device_event(trace: Trace, event: Event, kind: Kind) -> None:
    name = str(event.name)
    start, duration = ticks(bytes(event.ts)), ticks(bytes(event.dur))
    if start is None or duration is None or duration < 0:
        shown = f"ts={text_of(event.ts)[:30]} dur={text_of(event.dur)[:30]}"
        raise UnreadableTrace(
            f"event {trace.events:,} ({kind} {name[:40]!r}) has no usable time: {shown}",
            fix="profile again: without that event every sum would be partial",
        )
    args = arguments(event)
    device_kind = _device_kind(name, kind)
    trace.as_kernels += device_kind != kind
    stream = trace.streams.setdefault((text_of(event.pid), text_of(event.tid)), len(trace.streams))
    device = text_of(event.pid) if args.device is None else str(args.device)
    trace.device_events.append(
        DeviceEvent(
            start, start + duration, name, device_kind, stream,
            args.correlation, args.external, device,
        )
    )  # fmt: skip


def _add_call(trace: Trace, event: Event) -> None:
    correlation = arguments(event).correlation
    if correlation is not None:
        trace.host_correlations.add(correlation)
    name = str(event.name)
    trace.runtime_names.add(name[:3])
    if "launch" in name.lower():
        trace.launch_calls[name] += 1


def _add_annotation(trace: Trace, event: Event, kind: str) -> None:
    if kind == "annotation":
        trace.annotations += 1
        trace.annotation_ticks += ticks(bytes(event.dur)) or 0
    if isinstance(event.name, str) and event.name.startswith("ProfilerStep"):
        trace.profiler_steps.add(event.name)


def _slack(time: float) -> float:
    """More than two roundings of a float of this size can be off."""
    return 1e-15 * abs(time) + 1e-9


class _Extent:
    """First start and last end over every complete event.

    Stamps of host events are too many to be read exactly: floats keep the few that could be the
    first or the last, exact ticks decide between those.
    """

    def __init__(self) -> None:
        self.low, self.high = _FAR, -_FAR
        self.starts: set[bytes] = set()
        self.ends: set[tuple[bytes, bytes]] = set()

    def add(self, events: Sequence[Event]) -> None:
        """Consider a batch's complete events; those without usable times are passed over."""
        low, high = self.low, self.high
        floor, ceiling = high - _slack(high), low + _slack(low)
        starts: list[Event] = []
        ends: list[Event] = []
        for event in events:
            if event.ph != "X":
                continue
            try:
                start = float(event.ts)
                end = start + float(event.dur)
            except ValueError:
                continue
            if not -_FAR < start <= end < _FAR:
                continue
            if start <= ceiling:
                starts.append(event)
                low = min(low, start)
                ceiling = low + _slack(low)
            if end >= floor:
                if end - _slack(end) > high:
                    ends = []
                ends.append(event)
                high = max(high, end)
                floor = high - _slack(high)
        self._keep(low, high, starts, ends)

    def _keep(
        self, low: float, high: float, starts: Sequence[Event], ends: Sequence[Event]
    ) -> None:
        if low + _slack(low) < self.low:
            self.starts = set()
        if high - _slack(high) > self.high:
            self.ends = set()
        self.low, self.high = low, high
        self.starts.update(bytes(event.ts) for event in starts)
        self.ends.update((bytes(event.ts), bytes(event.dur)) for event in ends)

    def exact(self) -> tuple[int | None, int | None]:
        """First start and last end in ticks; None where no event had usable times."""
        starts = [start for text in self.starts if (start := ticks(text)) is not None]
        ends = [
            start + length
            for begin, duration in self.ends
            if (start := ticks(begin)) is not None and (length := ticks(duration)) is not None
        ]
        return min(starts, default=None), max(ends, default=None)


def _add_batch(trace: Trace, batch: Batch, extent: _Extent, kinds: dict[Scalar, str]) -> None:
    extent.add(batch.events)
    for event in batch.events:
        trace.events += 1
        if event.ph != "X":
            continue
        trace.complete_events += 1
        kind = kinds.get(event.cat)
        if kind is None:
            kind = kinds[event.cat] = category(event.cat)
        if kind in ("kernel", "memcpy", "memset"):
            _add_device_event(trace, event, kind)  # type: ignore[arg-type]
        elif kind == "call":
            _add_call(trace, event)
        elif kind in ("annotation", "user_annotation"):
            _add_annotation(trace, event, kind)


def read_trace(path: Path) -> Trace:
    """Read a whole trace. Raises UnreadableTrace; never returns part of one."""
    trace, extent = Trace(path=path), _Extent()
    kinds: dict[Scalar, str] = {}
    for piece in pieces(path):
        if isinstance(piece, Member):
            if piece.key in _KEPT:
                trace.members[piece.key] = piece.value
        else:
            _add_batch(trace, piece, extent, kinds)
    trace.first, trace.last = extent.exact()
    if not trace.events:
        raise UnreadableTrace("the trace holds no events", fix="profile at least one step")
    return trace
