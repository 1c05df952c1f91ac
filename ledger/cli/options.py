"""Options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from ledger.cli.app import change_directory
from ledger.errors import LedgerError

WordT = TypeVar("WordT", bound=str)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="DATE", help="As on this date, YYYY-MM-DD (default: today)."),
]
Directory = Annotated[
    Path | None,
    typer.Option(
        "-C",
        metavar="DIR",
        help="Run as if started in DIR.",
        callback=change_directory,
        is_eager=True,
    ),
]
About = Annotated[
    list[str] | None,
    typer.Option(
        "--about",
        metavar="KEY=VALUE",
        help="The configuration it is about; `KEY=` says known to be none. Repeatable.",
    ),
]
Format = Annotated[str, typer.Option("--format", help="text, json or github.")]
FORMATS = ("text", "json", "github")
Limit = Annotated[int, typer.Option("--limit", min=0, help="At most this many; 0 for all.")]
LimitOfEach = Annotated[
    int, typer.Option("--limit", min=0, help="At most this many of each sort as text; 0 for all.")
]
Fields = Annotated[
    str | None, typer.Option("--fields", metavar="A,B", help="Only these fields, in this order.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would follow; write nothing.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]
EvidenceIds = Annotated[
    list[str] | None,
    typer.Option("--evidence", metavar="e-ID", help="A measurement. Repeatable."),
]

ArtifactFields = Annotated[
    list[str] | None,
    typer.Option(
        "--artifact",
        metavar="FILE#/POINTER",
        help="A field of an artifact that states the claim: when it falls, the artifact gets a "
        "note. Repeatable.",
    ),
]


def pairs(option: str, words: Sequence[str], *, fix: str) -> dict[str, str]:
    """The values of a repeated `KEY=VALUE` option by key; a value may be empty.

    Raises LedgerError for another form, and for a key that is given twice.
    """
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not key or not equals or key in found:
            raise LedgerError(
                "bad-input", f"{option} {word!r} is not key=value, or is given twice", fix=fix
            )
        found[key] = value
    return found


def format_of(chosen: str, *, as_json: bool, formats: tuple[str, ...] = FORMATS) -> str:
    """The output format: json with --json, else as chosen. Raises LedgerError as `one_of` does."""
    return one_of("--format", "json" if as_json else chosen, formats)


def one_of(option: str, value: str | None, words: tuple[WordT, ...]) -> WordT:
    """The word among those allowed, or None for None.

    Raises LedgerError naming the words.
    """
    if value is None or value in words:
        return value  # type: ignore[return-value]
    raise LedgerError(
        "bad-input", f"{option} {value!r} is not known", fix=f"one of {', '.join(words)}"
    )
