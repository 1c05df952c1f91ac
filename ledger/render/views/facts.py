"""What has to be said beside a measurement's quantities: where, when, and what is wrong with it."""

from collections.abc import Iterator

from ledger.entry import Evidence, GitState, Rescope, Retraction
from ledger.fold import Fold
from ledger.render.cells import part
from ledger.render.views.shown import about, cited, strong, taken_on


def warning(fold: Fold, evidence_id: str) -> Iterator[str]:
    """Loud lines for a measurement that was retracted, or that was not of what it says."""
    state = fold.evidence[evidence_id]
    if state.retracted_by is not None:
        entry = fold.entries.get(state.retracted_by)
        reason = f": {part(entry.reason)}" if isinstance(entry, Retraction) else ""
        yield f"Warning: **RETRACTED** by {cited([state.retracted_by])}{reason}"
    for rescope_id in state.rescopes:
        entry = fold.entries[rescope_id]
        if isinstance(entry, Rescope):
            changes = [*([about(entry.about)] if entry.about else [])]
            changes += [f"{key} not known" for key in entry.unstated]
            said = f"{part('; '.join(changes))}: {part(entry.reason)}"
            yield f"Warning: **RESCOPED** by {cited([rescope_id])} to {said}"


def heading(fold: Fold, evidence_id: str) -> str:
    """Instrument, date, result and the configuration as it is known now."""
    measured = fold.measurement(evidence_id)
    by = f"{measured.instrument.name}@{measured.instrument.version}"
    line = f"Measured by {part(by)} on {taken_on(measured)} {cited([evidence_id])}"
    if measured.result is not None:
        line += f", result {strong(measured.result)}"
    where = about(fold.evidence[evidence_id].about)
    return f"{line}; scope: {part(where) if where else 'not stated'}; {_git(measured.git)}"


def _git(git: GitState | None) -> str:
    if git is None:
        return "git state not recorded"
    at = f" at {part(git.oid[:12])}" if git.oid else ""
    why = f" ({part(git.reason)})" if git.reason else ""
    return f"git {git.state}{at}{why}"


def facts(fold: Fold, evidence_id: str) -> Iterator[str]:
    """The instrument's doubts and its controls, a line for each sort."""
    measured: Evidence = fold.measurement(evidence_id)
    if measured.doubts:
        yield f"Doubts: {part('; '.join(measured.doubts))}"
    if measured.controls:
        passed = sum(control.got == control.must for control in measured.controls)
        yield f"Controls: {passed} of {len(measured.controls)} answered as they must"
