import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline import Ledger
from inline_rules import found, subjects

from ledger.entry import Arm, By, Consult, Recorded
from ledger.rules.restates import SIMILAR, alike, similar, wording

SHARE = "Attention takes 62% of a training step at 2,048 tokens"


@pytest.mark.parametrize(
    "again",
    [
        SHARE,
        "attention takes 62 % of a training step at 2048 tokens.",
        "At 2048 tokens attention takes 62.0% of a training step",
        "Attention takes 62% of one training step at 2,048 tokens",
    ],
)
def test_the_same_numbers_and_nearly_the_same_words_say_the_same(again: str) -> None:
    assert alike(SHARE, [("c-1", again)]) == ["c-1"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SHARE, SHARE.replace("62%", "61%")),
        (SHARE, SHARE.replace("62%", "62")),
        (SHARE, SHARE.replace("62%", "6.2%")),
        (SHARE, SHARE.replace("2,048", "2.048")),
        ("the loss moved by 3 points in all runs", "the loss moved by -3 points in all runs"),
        ("attention is the bottleneck", "attention is not the bottleneck"),
        ("it is the mask that costs time", "it isn't the mask that costs time"),
        (
            "layer_17 takes most of the time of a step here",
            "layer_18 takes most of the time of a step here",
        ),
        ("a step on an H100 is bound by memory", "a step on an H200 is bound by memory"),
        (SHARE, "The optimiser takes 62% of all of it at 2,048 rows"),
    ],
)
def test_other_numbers_names_or_a_denial_do_not(one: str, other: str) -> None:
    assert alike(one, [("c-1", other)]) == alike(other, [("c-1", one)]) == []


def test_four_words_in_five_are_enough_and_less_is_not() -> None:
    words = ["kernels", "of", "this", "layer", "wait", "for", "host", "memory", "most"]
    other = [*words[:-1], "often"]
    assert alike(" ".join(words), [("c-1", " ".join(other))]) == ["c-1"]
    assert alike(" ".join(words[1:]), [("c-1", " ".join(other[1:]))]) == []


SENTENCES = st.lists(st.sampled_from([*"abcdefgh", "1", "2", "not"]), min_size=1, max_size=9)


@settings(max_examples=300, deadline=None)
@given(st.lists(SENTENCES.map(" ".join), max_size=8), st.lists(SENTENCES.map(" ".join), max_size=8))
def test_prefix_filtering_misses_nothing(left: list[str], right: list[str]) -> None:
    one, other = [wording(t) for t in left], [wording(t) for t in right]
    near = similar(one, among=other)
    for a, b in itertools.product(one, other):
        jaccard = len(a.words & b.words) / len(a.words | b.words)
        assert (b in near[a]) == (jaccard >= SIMILAR and a.exact == b.exact)


def test_restates_superseded_gives_what_replaced_it() -> None:
    book = Ledger()
    book.claim("c-1", SHARE)
    book.supersede("s-1", "c-1", "WRONG", replaced_by="it is 21%")
    book.claim("c-2", SHARE)
    book.claim("c-other", SHARE.replace("62", "21"))
    [finding] = found(book, "restates-superseded")
    assert (finding.subject, finding.level) == ("c-2", "warning")
    assert finding.got == "same as c-1 (WRONG)"
    assert finding.expected == "what replaced it: “it is 21%”"
    assert finding.fix == "ledger supersede c-2 --status WRONG --replaced-by TEXT"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [({"seat": "training"}, {}), ({}, {"seat": "training"}), ({"seat": "a"}, {"seat": "b"})],
)
def test_what_was_superseded_is_not_to_be_said_of_another_scope_either(
    earlier: dict[str, str], later: dict[str, str]
) -> None:
    book = Ledger()
    book.claim("c-new", "21%")
    book.claim("c-1", SHARE, about=earlier)
    book.supersede("s-1", "c-1", replaced_by="c-new")
    book.claim("c-2", SHARE, about=later)
    [finding] = found(book, "restates-superseded")
    assert finding.got == "same as c-1 (WRONG), said of another scope"
    assert finding.expected == "what replaced it: c-new"
    assert finding.fix.endswith("--replaced-by c-new")


