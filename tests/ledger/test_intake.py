import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger import canonical
from ledger.codec import encode
from ledger.entry import Claim, Evidence
from ledger.errors import LedgerError
from ledger.intake import check, validate

AT = {"at": "2026-01-05T09:30:00.000000Z", "host": "node-1", "user": "me"}
ARTIFACT = {"path": "trace.json.gz", "sha256": "ab" * 32, "bytes": 10}
C, E, K = "c-0123456789ab", "e-0123456789ab", "k-0123456789ab"
CLAIM = {
    "kind": "claim",
    "statement": "Attention is most of the step.",
    "by": {"name": "arm-1", "role": "arm"},
    "basis": "measurement",
    "consult": K,
    "about": {"seat": "training", "adapter": None},
    "evidence": [E],
    "rests_on": [[C, E], [C]],
    "expects": {"quantity": "attention_share", "comparison": ">=", "value": 0.6, "unit": "%"},
    "expires": "2028-02-29",
    "figures": [{"value": 62, "unit": "%"}],
    "recorded": AT,
}
EVIDENCE = {
    "kind": "evidence",
    "instrument": {"name": "kernel-table", "version": "1", "decisive": ["seat"]},
    "about": {"seat": "training"},
    "quantities": [
        {"name": "step", "value": 35.2, "unit": "s", "n": 5, "low": 35, "high": 36},
        {"name": "recall", "value": None, "reason": "no labels"},
    ],
    "artifacts": [ARTIFACT],
    "environment": {"torch": "2.13.0", "gpus": [1, {"name": "H200"}]},
    "git": {"state": "dirty", "dirty": ["?? a"]},
    "recorded": AT,
}
VALID: list[dict[str, Any]] = [
    CLAIM,
    EVIDENCE,
    {
        "kind": "consult",
        "question": "Why is it slow?",
        "arms": [{"arm": "a", "read": ["x.md"], "answer": ARTIFACT}],
        "recorded": AT,
    },
    {
        "kind": "verdict",
        "claim": C,
        "evidence": E,
        "outcome": "refutes",
        "decided": "expects",
        "recorded": AT,
    },
    {
        "kind": "supersession",
        "claim": C,
        "status": "WRONG",
        "date": "2026-01-05",
        "replaced_by": {"claim": C},
        "recorded": AT,
    },
    {"kind": "retraction", "target": K, "reason": "wrong run", "recorded": AT},
    {"kind": "rescope", "evidence": E, "about": {"a": "b"}, "reason": "typo", "recorded": AT},
    {"kind": "renewal", "claim": C, "expires": "2027-01-31", "reason": "busy", "recorded": AT},
    {
        "kind": "note",
        "artifact": ARTIFACT,
        "fields": [{"pointer": "/a", "status": "wrong", "reason": "unit", "recorded": [1, 2]}],
        "rechecked": [{"pointer": "/b", "evidence": E}],
        "recorded": AT,
    },
]


