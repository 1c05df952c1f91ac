"""Judging lines: which figures in them are withdrawn, and which measured ones go without a date.

Pure: lines in, places out. A line is text without its line end; generated parts are blank lines.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ledger.entry import Figure
from ledger.figures import Matcher
from ledger.figures.dated import Passage, cited, cites, date_in, passage, sentence
from ledger.figures.history import telling
from ledger.figures.subject import words
from ledger.figures.withdrawn import Measured, Standing, Withdrawn
from ledger.units import UNITS

OfT = TypeVar("OfT", Withdrawn, Measured)

SIGNIFICANT = 3
"""A figure written with so many digits is hardly there by accident."""
LEAST_DATED = 2
"""A figure written with one digit is no measurement to be dated."""
NEAR = 2
"""A subject word counts in so many lines before and after the figure."""


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a figure stands in a file."""

    path: str
    """Relative to the ledger's root."""
    line: int
    """1-based."""
    column: int
    """1-based, in characters; a byte order mark does not count."""
    text: str
    """The figure as written."""
    source: str
    """The whole line."""

    @property
    def shown(self) -> str:
        """`path:line:column`."""
        return f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, kw_only=True)
class Stale:
    """A withdrawn figure that still stands somewhere."""

    place: Place
    of: Withdrawn
    strong: bool
    why: str
    """What makes it strong or weak."""
    near: tuple[str, ...]
    """Subject words of the claim in the lines around, as the claim writes them."""
    dated: str | None
    """The date in its sentence, as written."""


@dataclass(frozen=True, kw_only=True)
class Undated:
    """A measured figure that stands without its date, which the ledger knows."""

    place: Place
    of: Measured


class Stated:
    """Figures of claims that stand, and what arms answered."""

    def __init__(
        self,
        figures: Sequence[Standing],
        answers: Mapping[str, str],
        noted: Collection[str] = (),
    ) -> None:
        self._answers = answers
        self.noted = noted
        """Paths of artifacts, which are not corrected: a note stands beside them."""
        self._claims = {item.figure: item.claim for item in reversed(figures)}
        self._matcher = Matcher(self._claims)

    def at(self, spot: "_Spot") -> str | None:
        """A claim that may have what stands in this spot; None when none does."""
        for other in self._matcher.find(spot.source):
            if other.begin < spot.end and spot.begin < other.end:
                return self._claims[other.figure]
        return None

    def answer(self, source: str) -> str | None:
        """The consult whose arm answered what this line quotes; None where it quotes none."""
        return next((consult for text, consult in self._answers.items() if text in source), None)


class Search:
    """Withdrawn figures, ready to be looked for in many files."""

    def __init__(self, figures: Sequence[Withdrawn]) -> None:
        self._claims = _by_figure(figures)
        self.matcher = Matcher(self._claims)
        """Of all the figures."""

    def find(
        self, path: str, lines: Sequence[str], numbers: Iterable[int], *, stated: Stated
    ) -> Iterator[Stale]:
        """The places in these lines (0-based) of a file, each of the claim it is most likely of."""
        for spots in _spots(self.matcher, lines, numbers):
            judged = [
                _judged(path, lines, spot, of, stated)
                for spot in spots
                for of in self._claims[spot.figure]
            ]
            yield max(judged, key=lambda item: (item.strong, len(item.near)))


class Dating:
    """Measured figures, ready to be looked for in many documents."""

    def __init__(self, figures: Sequence[Measured]) -> None:
        self._claims = _by_figure(figures)
        self.matcher = Matcher(self._claims)
        """Of all the figures."""

    def find(self, path: str, lines: Sequence[str], numbers: Iterable[int]) -> Iterator[Undated]:
        """The places in these lines of a document where it stands undated, its subject beside."""
        for spots in _spots(self.matcher, lines, numbers):
            said = sentence(lines, spots[0].number, spots[0].begin, spots[0].end)
            if spots[0].digits < LEAST_DATED or date_in(said) or cites(said):
                continue
            around = words(said).keys()
            for spot in spots:
                near = [of for of in self._claims[spot.figure] if of.words.keys() & around]
                if near:
                    yield Undated(place=spot.place(path), of=near[-1])
                    break


@dataclass(frozen=True, kw_only=True)
class _Spot:
    """A figure in a line."""

    number: int
    """Of the line, 0-based."""
    source: str
    begin: int
    """0-based, in the line."""
    end: int
    digits: int
    figure: Figure

    def place(self, path: str) -> Place:
        return Place(
            path=path,
            line=self.number + 1,
            column=self.begin + 1,
            text=self.source[self.begin : self.end],
            source=self.source,
        )


def _spots(matcher: Matcher, lines: Sequence[str], numbers: Iterable[int]) -> Iterator[list[_Spot]]:
    """What a matcher finds, by place: `4.3 h` of one claim may meet `258 min` of another."""
    for number in numbers:
        end = 0
        group: list[_Spot] = []
        for found in matcher.find(lines[number]):
            if group and found.begin >= end:
                yield group
                group = []
            end = max(end, found.end)
            group.append(
                _Spot(
                    number=number,
                    source=lines[number],
                    begin=found.begin,
                    end=found.end,
                    digits=found.digits,
                    figure=found.figure,
                )
            )
        if group:
            yield group


def _judged(path: str, lines: Sequence[str], spot: _Spot, of: Withdrawn, stated: Stated) -> Stale:
    first, last = max(spot.number - NEAR, 0), spot.number + NEAR
    around = words("\n".join(lines[first : last + 1]))
    near = tuple(word for folded, word in of.words.items() if folded in around)
    exact = spot.digits >= SIGNIFICANT
    why = f"{spot.digits} significant digits" if exact else "no subject word near"
    said = passage(lines, spot.number, spot.begin, spot.end)
    doubt = _doubt(path, spot, of, stated) or _history(said, of)
    return Stale(
        place=spot.place(path),
        of=of,
        strong=doubt is None and (bool(near) or exact),
        why=doubt or (f"near {', '.join(near[:3])}" if near else why),
        near=near,
        dated=date_in(said.text),
    )


def _doubt(path: str, spot: _Spot, of: Withdrawn, stated: Stated) -> str | None:
    """Why the figure may be right where it stands, or is not to be corrected there."""
    if path in stated.noted:
        return "an artifact with a note beside it"
    consult = stated.answer(spot.source)
    if consult is not None:
        return f"an arm's answer, recorded in {consult}"
    claim = stated.at(spot)
    if claim is not None:
        return f"{claim} states it too"
    if of.condition:
        return "a condition of the claim"
    if of.repeated:
        return "what replaced it states it too"
    # Who tells of a correction names both: `was 4.3 h, measured 145.5 s`.
    family = UNITS[of.figure.unit].family
    comparable = Matcher(f for f in of.replacing if UNITS[f.unit].family == family)
    return "beside what replaced it" if comparable.find(spot.source) else None


def _history(said: Passage, of: Withdrawn) -> str | None:
    """How the text tells of the figure as of something withdrawn; None where it does not."""
    for short in cited(said.text):
        if any(entry.startswith(short) for entry in of.told_by):
            return f"told as history: cites {short}"
    words = telling(said)
    return f"told as history: “{words}”" if words else None


def _by_figure(items: Sequence[OfT]) -> dict[Figure, list[OfT]]:
    found: dict[Figure, list[OfT]] = {}
    for item in items:
        found.setdefault(item.figure, []).append(item)
    return found
