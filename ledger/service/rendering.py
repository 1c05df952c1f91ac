"""Bringing generated regions up to date, and saying which are not."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ledger import render
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.service.book import Book
from ledger.service.citing import read_all


@dataclass(frozen=True, kw_only=True)
class State:
    """A region that is not current."""

    region: str
    line: int
    state: Literal["stale", "edited", "malformed"]
    detail: str


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """What rendering did to one document."""

    path: str
    stale: tuple[str, ...]
    """Regions that were (or, with check, are) behind the ledger."""
    written: bool


def states(fold: Fold, source: bytes) -> list[State]:
    """The regions of a document that are stale, edited by hand or malformed."""
    try:
        regions = render.find(source)
    except LedgerError as error:
        return [_malformed(error)]
    if not regions:
        return []
    try:
        stale = render.rewrite(source, lambda region: body(fold, region)).stale
    except LedgerError as error:
        line = next((r.begin_line for r in regions if f"line {r.begin_line}" in error.message), 1)
        return [
            State(
                region="of this file",
                line=line,
                state="edited" if error.code == "edited-region" else "malformed",
                detail=error.message.split("\n", 1)[0],
            )
        ]
    return [
        State(
            region=f"{region.view} id={region.id}",
            line=region.begin_line,
            state="stale",
            detail="rows that the ledger no longer gives",
        )
        for region in stale
    ]


def _malformed(error: LedgerError) -> State:
    line = re.search(r"line (\d+)", error.message)
    return State(
        region="markers",
        line=int(line[1]) if line else 1,
        state="malformed",
        detail=error.message.split("\n", 1)[0],
    )


def body(fold: Fold, region: render.Region) -> str:
    """What the ledger says now in a region."""
    view = render.VIEWS[region.view]
    return view.body(render.Request(fold=fold, id=region.id, options=region.options))


def render_files(
    book: Book, files: Sequence[Path], *, check: bool, accept_loss: bool = False
) -> list[Rendered]:
    """Bring the regions of these files up to date; without files, of every document.

    Every file is looked at before the first is written. Raises LedgerError for a file that cannot
    be read, broken markers, and a region edited by hand.
    """
    root = book.ledger.root
    paths = [existing(path) for path in files] or [root / name for name in read_all(book.ledger)]
    rewrites = []
    for path in paths:
        source = path.read_bytes()
        try:
            found = render.rewrite(
                source, lambda region: body(book.fold, region), accept_loss=accept_loss
            )
        except LedgerError as error:
            name = shown(path, root)
            raise LedgerError(error.code, f"{name}: {error.message}", fix=error.fix) from None
        if files and not render.find(source):
            raise LedgerError(
                "bad-input",
                f"{shown(path, root)} has no generated region",
                fix="put <!-- BEGIN ledger:superseded id=main --> and "
                "<!-- END ledger:superseded id=main --> on lines of their own, or ledger adopt",
            )
        if render.find(found.source):
            rewrites.append((path, source, found))
    done = []
    for path, source, found in rewrites:
        write = not check and found.source != source
        if write:
            render.replace(path, found.source)
        done.append(
            Rendered(
                path=shown(path, root),
                stale=tuple(f"{r.view} id={r.id}" for r in (*found.stale, *found.edited)),
                written=write,
            )
        )
    return done


def existing(path: Path) -> Path:
    """The path of a file. Raises LedgerError where there is none."""
    if not path.is_file():
        raise LedgerError("bad-input", f"there is no file {path}", fix="name a Markdown file")
    return path


def shown(path: Path, root: Path) -> str:
    """The path relative to the root, where it lies below it."""
    whole = path.resolve()
    return whole.relative_to(root).as_posix() if whole.is_relative_to(root) else str(path)
