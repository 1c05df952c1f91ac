"""Adding an entry to an opened ledger."""

from dataclasses import dataclass, replace
from typing import NamedTuple

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
from ledger.service import remembering
from ledger.service.book import Book
from ledger.store.scanning import Scan


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

    def saying(self, *messages: str) -> "Added":
        """The same with more messages."""
        return replace(self, messages=(*self.messages, *messages))


def add(book: Book, entry: Entry, *, start: str | None = None, dry_run: bool = False) -> Added:
    """Write one entry durably and fold again.

    `start` names the entry whose dependents the impact is explained from. Recording the same thing
    again changes nothing and answers with the present state.
    """
    where = f"this {kind_of(entry)}"
    intake.check(entry, where=where)
    entry_id = id_of(encode(entry))
    path = None
    new = entry_id not in book.entries
    if not dry_run:
        written = index.record(book.ledger, entry)
        path = written.path
        new = written.new
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
    if new and path is not None and not book.warnings:
        _remember(book, after, path)
    impact = None
    if start is not None and new:
        impact = compare(book.fold, after, cause=entry_id, start=start, correction=True)
    return Added(
        id=entry_id,
        kind=kind_of(entry),
        new=new,
        path=path,
        after=after,
        impact=impact,
    )


def _remember(book: Book, after: Fold, path: str) -> None:
    """Spare the next list this fold, unless another process has recorded something meanwhile."""
    found = store.scan(book.ledger)
    before = Scan(files={p: s for p, s in found.files.items() if p != path}, problems=())
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
