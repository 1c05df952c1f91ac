"""What a text states: every number with a unit, and the numbers that share the unit."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from ledger.figures import context, following, spelling
from ledger.figures.durations import CLOCK, COMPOUND, total
from ledger.figures.numbers import BEGIN, NUMBER, SUFFIX, THIN, WORDED, Number, in_words, read
from ledger.units import UNITS

_SPACE = rf"(?:[ \t{THIN}\u2002-\u2006\u2060]|&nbsp;|&thinsp;|&#160;|&#8239;|\\[,;: ]|~)"
_CLOSE = rf"(?:`|(?:\*{{1,3}}|__?|~~)(?=[-\u2010\u2011]|{_SPACE}|\\?%)|</?[a-z]{{1,6}}>)?"
_GAP = (
    rf"(?:{_CLOSE}(?:\+(?=-|{_SPACE}))?(?:{_SPACE}{{0,2}}|[-\u2010\u2011])"
    r"|[ \t]*\|[ \t]*(?=[^|\n]*\|))"
)
_OPEN = r"(?P<open>\*{1,3}|`|__?)?"
_SHUT = r"(?(open)(?P=open))"
_STATED = re.compile(
    rf"{BEGIN}(?:{COMPOUND}|{CLOCK}|(?P<number>{NUMBER})(?P<suffix>{SUFFIX})??"
    rf"(?P<gap>{_GAP}){_OPEN}{spelling.UNIT}{_SHUT})"
)
_WORDS = re.compile(
    rf"(?<![A-Za-z0-9_-])(?i:(?P<number>{WORDED}))(?P<gap>{_GAP}){_OPEN}{spelling.UNIT}{_SHUT}"
)
_PREFIXED = re.compile(
    rf"(?<![\w)\].])(?:×|[xX](?=[0-9]+\.))(?P<number>{NUMBER})(?![ ]?[A-Za-z_%/×]*[0-9])"
)
_BARE = re.compile(rf"{BEGIN}(?P<number>{NUMBER})(?P<suffix>[kKMBT])?(?![A-Za-z0-9_µμ°%²³À-ɏ])")
_LEFT = re.compile(
    rf"{BEGIN}(?P<number>{NUMBER})(?P<suffix>{SUFFIX})?[*`_]{{0,3}}{context.BETWEEN}"
    r"[*`_]{0,3}(?P<sign>[-–−]?)\Z"
)
LEAST_BARE = 3
"""Significant digits below which a number without a unit is no trace of a figure."""
_FURTHER = {
    "tight": frozenset({"tight"}),
    "slash": frozenset({"slash"}),
    "comma": frozenset({"comma"}),
    "and": frozenset({"comma"}),
    "or": frozenset({"comma"}),
}
"""How a number before a number may be joined to one before itself."""
_TIMES = frozenset({"s", "ms", "min", "h", "d"})


@dataclass(frozen=True, kw_only=True, slots=True)
class Written:
    """A number with a unit as a text states it."""

    begin: int
    end: int
    number: Number
    units: tuple[str, ...]
    """Every reading of the unit; the first is the closest."""
    range_end: bool = False
    about: bool = False
    """Said to be rounded: "~1,300 steps"."""


Wanted = Callable[[Written], bool]
"""Whether a number, its sign not yet read, is of interest: the context of others is not judged."""


def statements(
    text: str, wanted: Wanted = lambda _: True, *, bare: bool = False
) -> Iterator[Written]:
    """Every number with a known unit, and with `bare` those without one; the unit is then 1."""
    before: Written | None = None
    taken = []
    for found in _STATED.finditer(text):
        taken.append(found.span())
        main = _main(found)
        if main is None:
            continue
        if wanted(main) or (before and wanted(before)) or context.linked(text, main.begin):
            yield from _judged(text, found, main, before)
        before = main
    for found in _PREFIXED.finditer(text):
        number = read(found["number"])
        yield Written(begin=found.start(), end=found.end(), number=number, units=("x",))
    for found in _WORDS.finditer(text):
        number_in_words, units = in_words(found["number"]), _units(found)
        if number_in_words is None or not units or len(found["unit"]) == 1:
            continue
        main = Written(begin=found.start(), end=found.end(), number=number_in_words, units=units)
        if not _refused(text, found, units[0]):
            yield from _alone(text, main)
    if bare:
        yield from _bare(text, wanted, taken)


def _bare(text: str, wanted: Wanted, taken: list[tuple[int, int]]) -> Iterator[Written]:
    for found in _BARE.finditer(text):
        begin, end = found.span()
        if end - begin < LEAST_BARE:
            continue
        number = read(found["number"], found["suffix"])
        main = Written(begin=begin, end=end, number=number, units=("1",))
        if (
            number.digits < LEAST_BARE
            or not wanted(main)
            or any(start <= begin < stop for start, stop in taken)
            or following.no_plain_number(text, begin=begin, end=end)
        ):
            continue
        left = next(_chain(text, begin), None)
        if left and "." in left["number"] and (left["tight"] or left["dash"]):
            yield replace(main, range_end=True)
        else:
            yield from _alone(text, main)


def _main(found: re.Match[str]) -> Written | None:
    """The number of a match with its unit, before its context is looked at."""
    begin, end = found.span()
    if found["big"] or found["clock"]:
        whole = total(found)
        if whole is None:
            return None
        return Written(begin=begin, end=end, number=whole.number, units=(whole.unit,))
    units, suffix = _units(found), _suffix(found)
    if not units or (suffix and len(suffix) <= 2 and not _counted(units[0])):  # noqa: PLR2004 k, bn
        return None
    return Written(begin=begin, end=end, number=read(found["number"], suffix), units=units)


def _judged(
    text: str, found: re.Match[str], main: Written, before: Written | None
) -> Iterator[Written]:
    if found["number"] is None:
        if not following.per_another(text, main.end):
            yield from _alone(text, main)
        return
    if _refused(text, found, main.units[0]):
        return
    chain = list(_chain(text, main.begin))
    if chain and not (before and before.end > chain[-1].start()):
        yield from _shared(text, chain, main, _suffix(found))
        return
    between = text[before.end : main.begin] if before else ""
    alike = before is not None and _family(before.units[0]) == _family(main.units[0])
    if before and alike and context.RANGE.fullmatch(between):
        for one in _alone(text, before):
            yield replace(one, range_end=True)
        yield replace(main, range_end=True)
    elif before and context.SLASH.fullmatch(between):
        if alike:
            yield main
    else:
        yield from _alone(text, main)


def _alone(text: str, main: Written) -> Iterator[Written]:
    """A number with the sign and the word before it, unless they make it no statement."""
    lead = context.lead(text, main.begin)
    if lead is not None:
        number = _signed(main.number, minus=lead.minus)
        yield replace(main, begin=lead.begin, number=number, about=lead.about)


def _chain(text: str, begin: int) -> Iterator[re.Match[str]]:
    """The numbers before one, nearest first, each joined to the next: 4.0 to 4.3, 5/10/20."""
    further = frozenset({"tight", "dash", "to", "and", "or", "into", "slash", "spread", "comma"})
    while further and context.linked(text, begin):
        left = _LEFT.search(text, max(0, begin - context.REACH), begin)
        kind = left and next((name for name in further if left[name]), None)
        if left is None or kind is None:
            return
        yield left
        begin, further = left.start(), _FURTHER.get(kind, frozenset())


def _shared(
    text: str, chain: list[re.Match[str]], main: Written, suffix: str | None
) -> Iterator[Written]:
    """A number with a unit, and the numbers before it that share the unit."""
    nearest = chain[0]
    minus = bool(nearest["sign"])
    right = replace(main, begin=main.begin - minus, number=_signed(main.number, minus=minus))
    inner = [_left(left, main, suffix) for left in chain]
    outer = list(_alone(text, inner[-1]))
    lefts = [*inner[:-1], *outer] if outer else []
    if nearest["slash"] and len(chain) == 1 and "." not in nearest["number"]:
        return  # "5/10 s" may be a half
    if nearest["tight"] and (
        len(chain) > 1 or not lefts or (not minus and lefts[0].number.value >= main.number.value)
    ):
        return  # a date, a name
    if len(chain) == 1 and (nearest["comma"] or nearest["and"]):
        between = nearest["and"] and lefts and context.both(text, lefts[0].begin)
        lefts = lefts if between else []
    bounds = bool(nearest["tight"] or nearest["dash"] or nearest["to"]) or (
        nearest["and"] is not None and len(chain) == 1
    )
    for left in lefts:
        yield replace(left, range_end=bounds)
    if not nearest["spread"]:
        yield replace(right, range_end=bounds and bool(lefts))


def _left(left: re.Match[str], main: Written, suffix: str | None) -> Written:
    number, own = read(left["number"], _suffix(left)), _suffix(left)
    if suffix and not own and (scaled := read(left["number"], suffix)).value <= main.number.value:
        number = scaled
    begin, end = left.start(), left.end("number")
    return Written(begin=begin, end=end, number=number, units=main.units)


def _suffix(found: re.Match[str]) -> str | None:
    return (found["suffix"] or "").strip(f" \t{THIN}-~") or None


def _units(found: re.Match[str]) -> tuple[str, ...]:
    """Every reading of the unit; empty where it is no known one."""
    per, over = found["per"], found["unit"]
    if per is None:
        return () if spelling.only_in_rates(over) else spelling.readings(over)
    rate = spelling.rate(over, found["under"])
    if "/" in per or spelling.only_in_rates(over) or spelling.single(found["under"]) in _TIMES:
        return (rate,) if rate else ()
    # "35.2 s per step" states 35.2 s as well as 35.2 s/step.
    base = spelling.named(over)
    return (rate, base) if rate else (base,)


def _refused(text: str, found: re.Match[str], unit: str) -> bool:
    form = following.Form(number=found["number"], gap=found["gap"], spelled=found["unit"])
    if following.other_quantity(text, form, unit, begin=found.start(), end=found.end()):
        return True
    slash = context.SLASH.match(text, found.end())
    other = slash and _STATED.match(text, slash.end())
    # "609 MB/10s" is a rate, "4.3 h/258 min" says it twice.
    units = _units(other) if other and other["unit"] else ()
    return bool(units) and _family(units[0]) != _family(unit)


def _family(unit: str) -> str:
    return UNITS[unit].family


def _counted(unit: str) -> bool:
    """Whether k, M and B may stand before the unit."""
    return _family(unit).startswith("count of") or _family(unit) in {
        "tokens per second",
        "steps per second",
        "requests per second",
    }


def _signed(number: Number, *, minus: bool) -> Number:
    return number.times(Decimal(-1)) if minus else number
