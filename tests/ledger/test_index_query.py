import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import index, store
from ledger.entry import (
    By,
    Claim,
    Consult,
    Evidence,
    Expects,
    Instrument,
    Quantity,
    Recorded,
    ReplacedBy,
    Supersession,
    Verdict,
)
from ledger.errors import LedgerError
from ledger.index import query

THREE = "WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n LIMIT 3) SELECT sum(i) FROM n"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
AT = Recorded(at="2026-01-05T09:30:00.000000Z")


def claim(statement: str, **fields: Any) -> Claim:
    by = By(name="arm-1", role="arm")
    return Claim(recorded=AT, statement=statement, by=by, basis="derivation", **fields)


@pytest.fixture(scope="module")
def ids() -> dict[str, str]:
    return {}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory, ids: dict[str, str]) -> store.Ledger:
    ledger = store.init(tmp_path_factory.mktemp("ledger"))
    evidence = Evidence(
        recorded=AT,
        instrument=Instrument(name="kernel-table", version="1"),
        about={"attn_implementation": "sdpa", "adapter": None},
        quantities=(Quantity(name="attention_share", value=0.62, n=5),),
        result="attention-bound",
    )
    ids["evidence"] = store.write(ledger, evidence).id
    expects = Expects(quantity="attention_share", comparison=">=", value=0.6)
    flex = claim("Flex attention is most of the step", about={"seat": "training"}, expects=expects)
    ids["flex"] = store.write(ledger, flex).id
    ids["café"] = store.write(ledger, claim('The "café" run used a*b - c OR d; 100 % 🙂')).id
    ids["often"] = store.write(ledger, claim("flex flex flex flex")).id
    ids["consult"] = store.write(ledger, Consult(recorded=AT, question="Why slow?")).id
    verdict = Verdict(
        recorded=AT,
        claim=ids["flex"],
        evidence=ids["evidence"],
        outcome="supports",
        decided="expects",
    )
    ids["verdict"] = store.write(ledger, verdict).id
    gone = Supersession(
        recorded=AT,
        claim=ids["flex"],
        status="ALREADY BANKED",
        date="2026-01-06",
        replaced_by=ReplacedBy(text="see a"),
    )
    ids["gone"] = store.write(ledger, gone).id
    return ledger


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("flex attention", ["flex"]),
        ("FLEX", ["often", "flex"]),
        ("fle", ["often", "flex"]),
        ("attention_share", ["flex", "evidence"]),
        ("attention_sh", ["flex", "evidence"]),
        ("attn_implementation", ["evidence"]),
        ("sdpa", ["evidence"]),
        ("kernel-table", ["evidence"]),
        ("why", ["consult"]),
        ("banked", ["gone"]),
        ("cafe", ["café"]),
        ('"café', ["café"]),
        ("a*b", ["café"]),
        ("c OR d", ["café"]),
        ("slow OR", []),
        ("flex -step", ["flex"]),
        ("flex NOT step", []),
        ("100 % 🙂", ["café"]),
        ("nothing like it", []),
        ("statement", []),
        ("", []),
        ("\0", []),
        ("🙂 * ^ () {} : -", []),
    ],
)
def test_words_are_found_as_words(
    ledger: store.Ledger, ids: dict[str, str], text: str, names: list[str]
) -> None:
    found = index.search(ledger, text)
    assert sorted(found) == sorted(ids[name] for name in names)


def test_the_best_comes_first_and_the_limit_holds(
    ledger: store.Ledger, ids: dict[str, str]
) -> None:
    assert index.search(ledger, "flex")[0] == ids["often"]
    assert index.search(ledger, "flex", limit=1) == [ids["often"]]
    assert index.search(ledger, "flex", limit=0) == []


@settings(max_examples=60, deadline=None)
@given(text=st.text() | st.text('"*-()^:{}+ORNEAT\0 a'))
def test_no_text_is_syntax(ledger: store.Ledger, text: str) -> None:
    assert isinstance(index.search(ledger, text), list)


def test_long_questions_and_lone_surrogates_are_harmless(ledger: store.Ledger) -> None:
    assert index.search(ledger, "flex " * 5000) != []
    assert index.search(ledger, "\ud800") == []


