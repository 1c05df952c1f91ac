import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline import Ledger

from ledger import canonical, units
from ledger.entry import Evidence, Expects, Instrument, Quantity, Recorded
from ledger.errors import LedgerError
from ledger.expects import UNDECIDED, judge, parse, text_of

NUMBERS = st.from_regex(r"-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,6})?", fullmatch=True)
EXPONENTS = st.from_regex(r"-?[1-9](\.[0-9]{1,4})?[eE][+-]?[0-9]{1,2}", fullmatch=True)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_./-]{0,12}", fullmatch=True).filter(
    lambda name: name != "result"
)
UNITS = st.sampled_from(sorted(units.UNITS))


def evidence(*quantities: Quantity, result: str | None = None) -> Evidence:
    return Evidence(
        recorded=Recorded(at=""),
        instrument=Instrument(name="stopwatch", version="1"),
        quantities=quantities,
        result=result,
    )


def step(value: Any, unit: str = "s", **more: Any) -> Evidence:
    return evidence(Quantity(name="step", value=value, unit=unit, **more))


@settings(max_examples=400, deadline=None)
@given(
    NAMES,
    st.sampled_from([">=", "<=", ">", "<", "==", "!="]),
    NUMBERS | EXPONENTS,
    UNITS,
    st.sampled_from(["", " ", "\t"]),
)
def test_a_comparison_reads_and_writes_the_same(
    name: str, comparison: str, value: str, unit: str, space: str
) -> None:
    found = parse(f"{space}{name}{space}{comparison}{space}{value} {unit}{space}")
    assert (found.quantity, found.comparison, found.unit, found.high) == (
        name,
        comparison,
        unit,
        None,
    )
    assert canonical.canonical(found.value) == value.encode()
    assert parse(text_of(found)) == found
    assert text_of(parse(text_of(found))) == text_of(found)


@settings(max_examples=300, deadline=None)
@given(NAMES, NUMBERS, NUMBERS, UNITS, st.sampled_from(["..", " .. "]))
def test_a_range_reads_and_writes_the_same(
    name: str, one: str, other: str, unit: str, dots: str
) -> None:
    low, high = sorted((one, other), key=Fraction)
    found = parse(f"{name} in {low}{dots}{high} {unit}")
    assert found.high is not None
    assert canonical.canonical([found.value, found.high]) == f"[{low},{high}]".encode()
    assert parse(text_of(found)) == found
    if Fraction(low) < Fraction(high):
        with pytest.raises(LedgerError, match="is empty"):
            parse(f"{name} in {high}{dots}{low} {unit}")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["==", "!="]), st.from_regex(r"[a-z]([a-z0-9 ]{0,8}[a-z])?", fullmatch=True))
def test_a_result_reads_and_writes_the_same(comparison: str, value: str) -> None:
    found = parse(f"result {comparison} {value}")
    assert (found.quantity, found.value) == ("result", value)
    assert parse(text_of(found)) == found


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("attention_share>=0.6", "attention_share >= 0.6"),
        ("step <= 35s", "step <= 35 s"),
        ("step<=35.20 s", "step <= 35.20 s"),
        ("share in 0.2..0.30", "share in 0.2..0.30"),
        ("share in -3..-1 %", "share in -3..-1 %"),
        ("loss < 1e-3", "loss < 1e-3"),
        ("n == 5 1", "n == 5"),
        ("result == band too wide", "result == band too wide"),
    ],
)
def test_what_is_read_by_example(text: str, written: str) -> None:
    assert text_of(parse(text)) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cannot read"),
        ("step", "cannot read"),
        ("step 35", "cannot read"),
        ("step = 35", "cannot read"),
        ("35 >= step", "cannot read"),
        ("step >=", "'=' is not a number"),
        ("step >= fast", "not a number"),
        ("step >= 1.2.3", "not a number"),
        ("step >= .5", "not a number"),
        ("step >= 1e999", "not a number"),
        ("step >= nan", "not a number"),
        ("step in 3", "not a number or range"),
        ("step in 3..", "not a number or range"),
        ("step in 3..2", "the range '3..2' is empty"),
        ("step >= 3 parsec", "unknown unit 'parsec'"),
        ("step >= 3 s s", "unknown unit 's s'"),
        ("result >= 3", "only == and != compare it"),
        ("result in 1..2", "only == and != compare it"),
    ],
)
def test_what_is_not_read_says_why_and_how(text: str, message: str) -> None:
    with pytest.raises(LedgerError, match=re.escape(message)) as caught:
        parse(text)
    assert caught.value.code == "bad-input"
    assert caught.value.fix


def oracle(comparison: str, low: Fraction, high: Fraction, bound: Fraction, top: Fraction) -> str:
    """Whether every, no or some value of the interval satisfies the comparison: by its ends."""
    holds: dict[str, Callable[[Fraction], bool]] = {
        ">=": lambda x: x >= bound,
        ">": lambda x: x > bound,
        "<=": lambda x: x <= bound,
        "<": lambda x: x < bound,
        "==": lambda x: x == bound,
        "!=": lambda x: x != bound,
        "in": lambda x: bound <= x <= top,
    }
    # What the comparison can change at, between the points and outside of them.
    edges = sorted({low, high, *(e for e in (bound, top) if low <= e <= high)})
    points = [*edges, *((a + b) / 2 for a, b in itertools.pairwise(edges))]
    found = {holds[comparison](point) for point in points}
    return "inconclusive" if len(found) > 1 else "supports" if found.pop() else "refutes"


