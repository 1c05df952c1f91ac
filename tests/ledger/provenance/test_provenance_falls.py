from typing import Any

import pytest
from inline import TODAY, Ledger, artifact, expects, wrong
from msgspec import UNSET

from ledger.entry import ArtifactField
from ledger.fold import fold
from ledger.provenance.falls import Down, down
from ledger.provenance.missing import missing

FILE = artifact('{"step": 3}')
FIELDS = (ArtifactField(artifact=FILE, pointer="/step"),)


def seat(value: str) -> dict[str, Any]:
    return {"about": {"seat": value}}


def claimed(**fields: Any) -> Ledger:
    """e-1 (training) carries c-1 (training), which states /step."""
    ledger = Ledger()
    ledger.evidence("e-1", 3.0, **seat("training"))
    fields.setdefault("evidence", ("e-1",))
    ledger.claim("c-1", artifact_fields=FIELDS, **seat("training"), **fields)
    return ledger


def fallen(ledger: Ledger, entry: str = "c-1") -> Down:
    found = down(fold(ledger, as_of=TODAY), entry)
    assert found is not None
    return found


def test_what_stands_is_not_down() -> None:
    ledger = claimed()
    folded = fold(ledger, as_of=TODAY)
    assert down(folded, "c-1") is None
    assert down(folded, "e-1") is None
    assert down(folded, "c-unknown") is None
    assert missing(folded) == ()


def test_a_superseded_claim_is_wrong_with_what_is_right() -> None:
    ledger = claimed()
    ledger.supersede("s-1", "c-1", actual=5, evidence=("e-1",), replaced_by="it is 5")
    found = fallen(ledger)
    assert (found.status, found.actual, found.evidence) == ("wrong", 5, ("e-1",))
    assert found.fields == FIELDS
    for words in ("c-1", "s-1", "WRONG", "it is 5"):
        assert words in found.reason


def test_null_is_a_right_value_like_any_other() -> None:
    ledger = claimed()
    ledger.supersede("s-1", "c-1", actual=None)
    assert (fallen(ledger).status, fallen(ledger).actual) == ("wrong", None)


def test_a_superseded_claim_without_a_right_value() -> None:
    ledger = claimed()
    ledger.supersede("s-1", "c-1", actual=5)
    ledger.supersede("s-2", "c-1", status="NOT A FLAG")
    assert fallen(ledger).status == "wrong_actual_unknown"
    assert fallen(ledger).actual is UNSET
    assert "s-2 (NOT A FLAG" in fallen(ledger).reason
    ledger.retract("r-1", "s-2")
    assert fallen(ledger).actual == 5
    ledger.retract("r-2", "s-1")
    assert down(fold(ledger, as_of=TODAY), "c-1") is None


def test_a_refuted_claim_names_what_refutes_it() -> None:
    ledger = claimed(expects=expects("step", ">=", 5, unit="s"))
    found = fallen(ledger)
    assert (found.status, found.evidence) == ("wrong_actual_unknown", ("e-1",))
    assert "refuted by e-1" in found.reason


def test_a_disputed_claim_is_under_investigation() -> None:
    ledger = claimed()
    ledger.evidence("e-2", 9.0, **seat("training"))
    ledger.verdict("v-1", "c-1", "e-2", "refutes")
    found = fallen(ledger)
    assert (found.status, found.evidence) == ("under_investigation", ("e-1", "e-2"))
    assert "e-1 for it, e-2 against it" in found.reason


def test_a_claim_taken_back_is_under_investigation() -> None:
    ledger = claimed()
    ledger.retract("r-1", "c-1")
    assert fallen(ledger).status == "under_investigation"
    assert "r-1" in fallen(ledger).reason


def test_a_measurement_of_another_run_makes_a_claim_misleading() -> None:
    ledger = claimed()
    ledger.rescope("o-1", "e-1", seat="serving")
    found = fallen(ledger)
    assert (found.status, found.evidence) == ("misleading_scope", ("e-1",))
    assert "seat=serving, not training (o-1)" in found.reason


