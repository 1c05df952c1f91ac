import json
from typing import Any

import pytest
import yaml
from command_line import shared
from hypothesis import given
from hypothesis import strategies as st

from ledger import canonical
from ledger.errors import LedgerError
from ledger.provenance.globs import collapse
from ledger.provenance.pointers import leaves
from ledger.provenance.reading import JSON, YAML, read

NINE_TIMES_NINE = "\n".join(
    ["a: &a [x,x,x,x,x,x,x,x,x]"]
    + [
        f"{b}: &{b} [{','.join(['*' + a] * 9)}]"
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ]
)


def data(text: str, name: str = "a.yaml") -> Any:
    return read(text.encode(), name=name).data


def test_the_given_files_have_the_leaves_that_were_counted() -> None:
    folder = shared() / "data" / "provenance"
    for name, expected in json.loads((folder / "expected.json").read_text()).items():
        document = read((folder / name).read_bytes(), name=name)
        found = leaves(document.data)
        assert len(found) == expected["leaves"], name
        assert len(collapse(found, among=found)) == expected["collapsed"], name


@pytest.mark.parametrize(
    ("name", "text", "media_type"),
    [
        ("a.json", '{"x": 1}', JSON),
        ("A.YML", "x: 1", YAML),
        ("a.yaml", '{"x": 1}', YAML),
        ("dvc.lock", "x: 1", YAML),
        ("manifest", '\ufeff{"x": 1}', JSON),
    ],
)
def test_the_suffix_decides_and_else_json_comes_first(
    name: str, text: str, media_type: str
) -> None:
    document = read(text.encode(), name=name)
    assert document.data == {"x": 1}
    assert document.media_type == media_type


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2.50", "2.50"),
        ("5.0e-5", "5.0e-5"),
        ("-0", "-0"),
        ("12", "12"),
        ("5e-5", '"5e-5"'),
        ("1_000", '"1_000"'),
        ("0x1f", '"0x1f"'),
        ("017", '"017"'),
        ("1:30", '"1:30"'),
        (".inf", '".inf"'),
        (".nan", '".nan"'),
        ("1.0e+999", '"1.0e+999"'),
        ("2026-04-11", '"2026-04-11"'),
        ("yes", "true"),
        ("Off", "false"),
        ("~", "null"),
        ("", "null"),
        ("!!str 5", '"5"'),
        ('"5"', '"5"'),
    ],
)
def test_a_yaml_scalar_is_the_number_as_written_or_text(written: str, value: str) -> None:
    assert canonical.compact(data(f"x: {written}\n")["x"]) == value


def test_a_json_number_keeps_its_digits() -> None:
    assert canonical.compact(data('{"lr": 2.50, "n": 1e3}', "a.json")) == '{"lr":2.50,"n":1e3}'


def test_what_json_has_no_number_for_is_text() -> None:
    text = '{"loss": NaN, "best": -Infinity}'
    assert data(text, "trainer_state.json") == {"loss": "NaN", "best": "-Infinity"}


def test_yaml_keys_are_text_as_written() -> None:
    assert data("1: a\non: b\n~: c\n2.50: d\n") == {"1": "a", "on": "b", "~": "c", "2.50": "d"}


def test_an_alias_is_its_value_in_every_place() -> None:
    assert leaves(data("a: &x {k: 1}\nb: *x\n")) == ("/a/k", "/b/k")


def test_merged_keys_are_overridden_by_the_mapping_and_by_earlier_ones() -> None:
    text = "p: &p {k: 1, j: 2}\nq: &q {k: 5, i: 6}\nr:\n  <<: [*p, *q]\n  j: 3\n"
    assert data(text)["r"] == {"k": 1, "j": 3, "i": 6}


def test_a_scalar_alone_is_a_document_with_one_leaf() -> None:
    assert leaves(data("3", "a.json")) == ("",)
    assert leaves(data("word")) == ("",)


@pytest.mark.parametrize(
    ("name", "text", "place", "what"),
    [
        ("a.json", '{"x": 1,\n "x": 2}', "a.json:", "duplicate key 'x'"),
        ("a.json", '{"x": 1,\n "y": }', "a.json:2:", "not JSON"),
        ("a.json", "[" * 300 + "]" * 300, "a.json:", "deep"),
        ("a.json", "[" * 100_000, "a.json:", "deep"),
        ("a.yaml", "x: 1\ny: 2\nx: 3\n", "a.yaml:3:", "'x' is there twice"),
        ("a.yaml", "1: a\n'1': b\n", "a.yaml:2:", "'1' is there twice"),
        ("a.yaml", "x: 1\n---\ny: 2\n", "a.yaml:2:", "another document"),
        ("a.yaml", "x: [1\ny: 2", "a.yaml:2:", "not YAML"),
        ("a.yaml", "", "a.yaml:", "no document"),
        ("a.yaml", "# only a comment\n", "a.yaml:", "no document"),
        ("a.yaml", "x: !!python/object/apply:os.system [ls]", "a.yaml:1:", "plain data"),
        ("a.yaml", "x: 1\ny: !!set {a, b}", "a.yaml:2:", "plain data"),
        ("a.yaml", "x: !Ref y", "a.yaml:1:", "plain data"),
        ("a.yaml", "? [1, 2]\n: 3\n", "a.yaml:1:", "a key that is itself"),
        ("a.yaml", "x: 1\ny: &y [*y]\n", "a.yaml:2:", "contains itself"),
        ("a.yaml", "x: &x {a: 1}\n<<: *x\n<<: *x\n", "a.yaml:3:", "'<<' is there twice"),
        ("a.yaml", "<<: 3\n", "a.yaml:1:", "<< needs a mapping"),
        ("a.yaml", NINE_TIMES_NINE, "a.yaml:1:", "aliases repeat more than 10,000"),
        ("a.yaml", "- " * 300 + "x", "a.yaml:1:", "deep"),
        ("a.yaml", "- " * 20_000 + "x", "a.yaml:1:", "nesting"),
        ("a.yaml", "x: \x07", "a.yaml:", "control characters"),
        ("a.yaml", 'x: "\\ud800"', "a.yaml:1:", "Unicode"),
        ("manifest", '{"x": 1, "x": 2}', "manifest:", "duplicate key 'x'"),
        ("manifest", "x: 1\nx: 2\n", "manifest:2:", "'x' is there twice"),
    ],
)
def test_what_is_no_plain_document_is_refused_by_place(
    name: str, text: str, place: str, what: str
) -> None:
    with pytest.raises(LedgerError, match=r".") as refused:
        data(text, name)
    assert refused.value.code == "bad-input"
    assert refused.value.message.startswith(place)
    assert what in refused.value.message
    assert refused.value.fix


def test_without_the_c_library_yaml_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert data("x: [2.50, yes]\ny: &y {z: ~}\nw: *y\n")["w"] == {"z": None}
    for text in ('x: "\\ud800"', "- " * 2000 + "x", "x: 1\nx: 2"):
        with pytest.raises(LedgerError, match=r"^a\.yaml:"):
            data(text)


def test_other_encodings_are_refused() -> None:
    with pytest.raises(LedgerError, match="not UTF-8"):
        read('{"x": 1}'.encode("utf-16"), name="a.json")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)
def test_any_json_document_reads_back(value: Any) -> None:
    assert read(canonical.readable(value), name="a.json").data == value
    assert read(canonical.canonical(value), name="a").data == value
