"""AND/OR supports: the least fixpoint over justifications, and circular groups.

Dowling and Gallier's counter method: a counter of unmet premises per set, a queue of what has come
in; linear in the number of premises. Least, so claims that only support each other stay out.
"""

from collections import deque
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet

from msgspec import Struct

RestsOn = Mapping[str, tuple[tuple[str, ...], ...]]


class Fixpoint(Struct, frozen=True, kw_only=True):
    """What is in, and by what."""

    inside: frozenset[str]
    holding: Mapping[str, tuple[str, ...]]
    """For each claim in by derivation: the first of its sets that came wholly in."""
    depth: Mapping[str, int]
    """Steps to the farthest measurement of the holding set (the weakest path); 0 for premises."""
    nearest: Mapping[str, int]
    """Steps to the nearest measurement over all sets that hold."""


def least_fixpoint(
    rests_on: RestsOn,
    *,
    premises: AbstractSet[str],
    barred: AbstractSet[str],
    holds: Callable[[str, str], bool],
) -> Fixpoint:
    """Everything that follows from the premises.

    `premises` are claims in by themselves; `barred` claims cannot come in by derivation; `holds`
    says whether a premise that is no claim (a measurement) carries the given claim. An empty set
    of premises supports nothing.
    """
    depth = dict.fromkeys(premises, 0)
    holding: dict[str, tuple[str, ...]] = {}
    unmet = _unmet(rests_on, barred, holds)
    waiting: dict[str, list[tuple[str, int]]] = {}
    for claim, number in unmet:
        for member in {m for m in rests_on[claim][number] if m in rests_on}:
            waiting.setdefault(member, []).append((claim, number))
    # Sorted, so that which of several sets holds first does not depend on how strings hash.
    queue = deque(sorted(premises))

    def fire(claim: str, members: tuple[str, ...]) -> None:
        if claim not in depth:
            depth[claim] = 1 + max(depth.get(m, 0) for m in members)
            holding[claim] = members
            queue.append(claim)

    for (claim, number), count in unmet.items():
        if count == 0:
            fire(claim, rests_on[claim][number])
    while queue:
        for claim, number in waiting.get(queue.popleft(), ()):
            unmet[claim, number] -= 1
            if unmet[claim, number] == 0:
                fire(claim, rests_on[claim][number])
    held = [(claim, rests_on[claim][n]) for (claim, n), count in unmet.items() if count == 0]
    return Fixpoint(
        inside=frozenset(depth),
        holding=holding,
        depth=depth,
        nearest=_nearest(premises, held, rests_on),
    )


def _unmet(
    rests_on: RestsOn, barred: AbstractSet[str], holds: Callable[[str, str], bool]
) -> dict[tuple[str, int], int]:
    """For each set that could still hold: how many of its claims have to come in."""
    return {
        (claim, number): len({m for m in members if m in rests_on})
        for claim, sets in rests_on.items()
        if claim not in barred
        for number, members in enumerate(sets)
        if members and all(m in rests_on or holds(claim, m) for m in members)
    }


def _nearest(
    premises: AbstractSet[str], held: list[tuple[str, tuple[str, ...]]], rests_on: RestsOn
) -> dict[str, int]:
    """Breadth-first from the measurements over the sets that hold."""
    nearest = dict.fromkeys(premises, 0)
    above: dict[str, list[str]] = {}
    queue = deque(premises)
    for claim, members in held:
        for member in members:
            if member in rests_on:
                above.setdefault(member, []).append(claim)
        if claim not in nearest and any(m not in rests_on for m in members):
            nearest[claim] = 1
            queue.append(claim)
    # Measured claims (0) are queued before direct derivations (1): distances leave in order.
    while queue:
        here = queue.popleft()
        for claim in above.get(here, ()):
            if claim not in nearest:
                nearest[claim] = nearest[here] + 1
                queue.append(claim)
    return nearest


def cycles(rests_on: RestsOn, *, supported: AbstractSet[str]) -> tuple[tuple[str, ...], ...]:
    """Groups of claims that rest on each other and that nothing carries.

    Strongly connected components by Kosaraju's two passes, without recursion.
    """
    edges = {
        claim: sorted({m for members in sets for m in members if m in rests_on} - supported)
        for claim, sets in sorted(rests_on.items())
        if claim not in supported
    }
    back: dict[str, list[str]] = {claim: [] for claim in edges}
    for claim, below in edges.items():
        for member in below:
            back[member].append(claim)
    seen: set[str] = set()
    finished = [node for root in edges for node in _postorder(root, edges, seen)]
    seen = set()
    groups = [_postorder(root, back, seen) for root in reversed(finished)]
    return tuple(
        tuple(sorted(group))
        for group in groups
        if len(group) > 1 or (group and group[0] in edges[group[0]])
    )


def _postorder(root: str, edges: Mapping[str, list[str]], seen: set[str]) -> list[str]:
    """Depth-first nodes in the order they are finished, skipping (and marking) those seen."""
    if root in seen:
        return []
    seen.add(root)
    order: list[str] = []
    work = [(root, iter(edges[root]))]
    while work:
        node, children = work[-1]
        child = next((c for c in children if c not in seen), None)
        if child is None:
            order.append(node)
            work.pop()
        else:
            seen.add(child)
            work.append((child, iter(edges[child])))
    return order
