"""`adopt`: hand-kept tables that become generated ones."""

import re
from pathlib import Path

import pytest
from command_line import Shell, shared, tree
from markdown_it import MarkdownIt

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
    missing = ledger("adopt", "no.md", "--table", "x", expect=2).err
    assert missing.startswith("error: no.md: there is no such file\n")
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


def test_adopting_a_table_with_cells_beyond_its_header_is_refused_unless_the_loss_is_accepted(
    ledger: Shell,
) -> None:
    text = "# R\n\n| claim | status |\n|---|---|\n| `a|b` | **WRONG** (2026-01-02) |\n"
    (ledger.root / "notes.md").write_text(text)
    refused = ledger("adopt", "notes.md", "--table", "R", expect=2)
    assert "notes.md:5: 3 cells under a header of 2" in refused.err
    assert (ledger.root / "notes.md").read_text() == text
    ran = ledger("adopt", "notes.md", "--table", "R", "--accept-loss", "--status", "WRONG")
    assert "notes.md:5: 3 cells under a header of 2" in ran.err


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


DECISIONS = """# Decisions

| No | Title | Status | Decided |
|--:|---|---|---|
| 1 | Keep `a \\| b` | ✅ Accepted | 26 Aug 2026 |
| 2 | Cache tokens | **Blue** | 2026-08-27 |
| 3 | Drop it | Rejected | 2026-08-28 |
"""


def test_a_table_of_decisions_is_adopted_by_a_line_and_a_mapping(ledger: Shell) -> None:
    document = ledger.root / "adr.md"
    document.write_text(DECISIONS)
    words = ("adopt", "adr.md", "--line", "5", "--map", "claim=title", "--map", "date=4")
    tried = ledger(*words, "--dry-run")
    assert tried.out.startswith("adr.md: 3 claims adopted, 1 superseded, 4 new entries; nothing is")
    assert document.read_text() == DECISIONS
    warned = "warning: adr.md:6: the status 'Blue' is not known"
    assert warned in tried.err
    data = ledger.json(*words, "--standing", "blue")
    assert (len(data["claims"]), len(data["supersessions"]), data["warnings"]) == (3, 1, [])
    assert ledger.status(data["claims"][2]) == "superseded"
    assert ledger.entry(data["supersessions"][0])["date"] == "2026-08-28"
    assert DECISIONS.partition("\n\n")[2] in document.read_text()
    assert ledger("render", "--check").err == "1 document, all current\n"
    assert ledger.json(*words)["new"] == 0

    evidence = ledger.evidence()
    ledger("settle", data["claims"][0], evidence, "--supports")
    ledger("supersede", data["claims"][1], "--status", "WRONG", "--date", "2026-09-01")
    before = document.read_text().splitlines()
    ledger("render")
    changed = [line for line in document.read_text().splitlines() if line not in before]
    assert changed[1:] == [
        rf"| 1 | Keep `a \| b` | **MEASURED** [{evidence}] | 26 Aug 2026 |",
        "| 2 | Cache tokens | **WRONG** (2026-09-01) | 2026-08-27 |",
    ]
    ledger("render", "--check")


def test_rows_added_below_an_adopted_table_come_in_by_adopting_it_again(ledger: Shell) -> None:
    document = ledger.root / "adr.md"
    document.write_text(DECISIONS)
    first = ledger.json("adopt", "adr.md", "--line", "3", "--map", "claim=title")["claims"]
    ledger("supersede", first[1], "--status", "WRONG")
    ledger("render")
    adopted = document.read_text()
    row = "| 3 | Drop it | Rejected | 2026-08-28 |\n"
    more = "| 4 | More | Proposed | |\n|5|Less|Rejected 1 May 2026| |\n"
    document.write_text(adopted.replace(row, row + more))
    assert "edited by hand" in ledger("render", expect=4).err

    again = ledger.json("adopt", "adr.md", "--table", "Decisions")
    assert (len(again["claims"]), len(again["supersessions"]), again["new"]) == (2, 1, 3)
    assert again["warnings"] == []
    assert [ledger.entry(i)["row"]["number"] for i in again["claims"]] == [4, 5]
    assert ledger.entry(again["claims"][0])["statement"] == "More"
    lines = document.read_text().splitlines(keepends=True)
    kept = [line for line in adopted.splitlines(keepends=True) if "BEGIN" not in line]
    assert "".join(line for line in lines if "BEGIN" not in line) == "".join(kept).replace(
        row, row + more
    )
    ledger("render", "--check")
    assert ledger.json("adopt", "adr.md", "--table", "Decisions")["new"] == 0


