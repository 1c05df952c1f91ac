"""What notes cost: nothing to a ledger without artifact fields, and little beside 100 artifacts.

    python tests/bench/bench_notes.py

CPU time in one process. The first ratio is what recording pays to find that no entry names an
artifact, as a share of the fold that every recording makes anyway.
"""

import functools
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import values

from ledger import index, store
from ledger.entry import By, Claim, Recorded
from ledger.fold import fold
from ledger.service import adding, auditing, book, correct, record
from ledger.service.documents import rendering

CLAIMS = 5_000
ARTIFACTS = 100
RUNS = 5


def cpu(step: Callable[[], object]) -> float:
    """CPU milliseconds of one call."""
    started = time.process_time()
    step()
    return 1e3 * (time.process_time() - started)


def without(ledger: store.Ledger) -> None:
    """A ledger in which no entry names an artifact."""
    for number in range(CLAIMS):
        at = Recorded(at=f"2026-01-01T10:00:00.{number:06d}Z")
        claim = Claim(
            recorded=at,
            statement=f"step {number}",
            by=By(name="arm"),
            basis="derivation",
            expires="2099-01-01",
        )
        store.write(ledger, claim)
    entries = index.load(ledger).entries
    scans = [cpu(lambda: any(map(adding.names_artifacts, entries.values()))) for _ in range(RUNS)]
    folds = [cpu(lambda: fold(entries, as_of="2026-06-01")) for _ in range(RUNS)]
    values.show(f"scan_{CLAIMS}", scans, "ms")
    values.show("scan_of_fold", [s / f for s, f in zip(scans, folds, strict=True)], "1")


def supersede(ledger: store.Ledger, claim: str) -> object:
    """Record that a claim is wrong, with the note that follows."""
    return correct.supersede(book.open_book(ledger.root), claim, status="WRONG")


def beside(ledger: store.Ledger) -> None:
    """A ledger with as many noted artifacts, each with 200 fields."""
    fields = ", ".join(f'"k{number}": {number}' for number in range(200))
    ids = []
    for number in range(ARTIFACTS + RUNS):
        path = ledger.root / f"run-{number}" / "record.json"
        path.parent.mkdir()
        path.write_text(f'{{"n": {number}, {fields}}}')
        opened = book.open_book(ledger.root)
        added = record.claim(
            opened,
            f"n is {number}",
            by="arm",
            basis="derivation",
            expires="9d",
            artifacts=[f"{path}#/n"],
        )
        ids.append(added.id)
    for claim in ids[:ARTIFACTS]:
        supersede(ledger, claim)
    last = [cpu(functools.partial(supersede, ledger, claim)) for claim in ids[ARTIFACTS:]]
    values.show(f"supersede_beside_{ARTIFACTS}_notes", last, "ms")
    opened = book.open_book(ledger.root)
    checks = [cpu(lambda: rendering.render_files(opened, (), check=True)) for _ in range(RUNS)]
    values.show(f"check_{ARTIFACTS}_notes", checks, "ms")
    audits = [cpu(lambda: auditing.audit(opened)) for _ in range(RUNS)]
    values.show(f"audit_{ARTIFACTS}_notes", audits, "ms")


def main() -> None:
    """Print both."""
    for run in (without, beside):
        with tempfile.TemporaryDirectory() as name:
            run(store.init(Path(name)))


if __name__ == "__main__":
    main()
