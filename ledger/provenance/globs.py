"""Globs over JSON pointers: a few readable lines for hundreds of leaves.

A glob is a pointer in which a segment may be `*` (any array index), `*[0-2,7]` (these indices) or,
at the end, `**` (everything below). A `*` that is part of a key is written `~2` in a glob. A key
that reads as an array index is treated as one: a pointer does not tell them apart.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ledger.provenance.pointers import INDEX

_BELOW = "**"

Places = tuple[str, ...]
"""The array indices of a pointer, or what a glob says in their stead."""


@dataclass(frozen=True, kw_only=True)
class Glob:
    """Leaves that one line stands for."""

    pattern: str
    count: int


@dataclass(frozen=True, kw_only=True)
class _Indexed:
    """A pointer taken apart: its segments with `*` for the indices, and those indices."""

    shape: tuple[str, ...]
    places: Places


def collapse(
    chosen: Iterable[str], *, among: Sequence[str], subtrees: bool = False
) -> tuple[Glob, ...]:
    """The chosen leaves as few globs, each leaf matched by one, no other leaf of `among` by any.

    Array indices are collapsed; with `subtrees` also everything below a place of which no leaf
    was left out. In the order of the document and linear in the length of all pointers.
    """
    wanted = set(chosen)
    whole = _whole(wanted, among) if subtrees else frozenset()
    found: dict[tuple[str, ...], dict[Places, int]] = {}
    for leaf in among:
        if leaf in wanted:
            item = _indexed(_name(leaf, whole))
            counts = found.setdefault(item.shape, {})
            counts[item.places] = counts.get(item.places, 0) + 1
    there = _universe(among, found.keys(), subtrees=subtrees)
    return tuple(
        Glob(pattern=_pattern(shape, places), count=count)
        for shape, counts in found.items()
        for places, count in _merged(counts, there[shape]).items()
    )


def _whole(wanted: AbstractSet[str], among: Sequence[str]) -> frozenset[str]:
    """Places with more than one leaf below them, all of them wanted."""
    below: dict[str, int] = {}
    touched: set[str] = set()
    for leaf in among:
        for place in _above(leaf):
            below[place] = below.get(place, 0) + 1
            if leaf not in wanted:
                touched.add(place)
    return frozenset(place for place, count in below.items() if count > 1) - touched


def _above(leaf: str) -> Iterable[str]:
    """What holds a leaf, from the whole document down."""
    end = 0
    while leaf and end >= 0:
        yield leaf[:end]
        end = leaf.find("/", end + 1)


def _name(leaf: str, whole: AbstractSet[str]) -> str:
    """The glob of the highest whole place that holds the leaf, else the leaf's own."""
    place = next((place for place in _above(leaf) if place in whole), None) if whole else None
    own = leaf if place is None else place
    return own.replace("*", "~2") + ("" if place is None else f"/{_BELOW}")


def _indexed(name: str) -> _Indexed:
    parts = name.split("/")
    places = tuple(part for part in parts if INDEX.fullmatch(part))
    if not places:
        return _Indexed(shape=tuple(parts), places=())
    return _Indexed(
        shape=tuple("*" if INDEX.fullmatch(part) else part for part in parts), places=places
    )


def _universe(
    among: Sequence[str], shapes: Iterable[tuple[str, ...]], *, subtrees: bool
) -> Mapping[tuple[str, ...], AbstractSet[Places]]:
    """For each shape the places where a document has it, wanted or not."""
    there: dict[tuple[str, ...], set[Places]] = {shape: set() for shape in shapes}
    names = [leaf.replace("*", "~2") for leaf in among]
    if subtrees:
        holders = dict.fromkeys(place for name in names for place in _above(name))
        names += [f"{place}/{_BELOW}" for place in holders]
    for name in names:
        item = _indexed(name)
        if item.shape in there:
            there[item.shape].add(item.places)
    return there


def _merged(wanted: Mapping[Places, int], there: AbstractSet[Places]) -> dict[Places, int]:
    """Wanted places with their counts as few specifications that match none of the others."""
    if len(wanted) == len(there):
        return {tuple("*" for _ in next(iter(wanted))): sum(wanted.values())}
    by_first: dict[str, dict[Places, int]] = {}
    there_by_first: dict[str, set[Places]] = {}
    for places, count in wanted.items():
        by_first.setdefault(places[0], {})[places[1:]] = count
    for places in there:
        there_by_first.setdefault(places[0], set()).add(places[1:])
    rests: dict[Places, list[tuple[str, int]]] = {}
    for first, below in by_first.items():
        for rest, count in _merged(below, there_by_first[first]).items():
            rests.setdefault(rest, []).append((first, count))
    return {
        (_ranges([first for first, _ in found], of=len(there_by_first)), *rest): sum(
            count for _, count in found
        )
        for rest, found in rests.items()
    }


def _ranges(indices: list[str], *, of: int) -> str:
    """`*` for every index that is there, one index as itself, others as `*[0-2,7]`."""
    if len(indices) == of:
        return "*"
    if len(indices) == 1:
        return indices[0]
    spans: list[list[int]] = []
    for index in sorted(map(int, indices)):
        if spans and index == spans[-1][-1] + 1:
            spans[-1] = [spans[-1][0], index]
        else:
            spans.append([index])
    return f"*[{','.join('-'.join(map(str, span)) for span in spans)}]"


def _pattern(shape: tuple[str, ...], places: Places) -> str:
    fill = iter(places)
    return "/".join(next(fill) if part == "*" else part for part in shape)
