"""`list`, `search`, `sql`."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli import options, output, text


def list_entries(
    kind: Annotated[
        str, typer.Argument(help="claims, evidence, consults, supersessions, ...")
    ] = "claims",
    status: Annotated[
        str | None, typer.Option("--status", help="measured, derived, provisional, expired, ...")
    ] = None,
    about: options.About = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only with this tag.")] = None,
    limit: options.Limit = 20,
    fields: options.Fields = None,
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """List entries with their present status.

    The latest come last.

    Example: ledger list claims --status provisional --about seat=training --fields id,expires
    """
    from ledger.service import listing

    if about:
        from ledger import scope

        wanted = scope.parse(about)
    names = listing.fields(fields, kind=kind)
    found = listing.listing(
        Path(),
        kind=kind,
        status=status,
        about=wanted if about else {},
        tag=tag,
        names=names,
        limit=limit,
        as_of=as_of,
    )
    _rows(found.rows, names, total=found.total, as_json=as_json, empty=f"no {kind} match")
    return output.damage(found.warnings)


def _rows(
    rows: list[dict[str, Any]], names: tuple[str, ...], *, total: int, as_json: bool, empty: str
) -> None:
    cells = [[_cell(row[name]) for name in names] for row in rows]
    shown = text.table(names, cells, width=text.columns())
    output.result(shown, {"rows": rows, "total": total}, as_json=as_json)
    if not rows:
        output.message(empty)
    elif len(rows) < total:
        output.message(f"{len(rows)} of {total}; --limit 0 shows all")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return " ".join(f"{key}={'' if item is None else item}" for key, item in value.items())
    if isinstance(value, list):
        return " ".join(_cell(item) for item in value)
    return str(value)


def search(
    words: Annotated[list[str], typer.Argument(help="Words; the last may be a beginning.")],
    limit: options.Limit = 20,
    fields: options.Fields = None,
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Find entries by the words in them, best first.

    Example: ledger search quadratic share
    """
    from ledger.service import book, listing, query

    opened = book.open_book(Path(), as_of=as_of)
    found = query.search(opened, " ".join(words), limit=limit or 10_000)
    names = listing.fields(fields or "id,status,headline", kind="")
    rows = [{name: query.field(opened, i, name) for name in names} for i in found]
    _rows(rows, names, total=len(rows), as_json=as_json, empty="nothing found")
    return output.damage(opened.warnings)


def sql(
    query_text: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT.")],
    limit: options.Limit = 1000,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Query the ledger in SQL, read-only.

    Tables: entries, claims, evidence, quantities, verdicts, supersessions, retractions, consults,
    scopes, problems, and status (id, status) as of today.

    Example: ledger sql "select status, count(*) from claims join status using (id) group by 1"
    """
    from ledger.service import book, query

    opened = book.open_book(Path())
    found = query.sql(opened, query_text)
    kept = found.rows[:limit] if limit else found.rows
    names = _distinct(found.columns)
    rows = [dict(zip(names, map(_as_json, row), strict=True)) for row in kept]
    _rows(rows, names, total=len(found.rows), as_json=as_json, empty="no rows")
    return output.damage(opened.warnings)


def _distinct(columns: Sequence[str]) -> tuple[str, ...]:
    """Column names, the second `id` as `id:1`: SQLite's own way in a view."""
    names: list[str] = []
    for column in columns:
        taken = sum(name == column for name in columns[: len(names)])
        names.append(f"{column}:{taken}" if taken else column)
    return tuple(names)


def _as_json(value: Any) -> Any:
    """What SQLite has and JSON has not as the text that SQLite writes: X'00ff', Inf."""
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, float) and math.isinf(value):
        return "Inf" if value > 0 else "-Inf"
    return value
