"""Numbers as people write them: grouped, scientific, with a suffix or in words."""

import re
from dataclasses import dataclass
from decimal import Decimal

THIN = "\u00a0\u2007\u2008\u2009\u200a\u202f"
"""Spaces that do not break a line, as they stand inside numbers and before units."""

_POWER = r"10(?:(?:\^|\*\*)\{?[-+−]?[0-9]{1,2}\}?|[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})"
_TIMES = rf"[ {THIN}]?(?:[×x·⋅*]|\\times|\\cdot)[ {THIN}]?"
_DIGITS = (
    r"(?:[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:['’][0-9]{3})+|(?:_[0-9]{3})+"
    rf"|(?:[ {THIN}][0-9]{{3}})+)(?![0-9])|[0-9]+)"
)
BEGIN = r"(?<![A-Za-z0-9µμÀ-ɏ])(?<![A-Za-z0-9_]_)(?<![0-9][,:'’_])(?<![0-9A-Za-z_)\]][.])"
NUMBER = (
    rf"(?:{_POWER}|(?:{_DIGITS}(?:\.[0-9]+)?|(?<!\.)\.[0-9]+)"
    rf"(?:[eE][-+−]?[0-9]{{1,3}}|{_TIMES}{_POWER})?)(?![.,_:'’]?[0-9])"
)
"""A whole number token; half of one (the 4.3 of 4.3.1) does not match."""

_SUPERSCRIPTS = str.maketrans("⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "+-0123456789-")
_POWER_TAIL = re.compile(rf"(?P<head>.*?){_TIMES}(?P<power>{_POWER})\Z", re.DOTALL)
_LONE_POWER = re.compile(rf"{_POWER}\Z")


def _exponent(power: str) -> int:
    return int(re.sub(r"\A10|[\^*{}]", "", power).translate(_SUPERSCRIPTS))


# fmt: off
SUFFIXES = {
    "k": 3, "K": 3, "M": 6, "m": 6, "B": 9, "b": 9, "T": 12, "bn": 9, "Bn": 9, "mn": 6, "mio": 6,
    "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "hundred": 2,
}
"""Suffix to the power of ten."""
_SMALL = {word: number for number, word in enumerate((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
))}
_TENS = {word: number for number, word in zip(range(20, 100, 10), (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
), strict=True)}
BIG = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9}
"""Scale word to the power of ten."""
# fmt: on
SUFFIX = (
    rf"(?:[ \t{THIN}]?(?:k|K|M|m|B|b|T|bn|Bn|mn)"
    rf"|[ \t{THIN}]?-?(?i:mio|thousand|million|billion|trillion|hundred))"
)
"""What may stand between a number and its unit and makes it larger."""
_ONE = "|".join(sorted([*_SMALL, *_TENS], key=len, reverse=True))
_MORE = "|".join(sorted([*_SMALL, *_TENS, *BIG], key=len, reverse=True))
WORDED = (
    rf"(?:half[ -]an?\b(?=[ -](?!half))|(?:(?:{_ONE})|an?(?=[ -](?:{'|'.join(BIG)})\b))\b"
    rf"(?:[ -](?:and[ -])?(?:{_MORE})\b)*"
    rf"(?:[ -]point(?:[ -](?:{_ONE})\b)+|[ -]and[ -]a[ -]half\b)?)"
)
"""A number in words, for a pattern that ignores case."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Number:
    """A written number: what it is worth, and how precisely it was written."""

    value: Decimal
    half: Decimal
    """Half of the last written place: the recorded value may be off by so much, inclusive."""
    digits: int
    """Significant digits as written; the end zeros of an integer count."""

    def times(self, factor: Decimal) -> "Number":
        """The same writing, a factor larger."""
        return Number(value=self.value * factor, half=self.half * abs(factor), digits=self.digits)

    def rounded(self) -> "Number":
        """The same, where the end zeros of an integer are only places: "about 1,300"."""
        _, figures, exponent = self.value.as_tuple()
        text = "".join(map(str, figures))
        kept = text.rstrip("0")
        if not kept or not isinstance(exponent, int) or len(kept) == len(text):
            return self
        half = Decimal(5).scaleb(exponent + len(text) - len(kept) - 1)
        if half <= self.half or exponent < 0:
            return self
        return Number(value=self.value, half=half, digits=len(kept))


def read(text: str, suffix: str | None = None) -> Number:
    """The number that NUMBER matched, with the suffix behind it (k, M, million ...)."""
    power = 0 if suffix is None else SUFFIXES.get(suffix) or SUFFIXES[suffix.lower()]
    if not text.isascii() or not text.replace(".", "").isdigit():
        text, more = _plain(text)
        power += more
    whole, _, fraction = text.partition(".")
    value = Decimal(text)
    return Number(
        value=value.scaleb(power) if power else value,
        half=Decimal(5).scaleb(power - len(fraction) - 1),
        digits=len((whole + fraction).lstrip("0")),
    )


def _plain(text: str) -> tuple[str, int]:
    """Digits and point alone, and the power of ten that stood behind them."""
    if _LONE_POWER.match(text):
        return "1", _exponent(text)
    power = 0
    if tail := _POWER_TAIL.match(text):
        text, power = tail["head"], _exponent(tail["power"])
    elif "e" in (low := text.lower()):
        text, _, exponent = low.partition("e")
        power = int(exponent.translate(_SUPERSCRIPTS))
    return re.sub(r"[^0-9.]", "", text), power


def in_words(text: str) -> Number | None:
    """The number that WORDED matched; None where the words make none ("two five")."""
    words = re.split(r"[ -]+", text.lower())
    if words[0] == "half":
        return Number(value=Decimal("0.5"), half=Decimal("0.05"), digits=1)
    if words[-1] == "half":
        whole = in_words(" ".join(words[:-3]))
        return whole and Number(
            value=whole.value + Decimal("0.5"), half=Decimal("0.05"), digits=whole.digits + 1
        )
    head, _, tail = " ".join(words).partition(" point ")
    whole = _whole([word for word in head.split() if word != "and"])
    if whole is None or not tail:
        return whole and whole.rounded()
    figures = [_SMALL.get(word, 10) for word in tail.split()]
    if max(figures) > 9:  # noqa: PLR2004 a digit
        return None
    return read(f"{whole.value}." + "".join(map(str, figures)))


def _whole(words: list[str]) -> Number | None:
    total, group, last = 0, 0, 10**15
    for word in words:
        if power := BIG.get(word):
            if word == "hundred":
                group = max(group, 1) * 100
            else:
                total, group = total + max(group, 1) * 10**power, 0
            last = 10**power
            continue
        number = 1 if word in {"a", "an"} else _SMALL.get(word, _TENS.get(word, 0))
        if number >= last:
            return None
        group += number
        last = 10 if number >= 20 else 1  # noqa: PLR2004 a ten takes a digit behind it
    return read(str(total + group))


FIRST_WORDS = {word: str(number) for word, number in (_SMALL | _TENS).items()}
"""Word to the number that it is at the beginning of a number in words."""