NEW_ROWS = (
    "| Bigger is faster | **WRONG** (2026-04-01) | Narrower is |\n| `--x` \\| y | REMOVED |  |\n"
)


def added_to(document: Path, rows: str, *, above: str = "\n<!-- END") -> str:
    """Put rows at the end of the first region's table; the document as it then is."""
    text = document.read_text()
    document.write_text(text.replace(above, rows + above, 1))
    return document.read_text()


def without_begin(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if "BEGIN" not in line)


def test_rows_added_below_superseded_claims_come_in_by_adopting_again(ledger: Shell) -> None:
    document = ledger.root / "playbook.md"
    document.write_bytes(playbook())
    words = ("adopt", "playbook.md", "--table", "Superseded claims")
    first = ledger.json(*words)
    edited = added_to(document, NEW_ROWS)
    refused = ledger("render", expect=4).err
    assert "edited by hand" in refused
    assert "fix: ledger adopt playbook.md --line 8 takes in rows added at its end; else" in refused

    again = ledger.json("adopt", "playbook.md", "--line", "8")
    assert (len(again["claims"]), len(again["supersessions"]), again["new"]) == (2, 2, 4)
    assert [warning.partition(": ")[2] for warning in again["warnings"]] == [
        "the row states no date: today's is taken"
    ]
    claim = ledger.entry(again["claims"][0])
    assert claim["statement"] == "Bigger is faster"
    assert claim["tags"] == ledger.entry(first["claims"][0])["tags"]
    assert ledger.status(again["claims"][0]) == "superseded"
    assert without_begin(document.read_text()) == without_begin(edited)
    ledger("render", "--check")
    assert "nothing to adopt" in ledger(*words).err


def test_rows_added_to_a_region_that_is_behind_the_ledger_come_in_too(ledger: Shell) -> None:
    document = ledger.root / "playbook.md"
    document.write_bytes(playbook())
    words = ("adopt", "playbook.md", "--table", "Superseded claims")
    first = ledger.json(*words)
    ledger("retract", first["supersessions"][0], "--reason", "it was right after all")
    ledger("supersede", ledger.claim("of the panel"), "--status", "WRONG")
    added_to(document, NEW_ROWS)
    assert ledger.json(*words)["new"] == 4
    shown = [row[0] for row in cells(document.read_bytes())[1:]]
    assert shown == [a for a, _, _ in ROWS[1:]] + ["Bigger is faster", "`--x` | y", "of the panel"]
    ledger("render", "--check")


def test_rows_added_to_an_inserted_region_come_in_with_its_tag(ledger: Shell) -> None:
    ledger("supersede", ledger.claim("old", "--tag", "run 1"), "--status", "WRONG")
    document = ledger.root / "doc.md"
    document.write_text("# Old\n")
    insert = ("--insert", "superseded", "--after", "Old", "--option", "tag=run 1")
    ledger("render", "doc.md", *insert)
    added_to(document, NEW_ROWS)
    data = ledger.json("adopt", "doc.md", "--table", "Old")
    assert [ledger.entry(i)["tags"] for i in data["claims"]] == [["main", "run 1"]] * 2
    assert "tag=run%201" in document.read_text()
    assert [row[0] for row in cells(document.read_bytes())] == [
        "claim", "Bigger is faster", "`--x` | y", "old",
    ]  # fmt: skip
    ledger("render", "--check")


@pytest.mark.parametrize(
    ("row", "options", "code", "said"),
    [
        ("| x |  |  |\n", (), 2, "from line 8 on, not every row is a superseded claim"),
        ("| old | **WRONG** (2026-01-02) | |\n" * 2, (), 2, "is there twice"),
        ("| x | WRONG 2026-01-02 | |\n", ("--option", "scope=a=1"), 2, "options of the region"),
        ("| x | WRONG 2026-01-02 | a|b |\n", (), 2, "4 cells under a header of 3"),
        ("\ntext\n", (), 4, "doc.md:3: superseded id=main was edited by hand"),
    ],
)
def test_added_rows_that_cannot_be_shown_are_refused(
    ledger: Shell, row: str, options: tuple[str, ...], code: int, said: str
) -> None:
    claim = ledger.claim("old", "--about", "a=1")
    ledger("supersede", claim, "--status", "WRONG", "--date", "2026-01-02")
    document = ledger.root / "doc.md"
    document.write_text("# Old\n")
    ledger("render", "doc.md", "--insert", "superseded", "--after", "Old", *options)
    added_to(document, row)
    assert said in ledger("adopt", "doc.md", "--table", "Old", expect=code).err


