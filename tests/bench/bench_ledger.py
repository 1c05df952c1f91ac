"""Writing, folding and auditing ledgers of 1,000 and 10,000 claims, in one process.

    python tests/bench/bench_ledger.py

CPU time of each step; writing also waits for the disk, so its wall time is shown beside.
"""

import tempfile
import time
from pathlib import Path

import values

from ledger import index, store
from ledger.entry import By, Claim, Evidence, Instrument, Quantity, Recorded
from ledger.fold import fold
from ledger.service import auditing, book

DAY = "2026-06-01"
RUNS = 3


def fill(ledger: store.Ledger, claims: int) -> float:
    """Write claims in chains of ten, each chain on a measurement; returns wall ms per entry."""
    started, last = time.perf_counter(), ""
    for number in range(claims):
        at = Recorded(at=f"2026-01-{1 + number % 28:02d}T10:00:00.{number:06d}Z")
        if number % 10 == 0:
            measured = Evidence(
                recorded=at,
                instrument=Instrument(name="stopwatch", version="1"),
                about={"seat": "training", "run": f"run-{number}"},
                quantities=(Quantity(name="step", value=number / 7, unit="s", n=3),),
            )
            last = store.write(ledger, measured).id
        claim = Claim(
            recorded=at,
            statement=f"step {number} of run {number % 97} takes {number / 7:.3f} s",
            by=By(name=f"arm-{number % 4}"),
            basis="derivation",
            expires="2099-01-01",
            about={"seat": "training"},
            rests_on=((last,),),
        )
        last = store.write(ledger, claim).id
    return 1e3 * (time.perf_counter() - started) / (claims * 1.1)


def cpu(step: object) -> float:
    """CPU milliseconds of one call."""
    started = time.process_time()
    step()  # type: ignore[operator]
    return 1e3 * (time.process_time() - started)


def main() -> None:
    """Print CPU times at both sizes, and how they grow."""
    for claims in (1_000, 10_000):
        with tempfile.TemporaryDirectory() as name:
            ledger = store.init(Path(name))
            print(f"{claims} claims: {fill(ledger, claims):.2f} ms wall per durable entry")
            index.load(ledger)
            loaded = index.load(ledger)
            opened = book.open_book(ledger.root)
            steps = {
                "load": lambda ledger=ledger: index.load(ledger),
                "fold": lambda loaded=loaded: fold(loaded.entries, as_of=DAY),
                "audit": lambda opened=opened: auditing.audit(opened),
            }
            for step, call in steps.items():
                values.show(f"{step}_{claims}", [cpu(call) for _ in range(RUNS)], "ms")


if __name__ == "__main__":
    main()
