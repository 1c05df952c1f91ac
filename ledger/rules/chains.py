"""Paths and circles of a mapping in which each item points to one other, walked in linear time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class End:
    """Where the path from an item ends, and after how many steps."""

    last: str
    steps: int


def ends(following: Mapping[str, str]) -> dict[str, End]:
    """The end of every path, each item followed once.

    A path that runs into a circle ends where it would begin again.
    """
    found: dict[str, End] = {}
    for start in following:
        path: dict[str, None] = {}
        here = start
        while here in following and here not in found and here not in path:
            path[here] = None
            here = following[here]
        if here in path:
            end = End(last=next(reversed(path)), steps=-1)
        else:
            end = found.get(here, End(last=here, steps=0))
        for item in reversed(path):
            end = found[item] = End(last=end.last, steps=end.steps + 1)
    return found


def rings(following: Mapping[str, str]) -> Iterator[tuple[str, ...]]:
    """Every circle once, in its own order, beginning with its smallest item."""
    done: set[str] = set()
    for start in sorted(following):
        path: dict[str, None] = {}
        here = start
        while here in following and here not in done:
            done.add(here)
            path[here] = None
            here = following[here]
        if here in path:
            walked = list(path)
            ring = walked[walked.index(here) :]
            first = ring.index(min(ring))
            yield (*ring[first:], *ring[:first])