TIMES = {"s": Fraction(1), "ms": Fraction(1, 1000), "us": Fraction(1, 10**6), "min": Fraction(60)}
SMALL = st.integers(-20, 20).map(lambda n: Fraction(n, 4))


def decimal(value: Fraction, factor: Fraction) -> Any:
    """The value in another unit, as a number that is written in full; None where it cannot be."""
    there = value / factor
    shift = there * 10**12
    if shift.denominator != 1:
        return None
    return canonical.number(f"{shift.numerator}e-12")


@settings(max_examples=600, deadline=None)
@given(
    st.sampled_from([">=", "<=", ">", "<", "==", "!=", "in"]),
    st.tuples(SMALL, SMALL),
    st.tuples(SMALL, SMALL),
    st.sampled_from(sorted(TIMES)),
    st.sampled_from(sorted(TIMES)),
)
def test_judge_agrees_with_exact_arithmetic(
    comparison: Any,
    measured: tuple[Fraction, Fraction],
    wanted: tuple[Fraction, Fraction],
    here: str,
    there: str,
) -> None:
    """Measured and expected values are quarter seconds, written in one of four units each."""
    low, high = sorted(measured)
    bound, top = sorted(wanted)
    written = [decimal(x, TIMES[here]) for x in (low, high)]
    asked = [decimal(x, TIMES[there]) for x in (bound, top)]
    if None in written or None in asked:
        return
    found = judge(
        Expects(
            quantity="step",
            comparison=comparison,
            value=asked[0],
            high=asked[1] if comparison == "in" else None,
            unit=there,
        ),
        step(written[0], here, low=written[0], high=written[1]),
    )
    assert found.outcome == oracle(comparison, low, high, bound, top)


@pytest.mark.parametrize(
    ("text", "low", "high", "outcome"),
    [
        ("step >= 3 s", 3, 5, "supports"),
        ("step >= 3 s", 2, 3, "inconclusive"),
        ("step > 3 s", 3, 5, "inconclusive"),
        ("step > 3 s", 2, 3, "refutes"),
        ("step <= 3 s", 2, 3, "supports"),
        ("step < 3 s", 2, 3, "inconclusive"),
        ("step < 3 s", 3, 5, "refutes"),
        ("step == 3 s", 3, 3, "supports"),
        ("step == 3 s", 2, 4, "inconclusive"),
        ("step == 3 s", 4, 5, "refutes"),
        ("step != 3 s", 3, 3, "refutes"),
        ("step != 3 s", 2, 4, "inconclusive"),
        ("step != 3 s", 4, 5, "supports"),
        ("step in 2..4 s", 2, 4, "supports"),
        ("step in 2..4 s", 4, 5, "inconclusive"),
        ("step in 2..4 s", 5, 6, "refutes"),
    ],
)
def test_the_bounds_of_each_comparison(text: str, low: int, high: int, outcome: str) -> None:
    assert judge(parse(text), step(low, low=low, high=high)).outcome == outcome


def test_one_bound_of_the_spread_may_be_missing() -> None:
    assert judge(parse("step >= 3 s"), step(4, low=2)).outcome == "inconclusive"
    assert judge(parse("step >= 3 s"), step(4, high=9)).outcome == "supports"
    assert judge(parse("step <= 5 s"), step(4, high=9)).outcome == "inconclusive"


def test_a_unit_of_another_family_and_a_missing_quantity_do_not_bear_on_it() -> None:
    found = judge(parse("step >= 3 s"), step(4, "GiB"))
    assert (found.outcome, found.reason) == (None, "step is in GiB, no unit of s")
    found = judge(parse("loss >= 3"), step(4))
    assert (found.outcome, found.reason) == (None, "does not measure loss (has step)")
    assert judge(parse("loss >= 3"), evidence()).reason == "does not measure loss (has no quantity)"
    assert judge(parse("result == pass"), step(4)).outcome is None


def test_what_was_not_determined_is_inconclusive_with_the_reason() -> None:
    found = judge(parse("step >= 3 s"), step(None, reason="one repetition"))
    assert (found.outcome, found.reason) == ("inconclusive", "not determined: one repetition")


@pytest.mark.parametrize("result", sorted(UNDECIDED))
def test_an_instrument_that_does_not_decide_decides_nothing(result: str) -> None:
    for text in ("result == pass", "result != pass"):
        assert judge(parse(text), evidence(result=result)).outcome == "inconclusive"
    assert judge(parse(f"result == {result}"), evidence(result=result)).outcome == "supports"


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("result == pass", "supports"),
        ("result == fail", "refutes"),
        ("result != fail", "supports"),
        ("result != pass", "refutes"),
    ],
)
def test_a_result_is_compared_as_text(text: str, outcome: str) -> None:
    assert judge(parse(text), evidence(result="pass")).outcome == outcome


def test_the_reason_gives_what_was_measured_in_the_unit_that_was_expected() -> None:
    found = judge(parse("step <= 30 s"), step(35200, "ms", low=35100, high=35300))
    assert found.reason == "measured 35.1..35.3 s, expected step <= 30 s"
    book = Ledger()
    book.evidence("e-1", 35.0)
    book.claim("c-1", expects=parse("step <= 30 s"), evidence=("e-1",))
