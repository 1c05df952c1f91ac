"""How a recording command answers: the id, the state that follows, what fell."""

from collections.abc import Collection
from typing import Any

from ledger.cli import output, text
from ledger.entry import Claim, Consult, Evidence, Renewal, Supersession, Verdict
from ledger.fold import Fold
from ledger.impact import Impact, carriers
from ledger.kinds import LETTERS, WHOSE_WORD
from ledger.service import state, words
from ledger.service.adding import Added
from ledger.wording import counted


def report(added: Added, *, as_json: bool) -> None:
    """Print what was recorded, and what follows."""
    output.warnings((*added.messages, *unwritten(added)))
    data = {
        "id": added.id,
        "kind": added.kind,
        "new": added.new,
        "recorded": added.path is not None,
        "path": added.path,
        "state": state.of(added.after, added.id)["state"],
        "impact": state.impact(added.impact) if added.impact else None,
        "notes": note_data(added),
        "warnings": list(added.messages),
    }
    lines = [_first_line(added), *_details(added.after, added.id)]
    if added.impact is not None:
        lines += impact_lines(added.impact, added.after, told=_told(added))
    lines += note_lines(added)
    output.result("\n".join(lines), data, as_json=as_json)


def note_lines(added: Added) -> list[str]:
    """The artifacts whose notes changed, each with what was recorded and written."""
    if not added.notes:
        return []
    lines = ["NOTES"]
    for noted in added.notes:
        lines.append(f"  {text.one_line(noted.artifact)}" + (f"  {noted.id}" if noted.id else ""))
        verb = "writes" if added.path is None else "wrote"
        lines += [f"    {verb} {text.one_line(name)}" for name in noted.files]
    return lines


def note_data(added: Added) -> list[dict[str, Any]]:
    """The artifacts whose notes changed, as JSON data."""
    return [
        {"id": noted.id, "artifact": noted.artifact, "files": list(noted.files)}
        for noted in added.notes
    ]


def unwritten(added: Added) -> list[str]:
    """What could not be written of notes, for stderr."""
    return [
        f"{noted.problem}. What was recorded is kept; once that is put right, ledger render "
        "writes the files"
        for noted in added.notes
        if noted.problem
    ]


def _told(added: Added) -> frozenset[str]:
    """The claim whose new state is printed anyway."""
    claim = getattr(added.after.entries[added.id], "claim", None)
    return frozenset({claim} if claim else ())


def _first_line(added: Added) -> str:
    if added.path is None:
        return f"{added.id}  not recorded" + (" (dry run)" if added.dry_run else "")
    return f"{added.id}  {'recorded' if added.new else 'already recorded'}  {added.path}"


def _details(fold: Fold, entry_id: str) -> list[str]:
    entry = fold.entries[entry_id]
    match entry:
        case Claim():
            return claim_lines(fold, entry_id)
        case Evidence():
            return [f"  {text.one_line(words.headline(fold, entry_id))}"]
        case Consult():
            arms = ", ".join(text.one_line(arm.arm) for arm in entry.arms)
            return [
                f"  {counted(len(entry.arms), 'arm')}: {arms}",
                f'  next: ledger claim "TEXT" --consult {entry_id} --by ARM --expires 90d',
            ]
        case Verdict() | Supersession() | Renewal():
            statement = text.fit(text.one_line(fold.claim(entry.claim).statement), 60)
            return [f"{entry.claim}  {statement}", *claim_lines(fold, entry.claim)]
        case _:
            return []


def claim_lines(fold: Fold, claim_id: str) -> list[str]:
    """Status of a claim and the reason for it."""
    found = fold.claims[claim_id]
    lines = [
        f"  {found.status}"
        + (f", expires {found.expires}" if _expiring(found.status, found.expires) else "")
    ]
    for link in found.links:
        says = link.outcome if link.counts else f"does not count ({link.outcome})"
        why = {"recorder": WHOSE_WORD["recorder"], "expects": "by its expectation"}.get(
            link.decided, f"decided by {link.decided}"
        )
        lines.append(f"  {link.evidence} {says}, {why}" + ("" if link.live else "; retracted"))
        if link.reason and link.decided == "expects":
            lines.append(f"      {text.one_line(link.reason)}")
        lines += [f"      {text.one_line(str(mismatch))}" for mismatch in link.mismatches]
    return lines


def _expiring(status: str, expires: str | None) -> bool:
    return expires is not None and status in {"provisional", "derived", "expired"}


def impact_lines(
    impact: Impact,
    fold: Fold,
    told: frozenset[str] = frozenset(),
    *,
    apart: Collection[str] = (),
) -> list[str]:
    """The falls / survives split, readable; without the claims that were told of already.

    `apart` are claims that stand and never depended on the cause: they survive too.
    """
    lines: list[str] = []
    falls = [fall for fall in impact.falls if fall.claim not in told]
    if falls:
        lines.append("FALLS")
        for fall in falls:
            path = " -> ".join(state.short(fall.path, keep=3))
            lines += [_named(fold, fall.claim), f"    {fall.status}: {path}"]
    if falls or impact.survives or apart:
        lines += ["SURVIVES", *_survivors(impact, fold, apart)]
    rises = [claim for claim in impact.rises if claim not in told]
    if rises:
        lines += ["COMES IN", *(_named(fold, claim) for claim in rises)]
    told |= {f.claim for f in impact.falls} | set(impact.rises)
    other = {c: change for c, change in impact.changes.items() if c not in told}
    if other:
        lines.append("CHANGES")
        for claim, (before, after) in other.items():
            lines += [_named(fold, claim), f"    {before} -> {after}"]
    if any(fall.status in state.UNMEASURED for fall in falls):
        lines.append("Direction unknown: what fell is unmeasured now, not thereby better or worse.")
    return lines


def _survivors(impact: Impact, fold: Fold, apart: Collection[str]) -> list[str]:
    lines = []
    for left in impact.survives:
        carried = ", ".join(left.carried_by) or "nothing measured"
        lines += [_named(fold, left.claim), f"    {left.status}: carried by {carried}"]
    for claim in apart:
        carried = ", ".join(carriers(fold, claim))
        status = fold.claims[claim].status
        lines += [_named(fold, claim), f"    {status}: carried by {carried}, apart from it"]
    return lines or ["  nothing that depended on it"]


def _named(fold: Fold, claim: str) -> str:
    return f"  {claim}  {text.fit(text.one_line(fold.claim(claim).statement), 60)}"


def kind_of(entry_id: str) -> str:
    """The kind that an id's letter stands for."""
    return next(kind for kind, letter in LETTERS.items() if entry_id.startswith(letter + "-"))
