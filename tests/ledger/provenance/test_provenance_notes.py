from inline import TODAY, Ledger, artifact, wrong
from msgspec import UNSET

from ledger.fold import fold
from ledger.provenance.notes import ArtifactNote, Checked, Statement, by_content, notes_of

FILE = artifact('{"a": {"b": 1, "c": 2}, "d": 3}')
PATH = FILE.path


def noted(ledger: Ledger) -> ArtifactNote:
    return notes_of(fold(ledger, as_of=TODAY))[PATH]


def says(ledger: Ledger) -> list[tuple[str, str]]:
    return [
        (s.pointer, s.status if isinstance(s, Statement) else s.evidence)
        for s in noted(ledger).statements
    ]


def test_a_note_is_dated_and_signed_by_its_latest_entry() -> None:
    ledger = Ledger()
    assert notes_of(fold(ledger, as_of=TODAY)) == {}
    ledger.note("n-1", FILE, wrong("/d", recorded=3), by="ann")
    ledger.note("n-2", FILE, wrong("/a/b", actual=None), by="bob")
    found = noted(ledger)
    assert (found.artifact, found.notes, found.version) == (FILE, ("n-1", "n-2"), 2)
    assert (found.date, found.by and found.by.name) == ("2026-06-01", "bob")
    assert [s.note for s in found.statements] == ["n-1", "n-2"]
    first, second = found.wrong
    assert (first.recorded, first.actual) == (3, UNSET)
    assert (second.recorded, second.actual) == (UNSET, None)


def test_the_order_of_the_entries_does_not_matter() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/d"))
    ledger.note("n-2", FILE, wrong("/d", "uninformative"))
    turned = Ledger()
    turned.update(reversed(ledger.items()))
    assert noted(ledger) == noted(turned)


def test_a_later_note_overrides_an_earlier_one_both_ways() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.note("n-1", FILE, wrong("/d"))
    ledger.note("n-2", FILE, rechecked={"/d": "e-1"})
    assert says(ledger) == [("/d", "e-1")]
    ledger.note("n-3", FILE, wrong("/d", "uninformative"))
    assert says(ledger) == [("/d", "uninformative")]


def test_a_later_note_overrides_everything_below_its_pointer_and_nothing_beside_it() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.note("n-1", FILE, wrong("/a/b"), wrong("/d"), wrong("/ab"))
    ledger.note("n-2", FILE, rechecked={"/a": "e-1"})
    assert says(ledger) == [
        ("/d", "wrong_actual_unknown"), ("/ab", "wrong_actual_unknown"), ("/a", "e-1"),
    ]  # fmt: skip


def test_within_a_note_both_pointers_stand_and_of_two_alike_the_more_telling() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.note(
        "n-1",
        FILE,
        wrong("/a"),
        wrong("/d", "under_investigation"),
        wrong("/d", "wrong", actual=4),
        rechecked={"/a/b": "e-1", "/d": "e-1"},
    )
    assert says(ledger) == [("/a", "wrong_actual_unknown"), ("/d", "wrong"), ("/a/b", "e-1")]


def test_a_retracted_note_does_not_count_and_the_version_still_rises() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/d"))
    ledger.note("n-2", FILE, wrong("/d", "uninformative"))
    ledger.retract("r-1", "n-2")
    assert says(ledger) == [("/d", "wrong_actual_unknown")]
    assert (noted(ledger).notes, noted(ledger).version) == (("n-1",), 3)
    ledger.retract("r-2", "r-1")
    assert (noted(ledger).notes, noted(ledger).version) == (("n-1", "n-2"), 4)
    ledger.retract("r-3", "n-1")
    ledger.retract("r-4", "n-2")
    assert notes_of(fold(ledger, as_of=TODAY)) == {}


def test_a_recheck_counts_while_its_measurement_is_live() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.note("n-1", FILE, wrong("/a"), rechecked={"/d": "e-1"})
    ledger.note("n-2", FILE, rechecked={"/a": "e-1"})
    assert says(ledger) == [("/d", "e-1"), ("/a", "e-1")]
    ledger.retract("r-1", "e-1")
    assert says(ledger) == [("/a", "wrong_actual_unknown")]
    assert [c.pointer for c in noted(ledger).lapsed] == ["/a", "/d"]
    ledger.evidence("e-2")
    ledger.note("n-3", FILE, rechecked={"/d": "e-2"})
    assert [c.pointer for c in noted(ledger).lapsed] == ["/a"]


def test_a_recheck_by_a_measurement_that_is_not_there_does_not_count() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, rechecked={"/d": "e-gone"})
    assert noted(ledger).statements == ()


def test_a_wrong_field_whose_evidence_was_retracted_stays_and_says_so() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.evidence("e-2")
    ledger.note("n-1", FILE, wrong("/d", evidence=("e-1", "e-2")))
    ledger.retract("r-1", "e-1")
    (found,) = noted(ledger).wrong
    assert (found.evidence, found.withdrawn) == (("e-1", "e-2"), ("e-1",))


def test_a_field_that_follows_an_entry_says_what_that_entry_is_now() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.claim("c-1", evidence=("e-1",))
    ledger.note("n-1", FILE, wrong("/d", "under_investigation", cause="c-1", recorded=3))
    assert noted(ledger).statements == ()
    ledger.retract("r-1", "e-1")
    assert says(ledger) == [("/d", "under_investigation")]
    ledger.supersede("s-1", "c-1", actual=4)
    (found,) = noted(ledger).wrong
    assert (found.status, found.recorded, found.actual) == ("wrong", 3, 4)
    assert "s-1" in found.reason
    ledger.retract("r-2", "s-1")
    ledger.retract("r-3", "r-1")
    assert noted(ledger).statements == ()


def test_a_field_whose_cause_is_not_there_keeps_its_word() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/d", cause="c-gone"))
    assert says(ledger) == [("/d", "wrong_actual_unknown")]


def test_a_field_that_lost_its_cause_no_longer_overrides_an_earlier_note() -> None:
    ledger = Ledger()
    ledger.claim("c-1")
    ledger.note("n-1", FILE, wrong("/d", "uninformative"))
    ledger.note("n-2", FILE, wrong("/d", cause="c-1"))
    assert says(ledger) == [("/d", "uninformative")]


def test_other_content_and_a_copy_elsewhere_are_other_artifacts() -> None:
    changed = artifact("{}")
    copy = artifact('{"a": {"b": 1, "c": 2}, "d": 3}', path="runs/copy.json")
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/d"))
    ledger.note("n-2", changed, wrong(""))
    ledger.note("n-3", copy, wrong("/a"))
    folded = fold(ledger, as_of=TODAY)
    latest = notes_of(folded)
    assert (latest[PATH].artifact, latest[PATH].notes) == (changed, ("n-2",))
    assert latest["runs/copy.json"].notes == ("n-3",)
    assert set(by_content(folded)) == {
        (PATH, FILE.sha256), (PATH, changed.sha256), (copy.path, copy.sha256),
    }  # fmt: skip


def test_rechecked_fields_are_told_apart() -> None:
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.note("n-1", FILE, wrong("/d"), rechecked={"/a": "e-1"})
    assert noted(ledger).rechecked == (Checked(pointer="/a", evidence="e-1", note="n-1"),)
