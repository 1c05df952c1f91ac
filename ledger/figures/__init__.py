"""Figures in text: whether a line states a recorded quantity."""
