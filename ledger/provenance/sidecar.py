"""The sidecar beside an artifact: `<artifact>.provenance-note.json`, the note for programs."""

from typing import Any

from msgspec import UNSET

from ledger import canonical, codec
from ledger.entry import Evidence
from ledger.fold import Fold
from ledger.provenance.cover import Coverage, Covered, cover_artifact
from ledger.provenance.globs import collapse
from ledger.provenance.notes import ArtifactNote, Checked, Statement
from ledger.provenance.reading import media_type_of

SCHEMA = "provenance-note/1"


def sidecar(fold: Fold, note: ArtifactNote, *, source: bytes | None) -> dict[str, Any]:
    """The note as JSON data; `source` is what stands in the artifact's place now.

    Without the noted bytes `remainder` is null and `remainder_reason` says why. Where pointers
    hold one another the longer one counts.
    """
    found = cover_artifact(note, source)
    covered = found.coverage if isinstance(found, Covered) else None
    wrong = note.wrong if covered is None else tuple(d.statement for d in covered.wrong)
    data = {
        "schema": SCHEMA,
        "id": note.notes[-1],
        "version": note.version,
        "artifact": {
            "path": note.artifact.path,
            "sha256": note.artifact.sha256,
            "bytes": note.artifact.bytes,
            "media_type": found.media_type
            if isinstance(found, Covered)
            else media_type_of(note.artifact.path),
        },
        "date": note.date,
        "by": None if note.by is None else {"kind": note.by.role, "id": note.by.name},
        "supersedes": [{"id": i, "sha256": _digest(fold, i)} for i in note.notes[:-1]],
        "fields": [_field(fold, statement) for statement in wrong],
        "remainder": None if covered is None else _remainder(fold, covered),
    }
    if not isinstance(found, Covered):
        data["remainder_reason"] = found.reason
    if note.lapsed:
        data["lapsed_rechecks"] = [_recheck(fold, checked) for checked in note.lapsed]
    return data


def to_bytes(data: dict[str, Any]) -> bytes:
    """The file's bytes, the same for the same data."""
    return canonical.readable(data)


def _remainder(fold: Fold, covered: Coverage) -> dict[str, Any]:
    globs = collapse(covered.not_disputed, among=covered.leaves)
    return {
        "rechecked": [_recheck(fold, found.checked) for found in covered.rechecked],
        "not_disputed": [glob.pattern for glob in globs],
        "leaf_count": len(covered.leaves),
    }


def _field(fold: Fold, statement: Statement) -> dict[str, Any]:
    withheld = statement.recorded is UNSET
    return {
        "pointer": statement.pointer,
        "status": statement.status,
        "recorded": None if withheld else canonical.in_order(statement.recorded),
        **({"recorded_withheld": True} if withheld else {}),
        "actual": None if statement.actual is UNSET else canonical.in_order(statement.actual),
        "reason": statement.reason,
        "evidence": [item for i in statement.evidence for item in _evidence(fold, i)],
    }


def _recheck(fold: Fold, checked: Checked) -> dict[str, Any]:
    return {"pointer": checked.pointer, "evidence": _evidence(fold, checked.evidence)}


def _evidence(fold: Fold, evidence_id: str) -> list[dict[str, Any]]:
    """One item per artifact of a measurement; a measurement without one has no uri."""
    entry = fold.entries.get(evidence_id)
    artifacts = entry.artifacts if isinstance(entry, Evidence) else ()
    withdrawn = {"withdrawn": True} if evidence_id in fold.retracted else {}
    places: list[dict[str, str | None]] = [{"uri": a.path, "sha256": a.sha256} for a in artifacts]
    return [
        {"measurement_id": evidence_id, **place, **withdrawn}
        for place in places or [{"uri": None, "sha256": None}]
    ]


def _digest(fold: Fold, entry_id: str) -> str:
    """Of what an entry's id is computed from, so that the id is its beginning."""
    return canonical.sha256(codec.content(codec.encode(fold.entries[entry_id])))
