import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.provenance import pointers
from ledger.provenance.places import Place, nearest, places
from ledger.provenance.reading import JSON, YAML, read

KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | KEYS
)
DATA = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


def everywhere(data: Any, pointer: str = "") -> list[str]:
    """Pointers to every field, inner ones included."""
    if isinstance(data, dict):
        inner = [(pointers.step(key), item) for key, item in data.items()]
    elif isinstance(data, list):
        inner = [(f"/{i}", item) for i, item in enumerate(data)]
    else:
        inner = []
    return [pointer, *(p for step, item in inner for p in everywhere(item, pointer + step))]


@given(DATA, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_field_of_any_json_has_the_place_of_its_key_or_item(
    data: Any, indent: int | str | None, plain: bool
) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=plain, allow_nan=False)
    found = places(text, media_type=JSON)
    assert sorted(found) == sorted(everywhere(data))
    lines = text.split("\n")
    for pointer, place in found.items():
        above, _, last = pointer.rpartition("/")
        if not pointer or isinstance(pointers.value_at(data, above), list):
            continue
        key = json.dumps(pointers.split(f"/{last}")[0], ensure_ascii=plain)
        assert lines[place.line - 1][place.column - 1 :].startswith(f"{key}:")


def test_the_places_of_a_json_text() -> None:
    text = '\ufeff{"a": 1,\n  "b": [true, {"c/d": "x: [1]"}],\r\n"e": {}}'
    found = places(text, media_type=JSON)
    assert found == {
        "": Place(line=1, column=1),
        "/a": Place(line=1, column=2),
        "/b": Place(line=2, column=3),
        "/b/0": Place(line=2, column=9),
        "/b/1": Place(line=2, column=15),
        "/b/1/c~1d": Place(line=2, column=16),
        "/e": Place(line=3, column=1),
    }
    assert nearest(found, "/b/1/c~1d/0") == found["/b/1/c~1d"]
    assert nearest(found, "/nope") == found[""]


def test_the_places_of_a_yaml_text_with_an_alias() -> None:
    text = "# note\nbase: &x {lr: 1, k: [a, b]}\nrun:\n  - *x\n  - name: q\n"
    found = places(text, media_type=YAML)
    assert found["/base/lr"] == Place(line=2, column=11)
    assert found["/base/k/1"] == Place(line=2, column=25)
    assert found["/run/1/name"] == Place(line=5, column=5)
    # What an alias repeats stands where it was written.
    assert nearest(found, "/run/0/lr") == found["/run/0"] == Place(line=2, column=7)


@pytest.mark.parametrize("text", ["", "just text", "5", "[]", "{}"])
def test_a_document_without_fields_has_one_place(text: str) -> None:
    assert places(text, media_type=YAML) == {"": Place(line=1, column=1)}
    if text in {"5", "[]", "{}"}:
        assert read(text.encode(), name="x.json").data is not None
        assert places(text, media_type=JSON) == {"": Place(line=1, column=1)}
