"""What a probe is: the seam between the ledger and its instruments."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ledger.entry import Quantity

if TYPE_CHECKING:
    from pydantic import BaseModel


@dataclass(frozen=True, kw_only=True)
class QuantitySpec:
    """A quantity that a probe can measure, for help texts and for checking `expects`."""

    name: str
    unit: str
    description: str


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What a probe found; becomes an evidence entry."""

    result: str
    """The verdict in one or two words; `undetermined` or `unknown` where the data do not decide."""
    quantities: tuple[Quantity, ...]
    about: Mapping[str, str | None] = field(default_factory=dict)
    """The part of the configuration that the instrument itself resolved."""
    artifacts: tuple[Path, ...] = ()
    """Files read or written, to be hashed."""
    environment: Mapping[str, Any] = field(default_factory=dict)
    taken_at: str | None = None
    """UTC ISO 8601 for a live measurement; None when a file was read."""
    report: str = ""
    """Plain text for a person, at most 80 columns wide."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """The same as JSON data, for `--json`; not recorded."""


@dataclass(frozen=True, kw_only=True)
class Unavailable:
    """The probe cannot measure here, or the input admits no honest answer."""

    reason: str
    fix: str
    cause: str = "environment"
    """`environment` (missing torch, GPU, server: exit 6) or `input` (exit 2)."""


@dataclass(frozen=True, kw_only=True)
class Control:
    """An input built so that the instrument must give the failing verdict on it."""

    name: str
    inputs: "Callable[[Path], BaseModel]"
    """Builds the inputs, writing any file into the given empty directory."""
    must: str
    """The `result` that the probe must give, or `unavailable`."""


class Probe(Protocol):
    """An instrument. `run` may touch disk and devices; everything else is pure."""

    @property
    def name(self) -> str:
        """What `ledger probe run NAME` takes."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever the same input can give another answer."""
        ...

    @property
    def summary(self) -> str:
        """One line for `ledger probe list`."""
        ...

    @property
    def inputs(self) -> "type[BaseModel]":
        """The model that `-i key=value` words are validated against."""
        ...

    @property
    def file_input(self) -> str | None:
        """The field of `inputs` that FILE arguments fill; a list-typed field takes several."""
        ...

    @property
    def quantities(self) -> tuple[QuantitySpec, ...]:
        """What it can measure."""
        ...

    @property
    def decisive(self) -> tuple[str, ...]:
        """Scope keys that a claim settled by this instrument should state."""
        ...

    def run(self, inputs: Any) -> Measurement | Unavailable:
        """Measure, or say why not."""
        ...

    def doubts(self, measurement: Measurement) -> tuple[str, ...]:
        """What the instrument doubts about its own result."""
        ...

    def controls(self) -> tuple[Control, ...]:
        """Inputs on which it must fail."""
        ...
