"""Saying what is wrong with an artifact: a note entry, and the files beside the artifact."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET

from ledger import clock
from ledger.entry import By, Note, NoteField, Recheck
from ledger.errors import LedgerError
from ledger.kinds import SIDECAR_SUFFIX
from ledger.provenance import pointers, reading
from ledger.provenance.missing import missing
from ledger.service.adding import Added, add
from ledger.service.artifacts import read_artifact
from ledger.service.book import Book
from ledger.service.checks import check_live
from ledger.service.disk import shown
from ledger.service.notes import following, rechecking
from ledger.service.notes.files import NoteFiles
from ledger.service.notes.region import MARKDOWN
from ledger.service.notes.said import Said, Statement
from ledger.service.notes.values import actual_value, refuse_secret, withheld


def note(
    book: Book, path: Path, said: Said, *, accept_loss: bool = False, dry_run: bool = False
) -> Added:
    """Record what is said of an artifact, then write the note beside it.

    Without a statement, what follows from the ledger for this artifact and is missing is recorded.
    The artifact is only read. Raises LedgerError, with nothing recorded, for a pointer that names
    nothing, evidence that was retracted, a re-check that its measurement belies, a note
    that was edited by hand (unless `accept_loss`) and a file of another kind in the note's place.
    """
    statements = said.fields()
    if not statements and not said.rechecked:
        name = shown(path, book.ledger.root)
        return _followed(book, name, accept_loss=accept_loss, dry_run=dry_run)
    if path.name == MARKDOWN or path.name.endswith(SIDECAR_SUFFIX):
        raise LedgerError(
            "bad-input",
            f"{path} is a note itself",
            fix="name the artifact; ledger retract n-ID --reason TEXT takes a note back",
        )
    read = read_artifact(book.ledger.root, path)
    data = reading.read(read.source, name=str(path)).data
    evidence = tuple(dict.fromkeys(_live(book, text) for text in said.evidence))
    rechecked = tuple(_rechecks(book, said, data, evidence))
    _check_pointers(said, statements, rechecked)
    vouched = _vouched(book, data, rechecked, name=str(path))
    made = [_field(item, said, data, evidence) for item in statements]
    entry = Note(
        recorded=clock.recorded(),
        artifact=read.artifact,
        fields=tuple(item.field for item in made),
        rechecked=rechecked,
        by=By(name=said.by) if said.by else None,
    )
    intended = add(book, entry, dry_run=True)
    # First as the files are to be now: what was edited is shown without what the entry will change.
    for folded in (book.fold, intended.after):
        beside = NoteFiles(folded, book.ledger.root)
        if read.artifact.path in beside.noted:
            beside.check(read.artifact.path, accept_loss=accept_loss)
    added = intended if dry_run else add(book, entry, accept_loss=accept_loss)
    return added.saying(*(item.message for item in made if item.message), *vouched)


def _live(book: Book, text: str) -> str:
    evidence_id = book.resolve(text, "evidence")
    check_live(book, evidence_id)
    return evidence_id


def _rechecks(book: Book, said: Said, data: Any, evidence: tuple[str, ...]) -> Iterator[Recheck]:
    for text in dict.fromkeys(said.rechecked):
        pointer, equals, after = text.rpartition("=")
        if not equals or not after.startswith("e-"):
            pointer, ids = text, evidence
        else:
            ids = (_live(book, after),)
        pointers.value_at(data, pointer)
        if not ids:
            raise LedgerError(
                "bad-input",
                f"--rechecked {text} names no measurement",
                fix=f"--rechecked {pointer}=e-ID, or add --evidence e-ID",
            )
        for evidence_id in ids:
            yield Recheck(pointer=pointer, evidence=evidence_id)


def _vouched(book: Book, data: Any, rechecked: tuple[Recheck, ...], *, name: str) -> list[str]:
    """What to tell of the re-checks. Raises LedgerError for one that its measurement belies."""
    told = (
        rechecking.check(
            data, item.pointer, item.evidence, book.fold.measurement(item.evidence), name=name
        )
        for item in rechecked
    )
    return [text for text in told if text]


def _check_pointers(
    said: Said, statements: tuple[Statement, ...], rechecked: tuple[Recheck, ...]
) -> None:
    """Refuse what contradicts itself: one field in two places."""
    named = [item.pointer for item in statements]
    if twice := next((p for p in named if named.count(p) > 1), None):
        raise LedgerError("bad-input", f"{twice} is named twice", fix="name each field once")
    if both := next((r.pointer for r in rechecked if r.pointer in named), None):
        raise LedgerError(
            "bad-input",
            f"{both} cannot be right and not right",
            fix="say of each field one thing; of two that hold one another the inner one counts",
        )
    for option, given in (("--redact", said.redact), ("--show", said.show)):
        if other := next((p for p in given if p not in named), None):
            raise LedgerError(
                "bad-input",
                f"{option} {other}: the note says nothing of that field",
                fix=f"name it as it is named with --wrong, or leave {option} out",
            )
    if clash := sorted(set(said.redact) & set(said.show)):
        raise LedgerError("bad-input", f"--redact and --show {clash[0]}", fix="choose one")


class _Made(NamedTuple):
    field: NoteField
    message: str | None


def _field(item: Statement, said: Said, data: Any, evidence: tuple[str, ...]) -> _Made:
    recorded = pointers.value_at(data, item.pointer)
    refuse_secret("--reason", item.reason)
    actual = UNSET if item.actual is None else actual_value(item.actual, recorded)
    message = None
    if item.pointer in said.redact:
        recorded = UNSET
    elif item.pointer not in said.show and (why := withheld(recorded)) is not None:
        recorded = UNSET
        message = (
            f"the value of {item.pointer or 'the document'} {why} and is not repeated; "
            f"--show {item.pointer} repeats it"
        )
    field = NoteField(
        pointer=item.pointer,
        status=item.status,
        reason=item.reason,
        recorded=recorded,
        actual=actual,
        evidence=evidence,
    )
    return _Made(field, message)


def _followed(book: Book, path: str, *, accept_loss: bool, dry_run: bool) -> Added:
    """Record the statements on one artifact that follow from the ledger."""
    due = following.due(book.ledger.root, book.fold, path=path)
    if not due:
        raise _nothing_due(book, path)
    return add(book, due[0], accept_loss=accept_loss, dry_run=dry_run)


def _nothing_due(book: Book, path: str) -> LedgerError:
    for item in missing(book.fold):
        if item.artifact.path == path and item.taken_back is not None:
            return LedgerError(
                "refused",
                f"what follows for {path}#{item.pointer} was noted, and {item.taken_back} took it"
                " back",
                fix=f"ledger retract {item.taken_back} --reason TEXT gives it back; --wrong,"
                " --misleading, --investigating or --rechecked says something else of the field",
            )
    return LedgerError(
        "bad-input",
        f"nothing in the ledger says that a field of {path} is wrong",
        fix=f"state it: ledger note {shlex.quote(path)} --wrong /POINTER --reason TEXT",
    )
