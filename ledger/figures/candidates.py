"""One POSIX extended regular expression for the lines in which a figure could be found.

For `git grep -E` under LC_ALL=C, where a pattern sees bytes: a no-break space is two of them. The
expression knows the digits a figure can begin with in each unit, not where the decimal point is;
the matcher judges what it lets through.
"""

from collections.abc import Iterable, Iterator
from decimal import ROUND_DOWN, ROUND_HALF_DOWN, ROUND_HALF_UP, ROUND_UP, Context, Decimal

from ledger.entry import Figure
from ledger.figures import spelling
from ledger.figures.matching import factor, kinds, one_kind
from ledger.figures.numbers import BIG, FIRST_WORDS
from ledger.figures.reading import LEAST_BARE
from ledger.units import UNITS

_LONGEST = 6
"""Digits that are compared; a longer number may go on as it likes."""
_SEPARATOR = "([.,_' ]|[^ -~]{2,3})?"
_BEFORE = "(^|[^1-9])"
"""Nothing but zeros of the number itself stands directly before its first digit."""
_AFTER = "([^A-Za-z0-9_]|$)"
_WORD_GAP = "([^!-~]|-|[*_`+]|</?[a-z]{1,6}>|&[#0-9a-z]{1,8};|[\\\\][,;: ])"
_GAP = f"({_WORD_GAP}|[|~])*"


def _any_case(word: str) -> str:
    return "".join(
        f"[{c.upper()}{c}]" if c.isalpha() else "[- ]" if c in " -" else _literal(c) for c in word
    )


def _literal(text: str) -> str:
    return "".join(f"\\{c}" if c in r"\.[]{}()*+?^$|" else c for c in text)


_SCALES = "|".join(map(_any_case, ("thousand", "million", "billion", "trillion", "hundred", "mio")))
_SUFFIX = f"([^!-~]{{0,3}}([kKMBTmb]|[Bbm]n|-?({_SCALES})))?"
_POWER = (
    "([eE][^0-9A-Za-z]{0,3}[0-9]+"
    "|[^0-9A-Za-z]{0,5}(x|times|cdot)?[^0-9A-Za-z]{0,3}10[^A-Za-z ]{1,8})?"
)
_NO_LETTERS = "[^]!-%'()@A-Z[a-z?]*"
_LINKS = "|".join(
    map(_any_case, ("to", "or", "and", "through", "thru", "till", "until", "vs", "versus"))
)
# Loose on purpose: a loop over few states is several times faster than the exact grammar.
_LINKED = (
    f"({_NO_LETTERS}(({_LINKS}|x|times|cdot){_NO_LETTERS})*"
    f"[0-9]([eE][^0-9A-Za-z]*[0-9]+)?{_SUFFIX})?"
)


def candidates(figures: Iterable[Figure]) -> str:
    """An expression that matches every line in which `find` could find one of the figures.

    Some 2 kB for each family of units and 100 to 500 bytes for each figure; one argument of a
    program takes 128 KiB on Linux, a pattern file (`git grep -f`) any length. Raises ValueError
    when there are no figures: an empty expression would match every line.
    """
    values: dict[str, set[Decimal]] = {}
    for figure in figures:
        exact = abs(Decimal(repr(figure.value)) * factor(figure.unit))
        for kind in kinds(figure):
            values.setdefault(kind, set()).add(exact)
    if not values:
        raise ValueError("no figures to look for")
    return "|".join(part for kind in sorted(values) for part in _parts(kind, values[kind]))


def any_number() -> str:
    """An expression that matches every line with a number, in digits or in words.

    For so many figures that one for each of them takes longer to match than it spares.
    """
    spelled = "|".join(map(_any_case, (*FIRST_WORDS, *BIG, "half")))
    return f"[0-9]|(^|[^A-Za-z])({spelled})([^A-Za-z]|$)"


