"""Saying a correction again that was undone since: refused, never silently without effect."""

import pytest
from command_line import Shell


@pytest.fixture
def claim(ledger: Shell) -> str:
    return ledger.claim("a claim to correct")


def test_a_supersession_that_was_taken_back(ledger: Shell, claim: str) -> None:
    words = ("supersede", claim, "--status", "WRONG", "--replaced-by", "x")
    first = ledger(*words).id
    assert "already recorded" in ledger(*words).out
    back = ledger("retract", first, "--reason", "oops").id
    refused = ledger(*words, expect=3)
    assert f"{back} took it back" in refused.err
    assert f"ledger retract {back}" in refused.err
    assert ledger.status(claim) == "provisional"
    ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "y", writes=True)
    assert ledger.status(claim) == "superseded"


def test_a_retraction_that_was_taken_back(ledger: Shell, claim: str) -> None:
    words = ("retract", claim, "--reason", "wrong")
    first = ledger(*words).id
    ledger("retract", first, "--reason", "it was right")
    ledger(*words, expect=3)
    assert ledger.status(claim) == "provisional"


def test_a_rescope_there_and_back_and_there(ledger: Shell) -> None:
    measured = ledger.evidence("--about", "impl=flex")
    there = ("rescope", measured, "--about", "impl=sdpa", "--reason", "log line")
    ledger(*there)
    back = ledger("rescope", measured, "--about", "impl=flex", "--reason", "back").id
    refused = ledger(*there, expect=3)
    assert f"{back} came later" in refused.err
    ledger(*there[:-1], "another log line", writes=True)
    assert ledger("show", measured, "--json").data["state"]["about"]["impl"] == "sdpa"


def test_a_verdict_that_another_one_followed(ledger: Shell, claim: str) -> None:
    measured = ledger.evidence()
    ledger("settle", claim, measured, "--supports")
    ledger("settle", claim, measured, "--refutes")
    refused = ledger("settle", claim, measured, "--supports", expect=3)
    assert "came later" in refused.err
    assert ledger.status(claim) == "refuted"


def test_a_status_said_again_keeps_date_and_replacement(ledger: Shell, claim: str) -> None:
    measured = ledger.evidence()
    ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "22 s", "--date", "2026-01-02")
    again = ledger("supersede", claim, "--status", "WRONG", "--evidence", measured).id
    entry = ledger.entry(again)
    assert (entry["date"], entry["replaced_by"]) == ("2026-01-02", {"text": "22 s"})
    findings = ledger("audit", "--json").data["findings"]
    assert {f["slug"] for f in findings} <= {"no-negative-control"}


def test_evidence_that_does_not_bear_a_supersession_out_is_warned_about(ledger: Shell) -> None:
    measured = ledger.evidence("--about", "seat=serving")
    claim = ledger.claim("c", "--about", "seat=training")
    ran = ledger("supersede", claim, "--status", "WRONG", "--evidence", measured)
    assert "was taken of another configuration" in ran.err


def test_a_rescope_names_the_supersessions_that_leaned_on_the_measurement(ledger: Shell) -> None:
    measured = ledger.evidence("--about", "seat=training")
    claim = ledger.claim("c", "--about", "seat=training")
    superseded = ledger("supersede", claim, "--status", "WRONG", "--evidence", measured).id
    ran = ledger("rescope", measured, "--about", "seat=serving", "--reason", "log")
    assert superseded in ran.err
    assert claim in ran.err
