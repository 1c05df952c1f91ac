"""Adopting any table: its cells stay, no other byte changes, and only what changes is rewritten."""

import datetime as dt
from pathlib import Path

import pytest
from command_line import shared, tree

from ledger import clock, store
from ledger.entry import Supersession
from ledger.errors import LedgerError
from ledger.render import find, markdown
from ledger.render.choosing import Wanted
from ledger.service import correct
from ledger.service.book import Book, open_book
from ledger.service.documents import adopting, rendering

DEPRECATIONS = r"""# Options

Nothing | here is a table.

| Option                | Use instead                       | Removed in |
|:----------------------|:---------------------------------:|-----------:|
| `--fast \| -f`        | [`--mode=fast`](docs.md#mode) 🚀  |        5.0 |
| **bold** <b>b</b> &lt;|                                   |          — |
| `--fast \| -f`        | [`--mode=fast`](docs.md#mode) 🚀  |        5.0 |
|x
text glued below
"""
DECISIONS = r"""# Decisions

<!-- BEGIN_TF_DOCS -->
| ADR  | Title | Status | Date | Superseded by |
| ---: | :---- | :----: | ---- | ------------- |
| 1 | Use `a \| b` in 👩‍👧 | ✅ **Accepted** | 26 Aug 2026 |  |
| 2 | [Cache](x.md "t") <br> tokens | ~~Accepted~~ *Superseded* | August 2026 | [ADR 3](y.md) |
| 3 | Keep x &lt; y | Proposed, review by 2999-02-01 | 2026-08-30 | — |
| 4 | <details><summary>s</summary>t</details> | Rejected | | |
<!-- END_TF_DOCS -->

After.
"""
SUPERSEDED = r"""| Claim | Status | Replaced by | Who |
|-|-|-|-|
| The loader waits for `zstd -d \| tar` | **WRONG** (2026-02-03) | 71 % disk | [me](m.md) |
| a_b <i>c</i> | NOT A FLAG, Feb 4, 2026 | | 🧪 |
| Dropout | 👎 2026-02-05 | — not stated | — |"""
HYPOTHESES = """- a list

  text

| Hypothesis | Verdict | n |
|---|---|--:|
| seeds matter | Confirmed | 3 |
| it is the disk | refuted 2026-05-06 | 1 |
| it is the net | blue | 1 |
| it is the sun |  |  |
"""
KINDS = {
    "deprecations": (DEPRECATIONS, Wanted(heading="options"), [False] * 5),
    "decisions": (DECISIONS, Wanted(heading="decisions"), [True, False, True, False]),
    "superseded": (SUPERSEDED, Wanted(line=3), [False] * 3),
    "hypotheses": (HYPOTHESES, Wanted(line=5, status="OPEN"), [True, False, True, True]),
}


def opened(folder: Path) -> Book:
    if not (folder / "claims").exists():
        store.init(folder)
    return open_book(folder)


def tables(source: bytes) -> list[list[tuple[str, ...]]]:
    found = markdown.tables(source, markdown.blocks(source))
    return [[t.header.cells, *(row.cells for row in t.rows)] for t in found]


def without_markers(source: bytes) -> bytes:
    """The document without marker lines and the blank line inside each."""
    lines = list(markdown.split_lines(source))
    ends = [
        n
        for r in find(source)
        for n in (r.begin_line, r.begin_line + 1, r.end_line - 1, r.end_line)
    ]
    rest = b"".join(line for number, line in enumerate(lines, 1) if number not in ends)
    return markdown.BOM * (1 in ends and source.startswith(markdown.BOM)) + rest


def render(folder: Path, path: Path, *, check: bool = False) -> tuple[str, ...]:
    return rendering.render_files(open_book(folder), [path], check=check)[0].stale


