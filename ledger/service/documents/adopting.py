"""Adopting a hand-kept table: its rows become entries, a region takes its place."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ledger import canonical, clock, index, intake, render
from ledger.entry import Supersession
from ledger.errors import LedgerError
from ledger.fold import Fold, fold
from ledger.render.adopt import ClaimsTable, Remark, read_claims_table
from ledger.render.adopt import adopt as in_place
from ledger.render.choosing import Wanted
from ledger.render.layout import kept
from ledger.service.book import Book
from ledger.service.disk import shown
from ledger.service.documents.adding_rows import added_rows, check_shown
from ledger.service.documents.adopted_rows import pairs_of, table_row
from ledger.service.documents.rendering import read_document

_PATH_DIGITS = 4
"""Hex digits of the document's path in the id of its table."""


@dataclass(frozen=True, kw_only=True)
class Adopted:
    """What adopting a table recorded."""

    path: str
    claims: tuple[str, ...]
    """In the order of the rows."""
    statements: tuple[str, ...]
    """What each of them says, as Markdown source."""
    supersessions: tuple[str, ...]
    new: int
    """Entries that were not in the ledger before."""
    written: bool
    warnings: tuple[str, ...]


def adopt(
    book: Book,
    path: Path,
    wanted: Wanted,
    *,
    accept_loss: bool = False,
    dry_run: bool = False,
) -> Adopted:
    """Turn an existing table of claims into entries, and put a region in its place.

    The claims are citations of the document. A superseded one expires on the day it was superseded,
    so that retracting the supersession does not give it back; one that stands after 90 days, or
    when its row says. A second run changes nothing, but for rows that were added below by hand.
    """
    source = read_document(path)
    name = shown(path, book.ledger.root)
    _check_utf8(source, name)
    read = read_claims_table(source, wanted)
    table = read if read.region is None else added_rows(book.fold, source, read, wanted)
    if table is None:
        return _nothing(name, read.region)
    _check_table(name, table, accept_loss=accept_loss)
    tag = table.region.id if table.region else _region_id(book.fold, source, name, table)
    pairs = pairs_of(book.fold, table, name, _tags(table, tag))
    found = {i: entry for pair in pairs for i, entry in pair.entries()}
    new = {i: entry for i, entry in found.items() if i not in book.entries}
    for entry in new.values():
        intake.check(entry, where=name)
    after = fold({**book.entries, **new}, as_of=book.as_of)
    check_shown(book.fold, after, table, name)
    adopted = in_place(source, table, _region(after, table, tag))
    if not dry_run:
        index.record_all(book.ledger, tuple(found.values()))
        render.replace(path, adopted)
    return Adopted(
        path=name,
        claims=tuple(pair.claim_id for pair in pairs),
        statements=tuple(pair.claim.statement for pair in pairs),
        supersessions=tuple(i for i, entry in found.items() if isinstance(entry, Supersession)),
        new=len(new),
        written=not dry_run,
        warnings=tuple(_warnings(name, table)),
    )


def _check_table(name: str, table: ClaimsTable, *, accept_loss: bool) -> None:
    if table.losses and not accept_loss:
        lost = "; ".join(f"{name}:{loss.line}: {loss.text}" for loss in table.losses)
        raise LedgerError(
            "bad-input",
            f"adopting would lose cells: {lost}",
            fix="escape the pipe or give the header the column first, or add --accept-loss",
        )
    if table.view == "claims" and not table.rows and table.region is None:
        raise LedgerError(
            "bad-input",
            f"{name}:{table.begin_line}: the table has no rows",
            fix="adopt it when it has some",
        )


def _nothing(name: str, region: render.Region | None) -> Adopted:
    """For a table that is generated already. Raises LedgerError where it was edited by hand."""
    if region is not None and region.edited:
        raise LedgerError(
            "edited-region",
            f"{name}:{region.begin_line}: {region.view} id={region.id} was edited by hand, not"
            " only by rows at the end of its table: nothing is adopted",
            fix=f"record the change as an entry or undo it; ledger render {name} shows it, and "
            "with --accept-loss gives it up",
        )
    said = "this table is generated already: nothing to adopt"
    return Adopted(
        path=name,
        claims=(),
        statements=(),
        supersessions=(),
        new=0,
        written=False,
        warnings=(said,),
    )


def _tags(table: ClaimsTable, tag: str) -> tuple[str, ...]:
    """What a row must carry to be in its region."""
    options = table.region.options if table.region is not None else {}
    chosen = [render.decoded(options["tag"])] if "tag" in options else []
    return tuple(dict.fromkeys([tag, *chosen]))


def _region(after: Fold, table: ClaimsTable, tag: str) -> str:
    """The region with what the ledger says once the rows are in it, in the layout of the table."""
    options = table.region.options if table.region is not None else {}
    body = render.VIEWS[table.view].body(render.Request(fold=after, id=tag, options=options))
    return render.wrap(table.view, tag, options, kept(table.text, body))


def _region_id(before: Fold, source: bytes, document: str, table: ClaimsTable) -> str:
    """An id that no region of this document has, and no table of another one.

    Nor a table of this document with other rows, so that those do not come back with it. The
    document's path is in it, so that the same heading in two documents on two branches makes two.
    """
    words = re.findall(r"[a-z0-9]+", table.heading.lower())
    own = canonical.sha256(document.encode("utf-8", "surrogateescape"))[:_PATH_DIGITS]
    slug = f"{'-'.join(words)[:60].rstrip('-') or table.view}-{own}"
    taken = {region.id for region in render.find(source)}
    mine = {table_row(row, table) for row in table.rows}
    for claim in map(before.claim, before.claims):
        if claim.by.role == "document" and (claim.by.name != document or claim.row not in mine):
            taken.update(claim.tags)
    numbered = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return next(name for name in (slug, *numbered) if name not in taken)


def _warnings(name: str, table: ClaimsTable) -> Iterator[str]:
    """Each once, with the line of the first row that it is about."""
    past = (
        Remark(line=row.line, text=f"it was to be reviewed by {row.review}: it has expired")
        for row in table.rows
        if not row.superseded and row.review is not None and row.review < clock.today()
    )
    yield from _grouped(name, [*table.losses, *table.warnings, *past])


def _grouped(name: str, remarks: Iterable[Remark]) -> Iterator[str]:
    lines: dict[str, list[int]] = {}
    for remark in remarks:
        lines.setdefault(remark.text, []).append(remark.line)
    for text, found in lines.items():
        more = f" (the same of {len(found) - 1} more)" if len(found) > 1 else ""
        yield f"{name}:{found[0]}: {text}{more}"


def _check_utf8(source: bytes, name: str) -> None:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise LedgerError(
            "bad-input", f"{name}:{line} is not UTF-8", fix="convert the document to UTF-8 first"
        ) from None
