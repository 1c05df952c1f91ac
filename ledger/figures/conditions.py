"""Figures of a statement that only say where it holds: "more than half at 16,384 tokens"."""

import re

from ledger.entry import Figure
from ledger.figures.context import BETWEEN, REACH
from ledger.figures.matching import Occurrence, places
from ledger.figures.numbers import SUFFIX
from ledger.units import UNITS

_ARTICLE = r"(?:(?:an?|the|its|each|every|all|any|some|this)\s+)?"
_ROUGHLY = r"(?:(?:about|around|roughly|nearly|almost|approximately|~)\s*)?[~≈*`\"“]*"
_SIZE = r"(?:[\w-]+\s+){1,3}of\s+"
"""`at a context of`, `for batches of`."""
_BEFORE = re.compile(
    rf"(?:\b(?:at|for|with|on)\s+{_ARTICLE}|\b(?:at|for|on)\s+{_SIZE}|\bof\s+(?:an?|the)\s+"
    rf"|[A-Za-z_]\s?=\s?"
    rf"|\b(?P<bound>beyond|above|below|up\s+to|over|under|from|past|until|after)\s+{_ARTICLE})"
    rf"{_ROUGHLY}\Z",
    re.IGNORECASE,
)
_LINK = re.compile(rf"(?:{SUFFIX})?{BETWEEN}")
_TO = re.compile(r"\s+(?:down\s+|up\s+)?to\b|\s?(?:→|->)")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|being|stays?|takes?|took|needs?|uses?|used|reaches|reached|holds?"
    r"|has|have|had|costs?|lasts?|remains?|rises|rose|falls|fell|grows|grew|goes|went|gets|got|runs"
    r"|ran|reads|sees|saw|trains|trained|weighs|fills|peaks|well|far|just)\s+\Z",
    re.IGNORECASE,
)
"""Before `above` and the like: the bound is what the claim says."""


def conditions(statement: str) -> frozenset[Figure]:
    """The counts and sizes that a statement names as conditions wherever it states them.

    Times, shares, factors and rates are what a claim says, wherever they stand.
    """
    found: dict[Figure, bool] = {}
    before: Occurrence | None = None
    conditional = False
    for place in places(statement):
        linked = before is not None and _LINK.fullmatch(statement, before.end, place.begin)
        conditional = _counted(place.figure) and (
            conditional if linked else _is_condition(statement, place)
        )
        found[place.figure] = conditional and found.get(place.figure, True)
        before = place
    return frozenset(figure for figure, only in found.items() if only)


def _counted(figure: Figure) -> bool:
    family = UNITS[figure.unit].family
    return family == "bytes" or family.startswith("count of ")


def _is_condition(statement: str, place: Occurrence) -> bool:
    head = statement[max(0, place.begin - REACH) : place.begin]
    found = _BEFORE.search(head)
    if found is None:
        return False
    if found["bound"] is None:
        return True
    # "shrinks from 609 MB to 145 MB" says both.
    changes = found["bound"].lower() == "from" and _TO.match(statement, place.end)
    return not changes and _VERB.search(head[: found.start()]) is None
