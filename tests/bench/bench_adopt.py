"""`ledger adopt` of a table beside writing as many files durably one by one, in one run.

    python tests/bench/bench_adopt.py

Half of the rows are superseded, so that 500 rows become 750 entries. The plain files have the size
of an entry and are each synced with their directory; the ratio of 1,000 to 500 rows shows that the
time grows with the rows and no faster.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path

import values

from ledger import store
from ledger.render.choosing import Wanted
from ledger.service.book import open_book
from ledger.service.documents import adopting

RUNS = 7
ROWS = (500, 1000)


def table(rows: int) -> str:
    """A table of decisions with code, links, escaped pipes and emoji."""
    header = "# Decisions\n\n| # | Title | Status | Date | Superseded by |\n|--:|--|:-:|--|--|\n"
    labels = ("✅ **Accepted**", "Superseded")
    return header + "".join(
        f"| {n} | Use `a{n} \\| b` for [it](x.md#{n}) | {labels[n % 2]} | 2026-01-02 |"
        f" {'[later](y.md)' * (n % 2)} |\n"
        for n in range(rows)
    )


def adopted(rows: int) -> float:
    """Seconds to adopt a table in an empty ledger."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "a.md")
        path.write_text(table(rows))
        store.init(path.parent)
        book = open_book(path.parent)
        start = time.perf_counter()
        done = adopting.adopt(book, path, Wanted(heading="decisions"))
        taken = time.perf_counter() - start
        if done.new != rows + rows // 2:
            raise SystemExit(f"{rows} rows became {done.new} entries")
        return taken


def plain(files: int) -> float:
    """Seconds to write as many files, each on disk with its name before the next."""
    with tempfile.TemporaryDirectory() as name:
        folder = os.open(name, os.O_RDONLY)
        start = time.perf_counter()
        for number in range(files):
            with Path(name, f"{number}.json").open("wb") as file:
                file.write(b"x" * 900)
                file.flush()
                os.fsync(file.fileno())
            os.fsync(folder)
        taken = time.perf_counter() - start
        os.close(folder)
        return taken


def main() -> None:
    """Print seconds and ratios."""
    adopted(ROWS[0])
    times: dict[str, list[float]] = {}
    for _ in range(RUNS):
        for rows in ROWS:
            times.setdefault(f"adopt {rows} rows", []).append(adopted(rows))
        times.setdefault("750 plain files", []).append(plain(750))
    for key, found in times.items():
        low, middle, high = statistics.quantiles(found, n=4)
        print(f"{key:18} {middle:6.3f} s  [{low:.3f}, {high:.3f}]  n={RUNS}")
    half, whole, files = times.values()
    values.show("adopt_500_rows", half, "s")
    values.show("adopt_over_plain_files", [a / b for a, b in zip(half, files, strict=True)])
    values.show("adopt_1000_over_500_rows", [a / b for a, b in zip(whole, half, strict=True)])


if __name__ == "__main__":
    main()
