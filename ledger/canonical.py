"""Canonical JSON: the bytes that an entry's id is computed from, and the readable file form.

Sorted keys, UTF-8, no insignificant space, numbers as written (RFC 8785 without its number
rewriting: `35.20` stays `35.20`, so that a quantity keeps the digits it was recorded with).
"""

import json
import re
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring as _quote
from typing import Any, Self

# Controls, bidi overrides and other invisible format characters: escaped in the file so that a
# reviewer sees them (CVE-2021-42574); the id is computed from the characters themselves.
_INVISIBLE = (
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


class Number(float):
    """A JSON number with a fraction or exponent that remembers how it was written."""

    text: str

    def __new__(cls, text: str) -> Self:
        """Raises ValueError when the number does not fit a double."""
        number = super().__new__(cls, text)
        number.text = text
        if number in (float("inf"), float("-inf")):
            raise ValueError(f"number out of range: {text[:40]}")
        return number

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override]
        return (self.text,)


def _integer(text: str) -> int | Number:
    return Number(text) if text == "-0" or len(text) > 300 else int(text)  # noqa: PLR2004


# Patterns are compiled when first used (`re` keeps them): readers start faster.
_JSON_NUMBER = r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?"


def number(text: str) -> int | Number:
    """A number as typed by a person, digits kept. Raises ValueError for anything else."""
    match = re.fullmatch(_JSON_NUMBER, text)
    if match is None:
        raise ValueError(f"{text!r} is not a number")
    return Number(text) if match[1] or match[2] else _integer(text)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON number")


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object from its members. Raises ValueError for a key that is there twice."""
    keys = dict(pairs)
    if len(keys) != len(pairs):
        seen: set[str] = set()
        twice = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise ValueError(f"duplicate key {twice!r}")
    return keys


def parse(
    text: str | bytes,
    *,
    members: Callable[[list[tuple[str, Any]]], dict[str, Any]] = unique,
    constant: Callable[[str], Any] = _refuse_constant,
) -> Any:
    """Read JSON, keeping numbers as written.

    `constant` is what becomes of NaN and Infinity, which are no JSON. Raises ValueError for
    malformed JSON, duplicate keys, NaN, Infinity, numbers out of range and text that is not UTF-8
    or holds lone surrogates.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        value = json.loads(
            text,
            parse_float=Number,
            parse_int=_integer,
            parse_constant=constant,
            object_pairs_hook=members,
        )
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\u" in text:
        canonical(value)
    return value


def _pieces(value: Any, *, sort: bool, indent: str | None) -> Iterable[str]:
    if value is None:
        yield "null"
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str):
        yield _quote(value)
    elif isinstance(value, Number):
        yield value.text
    elif isinstance(value, int | float):
        yield json.dumps(value, allow_nan=False)
    elif isinstance(value, dict):
        items = sorted(value.items()) if sort else list(value.items())
        inner = None if indent is None else indent + "  "
        for i, (key, item) in enumerate(items):
            yield ("," if i else "{") + ("" if inner is None else "\n" + inner)
            yield _quote(key) + (":" if inner is None else ": ")
            yield from _pieces(item, sort=sort, indent=inner)
        yield ("" if indent is None else "\n" + indent) + "}" if items else "{}"
    elif isinstance(value, list | tuple):
        inner = None if indent is None else indent + "  "
        for i, item in enumerate(value):
            yield ("," if i else "[") + ("" if inner is None else "\n" + inner)
            yield from _pieces(item, sort=sort, indent=inner)
        yield ("" if indent is None else "\n" + indent) + "]" if value else "[]"
    else:
        raise TypeError(f"not JSON: {type(value).__name__}")


def canonical(value: Any) -> bytes:
    """The canonical bytes of a JSON value. Raises ValueError for NaN, infinity, lone surrogates."""
    text = "".join(_pieces(value, sort=True, indent=None))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"text that is not valid Unicode: {error.reason}") from None


def in_order(value: Any) -> Any:
    """The same JSON data with the keys of every object sorted: equal data, equal text."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [in_order(item) for item in value]
    return value


def compact(value: Any) -> str:
    """One line of JSON, keys in the given order, invisible characters escaped."""
    return re.sub(_INVISIBLE, _escape, "".join(_pieces(value, sort=False, indent=None)))


def readable(value: Any) -> bytes:
    """The file form: indented, keys in the given order, invisible characters escaped, final LF."""
    text = "".join(_pieces(value, sort=False, indent="")) + "\n"
    return re.sub(_INVISIBLE, _escape, text).encode("utf-8")


def _escape(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]


def sha256(data: bytes) -> str:
    """Hex digest."""
    import hashlib

    return hashlib.sha256(data).hexdigest()
