"""Inputs on which the probe must give a known verdict, most of them its failing one."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ledger.contract import Control

if TYPE_CHECKING:
    from pydantic import BaseModel

_WIGGLE = (0.998, 1.0, 1.002)
"""Three repeats per length, so that there is a repeat spread to judge a misfit by."""


def controls() -> tuple[Control, ...]:
    """All controls, each writing its own file of points."""
    return tuple(
        Control(name=name, inputs=_written(lengths, law), must=must)
        for name, lengths, law, must in _CASES
    )


def _written(
    lengths: tuple[int, ...], law: Callable[[int], float]
) -> Callable[[Path], "BaseModel"]:
    def inputs(folder: Path) -> "BaseModel":
        from probes.scaling_fit.inputs import Inputs

        rows = [f"{w},{law(w) * factor!r}" for w in lengths for factor in _WIGGLE]
        path = folder / "points.csv"
        path.write_text("\n".join(["seq_len,seconds", *rows, ""]), encoding="utf-8")
        return Inputs(points=path)

    return inputs


def _published(w: int) -> float:
    return 6.87e-4 * w + 8.85e-8 * w * w


def _constant(_: int) -> float:
    return 0.05


def _ratio_trap(w: int) -> float:
    # t(4w) / t(w) = 4, "linear" by ratio, while the quadratic share at 4w is 80 %.
    return 1e-7 * (4 * 1024**2 + w * w)


def _floor_then_rise(w: int) -> float:
    return max(0.9, 1e-4 * w + 2e-8 * w * w)


def _window(w: int) -> float:
    return 1e-4 * w + 2e-7 * w * min(w, 2048)


def _proportional(w: int) -> float:
    return 3e-5 * w


def _square(w: int) -> float:
    return 1e-8 * w * w


_WIDE = (512, 1024, 2048, 4096, 8192, 16384)
_CASES: tuple[tuple[str, tuple[int, ...], Callable[[int], float], str], ...] = (
    ("two lengths", (1024, 4096), _published, "unavailable"),
    ("constant times", _WIDE, _constant, "launch-bound"),
    ("constant times at three lengths", (1024, 2048, 4096), _constant, "undetermined"),
    ("fixed cost that looks linear by ratio", (1024, 1536, 2048, 3072, 4096), _ratio_trap, "mixed"),
    ("floor, then a rise", _WIDE, _floor_then_rise, "mixed"),
    ("window that saturates", _WIDE, _window, "misfit"),
    ("published coefficients", _WIDE, _published, "mixed"),
    ("proportional", _WIDE, _proportional, "linear"),
    ("square", _WIDE, _square, "quadratic"),
)