def test_a_retracted_measurement_leaves_a_claim_under_investigation() -> None:
    ledger = claimed()
    ledger.retract("r-1", "e-1")
    found = fallen(ledger)
    assert (found.status, found.evidence) == ("under_investigation", ())
    assert "e-1 was retracted by r-1: wrong" in found.reason


def test_one_retracted_measurement_beside_a_rescoped_one_is_not_misleading() -> None:
    ledger = claimed()
    ledger.evidence("e-2", 3.1, **seat("training"))
    ledger.verdict("v-1", "c-1", "e-2", "supports")
    ledger.rescope("o-1", "e-1", seat="serving")
    assert down(fold(ledger, as_of=TODAY), "c-1") is None
    ledger.retract("r-1", "e-2")
    assert fallen(ledger).status == "under_investigation"


def derived() -> Ledger:
    """e-1 carries c-0, c-0 carries c-mid, c-mid carries c-1, which states /step."""
    ledger = Ledger()
    ledger.evidence("e-1", 3.0, **seat("training"))
    ledger.claim("c-0", evidence=("e-1",), **seat("training"))
    ledger.claim("c-mid", rests_on=(("c-0",),))
    ledger.claim("c-1", rests_on=(("c-mid",),), artifact_fields=FIELDS)
    return ledger


def test_a_derivation_falls_with_the_measurement_far_below() -> None:
    ledger = derived()
    ledger.rescope("o-1", "e-1", seat="serving")
    assert fallen(ledger).status == "misleading_scope"
    ledger.retract("r-1", "e-1")
    assert fallen(ledger).status == "under_investigation"
    assert "e-1 was retracted by r-1" in fallen(ledger).reason


def test_a_derivation_from_a_superseded_claim_is_under_investigation() -> None:
    ledger = derived()
    ledger.supersede("s-1", "c-0", actual=4)
    found = fallen(ledger)
    assert (found.status, found.actual) == ("under_investigation", UNSET)
    assert "c-0 is superseded" in found.reason


def test_a_derivation_drawn_from_a_measurement_that_a_rescope_moved_away() -> None:
    ledger = Ledger()
    ledger.evidence("e-1", 3.0, **seat("training"))
    ledger.claim("c-1", rests_on=(("e-1",),), artifact_fields=FIELDS, **seat("training"))
    ledger.rescope("o-1", "e-1", seat="serving")
    assert fallen(ledger).status == "misleading_scope"


def test_only_what_was_lost_counts_and_all_of_it() -> None:
    """c-1 rests on c-0 (measured by e-1) with e-2, or on c-open, which never held."""
    ledger = Ledger()
    ledger.evidence("e-1", 3.0, **seat("training"))
    ledger.evidence("e-2")
    ledger.claim("c-0", evidence=("e-1",), **seat("training"))
    ledger.claim("c-open")
    ledger.claim("c-1", rests_on=(("c-0", "e-2"), ("c-open",)), artifact_fields=FIELDS)
    ledger.rescope("o-1", "e-1", seat="serving")
    assert (fallen(ledger).status, fallen(ledger).evidence) == ("misleading_scope", ("e-1",))
    ledger.evidence("e-3")
    ledger.claim("c-2", evidence=("e-3",))
    ledger.claim("c-3", rests_on=(("c-0",), ("c-2",)), artifact_fields=FIELDS)
    ledger.supersede("s-1", "c-2")
    assert fallen(ledger, "c-3").status == "under_investigation"


def test_an_expired_claim_is_not_down() -> None:
    ledger = Ledger()
    ledger.claim("c-1", expires="2026-01-01", artifact_fields=FIELDS)
    assert down(fold(ledger, as_of=TODAY), "c-1") is None


