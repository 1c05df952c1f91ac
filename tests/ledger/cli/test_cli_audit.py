"""`audit`: its formats, its exit code, and the closed loop from a measurement to a document."""

import json
from typing import Any

import pytest
from command_line import Shell

from ledger.rules import Finding
from ledger.service import annotations


@pytest.fixture
def troubled(ledger: Shell) -> dict[str, str]:
    """A document that cites a superseded claim, and a claim about to expire."""
    gone = ledger.claim("flags, decide: 100 %\nof kernels")
    ledger("supersede", gone, "--status", "WRONG", "--replaced-by", "a, b: c %\nd")
    soon = ledger("claim", "soon over", "--by", "a", "--expires", "2d").id
    (ledger.root / "sub dir").mkdir()
    (ledger.root / "sub dir" / "a,b:c%.md").write_text(f"# Notes\n\ntext\n\nSee [{gone}].\n")
    return {"gone": gone, "soon": soon}


def test_a_sound_ledger_ends_with_0_in_every_format(ledger: Shell) -> None:
    ledger.claim("c", "--evidence", ledger.evidence())
    out = ledger("audit").out
    assert "Rests on measurements (1)" in out
    assert "Findings: 1 note" in out  # a stopwatch has no negative control
    assert len(ledger("audit", "--json").data["findings"]) == 1
    ledger("audit", "--format", "github")
    ledger("audit", "--format", "sarif")


def test_an_empty_ledger_has_no_findings_in_any_format(ledger: Shell) -> None:
    assert "No findings." in ledger("audit").out
    assert ledger("audit", "--json").data["findings"] == []
    assert ledger("audit", "--format", "github").out == ""
    document = json.loads(ledger("audit", "--format", "sarif").out)
    assert document["runs"][0]["results"] == []


def test_text_and_json_name_file_got_expected_and_the_next_command(
    ledger: Shell, troubled: dict[str, str]
) -> None:
    data = ledger("audit", "--json", expect=1).data
    assert data == ledger("audit", "--format", "json", expect=1).data
    assert data["counts"] == {"provisional": 1, "superseded": 1}
    cited = next(f for f in data["findings"] if f["slug"] == "cites-fallen")
    assert (cited["path"], cited["line"]) == ("sub dir/a,b:c%.md", 5)
    assert cited["subject"] == troubled["gone"]
    for finding in data["findings"]:
        assert finding["level"] in {"error", "warning", "note"}
        assert all(finding[key] for key in ("slug", "subject", "message", "got", "expected", "fix"))
    ran = ledger("audit", expect=1)
    assert ran.err == ""
    for finding in data["findings"]:
        assert f"{finding['slug']}  {finding['subject']}" in ran.out
    assert "and 2 more" in ledger("audit", "--limit", "1", expect=1).out
    assert ledger("audit", "--format", "xml", expect=2).out == ""


def test_notes_alone_do_not_fail(ledger: Shell) -> None:
    ledger("claim", "soon over", "--by", "a", "--expires", "2d")
    data = ledger("audit", "--json").data
    assert [(f["slug"], f["level"]) for f in data["findings"]] == [("expiring-soon", "note")]
    assert ledger("audit", "--format", "github").out.startswith("::notice ")


def test_github_annotations_escape_what_ends_them(ledger: Shell, troubled: dict[str, str]) -> None:
    lines = ledger("audit", "--format", "github", expect=1).out.splitlines()
    assert len(lines) == len(ledger("audit", "--json", expect=1).data["findings"])
    cited = next(line for line in lines if "title=cites-fallen" in line)
    assert cited.startswith(
        "::error file=sub dir/a%2Cb%3Ac%25.md,line=5,col=5,title=cites-fallen::"
    )
    assert troubled["gone"] in cited
    text = "a, b: c %\nd"
    odd = Finding(
        slug="s", level="note", subject="c-1", message=text, got=text, expected=text, fix=text
    )
    assert "::a, b: c %25%0Ad" in annotations.github(odd)


