"""Rules about documents that cite the ledger or carry generated parts of it."""

from collections.abc import Iterator

from ledger.entry import Supersession
from ledger.fold import STANDING
from ledger.rules.finding import Finding
from ledger.rules.view import Cited, RegionState, View
from ledger.wording import listed, quoted


def citations(view: View) -> Iterator[Finding]:
    """A document cites a claim that does not stand, or one that is not there."""
    for cited in view.facts.cited:
        if len(cited.ids) != 1:
            yield _unknown(cited)
            continue
        entry_id = cited.ids[0]
        reason = _not_standing(view, entry_id)
        if reason is not None:
            yield Finding(
                slug="cites-fallen",
                level="error",
                subject=entry_id,
                message=f"{cited.place} cites {entry_id}, which is {reason}",
                got=reason,
                expected=_instead(view, entry_id),
                fix=f"correct {cited.place}: ledger show {entry_id} tells why",
                path=cited.path,
                line=cited.line,
                column=cited.column,
            )


def _not_standing(view: View, entry_id: str) -> str | None:
    if entry_id in view.fold.claims:
        status = view.fold.claims[entry_id].status
        return None if status in STANDING else status
    return "retracted" if entry_id in view.fold.retracted else None


def _instead(view: View, entry_id: str) -> str:
    state = view.fold.claims.get(entry_id)
    entry = view.fold.entries.get(state.superseded_by or "") if state else None
    if isinstance(entry, Supersession) and entry.replaced_by is not None:
        by = entry.replaced_by
        said = [quoted(by.text)] if by.text else []
        return " ".join([*said, f"[{by.claim}]"] if by.claim else said)
    return "a claim that stands"


def _unknown(cited: Cited) -> Finding:
    known = listed(cited.ids)
    return Finding(
        slug="cites-unknown",
        level="error",
        subject=cited.text,
        message=f"{cited.place} cites {cited.text}, "
        + ("which may be " + known if known else "which is not in the ledger"),
        got=known or "no such entry",
        expected="the id of one entry",
        fix="correct the citation: ledger list claims has the ids",
        path=cited.path,
        line=cited.line,
        column=cited.column,
    )


def regions(view: View) -> Iterator[Finding]:
    """A generated part is stale, was edited by hand, or has markers that cannot be followed."""
    return map(region_finding, view.facts.regions)


_NAMED = {"markers": "the markers are", "citations": "the citations are", "file": "it is"}
"""What is not one region of a document."""


def region_finding(region: RegionState) -> Finding:
    """A generated part that is not as it should be, as a finding."""
    what = _NAMED.get(region.region, f"region {region.region} is")
    malformed = region.state == "malformed"
    return Finding(
        slug=f"region-{region.state}",
        level="warning" if region.state == "stale" else "error",
        subject=region.path,
        message=f"{region.place}: {what} {region.state}",
        got=region.detail,
        expected=_expected(region),
        fix=f"{region.fix}, then ledger render {region.path}" if malformed else region.fix,
        path=region.path,
        line=region.line,
        column=region.column,
    )


def _expected(region: RegionState) -> str:
    if region.state != "malformed":
        return "what the ledger says now"
    return "markers in pairs" if region.region == "markers" else "options that can be followed"
