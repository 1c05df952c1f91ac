"""Adding an entry to an opened ledger."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from msgspec import Struct

from ledger import index, intake, store
from ledger.codec import encode, id_of, kind_of
from ledger.entry import (
    Claim,
    Consult,
    Entry,
    Evidence,
    Note,
    Rescope,
    Supersession,
    Verdict,
)
from ledger.errors import LedgerError
from ledger.fold import Fold, fold
from ledger.impact import Impact, compare
from ledger.references import fields_of
from ledger.service import remembering
from ledger.service.book import Book
from ledger.store.scanning import Scan


class Noted(Struct, frozen=True, kw_only=True):
    """An artifact whose note changed."""

    id: str | None
    """The note entry that was recorded; None where older notes say something else now."""
    artifact: str
    files: tuple[str, ...]
    """The files that were written (for a dry run: would be), relative to the ledger's root."""
    problem: str | None = None
    """Why a file could not be written."""


class Followed(Struct, frozen=True, kw_only=True):
    """The ledger after the notes that follow from an entry."""

    after: Fold
    notes: tuple[Noted, ...] = ()
    paths: tuple[str, ...] = ()
    """The files of the note entries that are new."""


@dataclass(frozen=True, kw_only=True)
class Added:
    """An entry as recorded, with what changed by it."""

    id: str
    kind: str
    new: bool
    """False when the same thing had been recorded before."""
    path: str | None
    """Relative to the ledger's root; None for a dry run."""
    after: Fold
    messages: tuple[str, ...] = ()
    """What the recorder should know, for stderr."""
    impact: Impact | None = None
    notes: tuple[Noted, ...] = ()
    """Artifacts whose notes changed with it."""
    dry_run: bool = False
    """Whether it was only to be shown what would follow."""

    def saying(self, *messages: str) -> "Added":
        """The same with more messages."""
        return replace(self, messages=(*self.messages, *messages))


def add(
    book: Book,
    entry: Entry,
    *,
    start: str | None = None,
    dry_run: bool = False,
    accept_loss: bool = False,
) -> Added:
    """Write one entry durably, fold again, and let the notes beside artifacts follow.

    `start` names the entry whose dependents the impact is explained from. Recording the same thing
    again changes nothing and answers with the present state. `accept_loss` overwrites notes that
    were edited by hand.
    """
    where = f"this {kind_of(entry)}"
    intake.check(entry, where=where)
    entry_id = id_of(encode(entry))
    path = None
    new = entry_id not in book.entries
    if not dry_run:
        stored = index.record(book.ledger, entry)
        path = stored.path
        new = stored.new
    entries = {**book.entries}
    entries.setdefault(entry_id, entry)
    after = fold(entries, as_of=book.as_of)
    if not new and path is not None and (why := _not_in_force(after, entry_id)) is not None:
        raise LedgerError(
            "refused",
            f"{entry_id} says this already, but is not in force: {why.reason}",
            fix=f"ledger retract {why.entry} --reason TEXT gives it back; "
            "or say it again in other words (reason, note or replacement)",
        )
    impact = None
    if start is not None and new:
        impact = compare(book.fold, after, cause=entry_id, start=start, correction=True)
    followed = _follow(book, after, entry_id, dry_run=dry_run, accept_loss=accept_loss)
    written = [item for item in (path if new else None, *followed.paths) if item is not None]
    if written and not book.warnings:
        _remember(book, followed.after, written)
    return Added(
        id=entry_id,
        kind=kind_of(entry),
        new=new,
        path=path,
        after=followed.after,
        impact=impact,
        notes=followed.notes,
        dry_run=dry_run,
    )


def _follow(
    book: Book, after: Fold, entry_id: str, *, dry_run: bool, accept_loss: bool
) -> Followed:
    if not any(map(names_artifacts, after.entries.values())):
        return Followed(after=after)
    from ledger.service.notes.following import follow

    return follow(
        book.ledger,
        book.fold,
        after,
        entry_id=entry_id,
        dry_run=dry_run,
        accept_loss=accept_loss,
    )


def names_artifacts(entry: Entry) -> bool:
    """Whether an entry is about an artifact's fields, so that notes may follow from it."""
    return isinstance(entry, Note) or bool(fields_of(entry))


def _remember(book: Book, after: Fold, written: list[str]) -> None:
    """Spare the next list this fold, unless another process has recorded something meanwhile."""
    found = store.scan(book.ledger)
    before = Scan(files={p: s for p, s in found.files.items() if p not in written}, problems=())
    if not found.problems and before.fingerprint() == book.loaded.fingerprint:
        remembering.remember(book.ledger, after, fingerprint=found.fingerprint())


class _Overridden(NamedTuple):
    entry: str
    """What stands in the way."""
    reason: str


def _not_in_force(folded: Fold, entry_id: str) -> _Overridden | None:
    """Why a correction that was recorded before has no effect now; None where it has."""
    entry = folded.entries[entry_id]
    if isinstance(entry, Claim | Consult | Evidence | Note):
        return None
    if (by := folded.retracted.get(entry_id)) is not None:
        return _Overridden(by, f"{by} took it back")
    later: str | None = None
    match entry:
        case Supersession(claim=claim):
            later = folded.supersessions[claim][-1]
        case Verdict(claim=claim, evidence=evidence):
            links = folded.claims[claim].links
            later = next((x.source for x in links if x.evidence == evidence), None)
        case Rescope(evidence=evidence):
            later = folded.evidence[evidence].rescopes[-1]
        case _:
            return None
    return None if later in {None, entry_id} else _Overridden(str(later), f"{later} came later")
