"""What a statement is about: its content words, to tell its figures from others of that size."""

import re

from ledger.units import UNITS

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_PARTS = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SHORTEST_PART = 3

# Articles, pronouns, prepositions, auxiliaries, and the verbs and nouns that any statement about a
# figure has: two texts that share only these share no subject.
_COMMON = frozenset(
    """
    a an and any are as at be been being both but by can could did do does done each either every
    few for from had has have he her here him his how i if in into is it its just less like may me
    might more most much must my near no none nor not now of off on once one only or other our out
    over own per she should since so some still such than that the their them then there these they
    this those through to too under until up upon us very was we were what when where whether which
    while who whom why will with within without would yet you your first last two three ten never
    always also about above after again against all almost along already although among around
    approx approximately because before below beside besides between beyond currently despite during
    exactly except least nearly often out rather roughly same several therefore thus together
    toward towards unless versus via
    add added amount amounts average become becomes claim claims cost costs drop drops equal equals
    estimate estimated fall falls figure figures get gets give gives go goes increase increases
    keep keeps make makes maximum mean means measure measured measurement median minimum need needed
    needs new number numbers old ratio reach reaches result results rise rises say says show shows
    spend spends spent stay stays take takes taken total true false use used uses using value values
    want wants wrong
    sec secs second seconds minute minutes mins hr hrs hour hours day days week weeks month months
    year years millisecond milliseconds microsecond microseconds nanosecond nanoseconds percent
    percentage byte bytes kilobyte kilobytes megabyte megabytes gigabyte gigabytes terabyte
    terabytes watt watts joule joules hertz times fold
    """.split()  # noqa: SIM905 - a hundred quoted words are harder to read
)
_COUNTED = frozenset(name for name, unit in UNITS.items() if unit.family.startswith("count of "))
"""Units that are things, too: `1,312 steps` says how many, `a step takes 44 s` is about a step."""
_UNITS = (
    frozenset(word.casefold() for name in UNITS for word in re.findall(r"[^\W\d_]+", name))
    - _COUNTED
)
_AFTER_NUMBER = re.compile(r"[0-9][kKMB]?[ \u00a0\u202f-]?\Z")


def words(text: str) -> dict[str, str]:
    """The content words of a text: a form that singular and plural share, to the word as written.

    Identifiers such as `warmup_ratio` and `encodeCache` count whole and in their parts. Case does
    not count, nor do numbers, units, single letters and words that any statement has.
    """
    found: dict[str, str] = {}
    for match in _IDENTIFIER.finditer(text):
        whole = match.group()
        if whole.casefold() in _COUNTED and _AFTER_NUMBER.search(text, 0, match.start()):
            continue
        parts = [part for part in _PARTS.split(whole) if len(part) >= _SHORTEST_PART]
        for word in (whole, *parts):
            folded = word.casefold()
            if len(folded) > 1 and folded not in _COMMON and folded not in _UNITS:
                found.setdefault(_singular(folded), word)
    return found


def _singular(word: str) -> str:
    """`caches`, `cache`: `cach`; `boxes`, `box`: `box`; `entries`, `entry`: `entry`."""
    if len(word) <= _SHORTEST_PART or word.endswith("ss"):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word.removesuffix("s").removesuffix("e")
