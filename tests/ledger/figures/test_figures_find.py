import adversarial
import pytest
from command_line import shared
from hypothesis import given
from hypothesis import strategies as st

from ledger.entry import Figure
from ledger.figures import Matcher, Occurrence, find, stated_in, states
from ledger.units import UNITS

HOURS = Figure(value=4.3, unit="h")


def wrong(cases: tuple[adversarial.Case, ...]) -> list[adversarial.Case]:
    return [case for case in cases if states(case.text, case.figure) != case.match]


def test_every_hand_written_case_is_judged_as_labelled() -> None:
    cases = adversarial.cases()
    assert len(cases) > 1000
    assert wrong(cases) == []


def test_the_given_cases_are_judged_as_labelled() -> None:
    cases = adversarial.given(shared())
    assert len(cases) == 60
    assert wrong(cases) == []


def test_a_place_is_the_number_with_its_sign_and_unit() -> None:
    text = "It fell by −0.80 % in 258 min."
    (share,) = find(text, Figure(value=-0.8, unit="%"))
    assert share == Occurrence(
        begin=11, end=18, text="−0.80 %", digits=2, range_end=False,
        figure=Figure(value=-0.8, unit="%"),
    )  # fmt: skip
    (wall,) = find(text, HOURS)
    assert (wall.text, wall.digits) == ("258 min", 3)


def test_both_ends_of_a_range_are_places_and_say_so() -> None:
    figures = (Figure(value=4.0, unit="h"), HOURS, Figure(value=6, unit="h"))
    for text, places in (
        ("4.0–4.3 h", ["4.0", "4.3 h"]),
        ("4.0 to 4.3 h", ["4.0", "4.3 h"]),
        ("between 4.0 and 4.3 h", ["4.0", "4.3 h"]),
        ("4.0 h - 4.3 h", ["4.0 h", "4.3 h"]),
    ):
        found = Matcher(figures).find(text)
        assert [one.text for one in found] == places, text
        assert all(one.range_end for one in found), text
    for text in ("4.3 h, 6 h", "4.3 → 6 h", "4.3 or 6 h", "4.3 h and 6 h"):
        found = Matcher(figures).find(text)
        assert len(found) == 2, text
        assert not any(one.range_end for one in found), text


def test_a_text_of_several_lines_gives_places_in_the_whole_text() -> None:
    text = "# Wall time\r\n- 4.3 h for the first\n- 258 min again\n4.3\nh\n"
    assert [text[one.begin : one.end] for one in find(text, HOURS)] == ["4.3 h", "258 min"]
    assert [one.text for one in find(text, HOURS)] == ["4.3 h", "258 min"]


@pytest.mark.parametrize(
    ("recorded", "written"),
    [(0.125, "0.12"), (0.125, "0.13"), (0.135, "0.13"), (0.135, "0.14")],
)
def test_half_up_and_half_to_even_are_both_a_rounding(recorded: float, written: str) -> None:
    assert states(f"{written}s", Figure(value=recorded, unit="s"))


def test_what_a_statement_states() -> None:
    text = "~4.30 hours and 609 MB; −0.8 % at 1,312 tok/s, five seconds, 1.3k-step, 35.2 s per step"
    assert [(one.value, one.unit) for one in stated_in(text)] == [
        (4.3, "h"), (609, "MB"), (-0.8, "%"), (1312, "tokens/s"), (5, "s"), (1300, "steps"),
        (35.2, "s/step"),
    ]  # fmt: skip
    more = "4.0–4.3 h, 4 h 18 min, 1.7×, 7M params"
    assert [(one.value, one.unit) for one in stated_in(more)] == [
        (4.0, "h"), (4.3, "h"), (258, "min"), (1.7, "x"), (7_000_000, "parameters"),
    ]  # fmt: skip
    assert stated_in("1e999 s, 5e-999 h and 3 s")[-1] == Figure(value=3, unit="s")
    assert stated_in("version 4.3.1 of 2026-01-05, see #609 and sm_120, 50%ile, 609 Mbit") == ()


@given(st.lists(st.sampled_from(adversarial.cases()), min_size=1, max_size=6))
def test_many_figures_at_once_give_what_each_gives_alone(cases: list[adversarial.Case]) -> None:
    figures = list(dict.fromkeys(case.figure for case in cases))
    text = "\n".join(case.text for case in cases)
    together = Matcher(figures).find(text)
    alone = [one for figure in figures for one in find(text, figure)]
    assert sorted(together, key=repr) == sorted(alone, key=repr)
    assert all(text[one.begin : one.end] == one.text for one in together)


def test_every_unit_that_can_be_recorded_is_found_as_recorded() -> None:
    for unit in set(UNITS) - {"1"}:
        figure = Figure(value=12.5, unit=unit)
        assert states(f"12.5 {unit} of it", figure), unit


@given(st.text(), st.sampled_from([case.figure for case in adversarial.cases()]))
def test_in_any_text_a_place_holds_what_it_says(text: str, figure: Figure) -> None:
    for found in find(text, figure):
        assert text[found.begin : found.end] == found.text
        assert any(map(str.isalnum, found.text))
    assert {stated.unit for stated in stated_in(text)} <= UNITS.keys()


@pytest.mark.parametrize(("recorded", "text", "stated"), [
    (9.5, "10 h", False), (0.96, "1.0 h", False), (10.4, "10 h", True), (99.6, "100 h", True),
    (1.07, "1.1 h", True), (10.0, "10 h", True), (9.96, "10.0 h", True),
])  # fmt: skip
def test_a_rounding_keeps_two_digits_of_the_recorded_value(
    recorded: float, text: str, stated: bool
) -> None:
    assert states(text, Figure(value=recorded, unit="h")) == stated
