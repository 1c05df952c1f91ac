"""`render` and `adopt`: generated tables, and hand-kept ones that become generated."""

from pathlib import Path

import pytest
from command_line import Shell, shared, tree
from markdown_it import MarkdownIt

REGION = "<!-- BEGIN ledger:superseded id=main -->\n<!-- END ledger:superseded id=main -->\n"
ROWS = (
    ("The step waits for the data loader", "**WRONG** (2026-03-01)", "It waits for launches"),
    ("`attn_implementation` names the kernel", "**NOT A FLAG** (2026-03-02)", "Read the trace"),
    ("Padding costs a third | at most", "**WRONG** (2026-03-02)", "9.4 % of tokens *were* padding"),
    ("Checkpointing has to stay on", "**UNNECESSARY** (2026-03-03)", "It fits without: 61 GiB"),
    ("Packing is still to be gained", "**ALREADY BANKED** (2026-03-03)", "It is on by default"),
    ("Ten warm-up steps are enough", "**WRONG**, measured 2026-03-04", "Forty: see `steps.csv`"),
    ("The `--fast` option", "REMOVED 2026-03-05", ""),
    ("Two lengths settle the law", "**WRONG** (2026-03-06)", "Four lengths over 8×"),
    ("naïve “quotes” & <T> entities", "**WRONG** (2026-03-07)", "[a link](https://example.org/x)"),
    ("MFU was 41 %", "**WRONG** (2026-03-08)", "23 %, of the dense peak"),
)  # fmt: skip
BEFORE = "# Playbook\n\nWhat we *follow*.  \nTrailing spaces above.\n\n## 6. Superseded claims\n\n"
AFTER = "\n\n## 7. Notes\n\n| claim | status |\n|---|---|\n| not | this |\n\nEnd without newline"


def playbook(eol: str = "\n") -> bytes:
    lines = ["| claim | status | replaced by |", "|---|---|---|"]
    lines += [f"| {a.replace('|', chr(92) + '|')} | {b} | {c} |" for a, b, c in ROWS]
    return (BEFORE + "\n".join(lines) + AFTER).replace("\n", eol).encode()


def cells(source: bytes) -> list[list[str]]:
    """The cells of the first table with a status column, row by row."""
    tables: list[list[list[str]]] = []
    tokens = MarkdownIt("commonmark").enable("table").parse(source.decode())
    for i, token in enumerate(tokens):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type in {"th_open", "td_open"}:
            tables[-1][-1].append(tokens[i + 1].content)
    return next(table for table in tables if "status" in " ".join(table[0]) and len(table[0]) == 3)


def test_render_check_and_its_four_states(ledger: Shell) -> None:
    document = ledger.root / "doc.md"
    document.write_text("# Doc\n\n" + REGION + "\nafter\n")
    assert "doc.md: superseded id=main is stale" in ledger("render", "--check", expect=1).out
    assert ledger("render").out == "doc.md: superseded id=main rendered\n"
    before = tree(ledger.root)
    current = ledger("render", "--check")
    assert (current.out, current.err) == ("", "1 documents, all current\n")
    assert ledger("render", "--json").data == [{"path": "doc.md", "stale": [], "written": False}]
    assert tree(ledger.root) == before

    ledger("supersede", ledger.claim("old"), "--status", "WRONG", "--replaced-by", "new")
    before = tree(ledger.root)
    stale = ledger("render", "--check", "--json", expect=1)
    assert stale.data[0]["stale"] == ["superseded id=main"]
    assert "region-stale" in ledger("audit", expect=1).out
    assert tree(ledger.root) == before
    ledger("render")
    assert "| old | **WRONG**" in document.read_text()

    document.write_text(document.read_text().replace("| old |", "| altered |"))
    edited = ledger("render", expect=1, writes=False)
    assert "edited by hand" in edited.err
    assert "-| altered |" in edited.err.replace("  -", "-")
    assert ledger.json("render", "--check", expect=1)["code"] == "edited-region"
    assert "| altered |" in document.read_text()
    assert "region-edited" in ledger("audit", expect=1).out
    ledger("render", "--accept-loss")
    assert "| old |" in document.read_text()

    document.write_text("# Doc\n\n" + REGION.splitlines()[0] + "\n\nno end\n")
    error = ledger.json("render", expect=2)
    assert error["code"] == "bad-markers"
    assert "doc.md" in error["message"]
    assert "line 3" in error["message"]
    audit = ledger("audit", "--json", expect=1).data
    assert ("doc.md", 3) in [(f["path"], f["line"]) for f in audit["findings"]]


