"""Impact on long chains, wide fans and corrections of corrections."""

import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st
from inline import TODAY, Ledger

from ledger.fold import fold
from ledger.impact import all_carriers, carriers, impact


def chain(size: int) -> Ledger:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    for i in range(1, size):
        book.claim(f"c-{i}", rests_on=((f"c-{i - 1}",),))
    return book


def test_a_chain_of_5000_takes_no_recursion_and_little_memory() -> None:
    book = chain(5_000)
    tracemalloc.start()
    found = impact(book, "e-1", as_of=TODAY)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [f.claim for f in found.falls] == [f"c-{i}" for i in range(5_000)]
    assert len(found.falls[-1].path) == 5_001
    assert found.falls[2].path == ("e-1", "c-0", "c-1", "c-2")
    # A tuple for each of the paths would take 100 MB.
    assert peak < 40_000_000


def test_the_carriers_of_a_long_chain_are_one_tuple() -> None:
    folded = fold(chain(5_000), as_of=TODAY)
    found = all_carriers(folded)
    assert set(found) == set(folded.claims)
    assert found["c-4999"] == ("e-1",)
    assert len({id(carried) for carried in found.values()}) == 1


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.lists(st.integers(0, 9), max_size=3), st.lists(st.integers(0, 3), max_size=2)),
        max_size=10,
    )
)
def test_all_carriers_agrees_with_carriers(rows: list[tuple[list[int], list[int]]]) -> None:
    book = Ledger()
    for i in range(4):
        book.evidence(f"e-{i}")
    for i, (below, measured) in enumerate(rows):
        members = tuple(f"c-{n}" if n < i else f"e-{n % 4}" for n in below)
        book.claim(f"c-{i}", rests_on=(members,), evidence=tuple(f"e-{n}" for n in set(measured)))
    folded = fold(book, as_of=TODAY)
    expected = {i: carriers(folded, i) for i, s in folded.claims.items() if s.is_in}
    assert all_carriers(folded) == expected


def test_a_wide_fan_falls_in_the_order_of_ids() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    for i in range(300):
        book.claim(f"c-fan{i:03d}", rests_on=(("c-0",),))
        book.claim(f"c-top{i:03d}", rests_on=((f"c-fan{i:03d}",),))
    book.retract("r-1", "e-1")
    falls = impact(book, "r-1", as_of=TODAY).falls
    names = [f.claim for f in falls]
    assert names == [
        "c-0",
        *(f"c-fan{i:03d}" for i in range(300)),
        *(f"c-top{i:03d}" for i in range(300)),
    ]
    assert falls[-1].path == ("e-1", "c-0", "c-fan299", "c-top299")


def test_a_verdict_explains_what_falls_through_the_claim_it_refutes() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-1", evidence=("e-1",))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-3", rests_on=(("c-2",), ("e-1",)))
    book.verdict("v-1", "c-1", "e-2", "refutes")
    found = impact(book, "v-1", as_of=TODAY)
    assert [f.path for f in found.falls] == [("e-2", "c-1"), ("e-2", "c-1", "c-2")]
    assert [s.path for s in found.survives] == [("e-2", "c-1", "c-2", "c-3")]


def test_a_second_support_takes_nothing_down_and_names_no_survivor() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-1", evidence=("e-1",))
    book.verdict("v-1", "c-1", "e-2", "supports")
    found = impact(book, "v-1", as_of=TODAY)
    assert (found.falls, found.survives, found.rises, found.changes) == ((), (), (), {})


def test_a_retracted_correction_is_explained_from_what_it_corrected() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "a"})
    book.claim("c-1", about={"seat": "b"}, expires="2026-12-31")
    book.verdict("v-1", "c-1", "e-1", "supports")
    book.claim("c-2", rests_on=(("c-1",),))
    book.rescope("o-1", "e-1", seat="b")
    assert impact(book, "o-1", as_of=TODAY).rises == ("c-1", "c-2")
    book.retract("r-1", "o-1")
    found = impact(book, "r-1", as_of=TODAY)
    assert [f.path for f in found.falls] == [("e-1", "c-1"), ("e-1", "c-1", "c-2")]
    book.retract("r-2", "r-1")
    assert impact(book, "r-2", as_of=TODAY).rises == ("c-1", "c-2")


def test_corrections_that_name_each_other_end() -> None:
    book = Ledger()
    book.retract("r-1", "r-2")
    book.retract("r-2", "r-1")
    assert impact(book, "r-1", as_of=TODAY).falls == ()


def test_what_only_once_was_in_is_no_change() -> None:
    """Without the measurement c-1 would never have stood; nothing comes in or goes out."""
    book = Ledger()
    book.evidence("e-1", about={"seat": "a"})
    book.claim("c-1", about={"seat": "a"}, evidence=("e-1",))
    book.claim("c-late", about={"seat": "a"}, rests_on=(("e-1",),), expires="2026-06-01")
    book.claim("c-old", about={"seat": "a"}, evidence=("e-1",), expires="2026-06-01")
    book.rescope("o-1", "e-1", seat="b")
    assert fold(book, as_of=TODAY).claims["c-1"].status == "fallen"
    assert impact(book, "e-1", as_of=TODAY).changes == {}


def test_what_a_renewal_changes_is_told() -> None:
    book = Ledger()
    book.claim("c-1", expires="2026-06-01")
    book.renew("w-1", "c-1", "2026-12-31")
    assert impact(book, "w-1", as_of=TODAY).changes == {"c-1": ("expired", "provisional")}


def test_a_claim_that_falls_is_explained_by_what_falls_even_where_a_survivor_is_nearer() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-survivor", rests_on=(("e-1",), ("e-2",)))
    book.claim("c-1", evidence=("e-1",))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-top", rests_on=(("c-survivor", "c-2"),))
    found = impact(book, "e-1", as_of=TODAY)
    assert found.falls[-1].path == ("e-1", "c-1", "c-2", "c-top")
    assert [s.path for s in found.survives] == [("e-1", "c-survivor")]