def test_restates_superseded_spares_replacements_earlier_claims_and_what_is_withdrawn() -> None:
    book = Ledger()
    book.claim("c-0", SHARE)
    book.claim("c-1", SHARE)
    book.claim("c-2", SHARE, about={"seat": "training"})
    book.supersede("s-1", "c-1", "TOO-BROAD", replaced_by="c-2")
    assert subjects(book, "restates-superseded") == []
    book.claim("c-3", SHARE, about={"seat": "training", "run": "1"})
    book.supersede("s-2", "c-2", "TOO-BROAD", replaced_by="c-3")
    assert subjects(book, "restates-superseded") == []
    book.claim("c-4", SHARE)
    assert subjects(book, "restates-superseded") == ["c-4"]
    book.retract("r-4", "c-4")
    assert subjects(book, "restates-superseded") == []
    book.retract("r-s1", "s-1")
    book.retract("r-s2", "s-2")
    assert subjects(book, "restates-superseded") == []


def test_an_echo_of_what_was_superseded_is_reported_in_whatever_words() -> None:
    book = Ledger()
    book.claim("c-1", SHARE)
    book.claim("c-2", "what arm-1 says", echoes=("c-1",), by=By(name="arm-2"))
    assert subjects(book, "restates-superseded") == []
    book.supersede("s-1", "c-1")
    [finding] = found(book, "restates-superseded")
    assert (finding.subject, finding.got) == ("c-2", "echoes c-1 (WRONG)")


def test_a_measured_restatement_questions_the_supersession() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", SHARE)
    book.supersede("s-1", "c-1")
    book.claim("c-2", SHARE, evidence=("e-1",))
    [finding] = found(book, "restates-superseded")
    assert finding.fix.startswith(
        "look at ledger show c-2: if its measurement is right, ledger retract s-1"
    )


@pytest.mark.parametrize(("outcome", "level"), [("supports", "note"), ("refutes", "warning")])
def test_restates_settled(outcome: str, level: str) -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "training"})
    book.claim("c-1", SHARE, about={"seat": "training"})
    book.verdict("v-1", "c-1", "e-1", outcome)
    book.claim("c-2", SHARE, about={"seat": "training"})
    book.claim("c-scope", SHARE, about={"seat": "serving"})
    book.claim("c-open", SHARE)
    book.claim("c-echo", SHARE, about={"seat": "training"}, echoes=("c-1",))
    book.claim("c-number", SHARE.replace("62", "63"), about={"seat": "training"})
    [finding] = found(book, "restates-settled")
    status = "measured" if outcome == "supports" else "refuted"
    assert (finding.subject, finding.level) == ("c-2", level)
    assert f"already {status}: “" in finding.message
    assert finding.got == "same as c-1; what arm-1 had read is not recorded"
    assert finding.fix.startswith("look at ledger show c-1, then ledger retract c-2 --reason TEXT")


def test_a_second_measurement_and_a_provisional_claim_are_no_restatement() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.evidence("e-2")
    book.claim("c-0", SHARE)
    book.claim("c-1", SHARE, evidence=("e-1",))
    book.claim("c-2", SHARE, evidence=("e-2",))
    assert subjects(book, "restates-settled") == []


def test_several_earlier_ones_are_one_finding_and_the_withdrawn_one_outranks() -> None:
    book = Ledger()
    book.evidence("e-1")
    for name in ("c-1", "c-2"):
        book.claim(name, SHARE, evidence=("e-1",))
    book.claim("c-3", SHARE)
    assert subjects(book, "restates-settled") == ["c-3"]
    book.claim("c-0", SHARE)
    book.supersede("s-0", "c-0")
    book.claim("c-4", SHARE)
    assert subjects(book, "restates-settled") == ["c-3"]
    assert subjects(book, "restates-superseded") == ["c-4"]


@pytest.mark.parametrize(
    ("read", "got"),
    [
        (("notes.md", "c-1"), "arm-2 had read it"),
        (("claims/2026-06/01-claim-c-1.json",), "arm-2 had read it"),
        (("notes.md",), "arm-2 had not read it (read: notes.md)"),
        ((), "what arm-2 had read is not recorded"),
    ],
)
def test_restates_settled_says_what_the_arm_had_read(read: tuple[str, ...], got: str) -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", SHARE, evidence=("e-1",))
    arms = (Arm(arm="arm-1", read=("c-1",)), Arm(arm="arm-2", read=read))
    book.put("k-1", Consult(recorded=Recorded(at=""), question="why?", arms=arms))
    book.claim("c-2", SHARE, by=By(name="arm-2"), consult="k-1")
    [finding] = found(book, "restates-settled")
    assert finding.got == f"same as c-1; {got}"
