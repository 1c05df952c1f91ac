"""Figures in text: whether a line states a recorded quantity."""

from ledger.figures.candidates import any_number, candidates
from ledger.figures.matching import Matcher, Occurrence, find, stated_in, states

__all__ = ["Matcher", "Occurrence", "any_number", "candidates", "find", "stated_in", "states"]
