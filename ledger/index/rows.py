"""What the index keeps of a file."""

from typing import Any
from zlib import crc32

from ledger import __version__, canonical
from ledger.codec import content, encode, kind_of
from ledger.store import Problem, Stored


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
