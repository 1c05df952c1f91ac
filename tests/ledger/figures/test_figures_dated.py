import pytest

from ledger.figures.dated import cites, date_in, sentence


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("145.5 s, measured 2026-08-26", "2026-08-26"),
        ("as of August 2026 it is", "August 2026"),
        ("on 26 Aug. 2026", "26 Aug. 2026"),
        ("on Sept 3, 2026 it was", "Sept 3, 2026"),
        ("in may 2026", "may 2026"),
        ("it may take 2026 steps", None),
        ("version 12026-08-265", None),
        ("145.5 s on 32 workers", None),
        ("August of that year", None),
    ],
)
def test_dates(text: str, date: str | None) -> None:
    assert date_in(text) == date


def test_citations_of_claims_and_measurements_alone() -> None:
    assert cites("it is so [c-0123456789ab].")
    assert cites("[e-0123]")
    assert not cites("[k-0123456789ab] [c-xyz] c-0123456789ab")


def said(text: str, figure: str) -> str:
    lines = text.split("\n")
    number = next(n for n, line in enumerate(lines) if figure in line)
    begin = lines[number].index(figure)
    return sentence(lines, number, begin, begin + len(figure))


def test_a_wrapped_sentence_is_followed_over_its_lines() -> None:
    text = "Before. The cache takes\nnow 4.3 h to build,\nsince 2026-08-26. After."
    assert said(text, "4.3") == "The cache takes now 4.3 h to build, since 2026-08-26."


def test_a_sentence_ends_at_full_stops_blank_lines_items_and_rows() -> None:
    assert said("Old of 2026-08-26.\nIt takes 4.3 h.\nNew.", "4.3") == "It takes 4.3 h."
    assert said("Old\n\nit takes 4.3 h\n\nnew", "4.3") == "it takes 4.3 h"
    assert said("- old\n- it takes 4.3 h\n- new", "4.3") == "- it takes 4.3 h"
    assert said("| old |\n| it takes 4.3 h |\n| new |", "4.3") == "| it takes 4.3 h |"
    assert said("# old\n#\n# it takes 4.3 h\n#\n# new", "4.3") == "# it takes 4.3 h"


def test_the_own_line_counts_whole_and_far_lines_do_not() -> None:
    assert said("In 2026-08-26. It takes 4.3 h. Yes.", "4.3").startswith("In 2026-08-26.")
    lines = "a\nb\nc\nit takes 4.3 h\nd\ne\nf"
    assert said(lines, "4.3") == "b c it takes 4.3 h d e"