@pytest.mark.parametrize("bom", [b"", markdown.BOM], ids=["", "bom"])
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_keeps_its_bytes_until_the_ledger_says_something_else(
    tmp_path: Path, kind: str, eol: str, bom: bytes
) -> None:
    text, wanted, stands = KINDS[kind]
    source = bom + text.replace("\n", eol).encode()
    path = tmp_path / "a.md"
    path.write_bytes(source)
    done = adopting.adopt(opened(tmp_path), path, wanted)
    assert done.written
    adopted = path.read_bytes()
    assert tables(adopted) == tables(source)
    ended = source if text.endswith("\n") else source + eol.encode()
    assert without_markers(adopted) == ended
    assert render(tmp_path, path) == ()
    before = tree(tmp_path)
    again = adopting.adopt(opened(tmp_path), path, wanted)
    assert (again.new, again.written) == (0, False)
    assert again.warnings == ("this table is generated already: nothing to adopt",)
    assert render(tmp_path, path) == ()
    assert tree(tmp_path) == before

    book = open_book(tmp_path)
    states = [book.fold.claims[i].status for i in done.claims]
    assert states == ["provisional" if stands_ else "superseded" for stands_ in stands]
    assert {book.fold.claim(i).basis for i in done.claims} == {"citation"}
    assert {book.fold.claim(i).by.role for i in done.claims} == {"document"}

    correct.supersede(book, done.claims[-1], status="X|Y", replaced_by="z\n|")
    assert render(tmp_path, path) == (f"claims id={find(adopted)[0].id}",)
    (was,), (now,) = tables(source), tables(path.read_bytes())
    changed = [i for i, row in enumerate(now) if row[: len(was[0])] != was[i]]
    assert changed == [len(was) - 1]
    assert "X&#124;Y" in str(now[-1])
    assert "z<br>&#124;" in str(now[-1])
    ends = {markdown.eol_of(line) for line in markdown.split_lines(path.read_bytes())}
    assert ends - {b""} == {eol.encode()}
    assert render(tmp_path, path) == ()


def test_what_the_rows_of_a_table_of_decisions_become(tmp_path: Path) -> None:
    path = tmp_path / "adr.md"
    path.write_text(DECISIONS)
    done = adopting.adopt(opened(tmp_path), path, Wanted(heading="decisions"))
    book = open_book(tmp_path)
    claims = [book.fold.claim(i) for i in done.claims]
    in_90_days = (dt.date.fromisoformat(clock.today()) + dt.timedelta(90)).isoformat()
    assert [claim.expires for claim in claims] == [
        in_90_days, clock.today(), "2999-02-01", clock.today(),
    ]  # fmt: skip
    assert [claim.statement for claim in claims][:2] == [
        "Use `a | b` in 👩‍👧", '[Cache](x.md "t") <br> tokens',
    ]  # fmt: skip
    said = [book.entries[i] for i in done.supersessions]
    assert all(isinstance(entry, Supersession) for entry in said)
    assert [(e.status, e.date) for e in said if isinstance(e, Supersession)] == [
        ("Superseded", clock.today()), ("Rejected", clock.today()),
    ]  # fmt: skip
    assert done.warnings == (
        "adr.md:7: 'August 2026' is no full date: today's is taken",
        "adr.md:9: the row states no date: today's is taken",
    )


def test_labels_and_dates_come_from_their_columns_or_the_words_around(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "| Option | Removed in | Date |\n|---|---|---|\n| a | 5.0 | 1 May 2026 |\n"
        "| b | - | 2026-05-02 |\n"
    )
    done = adopting.adopt(opened(tmp_path), path, Wanted(line=1))
    book = open_book(tmp_path)
    said = [book.entries[i] for i in done.supersessions]
    assert [(e.status, e.date) for e in said if isinstance(e, Supersession)] == [
        ("REMOVED IN 5.0", "2026-05-01"), ("DEPRECATED", "2026-05-02"),
    ]  # fmt: skip
    assert done.warnings == (
        "a.md:1: no column holds a status: every row counts as deprecated; --status says otherwise",
    )


