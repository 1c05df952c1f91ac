from typing import Any

import pytest
from inline import LATER, Ledger
from inline_rules import found, subjects

from ledger.entry import Instrument

KERNELS = Instrument(name="kernel-table", version="1", decisive=("seat", "attn"))


def test_broader_than_measured_gives_the_keys_that_the_claim_leaves_open() -> None:
    book = Ledger()
    about: dict[str, Any] = {"seat": "training", "attn": "flex attention", "run": "1"}
    book.evidence("e-1", instrument=KERNELS, about=about)
    book.claim("c-open", "attention is 62%", about={"run": "1"}, evidence=("e-1",))
    book.claim("c-half", about={"seat": "training"}, evidence=("e-1",))
    book.claim("c-full", about={k: about[k] for k in ("seat", "attn")}, evidence=("e-1",))
    first, second = sorted(found(book, "broader-than-measured"), key=lambda f: f.subject)
    assert (first.subject, first.level) == ("c-half", "warning")
    assert first.got == "states no attn; e-1 measured attn=flex attention"
    assert (second.subject, second.expected) == (
        "c-open",
        "a claim about seat=training attn=flex attention",
    )
    assert second.fix == (
        "say it of what was measured, "
        "ledger claim TEXT --by arm-1 --about run=1 --about seat=training "
        "--about 'attn=flex attention' --evidence e-1, "
        "then ledger supersede c-open --status TOO-BROAD --replaced-by its id"
    )


def test_broader_than_measured_is_one_finding_for_a_claim() -> None:
    book = Ledger()
    book.evidence("e-1", instrument=KERNELS, about={"seat": "training"})
    book.evidence("e-2", instrument=KERNELS, about={"seat": "serving"})
    book.claim("c-1", evidence=("e-1", "e-2"))
    [finding] = found(book, "broader-than-measured")
    assert finding.got == "states no seat; e-1 measured seat=training; e-2 measured seat=serving"


def test_only_a_measurement_that_decides_can_be_narrower_than_the_claim() -> None:
    book = Ledger()
    about: dict[str, Any] = {"seat": "training", "attn": None}
    book.evidence("e-1", instrument=KERNELS, about=about)
    book.evidence("e-plain", about=about)
    book.claim("c-1")
    book.verdict("v-1", "c-1", "e-1", "inconclusive")
    book.claim("c-2", evidence=("e-plain",))
    book.claim("c-3", evidence=("e-1",))
    book.supersede("s-1", "c-3")
    assert subjects(book, "broader-than-measured") == []


@pytest.mark.parametrize(
    ("claim", "evidence", "got"),
    [
        ({"seat": "a"}, {"seat": "b"}, "seat: claim a, evidence b"),
        ({"seat": "a"}, {}, "seat: claim a, evidence does not state it"),
        ({"adapter": None}, {"adapter": "x"}, "adapter: claim (none), evidence x"),
        (
            {"attn": "flex"},
            {"attn.requested": "flex"},
            "attn: claim flex, evidence does not state it (only attn.requested)",
        ),
    ],
)
def test_scope_mismatch_names_key_and_both_values(
    claim: dict[str, str | None], evidence: dict[str, str | None], got: str
) -> None:
    book = Ledger()
    book.evidence("e-1", about=evidence)
    book.claim("c-1", "so it is", about=claim, expires=LATER)
    book.verdict("v-1", "c-1", "e-1", "supports")
    [finding] = found(book, "scope-mismatch")
    assert (finding.subject, finding.level, finding.got) == ("c-1", "error", got)
    [(key, value)] = claim.items()
    assert finding.expected == f"a measurement that states {key}={value or '(none)'}"
    assert f"ledger rescope e-1 --about {key}={value or ''} --reason TEXT" in finding.fix
    assert finding.message.endswith("the claim is about: “so it is”")


def test_scope_mismatch_is_a_warning_where_another_measurement_carries_the_claim() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "a"})
    book.evidence("e-2", about={"seat": "a"})
    book.claim("c-1", about={"seat": "a"}, evidence=("e-1", "e-2"))
    assert subjects(book, "scope-mismatch") == []
    book.rescope("o-1", "e-2", seat="b")
    [finding] = found(book, "scope-mismatch")
    assert finding.level == "warning"
    book.retract("r-1", "e-2")
    assert subjects(book, "scope-mismatch") == []


def test_what_was_rescoped_is_not_to_be_rescoped_back() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "training", "host": "a"})
    book.claim("c-1", about={"seat": "training", "host": "b"}, expires=LATER)
    book.verdict("v-1", "c-1", "e-1", "supports")
    [finding] = found(book, "scope-mismatch")
    assert "ledger rescope e-1 --about host=b" in finding.fix
    book.rescope("o-1", "e-1", host="c")
    [finding] = found(book, "scope-mismatch")
    assert finding.fix == (
        "measure again on host=b and ledger settle c-1 EVIDENCE --supports | --refutes, "
        "or ledger supersede c-1 --status WRONG --replaced-by TEXT"
    )
    book.retract("r-1", "o-1")
    book.rescope("o-2", "e-1", seat="training")
    [finding] = found(book, "scope-mismatch")
    assert "ledger rescope e-1 --about host=b" in finding.fix


def test_a_derivation_from_another_scope_is_a_warning() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "b"})
    book.evidence("e-open")
    book.claim("c-1", about={"seat": "a"}, rests_on=(("e-1", "e-open"),))
    [finding] = found(book, "scope-mismatch")
    assert (finding.level, finding.got) == ("warning", "seat: claim a, evidence b")
    book.evidence("e-own", about={"seat": "a"})
    book.verdict("v-1", "c-1", "e-own", "supports")
    assert subjects(book, "scope-mismatch") == []


def test_scope_unstated_and_requested_not_resolved_share_no_key() -> None:
    book = Ledger()
    book.evidence("e-1", instrument=KERNELS, about={"attn.requested": "flex"})
    book.evidence("e-2", instrument=KERNELS, about={"seat": "a", "attn": None})
    book.evidence("e-3", about={"attn.requested": "flex", "attn": "sdpa"})
    book.evidence("e-4", instrument=KERNELS)
    book.retract("r-1", "e-4")
    [unstated] = found(book, "scope-unstated")
    assert (unstated.subject, unstated.level) == ("e-1", "note")
    assert unstated.got == "not stated: seat"
    assert unstated.fix == "ledger rescope e-1 --about seat=VALUE --reason TEXT"
    [requested] = found(book, "requested-not-resolved")
    assert (requested.subject, requested.level) == ("e-1", "warning")
    assert requested.got == "attn.requested=flex, no attn"
    assert requested.fix == "ledger rescope e-1 --about attn=VALUE --reason TEXT"
    book.rescope("o-1", "e-1", attn="sdpa", seat="a")
    assert subjects(book, "scope-unstated") == []
    assert subjects(book, "requested-not-resolved") == []
