"""Reading entry files: what is whole and authentic is loaded, the rest named with a reason."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from ledger.codec import encode, from_file, id_of, kind_of
from ledger.entry import KINDS, Entry
from ledger.errors import LedgerError
from ledger.store.location import Ledger
from ledger.store.scanning import Problem, Scan, misfit, named_id, scan

FILE_LIMIT = 64 * 2**20
"""Bytes in one entry file, inclusive."""


class Stored(Struct, frozen=True, kw_only=True):
    """An entry as it was read from its file."""

    id: str
    path: str
    entry: Entry
    misplaced: Problem | None = None
    """Set when month, day or kind in the path are not the entry's; the content is authentic."""


class Loaded(Struct, frozen=True, kw_only=True):
    """Everything in a ledger, in the order of recording."""

    entries: dict[str, Entry]
    paths: dict[str, str]
    problems: tuple[Problem, ...] = ()
    fingerprint: str = ""
    """Of the files that were there, read or not."""


def path_of(entry: Entry, entry_id: str) -> str:
    """Where an entry belongs, relative to the ledger's root."""
    at = entry.recorded.at
    return f"claims/{at[:7]}/{at[8:10]}-{kind_of(entry)}-{entry_id}.json"


def read_bytes(path: Path) -> bytes:
    """The bytes of a plain file; nothing is followed or waited for. Raises OSError."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    descriptor = os.open(path, flags)
    with os.fdopen(descriptor, "rb") as file:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(None, "not a plain file")
        if state.st_size > FILE_LIMIT:
            raise OSError(None, f"larger than {FILE_LIMIT:,} bytes")
        return file.read()


def read_file(path: Path, *, relative: str) -> Stored | Problem:
    """The entry in a file, or why there is none; `relative` is the path from the ledger's root.

    The id is re-derived from the content and must be the one in the name.
    """
    try:
        raw = read_bytes(path)
    except OSError as error:
        return misfit(relative, error.strerror or str(error), "a readable file")
    try:
        data = from_file(raw)
        derived = id_of(data) if _has_kind(data) else None
    except (ValueError, RecursionError) as error:
        hint = " (unresolved merge)" if b"<<<<<<< " in raw else ""
        return misfit(relative, f"{error or 'deep nesting'}{hint}", "JSON", lasting=True)
    named = named_id(path.name)
    if derived is not None and named is not None and derived != named:
        return Problem(
            slug="id-mismatch",
            path=relative,
            got=derived,
            expected=named,
            message=f"was edited: its content gives {derived}, its name says {named}",
        )
    return _validated(data, relative)


def _has_kind(data: Any) -> bool:
    return isinstance(data, dict) and isinstance(data.get("kind"), str) and data["kind"] in KINDS


def _validated(data: Any, relative: str) -> Stored | Problem:
    from ledger.intake import validate

    try:
        entry = validate(data, where=relative)
    except LedgerError as error:
        reason = error.message.removeprefix(f"{relative}: ")
        return misfit(relative, reason, "a valid entry", lasting=True)
    entry_id = id_of(data)
    written = id_of(encode(entry))
    if written != entry_id:
        # Two spellings of one entry would be two ids; only the one that we write is taken.
        got = f"another spelling of {written}"
        return misfit(relative, got, "the form that `ledger` writes", lasting=True)
    return as_stored(entry, entry_id, relative)


def as_stored(entry: Entry, entry_id: str, relative: str) -> Stored:
    """An authentic entry together with where it was found, which may not be where it belongs."""
    place = path_of(entry, entry_id)
    if place == relative:
        return Stored(id=entry_id, path=relative, entry=entry)
    misplaced = Problem(
        slug="id-mismatch",
        path=relative,
        got=relative,
        expected=place,
        message="is authentic, but its date or kind is not the one it was recorded with",
    )
    return Stored(id=entry_id, path=relative, entry=entry, misplaced=misplaced)


def read_all(ledger: Ledger) -> Loaded:
    """Read every file, without an index.

    Raises LedgerError `damaged` when claims/ itself cannot be listed.
    """
    found = scan(ledger)
    return collect([read_file(ledger.root / path, relative=path) for path in found.files], found)


def collect(read: Iterable[Stored | Problem], found: Scan) -> Loaded:
    """Put what was read together, in whatever order it comes.

    The same entry recorded on two branches is one entry; its earliest recording counts.
    """
    stored: list[Stored] = []
    problems = list(found.problems)
    for item in read:
        if isinstance(item, Problem):
            problems.append(item)
            continue
        stored.append(item)
        if item.misplaced is not None:
            problems.append(item.misplaced)
    stored.sort(key=lambda item: (item.entry.recorded.at, item.path))
    entries: dict[str, Entry] = {}
    paths: dict[str, str] = {}
    for item in stored:
        if item.id not in entries:
            entries[item.id] = item.entry
            paths[item.id] = item.path
    problems.sort(key=lambda problem: (problem.path, problem.slug))
    return Loaded(
        entries=entries,
        paths=paths,
        problems=tuple(problems),
        fingerprint=found.fingerprint(),
    )
