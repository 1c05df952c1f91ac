"""What the index keeps of a file."""

import re
from typing import Any
from zlib import crc32

from ledger import __version__, canonical
from ledger.codec import content, decode, encode, kind_of
from ledger.entry import Entry
from ledger.store import Problem, Stored

_NOT_SHORTEST = r"[:,\[]-?(?:[0-9]+\.[0-9]*0[,\]}]|[0-9.]+[eE]|0\.0000|[0-9.]{17})"
"""A number that its float would be written otherwise than."""


def row(item: Stored | Problem, stamp: str) -> tuple[Any, ...]:
    """What is kept of a file."""
    if isinstance(item, Problem):
        return (item.path, stamp, *[None] * 9, *_wrong(item))
    recorded = item.entry.recorded
    data = encode(item.entry)
    text, when = content(data).decode(), canonical.canonical(data["recorded"]).decode()
    who = (item.id, kind_of(item.entry), recorded.at, recorded.host, recorded.user)
    problem: tuple[str | None, ...] = (None, None, None, None, __version__)
    if (wrong := item.misplaced) is not None:
        problem = _wrong(wrong)
    words = "\n".join(_words(data))
    return (item.path, stamp, checksum(text, when), *who, text, when, words, *problem)


def checksum(content_text: str, recorded: str) -> int:
    """Guards a row against an index that was damaged without SQLite noticing."""
    return crc32(f"{content_text}{recorded}".encode())


def as_written(content_text: str, recorded: str) -> Entry | None:
    """The entry with the digits of its numbers, where a plain float would lose some of them.

    Decoding at once knows only floats: 35.20 would come back as 35.2.
    """
    start = max(content_text.find('"quantities":'), content_text.find('"expects":'))
    if start < 0 and (start := content_text.find('"figures":')) < 0:
        return None
    if re.compile(_NOT_SHORTEST).search(content_text, start) is None:
        return None
    return decode(canonical.parse(f'{content_text[:-1]},"recorded":{recorded}}}'))


def _wrong(problem: Problem) -> tuple[str, str, str, str, str]:
    return (problem.slug, problem.got, problem.expected, problem.message, __version__)


def _words(value: Any) -> list[str]:
    """Every text in an entry, and the keys of its scope, for searching."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [word for item in value for word in _words(item)]
    if not isinstance(value, dict):
        return []
    keys = list(value.get("about", ()))
    return keys + [word for key, item in value.items() if key != "kind" for word in _words(item)]
