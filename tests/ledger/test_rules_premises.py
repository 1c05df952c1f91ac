import pytest
from inline import Ledger
from inline_rules import found, subjects


def test_a_derivation_from_measurements_is_not_reported() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    book.claim("c-1", rests_on=(("c-0", "e-1"),))
    book.claim("c-either", rests_on=(("c-1",), ("c-0",)))
    book.claim("c-own", evidence=("e-1",), rests_on=(("c-1",),))
    book.claim("c-alone")
    assert subjects(book, "rests-on-derivation") == []


def test_a_derivation_from_a_derivation_shows_the_weakest_path() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    book.claim("c-1", rests_on=(("c-0",),))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-side", rests_on=(("c-0",),))
    book.claim("c-3", rests_on=(("c-0", "c-side", "c-2"),))
    findings = {f.subject: f for f in found(book, "rests-on-derivation")}
    assert set(findings) == {"c-2", "c-3"}
    assert findings["c-3"].got == "c-3 <- c-2 <- c-1 (3 steps from a measurement)"
    assert findings["c-3"].level == "note"
    assert findings["c-3"].fix == "measure it and ledger settle c-1 EVIDENCE --supports | --refutes"


def test_a_long_chain_is_shortened_and_its_end_is_named() -> None:
    book = Ledger()
    book.claim("c-0")
    for i in range(1, 9):
        book.claim(f"c-{i}", rests_on=((f"c-{i - 1}",),))
    got = {f.subject: f.got for f in found(book, "rests-on-derivation")}
    assert got["c-1"] == "c-1 <- c-0"
    assert got["c-4"] == "c-4 <- c-3 <- c-2 <- c-1 <- c-0"
    assert got["c-5"] == "c-5 <- c-4 <- c-3 <- c-2 <- 1 more <- c-0"
    assert got["c-8"] == "c-8 <- c-7 <- c-6 <- c-5 <- 4 more <- c-0"


def test_the_weakest_path_ends_in_a_circle_beside_a_derived_premise() -> None:
    """c-a and c-b rest on each other and on c-x, which is derived: once an endless walk."""
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    book.claim("c-x", rests_on=(("c-0",),))
    book.claim("c-a", rests_on=(("c-x", "c-b"),))
    book.claim("c-b", rests_on=(("c-x", "c-a"),))
    book.claim("c-top", rests_on=(("c-a",),))
    [finding] = found(book, "rests-on-derivation")
    assert (finding.subject, finding.got) == ("c-top", "c-top <- c-a <- c-b")
    assert subjects(book, "circular") == ["c-a"]


def test_a_rescope_takes_down_a_claim_and_both_findings_name_the_key_and_both_values() -> None:
    book = Ledger()
    book.evidence("e-1", about={"attn": "flex"})
    book.claim("c-1", about={"attn": "flex"}, evidence=("e-1",))
    book.claim("c-2", rests_on=(("c-1",),))
    assert subjects(book, "rests-on-fallen") == []
    book.rescope("o-1", "e-1", attn="sdpa")
    first, second = found(book, "rests-on-fallen")
    assert (first.subject, second.subject) == ("c-1", "c-2")
    assert first.got == "e-1 rescoped by o-1: attn: claim flex, evidence sdpa"
    assert second.got == "c-1 fallen"
    assert {first.level, second.level} == {"error"}
    assert "ledger supersede c-1 --status WRONG" in first.fix
    # What to measure again is where it began, not everything above.
    assert second.fix.startswith("measure again and ledger settle c-1 EVIDENCE")
    assert "ledger supersede c-2 --status WRONG" in second.fix
    assert subjects(book, "scope-mismatch") == ["c-1"]


def test_a_premise_that_a_rescope_moved_out_of_scope_is_named_with_both_values() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "training"})
    book.claim("c-1", about={"seat": "training", "run": "1"}, rests_on=(("e-1",),))
    book.rescope("o-1", "e-1", seat="serving")
    [finding] = found(book, "rests-on-fallen")
    assert finding.got == "e-1 rescoped by o-1: seat: claim training, evidence serving"


def test_a_retracted_measurement_and_the_retraction_are_named() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-1", evidence=("e-1",))
    book.claim("c-on", rests_on=(("e-1",),))
    book.claim("c-two", evidence=("e-1", "e-2"))
    book.claim("c-or", rests_on=(("e-1",), ("e-2",)))
    book.retract("r-1", "e-1")
    got = {f.subject: f.got for f in found(book, "rests-on-fallen")}
    assert got == {"c-1": "e-1 retracted by r-1", "c-on": "e-1 retracted by r-1"}