def test_what_is_written_or_removed_later_is_found_or_not(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    assert index.search(ledger, "later") == []
    written = store.write(ledger, claim("Later"))
    assert index.search(ledger, "later") == [written.id]
    recorded = index.record(ledger, claim("Much later"))
    assert set(index.search(ledger, "later")) == {written.id, recorded.id}
    path = ledger.root / written.path
    path.write_bytes(path.read_bytes().replace(b"Later", b"Sooner"))
    assert index.search(ledger, "later") == [recorded.id]
    assert index.search(ledger, "sooner") == []
    with closing(sqlite3.connect(ledger.index_path)) as connection:
        check = "INSERT INTO file_fts (file_fts, rank) VALUES ('integrity-check', 1)"
        connection.execute(check)  # raises when full text and table disagree
    (ledger.root / recorded.path).unlink()
    assert index.search(ledger, "later") == []


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("SELECT count(*) FROM claims", [(3,)]),
        ("SELECT statement, by, role FROM claims WHERE id = :flex", None),
        ("SELECT name, value, unit, n FROM quantities", [("attention_share", 0.62, "1", 5)]),
        ("SELECT instrument, result FROM evidence", [("kernel-table", "attention-bound")]),
        ("SELECT outcome FROM verdicts", [("supports",)]),
        ("SELECT status, replaced_by_text FROM supersessions", [("ALREADY BANKED", "see a")]),
        ("SELECT kind, key FROM scopes WHERE value IS NULL", [("evidence", "adapter")]),
        ("SELECT count(*) FROM entries", [(7,)]),
        ("SELECT question FROM consults", [("Why slow?",)]),
        ("SELECT count(*) FROM problems", [(0,)]),
        ("SELECT count(*) FROM file_fts WHERE file_fts MATCH 'flex'", [(2,)]),
        ("SELECT value FROM json_each('[7]')", [(7,)]),
        ("SELECT count(*) FROM json_tree('[7, [8]]')", [(4,)]),
        (THREE, [(6,)]),
    ],
)
def test_the_views_answer(
    ledger: store.Ledger, ids: dict[str, str], select: str, expected: list[tuple[Any, ...]] | None
) -> None:
    if expected is None:
        select = select.replace(":flex", f"'{ids['flex']}'")
        expected = [("Flex attention is most of the step", "arm-1", "arm")]
    assert index.sql(ledger, select).rows == expected


def test_statuses_can_be_joined(ledger: store.Ledger, ids: dict[str, str]) -> None:
    select = "SELECT claims.id, status FROM claims JOIN status USING (id) ORDER BY 1"
    found = index.sql(ledger, select, statuses=[(ids["flex"], "measured")])
    assert found == index.SqlResult(columns=("id", "status"), rows=[(ids["flex"], "measured")])
    assert index.sql(ledger, "SELECT * FROM status").rows == []


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("DELETE FROM file", "not authorized"),
        ("INSERT INTO status VALUES ('a', 'b')", "not authorized"),
        ("UPDATE file SET id = 1", "not authorized"),
        ("DROP TABLE file", "not authorized"),
        ("CREATE TEMP TABLE t (a)", "not authorized"),
        ("ATTACH '/tmp/x' AS x", "not authorized"),
        ("VACUUM INTO '/tmp/x'", "auth"),
        ("PRAGMA query_only = OFF", "not authorized"),
        ("PRAGMA journal_mode = DELETE", "not authorized"),
        ("PRAGMA writable_schema = 1", "not authorized"),
        ("BEGIN", "not authorized"),
        ("INSERT INTO file_fts(file_fts) VALUES ('delete-all')", "not authorized"),
        ("SELECT load_extension('x')", "not authorized"),
        ("SELECT 1; SELECT 2", "one statement at a time"),
        ("SELEKT", 'near "SELEKT": syntax error'),
        ("SELECT x FROM claims", "no such column: x"),
        ("SELECT ?", "bindings"),
        ("SELECT '\0'", "null character"),
        ("SELECT '\ud800'", "surrogates"),
        ("", "not a query"),
        ("-- nothing", "not a query"),
    ],
)
def test_nothing_but_a_question_is_answered(
    ledger: store.Ledger, statement: str, message: str
) -> None:
    before = store.read_all(ledger)
    with pytest.raises(LedgerError) as caught:
        index.sql(ledger, statement)
    assert caught.value.code == "bad-input"
    assert message in caught.value.message
    assert index.load(ledger) == before
    assert index.sql(ledger, "SELECT count(*) FROM entries").rows == [(7,)]


def test_a_query_without_end_is_stopped(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(query, "SECONDS", 0.05)
    with pytest.raises(LedgerError, match=r"took longer than 0\.05 s"):
        index.sql(ledger, ENDLESS)


def test_the_copy_in_memory_is_guarded_too(
    ledger: store.Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unusable(_: store.Ledger) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("ledger.index.table.connect", unusable)
    assert index.sql(ledger, "SELECT count(*) FROM entries").rows == [(7,)]
    assert len(index.search(ledger, "flex")) == 2
    with pytest.raises(LedgerError, match="not authorized"):
        index.sql(ledger, "DELETE FROM file")
