"""Where in an artifact's text a pointer's field stands."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.provenance.pointers import ancestors, step

if TYPE_CHECKING:
    import yaml

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s,:{}\[\]"]+')


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place in a text, counted from 1; columns in characters."""

    line: int
    column: int


def places(text: str, *, media_type: str) -> Mapping[str, Place]:
    """The place of each field by its pointer: of its key, or of a list's item.

    The text is known to be valid.
    """
    text = text.removeprefix("\ufeff")
    return _in_yaml(text) if "yaml" in media_type else _in_json(text)


def nearest(found: Mapping[str, Place], pointer: str) -> Place:
    """The place of a field, or of the nearest one above it that has a place."""
    return next(found[place] for place in ancestors(pointer) if place in found)


@dataclass(kw_only=True)
class _Open:
    """An object or list that the scan is in."""

    pointer: str
    key: str | None
    """The object's key whose value comes next."""
    index: int | None
    """The list's next index; None in an object."""


def _in_json(text: str) -> dict[str, Place]:
    found = {"": Place(line=1, column=1)}
    opened: list[_Open] = []
    line, start = 1, 0
    for match in _WORD.finditer(text):
        word, at = match[0], match.start()
        line += text.count("\n", start, at)
        start = at
        if word in "}]":
            opened.pop()
            continue
        here = Place(line=line, column=at - text.rfind("\n", 0, at))
        above = opened[-1] if opened else None
        pointer = ""
        if above is not None and above.index is None and above.key is None:
            above.key = json.loads(word, strict=False)
            found[above.pointer + step(above.key)] = here
            continue
        if above is not None and above.index is None:
            pointer, above.key = above.pointer + step(above.key), None
        elif above is not None and above.index is not None:
            pointer, above.index = above.pointer + step(above.index), above.index + 1
            found[pointer] = here
        if word in "{[":
            opened.append(_Open(pointer=pointer, key=None, index=0 if word == "[" else None))
    return found


def _in_yaml(text: str) -> dict[str, Place]:
    import yaml

    found = {"": Place(line=1, column=1)}
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    open_nodes = [("", root)] if root is not None else []
    seen: set[int] = set()
    while open_nodes:
        pointer, node = open_nodes.pop()
        if id(node) in seen:
            continue  # an alias: its fields have their places already
        seen.add(id(node))
        inside = []
        for name, mark, value in _members(node):
            inner = pointer + step(name)
            found[inner] = Place(line=mark.line + 1, column=mark.column + 1)
            inside.append((inner, value))
        open_nodes.extend(reversed(inside))
    return found


def _members(node: "yaml.Node") -> "list[tuple[object, yaml.Mark, yaml.Node]]":
    import yaml

    if isinstance(node, yaml.MappingNode):
        return [(key.value, key.start_mark, value) for key, value in node.value]
    if isinstance(node, yaml.SequenceNode):
        return [(i, item.start_mark, item) for i, item in enumerate(node.value)]
    return []
