"""How units are spelled in prose, code and logs."""

import re
from collections.abc import Iterable
from types import MappingProxyType

from ledger.figures.context import SPACE
from ledger.units import UNITS

# fmt: off
_SYMBOLS: dict[str, str] = {
    "s": "s", "ms": "ms", "us": "us µs μs", "ns": "ns", "h": "h", "d": "d",
    "B": "B", "kB": "kB KB kb", "MB": "MB mb MBs", "GB": "GB gb GBs", "TB": "TB tb TBs",
    "KiB": "KiB kiB kib", "MiB": "MiB mib", "GiB": "GiB gib", "TiB": "TiB tib",
    "kB/s": "kBps KBps", "MB/s": "MBps", "GB/s": "GBps", "TB/s": "TBps",
    "KiB/s": "KiBps", "MiB/s": "MiBps", "GiB/s": "GiBps",
    "request/s": "rps qps QPS RPS",
    "FLOP": "FLOP", "GFLOP": "GFLOP GFLOPs", "TFLOP": "TFLOP TFLOPs", "PFLOP": "PFLOP PFLOPs",
    "FLOP/s": "FLOPS", "GFLOP/s": "GFLOPS", "TFLOP/s": "TFLOPS", "PFLOP/s": "PFLOPS",
    "W": "W", "kW": "kW KW", "J": "J", "kJ": "kJ KJ", "Wh": "Wh", "kWh": "kWh KWh kwh",
    "degC": "°C ℃ degC", "Hz": "Hz hz", "kHz": "kHz KHz khz", "MHz": "MHz mhz", "GHz": "GHz ghz",
    "%": "% ％ \\%", "pp": "pp p.p. %pt %pts %-pt %-points",
    "x": "x X × ✕ \\times",
}
"""Spelled in this case alone: Mb is a bit, MB a byte."""

_WORDS: dict[str, str] = {
    "s": "sec secs second seconds", "ms": "msec msecs millisecond milliseconds",
    "us": "usec usecs microsecond microseconds", "ns": "nsec nanosecond nanoseconds",
    "min": "min mins minute minutes", "h": "hr hrs hour hours", "d": "day days",
    "B": "byte bytes", "kB": "kilobyte kilobytes", "MB": "megabyte megabytes",
    "GB": "gigabyte gigabytes", "TB": "terabyte terabytes", "KiB": "kibibyte kibibytes",
    "MiB": "mebibyte mebibytes", "GiB": "gibibyte gibibytes", "TiB": "tebibyte tebibytes",
    "TFLOP/s": "teraflops", "GFLOP/s": "gigaflops", "PFLOP/s": "petaflops",
    "W": "watt watts", "kW": "kilowatt kilowatts", "J": "joule joules", "kJ": "kilojoules",
    "Wh": "watt+hour watt+hours", "kWh": "kilowatt+hour kilowatt+hours",
    "Hz": "hertz", "kHz": "kilohertz", "MHz": "megahertz", "GHz": "gigahertz",
    "%": "percent pct per+cent",
    "pp": "percentage+point percentage+points percent+point percent+points %+point %+points",
    "x": "fold times",
    "token": "tok toks", "parameter": "param params",
    "iteration": "iter iters", "request": "req reqs",
}
"""Spelled in any case; `+` stands for a space or a hyphen."""

_ONLY_IN_RATES = {"it": "iteration", "its": "iteration"}
"""Too short to be read as a unit alone: "5 it" is no count of iterations."""
# fmt: on

_ALSO = {"GFLOPs": "GFLOP/s", "TFLOPs": "TFLOP/s", "PFLOPs": "PFLOP/s"}
"""The second reading of a form that people use for either."""

_COUNTS: dict[str, list[str]] = {}
for _name, _unit in UNITS.items():
    if _unit.family.startswith("count of "):
        _COUNTS.setdefault(_unit.family, []).append(_name)

PLURAL: MappingProxyType[str, str] = MappingProxyType(
    {singular: names[1] for names in _COUNTS.values() for singular in names[:1]}
)
"""Counted thing to the name it is recorded under: token to tokens."""

_OF_SYMBOL = {form: unit for unit, forms in _SYMBOLS.items() for form in forms.split()}
_OF_WORD = {
    form.replace("+", " "): unit for unit, forms in _WORDS.items() for form in forms.split()
}
_OF_WORD |= {form: names[0] for names in _COUNTS.values() for form in names}


