"""`render`: regions brought up to date, or named by their place, or put under a heading."""

import json
import re
from pathlib import Path

import pytest
from command_line import Shell, in_days, tree

from ledger import clock
from ledger.service import disk

EMPTY = "<!-- BEGIN ledger:superseded id=main -->\n<!-- END ledger:superseded id=main -->\n"
BEGIN, END = EMPTY.splitlines()


def states(ledger: Shell, *words: str, expect: int) -> dict[str, list[tuple[str, int, int]]]:
    """State, line and column of every region, by file."""
    ran = ledger("render", "--json", *words, expect=expect, writes=True)
    return {
        item["path"]: [(r["state"], r["line"], r["column"]) for r in item["regions"]]
        for item in ran.data
    }


def test_a_region_is_stale_then_rendered_then_current(ledger: Shell) -> None:
    document = ledger.root / "doc.md"
    document.write_text("# Doc\n\n" + EMPTY + "\nafter\n")
    stale = ledger("render", "--check", expect=1)
    assert stale.out == "doc.md:3:1: superseded id=main is stale\n"
    assert ledger("render").out == "doc.md:3:1: superseded id=main rendered\n"
    before = tree(ledger.root)
    current = ledger("render", "--check")
    assert (current.out, current.err) == ("", "1 document, all current\n")
    (record,) = ledger("render", "--json").data
    assert (record["path"], record["state"], record["stale"]) == ("doc.md", "current", [])
    assert record["written"] is False
    assert tree(ledger.root) == before

    ledger("supersede", ledger.claim("old"), "--status", "WRONG", "--replaced-by", "new")
    before = tree(ledger.root)
    (record,) = ledger("render", "--check", "--json", expect=1).data
    assert record["stale"] == ["superseded id=main"]
    assert (
        record["regions"][0]["detail"] == "0 lines that the ledger no longer gives, 1 line missing"
    )
    assert "region-stale" in ledger("audit", expect=1).out
    assert tree(ledger.root) == before
    ledger("render")
    assert "| old | **WRONG**" in document.read_text()


def test_an_edit_by_hand_is_refused_with_a_diff_and_given_up_only_when_told(ledger: Shell) -> None:
    document = ledger.root / "doc.md"
    document.write_text("# Doc\n\n" + EMPTY)
    ledger("supersede", ledger.claim("old"), "--status", "WRONG")
    ledger("render")
    document.write_text(document.read_text().replace("| old |", "| altered |"))
    for words in ((), ("--check",)):
        edited = ledger("render", *words, expect=4)
        assert "doc.md:3:1: superseded id=main was edited by hand" in edited.err
        assert "-| altered |" in edited.err.replace("  -", "-")
    assert ledger("render", "--check", "--json", expect=4).error["code"] == "edited-region"
    assert "region-edited" in ledger("audit", expect=1).out
    ledger("render", "--accept-loss")
    assert "| old |" in document.read_text()

    document.write_text(re.sub(" sha256=[0-9a-f]+", "", document.read_text()))
    assert "its sha256 was removed" in ledger("render", expect=4).err
    assert "sha256" not in document.read_text()
    ledger("render", "--accept-loss")
    ledger("render", "--check")


def test_every_file_is_judged_on_its_own(ledger: Shell) -> None:
    texts = {
        "a.md": "# A\n\n" + EMPTY,
        "b.md": "# B\n\n" + BEGIN + "\n\nno end\n",
        "c.md": f"# C\n\n{EMPTY.replace('main', 'x since=2026-02-30', 1).replace('main', 'x')}\n"
        + EMPTY,
        "d.md": "# D\n\n" + EMPTY.replace("BEGIN", "BEGIN") + "\n<!-- END ledger:open id=z -->\n",
        "e.md": f"# E\n\n{BEGIN}\n\nby hand\n\n{END}\n\n{EMPTY.replace('main', 'new')}",
        "f.md": "# F, which only speaks of ledger: nothing\n",
    }
    for name, text in texts.items():
        (ledger.root / name).write_text(text)
    found = states(ledger, "--check", expect=4)
    assert found == {
        "a.md": [("stale", 3, 1)],
        "b.md": [("malformed", 3, 1)],
        "c.md": [("malformed", 3, 35), ("stale", 6, 1)],
        "d.md": [("malformed", 6, 1)],
        "e.md": [("edited", 3, 1), ("stale", 9, 1)],
    }
    ran = ledger("render", expect=4, writes=True)
    assert (
        ran.out == "a.md:3:1: superseded id=main rendered\nc.md:6:1: superseded id=main rendered\n"
    )
    assert "error: b.md:3:1: markers: region ledger:superseded id=main has no end" in ran.err
    assert "error: c.md:3:35: superseded id=x: since: '2026-02-30' is not a date" in ran.err
    assert ran.err.count("fix: ") == 4
    for name in ("b.md", "d.md", "e.md", "f.md"):
        assert (ledger.root / name).read_text() == texts[name]
    audit = ledger("audit", "--json", expect=1).data
    assert ("b.md", 3) in [(f["path"], f["line"]) for f in audit["findings"]]


