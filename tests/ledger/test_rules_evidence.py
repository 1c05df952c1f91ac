import pytest
from inline import Ledger, expects
from inline_rules import found, subjects

from ledger.entry import Artifact, ControlResult, GitState, Instrument
from ledger.rules import Facts

TRACE = Artifact(path="trace.json", sha256="ab" * 32, bytes=7)
PASSED = ControlResult(name="no attention", must="fail", got="fail")
FAILED = ControlResult(name="no attention", must="fail", got="pass")


def decided(**evidence: object) -> Ledger:
    """e-1 decides c-1; e-idle, the same but for its id, decides nothing."""
    book = Ledger()
    book.evidence("e-1", 35.0, **evidence)
    book.evidence("e-idle", 35.0, **evidence)
    book.claim("c-1", evidence=("e-1",))
    return book


@pytest.mark.parametrize(
    ("state", "got"),
    [
        (GitState(state="dirty", dirty=(" M a.py", "?? b.py")), " M a.py, ?? b.py"),
        (GitState(state="unknown", reason="git timed out"), "git timed out"),
        (GitState(state="clean"), None),
        (GitState(state="none"), None),
        (None, None),
    ],
)
def test_dirty_tree(state: GitState | None, got: str | None) -> None:
    findings = found(decided(git=state), "dirty-tree")
    assert [(f.subject, f.level, f.got) for f in findings] == (
        [("e-1", "warning", got)] if got else []
    )


def test_dirty_tree_is_of_no_interest_once_the_claim_or_the_evidence_is_withdrawn() -> None:
    for target in ("c-1", "e-1"):
        book = decided(git=GitState(state="dirty", dirty=("a",)))
        book.retract("r-1", target)
        assert subjects(book, "dirty-tree") == []


def test_an_inconclusive_measurement_decides_nothing() -> None:
    book = Ledger()
    book.evidence("e-1", git=GitState(state="dirty"), doubts=("few points",))
    book.claim("c-1")
    book.verdict("v-1", "c-1", "e-1", "inconclusive")
    for slug in ("dirty-tree", "instrument-doubt", "no-negative-control"):
        assert subjects(book, slug) == []


def test_artifacts() -> None:
    book = decided(artifacts=(TRACE,))
    assert found(book, "artifact-missing") == found(book, "artifact-changed") == []
    same = Facts(artifacts={"trace.json": TRACE.sha256})
    assert found(book, "artifact-missing", same) == found(book, "artifact-changed", same) == []
    gone = found(book, "artifact-missing", Facts(artifacts={"trace.json": None}))
    assert [(f.subject, f.level, f.got) for f in gone] == [
        ("e-1", "warning", "no such file"),
        ("e-idle", "warning", "no such file"),
    ]
    changed = found(book, "artifact-changed", Facts(artifacts={"trace.json": "cd" * 32}))
    assert [(f.subject, f.level) for f in changed] == [("e-1", "error"), ("e-idle", "error")]
    assert changed[0].got == "sha256 cdcdcdcdcdcd"
    assert changed[0].expected == "sha256 abababababab, 7 bytes"
    book.retract("r-1", "e-1")
    assert subjects(book, "artifact-missing", Facts(artifacts={"trace.json": None})) == ["e-idle"]


@pytest.mark.parametrize(
    ("controls", "level", "got"),
    [
        ((), "note", "no control was run"),
        ((PASSED,), None, ""),
        ((PASSED, FAILED), "error", "no attention: got pass, must give fail"),
    ],
)
def test_no_negative_control(
    controls: tuple[ControlResult, ...], level: str | None, got: str
) -> None:
    findings = found(decided(controls=controls), "no-negative-control")
    assert [(f.subject, f.level, f.got) for f in findings] == (
        [("e-1", level, got)] if level else []
    )


def test_instrument_doubt() -> None:
    [finding] = found(decided(doubts=("two points", "overlap")), "instrument-doubt")
    assert (finding.subject, finding.level, finding.got) == ("e-1", "note", "two points; overlap")
    assert subjects(decided(), "instrument-doubt") == []


def test_evidence_that_decides_many_claims_names_some_of_them() -> None:
    book = decided(doubts=("two points",))
    for i in range(50):
        book.claim(f"c-x{i:02d}", evidence=("e-1",))
    [finding] = found(book, "instrument-doubt")
    assert finding.message.endswith("it decides c-1, c-x00, c-x01, c-x02, 47 more")


def test_cross_instrument() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2", instrument=Instrument(name="kernel-table", version="1"))
    book.evidence("e-3", instrument=Instrument(name="stopwatch", version="2"))
    book.claim("c-two", evidence=("e-1", "e-2"))
    book.claim("c-same", evidence=("e-1", "e-3"))
    book.claim("c-split", evidence=("e-1",))
    book.verdict("v-1", "c-split", "e-2", "refutes")
    book.claim("c-vague", evidence=("e-1",))
    book.verdict("v-2", "c-vague", "e-2", "inconclusive")
    assert [(f.subject, f.level, f.got) for f in found(book, "cross-instrument")] == [
        ("c-split", "warning", "kernel-table, stopwatch"),
        ("c-two", "note", "kernel-table, stopwatch"),
    ]


def test_verdict_overruled_is_reported_even_when_the_claim_is_refuted_by_it() -> None:
    book = Ledger()
    book.evidence("e-1", 35.0)
    for name, bound in (("c-low", 40), ("c-high", 30)):
        book.claim(name, expects=expects("step", "<=", bound, unit="s"))
        book.verdict(f"v-{name}", name, "e-1", "supports")
    book.claim("c-named", expects=expects("step", "<=", 30, unit="s"), evidence=("e-1",))
    book.claim("c-word")
    book.verdict("v-word", "c-word", "e-1", "refutes")
    [finding] = found(book, "verdict-overruled")
    assert (finding.subject, finding.level) == ("c-high", "warning")
    assert finding.message.startswith("v-c-high says that e-1 supports it")
    assert (finding.got, finding.expected) == (
        "supports",
        "refutes: measured 35 s, expected step <= 30 s",
    )
    assert "ledger retract v-c-high --reason TEXT" in finding.fix
    book.retract("r-1", "e-1")
    assert subjects(book, "verdict-overruled") == []
