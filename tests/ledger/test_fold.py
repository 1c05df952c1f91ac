"""Status is computed: each test states a ledger in its docstring or first lines."""

import itertools
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline import LATER, TODAY, Ledger, expects

from ledger.entry import Instrument, Quantity
from ledger.fold import Fold, Status, fold
from ledger.kinds import STATUSES


def statuses(ledger: Ledger, as_of: str = TODAY) -> dict[str, str]:
    return {i: s.status for i, s in fold(ledger, as_of=as_of).claims.items()}


def test_every_status_can_be_reached() -> None:
    """One claim for each status of the design."""
    book = Ledger()
    book.evidence("e-1", 35.0, about={"seat": "training"})
    book.evidence("e-2", 35.0)
    book.claim("c-measured", evidence=("e-1",), about={"seat": "training"})
    book.claim("c-refuted", expects=expects("step", "<", 30, unit="s"), evidence=("e-1",))
    book.claim("c-disputed", evidence=("e-1",))
    book.verdict("v-1", "c-disputed", "e-2", "refutes")
    book.claim("c-derived", rests_on=(("c-measured",),))
    book.claim("c-provisional")
    book.claim("c-expired", expires="2026-06-14")
    book.evidence("e-3")
    book.claim("c-fallen", evidence=("e-3",))
    book.retract("r-1", "e-3")
    book.claim("c-retracted")
    book.retract("r-2", "c-retracted")
    book.claim("c-superseded")
    book.supersede("s-1", "c-superseded")
    found = statuses(book)
    assert found == {f"c-{status}": status for status in found.values()}
    assert set(found.values()) == set(STATUSES) == set(get_args(Status))


def test_a_claim_is_valid_on_its_expiry_date_and_expired_the_day_after() -> None:
    book = Ledger()
    book.claim("c-1", expires="2026-07-01")
    assert statuses(book, "2026-07-01") == {"c-1": "provisional"}
    assert statuses(book, "2026-07-02") == {"c-1": "expired"}
    book.renew("w-1", "c-1", "2026-08-01")
    assert statuses(book, "2026-07-02") == {"c-1": "provisional"}
    book.retract("r-1", "w-1")
    assert statuses(book, "2026-07-02") == {"c-1": "expired"}


def test_a_measurement_does_not_expire_but_a_derivation_from_it_does() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", evidence=("e-1",), expires="2026-06-10")
    book.claim("c-2", rests_on=(("c-1",),), expires="2026-06-10")
    assert statuses(book) == {"c-1": "measured", "c-2": "expired"}


@pytest.mark.parametrize(
    ("claim", "evidence", "status"),
    [
        ({"seat": "training"}, {"seat": "training"}, "measured"),
        ({"seat": "training"}, {"seat": "serving"}, "provisional"),
        ({"seat": "training"}, {}, "provisional"),
        ({}, {"seat": "serving"}, "measured"),
        ({"mask": None}, {"mask": None}, "measured"),
        ({"mask": None}, {}, "provisional"),
        ({"mask": None}, {"mask": "none"}, "provisional"),
        ({"attn": "flex"}, {"attn.requested": "flex"}, "provisional"),
    ],
)
def test_scope_matches_only_when_every_stated_key_is_stated_with_the_same_value(
    claim: dict[str, str | None], evidence: dict[str, str | None], status: str
) -> None:
    book = Ledger()
    book.evidence("e-1", about=evidence)
    book.claim("c-1", about=claim, evidence=("e-1",), expires=LATER)
    assert statuses(book) == {"c-1": status}


def test_a_rescope_takes_the_claim_down_and_another_gives_it_back() -> None:
    book = Ledger()
    book.evidence("e-1", about={"attn": "flex", "seat": "training"})
    book.claim("c-1", about={"attn": "flex"}, evidence=("e-1",))
    book.rescope("o-1", "e-1", attn="sdpa")
    folded = fold(book, as_of=TODAY)
    assert folded.claims["c-1"].status == "fallen"
    assert folded.evidence["e-1"].about == {"attn": "sdpa", "seat": "training"}
    assert str(folded.claims["c-1"].links[0].mismatches[0]) == "attn: claim flex, evidence sdpa"
    book.rescope("o-2", "e-1", attn="flex")
    assert statuses(book) == {"c-1": "measured"}
    book.rescope("o-3", "e-1", unstated=("attn",))
    assert statuses(book) == {"c-1": "fallen"}
    book.retract("r-1", "o-3")
    assert statuses(book) == {"c-1": "measured"}


