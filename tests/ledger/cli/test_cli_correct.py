"""Corrections: what falls, what survives, and that a dry run writes nothing."""

import pytest
from command_line import Shell, in_days, tree


@pytest.fixture
def loop(ledger: Shell) -> dict[str, str]:
    """Evidence `one` and `two`; `low` measured by one, `high` derived from it, `both` from either.

    one -> low -> high -> top;  two -> other;  both rests on low or on other.
    """
    one = ledger.evidence("--about", "seat=training", value="idle_share=0.7")
    two = ledger.evidence("--about", "seat=training", value="floor=4096:tokens")
    low = ledger.claim("idle", "--evidence", one, "--about", "seat=training",
                       "--expects", "idle_share > 0.5")  # fmt: skip
    other = ledger.claim("floor", "--evidence", two, "--about", "seat=training")
    high = ledger.claim("graphs first", "--rests-on", low)
    top = ledger.claim("no new kernel", "--rests-on", high)
    both = ledger.claim("launch-bound", "--rests-on", low, "--rests-on", other)
    return {
        "one": one, "two": two, "low": low, "other": other, "high": high, "top": top, "both": both
    }  # fmt: skip


def falls(data: dict[str, list[dict[str, str]]]) -> set[str]:
    return {row["claim"] for row in data["falls"]}


def test_impact_splits_what_falls_from_what_survives(ledger: Shell, loop: dict[str, str]) -> None:
    data = ledger("impact", loop["one"], "--json").data
    assert falls(data) == {loop["low"], loop["high"], loop["top"]}
    path = next(row["path"] for row in data["falls"] if row["claim"] == loop["top"])
    assert path == [loop["one"], loop["low"], loop["high"], loop["top"]]
    (left,) = data["survives"]
    assert (left["claim"], left["carried_by"]) == (loop["both"], [loop["two"]])
    assert set(data["direction_unknown"]) == falls(data)
    out = ledger("impact", loop["one"]).out
    assert out.index("FALLS") < out.index(loop["low"]) < out.index("SURVIVES")
    assert f"carried by {loop['two']}" in out
    assert "Direction unknown" in out
    assert "no claim depends" in ledger("impact", loop["top"]).out


@pytest.mark.parametrize("dry", [True, False])
def test_retracting_evidence(ledger: Shell, loop: dict[str, str], dry: bool) -> None:
    before = tree(ledger.root)
    words = ("retract", loop["one"], "--reason", "the profiler counted twice")
    data = ledger.json(*words, *(["--dry-run"] if dry else []))
    assert data["recorded"] is not dry
    assert falls(data["impact"]) == {loop["low"], loop["high"], loop["top"]}
    assert [row["carried_by"] for row in data["impact"]["survives"]] == [[loop["two"]]]
    assert (tree(ledger.root) == before) is dry
    assert ledger.status(loop["top"]) == ("derived" if dry else "fallen")
    assert ledger.status(loop["both"]) == "derived"


def test_a_retraction_can_itself_be_taken_back(ledger: Shell, loop: dict[str, str]) -> None:
    gone = ledger("retract", loop["one"], "--reason", "wrong run")
    assert "FALLS" in gone.out
    assert "SURVIVES" in gone.out
    back = ledger("retract", gone.id, "--reason", "it was the right run")
    assert "COMES IN" in back.out
    assert ledger.status(loop["top"]) == "derived"


@pytest.mark.parametrize("dry", [True, False])
def test_rescoping(ledger: Shell, loop: dict[str, str], dry: bool) -> None:
    before = tree(ledger.root)
    words = ("rescope", loop["one"], "--about", "seat=serving", "--reason", "read from the log")
    ran = ledger(*words, *(["--dry-run"] if dry else []))
    assert ("not recorded (dry run)" in ran.out) is dry
    assert f"fallen: {loop['one']} -> {loop['low']} -> {loop['high']}" in ran.out
    assert f"derived: carried by {loop['two']}" in ran.out
    assert (tree(ledger.root) == before) is dry
    if not dry:
        assert "seat: claim training, evidence serving" in ledger("show", loop["low"]).out
        assert "already recorded" in ledger(*words).out
        again = ledger(*words[:-1], "another reason")
        assert "already says so: nothing is recorded" in again.err
        assert ledger("list", "rescopes", "--json").data["total"] == 1
        undone = ledger("rescope", loop["one"], "--about", "seat=training", "--reason", "no")
        assert "COMES IN" in undone.out


