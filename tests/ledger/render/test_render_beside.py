import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.kinds import STATUSES
from ledger.render.beside import beside
from ledger.render.citations import Citation, citations

ID = "c-7f3a9c21b04d"


def stated(source: str, status: str | None = "superseded") -> str:
    return beside(source.encode(), lambda _: status).decode()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"see [{ID}].", f"see [{ID}] (superseded)."),
        (f"see [{ID}] (measured).", f"see [{ID}] (superseded)."),
        (f"see [{ID}] (superseded).", f"see [{ID}] (superseded)."),
        (f"see [{ID}] (by hand)", f"see [{ID}] (superseded) (by hand)"),
        ("[c-1234] [c-5678]\r\n", "[c-1234] (superseded) [c-5678] (superseded)\r\n"),
        ("[c-1234][c-5678]", "[c-1234] (superseded)[c-5678] (superseded)"),
        ("\ufeff[c-1234]", "\ufeff[c-1234] (superseded)"),
        ("é𝕏 [c-1234]: b", "é𝕏 [c-1234] (superseded): b"),
        ("| a | b |\n|---|---|\n| x\\|y [c-1234] | z |\n",
         "| a | b |\n|---|---|\n| x\\|y [c-1234] (superseded) | z |\n"),
        ("- a\n  > [c-1234]\r  b", "- a\n  > [c-1234] (superseded)\r  b"),
    ],
)  # fmt: skip
def test_the_status_stands_beside_the_citation(source: str, expected: str) -> None:
    assert stated(source) == expected
    assert stated(expected) == expected


@pytest.mark.parametrize(
    "source",
    [
        "`[c-1234]`", "```\n[c-1234]\n```\n", "[c-1234](u)", "[c-1234][ref]\n\n[ref]: u\n",
        "# H [c-1234]\n", "T [c-1234]\n===\n", "<!-- [c-1234] -->",
    ],
)  # fmt: skip
def test_code_links_headings_and_comments_stay(source: str) -> None:
    assert stated(source) == source


def test_a_status_can_be_taken_away_and_unknown_ones_stay() -> None:
    assert stated("[c-1234] (measured).", "") == "[c-1234]."
    assert stated("[c-1234] (measured).", None) == "[c-1234] (measured)."


def test_generated_lines_stay() -> None:
    source = b"[c-1234]\n[c-5678]\n"
    assert beside(source, lambda _: "fallen", generated={1}) == b"[c-1234]\n[c-5678] (fallen)\n"


PARTS = ["[c-1234]", "[e-abcd]", " (measured)", " (x)", "`", "\n", "\r\n", "| ", "# ", "> ", "- ",
         "    ", "a", "é", "**", "<b>", "\ufeff", "(u)", "[", "]", "\\", "<!--", "-->"]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS), max_size=25).map("".join), st.sampled_from(STATUSES))
def test_twice_changes_nothing_and_every_citation_stays_one(text: str, status: str) -> None:
    source = text.encode()

    def of(citation: Citation) -> str | None:
        return status if citation.id_prefix.startswith("c") else None

    once = beside(source, of)
    assert beside(once, of) == once
    assert [c.id_prefix for c in citations(once)] == [c.id_prefix for c in citations(source)]
    for word in STATUSES:
        once = once.replace(f" ({word})".encode(), b"")
        source = source.replace(f" ({word})".encode(), b"")
    assert once == source
