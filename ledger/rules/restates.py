"""Rules about saying again what was already settled or withdrawn."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ledger.entry import Claim, Consult, Supersession
from ledger.fold import Status
from ledger.rules.finding import Finding, Level
from ledger.rules.supersessions import replacements
from ledger.rules.view import View
from ledger.wording import brief, quoted

SIMILAR = 0.8
"""Jaccard similarity of the word sets from which two statements count as the same."""

_WORD = re.compile(
    r"(?P<number>(?<!\w)[-−]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?)(?:\s?(?P<percent>%))?|\w+(?:['’]t\b)?"
)
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_NEGATIONS = frozenset({"not", "no", "never", "without", "cannot", "neither", "nor", "none"})


@dataclass(frozen=True, kw_only=True)
class Wording:
    """What two statements must share to say the same."""

    words: frozenset[str]
    """Case folded, numbers among them."""
    exact: frozenset[str]
    """Numbers, as they count (`1,024` is 1024, `35.20` is 35.2), names with a digit (`H200`,
    `layer_17`), and whether it denies."""


def wording(statement: str) -> Wording:
    """The words and numbers of a statement."""
    words, exact = set(), set()
    for match in _WORD.finditer(statement.casefold()):
        word = match[0]
        if match["number"]:
            word = _number(match["number"]) + (match["percent"] or "")
            exact.add(word)
        elif word in _NEGATIONS or word.endswith(("n't", "n’t")):
            exact.add("not")
        elif any(map(str.isdigit, word)):
            exact.add(word)
        words.add(word)
    return Wording(words=frozenset(words), exact=frozenset(exact))


def _number(text: str) -> str:
    plain = _THOUSANDS.sub("", text.replace("−", "-"))
    if "e" not in plain and plain.count(".") == 1:
        plain = plain.rstrip("0").rstrip(".")
    return plain


def alike(statement: str, others: Iterable[tuple[str, str]]) -> list[str]:
    """The ids of those statements, given as (id, text), that say the same as this one."""
    said = wording(statement)
    return [i for i, text in others if _same(said, wording(text))]


def _same(a: Wording, b: Wording) -> bool:
    shared = len(a.words & b.words)
    union = len(a.words) + len(b.words) - shared
    return shared >= SIMILAR * union and a.exact == b.exact


def similar(
    wordings: Iterable[Wording], *, among: Iterable[Wording]
) -> dict[Wording, list[Wording]]:
    """Each wording with those `among` others that say the same, itself included if it is there.

    The same numbers and a word similarity of at least `SIMILAR`. Prefix filtering: two sets that
    similar share one of their rarest words, so only those are compared.
    """
    every, others = dict.fromkeys(wordings), dict.fromkeys(among)
    frequency = Counter(word for item in {**every, **others} for word in item.words)

    def rarest(item: Wording) -> list[str]:
        ordered = sorted(item.words, key=lambda w: (frequency[w], w))
        return ordered[: len(ordered) - math.ceil(SIMILAR * len(ordered)) + 1]

    index: dict[tuple[frozenset[str], str], list[Wording]] = {}
    for item in others:
        for word in rarest(item):
            index.setdefault((item.exact, word), []).append(item)
    return {
        item: [
            other
            for other in dict.fromkeys(
                o for word in rarest(item) for o in index.get((item.exact, word), ())
            )
            if _same(item, other)
        ]
        for item in every
    }


@dataclass(frozen=True, kw_only=True)
class _Decided:
    """The claims of one wording that were superseded or settled, oldest first."""

    superseded: list[str]
    settled: dict[tuple[tuple[str, str | None], ...], list[str]]
    """By scope."""


def restates(view: View) -> Iterator[Finding]:
    """A claim repeats one that was superseded, or one that a measurement has settled.

    One finding for each claim: what was withdrawn outranks what was settled. A measurement settles
    its own scope alone; what was withdrawn is not to be said again of another one either.
    """
    said = {i: wording(view.fold.claim(i).statement) for i in view.fold.claims}
    place = {i: (view.fold.entries[i].recorded.at, i) for i in said}
    decided = _decided(view, said, sorted(said, key=place.__getitem__))
    near = similar(said.values(), among=decided)
    replaced = _replaced(view)
    for i, claim in view.open_claims():
        groups = [decided[w] for w in near[said[i]]]
        own = _ancestors(replaced, i)
        earlier = (e for d in groups for e in d.superseded if place[e] < place[i] and e not in own)
        echoed = (e for e in claim.echoes if e in said and _status(view, e) == "superseded")
        first = next(echoed, None) or next(earlier, None)
        if first is not None:
            yield _superseded(view, i, claim, first)
            continue
        # A second measurement of the same thing is no repetition.
        if view.fold.claims[i].status in {"measured", "disputed"}:
            continue
        settled = (e for d in groups for e in d.settled.get(_key(claim), ()))
        echoes = set(claim.echoes)
        first = next((e for e in settled if place[e] < place[i] and e not in echoes), None)
        if first is not None:
            yield _settled(view, i, claim, first)


def _status(view: View, claim: str) -> Status:
    return view.fold.claims[claim].status


def _decided(view: View, said: dict[str, Wording], order: list[str]) -> dict[Wording, _Decided]:
    decided: dict[Wording, _Decided] = {}
    for i in order:
        status = view.fold.claims[i].status
        if status in {"superseded", "measured", "refuted"}:
            group = decided.setdefault(said[i], _Decided(superseded=[], settled={}))
            if status == "superseded":
                group.superseded.append(i)
            else:
                group.settled.setdefault(_key(view.fold.claim(i)), []).append(i)
    return decided


def _key(claim: Claim) -> tuple[tuple[str, str | None], ...]:
    return tuple(sorted(claim.about.items(), key=lambda item: item[0]))


def _replaced(view: View) -> dict[str, list[str]]:
    """Claim to the superseded claims that it replaces."""
    found: dict[str, list[str]] = {}
    for claim, by in replacements(view).items():
        found.setdefault(by, []).append(claim)
    return found


def _ancestors(replaced: Mapping[str, list[str]], claim: str) -> set[str]:
    """Everything that the claim replaces, directly or through others."""
    found: set[str] = set()
    work = [claim]
    while work:
        for other in replaced.get(work.pop(), ()):
            if other not in found:
                found.add(other)
                work.append(other)
    return found


def _superseded(view: View, later_id: str, later: Claim, earlier: str) -> Finding:
    state = view.fold.claims[earlier]
    entry = view.fold.entries[state.superseded_by or ""]
    by = entry.replaced_by if isinstance(entry, Supersession) else None
    instead = [quoted(by.text)] if by and by.text else []
    instead += [by.claim] if by and by.claim else []
    elsewhere = _key(later) != _key(view.fold.claim(earlier))
    fix = f"ledger supersede {later_id} --status WRONG --replaced-by {(by and by.claim) or 'TEXT'}"
    if _status(view, later_id) == "measured":
        fix = (
            f"look at ledger show {later_id}: if its measurement is right, "
            f"ledger retract {state.superseded_by} --reason TEXT, else {fix}"
        )
    return Finding(
        slug="restates-superseded",
        level="warning",
        subject=later_id,
        message=f"says again what was superseded: {quoted(later.statement)}",
        got=("echoes " if earlier in later.echoes else "same as ")
        + earlier
        + (f" ({entry.status})" if isinstance(entry, Supersession) else "")
        + (", said of another scope" if elsewhere else ""),
        expected=f"what replaced it: {' '.join(instead) or 'nothing recorded'}",
        fix=fix,
    )


def _settled(view: View, later_id: str, later: Claim, earlier: str) -> Finding:
    status = _status(view, earlier)
    level: Level = "warning" if status == "refuted" else "note"
    return Finding(
        slug="restates-settled",
        level=level,
        subject=later_id,
        message=f"says again what is already {status}: {quoted(later.statement)}",
        got=f"same as {earlier}; {_had_read(view, later, earlier)}",
        expected="a claim that adds to what is settled",
        fix=f"look at ledger show {earlier}, then ledger retract {later_id} --reason TEXT, or "
        "settle it by the same measurement",
    )


def _had_read(view: View, claim: Claim, settled: str) -> str:
    """Whether the arm had the settled claim on its reading list."""
    consult = view.fold.entries.get(claim.consult or "")
    read: tuple[str, ...] = ()
    if isinstance(consult, Consult):
        read = next((arm.read for arm in consult.arms if arm.arm == claim.by.name), ())
    if not read:
        return f"what {claim.by.name} had read is not recorded"
    if any(settled in text for text in read):
        return f"{claim.by.name} had read it"
    return f"{claim.by.name} had not read it (read: {brief(', '.join(read))})"
