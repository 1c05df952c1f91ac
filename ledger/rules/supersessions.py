"""Rules about what replaced what."""

import shlex
from collections.abc import Iterator

from ledger import scope
from ledger.entry import Supersession
from ledger.fold import STANDING, Fold
from ledger.rules.chains import ends, rings
from ledger.rules.finding import Finding
from ledger.rules.view import View
from ledger.wording import listed, quoted


def _in_force(view: View) -> Iterator[tuple[str, Supersession]]:
    for ids in view.fold.supersessions.values():
        entry = view.fold.entries[ids[-1]]
        if isinstance(entry, Supersession) and entry.claim in view.fold.claims:
            yield ids[-1], entry


def replacements(view: View) -> dict[str, str]:
    """Superseded claim to the claim that replaces it, by the supersession in force."""
    return {
        entry.claim: entry.replaced_by.claim
        for _, entry in _in_force(view)
        if entry.replaced_by is not None and entry.replaced_by.claim is not None
    }


def supersession_unmeasured(view: View) -> Iterator[Finding]:
    """A claim was replaced on somebody's word."""
    following = replacements(view)
    for i, entry in _in_force(view):
        bearing = [e for e in entry.evidence if why_not(view.fold, entry.claim, e) is None]
        by = view.fold.claims.get(following.get(entry.claim, ""))
        refuted = view.fold.claims[entry.claim].deciding("refutes")
        if bearing or refuted or (by is not None and by.status == "measured"):
            continue
        # A table kept by hand seldom names its measurements: that is known when it is adopted.
        adopted = view.fold.claim(entry.claim).by.role == "document" and not entry.evidence
        yield Finding(
            slug="supersession-unmeasured",
            level="note" if adopted else "warning",
            subject=entry.claim,
            message="superseded without a measurement: "
            f"{quoted(view.fold.claim(entry.claim).statement)}",
            got=f"{entry.status} by {i}, "
            + (
                listed(
                    (f"{e} {why_not(view.fold, entry.claim, e)}" for e in entry.evidence),
                    separator="; ",
                )
                or "no evidence"
            ),
            expected="evidence (say it again with it: the rest stays), or a measured claim in its "
            "place",
            fix=f"{_again(entry, None)} --evidence EVIDENCE",
        )


def why_not(fold: Fold, claim_id: str, evidence_id: str) -> str | None:
    """Why a measurement does not bear out that a claim was replaced; None where it does."""
    state = fold.evidence.get(evidence_id)
    if state is None or not state.live:
        return "fell"
    about = fold.claim(claim_id).about
    if scope.conflicts(about, state.about):
        differing = (m for m in scope.mismatches(about, state.about) if m.kind == "differs")
        return f"was taken of another configuration ({listed(map(str, differing))})"
    if evidence_id in fold.claims[claim_id].deciding("supports"):
        return "supports the claim"
    return None


def _again(entry: Supersession, replaced_by: str | None) -> str:
    """The command that superseded the claim, with what replaces it."""
    command = f"ledger supersede {entry.claim} --status {shlex.quote(entry.status)}"
    return f"{command} --replaced-by {replaced_by}" if replaced_by else command


def supersession_conflict(view: View) -> Iterator[Finding]:
    """Two supersessions of one claim disagree, or claims replace each other in a ring."""
    for claim, ids in view.fold.supersessions.items():
        entries = [e for e in map(view.fold.entries.get, ids) if isinstance(e, Supersession)]
        said = {
            (e.status, e.replaced_by and (e.replaced_by.text, e.replaced_by.claim)) for e in entries
        }
        if len(said) > 1:
            yield Finding(
                slug="supersession-conflict",
                level="error",
                subject=claim,
                message=f"{len(ids)} supersessions disagree; the last one, {ids[-1]}, is in force",
                got=listed(
                    (f"{i} {_said(e)}" for i, e in zip(ids, entries, strict=True)), separator="; "
                ),
                expected="one, or several that say the same",
                fix="take back what does not hold, "
                f"ledger retract {ids[0]} --reason TEXT or another",
            )
    for ring in rings(replacements(view)):
        yield Finding(
            slug="supersession-conflict",
            level="error",
            subject=ring[0],
            message="it replaces itself"
            if len(ring) == 1
            else "these claims replace each other, so that none stands",
            got=listed(ring, separator=" -> ") + f" -> {ring[0]}",
            expected="a replacement that stands",
            fix=f"take one of them back, ledger retract {view.fold.supersessions[ring[0]][-1]} "
            "--reason TEXT or another supersession of the ring",
        )


def _said(entry: Supersession) -> str:
    by = entry.replaced_by
    instead = (by.claim or (quoted(by.text, 40) if by.text else None)) if by else None
    return f"{entry.status}, replaced by {instead}" if instead else entry.status


def replaced_by_fallen(view: View) -> Iterator[Finding]:
    """What a superseded claim points to does not stand itself."""
    following = replacements(view)
    in_rings = {claim for ring in rings(following) for claim in ring}
    last = ends(following)
    for i, entry in _in_force(view):
        by = following.get(entry.claim)
        state = view.fold.claims.get(by) if by else None
        if by is None or state is None or state.status in STANDING or entry.claim in in_rings:
            continue
        instead = last[entry.claim].last
        end = view.fold.claims.get(instead)
        stands = end is not None and end.status in STANDING
        bearing = (e for e in entry.evidence if why_not(view.fold, entry.claim, e) is None)
        evidence = "".join(f" --evidence {e}" for e in bearing)
        yield Finding(
            slug="replaced-by-fallen",
            level="error",
            subject=entry.claim,
            message=f"its replacement {by} does not stand: {quoted(view.fold.claim(by).statement)}",
            got=f"{by} is {state.status}"
            + (f", in the end replaced by {instead}" if stands else ""),
            expected="a claim that stands",
            fix=f"name one that stands, {_again(entry, instead if stands else 'TEXT')}{evidence}, "
            f"then ledger retract {i} --reason TEXT",
        )
