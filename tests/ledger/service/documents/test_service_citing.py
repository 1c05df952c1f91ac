"""Citations of a document: those outside its generated regions, with their places."""

import pytest

from ledger.render import wrap
from ledger.service.documents import citing

TABLE = "| claim |\n| --- |\n| generated [c-00ff] |\n"


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_citations_inside_regions_do_not_count_and_those_after_keep_their_line(eol: str) -> None:
    region = wrap("superseded", "main", {}, TABLE)
    text = f"# T [c-1111]\n\n{region}\ntwice [c-2222] [c-2222]\n\n- item [e-3333]\n"
    found = citing.cited(text.replace("\n", eol).encode())
    assert [(c.id_prefix, c.line, c.column) for c in found] == [
        ("c-1111", 1, 5), ("c-2222", 11, 7), ("c-2222", 11, 16), ("e-3333", 13, 8),
    ]  # fmt: skip


END = "<!-- END ledger:superseded id=main -->"


@pytest.mark.parametrize(
    "end", [END, END.replace("main", "man"), END.replace("ledger", "leger"), "<!--END ledger:x-->",
            END.replace("END", "EDN")]
)  # fmt: skip
def test_a_broken_marker_leaves_the_other_regions_generated(end: str) -> None:
    second = wrap("superseded", "second", {}, TABLE)
    text = f"[c-1111]\n\n<!-- BEGIN ledger:superseded id=main -->\n\n{TABLE}\n{end}\n\n"
    text += f"[c-2222]\n\n{second}\n[c-3333]\n"
    assert [(c.id_prefix, c.line) for c in citing.cited(text.encode())] == [
        ("c-1111", 1), ("c-2222", 11), ("c-3333", 21),
    ]  # fmt: skip


def test_a_region_without_an_end_lasts_to_the_next_one_or_the_end_of_the_document() -> None:
    begin = "<!-- BEGIN ledger:superseded id=main -->\n\n"
    text = f"{begin}{TABLE}\n{wrap('superseded', 'second', {}, TABLE)}\n[c-2222]\n"
    assert [c.id_prefix for c in citing.cited(text.encode())] == ["c-2222"]
    assert citing.cited(f"{begin}{TABLE}\n[c-2222]\n".encode()) == []
