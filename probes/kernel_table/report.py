"""A kernel table for a person, and the same as JSON data. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from probes.kernel_table.labels import SHARES
from probes.kernel_table.quantities import Rank, shares, slowest
from probes.kernel_table.ticks import number

WIDTH = 80
_BAR = 30
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_WIDE = re.compile("[^\x20-\x7e]")
_FUNCTOR = re.compile(r"(\w*(?:Functor|Ops|_kernel_cuda)\w*)")
_GENERIC = ("BinaryFunctor", "AUnaryFunctor", "BUnaryFunctor", "UnaryFunctor")
_WRAPPER = re.compile(r"^cutlass\w*::(?:Kernel2?|device_kernel)<")
_PREFIXES = re.compile(r"^(?:void |\(anonymous namespace\)::|at::native::|at::cuda::)+")


def printable(text: str) -> str:
    """The text with controls, ANSI sequences and invisible characters shown as escapes."""
    return _UNPRINTABLE.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def _plain_width(text: str) -> str:
    """Only characters that take one column, so that tables stay aligned."""
    return _WIDE.sub("?", text)


def _without_templates(name: str) -> str:
    """The function's name: arguments and what stands in angle brackets cut away."""
    kept, depth = [], 0
    for character in name:
        depth += character in "<(["
        if not depth:
            kept.append(character)
        depth -= character in ">)]" and depth > 0
    return "".join(kept).strip(" >")


def _operation(name: str) -> str | None:
    """What a generic kernel was instantiated with, where the name says so."""
    found = (match[1].removesuffix("_kernel_cuda") for match in _FUNCTOR.finditer(name[:400]))
    return next((operation for operation in found if operation not in _GENERIC), None)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    left = (width - 2) * 2 // 3
    return f"{text[:left]}..{text[left + 2 - width :]}"


