import json
from decimal import Decimal
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from probes.kernel_table.parse import _Extent
from probes.kernel_table.stream import Event
from probes.kernel_table.ticks import PLACES

BASES = (0, 5097693570561, 1790857026000000)
times = st.tuples(st.sampled_from(BASES), st.integers(0, 4000), st.integers(0, 4000))
"""Which base, and ten-thousandths of a microsecond; on the largest base a float holds 0.25."""


def _decoded(rows: list[tuple[str, str]]) -> list[Event]:
    text = ",".join(f'{{"ph": "X", "ts": {ts}, "dur": {dur}}}' for ts, dur in rows)
    return msgspec.json.decode(f"[{text}]".encode(), type=list[Event])


@given(st.lists(st.lists(times, max_size=6), min_size=1, max_size=5), st.sampled_from(BASES))
def test_first_and_last_are_exact_whatever_a_float_can_hold(
    batches: list[list[tuple[int, int, int]]], base: int
) -> None:
    extent = _Extent()
    starts: list[Decimal] = []
    ends: list[Decimal] = []
    for batch in batches:
        rows = [
            (f"{base}.{start:04}" if at == base else f"{at + start}.5", f"0.{length:04}")
            for at, start, length in batch
        ]
        starts += [Decimal(ts) for ts, _ in rows]
        ends += [Decimal(ts) + Decimal(dur) for ts, dur in rows]
        extent.add(_decoded(rows))
    scale = 10**PLACES
    assert extent.exact() == (
        min((int(start * scale) for start in starts), default=None),
        max((int(end * scale) for end in ends), default=None),
    )


def test_ends_that_are_one_float_are_told_apart() -> None:
    rows = [("1790857026000000.01", "0.04"), ("1790857026000000.01", "0.03")]
    late = int(Decimal("1790857026000000.05") * 10**PLACES)
    for ordered in (rows, rows[::-1]):
        extent = _Extent()
        extent.add(_decoded(ordered))
        assert extent.exact()[1] == late


def test_events_without_usable_times_are_passed_over() -> None:
    odd: list[Any] = [None, "x", -1, 1e300, [], {}]
    events: list[dict[str, Any]] = [{"ph": "X", "ts": 5, "dur": value} for value in odd]
    far: list[Any] = [None, "x", -1e300, []]
    events += [{"ph": "X", "ts": value, "dur": 1} for value in far]
    events += [{"ph": "B", "ts": 0, "dur": 99}, {"ph": "X", "ts": 10, "dur": 2}]
    extent = _Extent()
    extent.add(msgspec.json.decode(json.dumps(events), type=list[Event]))
    assert extent.exact() == (10 * 10**PLACES, 12 * 10**PLACES)
    assert _Extent().exact() == (None, None)
