"""Generated regions: finding them between their markers, and the text that goes into one.

    <!-- BEGIN ledger:superseded id=main tag=x sha256=1f0c5ad2c3b4 -->
    <!-- END ledger:superseded id=main -->

A marker is a whole line at column 0 at the top level of the document. The digest covers the body
with LF and without the blank lines at its edges, so that a change made by hand is noticed. All
bytes outside the bodies and the begin lines stay as they are.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ledger.canonical import sha256
from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.cells import MARKER
from ledger.render.markers import (
    DIGEST_DIGITS,
    Marker,
    MarkerError,
    end_line,
    markers_of,
    new_begin_line,
)
from ledger.render.outline import closed

_LIKELY = re.compile(
    rb" {0,3}<!--\s*(?:(?P<begin>BEGIN)\b.*ledger:|END\b|.*ledger:)", re.IGNORECASE
)
"""A line that is a marker, or was meant as one; what does not begin a region ends one."""


@dataclass(frozen=True, kw_only=True)
class Region:
    """A generated region of a document."""

    view: str
    id: str
    options: Mapping[str, str]
    recorded: str | None
    """The digest in the begin marker; None where it has none."""
    begin_line: int
    """1-based line of the begin marker."""
    end_line: int
    """1-based line of the end marker."""
    body: str
    """LF, without blank lines at the edges and without a final line end."""

    @property
    def new(self) -> bool:
        """Whether nothing has been generated into it yet."""
        return self.recorded is None and not self.body

    @property
    def edited(self) -> bool:
        """Whether its digest does not cover its body; a digest that was taken away covers none."""
        return not self.new and self.recorded != digest(self.body)


@dataclass(frozen=True, kw_only=True)
class Generated:
    """A body that can go between markers."""

    body: str
    """LF, without blank lines at the edges and without a final line end."""
    digest: str


def digest(body: str) -> str:
    """The first 12 hex digits of the sha256 of a body, after line ends and edges are normalised."""
    return sha256(markdown.bytes_of(_normal(body)))[:DIGEST_DIGITS]


def generated(text: str) -> Generated:
    """A view's text as the body of a region.

    Raises LedgerError "bad-markers" for text that would hold a marker, or hide one that follows.
    """
    body = _normal(text)
    for line in body.split("\n"):
        if MARKER.search(line):
            raise LedgerError(
                "bad-markers",
                f"the generated text holds a marker: {line[:120]!r}",
                fix="correct the entry that this text comes from",
            )
    inside = markdown.bytes_of(inside_of(body))
    if not closed(inside) and not _ends(inside):
        raise LedgerError(
            "bad-markers",
            "the generated text hides a marker: it opens a block that outlasts it",
            fix="correct the entry that this text comes from",
        )
    return Generated(body=body, digest=digest(body))


def _ends(inside: bytes) -> bool:
    """Whether an end marker after the text is a block of its own."""
    end = b"<!-- END -->\n"
    tokens = markdown.blocks(inside + end)
    last = tokens[-1] if tokens else None
    return (
        last is not None
        and last.type == "html_block"
        and not last.level
        and last.content == end.decode()
    )


def find(source: bytes) -> tuple[Region, ...]:
    """The generated regions of a document, in order.

    Raises MarkerError for a marker without its partner, reversed, nested or repeated pairs, and an
    unknown view or option.
    """
    return regions_of(markdown.split_lines(source))


def generated_lines(source: bytes) -> tuple[range, ...]:
    """The 1-based lines of each generated region, from its begin marker to its end marker.

    Where the markers are malformed, what looks like a begin marker begins a region all the same. It
    lasts to what looks like an end marker, or else to before the next begin marker or to the end.
    """
    lines = markdown.split_lines(source)
    try:
        return tuple(range(r.begin_line, r.end_line + 1) for r in regions_of(lines))
    except MarkerError:
        return tuple(_likely(lines))


def _likely(lines: Sequence[bytes]) -> Iterator[range]:
    begin: int | None = None
    for number, line in enumerate(lines, 1):
        looks = _LIKELY.match(line)
        if looks is None:
            continue
        begins = looks["begin"] is not None
        if begin is not None:
            yield range(begin, number if begins else number + 1)
        begin = number if begins else None
    if begin is not None:
        yield range(begin, len(lines) + 1)


def regions_of(lines: Sequence[bytes]) -> tuple[Region, ...]:
    """`find`, for a document given as its lines."""
    regions: list[Region] = []
    begin: Marker | None = None
    for marker in markers_of(lines):
        if begin is None and marker.begins:
            begin = marker
        elif begin is None:
            raise MarkerError("an end marker without a begin marker before it", line=marker.line)
        elif marker.begins:
            raise MarkerError(
                f"a begin marker inside the region begun in line {begin.line}", line=marker.line
            )
        else:
            regions.append(_region(lines, begin, marker, regions))
            begin = None
    if begin is not None:
        raise MarkerError(
            f"region ledger:{begin.view} id={begin.options['id']} has no end marker",
            line=begin.line,
            fix=f"add the line {end_line(begin.view, begin.options['id'])} after its"
            " body, with a blank line before it, outside any code fence",
        )
    return tuple(regions)


def wrap(view: str, id: str, options: Mapping[str, str], body: str) -> str:  # noqa: A002
    """A new region with its markers, a blank line inside each and a final LF.

    Raises LedgerError for an unknown view or option, a value that a marker cannot hold, and a body
    that holds a marker.
    """
    made = generated(body)
    begin = new_begin_line(view, {"id": id, **options}, recorded=made.digest)
    return f"{begin}\n{inside_of(made.body)}{end_line(view, id)}\n"


def _region(lines: Sequence[bytes], begin: Marker, end: Marker, earlier: list[Region]) -> Region:
    view, name = begin.view, begin.options["id"]
    if (end.view, end.options["id"]) != (view, name):
        raise MarkerError(
            f"this end marker is of ledger:{end.view} id={end.options['id']}, the region begun in"
            f" line {begin.line} is ledger:{view} id={name}",
            line=end.line,
        )
    if twin := next((r for r in earlier if (r.view, r.id) == (view, name)), None):
        raise MarkerError(
            f"ledger:{view} id={name} is already in line {twin.begin_line}",
            line=begin.line,
            fix="give one of them another id, in both of its markers",
        )
    body = _normal(markdown.text_of(b"".join(lines[begin.line : end.line - 1])))
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


def inside_of(body: str) -> str:
    """The lines between two markers: the body with a blank line at each edge."""
    return f"\n{body}\n\n" if body else "\n"
