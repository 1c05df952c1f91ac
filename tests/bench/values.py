"""Benchmark results in the form that `ledger evidence add --value` takes."""

import math
import statistics
from collections.abc import Sequence


def show(name: str, samples: Sequence[float], unit: str = "1") -> None:
    """Print the median with n and interval, as `value NAME=MEDIAN:UNIT:N:LOW..HIGH`.

    The interval is the 95 % one of the median by order statistics; below six samples, where there
    is none, the range.
    """
    ordered = sorted(samples)
    cut = _tail(len(ordered))
    low, high = ordered[cut], ordered[-1 - cut]
    middle = statistics.median(ordered)
    print(f"value {name}={middle:.4g}:{unit}:{len(ordered)}:{low:.4g}..{high:.4g}")


def _tail(n: int) -> int:
    """How many samples lie beyond each end of the interval: binomial(n, 1/2) tail <= 2.5 %."""
    total, cut = 0, -1
    while (total := total + math.comb(n, cut + 1)) <= 0.025 * 2**n:
        cut += 1
    return max(cut, 0)


def show_share(name: str, count: int, total: int) -> None:
    """Print a proportion with its 95 % Wilson interval."""
    z, share = 1.959964, count / total
    centre = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * (share * (1 - share) / total + z * z / (4 * total * total)) ** 0.5
    half /= 1 + z * z / total
    low, high = max(centre - half, 0.0), min(centre + half, 1.0)
    low, high = min(low, share), max(high, share)
    print(f"value {name}={share:.4f}:1:{total}:{low:.4f}..{high:.4f}")
