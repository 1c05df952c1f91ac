"""`probe list|show|run|selftest`: what is recorded, and the exit code when it cannot be."""

from pathlib import Path

import pytest
from command_line import Shell, tree

CSV = "seq_len,seconds\n" + "".join(
    f"{length},{1e-6 * length + 2e-10 * length**2 + 0.001 * repeat * 1e-3:.9f}\n"
    for length in (1024, 2048, 4096, 8192, 16384)
    for repeat in range(5)
)


@pytest.fixture
def points(ledger: Shell) -> Path:
    path = ledger.root / "points.csv"
    path.write_text(CSV)
    return path


def test_list_and_show(ledger: Shell) -> None:
    rows = ledger("probe", "list", "--json").data["rows"]
    assert {"kernel-table", "scaling-fit"} <= {row["name"] for row in rows}
    assert all(row["version"] for row in rows)
    for row in rows:
        assert row["name"] in ledger("probe", "list").out
        shown = ledger("probe", "show", row["name"])
        data = ledger("probe", "show", row["name"], "--json").data
        assert data["controls"], "an instrument that cannot fail measures nothing"
        for control in data["controls"]:
            assert f"{control['name']}: {control['must']}" in shown.out
    assert "scaling-fit" in ledger.json("probe", "show", "scaling", expect=4)["fix"]


def test_a_run_is_recorded_with_its_controls(ledger: Shell, points: Path) -> None:
    words = ("probe", "run", "scaling-fit", points.name, "--about", "seat=training")
    dry = ledger.json(*words, "--dry-run")
    assert (dry["recorded"], dry["path"]) == (False, None)
    assert "e-" not in " ".join(tree(ledger.root))
    data = ledger.json(*words, "--tag", "night")
    assert data["recorded"] is True
    assert data["about"]["seat"] == "training"
    assert all(control["must"] == control["got"] for control in data["controls"])
    entry = ledger.entry(data["id"])
    assert entry["instrument"]["name"] == "scaling-fit"
    assert entry["artifacts"][0]["path"] == "points.csv"
    assert entry["tags"] == ["night"]
    assert "answered as they must" in ledger(*words).out


def test_a_run_settles_a_claim_by_its_expectation(ledger: Shell, points: Path) -> None:
    claim = ledger.claim("quadratic", "--about", "seat=training", "--expects",
                         "quadratic_share > 0.5")  # fmt: skip
    data = ledger.json("probe", "run", "scaling-fit", points.name, "--about", "seat=training",
                       "--claim", claim)  # fmt: skip
    assert data["verdict"]["outcome"] == "supports"
    assert data["verdict"]["state"]["status"] == ledger.status(claim) == "measured"
    ran = ledger("probe", "run", "scaling-fit", points.name, "--about", "seat=training",
                 "--claim", claim)  # fmt: skip
    assert f"{claim}  quadratic" in ran.out


def test_a_claim_without_expectation_is_refused_before_measuring(
    ledger: Shell, points: Path
) -> None:
    words = ("probe", "run", "scaling-fit", points.name, "--claim", ledger.claim())
    assert "no expectation" in ledger(*words, expect=3).err
    assert ledger.json(*words, expect=3)["code"] == "refused"
    ledger("probe", "run", "scaling-fit", points.name, "--claim", "c-0000", expect=4)


def test_a_scope_mismatch_is_refused_before_anything_is_recorded(
    ledger: Shell, points: Path
) -> None:
    claim = ledger.claim("q", "--about", "seat=serving", "--expects", "quadratic_share > 0.5")
    ran = ledger("probe", "run", "scaling-fit", points.name, "--about", "seat=training",
                 "--claim", claim, expect=3)  # fmt: skip
    assert "seat: claim serving, evidence training" in ran.err
    assert "run again with --about seat=serving" in ran.err
    assert not list(ledger.root.glob("claims/*/*-evidence-*.json"))
    assert ledger.status(claim) == "provisional"
    assert ledger("list", "verdicts", "--json").data["total"] == 0
    again = ledger("probe", "run", "scaling-fit", points.name, "--about", "seat=training",
                   "--claim", claim, "--json", expect=3)  # fmt: skip
    assert again.error["code"] == "refused"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nonesuch",), 4),
        (("scaling-fit",), 2),
        (("scaling-fit", "no.csv"), 2),
        (("scaling-fit", "-i", "points"), 2),
        (("scaling-fit", "-i", "colour=red"), 2),
        (("scaling-fit", "bad.csv"), 2),
        (("kernel-table", "bad.csv"), 2),
        (("kernel-table", "a.json", "b.json"), 2),
        (("kernel-table", "points.csv", "-i", "top=many"), 2),
    ],
)
def test_bad_input_measures_and_records_nothing(
    ledger: Shell, points: Path, words: tuple[str, ...], code: int
) -> None:
    points.with_name("bad.csv").write_text("not,a\ntable\n")
    ran = ledger("probe", "run", *words, expect=code)
    assert ran.out == ""
    assert ledger.json("probe", "run", *words, expect=code)["fix"]


def test_what_cannot_measure_here_ends_with_6(
    ledger: Shell, points: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger import registry
    from ledger.contract import Unavailable

    probe = registry.get("scaling-fit")
    monkeypatch.setattr(
        type(probe), "run", lambda *_: Unavailable(reason="no GPU is here", fix="use one")
    )
    error = ledger.json("probe", "run", "scaling-fit", points.name, expect=6)
    assert error == {
        "code": "unavailable", "message": "scaling-fit: no GPU is here", "fix": "use one",
    }  # fmt: skip


def test_a_probe_that_cannot_be_imported_ends_with_6(
    ledger: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger import registry

    monkeypatch.setattr(registry, "BUILT_IN", {"lost": "probes.lost:PROBE"})
    assert ledger.json("probe", "run", "lost", expect=6)["code"] == "unavailable"
    rows = ledger("probe", "list", "--json").data["rows"]
    assert "cannot be imported" in next(r["summary"] for r in rows if r["name"] == "lost")


def test_selftest_shows_that_every_instrument_can_fail(
    bare: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bare.json("probe", "selftest", "kernel-table")
    assert all(c["must"] == c["got"] for c in data["kernel-table"])
    assert "ok   " in bare("probe", "selftest", "kernel-table").out
    assert bare.json("probe", "selftest", "nonesuch", expect=4)["code"] == "not-found"
    from ledger import registry
    from ledger.contract import Measurement

    probe = registry.get("kernel-table")
    same = Measurement(result="fine", quantities=())
    monkeypatch.setattr(type(probe), "run", lambda *_: same)
    broken = bare("probe", "selftest", "kernel-table", expect=1)
    assert "FAIL " in broken.out


def test_about_may_not_contradict_what_the_instrument_found(
    ledger: Shell, points: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ledger import registry
    from ledger.contract import Measurement

    probe = registry.get("scaling-fit")
    found = Measurement(result="mixed", quantities=(), about={"attn_implementation": "sdpa"})
    monkeypatch.setattr(type(probe), "run", lambda *_: found)
    words = ("probe", "run", "scaling-fit", points.name, "--about")
    error = ledger.json(*words, "attn_implementation=flash", expect=3)
    assert "but scaling-fit found sdpa" in error["message"]
    assert "attn_implementation.requested" in error["fix"]
