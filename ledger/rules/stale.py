"""The rule about figures that outlive the claim they are from."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ledger.rules.finding import Finding
from ledger.rules.view import View
from ledger.wording import quoted

if TYPE_CHECKING:
    from ledger.figures.stale import Stale, Undated


def stale_figures(view: View) -> Iterator[Finding]:
    """A file still states a figure of a claim that was superseded or refuted."""
    for item in view.facts.stale:
        if item.strong:
            yield finding(item)


def finding(item: "Stale") -> Finding:
    """One place as a finding: a warning, or a note where it may well be right."""
    place, of = item.place, item.of
    doubt = "" if item.strong else f"; weak: {item.why}"
    return Finding(
        slug="stale-figure",
        level="warning" if item.strong else "note",
        subject=of.claim,
        message=f"{place.shown} still says {place.text}, a figure of {of.claim}, "
        f"which is {status(item)}{doubt}",
        got=place.text,
        expected=instead(item),
        fix=f"correct {place.shown}: ledger show {of.claim} tells why",
        path=place.path,
        line=place.line,
        column=place.column,
    )


def status(item: "Stale") -> str:
    """`refuted`, or `superseded (WRONG)`."""
    return item.of.status + (f" ({item.of.label})" if item.of.label else "")


def instead(item: "Stale") -> str:
    """What replaced the claim, or what it was refuted by."""
    of = item.of
    parts = [quoted(of.instead)] if of.instead else []
    if of.instead_id:
        parts.append(f"[{of.instead_id}]")
    return " ".join(parts) or "a figure that stands"


def advice(item: "Undated") -> Finding:
    """A measured figure without its date, as a note."""
    place, of = item.place, item.of
    return Finding(
        slug="undated-figure",
        level="note",
        subject=of.claim,
        message=f"{place.shown} states {place.text} without the date it was measured",
        got=place.text,
        expected=dated(item),
        fix=f"date {place.shown}: ledger show {of.claim} tells when",
        path=place.path,
        line=place.line,
        column=place.column,
    )


def dated(item: "Undated") -> str:
    """The figure as it should be written: with its date and the claim."""
    return f"{item.place.text}, measured {item.of.date} [{item.of.claim}]"
