"""What to change for each verdict."""

from types import MappingProxyType

from probes.scaling_fit.fit import Share
from probes.scaling_fit.verdict import Verdict

_OF_TERM: MappingProxyType[Share, str] = MappingProxyType(
    {
        "quadratic": "attention backend (flash, flex), or fewer tokens per row",
        "linear": "fused elementwise kernels and faster matmuls: per-token work",
        "fixed": "CUDA graphs or a bigger batch: launches and other per-step cost",
    }
)
_OF_VERDICT: MappingProxyType[Verdict, str] = MappingProxyType(
    {
        "quadratic": _OF_TERM["quadratic"],
        "linear": _OF_TERM["linear"],
        "launch-bound": _OF_TERM["fixed"],
        "misfit": "none from these data: profile the longest length, or time single kernels",
        "undetermined": "none yet: more repeats, a length between the two longest, a shorter one",
    }
)


def lever(verdict: Verdict, *, shares: dict[Share, float]) -> str:
    """The lever of the dominant term; for `mixed` that of its largest share, named."""
    if verdict != "mixed":
        return _OF_VERDICT[verdict]
    largest = max(shares, key=lambda name: shares[name])
    return f"{largest} is largest: {_OF_TERM[largest]}"
