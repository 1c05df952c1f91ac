"""Folding: the state of every claim and measurement, computed from the entries and a date.

Independent of the order the entries come in: wherever one entry overrides another of its kind, the
later one wins by (recorded time, id). Status is never stored.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ledger import scope, support
from ledger.entry import (
    Claim,
    Entry,
    Evidence,
    Outcome,
    Renewal,
    Rescope,
    Retraction,
    Scope,
    Supersession,
    Verdict,
)
from ledger.expects import judge

Status = Literal[
    "measured", "refuted", "disputed", "derived", "provisional",
    "expired", "fallen", "retracted", "superseded",
]  # fmt: skip
IN: frozenset[Status] = frozenset({"measured", "derived"})
STANDING: frozenset[Status] = IN | {"provisional"}
"""Statuses that speak against nothing that a document or a replacement points to."""


class EvidenceState(Struct, frozen=True, kw_only=True):
    """A measurement as it stands now."""

    live: bool
    about: Scope
    """The configuration after rescopes."""
    rescopes: tuple[str, ...] = ()
    retracted_by: str | None = None


class Link(Struct, frozen=True, kw_only=True):
    """A measurement's bearing on a claim."""

    evidence: str
    outcome: Outcome
    decided: Literal["expects", "person", "agent", "recorder"]
    """`recorder`: named with the claim, on the word of whoever recorded it."""
    source: str
    """The claim or verdict entry that made the link."""
    live: bool
    mismatches: tuple[scope.Mismatch, ...]
    matched_as_recorded: bool
    reason: str | None = None
    overruled: Outcome | None = None
    """The recorded outcome, where `expects` says otherwise."""

    @property
    def counts(self) -> bool:
        """Whether the link takes part in settling the claim."""
        return self.live and not self.mismatches

    @property
    def supported_once(self) -> bool:
        """Whether it ever supported the claim, before a retraction or rescope if there was one."""
        return self.outcome == "supports" and (self.matched_as_recorded or not self.mismatches)

    @property
    def decides(self) -> bool:
        """Whether it counts and is not inconclusive."""
        return self.counts and self.outcome != "inconclusive"


class ClaimState(Struct, frozen=True, kw_only=True):
    """A claim as it stands on the date of the fold."""

    status: Status
    expires: str | None
    links: tuple[Link, ...]
    holding: tuple[str, ...] = ()
    """The rests_on set that carries a derived claim."""
    depth: int | None = None
    """Steps from the weakest premise to its measurement; 0 for a measured claim."""
    nearest: int | None = None
    """Steps to the nearest measurement."""
    superseded_by: str | None = None
    """The supersession in force."""
    retracted_by: str | None = None

    @property
    def is_in(self) -> bool:
        """Whether there is a current reason to follow the claim."""
        return self.status in IN

    def deciding(self, outcome: Outcome) -> tuple[str, ...]:
        """Live matching measurements with this outcome."""
        return tuple(link.evidence for link in self.deciding_links(outcome))

    def deciding_links(self, outcome: Outcome) -> tuple[Link, ...]:
        """The links that count and have this outcome."""
        return tuple(x for x in self.links if x.counts and x.outcome == outcome)


class Fold(Struct, frozen=True, kw_only=True):
    """The whole ledger on a date."""

    as_of: str
    entries: Mapping[str, Entry]
    claims: Mapping[str, ClaimState]
    """In the order of recording, as is `evidence`."""
    evidence: Mapping[str, EvidenceState]
    retracted: Mapping[str, str]
    """Entry id to the retraction in force."""
    supersessions: Mapping[str, tuple[str, ...]]
    """Claim id to its live supersessions, the one in force last."""
    ever: frozenset[str]
    """Claims that would be in if nothing had ever been withdrawn, refuted or expired."""

    def circular(self) -> tuple[tuple[str, ...], ...]:
        """Groups of claims that rest on each other, with no measurement below any of them.

        What was withdrawn or refuted breaks a circle: it supports nothing any more.
        """
        gone = {"retracted", "superseded", "refuted", "disputed"}
        rests_on = {
            i: self.claim(i).rests_on for i, s in self.claims.items() if s.status not in gone
        }
        return support.cycles(rests_on, supported=self.ever)

    def claim(self, claim_id: str) -> Claim:
        """The claim entry; KeyError when there is none."""
        entry = self.entries[claim_id]
        if not isinstance(entry, Claim):
            raise KeyError(claim_id)
        return entry

    def measurement(self, evidence_id: str) -> Evidence:
        """The evidence entry; KeyError when there is none."""
        entry = self.entries[evidence_id]
        if not isinstance(entry, Evidence):
            raise KeyError(evidence_id)
        return entry

    def carries(self, claim_id: str, evidence_id: str) -> bool:
        """Whether a measurement that a claim rests on still carries it; KeyError for no claim."""
        return _holds(self.claim(claim_id), evidence_id, self.entries, self.evidence)


