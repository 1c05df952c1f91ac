import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import support
from ledger.support import Fixpoint, RestsOn

NAMES = ("a", "b", "c", "d", "e")


def fixpoint(
    rests_on: RestsOn, *, premises: set[str], barred: frozenset[str] = frozenset()
) -> Fixpoint:
    """Premises that are no claims begin with m (carries) or x (does not)."""
    return support.least_fixpoint(
        rests_on, premises=premises, barred=barred, holds=lambda _, m: m.startswith("m")
    )


def test_a_claim_comes_in_by_one_whole_set() -> None:
    found = fixpoint({"a": (("b", "m1"), ("x1",)), "b": (), "c": (("b", "x1"),)}, premises={"b"})
    assert found.inside == {"a", "b"}
    assert found.holding == {"a": ("b", "m1")}
    assert (found.depth, found.nearest) == ({"b": 0, "a": 1}, {"b": 0, "a": 1})


def test_an_empty_set_a_circle_and_a_barred_claim_stay_out() -> None:
    rests_on: RestsOn = {
        "a": ((),),
        "b": (("c",),),
        "c": (("b",),),
        "d": (("m1",),),
        "e": (("d",), ("m1",)),
    }
    assert fixpoint(rests_on, premises=set(), barred=frozenset("d")).inside == {"e"}


def test_depth_is_the_weakest_and_nearest_the_shortest_way_to_a_measurement() -> None:
    rests_on: RestsOn = {
        "a": (),
        "b": (("a",),),
        "c": (("b",),),
        "d": (("a", "c"),),
        "e": (("d", "m1"),),
    }
    found = fixpoint(rests_on, premises={"a"})
    assert found.depth == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4}
    assert found.nearest == {"a": 0, "b": 1, "c": 2, "d": 1, "e": 1}


SETS = st.lists(st.sampled_from([*NAMES, "m1", "x1"]), max_size=3).map(tuple)
GRAPHS = st.fixed_dictionaries({name: st.lists(SETS, max_size=3).map(tuple) for name in NAMES})


@settings(max_examples=300, deadline=None)
@given(GRAPHS, st.sets(st.sampled_from(NAMES)), st.frozensets(st.sampled_from(NAMES)))
def test_the_fixpoint_is_what_repeated_application_gives(
    rests_on: RestsOn, premises: set[str], barred: frozenset[str]
) -> None:
    inside = set(premises)
    for _ in NAMES:
        inside |= {
            claim
            for claim, sets in rests_on.items()
            if claim not in barred
            and any(ms and all(m in inside or m == "m1" for m in ms) for ms in sets)
        }
    found = fixpoint(rests_on, premises=premises, barred=barred)
    assert found.inside == inside
    for claim, members in found.holding.items():
        assert members in rests_on[claim]
        assert found.depth[claim] == 1 + max(found.depth.get(m, 0) for m in members)
        assert 1 <= found.nearest[claim] <= found.depth[claim]


@settings(max_examples=300, deadline=None)
@given(GRAPHS, st.sets(st.sampled_from(NAMES)))
def test_cycles_are_the_claims_that_reach_each_other(
    rests_on: RestsOn, supported: set[str]
) -> None:
    free = [name for name in NAMES if name not in supported]
    edges = {(a, b) for a in free for ms in rests_on[a] for b in ms if b in free}
    reach = set(edges)
    for middle, a, b in itertools.product(free, repeat=3):
        if (a, middle) in reach and (middle, b) in reach:
            reach.add((a, b))
    together = {
        tuple(sorted(b for b in free if (a, b) in reach and (b, a) in reach))
        for a in free
        if (a, a) in reach
    }
    assert set(support.cycles(rests_on, supported=supported)) == together


@pytest.mark.parametrize("size", [5_000])
def test_long_chains_and_rings_need_no_recursion(size: int) -> None:
    chain: RestsOn = {f"c{i}": ((f"c{i - 1}",),) if i else (("m1",),) for i in range(size)}
    assert fixpoint(chain, premises=set()).depth[f"c{size - 1}"] == size
    ring: RestsOn = {f"c{i}": ((f"c{(i - 1) % size}",),) for i in range(size)}
    [group] = support.cycles(ring, supported=frozenset())
    assert len(group) == size


def test_which_set_holds_does_not_depend_on_how_strings_hash() -> None:
    """Each claim of twenty could come in by either of two measured claims."""
    code = (
        "from ledger.support import least_fixpoint\n"
        "rests = {f'c{i}': ((f'p{i}',), (f'q{i}',)) for i in range(20)}\n"
        "rests |= {f'{k}{i}': () for i in range(20) for k in 'pq'}\n"
        "ps = {k for k in rests if k[0] != 'c'}\n"
        "print(least_fixpoint(rests, premises=ps, barred=set(), holds=lambda c, m: False).holding)"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(said) == 1
