import json
from collections.abc import Mapping
from urllib.parse import quote

import pytest
from command_line import shared
from inline import TODAY, Ledger, artifact, wrong
from markdown_it import MarkdownIt

from ledger.errors import LedgerError
from ledger.fold import fold
from ledger.provenance.falls import FieldStatus
from ledger.render.regions import wrap
from ledger.render.views import VIEWS, Request

SOURCE = '{"args": {"lr": 1, "seed": 2}, "log": [{"loss": 3}, {"loss": 4}], "version": "x@UNKNOWN"}'
FILE = artifact(SOURCE)


def body(ledger: Ledger, files: Mapping[str, str | bytes] | None = None, path: str = "") -> str:
    def read(name: str) -> bytes | None:
        source = ({FILE.path: SOURCE} if files is None else files).get(name)
        return source.encode() if isinstance(source, str) else source

    options = {"artifact": quote(path or FILE.path)}
    request = Request(fold=fold(ledger, as_of=TODAY), id="main", options=options, read=read)
    return VIEWS["note"].body(request)


def corrected() -> Ledger:
    ledger = Ledger()
    ledger.evidence("e-1", taken_at="2026-05-30T10:00:00Z")
    ledger.note(
        "n-1",
        FILE,
        wrong("/args/lr", "wrong", recorded=1, actual=None, evidence=("e-1",)),
        wrong("/version", "uninformative", recorded="x@UNKNOWN"),
        rechecked={"/log/1": "e-1"},
        by="ann",
    )
    return ledger


def test_the_note_of_an_artifact() -> None:
    assert body(corrected()) == (
        f"Artifact: runs/a.json (sha256 {FILE.sha256[:12]}, {len(SOURCE)} bytes)."
        " Note version 1, 2026-06-01, ann (agent).\n"
        "\n"
        "### Wrong or misleading\n"
        "\n"
        "| field | recorded | actual | status | why | evidence |\n"
        "| --- | --- | --- | --- | --- | --- |\n"
        "| /args/lr | 1 | null | wrong | /args/lr is not right | e-1 |\n"
        '| /version | "x@UNKNOWN" | not known | tells nothing | /version is not right | none |\n'
        "\n"
        "### Re-checked, still accurate\n"
        "\n"
        "| field | evidence |\n"
        "| --- | --- |\n"
        "| /log/1 | e-1 (2026-05-30) |\n"
        "\n"
        "### Not disputed, not re-checked\n"
        "\n"
        "| fields | leaves |\n"
        "| --- | --- |\n"
        "| /args/seed | 1 |\n"
        "| /log/0/loss | 1 |\n"
        "\n"
        "5 leaves = 1 wrong + 1 uninformative + 1 re-checked + 2 not disputed\n"
    )


def test_a_retracted_measurement_is_said_where_it_is_named() -> None:
    ledger = corrected()
    ledger.retract("r-1", "e-1")
    found = body(ledger)
    assert "| /args/lr is not right | e-1 (withdrawn) |" in found
    assert "still accurate" not in found
    assert "### Re-check that no longer counts\n\n| field | evidence |" in found
    assert "| /log/1 | e-1 (withdrawn) |" in found
    assert "+ 0 re-checked + 3 not disputed" in found


def test_a_withheld_value_and_an_unknown_field_are_said() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/version"), wrong("/nowhere"))
    found = body(ledger)
    assert "| /version | withheld | not known | wrong, the right value is not known |" in found
    assert (
        "### Noted, and not in the file\n\n| field | note |\n| --- | --- |\n| /nowhere |" in found
    )


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "runs/a.json is not there any more"),
        ({FILE.path: SOURCE + "\n"}, "runs/a.json has other content now"),
    ],
)
def test_a_file_that_is_gone_or_changed_is_said_first(
    files: Mapping[str, str | bytes], why: str
) -> None:
    found = body(corrected(), files)
    assert found.startswith("**The other fields are not listed: ")
    assert why in found.splitlines()[0]
    assert "| /args/lr | 1 | null | wrong |" in found
    assert "not disputed" not in found.lower()
    assert "leaves" not in found


def test_the_content_that_is_there_is_shown_before_one_noted_later() -> None:
    ledger = corrected()
    ledger.note("n-2", artifact("{}"), wrong(""))
    assert "Note version 1, 2026-06-01, ann" in body(ledger)
    assert "(the whole file)" in body(ledger, {FILE.path: "{}"})