def fold(entries: Mapping[str, Entry], *, as_of: str) -> Fold:
    """Compute every state on `as_of` (YYYY-MM-DD; a claim is still valid on its expiry date)."""
    ordered = sorted(entries.items(), key=lambda item: (item[1].recorded.at, item[0]))
    retracted = _retracted(ordered)
    live = [(i, entry) for i, entry in ordered if i not in retracted]
    evidence = _evidence(ordered, live, retracted)
    links = _links(ordered, live, evidence, entries)
    supersessions, expires = _replaced_and_renewed(ordered, live)
    claims = {i: c for i, c in ordered if isinstance(c, Claim)}
    direct = {i: _direct(links[i]) for i in claims}
    out = retracted.keys() | supersessions.keys()
    against = {i for i, d in direct.items() if d in {"refuted", "disputed"}}
    past = {i for i in claims if (expires[i] or as_of) < as_of}
    rests_on = {i: c.rests_on for i, c in claims.items()}
    current = support.least_fixpoint(
        rests_on,
        premises={i for i, d in direct.items() if d == "measured" and i not in out},
        barred=out | past | against,
        holds=lambda claim, premise: _holds(claims[claim], premise, entries, evidence),
    )
    measured_once = {i for i in claims if any(link.supported_once for link in links[i])}
    ever = support.least_fixpoint(
        rests_on,
        premises=measured_once,
        barred=set(),
        holds=lambda _claim, premise: isinstance(entries.get(premise), Evidence),
    )
    states = {
        i: ClaimState(
            status=_status(
                direct=direct[i],
                out="retracted" if i in retracted else "superseded" if i in supersessions else None,
                derived=i in current.inside,
                past=i in past,
                ever_measured=i in measured_once,
                ever_in=i in ever.inside,
            ),
            expires=expires[i],
            links=links[i],
            holding=current.holding.get(i, ()),
            depth=current.depth.get(i),
            nearest=current.nearest.get(i),
            superseded_by=supersessions[i][-1] if i in supersessions else None,
            retracted_by=retracted.get(i),
        )
        for i in claims
    }
    return Fold(
        as_of=as_of,
        entries=entries,
        claims=states,
        evidence=evidence,
        retracted=retracted,
        supersessions=supersessions,
        ever=ever.inside,
    )


def _replaced_and_renewed(
    ordered: list[tuple[str, Entry]], live: list[tuple[str, Entry]]
) -> tuple[dict[str, tuple[str, ...]], dict[str, str | None]]:
    """Live supersessions by claim, and each claim's expiry date after renewals."""
    superseding: dict[str, list[str]] = {}
    expires = {i: c.expires for i, c in ordered if isinstance(c, Claim)}
    for i, entry in live:
        if isinstance(entry, Supersession):
            superseding.setdefault(entry.claim, []).append(i)
        elif isinstance(entry, Renewal) and entry.claim in expires:
            expires[entry.claim] = entry.expires
    return {claim: tuple(ids) for claim, ids in superseding.items()}, expires


def _retracted(ordered: list[tuple[str, Entry]]) -> dict[str, str]:
    """Targets of retractions that are not themselves retracted."""
    retractions = {i: e for i, e in ordered if isinstance(e, Retraction)}
    by_target: dict[str, list[str]] = {}
    for i, entry in retractions.items():
        by_target.setdefault(entry.target, []).append(i)
    # A retraction is settled once every retraction of it is (clocks may disagree on the order).
    open_above = {i: len(by_target.get(i, ())) for i in retractions}
    settled = [i for i, count in open_above.items() if count == 0]
    void: set[str] = set()
    for i in settled:
        target = retractions[i].target
        if target in retractions:
            if i not in void:
                void.add(target)
            open_above[target] -= 1
            if open_above[target] == 0:
                settled.append(target)
    return {
        target: live[-1]
        for target, ids in by_target.items()
        if (live := [i for i in ids if i not in void])
    }


