"""Generated regions: finding them between their markers and rewriting their bodies.

    <!-- BEGIN ledger:superseded id=main tag=x sha256=1f0c5ad2c3b4 -->
    <!-- END ledger:superseded id=main -->

A marker is a whole line at column 0 at the top level of the document. The digest covers the body
with LF and without the blank lines at its edges, so that a change made by hand is noticed. All
bytes outside the bodies and the begin lines stay as they are.
"""

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ledger.canonical import sha256
from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.cells import MARKER
from ledger.render.markers import (
    DIGEST_DIGITS,
    REGENERATE,
    Marker,
    bad_marker,
    markers_of,
    read_marker,
)


@dataclass(frozen=True, kw_only=True)
class Region:
    """A generated region of a document."""

    view: str
    id: str
    options: Mapping[str, str]
    recorded: str | None
    """The digest in the begin marker; None for a new, still empty region."""
    begin_line: int
    """1-based line of the begin marker."""
    end_line: int
    """1-based line of the end marker."""
    body: str
    """LF, without blank lines at the edges and without a final line end."""


@dataclass(frozen=True, kw_only=True)
class Rewrite:
    """A document with current regions, and what had to change for that."""

    source: bytes
    stale: tuple[Region, ...]
    """Regions that did not show what the ledger holds now."""
    edited: tuple[Region, ...]
    """Regions changed by hand whose changes were given up; never in `stale` too."""


def digest(body: str) -> str:
    """The first 12 hex digits of the sha256 of a body, after line ends and edges are normalised."""
    return sha256(markdown.bytes_of(_normal(body)))[:DIGEST_DIGITS]


def find(source: bytes) -> tuple[Region, ...]:
    """The generated regions of a document, in order.

    Raises LedgerError "bad-markers", naming the line, for a marker without its partner, reversed,
    nested or repeated pairs, an unknown view or option, and a missing digest.
    """
    lines = markdown.split_lines(source)
    regions: list[Region] = []
    begin: Marker | None = None
    for marker in markers_of(source):
        if begin is None and marker.begins:
            begin = marker
        elif begin is None:
            raise bad_marker(marker.line, "an end marker without a begin marker before it")
        elif marker.begins:
            raise bad_marker(
                marker.line, f"a begin marker inside the region begun in line {begin.line}"
            )
        else:
            regions.append(_region(lines, begin, marker, regions))
            begin = None
    if begin is not None:
        raise bad_marker(
            begin.line,
            f"region ledger:{begin.view} id={begin.options['id']} has no end marker",
            fix=f"add the line <!-- END ledger:{begin.view} id={begin.options['id']} --> after its"
            " body, with a blank line before it, outside any code fence",
        )
    return tuple(regions)


def wrap(view: str, id: str, options: Mapping[str, str], body: str) -> str:  # noqa: A002
    """A new region with its markers, a blank line inside each and a final LF.

    Raises LedgerError for an unknown view or option, a value that a marker cannot hold, and a body
    that holds a marker.
    """
    text = _checked(body)
    begin = _begin_line(view, {"id": id, **options}, text)
    try:
        read_marker(begin, 1)
    except LedgerError as error:
        raise LedgerError(
            "bad-input",
            f"cannot make the marker {begin!r}: {error.message}",
            fix="use letters, digits, '.', '_' and '-' for the id, and values without spaces or"
            " angle brackets",
        ) from error
    return f"{begin}\n{_inside(text)}<!-- END ledger:{view} id={id} -->\n"


