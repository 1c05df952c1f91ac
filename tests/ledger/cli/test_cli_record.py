"""`init`, `consult record`, `claim`, `evidence add`, `settle`: what is taken, what is refused."""

import json
from pathlib import Path

import pytest
from command_line import Shell, in_days, tree

PANEL = {
    "question": "What takes the step's time?",
    "asked_at": "2026-08-24",
    "arms": [
        {"arm": "arm-1", "model": "m-1", "text": "attention", "read": ["run.log"]},
        {"arm": "arm-2", "text": "launches"},
    ],
}


def test_init_works_without_git_and_says_what_is_missing(bare: Shell) -> None:
    ran = bare("init")
    assert "claims/ is ready" in ran.out
    assert "no git repository" in ran.err
    assert bare("init", "--json").data["git"] is False
    assert bare.claim() in bare("list").out
    assert "git none" in bare("show", bare.evidence()).out


def test_init_in_a_repository_goes_to_its_root(bare: Shell) -> None:
    bare.git("init", "--quiet")
    (bare.root / "deep" / "er").mkdir(parents=True)
    bare("-C", "deep/er", "init")
    assert (bare.root / "claims" / "ledger.json").is_file()
    bare("init", "--here", "-C", "deep")
    assert (bare.root / "deep" / "claims" / "ledger.json").is_file()


def test_a_consult_from_file_and_standard_input_is_the_same_entry(ledger: Shell) -> None:
    (ledger.root / "panel.json").write_text(json.dumps(PANEL))
    first = ledger("consult", "record", "panel.json").id
    again = ledger.json("consult", "record", "-", stdin=json.dumps(PANEL).encode())
    assert (again["id"], again["new"]) == (first, False)
    claim = ledger("claim", "it does", "--by", "arm-1", "--consult", first, "--expires", "9d").id
    assert ledger.entry(claim)["by"] == {"name": "arm-1", "role": "arm", "model": "m-1"}
    shown = ledger("show", first, "--json").data
    assert shown["state"] == {"claims": [{"id": claim, "status": "provisional"}]}
    error = ledger.json(
        "claim", "x", "--by", "arm-9", "--consult", first, "--expires", "9d", expect=2
    )
    assert "arm-1, arm-2" in error["fix"]


@pytest.mark.parametrize(
    ("panel", "names"),
    [
        (b"[1", "not JSON"),
        (b"[]", "one JSON object"),
        (b"{}", "at least one arm"),
        (b'{"question":"q","arms":[]}', "at least one arm"),
        (b'{"question":" ","arms":[{"arm":"a"}]}', "question"),
        (b'{"question":"q","arms":[{"arm":"a"},{"arm":"a"}]}', "two arms"),
        (b'{"question":"q","arms":[{"arm":"a","vote":1}]}', "vote"),
        (b'{"question":"q","arms":[{"arm":"\\ud800"}]}', "Unicode"),
        (b'{"question":"q","question":"r","arms":[{"arm":"a"}]}', "duplicate key"),
        (b'{"kind":"claim","question":"q","arms":[{"arm":"a"}]}', "set by the ledger"),
        (b"\xff\xfe{}", "utf-8"),
    ],
)
def test_a_panel_that_is_none_is_refused_by_name(ledger: Shell, panel: bytes, names: str) -> None:
    ran = ledger("consult", "record", "-", stdin=panel, expect=2)
    assert ran.out == ""
    assert names in ran.err
    assert ledger("consult", "record", "no.json", expect=2).out == ""


def test_a_claim_with_neither_evidence_nor_expiry_is_refused_with_both_ways(ledger: Shell) -> None:
    ran = ledger("claim", "attention dominates", "--by", "arm-1", expect=3)
    assert ran.out == ""
    assert "neither" in ran.err
    assert "--evidence" in ran.err
    assert "--expires" in ran.err
    error = ledger.json("claim", "attention dominates", "--by", "arm-1", expect=3)
    assert error["code"] == "refused"
    assert "--evidence" in error["fix"]
    assert "--expires" in error["fix"]


