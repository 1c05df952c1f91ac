from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.kernel_table.ticks import PLACES, number, ticks


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e20, max_value=1e20))
def test_what_a_double_prints_is_read_exactly(value: float) -> None:
    text = repr(value)
    read = ticks(text.encode())
    exact = Decimal(text) * 10**PLACES
    assert read == (exact if exact == int(exact) else None)


@given(st.integers(0, 10**18), st.integers(0, 999))
def test_microseconds_with_nanoseconds_come_back_as_written(whole: int, nanoseconds: int) -> None:
    text = f"{whole}.{nanoseconds:03}"
    read = ticks(text.encode())
    assert read is not None
    assert str(getattr(number(read, unit="us"), "text", whole)) == (
        text.rstrip("0") if nanoseconds else str(whole)
    )


def test_a_stamp_that_a_float_cannot_hold_keeps_its_nanoseconds() -> None:
    late, later = ticks(b"1790857026000000.001"), ticks(b"1790857026000000.002")
    assert late is not None
    assert later is not None
    assert str(number(later - late, unit="us")) == "0.001"
    assert float(b"1790857026000000.001") == float(b"1790857026000000.002")


@pytest.mark.parametrize(
    ("text", "microseconds"),
    [
        (b"12", "12"),
        (b'"12.5"', "12.5"),
        (b"1e3", "1000"),
        (b"2.5E-3", "0.0025"),
        (b"-0.5", "-0.5"),
        (b"0.9919999999999999", "0.9919999999999999"),
    ],
)
def test_forms_of_a_number(text: bytes, microseconds: str) -> None:
    read = ticks(text)
    assert read is not None
    assert Decimal(read) / 10**PLACES == Decimal(microseconds)


@pytest.mark.parametrize(
    "text",
    [b"null", b"NaN", b'"fast"', b"", b"1e40", b"1e999", b"9" * 31, b"1e-30", b"[1]", b"true",
     b"1e999999999", b"1" + b"0" * 5000],
)  # fmt: skip
def test_what_is_no_time_is_none(text: bytes) -> None:
    assert ticks(text) is None


def test_units_only_move_the_point() -> None:
    assert str(number(123456 * 10 ** (PLACES - 3), unit="us")) == "123.456"
    assert str(number(123456 * 10 ** (PLACES - 3), unit="ms")) == "0.123456"
    assert number(5 * 10**PLACES, unit="us") == 5
    assert isinstance(number(5 * 10**PLACES, unit="us"), int)