def _compound_units() -> dict[tuple[str, str], str]:
    """(measured, per what) to the unit's name: (token, s) to tokens/s."""
    found: dict[tuple[str, str], str] = {}
    for name in UNITS:
        over, slash, under = name.partition("/")
        if slash:
            key = (single(over), single(under))
            if key not in found or over.endswith("s"):
                found[key] = name
    return found


def single(name: str) -> str:
    """The unit of a form in a rate, counts in the singular: seconds to s, its to iteration."""
    plain = name.removesuffix("^2").removesuffix("²")
    if plain != name:
        return f"{single(plain)}^2"
    return _ONLY_IN_RATES.get(name) or _OF_WORD.get(name.lower()) or _OF_SYMBOL.get(name) or name


RATES: MappingProxyType[tuple[str, str], str] = MappingProxyType(_compound_units())


def symbols(*units: str) -> list[str]:
    """The forms of these units that count in their own case alone."""
    forms = (*_OF_SYMBOL.items(), *_ALSO.items())
    return [form for form, unit in forms if unit in units]


def words(*units: str) -> list[str]:
    """The forms of these units that count in any case; a space may be a hyphen."""
    return [form for form, unit in _OF_WORD.items() if unit in units]


def overs(unit: str) -> list[str]:
    """The forms of what a rate measures: token, tok, tokens for tokens/s."""
    pairs = [over for (over, under), name in RATES.items() if name == unit or _same(name, unit)]
    found = [form for over in pairs for form in (*symbols(over), *words(over))]
    return found + [form for form, unit in _ONLY_IN_RATES.items() if unit in pairs]


def _same(name: str, unit: str) -> bool:
    return UNITS[name] == UNITS[unit]


def _any_of(symbols: Iterable[str], words: Iterable[str]) -> str:
    """An alternation grouped by first character, which `re` then tells apart in one step."""
    groups: dict[str, list[str]] = {}
    for form in sorted({*symbols}, key=len, reverse=True):
        groups.setdefault(re.escape(form[0]), []).append(re.escape(form[1:]))
    for form in sorted({*words}, key=len, reverse=True):
        first, *rest = (
            f"[{c}{c.upper()}]" if c.isalpha() else "[ -]" if c == " " else re.escape(c)
            for c in form
        )
        groups.setdefault(first, []).append("".join(rest))
    return "|".join(f"{first}(?:{'|'.join(rests)})" for first, rests in groups.items())


_UNDER = sorted({under for _, under in RATES})
_DENOMINATOR = _any_of(symbols(*_UNDER), [*words(*_UNDER), *_ONLY_IN_RATES])
_SQUARED = r"(?:\^2|²)?"
_PER = rf"{SPACE}?/{SPACE}?|{SPACE}+per{SPACE}+"
# "7B" is a size of models; a byte is "7 B".
_BYTE = rf"(?<![0-9])B(?!{SPACE}?(?i:param|token|model))"
UNIT = (
    rf"(?P<unit>{_any_of([form for form in _OF_SYMBOL if form != 'B'], _OF_WORD)}|{_BYTE}"
    rf"|[iI][tT][sS]?(?={_PER}))(?:(?P<per>{_PER})(?P<under>(?:{_DENOMINATOR}){_SQUARED}))?"
    r"(?:\(s\))?(?![A-Za-z0-9_µμ°%²³^⁻À-ɏ])"
)
"""A unit, or with `per` a rate of it and the unit `under`; not the beginning of another word."""


def named(spelled: str) -> str:
    """The unit's name of a form that UNIT matched."""
    form = spelled.replace("-", " ") if spelled not in _OF_SYMBOL else spelled
    return _OF_SYMBOL.get(form) or _OF_WORD[form.lower()]


def readings(spelled: str) -> tuple[str, ...]:
    """Every unit that a form can mean, the closest first."""
    also = _ALSO.get(spelled)
    return (named(spelled), also) if also else (named(spelled),)


def only_in_rates(spelled: str) -> bool:
    """Whether a form is no unit when it stands alone."""
    return spelled.lower() in _ONLY_IN_RATES


def rate(over: str, under: str) -> str | None:
    """The name of one unit per another; None where there is no such unit."""
    return RATES.get((single(over), single(under)))
