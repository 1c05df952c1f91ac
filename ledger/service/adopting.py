"""Adopting a hand-kept table: its rows become entries, a region takes its place."""

import re
from dataclasses import dataclass
from pathlib import Path

from ledger import clock, intake, render
from ledger.codec import encode, id_of
from ledger.entry import By, Claim, ReplacedBy, Supersession
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.index import record
from ledger.service.book import Book
from ledger.service.rendering import existing, shown


@dataclass(frozen=True, kw_only=True)
class Adopted:
    """What adopting a table recorded."""

    path: str
    claims: tuple[str, ...]
    supersessions: tuple[str, ...]
    new: int
    """Entries that were not in the ledger before."""
    written: bool
    warnings: tuple[str, ...]


def adopt(book: Book, path: Path, heading: str, *, accept_loss: bool = False) -> Adopted:
    """Turn an existing table of superseded claims into entries, and put the region in its place.

    The claims are citations of the document, expiring on the day they were superseded, so that
    retracting the supersession does not give them back. A second run changes nothing.
    """
    source = existing(path).read_bytes()
    _check_utf8(source, shown(path, book.ledger.root))
    table = render.read_claims_table(source, heading)
    name = shown(path, book.ledger.root)
    if table.region is not None:
        return Adopted(
            path=name,
            claims=(),
            supersessions=(),
            new=0,
            written=False,
            warnings=("this table is generated already: nothing to adopt",),
        )
    if table.losses and not accept_loss:
        raise LedgerError(
            "bad-input",
            f"{name}: adopting would lose {'; '.join(table.losses)}",
            fix="put it into another table or a kept cell first, or add --accept-loss",
        )
    tag = _region_id(book.fold, source, name, heading)
    claims, supersessions = (
        zip(*(_entries(row, name, tag) for row in table.rows), strict=True)
        if table.rows
        else ((), ())
    )
    for entry in (*claims, *supersessions):
        intake.check(entry, where=f"{name}")
    ids = tuple(id_of(encode(claim)) for claim in claims)
    # What was superseded elsewhere comes into this table too, below its own rows.
    others = render.superseded_rows(book.fold, tag=None, region=tag)
    others = tuple(row for row in others if row.claim_id not in ids)
    rows = tuple(
        render.superseded_row(None, i, c, s)
        for i, c, s in zip(ids, claims, supersessions, strict=True)
    )
    # A table whose cells stay as they are keeps its layout, to the byte.
    same = not others and not table.warnings
    kept = table.text if same else render.superseded((*rows, *others))
    text = render.wrap("superseded", tag, {}, kept)
    adopted = render.adopt(source, table, text)
    new = sum(
        record(book.ledger, entry).new
        for pair in zip(claims, supersessions, strict=True)
        for entry in pair
    )
    if adopted != source:
        render.replace(path, adopted)
    return Adopted(
        path=name,
        claims=ids,
        supersessions=tuple(id_of(encode(entry)) for entry in supersessions),
        new=new,
        written=adopted != source,
        warnings=table.warnings,
    )


def _entries(row: render.AdoptedRow, path: str, tag: str) -> tuple[Claim, Supersession]:
    if not row.status or not row.statement.strip():
        raise LedgerError(
            "bad-input",
            f"{path}:{row.line} states no {'status' if row.statement.strip() else 'claim'}",
            fix="complete the row, then adopt again",
        )
    day = row.date or clock.today()
    claim = Claim(
        recorded=clock.recorded(),
        statement=row.statement,
        by=By(name=path, role="document"),
        basis="citation",
        expires=day,
        tags=(tag,),
        markup="markdown",
    )
    replaced = (
        ReplacedBy(text=row.replaced_by, markup="markdown") if row.replaced_by is not None else None
    )
    entry = Supersession(
        recorded=clock.recorded(),
        claim=id_of(encode(claim)),
        status=row.status,
        date=day,
        replaced_by=replaced,
        shown=row.shown,
    )
    return claim, entry


def _region_id(fold: Fold, source: bytes, document: str, heading: str) -> str:
    """An id that no region of this document has, and no table of another one."""
    words = re.findall(r"[a-z0-9]+", heading.lower())
    slug = "-".join(words)[:60] or "superseded"
    taken = {region.id for region in render.find(source)}
    for claim in map(fold.claim, fold.claims):
        if claim.by.role == "document" and claim.by.name != document:
            taken.update(claim.tags)
    numbered = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (slug, *numbered) if name not in taken)


def _check_utf8(source: bytes, name: str) -> None:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise LedgerError(
            "bad-input", f"{name}:{line} is not UTF-8", fix="convert the document to UTF-8 first"
        ) from None
