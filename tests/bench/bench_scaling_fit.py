"""How often scaling-fit is right, abstains and is wrong on simulated laws: python FILE [DRAWS].

P: fixed + linear·w + quadratic·w²; F: max(floor, linear·w + quadratic·w²); W: a window that
saturates. The simulation obeys the laws that are fitted: it measures noise handling, not realism.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "probes" / "scaling_fit"))

import values
from scaling_laws import KINDS, score


def main() -> None:
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for kind in KINDS:
        start = time.perf_counter()
        counts = score(kind, draws=draws, seed=20)
        each = (time.perf_counter() - start) / draws
        rates = ", ".join(
            f"{name} {counts[name] / draws:.4f}" for name in ("right", "abstain", "wrong")
        )
        print(f"{kind}: {rates}  ({draws} draws, {each * 1e3:.1f} ms each)")
        for name in ("right", "wrong"):
            values.show_share(f"{name}_{kind.lower()}", counts[name], draws)


if __name__ == "__main__":
    main()
