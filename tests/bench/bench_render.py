"""`ledger render` on 1,000 regions in 200 files, beside parsing these files with markdown-it.

    python tests/bench/bench_render.py

Each command is a process of its own: wall time of the whole of a check, CPU time of rendering,
which waits for the disk twice per file. The files are parsed in this process, without their inline
content.
"""

import itertools
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import values

from ledger import store
from ledger.entry import (
    By,
    Claim,
    Evidence,
    Expects,
    Instrument,
    Quantity,
    Recorded,
    ReplacedBy,
    Scope,
    Supersession,
    Verdict,
)
from ledger.render import markdown

FILES = 200
PER_FILE = 5
CLAIMS = 300
RUNS = 7
VIEWS = ("superseded", "negatives", "standing", "open", "probe")
PROSE = "A paragraph about the run, with *words* and a [link](https://example.org).\n\n- a list\n\n"


def fill(root: Path) -> str:
    """Claims that one measurement supports or refutes, open and superseded ones; its id."""
    ledger = store.init(root)
    seat: Scope = {"seat": "training"}
    measured = store.write(
        ledger,
        Evidence(
            recorded=at(0),
            instrument=Instrument(name="stopwatch", version="1"),
            about=seat,
            quantities=(Quantity(name="step", value=35.2, unit="s", n=5, low=34.9, high=35.4),),
        ),
    ).id
    for number in range(CLAIMS):
        claim = store.write(
            ledger,
            Claim(
                recorded=at(number),
                statement=f"claim {number}: a step takes {number} s | of which a_b is *most*",
                by=By(name=f"arm-{number % 4}"),
                basis="derivation",
                about=seat,
                expects=Expects(
                    quantity="step", comparison="<=" if number % 2 else ">", value=30, unit="s"
                ),
                expires="2099-01-01",
                tags=(f"tag-{number % 10}",),
            ),
        ).id
        if number % 6 < 4:
            verdict = Verdict(
                recorded=at(number), claim=claim, evidence=measured, outcome="refutes",
                decided="expects",
            )  # fmt: skip
            store.write(ledger, verdict)
        elif number % 6 == 4:
            text = ReplacedBy(text=f"measured otherwise in run {number}")
            store.write(
                ledger,
                Supersession(
                    recorded=at(number), claim=claim, status="WRONG", date="2026-01-02",
                    replaced_by=text,
                ),
            )  # fmt: skip
    return measured


def at(number: int) -> Recorded:
    """A time of recording."""
    return Recorded(at=f"2026-01-{1 + number % 28:02d}T10:00:00.{number:06d}Z")


def write(root: Path, evidence: str, *, tags: bool) -> list[Path]:
    """Documents with five new regions each; with tags, ten different ones of each view."""
    paths = []
    numbers = itertools.count()
    for number in range(FILES):
        parts = [f"# Document {number}\n\n"]
        for view in VIEWS[:PER_FILE]:
            name = f"r{next(numbers)}"
            words = f"evidence={evidence}" if view == "probe" else ""
            words += f" tag=tag-{number % 10}" if tags and view != "probe" else ""
            begin = f"<!-- BEGIN ledger:{view} {' '.join(['id=' + name, *words.split()])} -->\n"
            parts += [PROSE, begin, f"<!-- END ledger:{view} id={name} -->\n\n"]
        path = root / f"docs/{number // 20}/{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(parts))
        paths.append(path)
    return paths


def wall(call: Callable[[], object]) -> float:
    """Seconds of one call."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def cpu(call: Callable[[], object]) -> float:
    """CPU seconds of the child processes of one call."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ledger(root: Path, *words: str) -> None:
    """Run one command of the ledger."""
    command = [sys.executable, "-m", "ledger", *words]
    subprocess.run(command, cwd=root, check=True, capture_output=True)


def measure(root: Path, evidence: str, *, tags: bool) -> None:
    """Print the times of rendering new and stale regions, of checking, and of parsing."""
    name = "tagged" if tags else "whole"
    paths = write(root, evidence, tags=tags)
    rendering = cpu(lambda: ledger(root, "render"))
    ledger(root, "retract", evidence, "--reason", f"of {name}: every view changes")
    again = cpu(lambda: ledger(root, "render"))
    checks, parses = [], []
    for _ in range(RUNS):
        checks.append(wall(lambda: ledger(root, "render", "--check")))
        parses.append(wall(lambda: [markdown.blocks(path.read_bytes()) for path in paths]))
    size = sum(path.stat().st_size for path in paths) / 1e6
    print(f"{name}: {FILES * PER_FILE} regions in {FILES} files, {size:.1f} MB, {CLAIMS} claims")
    values.show(f"render_cpu_{name}", [rendering], "s")
    values.show(f"rerender_cpu_{name}", [again], "s")
    values.show(f"check_{name}", checks, "s")
    pairs = zip(checks, parses, strict=True)
    values.show(f"check_{name}_over_parsing", [check / parse for check, parse in pairs])


def main() -> None:
    """Measure whole views in every file, then views by tag."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for tags in (False, True):
            directory = root / str(tags)
            directory.mkdir()
            measure(directory, fill(directory), tags=tags)


if __name__ == "__main__":
    main()
