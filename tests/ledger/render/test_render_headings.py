"""Finding a heading by a part of its text."""

import pytest

from ledger.errors import LedgerError
from ledger.render.headings import find_heading
from ledger.render.markdown import Heading


def headings(*texts: str) -> tuple[Heading, ...]:
    return tuple(Heading(text=t, level=2, line=i, end=i + 1) for i, t in enumerate(texts))


def test_a_part_of_one_heading_or_all_of_it_is_enough() -> None:
    found = headings("Open questions", "Open", "Closed")
    assert find_heading(found, "clos").text == "Closed"
    assert find_heading(found, "open").text == "Open"


def test_of_many_headings_those_nearest_to_what_was_asked_are_named() -> None:
    many = headings(*(f"Chapter {i}" for i in range(29)), "Measured negatives", "Open claims")
    with pytest.raises(LedgerError) as caught:
        find_heading(many, "Mesured negatives")
    assert caught.value.code == "not-found"
    assert "line 30: Measured negatives" in caught.value.fix
    assert caught.value.fix.endswith("; and 26 more")
    assert caught.value.fix.count("line ") == 5
    with pytest.raises(LedgerError, match=r"29 headings contain .*; and 24 more") as caught:
        find_heading(many, "chapter")
    assert caught.value.code == "ambiguous"


def test_few_headings_are_all_named() -> None:
    with pytest.raises(LedgerError) as caught:
        find_heading(headings("A", "B"), "z")
    assert caught.value.fix == "use part of one of these: line 1: A; line 2: B"
