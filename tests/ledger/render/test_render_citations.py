import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.render.citations import citations

ID = "c-7f3a9c21b04d"


def places(source: str) -> list[tuple[str, int, int]]:
    return [(c.id_prefix, c.line, c.column) for c in citations(source.encode())]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (f"see [{ID}].", [(ID, 1, 5)]),
        ("[k-1234] [e-12345] [v-abcd] [s-abcd]", [("k-1234", 1, 1), ("e-12345", 1, 10),
          ("v-abcd", 1, 20), ("s-abcd", 1, 29)]),
        ("[r-1234] [o-1234] [w-1234] [n-1234]", [(f"{x}-1234", 1, 1 + 9 * i)
          for i, x in enumerate("rown")]),
        ("a\nb [c-1234]\nc [c-5678] [c-9abc]\n\nd\n", [("c-1234", 2, 3), ("c-5678", 3, 3),
          ("c-9abc", 3, 12)]),
        ("a\r\nb\r\rc [c-1234]\r\n", [("c-1234", 4, 3)]),
        ("\ufeff[c-1234]", [("c-1234", 1, 1)]),
        ("é𝕏\u2028 [c-1234]", [("c-1234", 1, 5)]),
        ("# H [c-1234] #\n\nS [c-5678]\n===\n", [("c-1234", 1, 5), ("c-5678", 3, 3)]),
        ("- a\n  - b\n    c [c-1234]\n", [("c-1234", 3, 7)]),
        ("> a\n> > b [c-1234]\nlazy [c-5678]\n", [("c-1234", 2, 7), ("c-5678", 3, 6)]),
        ("| a [c-1234] | b |\n|---|---|\n| `[c-5678]` | x\\|y [c-9abc] [c-def0] | [c-1111] |\n",
          [("c-1234", 1, 5), ("c-9abc", 3, 21), ("c-def0", 3, 30)]),
        ("> | a |\n> |---|\n> | [c-1234] |\n", [("c-1234", 3, 5)]),
        ("[c-1234](url) **[c-5678]** ![[c-9abc]](x)", [("c-1234", 1, 1), ("c-5678", 1, 17),
          ("c-9abc", 1, 30)]),
        ("[c-1234] ![`code`](u)", [("c-1234", 1, 1)]),
        ("[c-1234]\n\n[c-1234]: https://example.org\n", [("c-1234", 1, 1)]),
        ("\x0c\n[c-1234]\n\x0c [c-5678]", [("c-1234", 2, 1), ("c-5678", 3, 3)]),
        ("<details>\n<b>[c-1234]</b> <!-- [c-5678] -->\n</details>\n", [("c-1234", 2, 4)]),
        ("1. x\n\n   <div>\n   [c-1234]\n   </div>\n", [("c-1234", 4, 4)]),
    ],
)  # fmt: skip
def test_citations_in_text_are_found_where_they_stand(
    source: str, expected: list[tuple[str, int, int]]
) -> None:
    assert places(source) == expected


@pytest.mark.parametrize(
    "code",
    [
        "`[c-1234]`", "``a ` [c-1234]``", "`a\n[c-1234]`", "[`[c-1234]`](url)", "![`[c-1234]`](u)",
        "**`[c-1234]`**",
        "```\n[c-1234]\n```", "~~~ [c-1234]\n~~~", "    [c-1234]", "> ```\n> [c-1234]\n> ```",
        "- x\n\n      [c-1234]", "a <!-- [c-1234] --> b", "a <!-- x\n[c-1234] --> b",
        "<!--\n[c-1234]\n-->", "<!-- [c-1234] -->", '<a title="[c-1234]">t</a>',
        "x <i title='[c-1234]'>t</i>", "<pre>\n[c-1234]\n</pre>", "<script>\n[c-1234]\n</script>",
        "<http://x/[c-1234]>",
    ],
)  # fmt: skip
def test_code_and_comments_cite_nothing(code: str) -> None:
    assert places(code) == []
    after = f"{code}\n\nthen [{ID}]\n"
    assert places(after) == [(ID, after.count("\n"), 6)]


@pytest.mark.parametrize(
    "text",
    ["[x-1234]", "[c-123]", "[c-7f3a9c21b04dd]", "[C-1234]", "[c-12G4]", "c-1234", "[ c-1234]"],
)
def test_what_is_no_id_is_no_citation(text: str) -> None:
    assert places(text) == []


def test_a_backtick_without_partner_hides_nothing() -> None:
    assert places("` [c-1234] `` [c-5678]") == [("c-1234", 1, 3), ("c-5678", 1, 15)]
    assert places("\\<!-- [c-1234] --> <!-- [c-5678] -->") == [("c-1234", 1, 7)]


pieces = st.sampled_from(
    ["[c-1234]", "[e-abcdef]", "`", "``", "\n", "\r\n", "\n\n", "> ", "- ", "    ", "\t", "| ", "|",
     "\n|---|---|\n", "```", "<!--", "-->", "<div>", "</div>", "\\", "# ", "===", "x", "[", "](u)",
     "!", "*", "\x00", "\x0c", "\u2028", ": "]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(pieces, max_size=30).map("".join))
def test_every_place_holds_what_it_says(source: str) -> None:
    import re

    lines = re.split(r"\r\n|\r|\n", source)
    found = places(source)
    assert len(set(found)) == len(found)
    for cited, line, column in found:
        assert lines[line - 1][column - 1 :].startswith(f"[{cited}]")


def test_many_citations_in_one_line_are_fast() -> None:
    assert len(places("[c-1234] `x` " * 3000)) == 3000
