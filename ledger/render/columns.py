"""Which column of a hand-kept table holds what: found by the words of its header, or as told."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ledger.errors import LedgerError
from ledger.render.labels import plain

ROLES = ("claim", "status", "replaced_by", "date")

# Words of header cells, the more telling ones first. What is replaced is looked for before what
# is claimed: "Name of the replacement" is no name.
_WORDS: Mapping[str, tuple[str, ...]] = {
    "replaced_by": (
        "replaced by", "superseded by", "replacement", "instead", "alternatives?", "successor",
        "new name",
    ),
    "status": ("status", "verdict", "outcome", "result", "state"),
    "date": ("date", "decided on", "^when$", "^on$", "^day$"),
    "claim": (
        "claims?", "statement", "hypothes[ie]s", "finding", "decision", "feature", "option",
        "argument", "parameter", "flag", "setting", "deprecated", "title", "name",
    ),
}  # fmt: skip
_PATTERNS = {
    role: tuple(re.compile(rf"\b{word.replace(' ', '[ _-]')}\b", re.IGNORECASE) for word in words)
    for role, words in _WORDS.items()
}
_REMOVED = re.compile(r"\b(?:removed|removal)\b", re.IGNORECASE)
_DEPRECATED = re.compile(r"\b(?:since|deprecat\w*|version)\b", re.IGNORECASE)
_NOTHING = re.compile(r"[\s—–-]*|n/?a|tbd|none", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The 0-based columns of a table; None for what it has not."""

    claim: int
    status: int | None = None
    replaced_by: int | None = None
    date: int | None = None
    removed: int | None = None
    """Where a table of deprecations without a status says since when it is removed."""
    deprecated: int | None = None
    """Where it says since when it is deprecated."""

    @property
    def deprecates(self) -> bool:
        """Whether it says of every row that it is not to be used any more."""
        return self.status is None and (
            self.replaced_by is not None or self.removed is not None or self.deprecated is not None
        )

    def deprecation(self, cells: tuple[str, ...]) -> str:
        """The label of a row of deprecations: DEPRECATED, or with what it says since when."""
        for column, words in ((self.removed, "REMOVED IN"), (self.deprecated, "DEPRECATED SINCE")):
            since = "" if column is None else plain(cells[column])
            if not _NOTHING.fullmatch(since):
                return f"{words} {since}"
        return "DEPRECATED"


def by_words(header: tuple[str, ...], mapping: Mapping[str, str]) -> Columns | None:
    """The columns that `mapping` names, and the rest by words; None without a column of claims.

    `mapping` gives the header cell of a role, by its text in any case, a part of it that no other
    has, or its 1-based number; an empty text says that the table has no such column. Raises
    LedgerError for a role or a column that is not there, and for a column named twice.
    """
    free = dict(enumerate(plain(text) for text in header))
    found: dict[str, int | None] = dict.fromkeys(ROLES)
    for role, wanted in mapping.items():
        if role not in ROLES:
            raise LedgerError(
                "bad-input", f"--map: {role!r} is not known", fix=f"one of {', '.join(ROLES)}"
            )
        if wanted.strip():
            found[role] = column = _named(header, wanted)
            if column not in free:
                raise LedgerError(
                    "bad-input",
                    f"--map: {role}={wanted} is the column of another role already",
                    fix="name each column once",
                )
            del free[column]
    for role, patterns in _PATTERNS.items():
        if role not in mapping:
            found[role] = _take(free, patterns)
    claim = found.pop("claim")
    if claim is None:
        return None
    if found["status"] is not None:
        return Columns(claim=claim, **found)
    removed = _take(free, (_REMOVED,))
    # A mere version says nothing of deprecation, unless something is to be used instead.
    telling = found["replaced_by"] is not None or removed is not None
    telling = telling or "deprecat" in " ".join(free.values()).lower()
    deprecated = _take(free, (_DEPRECATED,)) if telling else None
    return Columns(claim=claim, **found, removed=removed, deprecated=deprecated)


def _named(header: tuple[str, ...], wanted: str) -> int:
    key = " ".join(wanted.split()).casefold()
    texts = [f"{plain(text)}\n{text}".casefold().split("\n") for text in header]
    exact = [i for i, forms in enumerate(texts) if key in forms]
    if not exact and key.isdecimal() and 1 <= int(key) <= len(header):
        return int(key) - 1
    matching = exact or [i for i, forms in enumerate(texts) if any(key in form for form in forms)]
    if len(matching) == 1:
        return matching[0]
    listed = "; ".join(f"{i + 1}: {text}" for i, text in enumerate(header))
    raise LedgerError(
        "ambiguous" if matching else "not-found",
        f"{len(matching) or 'no'} columns are headed {wanted!r}: {listed}",
        fix="give more of the header's text, or the column's number",
    )


def _take(free: dict[int, str], patterns: tuple[re.Pattern[str], ...]) -> int | None:
    for pattern in patterns:
        index = next((i for i, text in free.items() if pattern.search(text)), None)
        if index is not None:
            del free[index]
            return index
    return None