def _evidence(
    ordered: list[tuple[str, Entry]], live: list[tuple[str, Entry]], retracted: Mapping[str, str]
) -> dict[str, EvidenceState]:
    rescopes: dict[str, list[tuple[str, Rescope]]] = {}
    for i, entry in live:
        if isinstance(entry, Rescope):
            rescopes.setdefault(entry.evidence, []).append((i, entry))
    states = {}
    for i, entry in ordered:
        if isinstance(entry, Evidence):
            about = dict(entry.about)
            for _, rescope in rescopes.get(i, ()):
                about.update(rescope.about)
                for key in rescope.unstated:
                    about.pop(key, None)
            states[i] = EvidenceState(
                live=i not in retracted,
                about=about,
                rescopes=tuple(o for o, _ in rescopes.get(i, ())),
                retracted_by=retracted.get(i),
            )
    return states


def _links(
    ordered: list[tuple[str, Entry]],
    live: list[tuple[str, Entry]],
    evidence: Mapping[str, EvidenceState],
    entries: Mapping[str, Entry],
) -> dict[str, tuple[Link, ...]]:
    """Per claim, one link for each measurement; the latest verdict on a pair is in force."""
    drafts: dict[str, dict[str, tuple[Outcome, str, str]]] = {}
    for i, entry in ordered:
        if isinstance(entry, Claim):
            drafts[i] = dict.fromkeys(entry.evidence, ("supports", "recorder", i))
    for i, entry in live:
        if isinstance(entry, Verdict) and entry.claim in drafts:
            drafts[entry.claim][entry.evidence] = (entry.outcome, entry.decided, i)
    return {
        claim_id: tuple(
            _link(entries[claim_id], entries[e], e, evidence[e], draft)  # type: ignore[arg-type]
            for e, draft in pairs.items()
            if e in evidence
        )
        for claim_id, pairs in drafts.items()
    }


def _link(
    claim: Claim,
    measured: Evidence,
    evidence_id: str,
    state: EvidenceState,
    draft: tuple[Outcome, str, str],
) -> Link:
    outcome, decided, source = draft
    reason, overruled = None, None
    if claim.expects is not None:
        judgement = judge(claim.expects, measured)
        reason = judgement.reason
        if judgement.outcome is not None:
            if decided != "recorder" and judgement.outcome != outcome:
                overruled = outcome
            outcome, decided = judgement.outcome, "expects"
    return Link(
        evidence=evidence_id,
        outcome=outcome,
        decided=decided,  # type: ignore[arg-type]
        source=source,
        live=state.live,
        mismatches=scope.mismatches(claim.about, state.about),
        matched_as_recorded=not scope.mismatches(claim.about, measured.about),
        reason=reason,
        overruled=overruled,
    )


def _direct(links: tuple[Link, ...]) -> Status | None:
    """What the claim's own measurements say."""
    outcomes = {link.outcome for link in links if link.counts}
    if outcomes >= {"supports", "refutes"}:
        return "disputed"
    if "supports" in outcomes:
        return "measured"
    return "refuted" if "refutes" in outcomes else None


def _holds(
    claim: Claim,
    premise: str,
    entries: Mapping[str, Entry],
    evidence: Mapping[str, EvidenceState],
) -> bool:
    """Whether a measurement carries a derivation.

    A derivation may draw on a measurement of another configuration (that is what makes it one), so
    scopes need not match; but a measurement that a rescope moved out of the claim's scope after
    the derivation was made no longer carries it.
    """
    state = evidence.get(premise)
    if state is None or not state.live:
        return False
    recorded = entries[premise]
    return (
        not state.rescopes
        or not scope.conflicts(claim.about, state.about)
        or (isinstance(recorded, Evidence) and scope.conflicts(claim.about, recorded.about))
    )


def _status(
    *,
    direct: Status | None,
    out: Status | None,
    derived: bool,
    past: bool,
    ever_measured: bool,
    ever_in: bool,
) -> Status:
    """The first that applies; a lost measurement outranks the expiry, which outranks the rest."""
    ranked: tuple[tuple[bool, Status], ...] = (
        (out is not None, out or "retracted"),
        (direct is not None, direct or "measured"),
        (derived, "derived"),
        (ever_measured, "fallen"),
        (past, "expired"),
        (ever_in, "fallen"),
    )
    return next((status for applies, status in ranked if applies), "provisional")
