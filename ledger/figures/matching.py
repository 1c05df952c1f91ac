"""Which of many figures a text states."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from ledger import canonical
from ledger.entry import Figure
from ledger.figures import reading, spelling
from ledger.figures.numbers import Number
from ledger.units import UNITS

_NEAR = 0.051
"""Relative: two written digits are off by 5 % at most. Floats pick what is compared exactly."""
_TWO_DIGITS = 20
"""Times half a unit in the last place: what has two digits at that precision."""
_LARGEST = 300
"""Power of ten."""
_FORMS = {"1": "bare", "%": "%", "x": "x"}
"""A plain number, a percentage and a factor convert, but one is not written for another."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Occurrence:
    """One place in a text that states a figure."""

    begin: int
    """0-based offset in characters of the number, with its sign."""
    end: int
    """Offset past the unit, exclusive; past the number where a later number carries the unit."""
    text: str
    """As written."""
    digits: int
    """Significant digits written."""
    range_end: bool
    """Whether it is one end of a range."""
    figure: Figure
    """The figure that it states."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Sought:
    exact: Decimal
    """In the family's base unit."""
    figure: Figure


class Matcher:
    """A set of figures, made ready for judging many lines."""

    def __init__(self, figures: Iterable[Figure]) -> None:
        sought: dict[str, list[_Sought]] = {}
        for figure in dict.fromkeys(figures):
            exact = Decimal(repr(figure.value)) * factor(figure.unit)
            for kind in kinds(figure):
                sought.setdefault(kind, []).append(_Sought(exact=exact, figure=figure))
        self._sought = sought
        self._sizes = {
            kind: sorted(abs(float(one.exact)) for one in ones) for kind, ones in sought.items()
        }

    def find(self, text: str) -> tuple[Occurrence, ...]:
        """Every place in a text, one line or several, that states one of the figures."""
        found = {}
        for written in reading.statements(text, self._near, bare="bare" in self._sought):
            for figure in self._stated(written):
                found[written.begin, written.end, figure] = Occurrence(
                    begin=written.begin, end=written.end, text=text[written.begin : written.end],
                    digits=written.number.digits, range_end=written.range_end, figure=figure,
                )  # fmt: skip
        return tuple(sorted(found.values(), key=lambda one: (one.begin, one.end)))

    def _near(self, written: reading.Written) -> bool:
        """Whether the number could be one of the figures, whatever its sign and context."""
        value = float(written.number.value)
        for unit in written.units:
            if values := self._sizes.get(one_kind(unit)):
                size = value * UNITS[unit].factor
                place = bisect_left(values, size * (1 - _NEAR))
                if place < len(values) and values[place] <= size * (1 + _NEAR):
                    return True
        return False

    def _stated(self, written: reading.Written) -> Iterator[Figure]:
        number = written.number.rounded() if written.about else written.number
        for unit in written.units:
            scale = factor(unit)
            value, half = number.value * scale, number.half * scale
            for one in self._sought.get(one_kind(unit), ()):
                # Half up and half to even are both a rounding, so the bound is inclusive. At the
                # written precision the recorded value has two digits: 10 is too coarse for 9.5.
                if one.exact == value or (
                    abs(one.exact) >= _TWO_DIGITS * half and abs(one.exact - value) <= half
                ):
                    yield one.figure


def kinds(figure: Figure) -> tuple[str, ...]:
    """The forms in which a figure is recognised: a share also as a percentage and back."""
    kind = one_kind(figure.unit)
    share = abs(figure.value * UNITS[figure.unit].factor) < 1
    if kind == "bare":
        return ("bare", "%") if share else ("bare",)
    # 50 % is not looked for as 0.500: too few digits to tell it from any other half.
    digits = len(Decimal(repr(figure.value)).normalize().as_tuple().digits)
    return ("bare", "%") if kind == "%" and share and digits >= reading.LEAST_BARE else (kind,)


def one_kind(unit: str) -> str:
    """The unit's family, where the forms of a ratio are families of their own."""
    return _FORMS.get(unit) or UNITS[unit].family


@cache
def factor(unit: str) -> Decimal:
    """How many of the family's base unit it is, exactly."""
    return Decimal(repr(UNITS[unit].factor))


@lru_cache(maxsize=256)
def _matcher(figure: Figure) -> Matcher:
    return Matcher((figure,))


def find(text: str, figure: Figure) -> tuple[Occurrence, ...]:
    """Every place in a text, one line or several, that states the figure."""
    return _matcher(figure).find(text)


def states(text: str, figure: Figure) -> bool:
    """Whether a text states the figure."""
    return bool(find(text, figure))


def stated_in(text: str) -> tuple[Figure, ...]:
    """Every number with a known unit in a statement, once each, in the order written.

    Numbers that no double holds are left out.
    """
    return tuple(dict.fromkeys(one.figure for one in places(text)))


def places(text: str) -> tuple[Occurrence, ...]:
    """Where a statement states a number with a known unit, in the order written."""
    written = sorted(reading.statements(text), key=lambda one: one.begin)
    return tuple(
        Occurrence(
            begin=one.begin, end=one.end, text=text[one.begin : one.end],
            digits=one.number.digits, range_end=one.range_end,
            figure=_figure(one.number, one.units[0]),
        )
        for one in written
        if one.number.value.adjusted() < _LARGEST
    )  # fmt: skip


def _figure(number: Number, unit: str) -> Figure:
    name = spelling.PLURAL.get(unit, unit)
    return Figure(value=canonical.number(f"{number.value:f}"), unit=name)