def test_one_bad_document_keeps_all_from_being_written(ledger: Shell) -> None:
    (ledger.root / "a.md").write_text("# A\n\n" + REGION)
    (ledger.root / "b.md").write_text("# B\n\n" + REGION.splitlines()[0] + "\n")
    ledger("render", expect=2)
    ledger("render", "a.md")
    for words in (("no.md",), (".",), ("b.md",)):
        ledger("render", *words, expect=2)
    (ledger.root / "c.md").write_text("# C\n")
    assert "no generated region" in ledger("render", "c.md", expect=2).err


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_adopting_a_table_keeps_every_other_byte_and_every_cell(ledger: Shell, eol: str) -> None:
    document = ledger.root / "playbook.md"
    source = playbook(eol)
    document.write_bytes(source)
    data = ledger.json("adopt", "playbook.md", "--table", "Superseded claims")
    assert (len(data["claims"]), len(data["supersessions"]), data["new"]) == (10, 10, 20)
    adopted = document.read_bytes()
    assert adopted.startswith(BEFORE.replace("\n", eol).encode())
    assert adopted.endswith(AFTER.replace("\n", eol).encode())
    assert cells(adopted) == cells(source)
    ledger("render", "--check")

    before = tree(ledger.root)
    again = ledger("adopt", "playbook.md", "--table", "Superseded claims")
    assert "nothing to adopt" in again.err
    assert ledger.json("adopt", "playbook.md", "--table", "Superseded claims")["new"] == 0
    ledger("render")
    assert tree(ledger.root) == before
    assert ledger("list", "--status", "superseded", "--limit", "0", "--json").data["total"] == 10
    document.write_bytes(source)
    assert ledger.json("adopt", "playbook.md", "--table", "Superseded claims")["new"] == 0
    assert document.read_bytes() == adopted


def test_a_retracted_supersession_leaves_the_table(ledger: Shell) -> None:
    document = ledger.root / "playbook.md"
    document.write_bytes(playbook())
    data = ledger.json("adopt", "playbook.md", "--table", "Superseded claims")
    ledger("retract", data["supersessions"][0], "--reason", "it was right after all")
    assert "is stale" in ledger("render", "--check", expect=1).out
    ledger("render")
    assert len(cells(document.read_bytes())) == 10
    assert ROWS[0][0] not in document.read_text()


