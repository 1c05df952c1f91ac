"""`ledger list`: must answer at once, so what it needs is imported as it goes."""

from pathlib import Path
from typing import Any, NamedTuple

from ledger import clock
from ledger.errors import LedgerError
from ledger.index import listed
from ledger.kinds import PLURALS, STATUSES
from ledger.store import find

DEFAULT_FIELDS = {
    "claim": ("id", "status", "statement"),
    "evidence": ("id", "status", "about", "headline"),
}
FIELDS = (
    "id", "kind", "status", "statement", "headline", "basis", "by", "model", "about", "expires",
    "expects", "consult", "evidence", "instrument", "result", "quantities", "recorded_at", "path",
    "tags",
)  # fmt: skip


REMEMBERED = frozenset({"id", "kind", "status", "statement", "headline", "recorded_at"})
"""Fields that the index remembers of the last list."""


class Listing(NamedTuple):
    """Rows of a list, oldest first, and how many there are in all."""

    rows: list[dict[str, Any]]
    total: int
    warnings: tuple[str, ...] = ()


def listing(
    directory: Path,
    *,
    kind: str,
    status: str | None,
    about: dict[str, str | None],
    tag: str | None,
    names: tuple[str, ...],
    limit: int,
    as_of: str | None,
) -> Listing:
    """The latest entries of one kind with their present status, filtered.

    Raises LedgerError for a kind or status that does not exist.
    """
    _check(kind, status)
    if as_of is None and not about and tag is None and REMEMBERED.issuperset(names):
        recalled = listed.recall(
            find(directory), day=clock.today(), kind=PLURALS[kind], status=status, limit=limit
        )
        if recalled is not None:
            rows = [{name: _of(row, name) for name in names} for row in recalled.rows]
            return Listing(rows=rows, total=recalled.total)
    from ledger.service import book, query, remembering

    opened = book.open_book(directory, as_of=as_of)
    found = query.listing(opened, kind=kind, status=status, about=about, tag=tag)
    shown = found[-limit:] if limit else found
    if as_of is None and not opened.warnings:
        remembering.remember(opened.ledger, opened.fold, fingerprint=opened.loaded.fingerprint)
    return Listing(
        rows=[{name: query.field(opened, i, name) for name in names} for i in shown],
        total=len(found),
        warnings=opened.warnings,
    )


def _of(row: listed.Row, name: str) -> str:
    match name:
        case "statement":
            return row.headline
        case "recorded_at":
            return row.at
        case _:
            return str(getattr(row, name))


def _check(kind: str, status: str | None) -> None:
    if kind not in PLURALS:
        raise LedgerError(
            "bad-input", f"there is no list of {kind!r}", fix=f"one of {', '.join(PLURALS)}"
        )
    known = STATUSES if kind == "claims" else ("live", "retracted")
    if status is not None and status not in known:
        raise LedgerError(
            "bad-input", f"{kind} have no status {status!r}", fix=f"one of {', '.join(known)}"
        )


def fields(text: str | None, *, kind: str) -> tuple[str, ...]:
    """The fields of a list. Raises LedgerError for one that does not exist."""
    if text is None:
        return DEFAULT_FIELDS.get(PLURALS.get(kind, kind), ("id", "headline"))
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    unknown = [name for name in names if name not in FIELDS]
    if unknown or not names:
        raise LedgerError(
            "bad-input",
            f"there is no field {unknown[0]!r}" if unknown else "no field is named",
            fix=f"--fields with some of {', '.join(FIELDS)}",
        )
    return names
