"""An opened ledger: its entries, their state on a date, and the ways to name and add one."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from ledger import clock, index, store
from ledger.entry import KINDS, Entry
from ledger.errors import LedgerError
from ledger.fold import Fold, fold
from ledger.kinds import LETTERS
from ledger.wording import counted

EntryT = TypeVar("EntryT", bound=Entry)


class Book(Struct, frozen=True, kw_only=True, dict=True):
    """A ledger as read, folded on a date."""

    ledger: store.Ledger
    loaded: store.Loaded
    as_of: str
    entries: Mapping[str, Entry]
    """What had been recorded by then."""
    warnings: tuple[str, ...] = ()
    """Messages for stderr that stop nothing."""

    @cached_property
    def fold(self) -> Fold:
        """Every state on the date, computed when it is first asked for."""
        return fold(self.entries, as_of=self.as_of)

    def resolve(self, text: str, *kinds: str) -> str:
        """The id of an entry of one of these kinds (any, when none is given) by unique prefix.

        Raises LedgerError: bad-input, not-found or ambiguous; damaged, when the file of the entry
        is there and could not be read.
        """
        known = self.entries
        kind = kinds[0] if len(kinds) == 1 else None
        if len(kinds) > 1:
            meant = tuple(LETTERS[name] for name in kinds)
            known = {i: e for i, e in known.items() if i.startswith(meant)}
        try:
            return store.resolve(text, known, kind=kind)
        except LedgerError as error:
            digits = text.lower().removeprefix(text[:2] if text[1:2] == "-" else "")
            broken = [p for p in self.loaded.problems if digits and f"-{digits}" in p.path]
            if error.code == "not-found" and broken:
                raise LedgerError(
                    "damaged", f"{text}: {broken[0].message}", fix="ledger verify"
                ) from None
            raise

    def get(self, text: str, cls: type[EntryT]) -> tuple[str, EntryT]:
        """The id and entry named by a prefix, of the given kind."""
        kind = next(name for name, known in KINDS.items() if known is cls)
        entry_id = self.resolve(text, kind)
        entry = self.entries[entry_id]
        if not isinstance(entry, cls):
            raise TypeError(entry_id)
        return entry_id, entry

    def path(self, entry_id: str) -> str:
        """The entry's file, relative to the ledger's root."""
        return self.loaded.paths[entry_id]


def open_book(directory: Path, *, as_of: str | None = None) -> Book:
    """Read the ledger that `directory` belongs to.

    With `as_of`, entries recorded after that date are left out, so that the answer is what the
    ledger said on that date (or, for a date to come, what it will say if nothing happens).
    Raises LedgerError no-ledger, or damaged when nothing at all can be read.
    """
    day = clock.parse_date(as_of) if as_of is not None else clock.today()
    ledger = store.find(directory)
    loaded = index.load(ledger)
    if loaded.problems and not loaded.entries:
        files = counted(len(loaded.problems), "file")
        raise LedgerError(
            "damaged",
            f"no file in {ledger.claims.name}/ can be read ({files}): "
            f"{loaded.problems[0].path}: {loaded.problems[0].message}",
            fix="ledger verify names each; restore them from git",
        )
    entries = loaded.entries
    if as_of is not None:
        entries = {i: e for i, e in entries.items() if e.recorded.at[:10] <= day}
    return Book(
        ledger=ledger,
        loaded=loaded,
        as_of=day,
        entries=entries,
        warnings=tuple(f"{p.slug}: {p.path}: {p.message}" for p in loaded.problems),
    )


def init(directory: Path, *, here: bool) -> store.Ledger:
    """Make a ledger at the root of the repository that `directory` is in, or right here."""
    root = directory.resolve()
    if not here:
        above = (root, *root.parents)
        root = next((parent for parent in above if (parent / ".git").exists()), root)
    return store.init(root)
