from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from probes.kernel_table.compute import Decision, overlaps, rows, totals, union
from probes.kernel_table.parse import DeviceEvent, Trace

spans = st.lists(
    st.tuples(st.integers(0, 60), st.integers(0, 15)).map(lambda pair: (pair[0], sum(pair))),
    max_size=12,
)


def _covered(intervals: list[tuple[int, int]]) -> int:
    return len({point for start, end in intervals for point in range(start, end)})


def _trace(intervals: list[tuple[int, int, int]]) -> Trace:
    trace = Trace(path=Path("t"))
    trace.streams = {("0", str(stream)): stream for stream in range(3)}
    trace.device_events = [
        DeviceEvent(start, start + length, "k", "kernel", stream, None, None, "0")
        for start, length, stream in intervals
    ]
    return trace


@given(spans)
def test_union_counts_every_covered_point_once(intervals: list[tuple[int, int]]) -> None:
    assert union(intervals) == _covered(intervals)
    assert union(reversed(intervals)) == _covered(intervals)


@given(spans)
def test_overlaps_counts_neighbours_that_begin_too_early(
    intervals: list[tuple[int, int]],
) -> None:
    ordered = sorted(intervals)
    expected = sum(ordered[i + 1][0] < ordered[i][1] for i in range(len(ordered) - 1))
    assert overlaps(intervals) == expected


@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(1, 15), st.integers(0, 2)),
        min_size=1,
        max_size=14,
    )
)
def test_sum_is_busy_and_both_overlaps(intervals: list[tuple[int, int, int]]) -> None:
    found = totals(_trace(intervals))
    assert found.device_sum == found.busy + found.same_stream_overlap + found.cross_stream_overlap
    assert found.busy == _covered([(start, start + length) for start, length, _ in intervals])
    assert found.busy <= found.device_span
    assert found.orphans == len(intervals)


def test_orphans_and_graph_launches() -> None:
    trace = _trace([(0, 1, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0)])
    correlations = [7, 7, 8, None]
    trace.device_events = [
        event._replace(correlation=correlation)
        for event, correlation in zip(trace.device_events, correlations, strict=True)
    ]
    trace.host_correlations = {7}
    found = totals(trace)
    assert (found.orphans, found.orphan_sum) == (2, 2)
    assert (found.graph_launches, found.largest_launch) == (1, 2)


def test_rows_are_never_merged_by_a_shortened_name() -> None:
    cast = "void at::native::vectorized_elementwise_kernel<4, at::native::copy>"
    gelu = "void at::native::vectorized_elementwise_kernel<4, at::native::gelu>"
    events = [
        DeviceEvent(0, 5, cast, "kernel", 0, None, None, "0"),
        DeviceEvent(5, 9, gelu, "kernel", 0, None, None, "0"),
        DeviceEvent(9, 11, gelu, "kernel", 0, None, None, "0"),
    ]
    decision = Decision(label="elementwise", decided_by="symbol")
    table = rows(events, [decision] * 3)
    assert [(row.name, row.count, row.ticks) for row in table] == [(gelu, 2, 6), (cast, 1, 5)]


def test_one_name_decided_differently_is_two_rows() -> None:
    events = [DeviceEvent(i, i + 1, "kernel0", "kernel", 0, i, None, "0") for i in range(2)]
    table = rows(
        events,
        [
            Decision(label="gemm", decided_by="operator"),
            Decision(label="unknown", decided_by="none"),
        ],
    )
    assert [(row.label, row.count) for row in table] == [("gemm", 1), ("unknown", 1)]
