import pytest
from inline import LATER, Ledger, expects
from inline_rules import found, subjects

from ledger.entry import By
from ledger.rules import Facts


def test_expired_unsettled() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-late", "attention is 62% of a step", expires="2026-06-14")
    book.claim("c-today", expires="2026-06-15")
    book.claim("c-measured", evidence=("e-1",), expires="2026-06-01")
    book.claim("c-gone", expires="2026-06-01")
    book.retract("r-1", "c-gone")
    book.claim("c-renewed", expires="2026-06-01")
    book.renew("w-1", "c-renewed", LATER)
    [finding] = found(book, "expired-unsettled")
    assert (finding.subject, finding.level) == ("c-late", "warning")
    assert finding.got == "expired after 2026-06-14"
    assert finding.message.endswith(": “attention is 62% of a step”")
    settle = "measure it and ledger settle c-late EVIDENCE --supports | --refutes"
    assert finding.fix.startswith(settle)
    assert "ledger renew c-late" in finding.fix


def test_expiring_soon() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-soon", expires="2026-06-29")
    book.claim("c-derived", rests_on=(("e-1",),), expires="2026-06-29")
    book.claim("c-later", expires="2026-06-30")
    book.claim("c-measured", evidence=("e-1",), expires="2026-06-29")
    book.claim("c-expired", expires="2026-06-01")
    assert subjects(book, "expiring-soon", Facts(soon="2026-06-29")) == ["c-derived", "c-soon"]
    assert found(book, "expiring-soon", Facts(soon="2026-06-29"))[0].level == "note"
    assert subjects(book, "expiring-soon") == []


def test_unsupported_says_why_no_measurement_decides() -> None:
    book = Ledger()
    book.evidence("e-other", 35.0, about={"seat": "serving"})
    book.evidence("e-wide", 35.0)
    book.claim("c-word", basis="measurement")
    book.claim("c-other", basis="measurement", about={"seat": "training"}, evidence=("e-other",))
    book.claim("c-open", evidence=("e-wide",), expects=expects("loss", ">", 1))
    book.verdict("v-1", "c-open", "e-wide", "inconclusive")
    got = {f.subject: f.got for f in found(book, "unsupported")}
    assert got["c-word"] == "no measurement is linked"
    assert got["c-other"] == "e-other is of another scope, and no expiry date"
    assert got["c-open"].startswith("e-wide is inconclusive (does not measure loss")
    assert all(f.level == "warning" for f in found(book, "unsupported"))


def test_unsupported_spares_derivations_that_expire_and_what_is_settled() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-derivation")
    book.claim("c-measured", basis="measurement", evidence=("e-1",))
    book.claim("c-superseded", basis="measurement")
    book.supersede("s-1", "c-superseded")
    assert subjects(book, "unsupported") == []


def test_disputed_names_both_sides() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-1", evidence=("e-1",))
    book.claim("c-2", evidence=("e-1",))
    book.verdict("v-1", "c-1", "e-2", "refutes")
    book.verdict("v-2", "c-2", "e-2", "inconclusive")
    [finding] = found(book, "disputed")
    assert (finding.subject, finding.level) == ("c-1", "error")
    assert finding.got == "supported by e-1; refuted by e-2"
    assert "ledger supersede c-1 --status" in finding.fix


def test_circular() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", rests_on=(("c-2",),))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-self", rests_on=(("c-self",),))
    book.claim("c-line", rests_on=(("c-1",),))
    book.claim("c-3", rests_on=(("c-4",), ("e-1",)))
    book.claim("c-4", rests_on=(("c-3",),))
    findings = found(book, "circular")
    assert [(f.subject, f.got, f.level) for f in findings] == [
        ("c-1", "c-1 <-> c-2", "error"),
        ("c-self", "c-self", "error"),
    ]
    assert findings[0].fix == "measure it and ledger settle c-1 EVIDENCE --supports | --refutes"
    assert findings[1].message.startswith("it rests on itself")
    assert sorted(subjects(book, "rests-on-derivation")) == ["c-4", "c-line"]


@pytest.mark.parametrize("end", ["retract", "supersede", "refute"])
def test_a_circle_ends_when_one_of_its_claims_is_withdrawn(end: str) -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", rests_on=(("c-2",),))
    book.claim("c-2", rests_on=(("c-1",),))
    if end == "retract":
        book.retract("r-1", "c-1")
    elif end == "supersede":
        book.supersede("s-1", "c-1")
    else:
        book.verdict("v-1", "c-1", "e-1", "refutes")
    assert subjects(book, "circular") == []
    assert subjects(book, "rests-on-fallen") == ["c-2"]


def panel() -> Ledger:
    """Three arms say the same; arm-1 was first."""
    book = Ledger()
    book.claim("c-1", "attention is most of it", by=By(name="arm-1"))
    book.claim("c-2", "so it is", by=By(name="arm-2"), echoes=("c-1",))
    book.claim("c-3", "so it is, again", by=By(name="arm-3"), echoes=("c-1",))
    return book


def test_agreement_only() -> None:
    book = panel()
    book.claim("c-own", by=By(name="arm-9"))
    book.claim("c-again", by=By(name="arm-9"), echoes=("c-own",))
    [finding] = found(book, "agreement-only")
    assert (finding.subject, finding.level) == ("c-1", "warning")
    assert finding.got == "arm-1 and arm-2, arm-3 say so; no measurement does"


def test_agreement_is_not_all_once_one_of_them_is_measured_or_withdrawn() -> None:
    book = panel()
    book.evidence("e-1")
    book.verdict("v-1", "c-1", "e-1", "supports")
    assert subjects(book, "agreement-only") == []
    book = panel()
    book.evidence("e-1")
    book.verdict("v-1", "c-2", "e-1", "supports")
    assert subjects(book, "agreement-only") == []
    book = panel()
    book.retract("r-1", "c-2")
    book.retract("r-2", "c-3")
    assert subjects(book, "agreement-only") == []
