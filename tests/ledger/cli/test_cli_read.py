"""`list`, `show`, `search`, `sql`, `prime`: answers on stdout, counts and advice on stderr."""

import json
import re

import pytest
from command_line import DAY, Shell, in_days, tree

from ledger import clock, store
from ledger.entry import By, Claim, ReplacedBy, Supersession, Verdict


@pytest.fixture
def filled(ledger: Shell) -> dict[str, str]:
    measured = ledger.evidence("--about", "seat=training", "--tag", "night")
    claim = ledger.claim("attention grows", "--evidence", measured, "--about", "seat=training")
    open_one = ledger.claim("launches wait", "--about", "seat=serving", "--tag", "night", by="eng")
    gone = ledger.claim("flags decide")
    ledger("supersede", gone, "--status", "NOT A FLAG", "--replaced-by", "kernels decide")
    return {"evidence": measured, "claim": claim, "open": open_one, "gone": gone}


def ids(shell: Shell, *words: str) -> list[str]:
    return [row["id"] for row in shell("list", *words, "--json").data["rows"]]


def test_list_filters(ledger: Shell, filled: dict[str, str]) -> None:
    claim, still_open, gone = filled["claim"], filled["open"], filled["gone"]
    assert ids(ledger) == ids(ledger, "claims") == [claim, still_open, gone]
    assert ids(ledger, "--status", "measured") == [claim]
    assert ids(ledger, "--status", "superseded", "--limit", "0") == [gone]
    assert ids(ledger, "--about", "seat=serving") == [still_open]
    assert ids(ledger, "--about", "seat=") == []
    assert ids(ledger, "--tag", "night") == [still_open]
    assert ids(ledger, "evidence") == ids(ledger, "evidence", "--tag", "night")
    assert ids(ledger, "evidence", "--status", "live") == [filled["evidence"]]
    assert ids(ledger, "consults") == []
    assert ids(ledger, "--limit", "1") == [gone]
    assert ledger("list", "--limit", "1", "--json").data["total"] == 3
    assert "1 of 3; --limit 0 shows all" in ledger("list", "--limit", "1").err
    assert "no consults match" in ledger("list", "consults").err


def test_list_fields(ledger: Shell, filled: dict[str, str]) -> None:
    ran = ledger("list", "--fields", "expires, id,by,about,expects,path", "--json")
    row = ran.data["rows"][1]
    assert list(row) == ["expires", "id", "by", "about", "expects", "path"]
    assert row["about"] == {"seat": "serving"}
    assert row["by"] == "eng"
    assert row["expires"] == in_days(90)
    assert (ledger.root / row["path"]).is_file()
    text = ledger("list", "--fields", "id").out.split()
    assert text == ["id", filled["claim"], filled["open"], filled["gone"]]
    assert ids(ledger, "supersessions")[0].startswith("s-")


def test_the_first_and_the_remembered_list_are_the_same(
    ledger: Shell, filled: dict[str, str]
) -> None:
    assert filled["claim"] in (first := ledger("list").out)
    assert ledger("list").out == first
    for path in (ledger.root / ".ledger").iterdir():
        path.unlink()
    assert ledger("list").out == first


@pytest.mark.parametrize(
    "words",
    [
        ("models",),
        ("--status", "proven"),
        ("evidence", "--status", "measured"),
        ("--fields", "id,secret"),
        ("--fields", ""),
        ("--limit", "-1"),
        ("--limit", "many"),
        ("--about", "seat"),
        ("claims", "evidence"),
    ],
)
def test_a_bad_list_says_what_there_is(ledger: Shell, words: tuple[str, ...]) -> None:
    assert ledger("list", *words, expect=2).out == ""
    assert ledger.json("list", *words, expect=2)["code"] == "bad-input"


def test_one_endless_column_does_not_widen_every_row(ledger: Shell) -> None:
    ledger.claim("x" * 100_000)
    assert max(map(len, ledger("list", "--fields", "statement,id").out.splitlines())) < 120
    assert max(map(len, ledger("list").out.splitlines())) <= 80
    assert len(ledger("list", "--json").data["rows"][0]["statement"]) == 100_000


def test_as_of_answers_what_was_said_then_and_what_will_be(ledger: Shell) -> None:
    claim = ledger.claim()
    assert ids(ledger, "--as-of", "2020-01-01") == []
    assert ids(ledger, "--as-of", in_days(0)) == [claim]
    later = in_days(91)
    assert ids(ledger, "--as-of", later, "--status", "expired") == [claim]
    assert "expired" in ledger("show", claim, "--as-of", later).out
    assert ledger("show", claim, "--as-of", "2020-01-01", expect=4).out == ""
    assert claim in ledger("prime", "--as-of", later).out
    assert "expired-unsettled" in ledger("audit", "--as-of", later, expect=1).out
    assert ledger("audit", "--as-of", "2020-01-01", "--json").data["counts"] == {}
    for command in ("list", "audit", "prime"):
        for day in ("nonsense", "", "2026-13-01", "90d", "2026-1-1"):
            assert "is not a date" in ledger(command, "--as-of", day, expect=2).err
        ledger(command, "--as-of", "9999-12-31", expect=int(command == "audit"))
        ledger(command, "--as-of", "0001-01-01")