@pytest.mark.parametrize(
    ("wanted", "states"),
    [
        (Wanted(line=1), ["provisional", "provisional", "superseded"]),
        (Wanted(line=1, superseded=("blue",)), ["superseded", "provisional", "superseded"]),
        (Wanted(line=1, standing=("Wrong",)), ["provisional", "provisional", "provisional"]),
    ],
)
def test_labels_that_are_not_known_stand_with_a_warning_unless_it_is_said(
    tmp_path: Path, wanted: Wanted, states: list[str]
) -> None:
    path = tmp_path / "a.md"
    path.write_text(
        "| Claim | Status |\n|---|---|\n| a | **Blue** (2026-01-02) |\n| b | open |\n"
        "| c | wrong (2026-01-02) |\n"
    )
    done = adopting.adopt(opened(tmp_path), path, wanted)
    book = open_book(tmp_path)
    assert [book.fold.claims[i].status for i in done.claims] == states
    warned = [text for text in done.warnings if "'Blue' is not known" in text]
    assert bool(warned) is not bool(wanted.superseded)
    if warned:
        assert warned[0].startswith("a.md:3: ")
        assert "--superseded 'Blue' or --standing 'Blue'" in warned[0]


def test_rows_adopted_on_another_day_are_not_recorded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.md"
    path.write_text(DECISIONS)
    first = adopting.adopt(opened(tmp_path), path, Wanted(heading="decisions"))
    adopted = path.read_bytes()
    path.write_text(DECISIONS)
    later = clock.plus_days(clock.today(), 3)
    monkeypatch.setattr(clock, "today", lambda: later)
    again = adopting.adopt(opened(tmp_path), path, Wanted(heading="decisions"))
    assert (again.claims, again.new) == (first.claims, 0)
    assert path.read_bytes() == adopted


