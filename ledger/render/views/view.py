"""What a view is: a kind of generated region, its options and what it is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ledger.fold import Fold


def _no_file(path: str) -> bytes | None:  # noqa: ARG001
    return None


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a region asks for."""

    fold: Fold
    id: str
    """The region's id."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What its begin marker says besides `id` and `sha256`."""
    read: Callable[[str], bytes | None] = _no_file
    """An artifact's bytes by the path that entries name it by; None for one that is not there."""


@dataclass(frozen=True, kw_only=True)
class View:
    """A kind of generated region."""

    name: str
    options: tuple[str, ...]
    """The keys that its begin marker may carry, besides `id` and `sha256`."""
    columns: tuple[str, ...]
    body: Callable[[Request], str]


def registry(*views: View) -> Mapping[str, View]:
    """The views by name. Raises ValueError for a name given twice."""
    named = {view.name: view for view in views}
    if len(named) != len(views):
        raise ValueError("two views have the same name")
    return MappingProxyType(named)


def table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    """A GFM table of cells that are Markdown source already, LF, with a final LF."""
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
