import pytest

from ledger.figures.dated import passage
from ledger.figures.history import telling


def told(text: str) -> str | None:
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines) if "4.3 h" in line)
    begin = lines[number].index("4.3 h")
    return telling(passage(lines, number, begin, begin + 5))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The rebuild time of 4.3 h was superseded.", "superseded"),
        ("We used to say 4.3 h.", "used to"),
        ("The figure of 4.3 h is no longer true.", "no longer"),
        ("4.3 h turned out to be wrong.", "turned out to be wrong"),
        ("It said 4.3 h. That was wrong.", "was wrong"),
        ("The wrapped 4.3 h\nhas been retracted.", "retracted"),
        ("| the rebuild takes 4.3 h | **WRONG** |", "WRONG"),
        ("| 4.3 h. Cold. | outdated |", "outdated"),
        ("# 4.3 h, which is not true", "not true"),
    ],
)
def test_words_that_tell_of_a_mistake(text: str, words: str) -> None:
    assert told(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "The rebuild takes 4.3 h.",
        "The rebuild took 4.3 h on 2026-08-26.",
        "The rebuild takes 4.3 h. Stale caches are deleted.",
        "Stale caches are deleted. The rebuild takes 4.3 h.",
        "The 4.3 h are not outdated.",
        "The 4.3 h have never been refuted.",
        "The 4.3 h weren't retracted.",
        "The rebuild takes 4.3 h.\n\nThat was wrong.",
        "The rebuild takes 4.3 h on the wrong host.",
        "The rebuild takes no longer than 4.3 h.",
        "All of the 4.3 h are used to rebuild.",
    ],
)
def test_other_texts_tell_of_none(text: str) -> None:
    assert told(text) is None
