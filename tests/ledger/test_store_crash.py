"""Writers that are killed, and many at once. The children are separate processes."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ledger import index, store

WRITER = """
import sys
from pathlib import Path
from ledger import index, store
from ledger.entry import By, Claim, Recorded
ledger = store.find(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    at = f"2026-{1 + i % 12:02d}-05T09:30:00.{i:06d}Z"
    claim = Claim(recorded=Recorded(at=at), statement=f"{sys.argv[2]} {i} " + "x" * 5000,
                  by=By(name="arm"), basis="derivation")
    print(index.record(ledger, claim).id, flush=True)
"""


def writer(root: Path, name: str, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(root), name, str(count)],
        stdout=subprocess.PIPE,
        text=True,
    )


def test_eight_writers_of_fifty_claims_lose_none(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    index.load(ledger)
    writers = [writer(tmp_path, f"writer-{i}", 50) for i in range(8)]
    acknowledged = [line for child in writers for line in child.communicate()[0].split()]
    assert [child.returncode for child in writers] == [0] * 8
    assert len(set(acknowledged)) == len(acknowledged) == 400
    loaded = index.load(ledger)
    assert set(loaded.entries) == set(acknowledged)
    assert loaded == store.read_all(ledger)
    assert loaded.problems == ()
    assert store.leftovers(ledger, everything=True) == ()


def test_eight_writers_of_the_same_claims_make_each_once(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    writers = [writer(tmp_path, "same", 10) for _ in range(8)]
    acknowledged = [line for child in writers for line in child.communicate()[0].split()]
    assert [child.returncode for child in writers] == [0] * 8
    assert len(acknowledged) == 80
    assert len(list(ledger.claims.glob("*/*"))) == len(set(acknowledged)) == 10


def test_a_writer_killed_at_any_moment_loses_nothing_it_acknowledged(tmp_path: Path) -> None:
    ledger = store.init(tmp_path)
    acknowledged: set[str] = set()
    moments = random.Random(7)  # noqa: S311 - moments, not secrets
    for round_ in range(12):
        child = writer(tmp_path, f"round-{round_}", 100_000)
        assert child.stdout is not None
        acknowledged.add(child.stdout.readline().strip())
        time.sleep(moments.uniform(0, 0.04))
        child.send_signal(signal.SIGKILL)
        # A last line may have been cut short by the kill; ids have 14 characters.
        acknowledged |= {line.strip() for line in child.stdout if len(line) == 15}
        child.stdout.close()
        child.wait()
    loaded = index.load(ledger)
    assert len(acknowledged) > 12
    assert acknowledged <= set(loaded.entries)
    assert loaded.problems == ()
    assert loaded == store.read_all(ledger)
    left = store.sweep(ledger, everything=True)
    assert all(path.name.startswith(".tmp-") for path in left)
    assert not list(ledger.claims.rglob(".tmp-*"))
    # A name less changes the ctime of the file, not what it says.
    assert store.read_all(ledger).entries == loaded.entries


FAULT = """
import os, sys
from pathlib import Path
root, name, nth, when, fallback = sys.argv[1:]
from ledger import store
from ledger.entry import By, Claim, Recorded
ledger = store.find(Path(root))
claim = Claim(recorded=Recorded(at="2026-01-05T09:30:00.000000Z"), statement="x" * 100_000,
              by=By(name="arm"), basis="derivation")
if fallback == "rename":
    def no_link(*_):
        raise OSError(1, "Operation not permitted")
    os.link = no_link
left = int(nth)
real = getattr(os, name)
def fatal(*args, **kwargs):
    global left
    left -= 1
    if left == 0 and when == "before":
        os._exit(9)
    if left == 0 and when == "half":
        real(args[0], args[1][:1000])
        os._exit(9)
    answer = real(*args, **kwargs)
    if left == 0:
        os._exit(9)
    return answer
setattr(os, name, fatal)
if fallback == "many":
    more = [Claim(recorded=claim.recorded, statement=f"{i}", by=claim.by, basis="derivation")
            for i in range(3)]
    from ledger.store import writing
    writing._WRITERS = 1  # one after the other, so that the nth call is a certain one
    store.write_all(ledger, [claim, *more])
print(store.write(ledger, claim).id)
"""
MANY = [
    *[("fsync", nth, when) for nth in (1, 2, 4, 5, 6) for when in ("before", "after")],
    *[("link", nth, when) for nth in (1, 4) for when in ("before", "after")],
    *[("write", 3, when) for when in ("before", "after")],
]
STEPS = [
    *[("mkdir", 1, when, "link") for when in ("before", "after")],
    *[("open", nth, when, "link") for nth in (1, 2, 3) for when in ("before", "after")],
    *[("write", 1, when, "link") for when in ("before", "half", "after")],
    *[("fsync", nth, when, "link") for nth in (1, 2, 3) for when in ("before", "after")],
    *[("link", 1, when, "link") for when in ("before", "after")],
    *[("unlink", 1, when, "link") for when in ("before", "after")],
    *[("rename", 1, when, "rename") for when in ("before", "after")],
]


@pytest.mark.parametrize(("name", "nth", "when", "fallback"), STEPS)
def test_a_crash_at_any_step_leaves_the_whole_entry_or_none(
    tmp_path: Path, name: str, nth: int, when: str, fallback: str
) -> None:
    ledger = store.init(tmp_path)
    command = [sys.executable, "-c", FAULT, str(tmp_path)]
    done = subprocess.run(
        [*command, name, str(nth), when, fallback], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (9, ""), done.stderr
    files = list(ledger.claims.glob("*/*.json"))
    assert len(files) <= 1
    loaded = store.read_all(ledger)
    assert len(loaded.entries) == len(files)
    assert loaded.problems == ()
    store.sweep(ledger, everything=True)
    assert {path.name for path in ledger.claims.glob("*/*")} == {path.name for path in files}
    # The next attempt succeeds, whatever was left.
    done = subprocess.run(
        [*command, "abort", "0", "never", "link"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in store.read_all(ledger).entries


@pytest.mark.parametrize(("name", "nth", "when"), MANY)
def test_a_crash_while_many_are_written_leaves_whole_entries_only(
    tmp_path: Path, name: str, nth: int, when: str
) -> None:
    ledger = store.init(tmp_path)
    command = [sys.executable, "-c", FAULT, str(tmp_path), name, str(nth), when, "many"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (9, ""), done.stderr
    files = list(ledger.claims.glob("*/*.json"))
    loaded = store.read_all(ledger)
    assert (len(loaded.entries), loaded.problems) == (len(files), ())
    if name == "fsync" and nth > 4:
        assert len(files) == 4
