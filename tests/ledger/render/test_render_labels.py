import pytest

from ledger.render.labels import STANDING, SUPERSEDED, dated, is_among, known, label


@pytest.mark.parametrize(
    ("cell", "words", "date", "stands"),
    [
        ("**WRONG** (2026-01-02)", "WRONG", "2026-01-02", False),
        ("✅ Accepted on 26 Aug 2026", "Accepted", "2026-08-26", True),
        ("~~Accepted~~ Superseded by [ADR-7](x.md)", "Superseded by ADR-7", None, False),
        ("`deprecated` since March 3rd, 2026", "deprecated", "2026-03-03", False),
        ("❌ **No**", "No", None, False),
        ("❌", "❌", None, False),
        ("👍", "👍", None, True),
        ("*Accepted* (26.08.2026; see log)", "Accepted", "2026-08-26", True),
        ("[Removed](x.md) in 2024.10.1", "Removed in 2024.10.1", None, False),
        ("not valid", "not valid", None, False),
        ("Not yet decided", "Not yet decided", None, True),
        ("No longer valid, 1 September 2026", "No longer valid", "2026-09-01", False),
        ("![Stable](https://example.org/s.svg)", "Stable", None, True),
        ("~~Accepted~~", "Accepted", None, None),
        ("~~Accepted~~ 2026-01-02", "Accepted", "2026-01-02", None),
        ("Unsupported", "Unsupported", None, None),
        ("Accepted; supersedes [ADR 3](x)", "Accepted; supersedes ADR 3", None, True),
        ("W\\*ONG", "W*ONG", None, None),
        ("<b>Wrong</b><br>2026/01/02", "Wrong", "2026-01-02", False),
        ("**A** (2026-01-02, then 2026-03-04) b (2026-05-06)", "A b", "2026-01-02", None),
        ("2026-02-30", "2026-02-30", None, None),
        ("", "", None, None),
    ],
)
def test_what_a_status_cell_says(
    cell: str, words: str, date: str | None, stands: bool | None
) -> None:
    assert (label(cell), dated(cell).date, known(cell)) == (words, date, stands)


@pytest.mark.parametrize(
    ("cell", "partial"),
    [
        ("Deprecated, August 2026", "August 2026"),
        ("since 2026-08", "2026-08"),
        ("08/09/2026", "08/09/2026"),
        ("Q3 2026", "Q3 2026"),
        ("August 2026, 2026-08-26", None),
        ("version 2026", None),
    ],
)
def test_a_date_without_a_certain_day_is_no_date(cell: str, partial: str | None) -> None:
    assert dated(cell).partial == partial


@pytest.mark.parametrize(
    ("cell", "words", "date", "review"),
    [
        ("Accepted, review by 2026-12-01", "Accepted", None, "2026-12-01"),
        ("Accepted 2026-01-02 (revisit 1 Dec 2026)", "Accepted", "2026-01-02", "2026-12-01"),
        ("Valid until 2026-12-01", "Valid", None, "2026-12-01"),
        ("Active until 2026-12-01", "Active", None, "2026-12-01"),
    ],
)
def test_a_date_for_review_is_not_the_date_of_the_label(
    cell: str, words: str, date: str | None, review: str
) -> None:
    found = dated(cell)
    assert (label(cell), found.date, found.review) == (words, date, review)


def test_every_known_label_says_what_its_list_says() -> None:
    for words, stands in ((SUPERSEDED, False), (STANDING, True)):
        for word in words:
            assert known(f"**{word.upper()}** x") is stands, word
    assert not set(SUPERSEDED) & set(STANDING)


def test_labels_are_compared_as_a_whole_and_without_markup() -> None:
    assert is_among("Listed", ("**LISTED** (2026-01-02)",))
    assert not is_among("Listed here", ("listed",))


def test_valid_until_alone_is_a_label() -> None:
    assert (label("**valid until 2027-03-01**"), dated("valid until 2027-03-01").review) == (
        "valid", "2027-03-01",
    )  # fmt: skip
    assert label("accepted, valid until 2027-03-01") == "accepted"
