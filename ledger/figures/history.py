"""Whether a text tells of a figure as of something that does not hold any more."""

import re

from ledger.figures.dated import Passage, sentence_ends

TELLING = (
    "superseded", "retracted", "withdrawn", "refuted", "disproved", "disproven", "debunked",
    "falsified", "discredited", "obsolete", "outdated", "out of date", "stale", "no longer",
    "not true", "untrue",
)  # fmt: skip
"""Words that say so, in any case."""
_BEING = r"(?:is|are|was|were|being|been|proved|proven|turned out)(?:\s+to\s+be)?"
_NEGATED = r"(?<!\bnot )(?<!\bnot yet )(?<!\bnot been )(?<!\bnever )(?<!\bnever been )(?<!n['’]t )"
_TELLS = re.compile(
    rf"{_NEGATED}\b(?:{'|'.join(word.replace(' ', '[ ]+') for word in TELLING)})\b(?! than\b)"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )\bused to\b"
    rf"|\b{_BEING}\s+(?:plainly\s+|simply\s+|just\s+)?wrong\b|(?-i:\bWRONG\b)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\W*(?:that|this|it|its|these|those|they|both|the (?:figure|number|claim))\b", re.IGNORECASE
)
"""How a sentence begins that goes on about the one before it."""


def telling(said: Passage) -> str | None:
    """The words by which the sentence of a figure says that it does not hold any more.

    The sentence after it counts where it goes on about the figure: "That was wrong". A table row
    counts whole. None where nothing says so, or only a negation does: "is not outdated".
    """
    found = _TELLS.search(_told(said))
    return found.group() if found else None


def _told(said: Passage) -> str:
    text = said.text
    if text.lstrip().startswith("|"):
        return text
    ends = sentence_ends(text)
    first = max((stop for stop in ends if stop <= said.begin), default=0)
    after = [stop for stop in ends if stop >= said.end]
    last = after[0] if after else len(text)
    if after and _BACK.match(text, last):
        last = after[1] if len(after) > 1 else len(text)
    return text[first:last]
