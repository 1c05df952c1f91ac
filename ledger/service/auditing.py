"""The audit: facts gathered from disk, every rule run, and what rests on what."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from ledger import clock, rules
from ledger.entry import Evidence, Note
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.impact import all_carriers
from ledger.kinds import STATUSES
from ledger.references import fields_of
from ledger.rules import Cited, Damage, Facts, FieldPlace, Finding, NoteFileState, View, notes
from ledger.service import artifacts, disk, stale
from ledger.service.book import Book
from ledger.service.documents import citing, judging
from ledger.service.documents.bodies import Bodies

_LAST_AS_OF = "9999-12-01"
"""The calendar ends in that month: what expires in it is soon enough."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One claim in the audit's table: what it rests on."""

    claim: str
    status: str
    basis: str
    depth: int | None
    """Steps from measurement; 0 is measured, None rests on nothing measured."""
    carried_by: tuple[str, ...]
    decided: tuple[str, ...]
    """For a measured claim, how: expects, person, agent, or recorder (on the recorder's word)."""
    statement: str


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Findings, and every claim by what it rests on."""

    as_of: str
    counts: dict[str, int]
    """Claims by status, in the order of the statuses."""
    standing: tuple[Standing, ...]
    findings: tuple[Finding, ...]

    def failing(self) -> bool:
        """Whether anything is worse than a note."""
        return any(finding.level != "note" for finding in self.findings)


def audit(book: Book) -> Audit:
    """Run every rule over the ledger, its artifacts and the documents that cite it."""
    view = View(fold=book.fold, facts=_facts(book))
    findings = tuple(_placed(book, finding) for finding in rules.audit(view))
    statuses = [state.status for state in book.fold.claims.values()]
    return Audit(
        as_of=book.as_of,
        counts={status: statuses.count(status) for status in STATUSES if status in statuses},
        standing=_standing(book.fold),
        findings=findings,
    )


def _standing(fold: Fold) -> tuple[Standing, ...]:
    carried = all_carriers(fold)
    rows = [
        Standing(
            claim=i,
            status=state.status,
            basis=fold.claim(i).basis,
            depth=state.depth,
            carried_by=carried.get(i, ()),
            decided=tuple(dict.fromkeys(x.decided for x in state.deciding_links("supports"))),
            statement=fold.claim(i).statement,
        )
        for i, state in fold.claims.items()
    ]
    rows.sort(
        key=lambda r: (STATUSES.index(r.status), r.depth or 0, fold.entries[r.claim].recorded.at)
    )
    return tuple(rows)


def _placed(book: Book, finding: Finding) -> Finding:
    """The finding with the file of the entry it is about."""
    if finding.path is None and finding.subject in book.loaded.paths:
        return replace(finding, path=book.path(finding.subject), line=1)
    return finding


def _facts(book: Book) -> Facts:
    texts = citing.read_all(book.ledger)
    resolve, bodies = citing.resolver(book.fold), Bodies(book)
    states = [(p, s) for p, source in texts.items() for s in judging.states(bodies, p, source)]
    return Facts(
        artifacts=_artifacts(book),
        damage=damage(book),
        cited=tuple(
            Cited(
                path=path, line=c.line, column=c.column, text=c.id_prefix, ids=resolve(c.id_prefix)
            )
            for path, source in texts.items()
            for c in citing.cited(source)
        ),
        regions=tuple(region for p, s in states if (region := judging.trouble(p, s)) is not None),
        note_files=_note_files(book, told={(p, s.region) for p, s in states}),
        fields=_field_places(book),
        stale=stale.places(book).found,
        soon=clock.plus_days(min(book.as_of, _LAST_AS_OF), rules.SOON_DAYS),
    )


def _field_places(book: Book) -> dict[tuple[str, str], FieldPlace]:
    """Where the fields stand that need a note; not in a file that is gone or another one now."""
    found: dict[tuple[str, str], FieldPlace] = {}
    for item in notes.unnoted(book.fold):
        from ledger.provenance import places, reading  # most ledgers have no such field

        root, path = book.ledger.root, item.artifact.path
        try:
            read = artifacts.read_artifact(root, root / path)
            document = reading.read(read.source, name=path)
        except LedgerError:
            continue
        if read.artifact.sha256 == item.artifact.sha256:
            where = places.places(read.source.decode("utf-8"), media_type=document.media_type)
            place = places.nearest(where, item.pointer)
            found[path, item.pointer] = FieldPlace(line=place.line, column=place.column)
    return found


def damage(book: Book) -> tuple[Damage, ...]:
    """The files that could not be taken in."""
    return tuple(
        Damage(
            slug="id-mismatch" if p.slug == "id-mismatch" else "unreadable",
            path=p.path,
            message=p.message,
            got=p.got,
            expected=p.expected,
        )
        for p in book.loaded.problems
    )


def _artifacts(book: Book) -> dict[str, str | None]:
    """The present sha256 of every artifact that an entry in force names; None for one that is gone.

    Those are the artifacts of live evidence, and those with a note or a field that states an entry.
    """
    found: dict[str, str | None] = {}
    for i, entry in book.entries.items():
        if i in book.fold.retracted:
            continue
        named = [field.artifact for field in fields_of(entry)]
        if isinstance(entry, Evidence):
            named += entry.artifacts
        elif isinstance(entry, Note):
            named.append(entry.artifact)
        for artifact in named:
            if artifact.path not in found:
                found[artifact.path] = disk.sha256_of(book.ledger.root / artifact.path)
    return found


def _note_files(book: Book, *, told: Collection[tuple[str, str]]) -> tuple[NoteFileState, ...]:
    if not any(isinstance(entry, Note) for entry in book.entries.values()):
        return ()
    from ledger.service.notes.states import troubles

    return troubles(book, told=told)