def test_adopting_what_is_not_there(ledger: Shell) -> None:
    document = ledger.root / "playbook.md"
    document.write_bytes(playbook())
    error = ledger.json("adopt", "playbook.md", "--table", "Withdrawn", expect=4)
    assert "6. Superseded claims" in error["fix"]
    ledger("adopt", "no.md", "--table", "x", expect=2)
    assert "--table" in ledger("adopt", "playbook.md", expect=2).err
    document.write_text("# Claims\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    error = ledger.json("adopt", "playbook.md", "--table", "Claims", expect=4)
    assert "line 3: a | b" in error["message"]
    document.write_text("# Claims\n\n| claim | status |\n|---|---|\n| x | |\n")
    assert "states no status" in ledger("adopt", "playbook.md", "--table", "Claims", expect=2).err


@pytest.mark.shared
def test_the_founding_playbook_is_adopted(ledger: Shell) -> None:
    original = shared() / "data" / "playbook" / "training-throughput-playbook.md"
    if not original.is_file():
        pytest.skip("the shared folder has no playbook")
    source = original.read_bytes()
    document = ledger.root / original.name
    document.write_bytes(source)
    data = ledger.json("adopt", original.name, "--table", "Superseded claims")
    assert (len(data["claims"]), len(data["supersessions"])) == (10, 10)
    adopted = document.read_bytes()
    assert cells(adopted) == cells(source)
    begin = source.index(b"\n|", source.index(b"Superseded claims")) + 1
    rows = source[begin:].split(b"\n")
    length = next(i for i, row in enumerate(rows) if not row.startswith(b"|"))
    end = begin + len(b"\n".join(rows[:length])) + 1
    assert adopted.startswith(source[:begin])
    assert adopted.endswith(source[end:])
    ledger("render", "--check")
    before = tree(ledger.root)
    assert ledger.json("adopt", original.name, "--table", "Superseded claims")["new"] == 0
    assert tree(ledger.root) == before


def test_a_document_that_cannot_be_written_stays_as_it_is(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ledger.root / "doc.md").write_text("# Doc\n\n" + REGION)

    def refuse(path: Path, data: bytes, *, like: Path) -> None:
        raise OSError(30, "Read-only file system", str(path), len(data), str(like))

    monkeypatch.setattr("ledger.render.files._write", refuse)
    assert "Read-only" in ledger("render", expect=2).err


def test_adopting_a_table_with_another_column_is_refused_unless_its_loss_is_accepted(
    ledger: Shell,
) -> None:
    text = "# R\n\n| claim | status | who |\n|---|---|---|\n| x | **WRONG** (2026-01-02) | me |\n"
    (ledger.root / "notes.md").write_text(text)
    refused = ledger("adopt", "notes.md", "--table", "R", expect=2)
    assert "column 'who'" in refused.err
    assert (ledger.root / "notes.md").read_text() == text
    ledger("adopt", "notes.md", "--table", "R", "--accept-loss", writes=True)
    assert "| x | **WRONG** (2026-01-02) | — not stated |" in (ledger.root / "notes.md").read_text()


def test_two_documents_keep_their_own_rows_and_share_what_the_panel_lost(ledger: Shell) -> None:
    head = "# Superseded claims\n\n| claim | status | replaced by |\n|---|---|---|\n"
    for name in "ab":
        text = f"{head}| claim of {name} | **WRONG** (2026-01-02) | - |\n"
        (ledger.root / f"{name}.md").write_text(text)
        ledger("adopt", f"{name}.md", "--table", "Superseded claims", writes=True)
    ledger("render", "--check")
    claim = ledger.claim("of the panel")
    ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "x")
    ledger("render", writes=True)
    for name, other in ("ab", "ba"):
        text = (ledger.root / f"{name}.md").read_text()
        assert f"| claim of {name} |" in text
        assert f"claim of {other}" not in text
        assert "| of the panel |" in text
    (ledger.root / "a.md").rename(ledger.root / "moved.md")
    ledger("render", "--check")


def test_a_document_that_is_not_utf8_is_refused_with_the_line(ledger: Shell) -> None:
    text = b"# R\n\n| claim | status |\n|---|---|\n| caf\xe9 | **WRONG** (2026-01-02) |\n"
    (ledger.root / "l.md").write_bytes(text)
    assert "l.md:5 is not UTF-8" in ledger("adopt", "l.md", "--table", "R", expect=2).err
    assert (ledger.root / "l.md").read_bytes() == text


def test_adopting_a_table_whose_cells_stay_changes_nothing_but_the_markers(ledger: Shell) -> None:
    head = "# Superseded claims\n\n"
    table = "| claim | status | replaced by |\n|---|:--|--|\n| x  | **WRONG** (2026-01-02)| y |\n"
    (ledger.root / "a.md").write_text(f"{head}{table}\nEnd.\n")
    ledger("adopt", "a.md", "--table", "Superseded claims", writes=True)
    lines = (ledger.root / "a.md").read_text().splitlines(keepends=True)
    assert f"\n{table}\n" in "".join(lines)
    kept = [line for line in lines if "ledger:superseded" not in line]
    assert "".join(kept).replace("\n", "") == f"{head}{table}\nEnd.\n".replace("\n", "")
    ledger("render", "--check")
