"""How the measurements of known instruments are laid out, as data: names and quantities only."""

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True, kw_only=True)
class Group:
    """Quantities of one instrument that belong in one table."""

    quantities: tuple[str, ...]
    """Names, or patterns with `*`; the rows come in this order."""
    but: tuple[str, ...] = ()
    """Names that a pattern takes and that do not belong here."""
    heads: tuple[str, str] = ("quantity", "value")
    """What the first two columns are called."""
    suffix: str = ""
    """What a name loses where the heading says it already."""
    largest_first: bool = False

    def place(self, name: str) -> int | None:
        """Where a quantity stands; None where it does not belong here."""
        if name in self.but:
            return None
        patterns = enumerate(self.quantities)
        return next((i for i, pattern in patterns if fnmatchcase(name, pattern)), None)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The natural tables of an instrument; what no group takes comes last, in its own table."""

    instrument: str
    groups: tuple[Group, ...]
    headline: tuple[str, ...]
    """Quantities shown where each measurement is one row."""


LAYOUTS = (
    Layout(
        instrument="kernel-table",
        groups=(
            Group(
                quantities=("*_share",),
                but=("idle_share",),
                heads=("category", "share"),
                suffix="_share",
                largest_first=True,
            ),
            Group(quantities=("*_sum", "device_*", "idle_share", "*_count", "kernel_names")),
        ),
        headline=("attention_share", "gemm_share", "idle_share", "kernel_sum"),
    ),
    Layout(
        instrument="scaling-fit",
        groups=(
            Group(
                quantities=("quadratic_share", "linear_share", "fixed_share"),
                heads=("part", "share"),
                suffix="_share",
            ),
            Group(
                quantities=("quadratic_*", "linear_*", "fixed_*", "floor_seconds"),
                heads=("coefficient", "value"),
            ),
            Group(
                quantities=("points", "length_range", "floor_length", "longest_*", "max_residual"),
                heads=("range", "value"),
            ),
        ),
        headline=("quadratic_share", "linear_share", "fixed_share", "max_residual"),
    ),
)
"""One per instrument that has a view of its own name."""
