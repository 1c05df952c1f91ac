"""Wall time of `ledger demo` without the live part: python tests/bench/bench_demo.py."""

import subprocess
import sys
import time

import values

RUNS = 7


def main() -> None:
    """Run the demonstration a few times, each in a process of its own."""
    taken = []
    for _ in range(RUNS):
        started = time.perf_counter()
        words = [sys.executable, "-m", "ledger", "demo", "--no-live"]
        subprocess.run(words, check=True, capture_output=True)
        taken.append(time.perf_counter() - started)
    values.show("demo", taken, "s")


if __name__ == "__main__":
    main()
