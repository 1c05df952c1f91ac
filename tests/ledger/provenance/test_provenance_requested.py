from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.provenance import pointers, requested

VALUES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b"])


def kinds(data: Any) -> list[tuple[str, str]]:
    return [(d.kind, d.pointer) for d in requested.unresolved(requested.pairs(data))]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"x_requested": 1, "x_resolved": 1}, []),
        ({"x_requested": 1, "x_resolved": 2}, [("differs", "/x_resolved")]),
        ({"x_requested": 1}, [("unresolved", "/x_resolved")]),
        ({"x_requested": None}, [("unresolved", "/x_resolved")]),
        ({"x_requested": 1, "x_resolved": None}, [("resolved-null", "/x_resolved")]),
        ({"x_requested": None, "x_resolved": 2}, []),
        ({"x_requested": None, "x_resolved": None}, []),
        ({"x_requested": True, "x_resolved": 1}, [("differs", "/x_resolved")]),
        ({"x_requested": 1, "x_resolved": 1.0}, []),
        ({"x_requested": [1, 2], "x_resolved": [1, 3]}, [("differs", "/x_resolved")]),
        ({"x-requested": 1, "x-resolved": 2}, [("differs", "/x-resolved")]),
        ({"x.requested": 1, "x": 2}, [("differs", "/x")]),
        ({"x.requested": 1, "x.resolved": 2, "x": 1}, [("differs", "/x.resolved")]),
        ({"x.requested": 1}, [("unresolved", "/x")]),
        ({"x": {"requested": 1, "resolved": 2}}, [("differs", "/x/resolved")]),
        ({"requested": {"a": 1, "b": 2}, "resolved": {"b": 3}},
         [("unresolved", "/resolved/a"), ("differs", "/resolved/b")]),
        ({"requested": {"a": 1}, "resolved": 5}, [("differs", "/resolved")]),
        ({"requested": {"a": 1}}, [("unresolved", "/resolved")]),
        ([{"a": [{"x_requested": 1}]}], [("unresolved", "/0/a/0/x_resolved")]),
        ({"resolved": {"x_requested": 1}}, [("unresolved", "/resolved/x_resolved")]),
        ({"unrequested": 1, "requested_at": 2, "a/b_requested": 3},
         [("unresolved", "/a~1b_resolved")]),
        ("requested", []),
    ],
)  # fmt: skip
def test_what_is_not_borne_out(data: Any, found: list[tuple[str, str]]) -> None:
    assert kinds(data) == found


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        ({"attn_requested": "flex", "attn_resolved": "sdpa"}, "attn=flex"),
        ({"x": {"requested": 1, "resolved": 2}}, "x=1"),
        ({"requested": {"a": {"b": 1}}, "resolved": {"a": {"b": 2}}}, "b=1"),
        ({"requested": 1, "resolved": 2}, "value=1"),
    ],
)
def test_a_difference_says_what_was_asked_for(data: Any, asked: str) -> None:
    [doubt] = requested.unresolved(requested.pairs(data))
    assert doubt.asked == asked


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES))
def test_what_resolved_to_just_what_was_requested_is_never_doubted(values: dict[str, Any]) -> None:
    suffixed = {f"{k}_{end}": v for k, v in values.items() for end in ("requested", "resolved")}
    assert kinds(suffixed) == kinds({"requested": values, "resolved": dict(values)}) == []


@given(st.dictionaries(st.sampled_from(["a", "b"]), VALUES), st.sampled_from(["a", "b", "c"]))
def test_a_key_is_absent_exactly_if_it_is_not_there(values: dict[str, Any], key: str) -> None:
    found = [doubt.pointer for doubt in requested.absent(values, [f"/{key}"])]
    assert found == ([] if key in values else [f"/{key}"])


def test_absent_keys() -> None:
    data = {"a": {"b": None, "list": [1]}, "c": {"deep": {"x": 1}}}
    keys = ["/a/b", "/a/b/below", "/a/list/0", "/a/list/1", "/x", "/n/m", "/n/m/o", "/n/m"]
    doubts = requested.absent(data, keys)
    assert [(d.pointer, d.at) for d in doubts] == [
        ("/a/list/1", "/a/list"),
        ("/x", ""),
        ("/n/m", ""),
    ]
    assert doubts[1].got == "absent (/c/deep/x is another field)"
    assert requested.keys_of(data) == ("/a", "/a/b", "/a/list", "/c", "/c/deep", "/c/deep/x")
    assert requested.absent(data, requested.keys_of(data)) == ()


@pytest.mark.parametrize(
    ("text", "tells"),
    [("1.0@UNKNOWN", False), ("Unknown ", False), ("n/a", False), ("NA", False), ("tbd", False),
     ("none", True), ("", True), ("unknown-branch", True), ("the unknown", True), ("0", True)],
)  # fmt: skip
def test_texts_that_tell_nothing(text: str, tells: bool) -> None:
    assert bool(requested.uninformative({"/a": text})) is not tells


def test_an_empty_text_tells_nothing_where_the_list_names_the_key() -> None:
    assert requested.uninformative({"/a": " ", "/b": ""}, ["/b", "/c"])[0].pointer == "/b"


def test_a_step_is_escaped_as_pointers_are() -> None:
    assert pointers.step("a/b~c") == "/a~1b~0c"