def test_recording_twice_is_a_no_op_that_answers_with_the_present_state(ledger: Shell) -> None:
    words = ("claim", "c", "--by", "a", "--expires", in_days(9), "--about", "seat=training")
    first = ledger.json(*words)
    assert (first["new"], first["state"]["status"]) == (True, "provisional")
    measured = ledger.evidence("--about", "seat=training")
    ledger("settle", first["id"], measured, "--supports")
    before = tree(ledger.root)
    again = ledger.json(*words)
    assert (again["id"], again["new"], again["path"]) == (first["id"], False, first["path"])
    assert again["state"]["status"] == "measured"
    assert "already recorded" in ledger(*words).out
    assert "already recorded" in ledger("settle", first["id"], measured, "--supports").out
    assert ledger.evidence("--about", "seat=training") == measured
    assert tree(ledger.root) == before


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--expires", "2020-01-01"), "in the past"),
        (("--expires", in_days(-1)), "in the past"),
        (("--expires", "soon"), "not a date"),
        (("--expires", "2027-02-30"), "not a date"),
        (("--expires", "99999999d"), "too far off"),
        (("--expires", ""), "not a date"),
        (("--expires", "9d", "--expects", "step < 30 parsec"), "unknown unit 'parsec'"),
        (("--expires", "9d", "--expects", "step about 30"), "cannot read the expectation"),
        (("--expires", "9d", "--expects", ""), "cannot read the expectation"),
        (("--expires", "9d", "--expects", "step in 3..1 s"), "empty"),
        (("--expires", "9d", "--about", "seat"), "not key=value"),
        (("--expires", "9d", "--about", "k=a", "--about", "k=b"), "twice"),
        (("--expires", "9d", "--basis", "guess"), "guess"),
        (("--expires", "9d", "--role", "robot"), "robot"),
        (("--expires", "9d", "--rests-on", ","), "empty set of premises"),
        (("--expires", "9d", "--consult", ""), "no id"),
        (("--expires", "9d", "--evidence", ""), "no id"),
        (("--expires", "9d", "--figure", "many"), "not a number"),
        (("--expires", "9d", "--by", ""), "by.name"),
        (("--expires", "9d", "--colour", "red"), "--colour"),
    ],
)
def test_bad_input_is_named(ledger: Shell, words: tuple[str, ...], names: str) -> None:
    ran = ledger("claim", "a claim", "--by", "arm-1", *words, expect=2)
    assert ran.out == ""
    assert names in ran.err
    assert ledger.json("claim", "a claim", "--by", "arm-1", *words, expect=2)["code"] == "bad-input"


def test_an_empty_statement_and_a_missing_author_are_refused(ledger: Shell) -> None:
    assert "statement" in ledger("claim", " ", "--by", "a", "--expires", "9d", expect=2).err
    assert "--by" in ledger("claim", "c", "--expires", "9d", expect=2).err
    assert "statement" in ledger("claim", "-", "--by", "a", "--expires", "9d", expect=2).err


def test_evidence_of_another_scope_is_refused_with_the_key_and_both_values(ledger: Shell) -> None:
    measured = ledger.evidence("--about", "seat=serving", "--about", "seq_len=4096")
    ran = ledger(
        "claim", "c", "--by", "a", "--evidence", measured, "--about", "seat=training", expect=3
    )
    assert "seat: claim training, evidence serving" in ran.err
    claim = ledger.claim("c", "--about", "attn_implementation=sdpa")
    ran = ledger("settle", claim, measured, "--supports", expect=3)
    assert "attn_implementation: claim sdpa, evidence does not state it" in ran.err
    none = ledger.claim("known to be none", "--about", "seq_len=")
    error = ledger.json("settle", none, measured, "--supports", expect=3)
    assert "seq_len: claim (none), evidence 4096" in error["message"]


def test_retracted_evidence_is_refused_when_claiming_and_when_settling(ledger: Shell) -> None:
    measured, claim = ledger.evidence(), ledger.claim()
    gone = ledger("retract", measured, "--reason", "the clock was wrong").id
    for words in (("claim", "c", "--by", "a", "--evidence", measured),
                  ("settle", claim, measured, "--supports")):  # fmt: skip
        error = ledger.json(*words, expect=3)
        assert gone in error["message"]
        assert error["code"] == "refused"


def test_the_claims_own_expectation_decides(ledger: Shell) -> None:
    measured = ledger.evidence(value="step=35.2:s:7:35.0..35.5")
    claim = ledger.claim("c", "--expects", "step < 30 s")
    error = ledger.json("settle", claim, measured, "--supports", expect=3)
    assert "says refutes: measured 35..35.5 s, expected step < 30 s" in error["message"]
    ran = ledger("settle", claim, measured)
    assert "refuted" in ran.out
    assert ledger.entry(ran.id)["decided"] == "expects"
    straddling = ledger.claim("d", "--expects", "step <= 35.2 s")
    ledger("settle", straddling, measured)
    assert ledger.status(straddling) == "provisional"
    milliseconds = ledger.claim("e", "--expects", "step <= 35500 ms")
    ledger("settle", milliseconds, measured)
    assert ledger.status(milliseconds) == "measured"


def test_evidence_that_does_not_measure_the_expected_is_refused_with_the_claim(
    ledger: Shell,
) -> None:
    measured = ledger.evidence()
    words = ("claim", "c", "--by", "a", "--evidence", measured, "--expects", "idle_share > 0.5")
    assert "does not measure idle_share (has step)" in ledger(*words, expect=3).err


