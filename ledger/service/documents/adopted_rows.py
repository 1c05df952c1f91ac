"""The entries that the rows of a hand-kept table become."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ledger import clock
from ledger.codec import encode, id_of
from ledger.entry import By, Claim, Entry, ReplacedBy, Supersession, TableRow
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.render.adopt import ClaimsTable
from ledger.render.adopted import AdoptedRow

STANDING_DAYS = 90
"""How long the claim of a row that still stands may go unmeasured, where it states no date."""


class Pair(Struct, frozen=True, kw_only=True):
    """The entries of a row."""

    claim: Claim
    claim_id: str
    supersession: Supersession | None

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Each with its id."""
        yield self.claim_id, self.claim
        if self.supersession is not None:
            yield id_of(encode(self.supersession)), self.supersession


def pairs_of(
    before: Fold, table: ClaimsTable, document: str, tags: tuple[str, ...]
) -> tuple[Pair, ...]:
    """The entries of every row, in order; those of rows that were adopted before as they are.

    Raises LedgerError for a row that states no claim or no status.
    """
    return tuple(_known(before, [_pair(row, table, document, tags) for row in table.rows]))


def _pair(row: AdoptedRow, table: ClaimsTable, name: str, tags: tuple[str, ...]) -> Pair:
    if not row.status or not row.statement.strip():
        raise LedgerError(
            "bad-input",
            f"{name}:{row.line} states no {'status' if row.statement.strip() else 'claim'}",
            fix="complete the row, or give the label of such rows as --status LABEL"
            if row.statement.strip()
            else "complete or remove the row, then adopt again",
        )
    day = row.date or clock.today()
    standing = row.review or clock.plus_days(clock.today(), STANDING_DAYS)
    claim = Claim(
        recorded=clock.recorded(),
        statement=row.statement,
        by=By(name=name, role="document"),
        basis="citation",
        expires=day if row.superseded else standing,
        tags=tags,
        markup="markdown",
        row=table_row(row, table),
    )
    claim_id = id_of(encode(claim))
    return Pair(
        claim=claim,
        claim_id=claim_id,
        supersession=_supersession(row, claim_id, day) if row.superseded else None,
    )


def table_row(row: AdoptedRow, table: ClaimsTable) -> TableRow | None:
    """The row as a claim keeps it; None where the view of superseded claims shows all of it."""
    if table.view == "superseded":
        return None
    return TableRow(
        number=row.number,
        header=table.header,
        cells=row.cells,
        claim=table.columns.claim,
        status=table.columns.status,
        replaced_by=table.columns.replaced_by,
    )


def _supersession(row: AdoptedRow, claim_id: str, day: str) -> Supersession:
    replaced = (
        ReplacedBy(text=row.replaced_by, markup="markdown") if row.replaced_by is not None else None
    )
    return Supersession(
        recorded=clock.recorded(),
        claim=claim_id,
        status=row.status,
        date=day,
        replaced_by=replaced,
        shown=row.shown,
    )


def _known(before: Fold, pairs: list[Pair]) -> list[Pair]:
    """The pairs, with the claims that were adopted from the same rows on another day.

    Their dates count from that day: recording them anew would show each row twice.
    """
    same = {
        (claim.by.name, claim.tags, claim.row): i
        for i in before.claims
        if (claim := before.claim(i)).row is not None and claim.by.role == "document"
    }
    ever = {e.claim for e in before.entries.values() if isinstance(e, Supersession)}
    found = []
    for pair in pairs:
        claim = pair.claim
        known = same.get((claim.by.name, claim.tags, claim.row)) if claim.row else None
        if known is None:
            found.append(pair)
            continue
        said = pair.supersession if known not in ever else None
        again = replace(said, claim=known) if said is not None else None
        found.append(Pair(claim=before.claim(known), claim_id=known, supersession=again))
    return found