def test_rows_that_were_changed_since_do_not_bring_the_old_ones_back(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(DECISIONS)
    adopting.adopt(opened(tmp_path), path, Wanted(heading="decisions"))
    changed = DECISIONS.replace("| 3 | Keep x &lt; y |", "| 3 | Keep x &gt; y |")
    path.write_text(changed)
    adopting.adopt(opened(tmp_path), path, Wanted(heading="decisions"))
    assert without_markers(path.read_bytes()).decode() == changed
    assert find(path.read_bytes())[0].id.endswith("-2")


def test_a_row_that_was_decided_on_at_the_second_attempt_is_superseded(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    text = "| Claim | Status |\n|---|---|\n| a | Blue 2026-01-02 |\n"
    path.write_text(text)
    (claim,) = adopting.adopt(opened(tmp_path), path, Wanted(line=1)).claims
    path.write_text(text)
    again = adopting.adopt(opened(tmp_path), path, Wanted(line=1, superseded=("Blue",)))
    assert (again.claims, again.new) == ((claim,), 1)
    assert open_book(tmp_path).fold.claims[claim].status == "superseded"
    assert without_markers(path.read_bytes()).decode() == text


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(DECISIONS)
    book = opened(tmp_path)
    before = tree(tmp_path)
    done = adopting.adopt(book, path, Wanted(heading="decisions"), dry_run=True)
    assert (len(done.claims), done.new, done.written) == (4, 6, False)
    assert tree(tmp_path) == before


def test_a_row_whose_review_is_past_is_shown_as_expired_and_warned_about(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("| Claim | Status |\n|---|---|\n| a | Active until 2026-01-02 |\n")
    done = adopting.adopt(opened(tmp_path), path, Wanted(line=1))
    assert done.warnings == ("a.md:3: it was to be reviewed by 2026-01-02: it has expired",)
    assert tables(path.read_bytes()) == [[("Claim", "Status"), ("a", "**EXPIRED** (2026-01-02)")]]


@pytest.mark.parametrize(
    ("text", "wanted", "words"),
    [
        ("| Claim |\n|---|\n| a |\n", Wanted(line=1), "no table with the columns claim and status"),
        ("| Claim | Status |\n|---|---|\n| a | |\n", Wanted(line=1), "a.md:3 states no status"),
        ("| Claim | Status |\n|---|---|\n| | |\n", Wanted(line=1, status="X"), "a.md:3 states no"),
        ("| Claim | Status |\n|---|---|\n", Wanted(line=1), "a.md:1: the table has no rows"),
        ("| a | b |\n|--|--|\n| `x|y` | b |\n", Wanted(line=1, columns={"claim": "1"}, status="X"),
         "a.md:3: 3 cells under a header of 2"),
        ("- | Claim | Status |\n  |---|---|\n  | a | b |\n", Wanted(line=1), "list or quote"),
        ("> | Claim | Status |\n> |---|---|\n> | a | b |\n", Wanted(line=2), "list or quote"),
        ("| Claim | Status |\n|---|---|\n| a | b |\n", Wanted(line=9), "tables there: line 1"),
        ("| Claim | Status |\n|---|---|\n| a | b |\n", Wanted(), "which table is not said"),
        ("| a | b |\n|--|--|\n| 1 | 2 |\n", Wanted(line=1, columns={"claim": "c"}, status="X"),
         "line 1: no columns are headed 'c': 1: a; 2: b"),
    ],
)  # fmt: skip
def test_what_cannot_be_adopted_is_refused_and_nothing_is_written(
    tmp_path: Path, text: str, wanted: Wanted, words: str
) -> None:
    path = tmp_path / "a.md"
    path.write_text(text)
    book = opened(tmp_path)
    before = tree(tmp_path)
    with pytest.raises(LedgerError) as caught:
        adopting.adopt(book, path, wanted)
    assert words in caught.value.message
    assert caught.value.fix
    assert tree(tmp_path) == before


def real_documents() -> list[str]:
    import json

    try:
        folder = shared() / "data" / "markdown"
    except pytest.skip.Exception:
        return []
    if not (folder / "expected.json").is_file():
        return []
    return sorted(json.loads((folder / "expected.json").read_bytes()))


@pytest.mark.shared
@pytest.mark.parametrize("name", real_documents())
def test_every_table_of_real_documents_round_trips(tmp_path: Path, name: str) -> None:
    source = (shared() / "data" / "markdown" / name).read_bytes()
    path = tmp_path / name
    path.write_bytes(source)
    found = markdown.tables(source, markdown.blocks(source))
    claims: list[tuple[str, ...]] = []
    # From the last one on, so that the lines of the others stay what they are.
    for table in reversed(found):
        wanted = Wanted(line=table.begin + 1, columns={"claim": "1"}, status="LISTED")
        done = adopting.adopt(opened(tmp_path), path, wanted)
        assert len(done.claims) == done.new == len(table.rows)
        claims.insert(0, done.claims)
    adopted = path.read_bytes()
    assert without_markers(adopted) == source
    assert tables(adopted) == tables(source)
    assert render(tmp_path, path) == ()
    before = tree(tmp_path)
    for region in find(adopted):
        wanted = Wanted(line=region.begin_line + 2, columns={"claim": "1"}, status="LISTED")
        assert adopting.adopt(open_book(tmp_path), path, wanted).new == 0
    assert tree(tmp_path) == before

    for ids in claims:
        correct.supersede(open_book(tmp_path), ids[-1], status="WRONG", replaced_by="x")
    assert len(render(tmp_path, path)) == len(found)
    for was, now in zip(tables(source), tables(path.read_bytes()), strict=True):
        status = now[-1][-1] if len(now[0]) > len(was[0]) else None
        assert [row[: len(was[0])] for row in now[:-1]] == was[:-1]
        assert status is None or status.startswith("**WRONG** (")
        assert "**WRONG** (" in str(now[-1])
    assert render(tmp_path, path) == ()
