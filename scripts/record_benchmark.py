"""Run one benchmark and record its figures as evidence in this repository's ledger.

    python scripts/record_benchmark.py list --about machine="2 cores, shared"

Runs `tests/bench/bench_NAME.py`, takes its `value ...` lines, and adds the present commit, the
Python version and the device as `ledger evidence add` does. Commit first: the state of the tree is
part of the record.
"""

import argparse
import datetime as dt
import os
import platform
import subprocess
import sys
from pathlib import Path

from ledger import cli

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Run, show, record; returns the exit code of the recording."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--about", action="append", default=[], metavar="KEY=VALUE")
    options = parser.parse_args()
    program = ROOT / "tests" / "bench" / f"bench_{options.name}.py"
    done = subprocess.run(
        [sys.executable, str(program)], check=True, capture_output=True, text=True, cwd=ROOT
    )
    print(done.stdout)
    values = [
        line.removeprefix("value ") for line in done.stdout.splitlines() if line[:6] == "value "
    ]
    os.chdir(ROOT)
    about = [f"python={platform.python_version()}", *options.about]
    return cli.run(
        [
            "evidence", "add", "--instrument", f"bench_{options.name.replace('-', '_')}@1",
            "--artifact", program.relative_to(ROOT).as_posix(),
            "--taken-at", dt.datetime.now(dt.UTC).date().isoformat(),
            *(word for value in values for word in ("--value", value)),
            *(word for pair in about for word in ("--about", pair)),
        ]
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
