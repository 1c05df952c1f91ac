"""The audit: facts gathered from disk, every rule run, and what rests on what."""

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path

from ledger import clock, rules
from ledger.entry import Evidence
from ledger.fold import Fold
from ledger.impact import all_carriers
from ledger.kinds import STATUSES
from ledger.rules import Cited, Damage, Facts, Finding, RegionState, View
from ledger.service import citing, rendering
from ledger.service.book import Book

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
            decided=tuple(
                dict.fromkeys(
                    x.decided for x in state.links if x.counts and x.outcome == "supports"
                )
            ),
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
    resolve = citing.resolver(book.fold)
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
        regions=tuple(
            RegionState(path=path, line=s.line, region=s.region, state=s.state, detail=s.detail)
            for path, source in texts.items()
            for s in rendering.states(book.fold, source)
        ),
        soon=clock.plus_days(min(book.as_of, _LAST_AS_OF), rules.SOON_DAYS),
    )


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
    """The present sha256 of every artifact of live evidence; None for one that is gone."""
    found: dict[str, str | None] = {}
    for i, state in book.fold.evidence.items():
        entry = book.fold.entries[i]
        if state.live and isinstance(entry, Evidence):
            for artifact in entry.artifacts:
                if artifact.path not in found:
                    found[artifact.path] = _sha256(book.ledger.root / artifact.path)
    return found


def _sha256(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