def test_settling_needs_one_outcome(ledger: Shell) -> None:
    claim, measured = ledger.claim(), ledger.evidence()
    assert "nothing decides" in ledger("settle", claim, measured, expect=2).err
    ran = ledger("settle", claim, measured, "--supports", "--refutes", expect=2)
    assert "exclude" in ran.err
    done = ledger(
        "settle", claim, measured, "--refutes", "--by", "eng", "--role", "person", "--note", "why"
    )
    entry = ledger.entry(done.id)
    assert (entry["decided"], entry["note"]) == ("person", "why")
    assert ledger.status(claim) == "refuted"
    ledger("settle", ledger.claim("other"), measured, "--inconclusive")


def test_evidence_keeps_numbers_as_typed_and_hashes_its_artifact(ledger: Shell) -> None:
    (ledger.root / "run.log").write_bytes(b"35.20\n")
    ran = ledger(
        "evidence", "add", "--instrument", "stopwatch@1", "--value", "step=35.20:s:7:35.00..35.5",
        "--unknown", "mfu=peak not known", "--artifact", "run.log", "--environment", "torch=2.13",
        "--doubt", "one card", "--decisive", "seat", "--taken-at", "2026-08-24T10:00:00Z",
    )  # fmt: skip
    assert '"value": 35.20' in ledger.path(ran.id).read_text()
    entry = ledger.entry(ran.id)
    assert entry["artifacts"][0]["path"] == "run.log"
    assert entry["artifacts"][0]["bytes"] == 6
    assert entry["quantities"][1] == {"name": "mfu", "value": None, "reason": "peak not known"}
    assert entry["environment"] == {"torch": "2.13"}
    shown = ledger("show", ran.id).out
    assert "mfu unknown: peak not known" in shown
    assert "doubt: one card" in shown


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("--instrument", "stopwatch", "--value", "a=1"), "no version"),
        (("--instrument", "s@1"), "needs a value or a result"),
        (("--instrument", "s@1", "--result", ""), "needs a value or a result"),
        (("--instrument", "s@1", "--value", "a=1", "--result", " "), "needs a value or a result"),
        (("--instrument", "s@1", "--value", "a=nan"), "not a number"),
        (("--instrument", "s@1", "--value", "a=1e999"), "out of range"),
        (("--instrument", "s@1", "--value", "a=1:s:0"), "at least 1"),
        (("--instrument", "s@1", "--value", "a=1:s:1_0"), "not a count"),
        (("--instrument", "s@1", "--value", "a=1:s:٣"), "not a count"),
        (("--instrument", "s@1", "--value", "a=1:s:3:1"), "not LOW..HIGH"),
        (("--instrument", "s@1", "--value", "a=1:s:3:2..3"), "low <= value <= high"),
        (("--instrument", "s@1", "--value", "a=1:parsec"), "unknown unit"),
        (("--instrument", "s@1", "--value", "a=1", "--value", "a=2"), "given twice"),
        (("--instrument", "s@1", "--unknown", "a= "), "no reason"),
        (("--instrument", "s@1", "--value", "a=1", "--artifact", "no.log"), "no.log"),
        (("--instrument", "s@1", "--value", "a=1", "--artifact", "."), "artifact"),
        (("--instrument", "s@1", "--value", "a=1", "--environment", "x"), "--environment 'x'"),
    ],
)
def test_bad_evidence_is_named(ledger: Shell, words: tuple[str, ...], names: str) -> None:
    ran = ledger("evidence", "add", *words, expect=2)
    assert ran.out == ""
    assert names in ran.err


def test_evidence_says_which_commit_and_that_the_tree_was_dirty(ledger: Shell) -> None:
    ledger.git("init", "--quiet")
    ledger.git("add", "--all")
    ledger.git("commit", "--quiet", "--message", "start")
    clean = ledger.entry(ledger.evidence())["git"]
    (ledger.root / "train.py").write_text("pass\n")
    dirty = ledger.entry(ledger.evidence(value="step=30:s"))["git"]
    assert (clean["state"], dirty["state"]) == ("clean", "dirty")
    assert clean["oid"] == dirty["oid"]
    assert dirty["dirty"] == ["?? train.py"]


def test_a_claim_that_says_again_what_was_superseded_is_told_so(ledger: Shell) -> None:
    text = "attention takes at least 60 % of the device time of a training step"
    old = ledger.claim(text)
    ledger("supersede", old, "--status", "WRONG", "--replaced-by", "a third")
    ran = ledger("claim", text, "--by", "arm-2", "--expires", "9d")
    assert f"warning: restates-superseded: {old}" in ran.err
    assert "a third" in ran.err
    assert "warning" not in ran.out


def test_a_system_that_refuses_to_write_is_answered_and_leaves_nothing(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, payload: bytes) -> None:
        raise OSError(30, "Read-only file system", str(path)) if payload else AssertionError

    monkeypatch.setattr("ledger.store.placing._write", refuse)
    error = ledger.json("claim", "c", "--by", "a", "--expires", "9d", expect=6)
    assert error["code"] == "unavailable"
    assert "Read-only" in error["message"]
