"""The entry that a falls / survives split is about, in one line."""

from ledger.entry import (
    Entry,
    Evidence,
    Renewal,
    Rescope,
    Retraction,
    Supersession,
    Verdict,
)
from ledger.fold import Fold
from ledger.render.cells import part
from ledger.render.views.shown import about, cited, claim_words, recorded_on, taken_on

CAUSES = ("rescope", "retraction", "supersession", "verdict", "renewal", "claim", "evidence")
"""Kinds of entry that can make claims fall."""


def cause_line(fold: Fold, cause: str) -> str:
    """What the entry says and why, beginning with a plain word."""
    entry = fold.entries[cause]
    line = _said(fold, cause, entry)
    reason = getattr(entry, "reason", None) or getattr(entry, "note", None)
    if reason:
        line += f" Reason: {part(reason)}"
    if cause in fold.retracted:
        line += f" It was taken back by {cited([fold.retracted[cause]])}, so it changes nothing."
    return line


def _said(fold: Fold, cause: str, entry: Entry) -> str:
    match entry:
        case Rescope():
            did = f"rescope of {cited([entry.evidence])}: {_moved(fold, entry)}"
        case Retraction():
            did = f"retraction of {cited([entry.target])}"
        case Supersession():
            did = f"supersession of {_claim(fold, entry.claim)}"
        case Verdict():
            did = f"verdict: {cited([entry.evidence])} {entry.outcome} {_claim(fold, entry.claim)}"
        case Renewal():
            did = f"renewal of {_claim(fold, entry.claim)} to {entry.expires}"
        case _:
            return f"What if this were taken away: {_named(fold, cause, entry)}."
    return f"Cause: {cited([cause])} of {recorded_on(entry)}, {did}."


def _named(fold: Fold, cause: str, entry: Entry) -> str:
    if not isinstance(entry, Evidence):
        return _claim(fold, cause)
    made = f"{entry.instrument.name}@{entry.instrument.version} of {taken_on(entry)}"
    return f"measurement by {part(made)} {cited([cause])}"


def _claim(fold: Fold, claim_id: str) -> str:
    return claim_words(fold, claim_id) if claim_id in fold.claims else cited([claim_id])


def _moved(fold: Fold, entry: Rescope) -> str:
    recorded = fold.entries.get(entry.evidence)
    before = recorded.about if isinstance(recorded, Evidence) else {}
    now = about(entry.about)
    was = about({key: before[key] for key in entry.about if key in before})
    parts = [f"{now}, recorded as {was}" if was else now] if now else []
    parts += [f"{key} is not known" for key in entry.unstated]
    return part("; ".join(parts))
