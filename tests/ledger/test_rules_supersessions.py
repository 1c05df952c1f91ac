import pytest
from inline import Ledger
from inline_rules import found, subjects

from ledger.entry import By
from ledger.rules.chains import End, ends, rings


def test_supersession_unmeasured_says_the_same_again_with_evidence() -> None:
    book = Ledger()
    book.claim("c-1", "attention is 62% of a step")
    book.supersede("s-1", "c-1", "NOT A FLAG", replaced_by="it's 21% at 2,048")
    [finding] = found(book, "supersession-unmeasured")
    assert (finding.subject, finding.level) == ("c-1", "warning")
    assert finding.got == "NOT A FLAG by s-1, no evidence"
    assert finding.fix == ("ledger supersede c-1 --status 'NOT A FLAG' --evidence EVIDENCE")
    book.evidence("e-1")
    book.supersede("s-2", "c-1", "NOT A FLAG", replaced_by="it's 21% at 2,048", evidence=("e-1",))
    assert subjects(book, "supersession-unmeasured") == []
    assert subjects(book, "supersession-conflict") == []


def test_evidence_a_measured_replacement_or_a_refutation_measures_a_supersession() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-evidence")
    book.supersede("s-1", "c-evidence", evidence=("e-1",))
    book.claim("c-new", evidence=("e-1",))
    book.claim("c-replaced")
    book.supersede("s-2", "c-replaced", replaced_by="c-new")
    book.claim("c-refuted")
    book.verdict("v-1", "c-refuted", "e-1", "refutes")
    book.supersede("s-3", "c-refuted")
    assert subjects(book, "supersession-unmeasured") == []
    book.retract("r-1", "e-1")
    got = {f.subject: f.got for f in found(book, "supersession-unmeasured")}
    assert got == {
        "c-evidence": "WRONG by s-1, e-1 fell",
        "c-replaced": "WRONG by s-2, no evidence",
        "c-refuted": "WRONG by s-3, no evidence",
    }


def test_evidence_of_another_configuration_or_for_the_claim_measures_no_supersession() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "training"})
    book.claim("c-1", about={"seat": "training"})
    book.supersede("s-1", "c-1", evidence=("e-1",))
    assert subjects(book, "supersession-unmeasured") == []
    book.rescope("o-1", "e-1", seat="serving")
    [finding] = found(book, "supersession-unmeasured")
    assert "e-1 was taken of another configuration (seat: claim training" in finding.got
    book.claim("c-2", evidence=("e-1",))
    book.supersede("s-2", "c-2", evidence=("e-1",))
    got = {f.subject: f.got for f in found(book, "supersession-unmeasured")}
    assert got["c-2"] == "WRONG by s-2, e-1 supports the claim"


def test_an_adopted_table_without_measurements_is_a_note() -> None:
    book = Ledger()
    book.claim("c-1", by=By(name="playbook.md", role="document"))
    book.supersede("s-1", "c-1")
    [finding] = found(book, "supersession-unmeasured")
    assert finding.level == "note"


def test_supersessions_that_disagree() -> None:
    book = Ledger()
    book.claim("c-1")
    book.supersede("s-1", "c-1", "WRONG", replaced_by="one")
    book.supersede("s-2", "c-1", "WRONG", replaced_by="another")
    book.claim("c-agree")
    book.supersede("s-3", "c-agree", "WRONG", replaced_by="one")
    book.supersede("s-4", "c-agree", "WRONG", replaced_by="one")
    [finding] = found(book, "supersession-conflict")
    assert (finding.subject, finding.level) == ("c-1", "error")
    assert finding.got == "s-1 WRONG, replaced by “one”; s-2 WRONG, replaced by “another”"
    assert finding.fix.startswith("take back what does not hold, ledger retract s-1 --reason TEXT")
    book.retract("r-1", "s-1")
    assert subjects(book, "supersession-conflict") == []


@pytest.mark.parametrize("length", [1, 2, 3])
def test_a_ring_of_replacements_is_one_finding_and_no_replaced_by_fallen(length: int) -> None:
    book = Ledger()
    for i in range(length):
        book.claim(f"c-{i}")
    for i in range(length):
        book.supersede(f"s-{i}", f"c-{i}", replaced_by=f"c-{(i + 1) % length}")
    book.claim("c-before")
    book.supersede("s-before", "c-before", replaced_by="c-0")
    [finding] = found(book, "supersession-conflict")
    names = [*(f"c-{i}" for i in range(length)), "c-0"]
    assert (finding.subject, finding.got) == ("c-0", " -> ".join(names))
    assert finding.fix.startswith("take one of them back, ledger retract s-0 --reason TEXT")
    assert subjects(book, "replaced-by-fallen") == ["c-before"]


@pytest.mark.parametrize("how", ["retracted", "refuted", "fallen", "superseded", "expired"])
def test_replaced_by_fallen(how: str) -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-old")
    expires = "2026-06-01" if how == "expired" else "2026-12-31"
    evidence = ("e-1",) if how == "fallen" else ()
    book.claim("c-new", evidence=evidence, expires=expires)
    book.supersede("s-1", "c-old", "WRONG", replaced_by="c-new")
    match how:
        case "retracted":
            book.retract("r-1", "c-new")
        case "refuted":
            book.verdict("v-1", "c-new", "e-2", "refutes")
        case "fallen":
            book.retract("r-1", "e-1")
        case "superseded":
            book.supersede("s-2", "c-new", replaced_by="neither")
    [finding] = found(book, "replaced-by-fallen")
    assert (finding.subject, finding.level, finding.got) == ("c-old", "error", f"c-new is {how}")
    assert finding.fix == (
        "name one that stands, ledger supersede c-old --status WRONG --replaced-by TEXT, "
        "then ledger retract s-1 --reason TEXT"
    )


def test_a_replacement_that_was_replaced_points_to_the_end_of_the_chain() -> None:
    book = Ledger()
    book.evidence("e-1")
    for i in range(3):
        book.claim(f"c-{i}")
    book.claim("c-3", evidence=("e-1",))
    for i in range(3):
        book.supersede(f"s-{i}", f"c-{i}", replaced_by=f"c-{i + 1}", evidence=("e-1",))
    first, second = found(book, "replaced-by-fallen")
    assert (first.subject, second.subject) == ("c-0", "c-1")
    assert first.got == "c-1 is superseded, in the end replaced by c-3"
    assert "--replaced-by c-3 --evidence e-1, then ledger retract s-0" in first.fix


def test_a_replacement_that_stands_is_no_finding() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-measured", evidence=("e-1",))
    book.claim("c-derived", rests_on=(("e-1",),))
    book.claim("c-provisional")
    for name in ("measured", "derived", "provisional"):
        book.claim(f"c-old-{name}")
        book.supersede(f"s-{name}", f"c-old-{name}", replaced_by=f"c-{name}")
    assert subjects(book, "replaced-by-fallen") == []


def test_ends_and_rings_of_a_mapping() -> None:
    following = {"a": "b", "b": "c", "c": "b", "d": "e", "x": "x", "y": "d"}
    assert ends(following) == {
        "a": End(last="c", steps=2),
        "b": End(last="c", steps=1),
        "c": End(last="c", steps=0),
        "d": End(last="e", steps=1),
        "x": End(last="x", steps=0),
        "y": End(last="e", steps=2),
    }
    assert list(rings(following)) == [("b", "c"), ("x",)]