def test_exit_codes_are_the_largest_of_all_files(ledger: Shell) -> None:
    (ledger.root / "a.md").write_text("# A\n\n" + EMPTY)
    (ledger.root / "b.md").write_text("# B\n\n" + BEGIN + "\n")
    (ledger.root / "c.md").write_text("# C\n")
    for words, code in (
        (("a.md", "--check"), 1),
        (("a.md", "c.md", "--check"), 2),
        (("a.md", "no.md", "--check"), 2),
        ((".",), 2),
        (("no.md", "b.md"), 3),
        (("a.md", "b.md"), 3),
        (("a.md",), 0),
    ):
        ledger("render", *words, expect=code, writes=True)
    assert "no generated region" in ledger("render", "c.md", expect=2).err
    no_file = "error: no.md: there is no such file\nfix: name a Markdown file\n"
    assert ledger("render", "no.md", expect=2).err == no_file


def test_a_document_that_cannot_be_read_or_written_is_named(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (ledger.root / f"{name}.md").write_text("# Doc\n\n" + EMPTY)

    def denied(path: Path) -> bytes:
        if path.name == "a.md":
            raise disk.unreadable(str(path), PermissionError(13, "Permission denied"))
        return path.read_bytes()

    with monkeypatch.context() as patched:
        patched.setattr(disk, "read", denied)
        ran = ledger("render", expect=2, writes=True)
    assert "error: a.md: cannot read" in ran.err
    assert ran.out == "b.md:3:1: superseded id=main rendered\n"

    def refuse(path: Path, data: bytes, *, like: Path) -> None:
        raise OSError(30, "Read-only file system", str(path), len(data), str(like))

    monkeypatch.setattr("ledger.render.files._write", refuse)
    assert "Read-only" in ledger("render", expect=2).err


def test_annotations_for_github_name_file_line_and_column(ledger: Shell) -> None:
    (ledger.root / "a,b.md").write_text("# A\n\n" + EMPTY)
    (ledger.root / "c.md").write_text("# C\n\n" + EMPTY.replace("main", "main order=size", 1))
    ran = ledger("render", "--check", "--format", "github", expect=3)
    first, second = ran.out.splitlines()
    assert first == (
        "::warning file=a%2Cb.md,line=3,col=1,title=region-stale::a,b.md:3:1: region superseded "
        "id=main is stale (got nothing is generated yet; expected what the ledger says now). "
        "ledger render a,b.md"
    )
    assert second.startswith("::error file=c.md,line=3,col=38,title=region-malformed::")
    assert "expected options that can be followed" in second
    (ledger.root / "c.md").write_text("# C\n\n" + BEGIN)
    (broken,) = ledger(
        "render", "c.md", "--format", "github", expect=3, writes=True
    ).out.splitlines()
    assert broken.startswith("::error file=c.md,line=3,col=1,title=region-malformed::")
    assert "c.md:3:1: the markers are malformed" in broken
    assert "expected markers in pairs" in broken
    assert "--format" in ledger("render", "--format", "sarif", expect=2).err


DOCUMENT = "# Notes\n\nText.\n\n## Open questions\nGlued text.\n\nUnderlined\n----------\n\nEnd"


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("heading", ["Notes", "open quest", "Underlined", "Last"])
def test_a_new_region_comes_under_its_heading_and_leaves_every_other_byte(
    ledger: Shell, eol: str, bom: bytes, heading: str
) -> None:
    ledger.claim("is it so?", "--tag", "run 1, second")
    source = bom + (DOCUMENT + "\n\n# Last").replace("\n", eol).encode()
    (ledger.root / "doc.md").write_bytes(source)
    options = ("--option", "tag=run 1%2C second", "--option", "columns=claim,days left")
    words = ("render", "doc.md", "--insert", "open", "--after", heading)
    ledger(*words, *options)
    done = (ledger.root / "doc.md").read_bytes()
    begin, end = done.index(b"<!-- BEGIN"), done.index(b"<!-- END")
    end = (done.find(eol.encode(), end) + len(eol)) if heading != "Last" else len(done)
    text = done[begin:end].decode().replace(eol, "\n")
    today = clock.today()
    assert re.sub("c-[0-9a-f]{12}|sha256=[0-9a-f]{12}", "X", text).rstrip("\n") == (
        f"<!-- BEGIN ledger:open id=main tag=run%201%2C%20second columns=claim,days%20left"
        f" as_of={today} X -->\n\n| claim | days left on {today} |\n| --- | --- |\n"
        "| is it so? [X] | 90 |\n\n<!-- END ledger:open id=main -->"
    )
    around = (done[:begin] + done[end:]).decode("utf-8-sig").replace(eol, "\n")
    assert re.sub("\n+", "\n", around).strip() == re.sub("\n+", "\n", DOCUMENT + "\n\n# Last")
    assert done.startswith(bom)
    assert (eol == "\n") == (b"\r" not in done)
    assert not done.endswith(b"\n")
    assert eol.encode() * 3 not in done
    ledger("render", "--check")
    before = tree(ledger.root)
    ledger("render")
    again = ledger(*words, expect=2)
    assert "is there already" in again.err
    assert "--id" in again.err
    assert tree(ledger.root) == before
    ledger(*words, "--id", "second")
    ledger("render", "--check")


def test_insertions_that_cannot_be_made(ledger: Shell) -> None:
    document = ledger.root / "doc.md"
    document.write_text("# A\n\n# AB\n\n" + EMPTY)
    for words, code, said in (
        (("doc.md", "--insert", "open"), 2, "--after"),
        (("--insert", "open", "--after", "A"), 2, "one FILE"),
        (("doc.md", "--after", "A"), 2, "--insert"),
        (("doc.md", "--insert", "open", "--after", "B", "--check"), 2, "--check"),
        (("doc.md", "--insert", "open", "--after", "C"), 2, "no heading contains 'C'"),
        (("doc.md", "--insert", "open", "--after", ""), 2, "2 headings contain ''"),
        (("doc.md", "--insert", "nothing", "--after", "A"), 2, "use one of: superseded"),
        (("doc.md", "--insert", "open", "--after", "A", "--id", "a b"), 2, "id"),
        (("doc.md", "--insert", "open", "--after", "A", "--option", "x=1"), 2, "use only: id"),
        (("doc.md", "--insert", "open", "--after", "A", "--option", "x"), 2, "key=value"),
    ):
        assert said in ledger("render", *words, expect=code).err, words
    document.write_text("# A\n\n" + BEGIN)
    assert (
        "no end marker"
        in ledger("render", "doc.md", "--insert", "open", "--after", "A", expect=3).err
    )


@pytest.mark.parametrize(
    ("view", "option", "said"),
    [
        ("open", "since=yesterday", "since: 'yesterday' is not a date"),
        ("open", "columns=nope", "columns: there is no column 'nope'"),
        ("negatives", "include=all", "include: 'all' is not known"),
        ("consult", "consult=k-0000", "consult: there is no consult 'k-0000'"),
        ("probe", "order=date", "evidence"),
        ("note", "", "artifact"),
    ],
)
def test_a_region_whose_options_cannot_be_followed_is_not_inserted(
    ledger: Shell, view: str, option: str, said: str
) -> None:
    (ledger.root / "doc.md").write_text("# A\n\n" + EMPTY)
    words = ("--option", option) if option else ()
    ran = ledger("render", "doc.md", "--insert", view, "--after", "A", *words, expect=2)
    assert "error: doc.md: the region cannot be made: " in ran.err
    assert said in ran.err


def test_an_open_claim_is_counted_from_the_day_of_rendering(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.claim("ends first", "--expires", in_days(2))
    ledger.claim("ends later")
    (ledger.root / "doc.md").write_text("# Open\n")
    ledger("render", "doc.md", "--insert", "open", "--after", "Open")
    rendered = (ledger.root / "doc.md").read_text()
    assert rendered.index("| 2 |") < rendered.index("| 90 |")
    today, tomorrow, third = clock.today(), in_days(1), in_days(3)
    monkeypatch.setattr(clock, "today", lambda: tomorrow)
    ledger("render", "--check")
    ledger("render")
    assert f"as_of={tomorrow}" in (ledger.root / "doc.md").read_text()
    assert "| 1 |" in (ledger.root / "doc.md").read_text()
    monkeypatch.setattr(clock, "today", lambda: third)
    stale = json.loads(ledger("render", "--check", "--json", expect=1).out)["data"]
    assert stale[0]["regions"][0]["detail"].startswith("1 line that the ledger no longer gives")
    ledger("render")
    text = (ledger.root / "doc.md").read_text()
    assert "**expired**" in text
    assert today not in text.split("| --- |")[0]
    ledger("render", "--check")


def test_a_region_that_shows_no_days_is_not_rewritten_every_day(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger.claim("open")
    (ledger.root / "doc.md").write_text("# Open\n")
    words = ("--insert", "open", "--after", "Open", "--option", "columns=claim,expires")
    ledger("render", "doc.md", *words)
    before, tomorrow = tree(ledger.root), in_days(1)
    monkeypatch.setattr(clock, "today", lambda: tomorrow)
    ledger("render")
    assert tree(ledger.root) == before


def test_an_option_may_name_an_entry_that_is_not_there(ledger: Shell) -> None:
    evidence = ledger.evidence()
    named = (("a", evidence), ("b", "e-000000000000"), ("c", evidence[:6]))
    text = "\n".join(
        f"<!-- BEGIN ledger:probe id={name} evidence={entry} -->\n"
        f"<!-- END ledger:probe id={name} -->\n"
        for name, entry in named
    )
    (ledger.root / "doc.md").write_text(text)
    ran = ledger("render", expect=3, writes=True)
    assert "error: doc.md:4:30: probe id=b: evidence: there is no evidence 'e-0000" in ran.err
    assert ran.out.count("rendered") == 2
    assert ledger("render", expect=3).out == ""


def test_cite_keeps_the_status_beside_each_citation(ledger: Shell) -> None:
    gone, stays = ledger.claim("a"), ledger.claim("b")
    run = ledger.evidence()
    document = ledger.root / "doc.md"
    text = f"# H [{gone}]\r\n\r\nSee [{gone}], [{stays}], [{run}] and [c-000000000000].\r\n"
    document.write_bytes(text.encode())
    ledger("supersede", gone, "--status", "WRONG")
    ledger("render")
    assert document.read_bytes() == text.encode()

    ran = ledger("render", "--check", "--cite", expect=1)
    assert ran.out == "doc.md:3:1: citations are stale\n"
    assert "fix: ledger render --cite" in ran.err
    assert document.read_bytes() == text.encode()
    ledger("render", "--cite")
    cited = text.replace(f"See [{gone}]", f"See [{gone}] (superseded)")
    assert document.read_bytes() == cited.replace(f"[{stays}]", f"[{stays}] (provisional)").encode()
    assert "all current" in ledger("render", "--check", "--cite").err

    ledger("retract", run, "--reason", "the clock was wrong")
    ledger("render", "doc.md", "--cite")
    assert f"[{run}] (retracted) and [c-000000000000].\r\n" in document.read_bytes().decode()


def test_cite_leaves_generated_regions_and_files_edited_by_hand(ledger: Shell) -> None:
    first, second = ledger.claim("a"), ledger.claim("b")
    ledger("supersede", first, "--status", "WRONG", "--replaced-by", second)
    document = ledger.root / "doc.md"
    document.write_text(f"See [{second}].\n\n" + EMPTY)
    ledger("render", "--cite")
    assert document.read_text().count("(provisional)") == 1
    edited = document.read_text().replace("WRONG", "RIGHT")
    document.write_text(edited.replace(" (provisional)", ""))
    ledger("render", "--cite", expect=4)
    assert "(provisional)" not in document.read_text()


def test_a_damaged_ledger_is_warned_about(ledger: Shell) -> None:
    broken = ledger.path(ledger.claim("broken"))
    ledger.claim("whole")
    (ledger.root / "doc.md").write_text("# Doc\n\n" + EMPTY)
    broken.write_text("{")
    ran = ledger("render", expect=1)
    assert "warning: unreadable" in ran.err
    assert "rendered" in ran.out


def test_a_link_that_leads_to_itself_is_named(ledger: Shell) -> None:
    (ledger.root / "loop.md").symlink_to("loop.md")
    (ledger.root / "p.json").write_text('{"a": 1}')
    (ledger.root / "PROVENANCE-NOTE.md").symlink_to("PROVENANCE-NOTE.md")
    claim = ledger.claim("c", "--artifact", "p.json#/a")
    assert "it cannot be read" in ledger("supersede", claim, "--status", "WRONG").err
    assert "loop.md: there is no such file" in ledger("render", "loop.md", expect=2).err
    assert "PROVENANCE-NOTE.md" in ledger("render", expect=3, writes=True).err
    assert "nothing in the ledger says" in ledger("note", "loop.md", expect=2).err
