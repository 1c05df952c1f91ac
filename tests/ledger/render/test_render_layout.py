import pytest

from ledger.render.layout import kept

BEFORE = "|a  | b|\n|:--|--:|\n| 1 |x|\n|1|x|  over | long |\n| `\\|` |"


def test_rows_with_the_same_cells_keep_their_lines() -> None:
    after = "| a | b |\n| --- | --- |\n| 0 | new |\n| 1 | x |\n| 1 | x |\n| 1 | x |\n| `\\|` |  |\n"
    assert kept(BEFORE, after) == (
        "|a  | b|\n|:--|--:|\n| 0 | new |\n| 1 |x|\n|1|x|  over | long |\n| 1 | x |\n| `\\|` |"
    )


def test_a_table_with_one_more_column_keeps_its_alignment() -> None:
    after = "| a | b | status |\n| --- | --- | --- |\n| 1 | x | **WRONG** |\n"
    assert kept(BEFORE, after) == ("| a | b | status |\n| :-- | --: | --- |\n| 1 | x | **WRONG** |")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "| a |\n| --- |\n"),
        (BEFORE, "| b | a |\n| --- | --- |\n| 1 | x |\n"),
        (BEFORE, ""),
        (BEFORE, "| a | b |\n| --- | --- |\n\n| a |\n| --- |\n"),
        ("text\n\n" + BEFORE, "| a | b |\n| --- | --- |\n"),
        ("> | a |\n> |---|", "| a |\n| --- |\n"),
    ],
)
def test_anything_else_is_written_anew(before: str, after: str) -> None:
    assert kept(before, after) == after
