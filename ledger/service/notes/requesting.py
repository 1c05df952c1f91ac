"""Checking an artifact before anybody relies on it: requested against resolved, absent keys."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import assert_never

from ledger import canonical
from ledger.errors import LedgerError
from ledger.provenance import places, pointers, reading, requested
from ledger.provenance.requested import Doubt
from ledger.rules import Finding
from ledger.service import disk


@dataclass(frozen=True, kw_only=True)
class Told:
    """A field that does not tell a reader what it should."""

    finding: Finding
    """At the field's key, or at the nearest one above where the field is absent."""
    pointer: str


@dataclass(frozen=True, kw_only=True)
class Checked:
    """What was looked at in an artifact, and what of it tells nothing."""

    requests: int
    """Requested values that were compared."""
    keys: int
    """Keys that were looked for."""
    found: tuple[Told, ...]

    def failing(self) -> bool:
        """Whether anything is worse than a note."""
        return any(told.finding.level != "note" for told in self.found)


def check(path: Path, *, keys: Path | None = None, like: Path | None = None) -> Checked:
    """Compare what an artifact says was requested with what it says was resolved.

    A text that tells nothing is left out where a note says so. With `keys` (one key or pointer per
    line, or a JSON list) or `like` (another artifact), also report keys that are absent. Raises
    LedgerError for a file that cannot be read as what it is.
    """
    source = _bytes(path)
    document = reading.read(source, name=str(path))
    named = [*(_listed(keys) if keys else ()), *(_members(like) if like else ())]
    values = {p: pointers.value_at(document.data, p) for p in pointers.leaves(document.data)}
    requests = requested.pairs(document.data)
    telling_nothing = requested.uninformative(values, named)
    noted = _noted(path, source) if telling_nothing else frozenset()
    doubts = (
        *requested.unresolved(requests),
        *requested.absent(document.data, named),
        *(d for d in telling_nothing if noted.isdisjoint(pointers.ancestors(d.pointer))),
    )
    text = source.decode("utf-8", "replace")
    where = places.places(text, media_type=document.media_type) if doubts else {}
    found = [_told(path, doubt, where) for doubt in doubts]
    found.sort(key=lambda told: (told.finding.line or 0, told.finding.column or 0))
    return Checked(requests=len(requests), keys=len(set(named)), found=tuple(found))


def _noted(path: Path, source: bytes) -> frozenset[str]:
    """The fields of which a note in force says that they tell nothing; none without a ledger."""
    from ledger.provenance.notes import by_content
    from ledger.service.book import open_book

    try:
        book = open_book(Path())
    except LedgerError:
        return frozenset()
    name = disk.shown(path, book.ledger.root)
    note = by_content(book.fold, path=name).get((name, canonical.sha256(source)))
    statements = note.wrong if note else ()
    return frozenset(item.pointer for item in statements if item.status == "uninformative")


def _bytes(path: Path) -> bytes:
    """A file's bytes, or what comes out of a pipe."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise disk.unreadable(str(path), error) from None


def _listed(path: Path) -> tuple[str, ...]:
    """The pointers in a key list; a bare key is one of the document's own."""
    try:
        text = _bytes(path).decode("utf-8-sig")
        words = canonical.parse(text) if text.lstrip().startswith(("[", "{")) else _lines(text)
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise ValueError("a key list in JSON is a list of texts")
    except ValueError as error:
        raise LedgerError(
            "bad-input",
            f"{path} is no key list: {error}",
            fix="write one key or /pointer per line, or a JSON list of them; "
            "--like takes another artifact",
        ) from None
    for word in words:
        pointers.split(word if word.startswith("/") else "")
    return tuple(w if w.startswith("/") else pointers.step(w) for w in words)


def _lines(text: str) -> list[str]:
    lines = (line.split(" #", 1)[0].strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _members(path: Path) -> tuple[str, ...]:
    return requested.keys_of(reading.read(_bytes(path), name=str(path)).data)


def _told(path: Path, doubt: Doubt, where: Mapping[str, places.Place]) -> Told:
    place = places.nearest(where, doubt.at)
    return Told(
        finding=Finding(
            slug=_SLUGS.get(doubt.kind, "requested-not-resolved"),
            level="note" if doubt.kind == "uninformative" else "warning",
            subject=f"{path}#{doubt.pointer}",
            message=f"{doubt.pointer} {_message(doubt)}",
            got=doubt.got,
            expected=doubt.expected,
            fix=_fix(path, doubt),
            path=str(path),
            line=place.line,
            column=place.column,
        ),
        pointer=doubt.pointer,
    )


_SLUGS = {"absent": "absent-key", "uninformative": "uninformative"}


def _message(doubt: Doubt) -> str:
    match doubt.kind:
        case "differs":
            return "is not what was requested"
        case "unresolved" | "resolved-null":
            return "does not say what the request was resolved to"
        case "absent":
            return "is absent: write null where there is none, for absent says nothing"
        case "uninformative":
            return "is there and tells nothing"
    assert_never(doubt.kind)


def _fix(path: Path, doubt: Doubt) -> str:
    file, pointer, at = (shlex.quote(text) for text in (str(path), doubt.pointer, doubt.at))
    match doubt.kind:
        case "differs":
            about = shlex.quote(doubt.asked or "")
            return f"look for claims that are not of this run: ledger list claims --about {about}"
        case "unresolved" | "resolved-null":
            return (
                "record it next time; of this run, "
                f"ledger note {file} --investigating {at} --reason TEXT"
            )
        case "absent":
            return f"let the writer of the file emit {pointer}; then ledger note check {file} again"
        case "uninformative":
            return f"ledger note {file} --uninformative {at} --reason TEXT"
    assert_never(doubt.kind)
