"""`ledger stale` over a git repository of 2,000 files, as a whole command, in one run.

    python tests/bench/bench_stale.py

20 superseded claims, 30 of their figures planted in other spellings among files full of numbers; 20
measured claims with dates, whose figures are looked for in the documents.
The same command without git on PATH reads every file in Python; both run in turn, so that a busy
machine slows both. `git grep` alone is timed in this process, with the pattern of the command.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import values

from ledger import gitio, store
from ledger.entry import (
    By,
    Claim,
    Evidence,
    Instrument,
    Quantity,
    Recorded,
    ReplacedBy,
    Supersession,
)
from ledger.figures import candidates
from ledger.figures.withdrawn import measured, withdrawn
from ledger.service import book
from ledger.service.searching import DOCUMENTS

FILES = 2000
RUNS = 11
WALKS = 3
AT = "2026-01-01T10:00:00.{:06d}Z"
CLAIMS = (
    ("the encode cache takes ~4.3 hours to rebuild", "145.5 s on 32 workers"),
    ("tokenizing the corpus takes 37.5 min", "4.1 min"),
    ("a checkpoint is 18.4 GB", "9.2 GB"),
    ("the loader stalls 250 ms per batch", "12 ms"),
    ("attention has 21 % of the kernels' time", "65.2 %"),
    ("the sweep needs 1,312 steps", "800 steps"),
    ("throughput is 14,500 tok/s", "9,870 tok/s"),
    ("peak memory is 71.3 GiB", "52.9 GiB"),
    ("the router wastes 3.75 % of its tokens", "0.4 %"),
    ("warm-up lasts 2,000 steps", "500 steps"),
    ("evaluation takes 96 minutes", "22 minutes"),
    ("the sampler draws 5.5 kW", "3.1 kW"),
    ("the interconnect gives 340 GB/s", "210 GB/s"),
    ("gradient accumulation costs 1.9 s", "0.3 s"),
    ("the shuffle buffer holds 65,536 samples", "8,192 samples"),
    ("compilation takes 11.7 h", "7.6 h"),
    ("the adapter has 83.5 MB", "41.7 MB"),
    ("prefill runs at 610 TFLOP/s", "480 TFLOP/s"),
    ("the validation split has 12,480 rows", "10,000 rows"),
    ("the export takes 45 s", "6 s"),
)
PLANTED = (
    "(2.5 min to reuse, ~4.3 HOURS to rebuild)", "rebuilding the cache: 258 min",
    "the cache rebuild window is 4.3h", "a 4.3-hour rebuild of the encode cache",
    "corpus: 37.5 minutes to tokenize", "tokenizing the corpus = 2250 s",
    "each checkpoint (18.4GB)", "checkpoint size 18,400 MB", "loader stall: 0.25 s a batch",
    "stalls of 250ms in the loader", "attention share 0.21", "attention's share: 21%",
    "1_312 steps for the sweep", "sweep over 1,312 steps", "throughput 14.5k tok/s",
    "14500 tokens/s throughput", "memory peaks at 71.3 GiB", "3.75% wasted by the router",
    "warm-up of 2000 steps", "2k steps of warmup, warm-up included", "evaluation: 1.6 h",
    "evaluation of 96 min", "sampler at 5500 W", "interconnect: 340 GB/s",
    "accumulation of gradients 1.9 seconds", "65_536 samples in the shuffle buffer",
    "compile budget of compilation: 11.7 hours", "adapter files of 83.5 MB",
    "prefill at 610 TFLOP/s", "the export needs 45 s",
)  # fmt: skip
NOUNS = (
    "worker", "queue", "bucket", "schema", "handler", "region", "socket", "window", "driver",
    "planner", "quota", "panel", "report", "ledger", "mirror", "bridge", "filter", "vector",
)  # fmt: skip
UNITS = ("s", "ms", "min", "h", "%", "GB", "MB", "tokens", "steps", "rows", "W", "tok/s", "", "px")


def line(draw: random.Random, suffix: str) -> str:
    """A line of code or prose; every third has a number, every tenth one with a unit."""
    noun, other = draw.sample(NOUNS, 2)
    number = draw.choice(
        (draw.randint(0, 9999), round(draw.uniform(0, 100), 1), draw.randint(0, 9))
    )
    unit = draw.choice(UNITS)
    if suffix == ".md":
        return draw.choice(
            (
                f"The {noun} of the {other} takes {number} {unit} on every second day of the run.",
                f"| `{noun}_{other}` | {number}{unit} | {draw.random():.3f} |",
                f"Nothing is known about the {noun} yet; ask whoever keeps the {other}, and write",
                f"down what they say. The {other} is set up by hand and the {noun} follows it,",
                f"as `{noun}.{other}` shows; it is neither measured nor derived from anything.",
                "",
            )
        )
    return draw.choice(
        (
            f"    # the {noun} waits {number} {unit} for the {other}",
            f"    {noun}_{other} = {number}",
            f"    return compute_{noun}({other}, limit={number}, seed={draw.randint(0, 99999)})",
            f"    if {noun}.{other} is None or not {other}.ready:",
            f"        {noun} = make_{other}(config, parent=self, strict=True)",
            f"        raise ValueError(f'the {noun} has no {{{other}}}')",
            f"    def {noun}_{other}(self, {noun}: Path, *, {other}: str) -> None:",
            f'        """The {noun} that the {other} asks for."""',
            f"    for {noun} in sorted({other}.items(), key=itemgetter(0)):",
            "",
        )
    )


def fill(root: Path) -> None:
    """The ledger, the files and one commit."""
    ledger = store.init(root)
    for number, (statement, instead) in enumerate(CLAIMS):
        timed = Evidence(
            recorded=Recorded(at=AT.format(2000 + number)),
            instrument=Instrument(name="stopwatch", version="1"),
            quantities=(Quantity(name="seconds", value=3.5 + number * 17 / 7, unit="s"),),
            taken_at="2026-01-02",
        )
        settled = Claim(
            recorded=Recorded(at=AT.format(3000 + number)),
            statement=f"step {number} of the {NOUNS[number % len(NOUNS)]} takes {number + 3}.5 s",
            by=By(name="me", role="person"),
            basis="measurement",
            evidence=(store.write(ledger, timed).id,),
        )
        store.write(ledger, settled)
        claim = Claim(
            recorded=Recorded(at=AT.format(number)),
            statement=statement,
            by=By(name="arm-1", role="arm"),
            basis="derivation",
            expires="2099-01-01",
        )
        entry = Supersession(
            recorded=Recorded(at=AT.format(1000 + number)),
            claim=store.write(ledger, claim).id,
            status="WRONG",
            date="2026-01-02",
            replaced_by=ReplacedBy(text=instead),
        )
        store.write(ledger, entry)
    draw = random.Random(7)  # noqa: S311 - the same files every time
    for number in range(FILES):
        suffix = draw.choice((".py", ".py", ".md", ".sh", ".yaml"))
        lines = [line(draw, suffix) for _ in range(draw.randint(40, 140))]
        if number % (FILES // len(PLANTED)) == 0 and number // (FILES // len(PLANTED)) < len(
            PLANTED
        ):
            planted = PLANTED[number // (FILES // len(PLANTED))]
            lines.insert(draw.randint(0, len(lines)), f"# {planted}")
        folder = root / f"part_{number % 40}"
        folder.mkdir(exist_ok=True)
        (folder / f"file_{number}{suffix}").write_text("\n".join(lines) + "\n")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "all")):
        git = ("git", "-c", "user.name=b", "-c", "user.email=b@example.org")
        subprocess.run([*git, *words], cwd=root, check=True)


def run(root: Path, environment: Mapping[str, str]) -> tuple[float, Any]:
    """Wall seconds of one whole command, and what it found."""
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "ledger", "stale", "--json"],
        cwd=root,
        env=environment,
        capture_output=True,
        check=False,
    )
    return time.perf_counter() - started, json.loads(done.stdout)["data"]


def searches(root: Path) -> list[tuple[str, tuple[str, ...]]]:
    """The pattern and globs of each `git grep` that the command runs."""
    fold = book.open_book(root).fold
    return [
        (candidates(item.figure for item in withdrawn(fold)), ()),
        (candidates(item.figure for item in measured(fold)), DOCUMENTS),
    ]


def main() -> None:
    """Print wall seconds, what was found, the share of git grep, and the plain walk beside it."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        fill(root)
        texts = [path.read_text() for path in root.glob("part_*/*")]
        patterns = searches(root)
        without = {**os.environ, "PATH": ""}
        run(root, os.environ)
        command, walk, grep = [], [], []
        for number in range(RUNS):
            wall, found = run(root, os.environ)
            command.append(wall)
            started = time.perf_counter()
            handed = [gitio.grep(root, ere, only=only) for ere, only in patterns]
            grep.append(time.perf_counter() - started)
            if number < WALKS:
                wall, walked = run(root, without)
                walk.append(wall)
    lines = [line for text in texts for line in text.split("\n")]
    digits = sum(any(map(str.isdigit, line)) for line in lines) / len(lines)
    print(f"{FILES} files, {sum(map(len, texts)) / 1e6:.1f} MB, {len(lines)} lines")
    print(f"{digits:.0%} of the lines have a digit; git grep hands over {sum(map(len, handed))}")
    places = {(item["path"], item["line"]): item for item in found["stale"]}
    assert places.keys() == {(item["path"], item["line"]) for item in walked["stale"]}
    planted = [i for i in places.values() if any(text in i["source"] for text in PLANTED)]
    strong = sum(item["strength"] == "strong" for item in planted)
    others = sum(item["strength"] == "strong" for item in places.values()) - strong
    print(f"planted {len(PLANTED)}: {len(planted)} found, {strong} of them strong")
    print(f"{others} strong elsewhere; {len(found['undated'])} measured figures undated")
    for title, samples in (("command", command), ("plain walk", walk), ("git grep", grep)):
        spread = f"{min(samples):.3f} to {max(samples):.3f}, n={len(samples)}"
        print(f"{title:10} {statistics.median(samples):.3f} s, {spread}")
    values.show("stale_2000_files", command, "s")
    values.show("stale_2000_files_walked", walk, "s")
    values.show("stale_grep_share", [g / c for g, c in zip(grep, command, strict=True)])
    values.show("stale_walk_over_grep", [w / c for w, c in zip(walk, command, strict=False)])
    values.show_share("stale_planted_found", len(planted), len(PLANTED))
    values.show_share("stale_planted_strong", strong, len(PLANTED))


if __name__ == "__main__":
    main()
