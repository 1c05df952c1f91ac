"""Bringing the regions of a document up to date, and saying of each how it was found."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ledger.errors import LedgerError
from ledger.render import layout, markdown
from ledger.render.markers import MarkerError, begin_line, column_of
from ledger.render.regions import (
    Generated,
    Region,
    digest,
    inside_of,
    regions_of,
)
from ledger.render.views import OptionError

RegionCondition = Literal["current", "stale", "edited", "malformed"]


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A region as it was found."""

    region: Region
    state: RegionCondition
    wanted: Region
    """The region with the options that its begin marker should carry."""
    made: Generated | None = None
    """What belongs into it; None where an option, or the text made, does not allow it."""
    error: MarkerError | None = None
    """Set for a malformed region."""


def judge(
    source: bytes,
    make: Callable[[Region], Generated],
    *,
    options_of: Callable[[Region], Mapping[str, str]] = lambda region: region.options,
) -> tuple[Judged, ...]:
    """Every region of a document with its state, in order; the document is parsed once.

    `options_of` says what a begin marker should carry, and `make` is asked with those. A body with
    the same cells as the generated one is current, whatever its layout. Raises MarkerError, as
    `regions.find` does, where no region can be told from another.
    """
    lines = markdown.split_lines(source)
    found = []
    for region in regions_of(lines):
        wanted = replace(region, options=options_of(region))
        try:
            made = make(wanted)
        except LedgerError as error:
            placed = _placed(error, region, lines)
            found.append(Judged(region=region, state="malformed", wanted=wanted, error=placed))
        else:
            state = _state(region, made)
            found.append(Judged(region=region, state=state, wanted=wanted, made=made))
    return tuple(found)


def _state(region: Region, made: Generated) -> RegionCondition:
    if region.edited:
        return "edited"
    if region.new:
        return "stale"
    # The digest covers the body here, so that equal digests need no look at the text.
    same = region.recorded == made.digest or markdown.shape(region.body) == markdown.shape(
        made.body
    )
    return "current" if same else "stale"


def _placed(error: LedgerError, region: Region, lines: Sequence[bytes]) -> MarkerError:
    text = markdown.text_of(lines[region.begin_line - 1])
    column = column_of(text, error.option) if isinstance(error, OptionError) else 1
    return MarkerError(error.message, line=region.begin_line, column=column, fix=error.fix)


def renew(source: bytes, judged: Sequence[Judged], *, accept_loss: bool = False) -> bytes:
    """The document with its stale regions rewritten; with `accept_loss` the edited ones too.

    Malformed and current regions stay as they are, as does every byte outside a region; of a table
    that is rewritten, so do the lines whose cells stay the same.
    """
    lines = list(markdown.split_lines(source))
    for item in reversed(judged):
        if item.state == "stale" or (item.state == "edited" and accept_loss):
            _replace_body(lines, item.wanted, _laid_out(item))
    return b"".join(lines)


def _laid_out(item: Judged) -> str:
    """What belongs into a region, in the layout that it has; nothing where that is not known."""
    body = item.made.body if item.made is not None else ""
    return body if item.region.new else layout.kept(item.region.body, body)


def diff(item: Judged) -> str:
    """What rendering would change in a region, as a unified diff."""
    region = item.region
    lines = difflib.unified_diff(
        region.body.split("\n"),
        _laid_out(item).split("\n"),
        f"lines {region.begin_line}-{region.end_line} as edited",
        "as generated",
        lineterm="",
    )
    return "\n".join(lines) or (
        "only the sha256 of its begin marker is missing"
        if region.recorded is None
        else "only the sha256 of its begin marker, or the layout, differs"
    )


def _replace_body(lines: list[bytes], region: Region, body: str) -> None:
    first = lines[region.begin_line - 1]
    bom = markdown.BOM if first.startswith(markdown.BOM) else b""
    begin = begin_line(region.view, {"id": region.id, **region.options}, recorded=digest(body))
    text = markdown.bytes_of(f"{begin}\n{inside_of(body)}")
    eol = markdown.eol_of(first)
    lines[region.begin_line - 1 : region.end_line - 1] = [bom + text.replace(b"\n", eol)]
