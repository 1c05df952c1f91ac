"""Read times against sequence length from a CSV or JSON file."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger.errors import LedgerError

MOST_LENGTHS = 64
"""The verdict looks at every place where a floor or a window may end: quadratic in lengths."""
LONGEST = 10**9
"""Tokens, inclusive."""
SHORTEST_S, LONGEST_S = 1e-9, 1e9
"""Seconds, inclusive; beyond them it is a wrong unit."""
_FIX = (
    "give a header `seq_len,seconds` (or a time column whose name ends in the unit: ms, us, ns), "
    "one time per line, optionally a column `repeat`"
)
_TIME_COLUMN = re.compile(r"^(?:.*[_\s(\[])?(seconds|second|sec|s|ms|us|µs|ns)[)\]]?$")
_PER_SECOND = {"ms": 1e3, "us": 1e6, "µs": 1e6, "ns": 1e9}


@dataclass(frozen=True, kw_only=True)
class Timed:
    """The times of one step at one sequence length."""

    seq_len: int
    """Tokens in a row."""
    seconds: tuple[float, ...]
    """Every repeat, each > 0 and finite, in the order taken."""


@dataclass(frozen=True, kw_only=True)
class _Row:
    place: str
    cells: Mapping[str, Any]


def read(path: Path) -> tuple[Timed, ...]:
    """The times in a file, by ascending length.

    CSV: a header, blank lines and lines that start with `#` allowed. JSON: a list of objects, or
    an object with that list under `points`; a time may be a list of repeats. Raises LedgerError
    (bad-input) naming the line or item.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError("bad-input", f"cannot read {path}: {error}", fix=_FIX) from None
    return parse(text, name=path.name, as_json=path.suffix.lower() == ".json")


def parse(text: str, *, name: str, as_json: bool) -> tuple[Timed, ...]:
    """The times in a text; `name` is what errors call it. Raises as `read` does."""
    rows = list(_json_rows(text, name) if as_json else _csv_rows(text, name))
    if not rows:
        raise LedgerError("bad-input", f"{name}: no times below the header", fix=_FIX)
    times: dict[int, list[float]] = {}
    seen: set[tuple[int, str]] = set()
    for row in rows:
        column = _time_column(row)
        length = _length(row)
        repeat = str(row.cells.get("repeat") or "").strip()
        if repeat and (length, repeat) in seen:
            raise LedgerError(
                "bad-input",
                f"{row.place}: repeat {repeat} of seq_len {length} is given twice",
                fix="number the repeats of one length differently, or drop the column",
            )
        seen.add((length, repeat))
        times.setdefault(length, []).extend(_seconds(row, column))
    if len(times) > MOST_LENGTHS:
        raise LedgerError(
            "bad-input",
            f"{name}: {len(times)} distinct lengths, at most {MOST_LENGTHS} are fitted",
            fix="keep some lengths, geometrically spaced, with several repeats each",
        )
    return tuple(Timed(seq_len=n, seconds=tuple(times[n])) for n in sorted(times))


def _csv_rows(text: str, name: str) -> Iterator[_Row]:
    header: list[str] | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = f"{name} line {number}"
        cells = [cell.strip() for cell in next(csv.reader(io.StringIO(line)))]
        if header is None:
            header = [cell.lower() for cell in cells]
            _check_columns(header, place)
        elif len(cells) != len(header):
            raise LedgerError(
                "bad-input", f"{place}: {len(cells)} cells, expected {len(header)}", fix=_FIX
            )
        else:
            yield _Row(place=place, cells=dict(zip(header, cells, strict=True)))
    if header is None:
        raise LedgerError("bad-input", f"{name}: empty, no header", fix=_FIX)


def _json_rows(text: str, name: str) -> Iterator[_Row]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LedgerError("bad-input", f"{name}: not JSON: {error}", fix=_FIX) from None
    items = data.get("points") if isinstance(data, dict) else data
    if not isinstance(items, list):
        raise LedgerError("bad-input", f"{name}: no list of points", fix=_FIX)
    for number, item in enumerate(items, start=1):
        place = f"{name} point {number}"
        if not isinstance(item, dict):
            raise LedgerError("bad-input", f"{place}: not an object", fix=_FIX)
        cells = {str(key).strip().lower(): value for key, value in item.items()}
        _check_columns(list(cells), place)
        yield _Row(place=place, cells=cells)


def _check_columns(columns: list[str], place: str) -> None:
    timed = [column for column in columns if _TIME_COLUMN.match(column)]
    if len(set(columns)) != len(columns):
        raise LedgerError("bad-input", f"{place}: a column is named twice", fix=_FIX)
    if "seq_len" not in columns:
        hint = " (separate columns by commas)" if any(";" in column for column in columns) else ""
        raise LedgerError("bad-input", f"{place}: no column seq_len{hint}", fix=_FIX)
    if len(timed) != 1:
        found = ", ".join(timed) or "none"
        raise LedgerError(
            "bad-input",
            f"{place}: expected one column of times with its unit, got {found}",
            fix=_FIX,
        )
    # A further column (batch, gpu, seed) may mean that the rows mix configurations.
    other = sorted(set(columns) - {"seq_len", "repeat", timed[0]})
    if other:
        raise LedgerError(
            "bad-input",
            f"{place}: unknown column {other[0]!r}",
            fix="keep the rows of one configuration and only seq_len, the times and repeat",
        )


def _time_column(row: _Row) -> str:
    return next(column for column in row.cells if _TIME_COLUMN.match(column))


def _number(value: Any, place: str) -> float:
    try:
        if isinstance(value, bool):
            raise TypeError
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise LedgerError("bad-input", f"{place}: {value!r} is not a number", fix=_FIX) from None


def _length(row: _Row) -> int:
    length = _number(row.cells["seq_len"], row.place)
    if not (1 <= length <= LONGEST and length == int(length)):
        raise LedgerError(
            "bad-input",
            f"{row.place}: seq_len {row.cells['seq_len']} is not a whole number of tokens"
            f" from 1 to {LONGEST:,}",
            fix=_FIX,
        )
    return int(length)


def _seconds(row: _Row, column: str) -> Iterable[float]:
    found = _TIME_COLUMN.match(column)
    per_second = _PER_SECOND.get(found.group(1), 1.0) if found else 1.0
    cell = row.cells[column]
    values = cell if isinstance(cell, list) else [cell]
    if not values:
        raise LedgerError("bad-input", f"{row.place}: an empty list of times", fix=_FIX)
    for value in values:
        seconds = _number(value, row.place) / per_second
        if not SHORTEST_S <= seconds <= LONGEST_S:
            raise LedgerError(
                "bad-input",
                f"{row.place}: time {value} is not between {SHORTEST_S:g} and {LONGEST_S:g} s",
                fix=_FIX,
            )
        yield seconds
