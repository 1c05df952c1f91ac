"""What an artifact says was asked for, against what it says happened; and keys that it leaves out.

A requested value is a line in somebody's source; only the resolved one describes the run. Looked at
are `X_requested` beside `X_resolved`, an object `requested` beside `resolved`, and `X.requested`
beside `X.resolved` or `X`. A key that is present and null is a statement; an absent one is not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ledger import canonical
from ledger.provenance.pointers import ancestors, reach, split, step

_SHOWN = 60
_TELLS_NOTHING = re.compile(r"(?:.*@)?unknown|n/?a|todo|tbd", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Doubt:
    """A field that does not tell a reader what it should."""

    kind: Literal["differs", "unresolved", "resolved-null", "absent", "uninformative"]
    pointer: str
    """RFC 6901, of the field that should tell; of an absent one, where it should stand."""
    at: str
    """A pointer that exists: the field itself, or the nearest that is there."""
    got: str
    expected: str
    asked: str | None = None
    """`KEY=VALUE` as it was requested, where something else came of it."""


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A value that was asked for, and what the same artifact says came of it."""

    request: str
    """RFC 6901."""
    asked: Any
    answer: str
    """RFC 6901, of the field that is to say what it was resolved to."""
    there: bool
    """Whether there is such a field."""
    got: Any = None


def pairs(data: Any) -> tuple[Pair, ...]:
    """Every requested value with its resolved one, in the order of the document."""
    return tuple(_pairs(data, ""))


def _pairs(value: Any, place: str) -> Iterator[Pair]:
    if isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from _pairs(item, place + step(i))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            answer = _answer(value, key)
            if answer is not None:
                yield from _each(place + step(key), item, place + step(answer), value, answer)
            elif not (key == "resolved" and "requested" in value):
                yield from _pairs(item, place + step(key))


def _answer(members: Mapping[str, Any], key: str) -> str | None:
    """The key that says what a requested one was resolved to; None for a key that asks nothing."""
    if re.search(r"(?:^|[._-])requested$", key) is None:
        return None
    resolved, plain = key.removesuffix("requested") + "resolved", key.removesuffix(".requested")
    return plain if plain != key and resolved not in members else resolved


def _each(
    request: str, asked: Any, answer: str, members: Mapping[str, Any], key: str
) -> Iterator[Pair]:
    """The values of a pair one by one, where both are objects."""
    got = members.get(key)
    if isinstance(asked, Mapping) and isinstance(got, Mapping):
        for inner, item in asked.items():
            yield from _each(request + step(inner), item, answer + step(inner), got, inner)
    else:
        yield Pair(request=request, asked=asked, answer=answer, there=key in members, got=got)


def unresolved(found: Sequence[Pair]) -> tuple[Doubt, ...]:
    """The pairs whose resolved value does not bear out the requested one.

    Asking for null asks for nothing: whatever that resolved to bears it out.
    """
    return tuple(doubt for pair in found if (doubt := _judge(pair)) is not None)


def _judge(pair: Pair) -> Doubt | None:
    asks = f"{pair.request} asks for {shown(pair.asked)}"
    if not pair.there:
        return Doubt(
            kind="unresolved",
            pointer=pair.answer,
            at=pair.request,
            got=f"absent; {asks}",
            expected="what the run resolved it to",
        )
    if pair.asked is None or _same(pair.asked, pair.got):
        return None
    if pair.got is None:
        return Doubt(
            kind="resolved-null",
            pointer=pair.answer,
            at=pair.answer,
            got=f"null; {asks}",
            expected="what the run resolved it to",
        )
    asked = pair.asked if isinstance(pair.asked, str) else shown(pair.asked)
    return Doubt(
        kind="differs",
        pointer=pair.answer,
        at=pair.answer,
        got=shown(pair.got),
        expected=f"{shown(pair.asked)}, as {pair.request} asks",
        asked=f"{_subject(pair.request)}={asked}",
    )


def _same(asked: Any, got: Any) -> bool:
    return bool(asked == got) and isinstance(asked, bool) == isinstance(got, bool)


def _subject(request: str) -> str:
    """What a request is about, by the name of its key, or of the object that holds it."""
    names = [re.sub(r"[._-]?requested$", "", part) for part in split(request)]
    return next((name for name in reversed(names) if name), "value")


def absent(data: Any, keys: Sequence[str]) -> tuple[Doubt, ...]:
    """The pointers that name nothing; only the outermost where several are below each other."""
    found: list[Doubt] = []
    told: set[str] = set()
    twins: dict[str, str] = {}
    for place in _objects(data):
        twins.setdefault(_last(place), place)
    for pointer in dict.fromkeys(keys):
        nearest = reach(data, pointer)
        if not nearest.rest or not told.isdisjoint(ancestors(pointer)):
            continue
        if nearest.value is None:
            continue  # present and null says that there is nothing below
        twin = twins.get(_last(pointer))
        told.add(pointer)
        found.append(
            Doubt(
                kind="absent",
                pointer=pointer,
                at=nearest.pointer,
                got=f"absent ({twin} is another field)" if twin else "absent",
                expected="a value, or null where there is none",
            )
        )
    return tuple(found)


def _last(pointer: str) -> str:
    return pointer[pointer.rindex("/") :]


def _objects(value: Any, place: str = "") -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield place + step(key)
            yield from _objects(item, place + step(key))


def keys_of(data: Any) -> tuple[str, ...]:
    """Pointers to every member of every object that is reached through objects alone."""
    return tuple(_objects(data))


def uninformative(leaves: Mapping[str, Any], keys: Sequence[str] = ()) -> tuple[Doubt, ...]:
    """Texts that are there and tell nothing; an empty one only where the keys name it."""
    named = frozenset(keys)
    return tuple(
        Doubt(
            kind="uninformative",
            pointer=pointer,
            at=pointer,
            got=shown(value),
            expected="a value that tells something, or null",
        )
        for pointer, value in leaves.items()
        if isinstance(value, str)
        and (_TELLS_NOTHING.fullmatch(value.strip()) or (not value.strip() and pointer in named))
    )


def shown(value: Any) -> str:
    """A value as JSON, cut where it is long."""
    text = canonical.compact(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
