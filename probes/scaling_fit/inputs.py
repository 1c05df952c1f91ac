"""What the probe is given: a file of times, or the user's own step to be timed."""

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


def _split(value: Any) -> Any:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


SeqLen = Annotated[int, Field(ge=1)]


class Inputs(BaseModel):
    """Exactly one of `points` and `step`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    points: Path | None = None
    """CSV or JSON: seq_len, seconds (or a column whose name ends in its unit), maybe repeat."""
    step: str | None = Field(default=None, pattern=r"^[^:].*:[^:]+$")
    """`module:factory` or `path/to/file.py:factory`; called as
    `factory(seq_len=..., batch=..., device=...)`, it returns a callable without arguments that
    does forward and backward. The callable's attribute `about`, a mapping of text to text, is
    taken as the resolved configuration. Every length's callable is kept until the end, so let
    the factory share one model between lengths."""
    seq_lens: Annotated[tuple[SeqLen, ...], BeforeValidator(_split)] = ()
    """Lengths to time, in tokens: `1024,2048,4096,8192`."""
    batch: int = Field(default=1, ge=1)
    """Rows per step, handed to the factory."""
    device: str | None = Field(default=None, pattern=r"^(cpu|cuda(:\d+)?)$")
    """Left out: cuda where torch sees a GPU, else cpu."""
    repeats: int | None = Field(default=None, ge=2, le=1000)
    """A fixed number of repeats; left out, 5 to 50 until each median is known to 1 %."""
    budget_s: float = Field(default=60.0, gt=0, allow_inf_nan=False)
    """Seconds of timing after which repeats beyond the fifth stop."""
    threads: int = Field(default=1, ge=1)
    """Threads of torch on the CPU while timing."""
    model_error: float = Field(default=0.01, gt=0, lt=0.5, allow_inf_nan=False)
    """Relative error that the laws themselves are allowed; assumed, printed with the verdict."""

    @model_validator(mode="after")
    def _one_source(self) -> "Inputs":
        if (self.points is None) == (self.step is None):
            raise ValueError("give either a file of points or -i step=module:factory, not both")
        if self.step is None and self.seq_lens:
            raise ValueError("seq_lens belongs to step: a file of points brings its own lengths")
        if self.step is not None and not self.seq_lens:
            raise ValueError("step needs -i seq_lens=1024,2048,4096,8192")
        return self
