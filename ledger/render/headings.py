"""Finding the one heading that a user means."""

from collections.abc import Sequence

from ledger.errors import LedgerError
from ledger.render.markdown import Heading

_SHOWN = 5


def find_heading(
    headings: tuple[Heading, ...], wanted: str, *, otherwise: str | None = None
) -> Heading:
    """The heading whose text contains `wanted`, in any case, or is it as a whole.

    `otherwise` names what the user can give in place of a heading.

    Raises LedgerError "not-found" or "ambiguous", naming the nearest candidates with their lines.
    """
    key = wanted.casefold().strip()
    matching = [h for h in headings if key in h.text.casefold()]
    # The whole text of one heading may be part of another's.
    exact = [h for h in matching if key == h.text.casefold()]
    if len(exact) == 1 or len(matching) == 1:
        return (exact if len(exact) == 1 else matching)[0]
    listed = _listed(_nearest(key, matching or headings), len(matching or headings))
    if matching:
        raise LedgerError(
            "ambiguous",
            f"{len(matching)} headings contain {wanted!r}: {listed}",
            fix="give more of the heading's text" + (f", or {otherwise}" if otherwise else ""),
        )
    nothing = f"use {otherwise}" if otherwise else "put a heading into the file"
    raise LedgerError(
        "not-found",
        f"no heading contains {wanted!r}",
        fix=f"use part of one of these: {listed}" if headings else nothing,
    )


def _nearest(key: str, headings: Sequence[Heading]) -> list[Heading]:
    """The few headings that are most like a text, in their order."""
    from difflib import SequenceMatcher

    if len(headings) <= _SHOWN:
        return list(headings)
    matcher = SequenceMatcher(None, b=key)

    def likeness(heading: Heading) -> float:
        matcher.set_seq1(heading.text.casefold())
        return matcher.ratio()

    near = sorted(headings, key=likeness, reverse=True)[:_SHOWN]
    return sorted(near, key=lambda heading: heading.line)


def _listed(headings: Sequence[Heading], of: int) -> str:
    listed = "; ".join(f"line {h.line + 1}: {h.text}" for h in headings)
    more = of - len(headings)
    return f"{listed}; and {more} more" if more else listed
