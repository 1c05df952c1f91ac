"""Reads a trace file piece by piece: any JSON layout, plain or gzip, in bounded memory.

Events are decoded by msgspec about 8 MiB at a time. A piece is cut after the last `},{`, which
need not be the end of an event: it may lie in a string or in an event's arguments. Decoding
settles that, as only a cut between two events leaves a well-formed list. Where it does not, the
cut is found by a string-aware pattern, at about the same speed.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

CHUNK = 8 << 20
MAX_PIECE = 64 << 20
"""Longest single event, or member beside the events, in bytes."""
_SPACE = b" \t\r\n"
_NESTED = 24
"""Levels of objects in one event that the exact cut can follow; Kineto writes two."""

Scalar = str | int | float | bool | None


class UnreadableTrace(Exception):  # noqa: N818
    """The file is no complete trace; nothing read from it may be used."""

    def __init__(self, reason: str, *, fix: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.fix = fix


class Event(msgspec.Struct, gc=False):
    """The fields of a trace event that are used; times and arguments as their JSON text."""

    ph: Scalar = None
    cat: Scalar = None
    name: Scalar = None
    ts: msgspec.Raw = msgspec.Raw(b"null")
    dur: msgspec.Raw = msgspec.Raw(b"null")
    pid: msgspec.Raw = msgspec.Raw(b"null")
    tid: msgspec.Raw = msgspec.Raw(b"null")
    args: msgspec.Raw = msgspec.Raw(b"null")


@dataclass(frozen=True, kw_only=True)
class Member:
    """A top-level member beside `traceEvents`."""

    key: str
    value: Any


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Consecutive events. Their raw fields are valid only while the batch is held."""

    events: list[Event]


def _object_pattern() -> str:
    text = r'"(?:[^"\\]++|\\.)*+"'
    nested = r"(?!)"
    for _ in range(_NESTED):
        nested = rf'\{{(?:[^{{}}"]++|{text}|{nested})*+\}}'
    return nested


_OBJECT = _object_pattern()
_EVENTS = re.compile(rf"\s*+{_OBJECT}(?:\s*+,\s*+{_OBJECT})*+".encode(), re.DOTALL)
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[\[\]{}]', re.DOTALL)
_SCALAR = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^\s,\[\]{}"]++(?=[\s,\]}])', re.DOTALL)
_LOOSE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|-?(?:NaN|nan|Infinity|inf)\b', re.DOTALL)
_CONTROL = re.compile(rb"[\x00-\x1f]")
_REFUSED = (msgspec.DecodeError, RecursionError, UnicodeDecodeError)
_File = IO[bytes] | gzip.GzipFile
_EVENT_LIST = msgspec.json.Decoder(list[Event])
_FIX_AGAIN = "export the trace again with prof.export_chrome_trace(...), or copy it again in full"


def _repaired(text: bytes) -> bytes:
    """The text with what profilers write beyond JSON made legal.

    Bare nan and inf become null, raw control characters in strings are escaped, bytes that are
    not UTF-8 become U+FFFD.
    """

    def legal(match: re.Match[bytes]) -> bytes:
        found = match.group()
        if not found.startswith(b'"'):
            return b"null"
        return _CONTROL.sub(lambda control: b"\\u%04x" % control.group()[0], found)

    return _LOOSE.sub(legal, text.decode("utf-8", "replace").encode())


class _Reader:
    """The unread text, from which whole pieces are taken."""

    def __init__(self, file: _File) -> None:
        self.file = file
        self.data = file.read(CHUNK)
        self.ended = not self.data
        self.taken = 0

    def more(self) -> bool:
        """Append the next block; False at the end of the file."""
        block = b"" if self.ended else self.file.read(CHUNK)
        self.ended = not block
        self.data += block
        return not self.ended

    def take(self, length: int) -> bytes:
        piece, self.data = self.data[:length], self.data[length:]
        self.taken += length
        return piece

    def peek(self) -> bytes:
        """The next byte that is no space; empty at the end."""
        while True:
            self.data = self.data.lstrip(_SPACE)
            if self.data or not self.more():
                return self.data[:1]

    def expect(self, byte: bytes) -> None:
        if self.peek() != byte:
            raise self.broken(f"expected {byte.decode()!r}")
        self.take(1)

    def grow(self, what: str) -> None:
        """More text for a piece that does not end yet."""
        if len(self.data) > MAX_PIECE:
            raise UnreadableTrace(
                f"{what} longer than {MAX_PIECE >> 20} MiB at about byte {self.taken:,}",
                fix="check the file: a profiler writes events of a few kilobytes at most",
            )
        if not self.more():
            raise self.broken(f"the file ends inside {what}")

    def broken(self, what: str) -> UnreadableTrace:
        end = "truncated" if not self.data.strip(_SPACE) or self.ended else "not a JSON trace"
        return UnreadableTrace(f"{end}: {what} at about byte {self.taken:,}", fix=_FIX_AGAIN)

    def value(self) -> Any:
        """Any JSON value, whole."""
        self.peek()
        while (length := _value_length(self.data)) is None:
            self.grow("a value")
        text = self.take(length)
        for attempt in (text, _repaired(text)):
            try:
                return msgspec.json.decode(attempt)
            except _REFUSED:
                continue
        raise self.broken(f"malformed value {text[:20]!r}")


