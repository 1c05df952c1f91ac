import pytest

from ledger.errors import LedgerError
from ledger.render.columns import Columns, by_words


def roles(columns: Columns | None) -> tuple[int | None, ...]:
    assert columns is not None
    return (columns.claim, columns.status, columns.replaced_by, columns.date)


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("claim | status | replaced by", (0, 1, 2, None)),
        ("Status | Use instead | The claim | who", (2, 0, 1, None)),
        ("ADR | Title | Status | Date | Superseded by", (1, 2, 4, 3)),
        ("# | Decision | Title | State", (1, 3, None, None)),
        ("Hypothesis | Verdict", (0, 1, None, None)),
        ("**Statement** | `Outcome` | [Date](x)", (0, 1, None, 2)),
        ("Finding | Result", (0, 1, None, None)),
        ("Feature | Alternative | Removed in", (0, None, 1, None)),
        ("Deprecated | Replacement | Since", (0, None, 1, None)),
        ("Deprecated name | New name", (0, None, 1, None)),
        ("Claim | Verdict | When", (0, 1, None, 2)),
        ("on | Claim | Status", (1, 2, None, 0)),
        ("Option | Status | Depends on | When to use | **Day**", (0, 1, None, 4)),
        ("Argument | Deprecated in", (0, None, None, None)),
    ],
)
def test_usual_headers(header: str, expected: tuple[int | None, ...]) -> None:
    assert roles(by_words(tuple(header.split(" | ")), {})) == expected


def test_a_table_without_a_column_of_claims() -> None:
    assert by_words(("Method", "Status"), {}) is None
    assert by_words(("Claim",), {"claim": ""}) is None


@pytest.mark.parametrize(
    ("header", "cells", "label"),
    [
        ("Option | Use instead | Removed in", ("a", "b", "`5.0`"), "REMOVED IN 5.0"),
        ("Option | Use instead | Removed in", ("a", "b", "—"), "DEPRECATED"),
        ("Option | Since | Removal", ("a", "4.1", "n/a"), "DEPRECATED SINCE 4.1"),
        ("Option | Replacement | Version", ("a", "b", "4.1"), "DEPRECATED SINCE 4.1"),
        ("Deprecated | Alternatives", ("a", "b"), "DEPRECATED"),
        ("Name | Version", ("a", "4.1"), None),
    ],
)
def test_what_a_table_of_deprecations_says_of_a_row(
    header: str, cells: tuple[str, ...], label: str | None
) -> None:
    columns = by_words(tuple(header.split(" | ")), {})
    assert columns is not None
    assert columns.deprecates is (label is not None)
    if label is not None:
        assert columns.deprecation(cells) == label


HEADER = ("Name", "New name", "**Kind** of `x`", "2", "Result")


@pytest.mark.parametrize(
    ("mapping", "expected"),
    [
        ({"claim": "name"}, (0, 4, 1, None)),
        ({"claim": "NEW", "status": "kind of x"}, (1, 2, None, None)),
        ({"claim": "3", "status": "2", "replaced_by": ""}, (2, 3, None, None)),
        ({"claim": "1", "status": "", "date": "5"}, (0, None, 1, 4)),
    ],
)
def test_columns_that_are_named(mapping: dict[str, str], expected: tuple[int | None, ...]) -> None:
    assert roles(by_words(HEADER, mapping)) == expected


@pytest.mark.parametrize(
    ("mapping", "code", "words"),
    [
        ({"claim": "e"}, "ambiguous", "3 columns are headed 'e': 1: Name; 2: New name"),
        ({"claim": "6"}, "not-found", "no columns are headed '6': 1: Name"),
        ({"claim": "1", "status": "Name"}, "bad-input", "column of another role"),
        ({"verdict": "1"}, "bad-input", "'verdict' is not known"),
    ],
)
def test_columns_that_are_not_there(mapping: dict[str, str], code: str, words: str) -> None:
    with pytest.raises(LedgerError) as caught:
        by_words(HEADER, mapping)
    assert caught.value.code == code
    assert words in caught.value.message
    assert caught.value.fix