@pytest.mark.parametrize("names_fields", [True, False])
def test_a_measurement_that_was_retracted_or_rescoped(names_fields: bool) -> None:
    fields = FIELDS if names_fields else ()
    ledger = Ledger()
    ledger.evidence("e-0")
    ledger.evidence("e-1", 3.0, artifact_fields=fields, **seat("training"))
    ledger.rescope("o-1", "e-1", ("seat",), kernel="sdpa")
    found = fallen(ledger, "e-1")
    assert (found.status, found.fields) == ("misleading_scope", fields)
    assert "seat=(not stated), not training, kernel=sdpa, not (not stated) (o-1)" in found.reason
    ledger.retract("r-1", "e-1")
    assert fallen(ledger, "e-1").status == "wrong_actual_unknown"
    assert "r-1: wrong" in fallen(ledger, "e-1").reason


def test_a_rescope_that_was_taken_back_leaves_the_measurement_standing() -> None:
    ledger = Ledger()
    ledger.evidence("e-1", 3.0, artifact_fields=FIELDS, **seat("training"))
    ledger.rescope("o-1", "e-1", seat="serving")
    ledger.rescope("o-2", "e-1", seat="training")
    assert down(fold(ledger, as_of=TODAY), "e-1") is None


def test_a_supersession_is_down_while_it_is_in_force() -> None:
    ledger = Ledger()
    ledger.claim("c-1")
    ledger.supersede("s-1", "c-1", artifact_fields=FIELDS, actual="sdpa")
    found = fallen(ledger, "s-1")
    assert (found.status, found.actual, found.fields) == ("wrong", "sdpa", FIELDS)
    assert fallen(ledger).fields == ()
    ledger.retract("r-1", "s-1")
    assert down(fold(ledger, as_of=TODAY), "s-1") is None


def test_a_field_is_missing_until_a_note_names_the_entry_as_its_cause() -> None:
    ledger = claimed()
    ledger.supersede("s-1", "c-1", actual=5)
    (found,) = missing(fold(ledger, as_of=TODAY))
    assert (found.entry, found.artifact, found.pointer) == ("c-1", FILE, "/step")
    assert (found.status, found.actual) == ("wrong", 5)
    ledger.note("n-1", FILE, wrong("/step", "wrong", actual=5))
    ledger.note("n-2", artifact("{}"), wrong("/step", "wrong", actual=5, cause="c-1"))
    ledger.note("n-3", FILE, wrong("/other", "wrong", actual=5, cause="c-1"))
    assert len(missing(fold(ledger, as_of=TODAY))) == 1
    ledger.note("n-4", FILE, wrong("", "wrong", actual=5, cause="c-1"))
    assert missing(fold(ledger, as_of=TODAY)) == ()
    ledger.retract("r-1", "n-4")
    assert missing(fold(ledger, as_of=TODAY)) == ()  # n-1 says so in words of its own
    ledger.retract("r-2", "n-1")
    (found,) = missing(fold(ledger, as_of=TODAY))
    assert found.taken_back == "r-1"


def test_a_note_that_says_another_status_does_not_cover() -> None:
    ledger = claimed()
    ledger.retract("r-1", "e-1")
    ledger.note("n-1", FILE, wrong("/step", "misleading_scope", cause="c-1"))
    assert [m.status for m in missing(fold(ledger, as_of=TODAY))] == ["under_investigation"]


def test_a_claim_that_falls_in_another_way_needs_another_note() -> None:
    ledger = claimed()
    ledger.retract("r-1", "e-1")
    ledger.note("n-1", FILE, wrong("/step", "under_investigation", cause="c-1"))
    assert missing(fold(ledger, as_of=TODAY)) == ()
    ledger.supersede("s-1", "c-1", actual=5)
    assert [m.status for m in missing(fold(ledger, as_of=TODAY))] == ["wrong"]
    ledger.note("n-other", FILE, wrong("/step", "wrong", actual=6, cause="c-1"))
    assert [m.actual for m in missing(fold(ledger, as_of=TODAY))] == [5]
    ledger.note("n-2", FILE, wrong("/step", "wrong", actual=5, cause="c-1"))
    assert missing(fold(ledger, as_of=TODAY)) == ()
    # The first note would be the same entry again: it is still there and says it.
    ledger.retract("r-2", "s-1")
    assert missing(fold(ledger, as_of=TODAY)) == ()