def test_only_what_once_supported_the_claim_is_named_as_lost() -> None:
    """The refutation e-2 and the measurement of another seat, e-3, never carried it."""
    book = Ledger()
    for name, seat in (("e-1", "a"), ("e-2", "a"), ("e-3", "b")):
        book.evidence(name, about={"seat": seat})
    book.claim("c-1", about={"seat": "a"}, evidence=("e-1",))
    book.verdict("v-1", "c-1", "e-2", "refutes")
    book.verdict("v-2", "c-1", "e-3", "supports")
    book.retract("r-2", "e-2")
    book.retract("r-1", "e-1")
    [finding] = found(book, "rests-on-fallen")
    assert finding.got == "e-1 retracted by r-1"


@pytest.mark.parametrize("how", ["superseded", "retracted", "refuted", "disputed"])
def test_a_guess_on_a_premise_that_does_not_stand_is_an_error(how: str) -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-0")
    book.claim("c-1", rests_on=(("c-0",),))
    assert subjects(book, "rests-on-fallen") == []
    match how:
        case "superseded":
            book.supersede("s-1", "c-0")
        case "retracted":
            book.retract("r-1", "c-0")
        case _:
            book.verdict("v-1", "c-0", "e-1", "refutes")
    if how == "disputed":
        book.verdict("v-2", "c-0", "e-2", "supports")
    [finding] = found(book, "rests-on-fallen")
    assert (finding.subject, finding.got) == ("c-1", f"c-0 {how}")
    assert finding.level == "error"


def test_a_guess_on_an_expired_guess_is_a_warning_but_a_fallen_claim_an_error() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-guess", expires="2026-06-01")
    book.claim("c-1", rests_on=(("c-guess",),))
    book.claim("c-derived", rests_on=(("e-1",),), expires="2026-06-01")
    book.claim("c-2", rests_on=(("c-derived",),))
    findings = {f.subject: f for f in found(book, "rests-on-fallen")}
    assert {s: f.level for s, f in findings.items()} == {"c-1": "warning", "c-2": "error"}
    assert findings["c-1"].message.startswith("rests on what does not stand")
    assert findings["c-2"].message.startswith("its support fell")


def test_a_rescope_that_moves_nothing_out_of_scope_takes_nothing_down() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "training"})
    book.claim("c-guess")
    book.claim("c-1", about={"seat": "training"}, rests_on=(("e-1", "c-guess"),))
    book.rescope("o-1", "e-1", card="H200")
    assert subjects(book, "rests-on-fallen") == []
    assert subjects(book, "rests-on-derivation") == ["c-1"]


def test_one_set_that_still_may_hold_is_enough_and_an_empty_one_is_none() -> None:
    book = Ledger()
    book.claim("c-bad")
    book.claim("c-open")
    book.supersede("s-1", "c-bad")
    book.claim("c-1", rests_on=(("c-bad",), ("c-open",)))
    book.claim("c-2", rests_on=(("c-bad",), ()))
    assert subjects(book, "rests-on-fallen") == ["c-2"]
    [finding] = found(book, "rests-on-derivation")
    assert finding.got == "c-1 <- c-open"


def test_a_measured_claim_needs_no_premise_and_a_disputed_one_no_other_finding() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-bad")
    book.claim("c-open")
    book.claim("c-1", evidence=("e-1",), rests_on=(("c-bad",),))
    book.claim("c-2", evidence=("e-1",), rests_on=(("c-open",),))
    book.verdict("v-1", "c-2", "e-2", "refutes")
    book.supersede("s-1", "c-bad")
    for slug in ("rests-on-fallen", "rests-on-derivation"):
        assert subjects(book, slug) == []
    assert subjects(book, "disputed") == ["c-2"]


def test_an_expired_claim_with_one_measured_set_does_not_rest_on_a_derivation() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-0", evidence=("e-1",))
    book.claim("c-1", rests_on=(("c-0",),))
    book.claim("c-late", rests_on=(("c-1",), ("c-0",)), expires="2026-06-01")
    assert subjects(book, "rests-on-derivation") == []


def test_a_premise_that_is_not_there_cannot_be_settled() -> None:
    book = Ledger()
    book.claim("c-1", rests_on=(("c-gone",),))
    [finding] = found(book, "rests-on-derivation")
    assert finding.got == "c-1 <- c-gone"
    assert finding.fix.startswith("measure it and ledger settle c-1 ")


def test_a_fallen_claim_with_many_lost_premises_names_some_and_counts_the_rest() -> None:
    book = Ledger()
    for i in range(20):
        book.evidence(f"e-{i:02d}")
    book.claim("c-1", rests_on=(tuple(f"e-{i:02d}" for i in range(20)),))
    for i in range(20):
        book.retract(f"r-{i:02d}", f"e-{i:02d}")
    [finding] = found(book, "rests-on-fallen")
    assert finding.got.endswith("; 16 more")
