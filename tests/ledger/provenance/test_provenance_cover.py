import json
from collections import Counter
from typing import Any, get_args

from command_line import shared
from hypothesis import given
from hypothesis import strategies as st
from inline import TODAY, Ledger, artifact, wrong

from ledger.fold import fold
from ledger.provenance.cover import Coverage, Covered, NotCovered, cover, cover_artifact
from ledger.provenance.falls import FieldStatus
from ledger.provenance.notes import Statement, notes_of
from ledger.provenance.pointers import ancestors, leaves

KEYS = st.text(alphabet="ab*~/01", max_size=2)
DOCUMENTS: st.SearchStrategy[Any] = st.recursive(
    st.integers(0, 3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def covered(ledger: Ledger, data: Any) -> Coverage:
    source = json.dumps(data)
    note = notes_of(fold(ledger, as_of=TODAY))[artifact(source).path]
    found = cover_artifact(note, source.encode())
    assert isinstance(found, Covered)
    return found.coverage


def parts(found: Coverage) -> Counter[str]:
    """How often each leaf stands in one of the lists."""
    wrong_ones = [leaf for part in found.wrong for leaf in part.leaves]
    right_ones = [leaf for part in found.rechecked for leaf in part.leaves]
    return Counter([*wrong_ones, *right_ones, *found.not_disputed])


@given(DOCUMENTS, st.data())
def test_every_leaf_is_in_one_place_whatever_the_notes_say(data: Any, draw: st.DataObject) -> None:
    """Notes by hand and notes that follow c-1; re-checks by e-1 and by e-2, then taken back."""
    source = json.dumps(data)
    named = sorted({p for leaf in leaves(data) for p in ancestors(leaf)} | {"/nowhere"})
    pointers = st.sampled_from(named)
    field = st.tuples(
        pointers, st.sampled_from(get_args(FieldStatus)), st.sampled_from([None, "c-1"])
    )
    ledger = Ledger()
    ledger.evidence("e-1")
    ledger.evidence("e-2")
    ledger.claim("c-1", evidence=("e-2",))
    for number in range(draw.draw(st.integers(1, 4))):
        fields = draw.draw(st.lists(field, max_size=4))
        ledger.note(
            f"n-{number}",
            artifact(source),
            *(wrong(pointer, status, cause=cause) for pointer, status, cause in fields),
            rechecked=draw.draw(st.dictionaries(pointers, st.sampled_from(["e-1", "e-2"]))),
        )
    assert parts(covered(ledger, data)) == Counter(leaves(data))
    ledger.retract("r-1", "e-2")
    assert parts(covered(ledger, data)) == Counter(leaves(data))


@given(DOCUMENTS, st.data())
def test_the_latest_note_decides_and_within_it_the_longest_pointer(
    data: Any, draw: st.DataObject
) -> None:
    source = json.dumps(data)
    named = sorted({p for leaf in leaves(data) for p in ancestors(leaf)})
    ledger = Ledger()
    ledger.evidence("e-1")
    notes = draw.draw(
        st.lists(st.dictionaries(st.sampled_from(named), st.booleans(), min_size=1), min_size=1)
    )
    for number, note in enumerate(notes):
        ledger.note(
            f"n-{number}",
            artifact(source),
            *(wrong(pointer) for pointer, right in note.items() if not right),
            rechecked={pointer: "e-1" for pointer, right in note.items() if right},
        )

    def expected(leaf: str) -> bool | None:
        for note in reversed(notes):
            for place in ancestors(leaf):
                if place in note:
                    return note[place]
        return None

    found = covered(ledger, data)
    got: dict[str, bool | None] = dict.fromkeys(found.not_disputed)
    got.update((leaf, False) for part in found.wrong for leaf in part.leaves)
    got.update((leaf, True) for part in found.rechecked for leaf in part.leaves)
    assert got == {leaf: expected(leaf) for leaf in leaves(data)}


def test_every_leaf_of_each_given_artifact() -> None:
    folder = shared() / "data" / "provenance"
    for name, expected in json.loads((folder / "expected.json").read_text()).items():
        source = (folder / name).read_bytes()
        file = artifact(source, path=f"runs/{name}")
        ledger = Ledger()
        ledger.evidence("e-1")
        ledger.note("n-0", file, wrong(""))
        whole = cover_artifact(notes_of(fold(ledger, as_of=TODAY))[file.path], source)
        assert isinstance(whole, Covered)
        every = whole.coverage.leaves
        assert whole.coverage.wrong[0].leaves == every
        assert len(every) == expected["leaves"]
        ledger.retract("r-0", "n-0")
        ledger.note("n-1", file, wrong(every[0]), rechecked={every[-1]: "e-1"})
        found = cover_artifact(notes_of(fold(ledger, as_of=TODAY))[file.path], source)
        assert isinstance(found, Covered)
        coverage = found.coverage
        assert coverage.wrong[0].leaves == every[:1]
        assert coverage.rechecked[0].leaves == every[-1:]
        assert coverage.not_disputed == every[1:-1]


def test_a_pointer_to_nothing_is_named() -> None:
    ledger = Ledger()
    source = '{"a": 1}'
    ledger.note("n-1", artifact(source), wrong("/b"), wrong("/a/x"))
    note = notes_of(fold(ledger, as_of=TODAY))["runs/a.json"]
    found = cover(note, ("/a",))
    assert (found.wrong, found.not_disputed) == ((), ("/a",))
    assert [s.pointer for s in found.nowhere] == ["/b", "/a/x"]


def test_a_place_all_of_whose_leaves_are_named_apart_is_not_nowhere() -> None:
    ledger = Ledger()
    source = '{"a": {"b": 1}}'
    ledger.note("n-1", artifact(source), wrong("/a"), wrong("/a/b", "uninformative"))
    found = cover(notes_of(fold(ledger, as_of=TODAY))["runs/a.json"], ("/a/b",))
    assert found.nowhere == ()
    assert [w.statement.status for w in found.wrong] == ["uninformative"]
    assert isinstance(found.wrong[0].statement, Statement)


def test_another_file_in_the_place_is_not_covered() -> None:
    ledger = Ledger()
    ledger.note("n-1", artifact('{"a": 1}'), wrong("/a"))
    ledger.note("n-2", artifact("[", path="runs/b.json"), wrong("/a"))
    notes = notes_of(fold(ledger, as_of=TODAY))
    for path, source, why in (
        ("runs/a.json", None, "runs/a.json is not there"),
        ("runs/a.json", b'{"a": 1} ', "runs/a.json has other content now"),
        ("runs/b.json", b"[", "cannot be listed: runs/b.json:1: not JSON"),
    ):
        found = cover_artifact(notes[path], source)
        assert isinstance(found, NotCovered)
        assert why in found.reason
