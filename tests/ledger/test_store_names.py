import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.store import resolve

IDS = ["c-7f3a9c21b04d", "c-7f3b00000000", "e-7f3a00000000", "e-aaaa00000000", "k-bbbb00000000"]


@pytest.mark.parametrize(
    ("text", "entry_id"),
    [
        ("c-7f3a9c21b04d", "c-7f3a9c21b04d"),
        ("c-7f3a", "c-7f3a9c21b04d"),
        ("C-7F3A", "c-7f3a9c21b04d"),
        ("7f3a9", "c-7f3a9c21b04d"),
        ("7F3B", "c-7f3b00000000"),
        (" [e-aaaa] ", "e-aaaa00000000"),
    ],
)
def test_a_unique_beginning_names_an_entry(text: str, entry_id: str) -> None:
    assert resolve(text, IDS) == entry_id


@pytest.mark.parametrize(
    ("text", "kind", "code", "part"),
    [
        ("c-7f3", None, "bad-input", "too short"),
        ("", None, "bad-input", "no id"),
        ("c-", None, "bad-input", "no id"),
        ("-7f3a", None, "bad-input", "no id"),
        ("attention", None, "bad-input", "no id"),
        ("c-7f3a9c21b04d0", None, "bad-input", "no id"),
        ("c_7f3a", None, "bad-input", "no id"),
        ("٧٧٧٧", None, "bad-input", "no id"),
        ("c-aaaa", None, "not-found", "no entry 'c-aaaa'"),
        ("7f3a", None, "ambiguous", "c-7f3a9c21b04d, e-7f3a00000000"),
        ("e-aaaa", "claim", "bad-input", "e-aaaa00000000 is evidence, a claim is needed"),
        ("bbbb", "evidence", "bad-input", "k-bbbb00000000 is a consult, evidence is needed"),
        ("c-9999", "claim", "not-found", "no entry"),
    ],
)
def test_what_names_no_single_entry_says_why(
    text: str, kind: str | None, code: str, part: str
) -> None:
    with pytest.raises(LedgerError) as caught:
        resolve(text, IDS, kind=kind)
    assert caught.value.code == code
    assert part in caught.value.message
    assert caught.value.fix


def test_the_kind_that_is_needed_decides_between_equal_digits() -> None:
    assert resolve("7f3a", IDS, kind="claim") == "c-7f3a9c21b04d"
    assert resolve("7f3a", IDS, kind="evidence") == "e-7f3a00000000"


def test_a_near_miss_is_suggested() -> None:
    with pytest.raises(LedgerError) as caught:
        resolve("c-7f3a9c21b04e", IDS)
    assert "c-7f3a9c21b04d" in caught.value.fix


def test_many_candidates_are_cut_at_ten() -> None:
    ids = [f"c-abcd{i:08x}" for i in range(25)]
    with pytest.raises(LedgerError) as caught:
        resolve("abcd", ids)
    assert caught.value.message.count("c-abcd") == 10
    assert "and 15 more" in caught.value.message


@given(
    digits=st.lists(st.integers(0, 2**48 - 1), min_size=1, max_size=30, unique=True),
    length=st.integers(4, 12),
)
def test_what_is_resolved_begins_with_what_was_asked(digits: list[int], length: int) -> None:
    ids = [f"c-{number:012x}" for number in digits]
    asked = ids[0][: 2 + length]
    same = [entry_id for entry_id in ids if entry_id.startswith(asked)]
    if len(same) == 1:
        assert resolve(asked, ids) == ids[0]
    else:
        with pytest.raises(LedgerError, match="may be"):
            resolve(asked, ids)
