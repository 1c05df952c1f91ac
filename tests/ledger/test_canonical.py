import json
import math
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import canonical
from ledger.canonical import Number

NUMBERS = st.from_regex(
    r"-?(0|[1-9][0-9]{0,18})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?", fullmatch=True
)
# Escaped and plain, invisible and astral, but no surrogates: those are not text.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
PLAIN: Any = st.none() | st.booleans() | NUMBERS.map(canonical.number) | TEXTS
VALUES: Any = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(VALUES)
def test_every_written_form_reads_back_to_the_same_canonical_bytes(value: Any) -> None:
    expected = canonical.canonical(value)
    assert canonical.canonical(canonical.parse(expected)) == expected
    assert canonical.canonical(canonical.parse(canonical.readable(value))) == expected
    assert canonical.canonical(canonical.parse(canonical.compact(value))) == expected
    assert json.loads(expected) == json.loads(canonical.readable(value))


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(TEXTS, PLAIN, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_keys_changes_the_file_and_not_the_canonical_bytes(
    value: dict[str, Any], random: Any
) -> None:
    items = list(value.items())
    random.shuffle(items)
    turned = dict(items)
    assert canonical.canonical(turned) == canonical.canonical(value)
    assert list(canonical.parse(canonical.readable(turned))) == list(turned)


@settings(max_examples=300, deadline=None)
@given(NUMBERS)
def test_numbers_keep_the_digits_they_were_written_with(text: str) -> None:
    value = canonical.parse(text)
    assert canonical.canonical(value) == text.encode()
    assert value == canonical.number(text) == pytest.approx(float(text), rel=1e-15)
    assert canonical.canonical(pickle.loads(pickle.dumps(value))) == text.encode()  # noqa: S301


@pytest.mark.parametrize(("one", "other"), [("1.5", "1.50"), ("1e3", "1000"), ("0", "-0")])
def test_numbers_written_otherwise_have_other_bytes(one: str, other: str) -> None:
    assert canonical.parse(one) == canonical.parse(other)
    assert canonical.canonical(canonical.parse(one)) != canonical.canonical(canonical.parse(other))


@pytest.mark.parametrize(
    "text", ["", " 1", "1 ", "+1", "01", ".5", "1.", "1e", "١", "0x1", "nan", "1_0"]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        canonical.number(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":1,"a":1}', "duplicate key 'a'"),
        ('[{"b":{"a":1,"\\u0061":2}}]', "duplicate key 'a'"),
        ("NaN", "NaN is not a JSON number"),
        ("[-Infinity]", "-Infinity is not a JSON number"),
        ("1e999", "number out of range"),
        ("9" * 400, "number out of range"),
        ('"\\ud800"', "not valid Unicode"),
        ('{"\\udfff": 1}', "not valid Unicode"),
        ('["\\ud83d", "\\ude00"]', "not valid Unicode"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[1,]", "line 1 column"),
        ("{'a':1}", "line 1 column"),
        ("[1] 2", "line 1 column"),
        ("", "line 1 column"),
        ('"\t"', "line 1 column"),
        ("\ufeff1", "line 1 column"),
    ],
)
def test_what_is_no_plain_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        canonical.parse(text)


def test_bytes_that_are_no_utf8_are_refused_and_a_surrogate_pair_is_one_character() -> None:
    with pytest.raises(ValueError, match="utf-8"):
        canonical.parse(b'"\xff"')
    with pytest.raises(ValueError, match="utf-8"):
        canonical.parse(b'"\xed\xa0\x80"')
    assert canonical.parse('"\\ud83d\\ude00"') == "😀"


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, "\ud800", {"\udfff": 1}, ["\ud800"]]
)
def test_what_json_cannot_hold_is_not_written(value: Any) -> None:
    with pytest.raises(ValueError, match=r"JSON|Unicode"):
        canonical.canonical(value)


@pytest.mark.parametrize("value", [{1, 2}, b"x", object()])
def test_what_is_no_json_type_is_not_written(value: Any) -> None:
    with pytest.raises(TypeError, match="not JSON"):
        canonical.canonical(value)


INVISIBLE = "\x7f\x9f\xad\u061c\u180e\u200b\u200f\u2028\u202e\u2060\u206f\ufeff\ufff9\U000e0001"


def test_invisible_characters_are_seen_in_the_file_and_count_in_the_id() -> None:
    value = {"statement": f"a{INVISIBLE}b", INVISIBLE: 1}
    for written in (canonical.readable(value).decode(), canonical.compact(value)):
        assert not set(INVISIBLE) & set(written)
        assert "\\u202e" in written
        assert canonical.parse(written) == value
    assert canonical.canonical({"a": "x\u200by"}) == '{"a":"x\u200by"}'.encode()
    assert canonical.canonical({"a": "x\u200by"}) != canonical.canonical({"a": "xy"})


def test_the_canonical_form_by_example() -> None:
    value = {"b": [1, Number("2.50"), None, True], "a": {"é": '\n"\\/'}, "A": {}, "": []}
    assert canonical.canonical(value) == (
        '{"":[],"A":{},"a":{"é":"\\n\\"\\\\/"},"b":[1,2.50,null,true]}'.encode()
    )
    assert canonical.readable({"b": [1, {"c": 2}], "a": {}, "d": []}) == (
        b'{\n  "b": [\n    1,\n    {\n      "c": 2\n    }\n  ],\n  "a": {},\n  "d": []\n}\n'
    )
    assert canonical.compact({"b": [1, 2], "a": {"c": None}}) == '{"b":[1,2],"a":{"c":null}}'


def test_sha256_of_nothing() -> None:
    assert canonical.sha256(b"").startswith("e3b0c44298fc1c149afbf4c8996fb924")