def test_sarif_has_the_shape_of_2_1_0(ledger: Shell, troubled: dict[str, str]) -> None:
    document: dict[str, Any] = json.loads(ledger("audit", "--format", "sarif", expect=1).out)
    assert document["version"] == "2.1.0"
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    assert {result["level"] for result in run["results"]} <= {"error", "warning", "note"}
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert result["partialFingerprints"]
    cited = next(r for r in run["results"] if r["ruleId"] == "cites-fallen")
    (place,) = cited["locations"]
    assert place["physicalLocation"] == {
        "artifactLocation": {"uri": "sub%20dir/a%2Cb%3Ac%25.md"},
        "region": {"startLine": 5, "startColumn": 5},
    }
    of_claim = next(r for r in run["results"] if troubled["soon"] in r["message"]["text"])
    assert of_claim["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(".json")


def test_the_closed_loop_on_three_levels(ledger: Shell) -> None:
    trace = ledger.evidence("--about", "seat=training", value="idle_share=0.62")
    fit = ledger.evidence("--about", "seat=training", value="floor=4096:tokens")
    idle = ledger.claim("the device idles", "--evidence", trace, "--about", "seat=training",
                        "--expects", "idle_share > 0.5")  # fmt: skip
    floor = ledger.claim("time has a floor", "--evidence", fit, "--about", "seat=training")
    plan = ledger.claim("CUDA graphs come first", "--rests-on", idle)
    bound = ledger.claim("the step is launch-bound", "--rests-on", idle, "--rests-on", floor)
    document = ledger.root / "playbook.md"
    document.write_text(f"# Playbook\n\nUse CUDA graphs [{plan}].\n\nIt is bound [{bound}].\n")
    ledger("audit")

    would = ledger("impact", trace, "--json").data
    ran = ledger("rescope", trace, "--about", "seat=serving", "--reason", "the log says so")

    assert {row["claim"] for row in would["falls"]} == {idle, plan}
    assert [(s["claim"], s["carried_by"]) for s in would["survives"]] == [(bound, [fit])]
    assert f"fallen: {trace} -> {idle} -> {plan}" in ran.out
    assert f"derived: carried by {fit}" in ran.out
    assert [ledger.status(c) for c in (idle, plan, bound)] == ["fallen", "fallen", "derived"]
    data = ledger("audit", "--json", expect=1).data
    cited = [f for f in data["findings"] if f["slug"] == "cites-fallen"]
    assert [(f["subject"], f["path"], f["line"]) for f in cited] == [(plan, "playbook.md", 3)]
    assert f"playbook.md:3:17 cites {plan}, which is fallen" in ledger("audit", expect=1).out

    gone = ledger("retract", fit, "--reason", "another card")
    assert bound in gone.out.split("FALLS")[1]
    data = ledger("audit", "--json", expect=1).data
    assert {f["line"] for f in data["findings"] if f["slug"] == "cites-fallen"} == {3, 5}
    ledger("rescope", trace, "--about", "seat=training", "--reason", "the log was another run's")
    assert [ledger.status(c) for c in (idle, plan, bound)] == ["measured", "derived", "derived"]


def test_a_changed_artifact_and_an_unknown_citation_are_found(ledger: Shell) -> None:
    log = ledger.root / "run.log"
    log.write_text("35.2\n")
    ledger.claim("c", "--evidence", ledger.evidence("--artifact", "run.log"))
    (ledger.root / "doc.md").write_text("See [c-0123456789ab] and `[c-0123456789ab]`.\n")
    log.write_text("22.8\n")
    slugs = [f["slug"] for f in ledger("audit", "--json", expect=1).data["findings"]]
    assert [s for s in slugs if s != "no-negative-control"] == ["artifact-changed", "cites-unknown"]
    log.unlink()
    slugs = [f["slug"] for f in ledger("audit", "--json", expect=1).data["findings"]]
    assert "artifact-missing" in slugs
