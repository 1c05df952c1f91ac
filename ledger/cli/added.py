"""How a recording command answers: the id, the state that follows, what fell."""

from ledger.cli import output, text
from ledger.entry import Claim, Consult, Evidence, Renewal, Supersession, Verdict
from ledger.fold import Fold
from ledger.impact import Impact
from ledger.kinds import LETTERS
from ledger.service import state, words
from ledger.service.adding import Added


def report(added: Added, *, as_json: bool) -> None:
    """Print what was recorded, and what follows."""
    output.warnings(added.messages)
    data = {
        "id": added.id,
        "kind": added.kind,
        "new": added.new,
        "recorded": added.path is not None,
        "path": added.path,
        "state": state.of(added.after, added.id)["state"],
        "impact": state.impact(added.impact) if added.impact else None,
        "warnings": list(added.messages),
    }
    lines = [_first_line(added), *_details(added.after, added.id)]
    if added.impact is not None:
        lines += impact_lines(added.impact, added.after, told=_told(added))
    output.result("\n".join(lines), data, as_json=as_json)


def _told(added: Added) -> frozenset[str]:
    """The claim whose new state is printed anyway."""
    claim = getattr(added.after.entries[added.id], "claim", None)
    return frozenset({claim} if claim else ())


def _first_line(added: Added) -> str:
    if added.path is None:
        return f"{added.id}  not recorded" + ("" if added.messages else " (dry run)")
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
                f"  {len(entry.arms)} arms: {arms}",
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
        why = {"recorder": "on the recorder's word", "expects": "by its expectation"}.get(
            link.decided, f"decided by {link.decided}"
        )
        lines.append(f"  {link.evidence} {says}, {why}" + ("" if link.live else "; retracted"))
        if link.reason and link.decided == "expects":
            lines.append(f"      {text.one_line(link.reason)}")
        lines += [f"      {text.one_line(str(mismatch))}" for mismatch in link.mismatches]
    return lines


def _expiring(status: str, expires: str | None) -> bool:
    return expires is not None and status in {"provisional", "derived", "expired"}


def impact_lines(impact: Impact, fold: Fold, told: frozenset[str] = frozenset()) -> list[str]:
    """The falls / survives split, readable; without the claims that were told of already."""

    def named(claim: str) -> str:
        return f"{claim}  {text.fit(text.one_line(fold.claim(claim).statement), 60)}"

    lines: list[str] = []
    if impact.falls:
        lines.append("FALLS")
        for fall in impact.falls:
            lines += [
                f"  {named(fall.claim)}",
                f"    {fall.status}: {' -> '.join(state.short(fall.path, keep=3))}",
            ]
    if impact.survives:
        lines.append("SURVIVES")
        for left in impact.survives:
            carried = ", ".join(left.carried_by) or "nothing measured"
            lines += [f"  {named(left.claim)}", f"    {left.status}: carried by {carried}"]
    rises = [claim for claim in impact.rises if claim not in told]
    if rises:
        lines += ["COMES IN", *(f"  {named(claim)}" for claim in rises)]
    told |= {f.claim for f in impact.falls} | set(impact.rises)
    other = {c: change for c, change in impact.changes.items() if c not in told}
    if other:
        lines.append("CHANGES")
        for claim, (before, after) in other.items():
            lines += [f"  {named(claim)}", f"    {before} -> {after}"]
    if any(fall.status in state.UNMEASURED for fall in impact.falls):
        lines.append("Direction unknown: what fell is unmeasured now, not thereby better or worse.")
    return lines


def kind_of(entry_id: str) -> str:
    """The kind that an id's letter stands for."""
    return next(kind for kind, letter in LETTERS.items() if entry_id.startswith(letter + "-"))