def test_a_derivation_from_another_configuration_stands_until_a_rescope_moves_its_premise() -> None:
    book = Ledger()
    book.evidence("e-other", about={"seat": "serving"})
    book.evidence("e-same", about={"seat": "training"})
    book.claim("c-other", about={"seat": "training"}, rests_on=(("e-other",),))
    book.claim("c-same", about={"seat": "training"}, rests_on=(("e-same",),))
    assert statuses(book) == {"c-other": "derived", "c-same": "derived"}
    book.rescope("o-1", "e-same", seat="serving")
    assert statuses(book) == {"c-other": "derived", "c-same": "fallen"}


def test_rests_on_is_an_or_of_ands() -> None:
    book = Ledger()
    for name in ("e-1", "e-2", "e-3"):
        book.evidence(name)
    book.claim("c-1", rests_on=(("e-1", "e-2"), ("e-3",)))
    assert statuses(book) == {"c-1": "derived"}
    book.retract("r-1", "e-1")
    assert statuses(book) == {"c-1": "derived"}
    book.retract("r-2", "e-3")
    assert statuses(book) == {"c-1": "fallen"}


def test_an_empty_set_and_a_cycle_support_nothing() -> None:
    book = Ledger()
    book.claim("c-empty", rests_on=((),))
    book.claim("c-1", rests_on=(("c-2",),))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-self", rests_on=(("c-self",),))
    folded = fold(book, as_of=TODAY)
    assert {s.status for s in folded.claims.values()} == {"provisional"}
    assert set(folded.circular()) == {("c-1", "c-2"), ("c-self",)}


def test_a_cycle_with_outside_support_is_in_and_falls_with_it() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", rests_on=(("c-2",), ("e-1",)))
    book.claim("c-2", rests_on=(("c-1",),))
    assert statuses(book) == {"c-1": "derived", "c-2": "derived"}
    assert fold(book, as_of=TODAY).circular() == ()
    book.retract("r-1", "e-1")
    assert statuses(book) == {"c-1": "fallen", "c-2": "fallen"}


def test_what_rests_on_a_refuted_disputed_expired_or_superseded_claim_falls() -> None:
    book = Ledger()
    book.evidence("e-0")
    book.evidence("e-1")
    for kind in ("refuted", "disputed", "superseded", "expired"):
        expires = "2026-06-10" if kind == "expired" else LATER
        book.claim(f"c-{kind}", rests_on=(("e-0",),), expires=expires)
        book.claim(f"c-on-{kind}", rests_on=((f"c-{kind}",),))
    book.verdict("v-1", "c-refuted", "e-1", "refutes")
    book.verdict("v-2", "c-disputed", "e-1", "refutes")
    book.evidence("e-2")
    book.verdict("v-3", "c-disputed", "e-2", "supports")
    book.supersede("s-1", "c-superseded")
    found = statuses(book)
    for kind in ("refuted", "disputed", "superseded", "expired"):
        assert found[f"c-{kind}"] == kind
        assert found[f"c-on-{kind}"] == "fallen"


def test_a_retracted_retraction_gives_the_entry_back_whatever_the_clocks_say() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", evidence=("e-1",))
    book.retract("r-3", "r-2")
    book.retract("r-2", "r-1")
    book.retract("r-1", "e-1")
    assert statuses(book) == {"c-1": "fallen"}
    del book["r-3"]
    assert statuses(book) == {"c-1": "measured"}


def test_the_latest_verdict_on_a_pair_is_in_force_and_expects_overrules_a_word() -> None:
    book = Ledger()
    book.evidence("e-1", 35.0)
    book.claim("c-word")
    book.claim("c-expects", expects=expects("step", ">=", 30, unit="s"))
    book.verdict("v-1", "c-word", "e-1", "supports")
    book.verdict("v-2", "c-word", "e-1", "refutes")
    book.verdict("v-3", "c-expects", "e-1", "refutes")
    folded = fold(book, as_of=TODAY)
    assert folded.claims["c-word"].status == "refuted"
    assert folded.claims["c-expects"].status == "measured"
    assert folded.claims["c-expects"].links[0].overruled == "refutes"


def test_a_verdict_from_another_scope_that_arrives_by_merge_is_ignored() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "serving"})
    book.claim("c-1", about={"seat": "training"})
    book.verdict("v-1", "c-1", "e-1", "supports")
    assert statuses(book) == {"c-1": "provisional"}


def test_depth_and_nearest_measurement() -> None:
    """c-3 rests on a measured claim and on a derivation of a derivation."""
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    book.claim("c-1", rests_on=(("c-0",),))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-3", rests_on=(("c-0", "c-2"),))
    found = fold(book, as_of=TODAY).claims
    assert [(found[c].depth, found[c].nearest) for c in ("c-0", "c-1", "c-2", "c-3")] == [
        (0, 0),
        (1, 1),
        (2, 2),
        (3, 1),
    ]