def _parts(kind: str, values: set[Decimal]) -> Iterator[str]:
    """The ways to write figures of one family."""
    if kind == "bare":
        numbers = "|".join(
            sorted({one for value in values for one in _numbers(value, least=LEAST_BARE)})
        )
        yield f"{_BEFORE}({numbers})([^0-9A-Za-z]|[eEkKMBT]|$)"
        return
    units = [unit for unit in UNITS if one_kind(unit) == kind]
    factors = {factor(unit) for unit in units}
    written = {value / size for value in values for size in factors}
    numbers = "|".join(sorted({one for value in written for one in _numbers(value)}))
    words = "|".join(map(_any_case, sorted({one for value in written for one in _firsts(value)})))
    forms = _spelled(units)
    spelled, worded = "|".join(forms), "|".join(form for form in forms if len(form) > 1)
    yield f"{_BEFORE}({numbers}){_POWER}{_SUFFIX}{_LINKED}{_GAP}({spelled}){_AFTER}"
    yield f"({words})([- ][A-Za-z]+)*{_WORD_GAP}+({worded}){_AFTER}"
    if kind == "x":
        yield f"×[0.]*({numbers})|[xX][0-9]{{1,4}}[.][0-9]"
    if kind == "time":
        yield from sorted({one for value in values for one in _durations(value)})


def _spelled(units: Iterable[str]) -> list[str]:
    forms: list[str] = []
    for unit in units:
        forms += [*map(_literal, spelling.symbols(unit)), *map(_any_case, spelling.words(unit))]
    over = sorted({form for unit in units for form in spelling.overs(unit)})
    if over:
        rates = "|".join(map(_any_case, over))
        forms.append(f"({rates})(\\(s\\))?[^A-Za-z0-9]*(/|per[^A-Za-z])[^A-Za-z]*[A-Za-z]+")
    return list(dict.fromkeys(forms))


def _numbers(value: Decimal, *, least: int = 1) -> set[str]:
    """Expressions for the digits of every writing of a number of at least so many digits."""
    if not value:
        return {"0"}
    found = set()
    for digits in _roundings(value):
        short = digits.rstrip("0")
        padded = short + "0" * (least - len(short))
        tail = f"({_SEPARATOR}[0-9])*" if len(digits) > _LONGEST else f"({_SEPARATOR}0)*"
        found.add(_SEPARATOR.join(padded[:_LONGEST]) + tail)
    return found


def _roundings(value: Decimal) -> set[str]:
    """Significant digits of a number, rounded to two places and more.

    One digit more than are compared stands for any longer writing.
    """
    exact = "".join(map(str, value.normalize().as_tuple().digits))
    found = {exact} if len(exact) <= _LONGEST else set()
    for places in range(2, _LONGEST + 1):
        for rounding in (ROUND_HALF_UP, ROUND_HALF_DOWN):
            found.add(_digits(value, places, rounding))
    if len(exact) > _LONGEST:
        for rounding in (ROUND_DOWN, ROUND_UP):
            found.add(_digits(value, _LONGEST, rounding).ljust(_LONGEST, "0") + "+")
    return found


def _digits(value: Decimal, places: int, rounding: str) -> str:
    rounded = Context(prec=places, rounding=rounding).plus(value)
    return "".join(map(str, rounded.normalize().as_tuple().digits))


def _firsts(value: Decimal) -> set[str]:
    """The words that the number, written in words, can begin with."""
    if not value:
        return {"zero"}
    leading = _roundings(value)
    found = {
        word
        for word, digits in FIRST_WORDS.items()
        if any(text.startswith(digits.rstrip("0") or "0") for text in leading)
    }
    if any(text.startswith("5") for text in leading):
        found |= {"half a", "half an"}
    if any(text.startswith("1") for text in leading):
        found |= {f"a {scale}" for scale in BIG}
    return found | {"zero"} if value < 1 else found


def _durations(exact: Decimal) -> Iterator[str]:
    """Expressions for the value in seconds as days, hours, minutes and seconds."""
    for names in (("d", "h"), ("d", "h", "min"), ("h", "min"), ("h", "min", "s"), ("min", "s")):
        sizes = [int(factor(name)) for name in names]
        last = exact / sizes[-1]
        for rounding in (ROUND_DOWN, ROUND_UP):
            rest = int(last.to_integral_value(rounding)) * sizes[-1]
            parts = []
            for size in sizes:
                part, rest = divmod(rest, size)
                parts.append(part)
            if parts[0]:
                yield (
                    "(:|[^0-9A-Za-z]{0,3}[dhmDHM][^0-9]{0,14})".join(
                        [str(parts[0]), *(f"0?{part}" for part in parts[1:])]
                    )
                    + "[^0-9]"
                )
