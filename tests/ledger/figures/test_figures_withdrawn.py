from typing import Any

from inline import TODAY, Ledger, expects

from ledger.entry import Figure, Quantity, ReplacedBy
from ledger.figures.withdrawn import Withdrawn, measured, standing, withdrawn
from ledger.fold import fold

HOURS = Figure(value=4.3, unit="h")
CACHE = "The encode cache takes ~4.3 hours to rebuild"


def found(book: Ledger) -> list[Withdrawn]:
    return list(withdrawn(fold(book, as_of=TODAY)))


def figures(book: Ledger) -> list[Figure]:
    return [item.figure for item in found(book)]


def test_a_superseded_claim_gives_what_it_states_and_what_was_recorded_with_it() -> None:
    book = Ledger()
    book.claim("c-1", CACHE, figures=(Figure(value=106, unit="min"), HOURS))
    assert found(book) == []
    book.supersede("s-1", "c-1", replaced_by="145.5 s on 32 workers")
    first, second = found(book)
    assert (first.figure, second.figure) == (Figure(value=106, unit="min"), HOURS)
    assert (first.claim, first.status, first.label) == ("c-1", "superseded", "WRONG")
    assert set(first.words.values()) == {"encode", "cache", "rebuild"}
    assert (first.instead, first.instead_id) == ("145.5 s on 32 workers", None)
    assert Figure(value=145.5, unit="s") in first.replacing


def test_no_other_status_withdraws_a_figure() -> None:
    book = Ledger()
    book.evidence("e-1", 4.3)
    book.claim("c-provisional", CACHE)
    book.claim("c-expired", CACHE, expires="2026-06-01")
    book.claim("c-measured", CACHE, evidence=("e-1",))
    book.claim("c-retracted", CACHE)
    book.supersede("s-0", "c-retracted")
    book.retract("r-1", "c-retracted")
    book.claim("c-again", CACHE)
    book.supersede("s-1", "c-again")
    book.retract("r-2", "s-1")
    assert found(book) == []


def test_what_also_stands_in_the_replacement_is_marked() -> None:
    rows, share = Figure(value=32, unit="rows"), Figure(value=65, unit="%")

    def replaced(**fields: Any) -> list[Figure]:
        book = Ledger()
        book.claim("c-1", "4.3 hours on 32 rows of 65 %")
        book.claim("c-2", "the share is 0.65", figures=(Figure(value=258, unit="min"),))
        book.evidence("e-1", quantities=(Quantity(name="n", value=32, unit="rows"),))
        book.supersede("s-1", "c-1", **fields)
        assert figures(book) == [HOURS, rows, share]
        return [item.figure for item in found(book) if not item.repeated]

    assert replaced() == [HOURS, rows, share]
    assert replaced(replaced_by="258 min; 65 percent") == [rows]
    assert replaced(replaced_by="c-2") == [rows, share]  # 0.65 without a unit is no trace
    assert replaced(replaced_by=ReplacedBy(text="32 rows", claim="c-2")) == [share]
    assert replaced(evidence=("e-1",)) == [HOURS, share]
    assert replaced(replaced_by="c-gone", evidence=("e-gone",)) == [HOURS, rows, share]


def test_a_refuted_claim_names_what_refuted_it() -> None:
    book = Ledger()
    quantities = (
        Quantity(name="share", value=0.652), Quantity(name="step", value=35.2, unit="s"),
        Quantity(name="lost", value=None, unit="s", reason="no trace"),
    )  # fmt: skip
    book.evidence("e-1", quantities=quantities)
    book.claim("c-1", "attention has 14 % of a 35.2 s step", expects=expects("share", "<=", 0.2))
    book.verdict("v-1", "c-1", "e-1", "refutes")
    item, step = found(book)
    assert (step.figure, step.repeated) == (Figure(value=35.2, unit="s"), True)
    assert (item.figure, item.status, item.label) == (
        Figure(value=14, unit="%"), "refuted", None,
    )  # fmt: skip
    assert (item.instead, item.instead_id) == ("share = 0.652", "e-1")
    book.retract("r-1", "e-1")
    assert found(book) == []


def test_units_that_are_not_known_are_no_figures() -> None:
    book = Ledger()
    book.claim("c-1", "ten", figures=(Figure(value=3, unit="parsec"),))
    book.supersede("s-1", "c-1")
    assert found(book) == []


def test_standing_figures_name_their_claims() -> None:
    book = Ledger()
    book.claim("c-1", CACHE)
    book.claim("c-2", "it takes 258 min", figures=(HOURS,))
    book.supersede("s-1", "c-1")
    assert [(item.claim, item.figure) for item in standing(fold(book, as_of=TODAY))] == [
        ("c-2", HOURS), ("c-2", Figure(value=258, unit="min")),
    ]  # fmt: skip


def test_measured_figures_carry_the_date_of_their_measurement() -> None:
    book = Ledger()
    book.evidence("e-1", 145.5, taken_at="2026-08-26T10:00:00Z")
    book.evidence("e-2", 99.0)
    book.claim("c-1", "the cache is rebuilt in 145 s", evidence=("e-1",))
    book.claim("c-2", "the loader waits 99 s", evidence=("e-2",))
    rows = measured(fold(book, as_of=TODAY))
    assert {(m.claim, m.evidence, m.date) for m in rows} == {("c-1", "e-1", "2026-08-26")}
    assert [m.figure.value for m in rows] == [145.5]
    book.supersede("s-1", "c-1")
    assert measured(fold(book, as_of=TODAY)) == ()


def test_only_what_the_claim_is_about_was_measured_for_it() -> None:
    quantities = (
        Quantity(name="step", value=35.2, unit="s"), Quantity(name="share", value=65.2, unit="%"),
        Quantity(name="lost", value=None, unit="s", reason="no trace"),
    )  # fmt: skip

    def about(statement: str, **fields: Any) -> list[Figure]:
        book = Ledger()
        book.evidence("e-1", quantities=quantities, taken_at="2026-08-26")
        book.claim("c-1", statement, evidence=("e-1",), **fields)
        return [item.figure for item in measured(fold(book, as_of=TODAY))]

    step, share = Figure(value=35.2, unit="s"), Figure(value=65.2, unit="%")
    text = "attention has more than 60 % of a 35 s step"
    assert about(text, expects=expects("share", ">=", 60, unit="%")) == [share]
    assert about(text) == [step]
    assert about("attention has 65 % of the step") == [share]
    assert about("attention dominates", figures=(Figure(value=35200, unit="ms"),)) == [step]
    assert about("attention dominates") == []


def test_a_condition_of_the_statement_is_marked_unless_it_was_recorded() -> None:
    tokens = Figure(value=16384, unit="tokens")
    for figures, condition in (((), True), ((tokens,), False)):
        book = Ledger()
        book.claim("c-1", "attention dominates at 16,384 tokens", figures=figures)
        book.supersede("s-1", "c-1")
        [item] = found(book)
        assert (item.figure, item.condition) == (tokens, condition)
