"""JSON pointers (RFC 6901) and the leaves of a document that they name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ledger.errors import LedgerError

INDEX = re.compile(r"0|[1-9][0-9]{0,17}")
"""A step that can be the index of an array."""
_NEAR = 3


def split(pointer: str) -> tuple[str, ...]:
    """The keys and indices of a pointer; none for the whole document.

    Raises LedgerError "bad-input" for a text that is no pointer.
    """
    if not pointer:
        return ()
    if not pointer.startswith("/") or re.search(r"~(?![01])", pointer):
        raise LedgerError(
            "bad-input",
            f"{pointer[:120]!r} is not a JSON pointer",
            fix="write it as /key/0/key, with ~1 for a slash and ~0 for a tilde in a key;"
            ' "" is the whole document',
        )
    return tuple(p.replace("~1", "/").replace("~0", "~") for p in pointer[1:].split("/"))


def step(name: object) -> str:
    """One step of a pointer: a slash and the key or index, escaped."""
    return "/" + str(name).replace("~", "~0").replace("/", "~1")


@dataclass(frozen=True, kw_only=True)
class Reached:
    """How far a pointer leads."""

    pointer: str
    """The longest part of it that names something."""
    value: Any
    rest: tuple[str, ...]
    """The keys and indices that are not there; none where all of it is."""


def reach(data: Any, pointer: str) -> Reached:
    """Follow a pointer as far as it leads. Raises LedgerError as `split` does."""
    here, done = data, ""
    parts = split(pointer)
    for place, part in enumerate(parts):
        if isinstance(here, dict) and part in here:
            here = here[part]
        elif isinstance(here, list) and INDEX.fullmatch(part) and _within(part, here):
            here = here[int(part)]
        else:
            return Reached(pointer=done, value=here, rest=parts[place:])
        done += step(part)
    return Reached(pointer=done, value=here, rest=())


def value_at(data: Any, pointer: str) -> Any:
    """What a pointer names. Raises LedgerError "not-found", naming pointers that are near."""
    found = reach(data, pointer)
    if found.rest:
        raise _not_there(data, pointer, found)
    return found.value


def _within(index: str, items: list[Any]) -> bool:
    return len(index) <= len(str(len(items))) and int(index) < len(items)


def _not_there(data: Any, pointer: str, found: Reached) -> LedgerError:
    here, part = found.value, found.rest[0]
    place = found.pointer or "the document"
    if isinstance(here, dict):
        what = f"{place} has no key {part[:120]!r}"
    elif isinstance(here, list):
        what = f"{place} is an array of {len(here)}, counted from 0: it has no {part[:120]!r}"
    else:
        what = f"{place} is a single value"
    near = _near(data, here, found.pointer, part)
    return LedgerError(
        "not-found",
        f"no {pointer[:120]}: {what}",
        fix=f"did you mean {' or '.join(near)}" if near else "name a field that is there",
    )


def _near(data: Any, here: Any, done: str, part: str) -> list[str]:
    """The closest keys in the same place, else leaves elsewhere that end in the same key."""
    import difflib

    keys = [str(key) for key in here] if isinstance(here, dict) else []
    found = [done + step(k) for k in difflib.get_close_matches(part, keys, n=_NEAR)]
    if isinstance(here, list) and here:
        found.append(f"{done}/{len(here) - 1}")
    if not found:
        found = [p for p in leaves(data) if p.endswith(step(part))][:_NEAR]
    return found


def leaves(data: Any) -> tuple[str, ...]:
    """Pointers to every scalar and every empty array or object, in the order of the document."""
    found = []
    # Without recursion: a document may be nested as deeply as its parser allows.
    stack = [("", data)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, dict) and value:
            below = [(pointer + step(key), item) for key, item in value.items()]
        elif isinstance(value, list) and value:
            below = [(f"{pointer}/{i}", item) for i, item in enumerate(value)]
        else:
            found.append(pointer)
            continue
        stack.extend(reversed(below))
    return tuple(found)


def ancestors(pointer: str) -> Iterable[str]:
    """The pointer and what holds it, from the longest to the whole document."""
    while pointer:
        yield pointer
        pointer = pointer[: max(pointer.rfind("/"), 0)]
    yield ""
