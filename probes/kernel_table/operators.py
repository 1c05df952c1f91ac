"""The second source: the operator that launched a kernel, where its symbol says nothing.

A launch is linked to its operator by the External id; traces of older profilers give a kernel its
correlation id there, and then the innermost operator around the launch call is meant.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from probes.kernel_table.compute import Decision
from probes.kernel_table.labels import UNKNOWN, label_of_symbol
from probes.kernel_table.parse import DeviceEvent, Trace, arguments, category, text_of
from probes.kernel_table.stream import Batch, Event, Scalar, pieces
from probes.kernel_table.ticks import ticks

OPERATOR_LABELS: tuple[tuple[str, str], ...] = (
    (r"attention\w{0,80}?backward|attn\w{0,80}?(bwd|backward)|flash_bwd", "attention_backward"),
    (r"attention|attn|flash_fwd", "attention_forward"),
    (r"grouped_mm|fused_moe|moe_forward", "grouped_gemm"),
    (r"convolution|(?<![a-z])conv[123]d", "convolution"),
    (r"(?<![a-z])(addmm|bmm|baddbmm|mm|matmul|linear|addmv|mv|scaled_mm|gemm)(?![a-z])", "gemm"),
    (r"(?<![a-z])(add|b|badd)?mmbackward|linearbackward", "gemm"),
    (r"c10d|nccl|all_?reduce|all_?gather|reduce_?scatter|all_?to_?all|broadcast_", "communication"),
    (r"optimizer|adam|sgd|_foreach", "optimizer"),
    (r"cross_entropy|nll_loss|_loss", "loss"),
    (r"soft_?max", "softmax"),
    (r"(layer|rms|batch|group)_?norm", "norm"),
    (r"embedding|index|gather|scatter", "indexing"),
    (r"sort|topk|cumsum|unique|nonzero", "sort_scan"),
    (r"::(sum|mean|max|min|amax|argmax|any|all|norm)(?![a-z])", "reduction"),
    (r"::(copy_|_to_copy|to|clone|contiguous|cat|stack)(?![a-z])", "copy"),
    (r"::(fill_|zero_|zeros|ones|full)(?![a-z])", "memset"),
    (r"::(add|sub|mul|div|neg|exp|pow|where|silu|gelu|relu|sigmoid|tanh)_?(?![a-z])|dropout",
     "elementwise"),
)  # fmt: skip
"""Ordered, case ignored, first match decides; kept short, as it only speaks where symbols fail."""
_OPERATORS = tuple((re.compile(p, re.IGNORECASE), label) for p, label in OPERATOR_LABELS)


def label_of_operator(name: str) -> str:
    """The label that an operator's name gives its kernels, or `unknown`."""
    return next((label for regex, label in _OPERATORS if regex.search(name)), UNKNOWN)


def by_symbol(events: Sequence[DeviceEvent]) -> list[Decision]:
    """What the events' own names and categories say, in their order."""
    seen: dict[tuple[str, str], Decision] = {}
    decisions = []
    for event in events:
        decision = seen.get((event.name, event.kind))
        if decision is None:
            label = {"memcpy": "copy", "memset": "memset"}.get(event.kind)
            label = label or label_of_symbol(event.name)
            decision = Decision(label=label, decided_by="none" if label == UNKNOWN else "symbol")
            seen[event.name, event.kind] = decision
        decisions.append(decision)
    return decisions


def _by_external_id(event: DeviceEvent) -> bool:
    return event.external is not None and event.external != event.correlation


def _events(trace: Trace) -> Iterator[tuple[str, Event]]:
    for piece in pieces(trace.path):
        if isinstance(piece, Batch):
            for event in piece.events:
                if event.ph == "X" and (kind := category(event.cat)) in ("op", "call"):
                    yield kind, event


class _Launch:
    """Where a launch call stands, and the innermost operator around it found so far."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.shortest: int | None = None
        self.operator: str | None = None


def _enclose(launches: Sequence[_Launch], event: Event) -> None:
    """Note the operator at every launch that it encloses more tightly than those before it."""
    start, duration = ticks(bytes(event.ts)), ticks(bytes(event.dur))
    if start is None or duration is None:
        return
    first = bisect_left(launches, start, key=lambda launch: launch.at)
    last = bisect_right(launches, start + duration, key=lambda launch: launch.at)
    for launch in launches[first:last]:
        if launch.shortest is None or duration <= launch.shortest:
            launch.shortest, launch.operator = duration, str(event.name)


def _around_calls(
    trace: Trace, calls: dict[Scalar, tuple[tuple[str, str], int]]
) -> dict[Scalar, str]:
    """Correlation id to operator, for launch calls at (pid, tid), start; one more pass."""
    launches = {correlation: _Launch(at) for correlation, (_, at) in calls.items()}
    threads: dict[tuple[str, str], list[_Launch]] = {}
    for correlation, (thread, _) in calls.items():
        threads.setdefault(thread, []).append(launches[correlation])
    for on_thread in threads.values():
        on_thread.sort(key=lambda launch: launch.at)
    for kind, event in _events(trace):
        if kind == "op":
            _enclose(threads.get((text_of(event.pid), text_of(event.tid)), []), event)
    return {
        correlation: launch.operator
        for correlation, launch in launches.items()
        if launch.operator is not None
    }


def launching_operators(trace: Trace, unknown: Sequence[DeviceEvent]) -> list[str | None]:
    """The operator that launched each event, None where the trace does not say.

    Reads the file again, once or twice; only the operators asked for are kept.
    """
    external = {event.external for event in unknown if _by_external_id(event)}
    correlations = {event.correlation for event in unknown if not _by_external_id(event)} - {None}
    operators: dict[Scalar, str] = {}
    calls: dict[Scalar, tuple[tuple[str, str], int]] = {}
    for kind, event in _events(trace):
        args = arguments(event)
        if kind == "op" and args.external in external:
            operators[args.external] = str(event.name)
        elif kind == "call" and args.correlation in correlations:
            start = ticks(bytes(event.ts))
            if start is not None:
                calls[args.correlation] = (text_of(event.pid), text_of(event.tid)), start
    around = _around_calls(trace, calls) if calls else {}
    return [
        operators.get(event.external) if _by_external_id(event) else around.get(event.correlation)
        for event in unknown
    ]


def decide(trace: Trace) -> list[Decision]:
    """What every device event is: symbol first, then the launching operator."""
    decisions = by_symbol(trace.device_events)
    open_at = [i for i, decision in enumerate(decisions) if decision.decided_by == "none"]
    if not open_at:
        return decisions
    unknown = [trace.device_events[i] for i in open_at]
    for i, operator in zip(open_at, launching_operators(trace, unknown), strict=True):
        label = label_of_operator(operator) if operator else UNKNOWN
        if label != UNKNOWN:
            decisions[i] = Decision(label=label, decided_by="operator")
    return decisions
