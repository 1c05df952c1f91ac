"""Tables whose rows and columns a region's options choose: the part that the views share."""

import datetime as dt
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from ledger import scope
from ledger.entry import Scope
from ledger.render.views.view import OptionError, Request, decoded, encoded, table

COMMON = ("scope", "tag", "since", "columns", "order")
"""Options of every view that is a table."""
DATE = "date"
"""What `order` takes besides the columns: the date of a row, shown or not."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One row before it is chosen, cut and put in order."""

    cells: Mapping[str, str]
    """Markdown source by column."""
    date: str
    """YYYY-MM-DD: the row's own date, or the day it was recorded."""
    about: Scope = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    keys: Mapping[str, float | str | None] = field(default_factory=dict)
    """What `order` compares, for columns whose text it should not; None comes last."""


def listing(
    request: Request,
    columns: tuple[str, ...],
    rows: Iterable[Row],
    *,
    shown: tuple[str, ...] | None = None,
    titles: Mapping[str, str] | None = None,
) -> str:
    """The rows that the options select, as a table.

    `shown` are the columns without the option `columns`, by default all; `titles` gives a column
    another heading than its name. Raises OptionError for an option that names no column or date.
    """
    chosen = chosen_columns(request, columns) or shown or columns
    selected = in_order(request, columns, list(filter(selection(request), rows)))
    heads = tuple((titles or {}).get(name, name) for name in chosen)
    return table(heads, tuple(tuple(row.cells[name] for name in chosen) for row in selected))


def chosen_columns(request: Request, columns: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that the options name, in their order; none where they name none."""
    names = request.words("columns")
    for name in names:
        if name not in columns:
            raise _unknown("columns", name, columns)
    if len(set(names)) != len(names):
        raise OptionError("columns", "a column is named twice", fix="name each column once")
    return names


def selection(request: Request) -> Callable[[Row], bool]:
    """Whether the options `scope`, `tag` and `since` leave a row in."""
    wanted, since, tag = wanted_scope(request), day(request, "since"), request.text("tag")

    def selects(row: Row) -> bool:
        return (
            scope.matches_filter(row.about, wanted)
            and (since is None or row.date >= since)
            and (tag is None or tag in row.tags)
        )

    return selects


def wanted_scope(request: Request) -> Scope:
    """The configuration that the option `scope` asks for: key=value,key=value."""
    wanted: Scope = {}
    value = request.options.get("scope")
    for pair in value.split(",") if value is not None else ():
        key, equals, text = (decoded(part) for part in pair.partition("="))
        if not key or not equals:
            raise OptionError(
                "scope",
                f"{pair!r} is not key=value",
                fix="write scope=seat=training,run=erp-1; `key=` says known to be none",
            )
        wanted[key] = text or None
    return wanted


def day(request: Request, option: str) -> str | None:
    """The date in an option; None where it is not given."""
    value = request.text(option)
    if value is None:
        return None
    try:
        valid = dt.date.fromisoformat(value).isoformat() == value
    except ValueError:
        valid = False
    if not valid:
        raise OptionError(option, f"{value!r} is not a date", fix="write it as YYYY-MM-DD")
    return value


def in_order(request: Request, columns: tuple[str, ...], rows: list[Row]) -> list[Row]:
    """The rows as the option `order` wants them; equal ones stay as they are."""
    order = request.text("order")
    if order is None:
        return rows
    name = order.removeprefix("-")
    if name not in (DATE, *columns):
        raise _unknown("order", name, (DATE, *(c for c in columns if c != DATE)))
    known = [row for row in rows if _key(row, name) is not None]
    last = [row for row in rows if _key(row, name) is None]
    return sorted(known, key=lambda row: _rank(row, name), reverse=order != name) + last


def _key(row: Row, name: str) -> float | str | None:
    return row.keys.get(name, row.cells.get(name, row.date))


def _rank(row: Row, name: str) -> tuple[bool, float, str]:
    key = _key(row, name)
    return (True, 0.0, key.casefold()) if isinstance(key, str) else (False, float(key or 0), "")


def _unknown(option: str, name: str, columns: tuple[str, ...]) -> OptionError:
    known = ", ".join(encoded(column) for column in columns)
    return OptionError(option, f"there is no column {name!r}", fix=f"use any of: {known}")
