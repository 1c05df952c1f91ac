"""An artifact's bytes as data: JSON and YAML, numbers as written, nothing guessed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ledger import canonical
from ledger.errors import LedgerError

JSON, YAML = "application/json", "application/yaml"
MEDIA_TYPES: Mapping[str, str] = MappingProxyType({".json": JSON, ".yaml": YAML, ".yml": YAML})
"""By suffix, in lower case."""
DEEPEST = 200
"""Levels of nesting; what is deeper is no record of a run."""
FLATTER = "name the record of a run: it is flatter"

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, kw_only=True)
class Document:
    """What an artifact says."""

    data: Any
    """JSON data; a number keeps its digits, what JSON has no word for (NaN, a date) is text."""
    media_type: str


def media_type_of(name: str) -> str | None:
    """What a file's suffix says it is; None where it says nothing."""
    dot = name.rfind(".")
    return MEDIA_TYPES.get(name[dot:].lower()) if dot >= 0 else None


def read(source: bytes, *, name: str) -> Document:
    """Read an artifact by its suffix; one without a known suffix as JSON, then as YAML.

    Raises LedgerError "bad-input", naming the line where it is known: for what is neither, for a
    key that is there twice, several documents in one file, more than plain data.
    """
    try:
        text = source.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise unreadable(
            name, f"not UTF-8 text (byte {error.start})", fix="name a JSON or YAML file in UTF-8"
        ) from None
    match media_type_of(name):
        case "application/json":
            return _json(text, name)
        case "application/yaml":
            return _yaml(text, name)
        case _:
            return _either(text, name)


def unreadable(name: str, what: str, *, fix: str, line: int | None = None) -> LedgerError:
    """The error for an artifact that cannot be read."""
    place = name if line is None else f"{name}:{line}"
    return LedgerError("bad-input", f"{place}: {what}", fix=fix)


def _either(text: str, name: str) -> Document:
    try:
        return _json(text, name)
    except LedgerError as as_json:
        try:
            return _yaml(text, name)
        except LedgerError:
            if text.lstrip()[:1] in {"{", "["}:
                raise as_json from None
            raise


def _json(text: str, name: str) -> Document:
    fix = "name a file that is JSON: each key once in its object, no comment"
    try:
        # Trainers write NaN and Infinity into their states; a note about such a file is needed.
        data = canonical.parse(text, constant=str)
    except json.JSONDecodeError as error:
        raise unreadable(name, f"not JSON: {error.msg}", fix=fix, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise unreadable(name, f"not JSON: {error}", fix=fix) from None
    _not_too_deep(data, name)
    return Document(data=data, media_type=JSON)


def _yaml(text: str, name: str) -> Document:
    from ledger.provenance.yamldata import load

    return Document(data=load(text, name=name), media_type=YAML)


def _not_too_deep(data: Any, name: str) -> None:
    level = [data]
    for _ in range(DEEPEST):
        level = [
            item
            for value in level
            if isinstance(value, dict | list)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
        if not level:
            return
    raise unreadable(name, f"nested more than {DEEPEST} deep", fix=FLATTER)
