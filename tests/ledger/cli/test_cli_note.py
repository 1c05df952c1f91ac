"""`note`: what is wrong with an artifact stands beside it; the artifact itself is only read."""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell, shared, tree
from test_cli_any_text import HOSTILE

from ledger.errors import LedgerError
from ledger.service.notes.region import MARKDOWN, region_id

RECORD = """{
  "harness_commit": "9f2c1aa",
  "recipe_sha256": "ab12",
  "mfu": 0.0860,
  "seeds": [1, 2],
  "base": {"path": "/home/anna/models", "revision": null}
}
"""


@pytest.fixture
def record(ledger: Shell) -> Path:
    """A run's record, which no test may change."""
    path = ledger.root / "run" / "provenance.json"
    path.parent.mkdir()
    path.write_text(RECORD)
    path.chmod(0o400)
    return path


def sidecar(path: Path) -> Any:
    return json.loads(path.with_name(f"{path.name}.provenance-note.json").read_text())


def document(path: Path) -> str:
    return path.with_name(MARKDOWN).read_text()


def rows(text: str, heading: str) -> list[list[str]]:
    """The body rows of the table under a heading."""
    section = text.split(f"### {heading}\n", 1)[1].split("\n### ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


def wrong(ledger: Shell, *words: str, **options: Any) -> Any:
    given = ("--wrong", "/harness_commit", "--reason", "the tree was dirty")
    return ledger("note", "run/provenance.json", *given, *words, **options)


def test_the_founding_case(ledger: Shell, record: Path) -> None:
    before = record.stat()
    measured = ledger.evidence("--artifact", "run/provenance.json")
    ran = wrong(ledger, "--actual", "4b1d9e7", "--evidence", measured,
                "--rechecked", f"/recipe_sha256={measured}")  # fmt: skip
    assert "wrote run/provenance.json.provenance-note.json" in ran.out
    assert f"wrote run/{MARKDOWN}" in ran.out
    text = document(record)
    [row] = rows(text, "Wrong or misleading")
    assert row[:5] == [
        "/harness_commit", '"9f2c1aa"', '"4b1d9e7"', "wrong", "the tree was dirty",
    ]  # fmt: skip
    assert rows(text, "Re-checked, still accurate")[0][0] == "/recipe_sha256"
    left = [cells[0] for cells in rows(text, "Not disputed, not re-checked")]
    assert left[0] == "/mfu"
    assert "7 leaves = 1 wrong + 1 re-checked + 5 not disputed" in text
    data = sidecar(record)
    assert data["id"] == ran.id
    [field] = data["fields"]
    assert (field["pointer"], field["status"]) == ("/harness_commit", "wrong")
    assert (field["recorded"], field["actual"]) == ("9f2c1aa", "4b1d9e7")
    assert field["evidence"][0]["measurement_id"] == measured
    assert data["remainder"]["leaf_count"] == 7
    now = record.stat()
    assert record.read_text() == RECORD
    assert (now.st_mtime_ns, now.st_ino, now.st_mode) == (
        before.st_mtime_ns, before.st_ino, before.st_mode,
    )  # fmt: skip
    ledger("render", "--check")
    assert "note-missing" not in ledger("audit").out


@pytest.mark.usefixtures("record")
def test_the_artifact_is_opened_for_reading_only(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, object]] = []
    real = os.open

    def noting(path: Any, flags: int, *more: Any, **named: Any) -> int:
        opened.append((os.fspath(path), flags))
        return real(path, flags, *more, **named)

    import io

    real_open = io.open

    def noting_open(path: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
        opened.append((str(path), mode))
        return real_open(path, mode, *more, **named)

    monkeypatch.setattr("os.open", noting)
    monkeypatch.setattr("io.open", noting_open)
    monkeypatch.setattr("builtins.open", noting_open)
    wrong(ledger)
    ledger("render")
    mine = [how for path, how in opened if path.endswith("provenance.json")]
    assert mine
    assert all(
        how in {"rb", os.O_RDONLY, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC} for how in mine
    )


def test_the_right_value_is_json_where_the_artifact_records_no_text(
    ledger: Shell, record: Path
) -> None:
    note = ("note", "run/provenance.json", "--reason", "r")
    ledger(*note, "--wrong", "/mfu", "--actual", "0.0410")
    assert (
        '"actual": 0.0410' in record.with_name("provenance.json.provenance-note.json").read_text()
    )
    assert "| 0.0860 | 0.0410 |" in document(record)
    ledger("render", "--check")
    ledger(*note, "--wrong", "/seeds", "--actual", "[3, 4]")
    assert {tuple(f["actual"]) for f in sidecar(record)["fields"] if f["pointer"] == "/seeds"} == {
        (3, 4)
    }
    ledger(*note, "--wrong", "/base/revision", "--actual", "main")
    assert "is not JSON" in ledger(*note, "--wrong", "/mfu", "--actual", "4 %", expect=2).err
    same = ledger(*note, "--wrong", "/mfu", "--actual", "0.086", expect=2)
    assert "is what the artifact records" in same.err


def test_every_status_and_one_reason_for_each(ledger: Shell, record: Path) -> None:
    note = ("note", "run/provenance.json")
    ledger(*note, "--wrong", "/harness_commit", "--wrong", "/mfu", "--actual", "4b1d9e7",
           "--actual", "0.05", "--reason", "dirty", "--reason", "sdpa")  # fmt: skip
    ledger(*note, "--misleading", "/recipe_sha256", "--uninformative", "/base/revision",
           "--investigating", "/seeds", "--reason", "see log")  # fmt: skip
    fields = {f["pointer"]: (f["status"], f["reason"]) for f in sidecar(record)["fields"]}
    assert fields == {
        "/harness_commit": ("wrong", "dirty"),
        "/mfu": ("wrong", "sdpa"),
        "/recipe_sha256": ("misleading_scope", "see log"),
        "/base/revision": ("uninformative", "see log"),
        "/seeds": ("under_investigation", "see log"),
    }


def test_a_later_note_overrides_an_earlier_one(ledger: Shell, record: Path) -> None:
    first = wrong(ledger).id
    assert sidecar(record)["fields"][0]["status"] == "wrong_actual_unknown"
    second = wrong(ledger, "--actual", "4b1d9e7", "--by", "engineer")
    data = sidecar(record)
    assert [f["actual"] for f in data["fields"]] == ["4b1d9e7"]
    assert data["id"] == second.id
    assert [item["id"] for item in data["supersedes"]] == [first]
    assert data["version"] == 2
    assert data["by"] == {"kind": "agent", "id": "engineer"}
    again = wrong(ledger, "--actual", "4b1d9e7", "--by", "engineer")
    assert "already recorded" in again.out
    assert "wrote" not in again.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "nothing in the ledger says that a field of run/provenance.json is wrong"),
        (("--wrong", "/harness_commit"), "needs a reason"),
        (("--wrong", "harness_commit", "--reason", "r"), "is not a JSON pointer"),
        (("--wrong", "/mfu", "--wrong", "/mfu", "--reason", "r"), "named twice"),
        (("--wrong", "/mfu", "--actual", "1", "--actual", "2", "--reason", "r"), "2 --actual"),
        (("--wrong", "/mfu", "--misleading", "/seeds", "--reason", "a", "--reason", "b"),
         "2 --reason for 2 fields of 2 sorts"),
        (("--rechecked", "/mfu"), "names no measurement"),
        (("--wrong", "/mfu", "--reason", "r", "--redact", "/seeds"), "says nothing of that field"),
        (("--wrong", "/mfu", "--reason", "r", "--redact", "/mfu", "--show", "/mfu"), "--show /mfu"),
        (("--wrong", "/mfu", "--reason", " "), "reason"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_note_is_refused(
    ledger: Shell, record: Path, words: tuple[str, ...], says: str
) -> None:
    ran = ledger("note", str(record), *words, expect=2)
    assert says in ran.err
    assert not words or "fix: " in ran.err
    if not words:
        assert "ledger note run/provenance.json --wrong /POINTER --reason TEXT" in ran.err


def test_a_pointer_has_to_name_a_field(ledger: Shell, record: Path) -> None:
    error = ledger("note", str(record), "--wrong", "/harness_comit", "--reason", "r", expect=4).err
    assert "did you mean /harness_commit" in error
    ledger("note", "no.json", "--wrong", "/x", "--reason", "r", expect=2)
    (ledger.root / "text.json").write_text("{]")
    assert (
        "text.json:1" in ledger("note", "text.json", "--wrong", "/x", "--reason", "r", expect=2).err
    )


def test_only_live_evidence_backs_a_note(ledger: Shell, record: Path) -> None:
    gone, there = ledger.evidence(), ledger.evidence(value="step=1:s")
    ledger("retract", gone, "--reason", "wrong clock")
    for words in (("--evidence", gone), ("--rechecked", f"/mfu={gone}")):
        assert "was retracted by" in wrong(ledger, *words, expect=3).err
    wrong(ledger, "--evidence", "e-ffff", expect=4)
    both = wrong(ledger, "--rechecked", f"/harness_commit={there}", expect=2)
    assert "cannot be right and not right" in both.err
    wrong(ledger, "--evidence", there, "--rechecked", "/mfu")
    assert sidecar(record)["remainder"]["rechecked"][0]["pointer"] == "/mfu"


@pytest.mark.parametrize(
    ("pointer", "value", "agrees"),
    [
        ("/run/total_time", "total_time=100:s", False),
        ("/run/total_time", "total_time=9701.5:s", True),
        ("/run/total_time", "total_time=9701:s", True),
        ("/run/total_time", "total_time=9700:s", False),
        ("/run/total_time", "total_time=9000:s:5:8000..10000", True),
        ("/run/total_time", "total_time=9000:s:5:8000..9100", False),
        ("/run/total_time", "total_time=2.69486111:h", True),
        ("/run/total_time", "Total-Time=100:s", False),
        ("/run/total_time", "step=100:s", True),
        ("/run/mfu", "mfu=8.6:%", True),
        ("/run/mfu", "mfu=6.8:%", False),
        ("/run/wall_s", "wall=100:s", False),
        ("/run/seat", "seat=100:s", True),
        ("/run/resumed", "resumed=2", True),
        ("/run/rows/0", "rows=100", True),
    ],
)
def test_a_recheck_has_to_bear_the_field_out(
    ledger: Shell, pointer: str, value: str, agrees: bool
) -> None:
    run = {"total_time": 9701.5, "mfu": 0.0860, "wall_s": 99, "seat": "a", "resumed": True}
    (ledger.root / "a.json").write_text(json.dumps({"run": {**run, "rows": [1]}}))
    evidence = ledger.evidence(value=value)
    words = ("note", "a.json", "--rechecked", f"{pointer}={evidence}")
    ran = ledger(*words, expect=0 if agrees else 3)
    if not agrees:
        assert f"{pointer} records" in ran.err
        assert f"ledger note a.json --wrong {pointer} --evidence {evidence}" in ran.err


def test_a_recheck_of_a_whole_part_says_how_much_it_vouches_for(
    ledger: Shell, record: Path
) -> None:
    evidence = ledger.evidence()
    ran = ledger("note", str(record), "--rechecked", f"/base={evidence}")
    assert f"{evidence} vouches for all 2 leaves of /base\n" in ran.err
    other = ledger.evidence(value="mfu=6.8:%")
    ran = ledger("note", str(record), "--rechecked", f"={other}")
    assert f"{other} vouches for all 7 leaves of the document; but /mfu records 0.086" in ran.err


def test_a_value_that_looks_private_is_withheld_until_it_is_asked_for(
    ledger: Shell, record: Path
) -> None:
    note = ("note", str(record), "--wrong", "/base/path", "--reason", "another disk")
    ran = ledger(*note)
    assert "--show /base/path repeats it" in ran.err
    assert "anna" not in document(record)
    assert "anna" not in json.dumps(ledger.entry(ran.id))
    assert sidecar(record)["fields"][0]["recorded_withheld"] is True
    ledger(*note, "--show", "/base/path", "--by", "anna")
    assert sidecar(record)["fields"][0]["recorded"] == "/home/anna/models"
    hidden = wrong(ledger, "--redact", "/harness_commit")
    assert hidden.err == ""
    assert "9f2c1aa" not in json.dumps(ledger.entry(hidden.id))


def test_a_key_is_never_recorded(ledger: Shell, record: Path) -> None:
    key = "sk-" + "a1b2c3d4" * 4
    for words in (("--actual", key), ()):
        reason = ("--reason", f"it used {key}") if not words else ("--reason", "r")
        ran = ledger("note", str(record), "--wrong", "/harness_commit", *words, *reason, expect=3)
        assert "holds an API key" in ran.err
        assert key not in ran.err


def test_a_hand_written_document_keeps_every_byte(ledger: Shell, record: Path) -> None:
    hand = b"\xef\xbb\xbf# Mine\r\n\r\nThe commit is wrong.  \r\nno newline at the end"
    record.with_name(MARKDOWN).write_bytes(hand)
    wrong(ledger)
    after = record.with_name(MARKDOWN).read_bytes()
    assert after.startswith(hand + b"\r\n\r\n<!-- BEGIN ledger:note id=provenance.json ")
    assert b"\n" not in after.replace(b"\r\n", b"")
    ledger("render", "--check")
    wrong(ledger, "--actual", "4b1d9e7")
    assert record.with_name(MARKDOWN).read_bytes().startswith(hand)


@pytest.mark.parametrize("end", ["```\nopen", "<!-- open", "<pre>\nopen"])
def test_a_document_whose_end_hides_the_region_is_refused(
    ledger: Shell, record: Path, end: str
) -> None:
    record.with_name(MARKDOWN).write_text(f"# Mine\n\n{end}")
    assert "close the code fence" in wrong(ledger, expect=3).err


def test_an_edited_note_is_refused_unless_the_loss_is_accepted(ledger: Shell, record: Path) -> None:
    wrong(ledger)
    text = document(record)
    record.with_name(MARKDOWN).write_text(text.replace("the tree was dirty", "all is well"))
    refused = wrong(ledger, "--actual", "4b1d9e7", expect=4)
    assert "edited by hand" in refused.err
    assert len(list(ledger.root.glob("claims/*/*-note-*.json"))) == 1
    assert "region-edited" in ledger("audit", expect=1).out
    ledger("render", expect=4, writes=True)
    wrong(ledger, "--actual", "4b1d9e7", "--accept-loss")
    assert "all is well" not in document(record)

    place = record.with_name("provenance.json.provenance-note.json")
    place.write_text(place.read_text().replace("4b1d9e7", "0000000"))
    assert "edited by hand" in wrong(ledger, "--by", "x", expect=4).err
    assert "region-edited" in ledger("audit", expect=1).out
    assert "edited by hand" in ledger("render", "--check", expect=4).err
    ledger("render", "--accept-loss")
    assert "4b1d9e7" in place.read_text()
    ledger("render", "--check")


def test_a_file_beside_an_artifact_is_rendered_by_its_name_alone(
    ledger: Shell, record: Path
) -> None:
    wrong(ledger, "--actual", "4b1d9e7")
    place = record.with_name("provenance.json.provenance-note.json")
    note, data = record.with_name(MARKDOWN), "run/provenance.json.provenance-note.json"
    as_noted = place.read_text(), note.read_text()
    place.write_text(as_noted[0].replace("4b1d9e7", "0000000"))
    note.write_text(as_noted[1].replace("the tree was dirty", "all is well"))

    refused = ledger("render", data, expect=4).err
    assert f"error: {data}:1:1: sidecar was edited by hand" in refused
    assert f"ledger render {data} --accept-loss gives it up" in refused
    ledger("render", data, "--accept-loss")
    assert place.read_text() == as_noted[0]
    assert "all is well" in note.read_text()
    place.write_text(as_noted[0].replace("4b1d9e7", "0000000"))
    ledger("render", f"run/{MARKDOWN}", "--accept-loss")
    assert note.read_text() == as_noted[1]
    assert "0000000" in place.read_text()

    place.unlink()
    note.unlink()
    assert ledger("render", data).out == f"{data}:1:1: sidecar rendered\n"
    assert not note.exists()
    ledger("render", f"run/{MARKDOWN}")
    assert (place.read_text(), note.read_text()) == as_noted
    note.write_text("# Mine\n")
    ledger("render", f"run/{MARKDOWN}")
    assert note.read_text().startswith("# Mine\n\n<!-- BEGIN")


def test_another_file_is_no_document(ledger: Shell, record: Path) -> None:
    wrong(ledger)
    refused = ledger("render", f"run/{record.name}", expect=2).err
    assert "run/provenance.json: not a Markdown document" in refused
    assert "--insert" not in refused


def test_the_diff_of_an_edited_note_shows_the_edit_alone(ledger: Shell, record: Path) -> None:
    wrong(ledger)
    for place in (record.with_name("provenance.json.provenance-note.json"),
                  record.with_name(MARKDOWN)):  # fmt: skip
        before = place.read_text()
        place.write_text(before.replace("the tree was dirty", "all is well"))
        refused = ledger("note", str(record), "--wrong", "/mfu", "--reason", "new words", expect=4)
        assert "all is well" in refused.err
        assert "the tree was dirty" in refused.err
        assert "new words" not in refused.err
        place.write_text(before)


@pytest.mark.parametrize("text", ['{"mine": 1}', "", "[1, 2]", "not json", '{"schema": "x/1"}'])
def test_a_foreign_file_under_the_sidecars_name_is_never_overwritten(
    ledger: Shell, record: Path, text: str
) -> None:
    place = record.with_name("provenance.json.provenance-note.json")
    place.write_text(text)
    for words in ((), ("--accept-loss",)):
        assert "was not written by ledger" in wrong(ledger, *words, expect=3).err
    assert place.read_text() == text


def test_one_artifacts_edited_note_does_not_stop_anothers(ledger: Shell, record: Path) -> None:
    other = record.with_name("other.json")
    other.write_text(RECORD)
    wrong(ledger)
    ledger("note", "run/other.json", "--wrong", "/mfu", "--reason", "sdpa")
    text = document(record)
    assert text.count("<!-- BEGIN ledger:note") == 2
    record.with_name(MARKDOWN).write_text(text.replace("the tree was dirty", "edited"))
    ledger("note", "run/other.json", "--wrong", "/seeds", "--reason", "a third one")
    assert "a third one" in document(record)
    assert "edited" in document(record)


NAMES = ("two words.json", "naïve — ünï.json", "a#b.json", "quo'te\".json", ".hidden.yaml",
         "100%25.json", "<b>.json", "x=y&z.json", "-dash.json", "a`b|c.json")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_file_name(ledger: Shell, name: str) -> None:
    path = ledger.root / "run dir" / name
    path.parent.mkdir()
    path.write_text('{"a": 1, "b": 2}')
    given = f"run dir/{name}"
    ledger("note", "--wrong", "/a", "--reason", "r", "--", given)
    claim = ledger.claim("b is 2", "--artifact", f"{given}#/b")
    ledger("supersede", claim, "--status", "WRONG")
    assert sidecar(path)["artifact"]["path"] == given
    assert len(sidecar(path)["fields"]) == 2
    ledger("render", "--check")
    text = document(path)
    assert text.count("<!-- BEGIN ledger:note") == 1
    path.with_name(MARKDOWN).write_text(text.replace("| 1 |", "| 7 |", 1))
    ledger("render", "--check", expect=4)
    ledger("render", "--accept-loss")
    ledger("render", "--check")
    assert "note-missing" not in ledger("audit", expect=1).out


def test_region_ids_of_one_directory_differ() -> None:
    assert len({region_id(name) for name in (*NAMES, "two words.json ", "two-words.json")}) == 12
    assert region_id("run/provenance.json") == "provenance.json"


def test_a_yaml_artifact_and_one_outside_of_the_ledger(
    ledger: Shell, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere")
    path = outside / "config.yaml"
    path.write_text("lr: 5.0e-5\nattn: sdpa  # as asked\nbetas: [0.9, 0.95]\n")
    words = ("--wrong", "/attn", "--actual", "flex", "--wrong", "/lr", "--actual", "1e-4")
    ran = ledger("note", str(path), *words, "--reason", "read from the log", "--json")
    files = ran.data["notes"][0]["files"]
    assert files == [f"{path}.provenance-note.json", str(outside / MARKDOWN)]
    assert sidecar(path)["artifact"]["path"] == str(path)
    assert sidecar(path)["remainder"]["leaf_count"] == 4
    ledger("render", "--check")
    for file in files:
        Path(file).unlink()
    stale = ledger("render", "--check", "--json", expect=1).data
    assert [item["path"] for item in stale] == files
    ledger("render")
    ledger("render", "--check")


def test_a_failure_to_write_leaves_the_entry_and_render_repairs(
    ledger: Shell, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, data: bytes) -> None:
        assert data
        raise LedgerError("bad-input", f"cannot write {path}: read-only", fix="make it writable")

    with monkeypatch.context() as patched:
        patched.setattr("ledger.render.replace", refuse)
        ran = wrong(ledger, expect=1)
    assert "recorded  claims/" in ran.out
    assert "ledger render writes the files" in ran.err
    assert ledger("verify").code == 0
    assert "note-missing" in ledger("audit", expect=1).out
    ledger("render", "--check", expect=1)
    ledger("render")
    assert sidecar(record)["id"] == ran.id
    ledger("render", "--check")
    assert "note-missing" not in ledger("audit").out


def test_a_process_killed_between_entry_and_files_is_repaired_by_render(
    ledger: Shell, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        pass

    def die(path: Path, data: bytes) -> None:
        raise KilledError(path, len(data))

    with monkeypatch.context() as patched:
        patched.setattr("ledger.render.replace", die)
        with pytest.raises(KilledError):
            wrong(ledger)
    assert not record.with_name(MARKDOWN).exists()
    assert len(list(ledger.root.glob("claims/*/*-note-*.json"))) == 1
    ledger("render")
    assert document(record)
    ledger("render", "--check")


@pytest.mark.usefixtures("record")
def test_a_dry_run_with_a_warning_says_that_it_is_one(ledger: Shell) -> None:
    words = ("--wrong", "/base/path", "--reason", "another disk", "--dry-run")
    ran = ledger("note", "run/provenance.json", *words)
    assert "warning: " in ran.err
    assert "not recorded (dry run)" in ran.out


@pytest.mark.usefixtures("record")
def test_a_dry_run_writes_nothing(ledger: Shell) -> None:
    before = tree(ledger.root)
    ran = wrong(ledger, "--dry-run")
    assert "not recorded (dry run)" in ran.out
    assert "writes run/provenance.json.provenance-note.json" in ran.out
    assert tree(ledger.root) == before
    assert wrong(ledger, "--dry-run", "--json").data["notes"][0]["artifact"] == (
        "run/provenance.json"
    )


def test_an_artifact_that_changed_is_reported(ledger: Shell, record: Path) -> None:
    wrong(ledger)
    record.chmod(0o600)
    record.write_text(RECORD.replace("9f2c1aa", "4b1d9e7"))
    findings = ledger("audit", "--json", expect=1).data["findings"]
    [changed] = [f for f in findings if f["slug"] == "artifact-changed"]
    assert changed["message"] == "run/provenance.json is another file now"
    assert changed["got"].startswith("sha256 ")
    ledger("render")
    assert "it is another artifact" in document(record)
    assert sidecar(record)["remainder"] is None
    record.unlink()
    findings = ledger("audit", "--json", expect=1).data["findings"]
    assert "artifact-missing" in {f["slug"] for f in findings}


def test_each_content_of_an_artifact_has_its_own_note(ledger: Shell, record: Path) -> None:
    def findings() -> list[Any]:
        found = ledger.json("audit", expect=1)["findings"]
        return [f for f in found if f["slug"] == "artifact-changed"]

    wrong(ledger)
    record.chmod(0o600)
    record.write_text(RECORD.replace("9f2c1aa", "4b1d9e7"))
    command = shlex.split(findings()[0]["fix"].split("new file: ")[1])
    ledger(*command[1:])
    ledger("audit", expect=0)
    record.write_text(RECORD)
    ledger("render")
    ledger("audit", expect=0)


def test_a_note_that_is_taken_back_is_taken_out_of_the_files(ledger: Shell, record: Path) -> None:
    note = wrong(ledger).id
    ran = ledger("retract", note, "--reason", "the tree was clean after all", "--json")
    assert ran.data["notes"] == [
        {
            "id": None,
            "artifact": "run/provenance.json",
            "files": ["run/provenance.json.provenance-note.json", f"run/{MARKDOWN}"],
        }
    ]
    assert sidecar(record)["fields"] == []
    assert "9f2c1aa" not in document(record)
    ledger("render", "--check")
    for name in (MARKDOWN, "provenance.json.provenance-note.json"):
        record.with_name(name).unlink()
    ledger("render", "--check")
    assert "note-missing" not in ledger("audit").out


def test_help_and_words_of_the_group(ledger: Shell, record: Path) -> None:
    out = ledger("note", "--help").out
    assert re.search(r"add +Say what is wrong", out)
    assert "Without a COMMAND" in out
    assert "Usage" in ledger("note", expect=2).err
    assert "note add" in wrong(ledger, "--nope", expect=2).err
    ledger("note", "--wrong", "/mfu", "--reason", "options first", str(record))
    (ledger.root / "check").write_text('{"a": 1}')
    ledger("note", "add", "check", "--wrong", "/a", "--reason", "a file of a command's name")
    assert "check: /a wrong_actual_unknown" in ledger("list", "notes").out


@pytest.mark.shared
@pytest.mark.parametrize("name", ["peft-result-boft.json", "trainer_state.json", "dvc.lock",
                                  "adapter_config.json", "axolotl-lfm2-lora.yaml"])  # fmt: skip
def test_real_records(ledger: Shell, name: str) -> None:
    original = shared() / "data" / "provenance" / name
    if not original.is_file():
        pytest.skip("the shared folder has no such record")
    path = ledger.root / name
    path.write_bytes(original.read_bytes())
    expected = json.loads(original.with_name("expected.json").read_text())[name]
    first = next(iter(ledger("note", "check", name, "--like", name, "--json").data), None)
    assert first
    pointer = {
        "peft-result-boft.json": "/run_info/peft_config/peft_version",
        "trainer_state.json": "/log_history/0/loss",
        "dvc.lock": "/stages/train/params/params.yaml/train.attn_implementation",
        "adapter_config.json": "/peft_type",
        "axolotl-lfm2-lora.yaml": "/learning_rate",
    }[name]
    ledger("note", name, "--uninformative", pointer, "--reason", "says nothing")
    assert sidecar(path)["remainder"]["leaf_count"] == expected["leaves"]
    assert path.read_bytes() == original.read_bytes()
    ledger("render", "--check")


def test_a_note_is_no_artifact(ledger: Shell, record: Path) -> None:
    wrong(ledger)
    for name in (MARKDOWN, "provenance.json.provenance-note.json"):
        words = ("--wrong", "/id", "--reason", "r")
        assert "is a note itself" in ledger("note", f"run/{name}", *words, expect=2).err
    assert record.read_text() == RECORD


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_can_be_a_reason_and_a_right_value(ledger: Shell, name: str) -> None:
    text = HOSTILE[name].replace("\0", "")
    path = ledger.root / "p.json"
    path.write_text('{"a": "x", "b": 1}')
    ran = ledger("note", "p.json", "--wrong", "/a", f"--actual={text}", f"--reason={text}",
                 f"--by={text}")  # fmt: skip
    field = ledger.entry(ran.id)["fields"][0]
    assert field["actual"] == field["reason"] == text
    assert sidecar(path)["fields"][0]["actual"] == text
    claim = ledger.claim("b is 1", "--artifact", "p.json#/b")
    ledger("supersede", claim, f"--status={text}", f"--replaced-by={text}")
    ledger("render", "--check")
    assert document(path).count("<!-- END ledger:note") == 1


def test_a_field_that_holds_an_object_is_current_after_it_was_noted(ledger: Shell) -> None:
    (ledger.root / "o.json").write_text('{"b": {"z": 1, "a": [{"y": 2, "x": 3}]}, "c": 1}')
    ledger("note", "o.json", "--wrong", "/b", "--actual", '{"z": 2, "a": []}', "--reason", "r")
    ledger("render", "--check")
    [field] = json.loads((ledger.root / "o.json.provenance-note.json").read_text())["fields"]
    assert list(field["recorded"]) == ["a", "z"]
    assert list(field["actual"]) == ["a", "z"]
    (ledger.root / ".ledger" / "index.sqlite").unlink(missing_ok=True)
    ledger("render", "--check")
