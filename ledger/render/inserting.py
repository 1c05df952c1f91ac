"""Putting a new, empty region under a heading."""

from collections.abc import Mapping, Sequence

from ledger.errors import LedgerError
from ledger.render import markdown
from ledger.render.headings import find_heading
from ledger.render.markers import end_line, new_begin_line
from ledger.render.regions import regions_of


def insert(
    source: bytes,
    view: str,
    id: str,  # noqa: A002
    options: Mapping[str, str],
    *,
    after: str,
) -> bytes:
    """The document with an empty region directly under the heading whose text is `after`.

    The region has blank lines around it and the heading's line ends; it ends the document without a
    line end where the document had none. Raises LedgerError for a heading that is missing, not
    unique or inside a region, a marker that cannot be made, and a region that is there already.
    """
    begin = new_begin_line(view, {"id": id, **options})
    lines = list(markdown.split_lines(source))
    found = regions_of(lines)
    if twin := next((r for r in found if (r.view, r.id) == (view, id)), None):
        raise LedgerError(
            "bad-input",
            f"line {twin.begin_line}: ledger:{view} id={id} is there already",
            fix="leave out --insert to render it, or give the new one another --id",
        )
    heading = find_heading(markdown.headings(markdown.blocks(source)), after)
    inside = (r for r in found if r.begin_line <= heading.line < r.end_line)
    if region := next(inside, None):
        raise LedgerError(
            "bad-input",
            f"line {heading.line + 1}: this heading is in the region ledger:{region.view}"
            f" id={region.id}",
            fix="name a heading outside of generated regions",
        )
    lines[heading.end : heading.end] = _block(lines, heading.end, [begin, "", end_line(view, id)])
    return b"".join(lines)


def _block(lines: list[bytes], place: int, new: Sequence[str]) -> list[bytes]:
    """The new lines with what separates them from the lines around the place."""
    eol = next((end for line in lines if (end := markdown.eol_of(line))), b"\n")
    eol = markdown.eol_of(lines[place - 1]) or eol
    block = [eol, *(markdown.bytes_of(line) + eol for line in new)]
    if place == len(lines) and not markdown.eol_of(lines[-1]):
        return [eol, *block[:-1], block[-1].removesuffix(eol)]
    if place < len(lines) and lines[place].strip(b" \t\r\n"):
        block.append(eol)
    return block
