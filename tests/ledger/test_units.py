import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.errors import LedgerError
from ledger.units import UNITS, check, convert

UNIT = st.sampled_from(sorted(UNITS))
VALUE = st.floats(1e-9, 1e15) | st.floats(-1e15, -1e-9) | st.integers(-(10**15), 10**15)


@given(VALUE, UNIT, UNIT)
def test_conversion_goes_there_and_back_inside_a_family_and_nowhere_else(
    value: float, unit: str, to: str
) -> None:
    there = convert(value, unit, to)
    if UNITS[unit].family != UNITS[to].family:
        assert there is None
        return
    assert there is not None
    back = convert(there, to, unit)
    assert back is not None
    assert math.isclose(back, value, rel_tol=1e-15)


@given(st.integers(-(10**9), 10**9), UNIT, UNIT)
def test_a_conversion_is_the_nearest_number_to_the_exact_one(
    value: int, unit: str, to: str
) -> None:
    if UNITS[unit].family == UNITS[to].family:
        here, there = (Fraction(repr(UNITS[u].factor)) for u in (unit, to))
        assert convert(value, unit, to) == float(value * here / there)


@pytest.mark.parametrize(
    ("value", "unit", "to", "expected"),
    [
        (35200, "ms", "s", 35.2),
        (62, "%", "1", 0.62),
        (0.07, "1", "%", 7.0),
        (1, "GiB", "B", 2**30),
        (1, "GB", "GiB", 1e9 / 2**30),
        (1, "kWh", "J", 3.6e6),
        (90, "s", "h", 0.025),
        (3, "steps", "step", 3),
        (3, "s", "s", 3),
        (1.7, "x", "1", 1.7),
        (7, "params", "parameters", 7),
        (2.4, "it/s", "steps/s", 2.4),
    ],
)
def test_conversion_by_example(value: float, unit: str, to: str, expected: float) -> None:
    assert convert(value, unit, to) == expected


@pytest.mark.parametrize(
    ("unit", "to"),
    [("s", "GiB"), ("pp", "%"), ("tokens", "steps"), ("s", "s/step"), ("W", "J"), ("s", "parsec")],
)
def test_unlike_units_do_not_convert(unit: str, to: str) -> None:
    assert convert(1, unit, to) is None
    assert convert(1, to, unit) is None


@given(UNIT)
def test_every_unit_is_known_and_has_a_positive_factor(unit: str) -> None:
    assert check(unit) == unit
    assert UNITS[unit].factor > 0


@pytest.mark.parametrize(
    ("unit", "near"), [("sec", "s"), ("Mib", "MiB"), ("percent", ""), ("", "")]
)
def test_an_unknown_unit_is_refused_with_near_ones(unit: str, near: str) -> None:
    with pytest.raises(LedgerError, match=f"unknown unit '{unit}'") as caught:
        check(unit)
    assert caught.value.code == "bad-input"
    assert near in caught.value.fix
    assert "a percentage '%'" in caught.value.fix


def test_a_near_unit_is_named_first() -> None:
    with pytest.raises(LedgerError) as caught:
        check("tokn/s")
    assert caught.value.fix.startswith("did you mean token")
