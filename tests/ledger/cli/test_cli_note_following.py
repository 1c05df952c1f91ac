"""Artifact fields follow the entries that they state: down with them, and back with them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import Shell, tree

from ledger import clock
from ledger.errors import LedgerError

FILES = ["run/provenance.json.provenance-note.json", "run/PROVENANCE-NOTE.md"]


@pytest.fixture
def record(ledger: Shell) -> Path:
    path = ledger.root / "run" / "provenance.json"
    path.parent.mkdir()
    path.write_text('{"commit": "9f2c1aa", "mfu": 0.0860, "key": "sk-%s"}' % ("a1b2c3d4" * 4))
    return path


def fields(path: Path) -> dict[str, Any]:
    """What the sidecar says of each field: status and right value."""
    data = json.loads(path.with_name(f"{path.name}.provenance-note.json").read_text())
    return {f["pointer"]: (f["status"], f["actual"]) for f in data["fields"]}


def notes(shell: Shell) -> list[Any]:
    """The note entries, oldest first."""
    rows = shell("list", "notes", "--json").data["rows"]
    return [shell.entry(row["id"]) for row in rows]


def test_a_superseded_claims_field_is_wrong_and_right_again_without_the_supersession(
    ledger: Shell, record: Path
) -> None:
    claim = ledger.claim("the harness is at 9f2c1aa", "--artifact", "run/provenance.json#/commit")
    ran = ledger("supersede", claim, "--status", "WRONG", "--actual", "4b1d9e7",
                 "--replaced-by", "it was 4b1d9e7", "--json")  # fmt: skip
    [noted] = ran.data["notes"]
    assert (noted["artifact"], noted["files"]) == ("run/provenance.json", FILES)
    assert fields(record) == {"/commit": ("wrong", "4b1d9e7")}
    [note] = notes(ledger)
    assert note["by"] == {"name": "ledger"}
    [field] = note["fields"]
    assert (field["cause"], field["recorded"]) == (claim, "9f2c1aa")
    ledger("render", "--check")

    back = ledger("retract", ran.data["id"], "--reason", "the log says so", "--json")
    assert back.data["notes"] == [{"id": None, "artifact": "run/provenance.json", "files": FILES}]
    assert fields(record) == {}
    assert len(notes(ledger)) == 1
    ledger("render", "--check")

    again = ledger("retract", back.data["id"], "--reason", "it does not", "--json")
    assert again.data["notes"][0]["files"] == FILES
    assert fields(record) == {"/commit": ("wrong", "4b1d9e7")}
    assert len(notes(ledger)) == 1


def test_a_rescoped_measurements_field_is_of_another_run(ledger: Shell, record: Path) -> None:
    measured = ledger.evidence(
        "--about", "seat=training", "--artifact", "run/provenance.json#/mfu", value="mfu=0.086"
    )
    entry = ledger.entry(measured)
    assert [a["path"] for a in entry["artifacts"]] == ["run/provenance.json"]
    assert [f["pointer"] for f in entry["artifact_fields"]] == ["/mfu"]
    rescope = ("rescope", measured, "--about", "seat=serving", "--reason", "read from the log")
    before = tree(ledger.root)
    dry = ledger(*rescope, "--dry-run")
    assert "writes run/PROVENANCE-NOTE.md" in dry.out
    assert tree(ledger.root) == before
    ran = ledger(*rescope)
    assert "NOTES\n  run/provenance.json  n-" in ran.out
    assert "wrote run/PROVENANCE-NOTE.md" in ran.out
    assert fields(record) == {"/mfu": ("misleading_scope", None)}
    text = (record.parent / "PROVENANCE-NOTE.md").read_text()
    assert "| /mfu | 0.0860 |" in text
    assert "seat=serving, not training" in text
    again = ledger(*rescope)
    assert "NOTES" not in again.out
    ledger("render", "--check")


def test_a_retracted_measurement_and_a_refuted_claim(ledger: Shell, record: Path) -> None:
    measured = ledger.evidence("--artifact", "run/provenance.json#/mfu", value="mfu=0.086")
    ledger("retract", measured, "--reason", "operators were counted twice")
    assert fields(record) == {"/mfu": ("wrong_actual_unknown", None)}
    claim = ledger.claim("it is at 9f2c1aa", "--artifact", "run/provenance.json#/commit")
    other = ledger.evidence(value="dirty=1")
    ran = ledger("settle", claim, other, "--refutes", "--json")
    assert ran.data["notes"][0]["files"] == FILES
    assert fields(record)["/commit"] == ("wrong_actual_unknown", None)
    ledger("retract", ran.data["id"], "--reason", "another tree")
    assert "/commit" not in fields(record)


def test_a_supersession_may_name_the_field_itself(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("the harness is at 9f2c1aa")
    need = ledger("supersede", claim, "--status", "WRONG", "--actual", "x", expect=2)
    assert "none is named" in need.err
    words = ("--artifact", "run/provenance.json#/mfu", "--actual", "0.041")
    ran = ledger("supersede", claim, "--status", "WRONG", *words)
    assert fields(record) == {"/mfu": ("wrong", 0.041)}
    assert ledger.entry(ran.id)["actual"] == 0.041
    measured = ledger.evidence()
    again = ledger("supersede", claim, "--status", "WRONG", "--evidence", measured)
    assert ledger.entry(again.id)["actual"] == 0.041
    assert fields(record) == {"/mfu": ("wrong", 0.041)}


def test_a_supersession_in_two_steps_needs_a_second_note(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("the harness is at 9f2c1aa", "--artifact", "run/provenance.json#/commit")
    ledger("supersede", claim, "--status", "WRONG")
    assert fields(record) == {"/commit": ("wrong_actual_unknown", None)}
    ledger("supersede", claim, "--status", "WRONG", "--actual", "4b1d9e7")
    assert fields(record) == {"/commit": ("wrong", "4b1d9e7")}
    assert len(notes(ledger)) == 2
    ledger("render", "--check")


def test_secrets_are_not_copied_and_not_taken(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("the key is public", "--artifact", "run/provenance.json#/key")
    ledger("supersede", claim, "--status", "WRONG")
    assert "sk-" not in json.dumps(notes(ledger))
    assert "sk-" not in (record.parent / "PROVENANCE-NOTE.md").read_text()
    other = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    key = "sk-" + "a1b2c3d4" * 4
    ledger("supersede", other, "--status", "WRONG", "--actual", key, expect=3)


def test_a_change_further_up_reaches_the_field(ledger: Shell, record: Path) -> None:
    measured = ledger.evidence("--about", "seat=training")
    base = ledger.claim("base", "--evidence", measured, "--about", "seat=training")
    ledger.claim("derived", "--rests-on", base, "--artifact", "run/provenance.json#/mfu")
    ledger("rescope", measured, "--about", "seat=serving", "--reason", "log")
    assert fields(record) == {"/mfu": ("misleading_scope", None)}


def test_a_missing_or_changed_artifact_still_gets_its_note(ledger: Shell, record: Path) -> None:
    source = record.read_bytes()
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    digest = ledger.entry(claim)["artifact_fields"][0]["artifact"]["sha256"]
    record.unlink()
    ledger("supersede", claim, "--status", "WRONG")
    [note] = notes(ledger)
    assert note["artifact"]["sha256"] == digest
    assert "recorded" not in note["fields"][0]
    assert fields(record) == {"/commit": ("wrong_actual_unknown", None)}
    record.write_bytes(source)
    ledger("render", "--check", expect=1)
    ledger("render")
    assert "3 leaves" in (record.parent / "PROVENANCE-NOTE.md").read_text()


def test_without_its_directory_only_the_entry_is_recorded(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    record.unlink()
    record.parent.rmdir()
    ran = ledger("supersede", claim, "--status", "WRONG", "--json")
    assert ran.data["notes"][0]["files"] == []
    assert len(notes(ledger)) == 1
    assert not record.parent.exists()
    ledger("render", "--check")


def test_files_that_cannot_be_written_are_told_of_and_do_not_stop_the_correction(
    ledger: Shell, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")

    def refuse(path: Path, data: bytes) -> None:
        assert data
        raise LedgerError("bad-input", f"cannot write {path}: read-only", fix="make it writable")

    with monkeypatch.context() as patched:
        patched.setattr("ledger.render.replace", refuse)
        ran = ledger("supersede", claim, "--status", "WRONG")
    assert ledger.status(claim) == "superseded"
    assert "ledger render" in ran.err
    assert "note-missing" in ledger("audit", expect=1).out
    ledger("render")
    assert fields(record)

    sidecar = ledger.root / FILES[0]
    sidecar.write_text(sidecar.read_text().replace("9f2c1aa", "0000000"))
    ran = ledger("supersede", claim, "--status", "NOT A FLAG")
    assert "edited by hand" in ran.err
    assert "0000000" in sidecar.read_text()


def test_a_note_that_cannot_be_recorded_is_told_of(
    ledger: Shell, record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    from ledger import index
    from ledger.entry import Entry, Note

    real = index.record

    def full(book: Any, entry: Entry) -> Any:
        if isinstance(entry, Note):
            raise LedgerError("unavailable", "disk full", fix="make room")
        return real(book, entry)

    with monkeypatch.context() as patched:
        patched.setattr(index, "record", full)
        ran = ledger("supersede", claim, "--status", "WRONG")
    assert "is not recorded: disk full" in ran.err
    findings = ledger("audit", "--json", expect=1).data["findings"]
    [missing] = [f for f in findings if f["slug"] == "note-missing"]
    assert (missing["subject"], missing["level"]) == (claim, "error")
    assert missing["fix"] == "ledger note run/provenance.json"
    source = record.read_text().split("\n")
    assert missing["path"] == "run/provenance.json"
    assert source[missing["line"] - 1][missing["column"] - 1 :].startswith('"commit"')
    ledger("note", "run/provenance.json")
    assert fields(record) == {"/commit": ("wrong_actual_unknown", None)}
    assert "nothing in the ledger says" in ledger("note", "run/provenance.json", expect=2).err


def test_any_later_recording_brings_a_missing_note(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit", "--expires", "90d")
    from ledger.entry import Recorded, Supersession
    from ledger.index import record as write
    from ledger.store import find

    # As a merge would bring it: the entry alone.
    at = Recorded(at=clock.recorded().at)
    entry = Supersession(recorded=at, claim=claim, status="WRONG", date="2026-01-01")
    write(find(ledger.root), entry)
    assert "note-missing" in ledger("audit", expect=1).out
    ran = ledger("claim", "something else", "--by", "a", "--expires", "9d")
    assert "wrote run/PROVENANCE-NOTE.md" in ran.out
    assert "note-missing" not in ledger("audit", expect=1).out
    assert fields(record)


def test_a_following_note_that_was_taken_back_stays_missing(ledger: Shell, record: Path) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    ran = ledger("supersede", claim, "--status", "WRONG", "--json")
    back = ledger("retract", ran.data["notes"][0]["id"], "--reason", "no").id
    assert fields(record) == {}
    assert "note-missing" in ledger("audit", expect=1).out
    refused = ledger("note", "run/provenance.json", expect=3)
    assert f"ledger retract {back}" in refused.err
    ledger("retract", back, "--reason", "yes")
    assert fields(record)
    assert "note-missing" not in ledger("audit", expect=1).out


def test_what_was_taken_back_does_not_come_back_with_something_else(
    ledger: Shell, record: Path
) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    other = ledger.claim("d", "--artifact", "run/provenance.json#/mfu")
    ran = ledger("supersede", claim, "--status", "WRONG", "--json")
    ledger("retract", ran.data["notes"][0]["id"], "--reason", "no")
    ledger("supersede", other, "--status", "WRONG")
    assert set(fields(record)) == {"/mfu"}
    record.rename(record.with_name("moved.json"))
    ledger.claim("anything")
    assert len(notes(ledger)) == 2
    record.with_name("moved.json").rename(record)
    ledger("supersede", claim, "--status", "WRONG", "--actual", "4b1d9e7")
    assert fields(record)["/commit"] == ("wrong", "4b1d9e7")


@pytest.mark.usefixtures("record")
def test_after_a_note_was_taken_back_other_words_end_the_finding(ledger: Shell) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    ran = ledger("supersede", claim, "--status", "WRONG", "--json")
    ledger("retract", ran.data["notes"][0]["id"], "--reason", "the file is right")
    assert "--rechecked" in ledger("note", "run/provenance.json", expect=3).err
    measured = ledger.evidence()
    ledger("note", "run/provenance.json", "--rechecked", f"/commit={measured}")
    assert "note-missing" not in ledger("audit", expect=1).out
    ledger("retract", measured, "--reason", "wrong tree")
    assert "note-missing" in ledger("audit", expect=1).out


@pytest.mark.parametrize(
    ("text", "code", "says"),
    [
        ("run/provenance.json#/nope", 4, "run/provenance.json: no /nope"),
        ("run/provenance.json#mfu", 2, "--artifact 'run/provenance.json#/mfu'"),
        ("no.json#/mfu", 2, "no such file"),
        ("no.json", 2, "cannot read the artifact no.json"),
        ("#/mfu", 2, "no such file"),
        ("run/notes.txt#/mfu", 4, "no /mfu"),
        ("run", 2, "cannot read the artifact run"),
    ],
)
@pytest.mark.usefixtures("record")
def test_a_field_that_is_not_there(ledger: Shell, text: str, code: int, says: str) -> None:
    (ledger.root / "run" / "notes.txt").write_text("just text")
    for words in (
        ("claim", "c", "--by", "a", "--expires", "9d"),
        ("evidence", "add", "--instrument", "i@1", "--result", "x"),
    ):
        ran = ledger(*words, "--artifact", text, expect=code)
        assert says in ran.err


def test_a_hash_in_a_name_belongs_to_the_file(ledger: Shell, record: Path) -> None:
    odd = record.parent / "a#" / "mfu.json"
    odd.parent.mkdir()
    odd.write_text('{"x": 1}')
    plain = record.with_name("a")
    plain.write_text('{"mfu.json": 2}')
    whole = ledger.claim("c", "--artifact", "run/a#/mfu.json")
    item = ledger.entry(whole)["artifact_fields"][0]
    assert (item["artifact"]["path"], item["pointer"]) == ("run/a#/mfu.json", "")
    inner = ledger.claim("d", "--artifact", "run/a#/mfu.json#/x")
    item = ledger.entry(inner)["artifact_fields"][0]
    assert (item["artifact"]["path"], item["pointer"]) == ("run/a#/mfu.json", "/x")


def test_a_measurements_file_alone_states_nothing(ledger: Shell) -> None:
    (ledger.root / "run.log").write_text("35.2 s")
    measured = ledger.evidence("--artifact", "run.log")
    assert "artifact_fields" not in ledger.entry(measured)
    ran = ledger("retract", measured, "--reason", "r", "--json")
    assert ran.data["notes"] == []


def test_notes_of_two_branches_meet_in_a_merge(bare: Shell) -> None:
    bare.git("init", "-q", "-b", "main")
    bare("init")
    path = bare.root / "p.json"
    path.write_text('{"a": 1, "b": 2}')
    one = bare.claim("a is 1", "--artifact", "p.json#/a")
    bare.git("add", "-A")
    bare.git("commit", "-qm", "start")
    bare.git("checkout", "-q", "-b", "other")
    two = bare.claim("b is 2", "--artifact", "p.json#/b")
    bare("note", "p.json", "--wrong", "/b", "--reason", "by hand")
    bare.git("add", "-A")
    bare.git("commit", "-qm", "other")
    bare.git("checkout", "-q", "main")
    bare("supersede", one, "--status", "WRONG", "--actual", "3")
    bare.git("add", "-A")
    bare.git("commit", "-qm", "mine")
    # Entries never conflict; generated files do, and are made anew.
    bare.git("merge", "-q", "-X", "ours", "other")
    bare("render", "--accept-loss")
    bare("render", "--check")
    assert fields(path) == {"/a": ("wrong", 3), "/b": ("wrong_actual_unknown", None)}
    bare("supersede", two, "--status", "WRONG", "--actual", "5")
    assert fields(path)["/b"] == ("wrong", 5)
    assert bare("verify").code == 0


def test_a_probe_that_refutes_a_claim_reaches_the_field(ledger: Shell, record: Path) -> None:
    rows = [f"{n},{1e-6 * n + 2e-10 * n**2:.9f}" for n in (1024, 2048, 4096, 8192, 16384)] * 3
    (ledger.root / "points.csv").write_text("seq_len,seconds\n" + "\n".join(rows) + "\n")
    words = ("--expects", "quadratic_share < 0.5", "--artifact", "run/provenance.json#/mfu")
    claim = ledger.claim("linear", *words)
    run = ("probe", "run", "scaling-fit", "points.csv", "--claim", claim)
    data = ledger.json(*run)
    assert data["verdict"]["outcome"] == "refutes"
    assert data["notes"][0]["files"] == FILES
    assert fields(record) == {"/mfu": ("wrong_actual_unknown", None)}
    ledger("render", "--check")


def test_only_a_regular_file_is_an_artifact_and_no_pipe_is_waited_for(
    ledger: Shell, record: Path
) -> None:
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    ledger("supersede", claim, "--status", "WRONG")
    pipe = record.with_name("pipe.json")
    os.mkfifo(pipe)
    for words in (
        ("claim", "d", "--by", "a", "--expires", "9d", "--artifact", "run/pipe.json"),
        ("note", "run/pipe.json", "--wrong", "/a", "--reason", "r"),
        ("note", "/dev/zero", "--wrong", "/a", "--reason", "r"),
    ):
        assert "not a regular file" in ledger(*words, expect=2).err
    record.unlink()
    os.mkfifo(record)
    assert "artifact-missing" in ledger("audit", expect=1).out
    ledger("render")
    document = record.with_name("PROVENANCE-NOTE.md")
    assert "is not there any more" in document.read_text()
    document.unlink()
    os.mkfifo(document)
    assert "region-edited" in ledger("audit", expect=1).out
    assert "it cannot be read" in ledger("render", expect=3, writes=True).err
    (ledger.root / "a.md").write_text(
        "<!-- BEGIN ledger:note id=a artifact=run/pipe.json -->\n\n<!-- END ledger:note id=a -->\n"
    )
    ledger("render", "a.md")


def test_a_pointer_may_be_longer_than_a_file_name(ledger: Shell, record: Path) -> None:
    key = "k" * 5000
    record.write_text(json.dumps({key: 1}))
    claim = ledger.claim("c", "--artifact", f"run/provenance.json#/{key}")
    assert ledger.entry(claim)["artifact_fields"][0]["pointer"] == f"/{key}"
    said = ledger("claim", "d", "--by", "a", "--artifact", f"{key}#/a", expect=2).err
    assert "no such file" in said


def test_a_file_that_is_no_data_can_state_a_claim_as_a_whole(ledger: Shell) -> None:
    (ledger.root / "weights.bin").write_bytes(b"\x00\xff")
    claim = ledger.claim("trained with the mask", "--artifact", "weights.bin")
    ledger("supersede", claim, "--status", "WRONG", "--actual", "no mask")
    assert fields(ledger.root / "weights.bin") == {"": ("wrong", "no mask")}
    text = (ledger.root / "PROVENANCE-NOTE.md").read_text()
    assert "its fields cannot be listed" in text
    ledger("render", "--check")


def test_each_content_of_a_file_has_its_own_note(ledger: Shell, record: Path) -> None:
    first = record.read_bytes()
    claim = ledger.claim("it is at 9f2c1aa", "--artifact", "run/provenance.json#/commit")
    record.write_text('{"commit": "4b1d9e7", "mfu": 0.05}')
    ledger("note", "run/provenance.json", "--wrong", "/mfu", "--reason", "sdpa")
    ledger("supersede", claim, "--status", "WRONG", "--actual", "4b1d9e7")
    assert fields(record) == {"/mfu": ("wrong_actual_unknown", None)}
    ledger("render", "--check")
    record.write_bytes(first)
    ledger("render")
    assert fields(record) == {"/commit": ("wrong", "4b1d9e7")}
    assert "/commit" in (record.parent / "PROVENANCE-NOTE.md").read_text()
    ledger("render", "--check")


def test_broken_markers_are_told_of_once_and_nothing_is_written_over_them(
    ledger: Shell, record: Path
) -> None:
    ledger("note", "run/provenance.json", "--wrong", "/mfu", "--reason", "sdpa")
    document = record.parent / "PROVENANCE-NOTE.md"
    broken = document.read_text().split("<!-- END")[0]
    document.write_text(broken)
    said = ledger("render", expect=3, writes=True)
    assert said.err.count("error: ") == 1
    claim = ledger.claim("c", "--artifact", "run/provenance.json#/commit")
    assert "has no end marker" in ledger("supersede", claim, "--status", "WRONG").err
    assert document.read_text() == broken
    slugs = [f["slug"] for f in ledger("audit", "--json", expect=1).data["findings"]]
    assert slugs.count("region-malformed") == 1
