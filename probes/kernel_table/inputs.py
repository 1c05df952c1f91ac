"""What the kernel table is made from."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field


class KernelTableInputs(BaseModel):
    """Traces of the same step, one per rank, and how much of the table to show."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    trace: list[Path] = Field(min_length=1)
    """Kineto traces, JSON or gzip; several are taken as the ranks of one run."""
    top: int = Field(default=12, ge=1, le=1000)
    """Rows of the kernel table in the report; `details` always has all of them."""
    wall_s: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    """Wall-clock seconds of what the trace covers, measured without the profiler."""