def test_without_a_note_and_without_a_name() -> None:
    assert body(Ledger()) == "No note on runs/a.json is in force.\n"
    ledger = Ledger()
    ledger.note("n-1", FILE)
    assert "No field is noted as wrong.\n" in body(ledger)
    assert "| /** | 5 |" in body(ledger)
    assert body(ledger).endswith("\n5 leaves = 0 wrong + 0 re-checked + 5 not disputed\n")
    with pytest.raises(LedgerError, match="names no artifact"):
        VIEWS["note"].body(Request(fold=fold(ledger, as_of=TODAY), id="main"))


STATUSES: list[tuple[FieldStatus, str]] = [
    ("wrong", "wrong"),
    ("wrong_actual_unknown", "wrong"),
    ("misleading_scope", "of another run"),
    ("uninformative", "uninformative"),
    ("under_investigation", "under investigation"),
]


@pytest.mark.parametrize(("status", "words"), STATUSES)
def test_a_field_is_counted_by_what_is_wrong_with_it(status: FieldStatus, words: str) -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/log", status))
    assert body(ledger).endswith(f"\n5 leaves = 2 {words} + 0 re-checked + 3 not disputed\n")


EVIL = "|\n</td><script>`\\|[x](y)\u202e|-->\n<!-- END ledger:note id=main -->\n# h\n\n~*x*"


def test_hostile_keys_and_values_stay_in_their_cells() -> None:
    ledger = Ledger()
    source = json.dumps({EVIL: {EVIL: EVIL, "y": "v" * 10_000}, "z": [EVIL], "k" * 10_000: 1})
    path = "runs/" + EVIL
    key = EVIL.replace("~", "~0").replace("/", "~1")
    file = artifact(source, path=path)
    ledger.evidence("e-1")
    ledger.note(
        "n-1",
        file,
        wrong(f"/{key}/{key}", "wrong", recorded=EVIL, actual=[EVIL], reason=EVIL),
        wrong(f"/{key}/y", recorded="v" * 10_000, reason="w" * 10_000),
        rechecked={"/" + "k" * 10_000: "e-1"},
        by=EVIL,
    )
    found = body(ledger, {path: source}, path=path)
    assert len(found) < 6_000
    tokens = MarkdownIt("commonmark").enable("table").parse(found)
    assert [t.type for t in tokens if t.level == 0] == [
        "paragraph_open", "paragraph_close",
        *(["heading_open", "heading_close", "table_open", "table_close"] * 3),
        "paragraph_open", "paragraph_close",
    ]  # fmt: skip
    assert sum(t.type == "tr_open" for t in tokens) == 3 + 2 + 2
    html = {
        c.content
        for t in tokens
        if t.type == "inline"
        for c in t.children or ()
        if c.type == "html_inline"
    }
    assert html <= {"<br>", "<!-- -->"}
    assert "(10,002 characters)" in found
    assert "ledger:note" in wrap("note", "main", {"artifact": quote(path)}, found)
    gone = body(ledger, {}, path=path)
    assert [t.type for t in MarkdownIt().parse(gone) if t.level == 0][:4] == [
        "paragraph_open", "paragraph_close", "paragraph_open", "paragraph_close",
    ]  # fmt: skip


def test_the_sum_of_each_given_artifact() -> None:
    folder = shared() / "data" / "provenance"
    for name, expected in json.loads((folder / "expected.json").read_text()).items():
        source = (folder / name).read_bytes()
        file = artifact(source, path=name)
        ledger = Ledger()
        ledger.note("n-1", file)
        last = body(ledger, {name: source}, path=name).splitlines()[-1]
        count = expected["leaves"]
        assert last == f"{count} leaves = 0 wrong + 0 re-checked + {count} not disputed"


def test_many_fields_are_listed_up_to_a_limit_and_all_are_counted() -> None:
    source = json.dumps({"wrong": 1, **{f"k{i}": {"a": i, "b": [i]} for i in range(400)}})
    ledger, file = Ledger(), artifact(source)
    ledger.note("n-1", file, wrong("/wrong", "wrong_actual_unknown", recorded=1))
    text = body(ledger, {file.path: source})
    assert text.count("| 2 |\n") == 300
    assert "| and 100 more, all in the JSON beside this note | 200 |\n" in text
    assert text.endswith("801 leaves = 1 wrong + 0 re-checked + 800 not disputed\n")