def rewrite(
    source: bytes, body_of: Callable[[Region], str], *, accept_loss: bool = False
) -> Rewrite:
    """Bring every region up to date with what `body_of` generates for it.

    A body with the same cells as the generated one stays as it is, whatever its layout. Raises
    LedgerError "edited-region", with a diff, for a body that its digest does not cover, unless
    `accept_loss`; "bad-markers" as `find` does, and for generated text that would hide or hold a
    marker.
    """
    regions = find(source)
    bodies = [_checked(body_of(region)) for region in regions]
    edited = tuple(r for r in regions if r.recorded is not None and r.recorded != digest(r.body))
    if edited and not accept_loss:
        raise _edited(edited, dict(zip((r.begin_line for r in regions), bodies, strict=True)))
    lines = list(markdown.split_lines(source))
    stale: list[Region] = []
    for region, body in reversed(list(zip(regions, bodies, strict=True))):
        if region not in edited:
            if region.recorded is not None and _same(region.body, body):
                continue
            stale.insert(0, region)
        _replace_body(lines, region, body)
    result = b"".join(lines)
    if result != source and [(r.view, r.id) for r in find(result)] != [
        (r.view, r.id) for r in regions
    ]:
        raise bad_marker(regions[0].begin_line, "the generated text hides a marker")
    return Rewrite(source=result, stale=tuple(stale), edited=edited)


def _region(lines: tuple[bytes, ...], begin: Marker, end: Marker, earlier: list[Region]) -> Region:
    view, name = begin.view, begin.options["id"]
    if (end.view, end.options["id"]) != (view, name):
        raise bad_marker(
            end.line,
            f"this end marker is of ledger:{end.view} id={end.options['id']}, the region begun in"
            f" line {begin.line} is ledger:{view} id={name}",
        )
    if twin := next((r for r in earlier if (r.view, r.id) == (view, name)), None):
        raise bad_marker(
            begin.line,
            f"ledger:{view} id={name} is already in line {twin.begin_line}",
            fix="give one of them another id, in both of its markers",
        )
    body = _normal(markdown.text_of(b"".join(lines[begin.line : end.line - 1])))
    if begin.recorded is None and body:
        # Without this, deleting the digest would switch off the check for changes by hand.
        raise bad_marker(begin.line, "the begin marker has no sha256", fix=REGENERATE)
    return Region(
        view=view,
        id=name,
        options={key: value for key, value in begin.options.items() if key != "id"},
        recorded=begin.recorded,
        begin_line=begin.line,
        end_line=end.line,
        body=body,
    )


def _normal(body: str) -> str:
    lines = markdown.unix(body).split("\n")
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    return "\n".join(lines)


def _checked(body: str) -> str:
    text = _normal(body)
    for line in text.split("\n"):
        if MARKER.search(line):
            raise LedgerError(
                "bad-markers",
                f"the generated text holds a marker: {line[:120]!r}",
                fix="correct the entry that this text comes from",
            )
    return text


def _inside(body: str) -> str:
    return f"\n{body}\n\n" if body else "\n"


def _begin_line(view: str, options: Mapping[str, str], body: str) -> str:
    words = " ".join(f"{key}={value}" for key, value in options.items())
    return f"<!-- BEGIN ledger:{view} {words} sha256={digest(body)} -->"


def _same(body: str, generated: str) -> bool:
    return body == generated or markdown.shape(body) == markdown.shape(generated)


def _replace_body(lines: list[bytes], region: Region, body: str) -> None:
    first = lines[region.begin_line - 1]
    bom = markdown.BOM if first.startswith(markdown.BOM) else b""
    begin = _begin_line(region.view, {"id": region.id, **region.options}, body)
    text = markdown.bytes_of(f"{begin}\n{_inside(body)}")
    eol = markdown.eol_of(first)
    lines[region.begin_line - 1 : region.end_line - 1] = [bom + text.replace(b"\n", eol)]


def _edited(edited: tuple[Region, ...], bodies: Mapping[int, str]) -> LedgerError:
    diffs = []
    for region in edited:
        diff = difflib.unified_diff(
            region.body.split("\n"),
            bodies[region.begin_line].split("\n"),
            f"lines {region.begin_line}-{region.end_line} as edited",
            "as generated",
            lineterm="",
        )
        diffs.append("\n".join(diff) or "only the sha256 of its begin marker differs")
    names = ", ".join(f"ledger:{r.view} id={r.id} (line {r.begin_line})" for r in edited)
    return LedgerError(
        "edited-region",
        f"edited by hand: {names}\n" + "\n".join(diffs),
        fix="record the change as an entry or undo it; --accept-loss gives it up",
    )