def changed(data: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """The data with one field set; `path` as in messages, such as `quantities.0.n`."""
    copy = json.loads(json.dumps(data))
    *way, last = path.split(".")
    here = copy
    for step in way:
        here = here[int(step) if step.isdigit() else step]
    here[int(last) if last.isdigit() else last] = value
    return copy  # type: ignore[no-any-return]


@pytest.mark.parametrize("data", VALID, ids=lambda data: data["kind"])
def test_every_kind_comes_back_as_it_was(data: dict[str, Any]) -> None:
    read = canonical.parse(json.dumps(data))
    assert canonical.canonical(encode(validate(read, where="x"))) == canonical.canonical(read)


def test_digits_are_kept_as_written() -> None:
    text = json.dumps(EVIDENCE).replace("35.2,", "35.20,")
    entry = validate(canonical.parse(text), where="x")
    assert isinstance(entry, Evidence)
    value = entry.quantities[0].value
    assert isinstance(value, canonical.Number)
    assert value.text == "35.20"


FLAWS = [
    (CLAIM, "kind", "clam", "kind 'clam'", "claim"),
    (CLAIM, "kind", ["claim"], "kind ['claim']", "claim"),
    (CLAIM, "statement", 3, "statement: got 3, expected text", ""),
    (CLAIM, "statement", " \n", "statement", "some text"),
    (CLAIM, "statement", "a\ud800", "lone surrogate", "Unicode"),
    (CLAIM, "statement", "x" * 1_000_001, "1,000,001 characters", "at most 1,000,000"),
    (CLAIM, "basis", "guess", "got 'guess', expected 'measurement'", "derivation"),
    (CLAIM, "by.rol", "arm", "by.rol: got an unknown key", "role"),
    (CLAIM, "surprise\n", 1, "surprise\\n: got an unknown key", "statement"),
    (CLAIM, "expires", "2027-02-29", "expires: got '2027-02-29'", "real date"),
    (CLAIM, "expires", "2027-1-31", "expires", "YYYY-MM-DD"),
    (CLAIM, "expires", "2027-01-31T00:00", "expires", "YYYY-MM-DD"),
    (CLAIM, "consult", C, "consult: got 'c-0123456789ab'", "k-"),
    (CLAIM, "evidence", [C], "evidence[0]", "e-"),
    (CLAIM, "evidence", E, "evidence: got", "a list"),
    (CLAIM, "evidence", ["e-0123456789AB"], "evidence[0]", "12 hex"),
    (CLAIM, "rests_on", [[K]], "rests_on[0][0]", "c- or e-"),
    (CLAIM, "rests_on", [C], "rests_on[0]", "a list"),
    (CLAIM, "echoes", [E], "echoes[0]", "c-"),
    (CLAIM, "about", {"a b": "c"}, "the key 'a b'", "spaces"),
    (CLAIM, "about", {"": "c"}, "the key ''", "spaces"),
    (CLAIM, "about", {"a=": "c"}, "the key 'a='", "="),
    (CLAIM, "about", {"a\x1f": "c"}, "the key", "control"),
    (CLAIM, "about", {"a": 1}, "about.a: got 1, expected text", ""),
    (CLAIM, "expects.value", True, "expects.value: got True", "a number or"),
    (CLAIM, "expects.value", "fast", "expects.value: got 'fast'", "a number"),
    (CLAIM, "expects.comparison", "in", "expects.high", "upper bound"),
    (CLAIM, "expects.unit", "parsec", "expects.unit: got 'parsec'", "known unit"),
    (CLAIM, "figures", [{"value": 1, "unit": "parsec"}], "figures[0].unit", "known unit"),
    (CLAIM, "recorded.at", "2026-01-05T09:30:00Z", "recorded.at", "microseconds"),
    (CLAIM, "recorded.at", "2026-13-05T09:30:00.000000Z", "recorded.at", "UTC"),
    (CLAIM, "recorded.at", "../../x", "recorded.at", "UTC"),
    (EVIDENCE, "quantities.0.n", "3", "quantities[0].n: got '3'", "a whole number"),
    (EVIDENCE, "quantities.0.n", 0, "quantities[0].n", "at least 1"),
    (EVIDENCE, "quantities.0.n", True, "quantities[0].n: got True", "a whole number"),
    (EVIDENCE, "quantities.0.value", "35.2", "quantities[0].value: got '35.2'", "a number"),
    (EVIDENCE, "quantities.0.value", 34, "got 35, 34, 36", "low <= value <= high"),
    (EVIDENCE, "quantities.0.low", 37, "got 37, ", "low <= value <= high"),
    (EVIDENCE, "quantities.0.unit", "sec", "quantities[0].unit", "known unit"),
    (EVIDENCE, "quantities.1.reason", " ", "quantities[1].reason", "a reason"),
    (EVIDENCE, "quantities.0", 7, "quantities[0]: got 7", "an object"),
    (EVIDENCE, "artifacts.0.bytes", -1, "artifacts[0].bytes", "size"),
    (EVIDENCE, "artifacts.0.sha256", "AB" * 32, "artifacts[0].sha256", "64 lower-case"),
    (EVIDENCE, "quantities.0.value", float("nan"), "JSON", ""),
    (VALID[3], "evidence", C, "evidence: got 'c-", "e-"),
    (VALID[4], "status", "", "status", "some text"),
    (VALID[4], "date", "today", "date", "real date"),
    (VALID[4], "replaced_by", {"claim": E}, "replaced_by.claim", "c-"),
    (VALID[5], "target", "x-0123456789ab", "target", "12 hex"),
    (VALID[5], "reason", "", "reason", "some text"),
    (VALID[6], "evidence", C, "evidence", "e-"),
    (VALID[7], "expires", "soon", "expires", "real date"),
    (VALID[8], "fields.0.pointer", "a", "fields[0].pointer", "pointer"),
    (VALID[8], "rechecked.0.evidence", C, "rechecked[0].evidence", "e-"),
]


@pytest.mark.parametrize(("data", "path", "value", "got", "expected"), FLAWS)
def test_a_flaw_is_named_in_one_line_with_field_got_and_expected(
    data: dict[str, Any], path: str, value: object, got: str, expected: str
) -> None:
    with pytest.raises(LedgerError) as caught:
        validate(changed(data, path, value), where="panel.json")
    error = caught.value
    assert error.code == "bad-input"
    assert error.message.startswith("panel.json")
    assert got in error.message
    assert expected in error.message + error.fix
    assert error.message.isprintable()
    assert len(error.message) < 400
    assert error.fix


@pytest.mark.parametrize("data", VALID, ids=lambda data: data["kind"])
def test_a_missing_field_is_named(data: dict[str, Any]) -> None:
    without = {key: value for key, value in data.items() if key != "recorded"}
    with pytest.raises(LedgerError, match="recorded: got nothing"):
        validate(without, where="x")


def test_a_nested_missing_field_is_named_with_its_place() -> None:
    with pytest.raises(LedgerError, match=r"x: by\.name: got nothing"):
        validate({**CLAIM, "by": {}}, where="x")


@pytest.mark.parametrize("data", [None, [], "claim", 3, {}, {"kind": None}])
def test_what_is_no_entry_at_all_is_refused(data: object) -> None:
    with pytest.raises(LedgerError, match="expected an entry of kind consult, claim"):
        validate(data, where="x")


def test_deep_nesting_is_refused_rather_than_crashing() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(LedgerError, match="nested too deeply"):
        validate({**EVIDENCE, "environment": {"a": deep}}, where="x")


def test_a_long_answer_is_accepted() -> None:
    text = "ß" * 100_000
    entry = validate({**CLAIM, "statement": text}, where="x")
    assert isinstance(entry, Claim)
    assert entry.statement == text


def test_an_entry_of_the_program_itself_is_checked_too() -> None:
    entry = validate(CLAIM, where="x")
    assert isinstance(entry, Claim)
    check(entry, where="x")
    with pytest.raises(LedgerError, match="expires"):
        check(replace(entry, expires="never"), where="x")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({key for data in VALID for key in data})


@settings(max_examples=200, deadline=None)
@given(
    data=st.sampled_from(VALID),
    extra=st.dictionaries(st.sampled_from(FIELDS), JSON, min_size=1, max_size=2),
)
def test_any_json_is_an_entry_or_one_clear_line(
    data: dict[str, Any], extra: dict[str, Any]
) -> None:
    found: Any = None
    try:
        found = validate({**data, **extra}, where="x")
    except LedgerError as error:
        found = error
    if isinstance(found, LedgerError):
        assert found.code == "bad-input"
        assert found.message.isprintable()
    else:
        assert validate(encode(found), where="x") == found


@pytest.mark.shared
def test_real_consult_texts_are_accepted(shared_texts: list[str]) -> None:
    for text in shared_texts:
        entry = validate({**CLAIM, "statement": text}, where="x")
        assert isinstance(entry, Claim)
        assert entry.statement == text


@pytest.fixture
def shared_texts() -> list[str]:
    import os

    default = Path(__file__).resolve().parents[2].parent / "shared"
    folder = Path(os.environ.get("LEDGER_SHARED", default)) / "data"
    files = [*folder.glob("consults/*.json*"), *folder.glob("markdown/**/*.md")]
    if not files:
        pytest.skip("the shared data are not here")
    return [text for file in files if (text := file.read_text(errors="replace")).strip()]