def test_a_table_whose_layout_alone_was_edited_is_taken_as_it_is(ledger: Shell) -> None:
    document = ledger.root / "adr.md"
    document.write_text(DECISIONS)
    ledger("adopt", "adr.md", "--table", "Decisions")
    edited = document.read_text().replace("| 3 | Drop it |", "|   3 | Drop it   |")
    document.write_text(edited)
    assert "the layout, differs" in ledger("render", expect=4).err
    assert ledger.json("adopt", "adr.md", "--table", "Decisions")["new"] == 0
    assert without_begin(document.read_text()) == without_begin(edited)
    ledger("render", "--check")


def test_a_refused_edit_shows_and_gives_up_nothing_but_the_edit(ledger: Shell) -> None:
    document = ledger.root / "adr.md"
    document.write_text(DECISIONS)
    ledger("adopt", "adr.md", "--table", "Decisions")
    adopted = document.read_text()
    document.write_text(adopted.replace("Drop it", "Drop that"))
    refused = ledger("render", expect=4).err
    lines = [line.strip() for line in refused.splitlines()]
    assert [line for line in lines if line[:2] in {"-|", "+|"}] == [
        "-| 3 | Drop that | Rejected | 2026-08-28 |",
        "+| 3 | Drop it | Rejected | 2026-08-28 |",
    ]
    ledger("render", "--accept-loss")
    assert document.read_text() == adopted


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("| 3 | Drop it", "| 3 | Drop that"),
        ("| 3 | Drop it | Rejected | 2026-08-28 |\n", ""),
        ("| 1 | Keep", "| 0 | New | Open | |\n| 1 | Keep"),
        ("| No | Title", "| Number | Title"),
        ("\n\n<!-- END", "\n\nA text.\n\n<!-- END"),
    ],
)
def test_other_edits_of_an_adopted_table_are_left_to_render(
    ledger: Shell, old: str, new: str
) -> None:
    document = ledger.root / "adr.md"
    document.write_text(DECISIONS)
    ledger("adopt", "adr.md", "--table", "Decisions")
    adopted = document.read_text()
    document.write_text(adopted.replace(old, new))
    assert document.read_text() != adopted
    refused = ledger("adopt", "adr.md", "--table", "Decisions", expect=4).err
    assert re.search(r"adr.md:3: claims id=decisions-[0-9a-f]{4} was edited by hand", refused)
    assert "ledger render adr.md" in refused
    assert "edited by hand" in ledger("render", expect=4).err


def test_what_was_adopted_is_named_with_its_statement_in_lines_that_fit(ledger: Shell) -> None:
    rows = "| short *claim* | Open |\n"
    (ledger.root / "a.md").write_text(f"# A\n\n| claim | status |\n|---|---|\n{rows}")
    head, line = ledger("adopt", "a.md", "--table", "A").out.splitlines()
    assert head.startswith("a.md: 1 claim adopted, 0 superseded, 1 new entry; ")
    assert re.fullmatch("  c-[0-9a-f]{12}  short \\*claim\\*", line)
    rows = f"| {'long ' * 30} | Open |\n| two | Open |\n"
    (ledger.root / "b.md").write_text(f"# B\n\n| claim | status |\n|---|---|\n{rows}")
    head, line, _ = ledger("adopt", "b.md", "--table", "B").out.splitlines()
    assert "2 claims adopted, 0 superseded, 2 new entries" in head
    assert 76 <= len(line) <= 80
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("words", "expect", "said"),
    [
        (("--map", "claim"), 2, "--map 'claim' is not key=value"),
        (("--map", "claim=1", "--map", "claim=2"), 2, "--map 'claim=2' is not key=value"),
        (("--map", "verdict=1"), 2, "'verdict' is not known"),
        (("--map", "claim=nothing"), 4, "1: No; 2: Title; 3: Status; 4: Decided"),
        (("--map", "claim=title", "--map", "status=2"), 2, "column of another role"),
        (("--line", "1"), 4, "tables there: line 3: No | Title | Status | Decided"),
        (("--line", "0"), 2, "--line"),
    ],
)
def test_options_that_name_no_column_or_line(
    ledger: Shell, words: tuple[str, ...], expect: int, said: str
) -> None:
    (ledger.root / "adr.md").write_text(DECISIONS)
    line = () if "--line" in words else ("--line", "3")
    assert said in ledger("adopt", "adr.md", *line, *words, expect=expect).err