def test_another_directory_before_and_after_the_command(ledger: Shell) -> None:
    claim = ledger.claim()
    (ledger.root / "deep").mkdir()
    for words in (
        ("-C", "deep", "list"),
        ("list", "-C", "deep"),
        ("-C", "deep", "list", "-C", ".."),
    ):
        assert claim in ledger(*words).out
    for words in (("-C", "no", "list"), ("list", "-C", "no"), ("-C", "claims/ledger.json", "list")):
        assert "-C" in ledger(*words, expect=2).err
    assert ledger.json("list", "-C", "no", expect=2)["code"] == "bad-input"


def test_show_says_why(ledger: Shell, filled: dict[str, str]) -> None:
    out = ledger("show", filled["claim"]).out
    assert "attention grows" in out
    assert "about seat=training" in out
    assert f"{filled['evidence']} supports, on the recorder's word" in out
    data = ledger("show", filled["claim"], "--json").data
    assert data["statement"] == "attention grows"
    assert data["state"]["carried_by"] == [filled["evidence"]]
    assert data["path"].startswith("claims/")
    decided = ledger("show", filled["evidence"], "--json").data["state"]["decides"]
    assert decided == [{"claim": filled["claim"], "outcome": "supports"}]
    gone = ledger("show", filled["gone"]).out
    assert "NOT A FLAG since" in gone
    assert "kernels decide" in gone
    (supersession,) = ids(ledger, "supersessions")
    assert "status NOT A FLAG" in ledger("show", supersession).out


def test_search_takes_words_never_syntax(ledger: Shell, filled: dict[str, str]) -> None:
    found = ledger("search", "attention", "--json").data
    assert found["rows"][0]["id"] == filled["claim"]
    assert filled["claim"] in ledger("search", "ATTENTION", "gro").out
    for hostile in (
        '"', "'", "*", "attention AND", "NEAR(", "(", "col:x", "-x", "a\0b", "\udc80", "", "^",
        "' OR 1=1 --", "\N{MATHEMATICAL FRAKTUR CAPITAL U}", "x" * 100_000,
    ):  # fmt: skip
        assert ledger("search", "--json", "--", hostile).data["rows"] in ([], found["rows"])
    assert "nothing found" in ledger("search", "unheard").err


def test_sql_reads_and_never_writes(ledger: Shell, filled: dict[str, str]) -> None:
    query = "select status, count(*) as n from claims join status using (id) group by 1 order by 1"
    rows = ledger("sql", query, "--json").data["rows"]
    assert rows[0] == {"status": "measured", "n": 1}
    assert filled["open"] in ledger("sql", "select id from claims").out
    before = tree(ledger.root)
    for query in (
        "delete from claims", "drop table file", "insert into status values (1, 2)",
        "create table x (y)", "attach 'x.db' as x", "pragma user_version = 1", "vacuum into 'x'",
        "select 1; delete from file", "nonsense", "", "select load_extension('x')", "select 'a\0b'",
        "select writefile('x', 'y')", "\udc80", "begin", "--", "select char(55296)",
    ):  # fmt: skip
        error = ledger.json("sql", "--", query, expect=2)
        assert error["code"] == "bad-input", query
    assert tree(ledger.root) == before


def test_sql_values_that_json_has_not(ledger: Shell) -> None:
    query = "select x'00ff' as b, 1e999 as i, -1e999 as m, null as n, 1 as a, 2 as a, 3 as a"
    (row,) = ledger("sql", query, "--json").data["rows"]
    assert row == {"b": "X'00ff'", "i": "Inf", "m": "-Inf", "n": None, "a": 1, "a:1": 2, "a:2": 3}
    assert ledger("sql", "select 1 as a, 2 as a").out.split() == ["a", "a:1", "1", "2"]
    assert "\\u{1b}" in ledger("sql", 'select char(27) as "\x1b"').out
    many = "with recursive n(i) as (select 1 union all select i + 1 from n limit 5) select * from n"
    assert ledger("sql", many, "--limit", "2", "--json").data["total"] == 5


def test_prime_starts_an_agent(ledger: Shell, filled: dict[str, str]) -> None:
    out = ledger("prime").out
    assert "Claims need a linked measurement or an expiry date" in out
    assert f"{filled['open']} until {in_days(90)}: launches wait" in out
    assert f"{filled['gone']} (superseded): flags decide -> kernels decide" in out
    data = ledger("prime", "--json").data
    assert data["counts"] == {"measured": 1, "provisional": 1, "superseded": 1}
    training = ledger("prime", "--about", "seat=training", "--json").data
    assert training["counts"] == {"measured": 1}


