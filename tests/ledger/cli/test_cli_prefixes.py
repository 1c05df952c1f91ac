"""Naming entries by the start of their id."""

import pytest
from command_line import Shell

from ledger.codec import encode, id_of
from ledger.entry import By, Claim, Recorded


def alike() -> tuple[str, str]:
    """Two statements whose claims have ids with the same four first digits."""
    seen: dict[str, str] = {}
    for number in range(100_000):
        text = f"claim number {number}"
        entry = Claim(
            recorded=Recorded(at=""),
            statement=text,
            by=By(name="a"),
            basis="derivation",
            expires="9999-12-31",
        )
        start = id_of(encode(entry))[:6]
        if start in seen:
            return seen[start], text
        seen[start] = text
    raise AssertionError


def test_a_unique_start_names_an_entry_with_and_without_its_letter(ledger: Shell) -> None:
    claim = ledger.claim()
    for name in (claim, claim[:6], claim[2:6], claim[2:].upper(), f"[{claim}]", f" {claim[:8]} "):
        assert ledger("show", "--json", "--", name).data["id"] == claim


def test_an_ambiguous_start_lists_the_candidates(ledger: Shell) -> None:
    words = ("--by", "a", "--expires", "9999-12-31")
    first, second = (ledger("claim", text, *words).id for text in alike())
    error = ledger.json("show", first[:6], expect=4)
    assert error["code"] == "ambiguous"
    assert first in error["message"]
    assert second in error["message"]
    assert first in ledger("retract", first[2:6], "--reason", "r", expect=4).err


@pytest.mark.parametrize(
    ("name", "code"),
    [("c-123", 2), ("abc", 2), ("c-", 2), ("", 2), ("what", 2), ("c-" + "0" * 13, 2),
     ("e-0000", 4), ("0000", 4), ("c-0123456789ab", 4)],
)  # fmt: skip
def test_too_short_is_bad_input_and_unknown_is_not_found(
    ledger: Shell, name: str, code: int
) -> None:
    ledger.claim()
    for words in (("show", name), ("impact", name), ("retract", name, "--reason", "r")):
        ran = ledger(*words, expect=code)
        assert ran.out == ""


def test_an_entry_of_the_wrong_kind_is_bad_input(ledger: Shell) -> None:
    claim, measured = ledger.claim(), ledger.evidence()
    for words in (
        ("settle", measured, claim, "--supports"),
        ("supersede", measured, "--status", "WRONG"),
        ("renew", measured, "--expires", "9d", "--reason", "r"),
        ("rescope", claim, "--about", "k=v", "--reason", "r"),
        ("claim", "c", "--by", "a", "--evidence", claim),
        ("claim", "c", "--by", "a", "--expires", "9d", "--consult", claim),
        ("claim", "c", "--by", "a", "--expires", "9d", "--echoes", measured),
    ):
        ran = ledger(*words, expect=2)
        assert "is needed" in ran.err, words


def test_near_ids_are_offered(ledger: Shell) -> None:
    claim = ledger.claim()
    typed = claim[:-1] + ("0" if claim[-1] != "0" else "1")
    assert claim in ledger.json("show", typed, expect=4)["fix"]
