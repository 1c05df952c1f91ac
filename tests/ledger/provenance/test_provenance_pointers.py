from typing import Any

import pytest
from globbing import matches
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.provenance.globs import collapse
from ledger.provenance.pointers import leaves, split, step, value_at

# From the text of RFC 6901, section 5.
RFC: dict[str, Any] = {
    "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, 'k"l': 6,
    " ": 7, "m~n": 8,
}  # fmt: skip
KEYS = st.text(alphabet="ab*~/|01-", max_size=3)
DOCUMENTS: st.SearchStrategy[Any] = st.recursive(
    st.integers(0, 3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=25,
)


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", RFC), ("/foo", ["bar", "baz"]), ("/foo/0", "bar"), ("/", 0), ("/a~1b", 1),
        ("/c%d", 2), ("/e^f", 3), ("/g|h", 4), ("/i\\j", 5), ('/k"l', 6), ("/ ", 7), ("/m~0n", 8),
    ],
)  # fmt: skip
def test_the_examples_of_the_rfc(pointer: str, value: Any) -> None:
    assert value_at(RFC, pointer) == value
    assert "".join(map(step, split(pointer))) == pointer


def test_tilde_one_in_a_key_is_not_a_slash() -> None:
    assert split("/a~01b") == ("a~1b",)


@pytest.mark.parametrize("text", ["foo", "#/foo", "/a~", "/a~2b"])
def test_what_is_no_pointer_is_refused(text: str) -> None:
    with pytest.raises(LedgerError) as refused:
        split(text)
    assert refused.value.code == "bad-input"


@pytest.mark.parametrize(
    ("pointer", "says", "suggests"),
    [
        ("/optimizer/lrr", "/optimizer has no key 'lrr'", "/optimizer/lr"),
        ("/log/2/loss", "/log is an array of 2", "/log/1"),
        ("/log/-/loss", "/log is an array of 2", "/log/1"),
        ("/log/01", "/log is an array of 2", "/log/1"),
        ("/loss", "the document has no key 'loss'", "/log/0/loss or /log/1/loss"),
        ("/epoch/x", "/epoch is a single value", "a field that is there"),
        ("/zzz", "the document has no key 'zzz'", "name a field that is there"),
    ],
)
def test_a_pointer_to_nothing_names_near_ones(pointer: str, says: str, suggests: str) -> None:
    data = {"optimizer": {"lr": 1}, "log": [{"loss": 3}, {"loss": 2}], "epoch": 1}
    with pytest.raises(LedgerError) as missing:
        value_at(data, pointer)
    assert missing.value.code == "not-found"
    assert says in missing.value.message
    assert suggests in missing.value.fix


def test_leaves_are_scalars_and_empty_containers_in_document_order() -> None:
    data = {"b": [], "a": {"x/y": None, "z": [1, {}]}, "c": "text"}
    assert leaves(data) == ("/b", "/a/x~1y", "/a/z/0", "/a/z/1", "/c")
    assert leaves([]) == ("",)


def patterns(data: Any, without: tuple[str, ...] = (), *, subtrees: bool = False) -> list[str]:
    among = leaves(data)
    chosen = [leaf for leaf in among if leaf not in without]
    return [g.pattern for g in collapse(chosen, among=among, subtrees=subtrees)]


LOG = {
    "log": [{"loss": i, "step": i} for i in range(5)],
    "seed": 0,
    "args": {"a": 1, "b": {"c": 2}},
}


@pytest.mark.parametrize(
    ("without", "arrays", "trees"),
    [
        ((), ["/log/*/loss", "/log/*/step", "/seed", "/args/a", "/args/b/c"], ["/**"]),
        (
            ("/seed",),
            ["/log/*/loss", "/log/*/step", "/args/a", "/args/b/c"],
            ["/log/**", "/args/**"],
        ),
        (
            ("/log/2/loss", "/args/a"),
            ["/log/*[0-1,3-4]/loss", "/log/*/step", "/seed", "/args/b/c"],
            ["/log/*[0-1,3-4]/**", "/log/2/step", "/seed", "/args/b/c"],
        ),
        (
            tuple(f"/log/{i}/loss" for i in range(4)),
            ["/log/4/loss", "/log/*/step", "/seed", "/args/a", "/args/b/c"],
            ["/log/*[0-3]/step", "/log/4/**", "/seed", "/args/**"],
        ),
    ],
)
def test_collapsed_leaves_read_well(
    without: tuple[str, ...], arrays: list[str], trees: list[str]
) -> None:
    assert sorted(patterns(LOG, without)) == sorted(arrays)
    assert sorted(patterns(LOG, without, subtrees=True)) == sorted(trees)


def test_a_star_in_a_key_is_no_wildcard() -> None:
    assert patterns({"*": 1, "**": [1], "x": 2}, ("/x",)) == ["/~2", "/~2~2/*"]
    assert matches("/~2", "/*")
    assert not matches("/~2", "/0")
    assert not matches("/*", "/*")


def test_a_glob_for_everything_below_does_not_match_the_place_itself() -> None:
    assert matches("/a/**", "/a/b/c")
    assert not matches("/a/**", "/a")
    assert not matches("/a/**", "/ab/c")


def test_a_thousand_records_with_one_left_out_are_a_few_lines() -> None:
    data = {"log": [{"loss": i, "step": i, "lr": i} for i in range(1300)]}
    found = collapse(set(leaves(data)) - {"/log/700/lr"}, among=leaves(data))
    assert [(g.pattern, g.count) for g in found] == [
        ("/log/*/loss", 1300),
        ("/log/*/step", 1300),
        ("/log/*[0-699,701-1299]/lr", 1299),
    ]


@given(DOCUMENTS)
def test_every_leaf_is_found_again(data: Any) -> None:
    found = leaves(data)
    assert len(set(found)) == len(found)
    for pointer in found:
        assert "".join(map(step, split(pointer))) == pointer
        assert value_at(data, pointer) in ([], {}, 0, 1, 2, 3)


@given(DOCUMENTS, st.data(), st.booleans())
def test_a_glob_matches_chosen_leaves_alone_and_each_once(
    data: Any, draw: st.DataObject, subtrees: bool
) -> None:
    among = leaves(data)
    chosen = draw.draw(st.sets(st.sampled_from(among)))
    globs = collapse(chosen, among=among, subtrees=subtrees)
    hits = {leaf: [g for g in globs if matches(g.pattern, leaf)] for leaf in among}
    assert {leaf for leaf, found in hits.items() if found} == chosen
    assert all(len(found) <= 1 for found in hits.values())
    for glob in globs:
        assert glob.count == sum(glob in found for found in hits.values())
