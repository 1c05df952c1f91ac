"""What an audit reports."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]
LEVELS: tuple[Level, ...] = ("error", "warning", "note")


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing to look at: what, where, got and expected, and the next command."""

    slug: str
    level: Level
    subject: str
    """The entry's id, or a file for what is about no entry."""
    message: str
    got: str
    expected: str
    fix: str
    """The next command to run."""
    path: str | None = None
    """The file, relative to the ledger's root; filled in for entries by the reader."""
    line: int | None = None
    """1-based."""
    column: int | None = None
    """1-based, in characters."""