def _claim(text: str) -> Claim:
    return Claim(
        recorded=clock.recorded(),
        statement=text,
        by=By(name="arm-1"),
        basis="derivation",
        expires=in_days(90),
        tags=("x" * 200,),
    )


def test_prime_stays_under_a_thousand_tokens_with_200_long_claims(ledger: Shell) -> None:
    measured = ledger.evidence()
    found = store.find(ledger.root)
    for number in range(200):
        text = f"claim {number} says at length " + "that attention dominates the step " * 20
        claim = store.write(found, _claim(text)).id
        at = clock.recorded()
        if number % 4 == 0:
            by = ReplacedBy(text="replaced by something else entirely " * 30)
            entry: Supersession | Verdict = Supersession(
                recorded=at, claim=claim, status="WRONG" * 40, date=clock.today(), replaced_by=by
            )
        else:
            entry = Verdict(
                recorded=at, claim=claim, evidence=measured, outcome="supports", decided="agent"
            )
        if number % 4 < 2:
            store.write(found, entry)
    ledger("retract", measured, "--reason", "the clock was wrong")
    out = ledger("prime").out
    assert re.search(r"\([678] of \d+\)", out)
    assert len(out) / 4 <= 1000
    for words in ((), ("--json",), ("--as-of", in_days(91))):
        assert len(ledger("prime", *words).out) / 4 <= 1000, words


def test_prime_stays_under_a_thousand_tokens_with_text_that_is_all_escapes(ledger: Shell) -> None:
    for number in range(9):
        claim = ledger.claim("\U000e0041" * 200 + str(number))
        if number % 2:
            ledger("supersede", claim, "--status", "WRONG", "--replaced-by", "\u202e" * 200)
    out = ledger("prime").out
    assert len(out) / 4 <= 1000
    assert "of 5)" in out
    assert claim in out or "of 4)" in out


def test_every_command_has_help_with_an_example_and_takes_json(bare: Shell) -> None:
    from ledger.cli.tree import COMMANDS

    paths = [
        (name, *inner)
        for name, lazy in COMMANDS.items()
        for inner in ([()] if isinstance(lazy.target, str) else [(child,) for child in lazy.target])
    ]
    for words in paths:
        out = bare(*words, "--help").out
        typed = words[:1] if words[1:] == (COMMANDS[words[0]].default,) else words
        assert f"Example: ledger {' '.join(typed)}" in " ".join(out.split()), words
        assert ("--json" in out) is (words != ("demo",)), words


def test_usage_errors_and_version(bare: Shell) -> None:
    assert bare("--version").out.startswith("ledger ")
    assert "Usage" in bare(expect=2).err
    assert "Usage" in bare("probe", expect=2).err
    assert "No such command" in bare("lits", expect=2).err
    assert "list" in bare("lits", expect=2).err
    assert "put -- before" in bare("claim", "-5 % idle", expect=2).err
    ran = bare("claim", "--by", "a", "--", "--json", expect=2)
    assert ran.err.startswith("error: "), "a text after -- is no option"
    assert DAY.search(json.dumps(bare.json("audit", "--as-of", "2020-01-01", expect=2))) is None


def test_impact_of_a_part_splits_it_whole(ledger: Shell) -> None:
    profile, run = ledger.evidence("--about", "seat=training"), ledger.evidence(value="step=20.1:s")
    fit = ledger.claim("the fit", "--evidence", profile, "--about", "seat=training", "--tag", "r1")
    ledger.claim("another run's", "--evidence", profile, "--about", "seat=training")
    bucketing = ledger.claim("bucketing", "--evidence", run, "--tag", "r1")
    moved = ledger("rescope", profile, "--about", "seat=serving", "--reason", "the log says so")
    assert "SURVIVES\n  nothing that depended on it\n" in moved.out

    whole = ledger("impact", moved.id)
    assert "nothing that depended on it" in whole.out
    assert bucketing not in whole.out
    part = ledger("impact", moved.id, "--tag", "r1")
    falls, survives = part.out.split("SURVIVES")
    assert fit in falls
    assert "another run's" not in part.out
    assert f"  {bucketing}  bucketing\n    measured: carried by {run}, apart from it" in survives
    data = ledger("impact", moved.id, "--tag", "r1", "--json").data
    assert ([f["claim"] for f in data["falls"]], data["apart"]) == ([fit], [bucketing])
    data = ledger("impact", moved.id, "--about", "seat=training", "--json").data
    assert (len(data["falls"]), data["apart"]) == (2, [])
    assert ledger("impact", moved.id, "--json").data["apart"] == []
