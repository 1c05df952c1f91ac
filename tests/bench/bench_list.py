"""CPU of `ledger list` on 1,000 entries beside a bare typer program with one command, in one run.

    python tests/bench/bench_list.py

Each program runs in turn, so that a busy machine slows both; the ratio is of medians of user plus
system time of the child process.
"""

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import values

from ledger import store
from ledger.entry import By, Claim, Recorded

RUNS = 25
ENTRIES = 1000
BARE = """
import typer

app = typer.Typer()


@app.command()
def main(name: str = "x") -> None:
    print(name)


app()
"""


def cpu(words: list[str], directory: Path) -> float:
    """Milliseconds of one child process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=directory, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def fill(directory: Path) -> None:
    """A ledger of claims that rest on each other."""
    ledger, last = store.init(directory), ""
    for number in range(ENTRIES):
        entry = Claim(
            recorded=Recorded(at=f"2026-01-{1 + number % 28:02d}T10:00:00.{number:06d}Z"),
            statement=f"claim {number} about the share of attention in step {number * 37 % 1000}",
            by=By(name="arm-1", role="arm", model="model"),
            basis="derivation",
            expires="2099-03-01",
            about={"seat": "training", "run": f"run-{number % 7}"},
            rests_on=((last,),) if last and number % 3 else (),
        )
        last = store.write(ledger, entry).id


def main() -> None:
    """Print medians, spread and the ratios of neighbouring runs."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        fill(directory)
        (directory / "bare.py").write_text(BARE)
        listing = ["-m", "ledger", "list"]
        programs = {
            "bare typer": ["bare.py"],
            "ledger list": listing,
            "ledger --help": ["-m", "ledger", "--help"],
        }
        cpu(listing, directory)
        times: dict[str, list[float]] = {key: [] for key in [*programs, "ledger list, recomputed"]}
        for _ in range(RUNS):
            for key, words in programs.items():
                times[key].append(cpu(words, directory))
            # A touched entry makes the index forget the list.
            next(directory.glob("claims/*/*-claim-*.json")).touch()
            times["ledger list, recomputed"].append(cpu(listing, directory))
            cpu(listing, directory)
    bare = statistics.median(times["bare typer"])
    for key, found in times.items():
        low, middle, high = statistics.quantiles(found, n=4)
        spread = f"[{low:.1f}, {high:.1f}]"
        print(f"{key:24} {middle:6.1f} ms  {spread}  x {middle / bare:.2f}  n={RUNS}")
    for name, key in (("list", "ledger list"), ("recomputed_list", "ledger list, recomputed")):
        pairs = zip(times[key], times["bare typer"], strict=True)
        values.show(f"{name}_over_bare_typer", [mine / theirs for mine, theirs in pairs])


if __name__ == "__main__":
    main()