def test_references_to_nothing_are_harmless() -> None:
    book = Ledger()
    book.claim("c-1", evidence=("e-gone",), rests_on=(("c-gone",),), expires=LATER)
    book.verdict("v-1", "c-gone", "e-gone", "supports")
    book.supersede("s-1", "c-gone")
    book.rescope("o-1", "e-gone", seat="x")
    book.renew("w-1", "c-gone", LATER)
    assert statuses(book) == {"c-1": "provisional"}


NAMES = [f"c-{n}" for n in range(5)]
PREMISES = [*NAMES, "e-0", "e-1"]


@st.composite
def books(draw: st.DrawFn) -> Ledger:
    book = Ledger()
    interval = st.sampled_from([(1.0, 2.0), (5.0, 9.0), (2.0, 6.0)])
    for name in ("e-0", "e-1"):
        low, high = draw(interval)
        quantity = Quantity(name="step", value=low, low=low, high=high, unit="s")
        seat = draw(st.sampled_from([{}, {"seat": "a"}, {"seat": "b"}]))
        book.evidence(
            name, about=seat, quantities=(quantity,), instrument=Instrument(name="x", version="1")
        )
    for name in NAMES:
        book.claim(
            name,
            about=draw(st.sampled_from([{}, {"seat": "a"}])),
            rests_on=tuple(
                tuple(draw(st.lists(st.sampled_from(PREMISES), max_size=2)))
                for _ in range(draw(st.integers(0, 2)))
            ),
            evidence=tuple(draw(st.sets(st.sampled_from(["e-0", "e-1"]), max_size=1))),
            expects=draw(st.sampled_from([None, expects("step", ">=", 4, unit="s")])),
            expires=draw(st.sampled_from(["2026-06-10", LATER])),
        )
    for number in range(draw(st.integers(0, 5))):
        target = draw(st.sampled_from(PREMISES + [k for k in book if k[0] in "vsro"]))
        match draw(st.sampled_from("vsro")):
            case "v":
                book.verdict(
                    f"v-{number}",
                    draw(st.sampled_from(NAMES)),
                    "e-0",
                    draw(st.sampled_from(["supports", "refutes"])),
                )
            case "s" if target[0] == "c":
                book.supersede(f"s-{number}", target)
            case "o" if target[0] == "e":
                book.rescope(f"o-{number}", target, seat=draw(st.sampled_from("ab")))
            case _:
                book.retract(f"r-{number}", target)
    return book


def summary(folded: Fold) -> object:
    return (
        folded.claims,
        folded.evidence,
        folded.retracted,
        folded.supersessions,
        set(folded.circular()),
    )


@settings(max_examples=200, deadline=None)
@given(books(), st.randoms(use_true_random=False))
def test_fold_is_independent_of_the_order_of_entries(book: Ledger, random: object) -> None:
    items = list(book.items())
    random.shuffle(items)  # type: ignore[attr-defined]
    assert summary(fold(dict(items), as_of=TODAY)) == summary(fold(book, as_of=TODAY))


def brute_force_in(folded: Fold) -> set[str]:
    """The intersection of all sets of claims closed under the justifications: the least one."""
    best: set[str] | None = None
    names = list(folded.claims)
    for size in range(len(names) + 1):
        for chosen in itertools.combinations(names, size):
            inside = set(chosen)
            if _closed(folded, inside):
                best = inside if best is None else best & inside
    return best or set()


def _closed(folded: Fold, inside: set[str]) -> bool:
    for name, state in folded.claims.items():
        if state.status == "measured" and name not in inside:
            return False
        barred = state.status in {"retracted", "superseded", "refuted", "disputed"} or (
            (state.expires or LATER) < TODAY
        )
        if barred or name in inside:
            continue
        for members in folded.claim(name).rests_on:
            if members and all(
                m in inside if m in folded.claims else _carries(folded, name, m) for m in members
            ):
                return False
    return True


def _carries(folded: Fold, claim: str, evidence: str) -> bool:
    state = folded.evidence[evidence]
    about, original = folded.claim(claim).about, folded.measurement(evidence).about
    now = any(k in state.about and state.about[k] != v for k, v in about.items())
    then = any(k in original and original[k] != v for k, v in about.items())
    return state.live and (not now or then or not state.rescopes)


@settings(max_examples=150, deadline=None)
@given(books())
def test_in_is_the_least_closed_set(book: Ledger) -> None:
    folded = fold(book, as_of=TODAY)
    assert {name for name, state in folded.claims.items() if state.is_in} == brute_force_in(folded)
