"""Documents: rendering generated regions, adopting an existing table, and what a document cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ledger import clock, intake, render
from ledger.codec import encode, id_of
from ledger.entry import By, Claim, ReplacedBy, Supersession
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.index import record
from ledger.service.book import Book
from ledger.store import Ledger

_OF_INTEREST = re.compile(rb"\[[kcevsrown]-[0-9a-f]{4}|ledger:", re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class State:
    """A region that is not current."""

    region: str
    line: int
    state: Literal["stale", "edited", "malformed"]
    detail: str


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """What rendering did to one document."""

    path: str
    stale: tuple[str, ...]
    """Regions that were (or, with check, are) behind the ledger."""
    written: bool


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


def read_all(ledger: Ledger) -> dict[str, bytes]:
    """Markdown files of the repository that cite entries or carry regions, by relative path."""
    found = {}
    for path in render.documents(ledger.root, skip=(ledger.claims,)):
        try:
            source = path.read_bytes()
        except OSError:
            continue
        if _OF_INTEREST.search(source):
            found[path.relative_to(ledger.root).as_posix()] = source
    return found


def cited(source: bytes) -> list[tuple[int, str]]:
    """Line and id (or prefix) of each citation outside generated regions."""
    try:
        spans = [range(r.begin_line, r.end_line + 1) for r in render.find(source)]
    except LedgerError:
        spans = []
    return [
        (citation.line, citation.id_prefix)
        for citation in render.citations(source)
        if not any(citation.line in span for span in spans)
    ]


def states(fold: Fold, source: bytes) -> list[State]:
    """The regions of a document that are stale, edited by hand or malformed."""
    try:
        regions = render.find(source)
    except LedgerError as error:
        return [_malformed(error)]
    if not regions:
        return []
    try:
        stale = render.rewrite(source, lambda region: body(fold, region)).stale
    except LedgerError as error:
        line = next((r.begin_line for r in regions if f"line {r.begin_line}" in error.message), 1)
        return [
            State(
                region="of this file",
                line=line,
                state="edited" if error.code == "edited-region" else "malformed",
                detail=error.message.split("\n", 1)[0],
            )
        ]
    return [
        State(
            region=f"{region.view} id={region.id}",
            line=region.begin_line,
            state="stale",
            detail="rows that the ledger no longer gives",
        )
        for region in stale
    ]


def _malformed(error: LedgerError) -> State:
    line = re.search(r"line (\d+)", error.message)
    return State(
        region="markers",
        line=int(line[1]) if line else 1,
        state="malformed",
        detail=error.message.split("\n", 1)[0],
    )


def body(fold: Fold, region: render.Region) -> str:
    """What the ledger says now in a region."""
    rows = superseded_rows(fold, tag=region.options.get("tag"), region=region.id)
    return render.VIEWS[region.view].body(rows)


def superseded_rows(
    fold: Fold, *, tag: str | None, region: str
) -> tuple[render.SupersededRow, ...]:
    """Superseded claims, those of the hand-kept table first, each in the order of recording.

    With a tag, those that carry it. Without, every claim; but a claim that was adopted from a
    document only in the region that its table became, whose id it carries as a tag.
    """
    rows = []
    for claim_id, ids in fold.supersessions.items():
        entry = fold.entries[ids[-1]]
        if claim_id not in fold.claims or claim_id in fold.retracted:
            continue
        claim = fold.claim(claim_id)
        if isinstance(entry, Supersession) and _belongs(claim, tag, region):
            # A supersession that is said again stays where the first one put it.
            first = fold.entries[ids[0]].recorded.at
            place = (claim.by.role != "document", first, ids[0])
            rows.append((place, _row(fold, claim_id, claim, entry)))
    return tuple(row for _, row in sorted(rows, key=lambda item: item[0]))


def _belongs(claim: Claim, tag: str | None, region: str) -> bool:
    if tag is not None:
        return tag in claim.tags
    return claim.by.role != "document" or region in claim.tags


def _row(
    fold: Fold | None, claim_id: str, claim: Claim, entry: Supersession
) -> render.SupersededRow:
    """A row as the ledger says it; without a fold, as a document that is being adopted says it."""
    by = entry.replaced_by or ReplacedBy()
    text, markup = by.text, by.markup
    if fold is not None and by.claim is not None and by.claim in fold.claims:
        replacement = fold.claim(by.claim)
        text, markup = replacement.statement, replacement.markup
    return render.SupersededRow(
        claim_id=claim_id,
        statement=claim.statement,
        markup=claim.markup,
        status=entry.status,
        date=entry.date,
        shown=entry.shown,
        replaced_by_text=text,
        replaced_by_markup=markup,
        replaced_by_claim=by.claim,
    )


def render_files(
    book: Book, files: Sequence[Path], *, check: bool, accept_loss: bool = False
) -> list[Rendered]:
    """Bring the regions of these files up to date; without files, of every document.

    Every file is looked at before the first is written. Raises LedgerError for a file that cannot
    be read, broken markers, and a region edited by hand.
    """
    root = book.ledger.root
    paths = [_existing(path) for path in files] or [root / name for name in read_all(book.ledger)]
    rewrites = []
    for path in paths:
        source = path.read_bytes()
        try:
            found = render.rewrite(
                source, lambda region: body(book.fold, region), accept_loss=accept_loss
            )
        except LedgerError as error:
            shown = _shown(path, root)
            raise LedgerError(error.code, f"{shown}: {error.message}", fix=error.fix) from None
        if files and not render.find(source):
            raise LedgerError(
                "bad-input",
                f"{_shown(path, root)} has no generated region",
                fix="put <!-- BEGIN ledger:superseded id=main --> and "
                "<!-- END ledger:superseded id=main --> on lines of their own, or ledger adopt",
            )
        if render.find(found.source):
            rewrites.append((path, source, found))
    done = []
    for path, source, found in rewrites:
        write = not check and found.source != source
        if write:
            render.replace(path, found.source)
        done.append(
            Rendered(
                path=_shown(path, root),
                stale=tuple(f"{r.view} id={r.id}" for r in (*found.stale, *found.edited)),
                written=write,
            )
        )
    return done


def _check_utf8(source: bytes, name: str) -> None:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise LedgerError(
            "bad-input", f"{name}:{line} is not UTF-8", fix="convert the document to UTF-8 first"
        ) from None


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise LedgerError("bad-input", f"there is no file {path}", fix="name a Markdown file")
    return path


def _shown(path: Path, root: Path) -> str:
    whole = path.resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(path)


def adopt(book: Book, path: Path, heading: str, *, accept_loss: bool = False) -> Adopted:
    """Turn an existing table of superseded claims into entries, and put the region in its place.

    The claims are citations of the document, expiring on the day they were superseded, so that
    retracting the supersession does not give them back. A second run changes nothing.
    """
    source = _existing(path).read_bytes()
    _check_utf8(source, _shown(path, book.ledger.root))
    table = render.read_claims_table(source, heading)
    name = _shown(path, book.ledger.root)
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
    others = superseded_rows(book.fold, tag=None, region=tag)
    others = tuple(row for row in others if row.claim_id not in ids)
    rows = tuple(_row(None, i, c, s) for i, c, s in zip(ids, claims, supersessions, strict=True))
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
