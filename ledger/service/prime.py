"""The short text that an agent starts from: under 1,000 tokens."""

from typing import Any

from ledger import canonical
from ledger.entry import Scope, Supersession
from ledger.service import query
from ledger.service.book import Book
from ledger.wording import brief

SHOWN = 8
"""At most this many claims of each sort."""
LIMIT = 4_000
"""Characters in the text, and in the JSON document, at most: about 1,000 tokens."""
_BRIEF = 60
_ENVELOPE = 40
_ESCAPED = 9
"""Characters that a front end writes for one that is not printable: `\\u{e0001}`."""

_HOW = """\
# Evidence ledger
Claims need a linked measurement or an expiry date. Derivations and agreement settle nothing.
- ledger claim "TEXT" --by NAME --expires 90d --expects "attention_share >= 0.6" --about KEY=VALUE
- ledger evidence add --instrument NAME@VERSION --about KEY=VALUE --value NAME=VALUE:UNIT
- ledger probe run NAME FILE --claim c-ID   (ledger probe list)
- ledger settle c-ID e-ID --supports|--refutes
- ledger supersede c-ID --status WRONG --replaced-by TEXT
- ledger audit;  ledger impact ID;  ledger show ID;  ledger search WORDS
Cite claims in documents as [c-…]. Never edit files in claims/: a correction is a new entry."""


def prime(book: Book, *, about: Scope) -> dict[str, Any]:
    """Counts, open claims by expiry, what needs attention, and what was withdrawn last.

    At most `SHOWN` of each, and fewer where the text would be longer than `LIMIT`.
    """
    return next(
        data
        for data in (_data(book, about=about, shown=shown) for shown in range(SHOWN, -1, -1))
        if not any(data[key] for key in ("open", "attention", "withdrawn"))
        or max(_length(as_text(data)), _length(canonical.compact(data))) <= LIMIT - _ENVELOPE
    )


def _length(text: str) -> int:
    return sum(1 if char.isprintable() or char == "\n" else _ESCAPED for char in text)


def _data(book: Book, *, about: Scope, shown: int) -> dict[str, Any]:
    fold = book.fold
    ids = query.listing(book, about=about)
    counts: dict[str, int] = {}
    for i in ids:
        counts[fold.claims[i].status] = counts.get(fold.claims[i].status, 0) + 1
    still_open = sorted(
        (fold.claims[i].expires or "9999", i)
        for i in ids
        if fold.claims[i].status in {"provisional", "derived"}
    )
    troubled = [i for i in ids if fold.claims[i].status in {"fallen", "disputed", "expired"}]
    withdrawn = [i for i in reversed(ids) if fold.claims[i].status in {"superseded", "refuted"}]
    return {
        "counts": counts,
        "open": [_row(book, i) for _, i in still_open[:shown]],
        "open_total": len(still_open),
        "attention": [_row(book, i) for i in troubled[:shown]],
        "attention_total": len(troubled),
        "withdrawn": [_row(book, i) for i in withdrawn[:shown]],
        "withdrawn_total": len(withdrawn),
    }


def _row(book: Book, claim_id: str) -> dict[str, Any]:
    state = book.fold.claims[claim_id]
    row = {
        "id": claim_id,
        "status": state.status,
        "expires": state.expires,
        "statement": brief(book.fold.claim(claim_id).statement, _BRIEF),
    }
    entry = book.fold.entries.get(state.superseded_by or "")
    if isinstance(entry, Supersession) and entry.replaced_by:
        row["instead"] = brief(entry.replaced_by.text or entry.replaced_by.claim or "", _BRIEF)
    return row


def as_text(data: dict[str, Any]) -> str:
    """The same in Markdown."""
    counts = ", ".join(f"{n} {status}" for status, n in data["counts"].items()) or "no claims yet"
    lines = [_HOW, "", f"Now: {counts}."]
    for key, title in (
        ("open", "Open: settle these before they expire"),
        ("attention", "Fallen, disputed or expired: do not build on these"),
        ("withdrawn", "Withdrawn: do not propose again"),
    ):
        total = data[f"{key}_total"]
        if not total:
            continue
        more = f" ({len(data[key])} of {total})" if total > len(data[key]) else ""
        lines.append(f"\n## {title}{more}")
        for row in data[key]:
            until = f" until {row['expires']}" if key == "open" else f" ({row['status']})"
            instead = f" -> {row['instead']}" if row.get("instead") else ""
            lines.append(f"- {row['id']}{until}: {row['statement']}{instead}")
    return "\n".join(lines)
