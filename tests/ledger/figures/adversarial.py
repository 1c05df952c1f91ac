"""Sentences that state a recorded quantity, and sentences that only look like it.

The sentences are in adversarial.json, written by hand against the rules, so hits and misses say
nothing about how often they come up. Anything but ASCII is escaped there, to be seen.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ledger.entry import Figure


@dataclass(frozen=True, kw_only=True)
class Case:
    """A text, a figure, and whether the one states the other."""

    figure: Figure
    text: str
    match: bool


def cases() -> tuple[Case, ...]:
    """Every case of this repository."""
    groups = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
    return tuple(
        Case(figure=Figure(value=group["value"], unit=group["unit"]), text=text, match=match)
        for group in groups
        for match, key in ((True, "states"), (False, "does_not"))
        for text in group[key]
    )


def given(folder: Path) -> tuple[Case, ...]:
    """The 60 cases among the shared inputs."""
    found: Iterable[Any] = json.loads((folder / "data/stale-numbers/cases.json").read_text("utf-8"))
    return tuple(
        Case(
            figure=Figure(value=case["value"], unit=case["unit"]),
            text=case["text"],
            match=case["match"],
        )
        for case in found
    )


@dataclass(frozen=True, kw_only=True)
class Score:
    """How often a judge was right."""

    hits: int
    false: int
    missed: int

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.false) if self.hits else 0.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.missed) if self.hits else 0.0


def score(judged: Iterable[tuple[Case, bool]]) -> Score:
    """Compare verdicts with the labels."""
    pairs = [(case.match, verdict) for case, verdict in judged]
    return Score(
        hits=pairs.count((True, True)),
        false=pairs.count((False, True)),
        missed=pairs.count((True, False)),
    )
