import pytest

from ledger.figures.conditions import conditions


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("the quadratic term is more than half of the step at 16,384 tokens", ["16384 tokens"]),
        ("attention dominates beyond about 8k tokens", ["8000 tokens"]),
        ("half of a 32-row batch is padding", ["32 rows"]),
        ("the fit closes for the 2,408 records", ["2408 records"]),
        ("it is quadratic with w=16,384 tokens", ["16384 tokens"]),
        ("it fits on an 80 GB card", ["80 GB"]),
        ("half is padding for batches of 32 rows", ["32 rows"]),
        ("it holds at 2k, 8k and 16k tokens", ["2000 tokens", "8000 tokens", "16000 tokens"]),
        ("the loss is flat from 16,384 tokens on", ["16384 tokens"]),
        ("a cache up to 609 MB is read at once", ["609 MB"]),
    ],
)  # fmt: skip
def test_counts_and_sizes_that_a_claim_holds_at(statement: str, found: list[str]) -> None:
    names = {f"{figure.value:g} {figure.unit}" for figure in conditions(statement)}
    assert names == set(found)


@pytest.mark.parametrize(
    "statement",
    [
        "training runs at 8.6 % MFU",
        "the cache is rebuilt in under 4.3 h",
        "it is slower at 35.2 s per step",
        "the kernel is faster by up to 2.3x",
        "the encode cache takes up to 609 MB",
        "the cache is over 609 MB",
        "the cache shrinks from 609 MB to 145 MB",
        "the run needs 1,312 steps",
        "an overhead of 609 MB",
        "2,408 records at 2,408 records",
    ],
)
def test_what_a_claim_says_is_no_condition(statement: str) -> None:
    assert conditions(statement) == frozenset()