def short(name: str, width: int) -> str:
    """A kernel's name in `width` columns: demangled lightly, its middle left out.

    For reading only; rows are told apart by the full name.
    """
    clean = printable(name[:4000].replace("(anonymous namespace)::", ""))
    clean = _WRAPPER.sub("", _plain_width(_PREFIXES.sub("", clean)))
    if len(clean) <= width:
        return clean
    if clean.startswith("Mem"):
        return _cut(clean, width)
    head = _without_templates(clean) or clean
    operation = _operation(clean)
    if operation is None or operation in head:
        return _cut(head, width)
    operation = _cut(operation, width // 2)
    return f"{_cut(head, width - len(operation) - 3)} [{operation}]"


def _milliseconds(ticks: int) -> str:
    return f"{float(number(ticks, unit='ms')):,.3f}"


def _sums(rank: Rank) -> list[str]:
    totals = rank.totals
    idle = totals.device_span - totals.busy
    rows = [
        ("kernels", totals.kernel_sum, f"{totals.kernels:,}, {totals.names:,} names"),
        ("memcpy", totals.memcpy_sum, f"{totals.memcpys:,}"),
        ("memset", totals.memset_sum, f"{totals.memsets:,}"),
        ("device busy", totals.busy, f"union over {len(totals.streams)} streams"),
        ("device span", totals.device_span, "first start to last end"),
        ("idle", idle, f"{idle / totals.device_span:.1%} of the span"),
    ]
    if totals.same_stream_overlaps:
        text = f"{totals.same_stream_overlaps:,} pairs in one stream"
        rows.append(("overlap", totals.same_stream_overlap, text))
    if totals.cross_stream_overlap:
        rows.append(("overlap", totals.cross_stream_overlap, "between streams"))
    if totals.orphans:
        rows.append(("orphans", totals.orphan_sum, f"{totals.orphans:,} without a launch"))
    return [f"  {name:<12}{_milliseconds(ticks):>14} ms   {note}" for name, ticks, note in rows]


def _share_table(rank: Rank) -> list[str]:
    parts = shares(rank)
    lines = []
    for share in sorted(SHARES, key=lambda name: (name == "unknown", -parts[name])):
        if parts[share] or share == "unknown":
            bar = "#" * round(parts[share] * _BAR)
            lines.append(f"  {share:<15}{parts[share]:>7.1%}  {bar}".rstrip())
    return lines


def _top(rank: Rank, top: int) -> list[str]:
    lines = [f"  {'ms':>10} {'share':>6} {'count':>7}  {'label':<18} kernel"]
    whole = rank.totals.device_sum
    for row in rank.rows[:top]:
        mark = "*" if row.decided_by == "operator" else ""
        lines.append(
            f"  {_milliseconds(row.ticks):>10} {row.ticks / whole:>6.1%} {row.count:>7,}  "
            f"{row.label + mark:<18} {short(row.name, WIDTH - 48)}"
        )
    if len(rank.rows) > top:
        rest = sum(row.ticks for row in rank.rows[top:])
        left = f"{len(rank.rows) - top:,} more rows"
        lines.append(f"  {_milliseconds(rest):>10} {rest / whole:>6.1%} {'':>7}  {left}")
    if any(row.decided_by == "operator" for row in rank.rows[:top]):
        lines.append("  * decided by the launching operator; all others by the symbol")
    return lines


def _launches(rank: Rank) -> list[str]:
    calls = rank.trace.launch_calls
    listed = [
        f"  {count:>9,}  {_plain_width(printable(name))[:60]}"
        for name, count in sorted(calls.items(), key=lambda item: (-item[1], item[0]))[:12]
    ]
    if rank.totals.graph_launches:
        listed.append(
            f"  {rank.totals.graph_launches:,} launches own more than one kernel,"
            f" the largest {rank.totals.largest_launch:,}"
        )
    return listed or ["  no launch call in the trace"]


def _generations(rank: Rank) -> list[str]:
    if rank.card.vendor == "AMD" or not rank.totals.kernel_sum:
        return []
    capability = rank.card.compute_capability
    card = f"sm{capability.replace('.', '')}" if capability else "not stated"
    lines = ["", f"Architecture in the kernels' names (the card: {card})"]
    for stated, (count, ticks) in rank.generations.items():
        lines.append(f"  {stated:<12}{ticks / rank.totals.kernel_sum:>7.1%}  {count:>9,} kernels")
    return lines


def _rank_line(index: int, rank: Rank) -> str:
    totals = rank.totals
    name = _plain_width(printable(rank.trace.path.name))
    shown = name if len(name) <= 24 else f"{name[:11]}..{name[-11:]}"  # noqa: PLR2004
    return (
        f"  {index:>3} {shown:<24}{_milliseconds(totals.kernel_sum):>13}"
        f"{_milliseconds(totals.busy):>13}{_milliseconds(totals.device_span):>13}"
    )


def report(ranks: Sequence[Rank], *, top: int) -> str:
    """The sums, shares, longest kernels and launches; with several ranks, a row each first."""
    chosen = slowest(ranks)
    rank = ranks[chosen]
    device = _plain_width(printable(rank.card.name or "device not named in the trace"))[:50]
    lines = [f"{device}, {_plain_width(printable(rank.trace.path.name))[:27]}"]
    if len(ranks) > 1:
        lines += ["", f"  {'#':>3} {'trace':<24}{'kernels ms':>13}{'busy ms':>13}{'span ms':>13}"]
        lines += [_rank_line(i, each) for i, each in enumerate(ranks)]
        lines.append(f"  below: trace {chosen}, the longest device span")
    lines += ["", "Device time", *_sums(rank)]
    lines += ["", "Share of kernel and copy time", *_share_table(rank)]
    lines += ["", "Longest kernels", *_top(rank, top)]
    lines += ["", "Launch calls", *_launches(rank), *_generations(rank)]
    return "\n".join(line[:WIDTH] for line in lines) + "\n"


def _totals_data(rank: Rank) -> dict[str, Any]:
    totals = rank.totals
    times = ("kernel_sum", "memcpy_sum", "memset_sum", "copy_sum", "device_sum", "busy",
             "kernels_busy", "device_span", "same_stream_overlap", "cross_stream_overlap",
             "orphan_sum")  # fmt: skip
    counts = ("kernels", "memcpys", "memsets", "names", "same_stream_overlaps", "orphans",
              "orphan_kernels", "graph_launches", "largest_launch")  # fmt: skip
    data: dict[str, Any] = {
        f"{name}_us": number(getattr(totals, name), unit="us") for name in times
    }
    data |= {name: getattr(totals, name) for name in counts}
    data["streams"] = [
        {
            "pid": stream.pid,
            "tid": stream.tid,
            "events": stream.events,
            "sum_us": number(stream.sum, unit="us"),
            "busy_us": number(stream.busy, unit="us"),
        }
        for stream in totals.streams
    ]
    return data


def details(rank: Rank) -> dict[str, Any]:
    """One trace as JSON data: names in full, times in microseconds with all their digits."""
    trace = rank.trace
    extent = None
    if trace.first is not None and trace.last is not None:
        extent = number(trace.last - trace.first, unit="us")
    return {
        "trace": str(trace.path),
        "device": rank.card.name,
        "vendor": rank.card.vendor,
        "compute_capability": rank.card.compute_capability,
        "devices": list(rank.totals.devices),
        "events": trace.events,
        "complete_events": trace.complete_events,
        "span_us": extent,
        "annotations": trace.annotations,
        "annotation_sum_us": number(trace.annotation_ticks, unit="us"),
        "copies_as_kernels": trace.as_kernels,
        "profiler_steps": len(trace.profiler_steps),
        "launch_calls": dict(sorted(trace.launch_calls.items())),
        "shares": shares(rank),
        "generation_in_name": {
            stated: {"kernels": count, "sum_us": number(ticks, unit="us")}
            for stated, (count, ticks) in rank.generations.items()
        },
        **_totals_data(rank),
        "table": [
            {
                "name": row.name,
                "label": row.label,
                "decided_by": row.decided_by,
                "count": row.count,
                "sum_us": number(row.ticks, unit="us"),
                "mean_us": float(number(row.ticks, unit="us")) / row.count,
                "share": row.ticks / rank.totals.device_sum,
            }
            for row in rank.rows
        ],
    }
