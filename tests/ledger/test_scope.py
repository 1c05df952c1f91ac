import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.entry import Scope
from ledger.errors import LedgerError
from ledger.scope import REQUESTED, Mismatch, conflicts, matches_filter, mismatches, parse, shown

KEYS = st.sampled_from(["seat", "attn", "run", "a.b", "attn.requested"])
SCOPES = st.dictionaries(KEYS, st.none() | st.sampled_from(["a", "b"]), max_size=4)


@given(SCOPES)
def test_a_scope_reads_back_from_its_words(scope: Scope) -> None:
    assert parse(f"{key}={value or ''}" for key, value in scope.items()) == scope
    assert parse([f"{k}={v or ''}" for k, v in scope.items()] * 2) == scope


@pytest.mark.parametrize(
    ("words", "scope"),
    [
        ([], {}),
        (["seat=training"], {"seat": "training"}),
        (["adapter="], {"adapter": None}),
        (["flags=a=b c"], {"flags": "a=b c"}),
        (["attn.requested=flex", "attn=sdpa"], {"attn.requested": "flex", "attn": "sdpa"}),
        (["a=1", "a=1"], {"a": "1"}),
    ],
)
def test_parse_by_example(words: list[str], scope: Scope) -> None:
    assert parse(words) == scope


@pytest.mark.parametrize(
    "word", ["", "seat", "=training", "two words=1", " seat=1", "seat =1", "\t="]
)
def test_a_word_that_is_no_key_and_value_is_refused(word: str) -> None:
    with pytest.raises(LedgerError, match="is not key=value") as caught:
        parse([word])
    assert caught.value.code == "bad-input"
    assert "--about seat=training" in caught.value.fix


@pytest.mark.parametrize(
    ("words", "message"),
    [(["a=1", "a=2"], "a twice: 1 and 2"), (["a=", "a=2"], r"a twice: \(none\) and 2")],
)
def test_a_key_with_two_values_is_refused(words: list[str], message: str) -> None:
    with pytest.raises(LedgerError, match=message):
        parse(words)


@given(SCOPES, SCOPES)
def test_mismatches_are_the_keys_that_are_not_stated_alike(claim: Scope, evidence: Scope) -> None:
    found = {m.key: m for m in mismatches(claim, evidence)}
    for key, value in claim.items():
        alike = key in evidence and evidence[key] == value
        assert (key in found) == (not alike)
        if not alike:
            assert found[key].kind == ("differs" if key in evidence else "unstated")
            assert found[key].requested == (key not in evidence and key + REQUESTED in evidence)
    assert set(found) <= set(claim)
    assert conflicts(claim, evidence) == any(m.kind == "differs" for m in found.values())
    assert conflicts(claim, evidence) == conflicts(evidence, claim)
    assert matches_filter(evidence, claim) == (not found)


def test_known_to_be_none_is_not_the_same_as_not_stated() -> None:
    [found] = mismatches({"adapter": None}, {})
    assert str(found) == "adapter: claim (none), evidence does not state it"
    assert mismatches({"adapter": None}, {"adapter": None}) == ()
    [found] = mismatches({"adapter": "x"}, {"adapter": None})
    assert str(found) == "adapter: claim x, evidence (none)"


def test_what_was_only_requested_is_said() -> None:
    assert mismatches({"attn": "flex"}, {"attn.requested": "flex"}) == (
        Mismatch(key="attn", kind="unstated", claim="flex", evidence=None, requested=True),
    )
    assert str(mismatches({"attn": "flex"}, {"attn.requested": "flex"})[0]).endswith(
        "does not state it (only attn.requested)"
    )
    assert shown(None) == "(none)"