def test_a_key_that_turns_out_unknown_no_longer_matches(
    ledger: Shell, loop: dict[str, str]
) -> None:
    words = ("rescope", loop["one"], "--unstated", "seat", "--reason", "the log is lost")
    data = ledger.json(*words, "--evidence", loop["two"])
    assert loop["low"] in falls(data["impact"])
    assert ledger("show", loop["one"], "--json").data["state"]["about"] == {}
    assert ledger("rescope", loop["one"], "--reason", "r", expect=2).out == ""
    both = ("rescope", loop["one"], "--reason", "r", "--about", "k=v", "--unstated", "k")
    assert "both stated and unstated" in ledger(*both, expect=2).err


def test_superseding_by_a_text_and_by_a_claim(ledger: Shell, loop: dict[str, str]) -> None:
    ran = ledger("supersede", loop["low"], "--status", "WRONG", "--replaced-by", loop["other"][:9],
                 "--evidence", loop["one"], "--date", "2026-08-24")  # fmt: skip
    entry = ledger.entry(ran.id)
    assert entry["replaced_by"] == {"claim": loop["other"]}
    assert entry["date"] == "2026-08-24"
    falling = ran.out.split("FALLS")[1].split("SURVIVES")[0]
    assert loop["high"] in falling
    assert f"  {loop['low']}  " not in falling  # what it is now stands above
    assert ran.out.count(f"{loop['low']}  idle") == 1
    assert ledger.status(loop["low"]) == "superseded"
    assert "replaced by" in ledger("show", loop["low"]).out
    text = ledger("supersede", loop["top"], "--status", "ANY SHORT TEXT", "--replaced-by", "22 s")
    assert ledger.entry(text.id)["replaced_by"] == {"text": "22 s"}
    bare = ledger("supersede", loop["both"], "--status", "REMOVED")
    assert "replaced_by" not in ledger.entry(bare.id)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--status", ""), 2),
        (("--status", "WRONG", "--replaced-by", ""), 2),
        (("--status", "WRONG", "--replaced-by", " "), 2),
        (("--status", "WRONG", "--date", ""), 2),
        (("--status", "WRONG", "--date", "yesterday"), 2),
        (("--status", "WRONG", "--replaced-by", "c-0000"), 4),
        (("--status", "WRONG", "--evidence", "e-0000"), 4),
        ((), 2),
    ],
)
def test_a_bad_supersession(ledger: Shell, words: tuple[str, ...], code: int) -> None:
    claim = ledger.claim()
    assert ledger("supersede", claim, *words, expect=code).out == ""
    own = ("supersede", claim, "--status", "WRONG", "--replaced-by", claim)
    assert "cannot replace itself" in ledger(*own, expect=2).err


def test_renewing(ledger: Shell) -> None:
    claim = ledger.claim()
    ran = ledger("renew", claim, "--expires", "120d", "--reason", "the card is free then")
    assert in_days(120) in ran.out
    assert ledger("show", claim, "--json").data["state"]["expires"] == in_days(120)
    assert (
        "already lasts" in ledger("renew", claim, "--expires", "9d", "--reason", "r", expect=2).err
    )
    assert ledger("renew", claim, "--expires", "2020-01-01", "--reason", "r", expect=2).out == ""
    assert ledger("renew", claim, "--expires", "200d", "--reason", "", expect=2).out == ""
    ledger("supersede", claim, "--status", "WRONG")
    error = ledger.json("renew", claim, "--expires", "200d", "--reason", "r", expect=3)
    assert "is superseded" in error["message"]


def test_renewing_takes_nothing_away(ledger: Shell, loop: dict[str, str]) -> None:
    ledger("retract", loop["one"], "--reason", "the clock was wrong")
    assert ledger.status(loop["low"]) == "fallen"
    ran = ledger("renew", loop["low"], "--expires", "200d", "--reason", "it is measured again")
    assert "fallen" in ran.out
    assert "SURVIVES" not in ran.out
    assert loop["both"] not in ran.out


def test_retracting_a_claim_needs_a_reason(ledger: Shell) -> None:
    claim = ledger.claim()
    assert "--reason" in ledger("retract", claim, expect=2).err
    assert ledger("retract", claim, "--reason", " ", expect=2).out == ""
    ledger("retract", claim, "--reason", "I was wrong", "--by", "arm-1")
    assert ledger.status(claim) == "retracted"


def test_a_key_in_a_correction_is_refused(ledger: Shell) -> None:
    claim, run = ledger.claim("c"), ledger.evidence()
    key = "the token was hf_" + "aB3" * 12
    for words in (
        ("supersede", claim, "--status", "WRONG", "--replaced-by", key),
        ("retract", run, "--reason", key),
        ("rescope", run, "--about", "seat=serving", "--reason", key),
    ):
        assert "entries are kept for ever" in ledger(*words, expect=3).err
