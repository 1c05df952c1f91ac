"""What falls with a measurement and what survives."""

from inline import TODAY, Ledger

from ledger.impact import impact


def founding() -> Ledger:
    """A kernel table carries a share, a lever and a plan; one claim has a second leg."""
    book = Ledger()
    book.evidence("e-table", about={"attn": "flex", "run": "1"})
    book.evidence("e-live", about={"run": "1"})
    book.claim("c-share", about={"attn": "flex"}, evidence=("e-table",))
    book.claim("c-lever", rests_on=(("c-share",),))
    book.claim("c-plan", rests_on=(("c-lever",),))
    book.claim("c-buckets", evidence=("e-live",))
    book.claim("c-both", rests_on=(("c-share",), ("c-buckets",)))
    book.claim("c-other", evidence=("e-live",))
    return book


def test_a_measurement_carries_what_rests_on_it_with_the_path() -> None:
    found = impact(founding(), "e-table", as_of=TODAY)
    assert not found.correction
    assert [(f.claim, f.path) for f in found.falls] == [
        ("c-share", ("e-table", "c-share")),
        ("c-lever", ("e-table", "c-share", "c-lever")),
        ("c-plan", ("e-table", "c-share", "c-lever", "c-plan")),
    ]
    assert [(s.claim, s.carried_by) for s in found.survives] == [("c-both", ("e-live",))]


def test_a_rescope_is_compared_with_the_ledger_without_it() -> None:
    book = founding()
    book.rescope("o-1", "e-table", attn="sdpa")
    found = impact(book, "o-1", as_of=TODAY)
    assert found.correction
    assert [f.claim for f in found.falls] == ["c-share", "c-lever", "c-plan"]
    assert found.falls[0].path == ("e-table", "c-share")
    assert {f.status for f in found.falls} == {"fallen"}
    assert [s.claim for s in found.survives] == ["c-both"]
    assert impact(book, "e-table", as_of=TODAY).falls == ()


def test_unrelated_claims_are_not_mentioned() -> None:
    found = impact(founding(), "e-table", as_of=TODAY)
    named = {f.claim for f in found.falls} | {s.claim for s in found.survives}
    assert "c-other" not in named
    assert "c-buckets" not in named


def test_a_supersession_takes_down_what_rests_on_the_claim_but_the_evidence_stays() -> None:
    book = founding()
    book.supersede("s-1", "c-share")
    found = impact(book, "s-1", as_of=TODAY)
    assert [(f.claim, f.status) for f in found.falls] == [
        ("c-share", "superseded"),
        ("c-lever", "fallen"),
        ("c-plan", "fallen"),
    ]


def test_taking_away_a_refutation_lets_the_claim_rise() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-1", evidence=("e-1",))
    book.claim("c-2", rests_on=(("c-1",),))
    book.verdict("v-1", "c-1", "e-2", "refutes")
    found = impact(book, "e-2", as_of=TODAY)
    assert found.rises == ("c-1", "c-2")
    assert found.changes == {"c-1": ("disputed", "measured"), "c-2": ("fallen", "derived")}


def test_what_falls_together_comes_in_the_order_of_recording() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    for name in ("c-z", "c-m", "c-a"):
        book.claim(name, evidence=("e-1",))
        book.claim(f"{name}2", evidence=("e-1", "e-2"))
    for below, name in (("c-m", "c-9"), ("c-z", "c-8"), ("c-z", "c-7")):
        book.claim(name, rests_on=((below,),))
    found = impact(book, "e-1", as_of=TODAY)
    assert [f.claim for f in found.falls] == ["c-z", "c-m", "c-a", "c-8", "c-7", "c-9"]
    assert [s.claim for s in found.survives] == ["c-z2", "c-m2", "c-a2"]
    book.retract("r-1", "e-1")
    book.retract("r-2", "r-1")
    rises = impact(book, "r-2", as_of=TODAY).rises
    assert rises == ("c-z", "c-m", "c-a", "c-9", "c-8", "c-7")


def test_a_claim_with_a_surviving_disjunct_below_a_survivor_has_its_own_path() -> None:
    book = founding()
    book.claim("c-top", rests_on=(("c-both",),))
    found = impact(book, "e-table", as_of=TODAY)
    assert [(s.claim, s.path[-2]) for s in found.survives] == [
        ("c-both", "c-share"),
        ("c-top", "c-both"),
    ]
