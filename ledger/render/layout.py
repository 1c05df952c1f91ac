"""Keeping the layout of a table whose rows change: only what differs is written anew."""

import functools

from ledger.render import markdown


@functools.lru_cache(maxsize=256)
def kept(before: str, after: str) -> str:
    """The generated table `after`, with the lines of `before` for the cells that stay the same.

    Its alignment is kept, and that of a table to which a column was added. Anything but one table
    under a header that stays comes out as `after`. Both are bodies of a region, with LF.
    """
    old, new = _table(before), _table(after)
    if old is None or new is None:
        return after
    old_lines, new_lines = before.split("\n"), after.split("\n")
    head = old_lines[:2]
    if new.header.cells[:-1] == old.header.cells:
        head = [new_lines[0], _wider(old_lines[1])]
    elif new.header.cells != old.header.cells:
        return after
    lines: dict[tuple[str, ...], list[str]] = {}
    for row in reversed(old.rows):
        lines.setdefault(row.cells, []).append(old_lines[row.line])
    rows = [
        lines[row.cells].pop() if lines.get(row.cells) else new_lines[row.line] for row in new.rows
    ]
    return "\n".join([*head, *rows])


def rows_of(body: str) -> tuple[tuple[str, ...], ...] | None:
    """The cells of the rows of a body, as Markdown source; None for anything but one table."""
    found = _table(body.rstrip("\n"))
    return None if found is None else tuple(row.cells for row in found.rows)


def _wider(delimiters: str) -> str:
    """The delimiter row of one more column."""
    cells = [cell.strip() for cell in delimiters.strip().strip("|").split("|")]
    return f"| {' | '.join([*cells, '---'])} |"


def _table(body: str) -> markdown.Table | None:
    """The table that a text is, with nothing before or after it."""
    source = markdown.bytes_of(body)
    found = markdown.tables(source, markdown.blocks(source))
    lines = len(markdown.split_lines(source))
    if len(found) != 1 or (found[0].begin, found[0].end) != (0, lines) or found[0].level:
        return None
    return found[0]