def _value_length(data: bytes) -> int | None:
    """Length of the value that the text begins with; None when it does not end in the text."""
    if data[:1] not in (b"[", b"{"):
        match = _SCALAR.match(data)
        return match.end() if match else None
    depth = 0
    for token in _TOKEN.finditer(data):
        mark = token.group()
        depth += mark in (b"[", b"{")
        depth -= mark in (b"]", b"}")
        if not depth:
            return token.end()
    return None


def _quick_cut(data: bytes) -> int:
    """End of the last `}` that is followed by `,` and `{`; 0 when there is none near the end."""
    end = len(data)
    for _ in range(64):
        end = data.rfind(b"}", 0, end)
        if end < 0:
            return 0
        after = data[end + 1 : end + 200].lstrip(_SPACE)
        if after[:1] == b"," and after[1:].lstrip(_SPACE)[:1] == b"{":
            return end + 1
    return 0


def _decode(text: bytes) -> list[Event] | None:
    try:
        return _EVENT_LIST.decode(b"[" + text + b"]")
    except _REFUSED:
        return None


def _next_batch(reader: _Reader) -> Batch:
    quick = _quick_cut(reader.data)
    if quick and (events := _decode(reader.data[:quick])) is not None:
        reader.take(quick)
        return Batch(events=events)
    while (match := _EVENTS.match(reader.data)) is None:
        if reader.data[:1] != b"{":
            raise reader.broken(f"an event that is no object: {reader.data[:20]!r}")
        reader.grow("an event")
    text = reader.take(match.end())
    events = _decode(text)
    if events is None:
        events = _decode(_repaired(text))
    if events is None:
        raise reader.broken("malformed event before this")
    return Batch(events=events)


def _batches(reader: _Reader) -> Iterator[Batch]:
    reader.expect(b"[")
    if reader.peek() == b"]":
        reader.take(1)
        return
    while True:
        reader.peek()
        yield _next_batch(reader)
        mark = reader.peek()
        if mark == b"]":
            reader.take(1)
            return
        reader.expect(b",")
        if len(reader.data) < CHUNK:
            reader.more()


def _members(reader: _Reader) -> Iterator[Member | Batch]:
    reader.expect(b"{")
    found = False
    while reader.peek() != b"}":
        if reader.peek() != b'"':
            raise reader.broken("a member without a name")
        key = reader.value()
        reader.expect(b":")
        if key == "traceEvents":
            if found:
                raise UnreadableTrace(
                    "`traceEvents` stands twice in the file",
                    fix="split it: two traces are two files",
                )
            found = True
            yield from _batches(reader)
        else:
            yield Member(key=str(key), value=reader.value())
        if reader.peek() != b",":
            break
        reader.take(1)
    reader.expect(b"}")
    if not found:
        raise UnreadableTrace("JSON without `traceEvents`: not a profiler trace", fix=_FIX_AGAIN)


def _pieces(file: _File) -> Iterator[Member | Batch]:
    reader = _Reader(file)
    reader.data = reader.data.removeprefix(b"\xef\xbb\xbf")
    first = reader.peek()
    if not first:
        raise UnreadableTrace("the file is empty", fix=_FIX_AGAIN)
    if first not in (b"{", b"["):
        raise UnreadableTrace(
            f"not JSON: it begins with {reader.data[:16]!r}",
            fix="give a Kineto trace: .json or .json.gz of prof.export_chrome_trace(...)",
        )
    yield from _batches(reader) if first == b"[" else _members(reader)
    if reader.peek():
        raise reader.broken("text after the end of the trace")


def pieces(path: Path) -> Iterator[Member | Batch]:
    """The top-level members and the events of a trace, in file order.

    Raises UnreadableTrace for what is missing, no file, cut short or no trace; everything that
    was yielded before is then void.
    """
    try:
        with path.open("rb") as plain:
            zipped = plain.read(2) == b"\x1f\x8b"
            plain.seek(0)
            if not zipped:
                yield from _pieces(plain)
                return
            with gzip.open(plain) as unzipped:
                yield from _pieces(unzipped)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnreadableTrace(f"gzip data cut short or damaged: {error}", fix=_FIX_AGAIN) from None
    except OSError as error:
        raise UnreadableTrace(
            error.strerror or str(error), fix="give the path of a trace file that can be read"
        ) from None
