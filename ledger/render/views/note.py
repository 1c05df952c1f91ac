"""The note on an artifact: what is wrong in it, what was re-checked, what nobody has disputed."""

from typing import Any

from msgspec import UNSET

from ledger import canonical
from ledger.entry import Evidence
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.provenance.cover import Coverage, Covered, cover_artifact
from ledger.provenance.falls import FieldStatus
from ledger.provenance.globs import collapse
from ledger.provenance.notes import ArtifactNote, Checked, Statement, note_on
from ledger.render.cells import cell
from ledger.render.views.view import Request, View, table

COLUMNS = ("field", "recorded", "actual", "status", "why", "evidence")
STATUS_WORDS: dict[FieldStatus, str] = {
    "wrong": "wrong",
    "wrong_actual_unknown": "wrong, the right value is not known",
    "misleading_scope": "right, but of another run",
    "uninformative": "tells nothing",
    "under_investigation": "under investigation",
}
"""What a status is called in a document."""
_SUM_WORDS: dict[FieldStatus, str] = {
    "wrong": "wrong",
    "wrong_actual_unknown": "wrong",
    "misleading_scope": "of another run",
    "uninformative": "uninformative",
    "under_investigation": "under investigation",
}
_MOST_ROWS = 300
"""Rows of what is not disputed: a reader looks for a field, a program reads the JSON."""
_LONGEST = {"value": 120, "field": 160, "reason": 600}
"""Characters shown; the sidecar and the entry have the whole."""


def note(fold: Fold, found: ArtifactNote, *, source: bytes | None) -> str:
    """The note as Markdown, LF, with a final LF; `source` is what stands in the artifact's place.

    Where that is not the noted content, this comes first and the other fields are left out.
    """
    present = cover_artifact(found, source)
    if isinstance(present, Covered):
        covered = present.coverage
        parts = [
            _heading(found),
            _wrong(fold, tuple(d.statement for d in covered.wrong)),
            _rechecked(fold, tuple(r.checked for r in covered.rechecked)),
            _lapsed(fold, found),
            _nowhere(covered),
            _not_disputed(covered),
            _sum(covered),
        ]
    else:
        parts = [
            f"**The other fields are not listed: {_shown(present.reason, 'reason')}.**",
            _heading(found),
            _wrong(fold, found.wrong),
            _rechecked(fold, found.rechecked),
            _lapsed(fold, found),
        ]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts if part)


def _heading(found: ArtifactNote) -> str:
    artifact = found.artifact
    by = "" if found.by is None else f", {_shown(found.by.name, 'value')} ({found.by.role})"
    return (
        f"Artifact: {_shown(artifact.path, 'field')} (sha256 {cell(artifact.sha256[:12])},"
        f" {artifact.bytes:,} bytes). Note version {found.version}, {cell(found.date)}{by}."
    )


def _wrong(fold: Fold, statements: tuple[Statement, ...]) -> str:
    if not statements:
        return "No field is noted as wrong."
    rows = tuple(
        (
            _pointer(s.pointer),
            "withheld" if s.recorded is UNSET else _value(s.recorded),
            "not known" if s.actual is UNSET else _value(s.actual),
            STATUS_WORDS[s.status],
            _shown(s.reason, "reason"),
            ", ".join(_cited(fold, i) for i in s.evidence) or "none",
        )
        for s in statements
    )
    return "### Wrong or misleading\n\n" + table(COLUMNS, rows)


def _rechecked(fold: Fold, checked: tuple[Checked, ...]) -> str:
    if not checked:
        return ""
    rows = tuple((_pointer(c.pointer), _cited(fold, c.evidence, dated=True)) for c in checked)
    return "### Re-checked, still accurate\n\n" + table(("field", "evidence"), rows)


def _lapsed(fold: Fold, found: ArtifactNote) -> str:
    if not found.lapsed:
        return ""
    rows = tuple((_pointer(c.pointer), _cited(fold, c.evidence)) for c in found.lapsed)
    return "### Re-check that no longer counts\n\n" + table(("field", "evidence"), rows)


def _nowhere(covered: Coverage) -> str:
    if not covered.nowhere:
        return ""
    rows = tuple((_pointer(s.pointer), cell(s.note)) for s in covered.nowhere)
    return "### Noted, and not in the file\n\n" + table(("field", "note"), rows)


def _not_disputed(covered: Coverage) -> str:
    if not covered.not_disputed:
        return ""
    globs = collapse(covered.not_disputed, among=covered.leaves, subtrees=True)
    rows = [(_pointer(glob.pattern), f"{glob.count:,}") for glob in globs[:_MOST_ROWS]]
    if rest := globs[_MOST_ROWS:]:
        count = sum(glob.count for glob in rest)
        rows.append((f"and {len(rest):,} more, all in the JSON beside this note", f"{count:,}"))
    return "### Not disputed, not re-checked\n\n" + table(("fields", "leaves"), tuple(rows))


def _sum(covered: Coverage) -> str:
    """Every leaf of the file, each once."""
    counts: dict[str, int] = {} if covered.wrong else {"wrong": 0}
    for found in covered.wrong:
        words = _SUM_WORDS[found.statement.status]
        counts[words] = counts.get(words, 0) + len(found.leaves)
    counts["re-checked"] = sum(len(found.leaves) for found in covered.rechecked)
    counts["not disputed"] = len(covered.not_disputed)
    parts = " + ".join(f"{count:,} {words}" for words, count in counts.items())
    return f"{len(covered.leaves):,} leaves = {parts}"


def _cited(fold: Fold, evidence_id: str, *, dated: bool = False) -> str:
    entry = fold.entries.get(evidence_id)
    words = []
    if dated and isinstance(entry, Evidence):
        words.append((entry.taken_at or entry.recorded.at)[:10])
    if evidence_id in fold.retracted:
        words.append("withdrawn")
    return cell(f"{evidence_id} ({', '.join(words)})" if words else evidence_id)


def _pointer(pointer: str) -> str:
    return _shown(pointer, "field") if pointer else "(the whole file)"


def _value(value: Any) -> str:
    return _shown(canonical.compact(canonical.in_order(value)), "value")


def _shown(text: str, kind: str) -> str:
    longest = _LONGEST[kind]
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]} … {text[-half:]} ({len(text):,} characters)"
    return cell(text)


def _body(request: Request) -> str:
    path = request.text("artifact")
    if path is None:
        raise LedgerError(
            "bad-input",
            f"region {request.id} of view note names no artifact",
            fix="add artifact=PATH to its begin marker, relative to the ledger's root",
        )
    source = request.read(path)
    found = note_on(request.fold, path, source)
    if found is None:
        return f"No note on {_shown(path, 'field')} is in force.\n"
    return note(request.fold, found, source=source)


VIEW = View(name="note", options=("artifact",), columns=COLUMNS, body=_body)
