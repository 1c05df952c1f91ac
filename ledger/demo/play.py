"""The demonstration: a panel, measurements, a correction, and what follows from it."""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from importlib.util import find_spec
from pathlib import Path

from ledger.demo.stage import Stage
from ledger.errors import LedgerError

FLEX = ("--about", "seat=training", "--about", "attn_implementation=flex_attention")
SDPA = ("--about", "seat=training", "--about", "attn_implementation=sdpa")


def play(*, keep: Path | None, live: bool) -> int:
    """Run the whole path in a new repository; returns an exit code.

    Raises LedgerError when `keep` names something that is there already.
    """
    started = time.monotonic()
    with _directory(keep) as root, chdir(root), _recorded_by("demo"):
        stage = Stage(root)
        _open(stage)
        claims = _ask(stage)
        evidence = _measure(stage, claims)
        plan = _derive(stage, claims)
        _publish(stage, claims, evidence, plan)
        _correct(stage, evidence)
        if live:
            _time_live(stage)
        stage.say("What the ledger says now")
        stage.ledger("list", "claims", "--fields", "id,status,by,statement")
    where = (
        f"the repository is in {keep}" if keep else "ledger demo --keep DIR leaves it to look at"
    )
    print(f"done in {time.monotonic() - started:.1f} s; {where}")  # noqa: T201
    return 0


@contextmanager
def _directory(keep: Path | None) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory(prefix="ledger-demo-") as name:
            yield Path(name).resolve()
        return
    if keep.exists() and (not keep.is_dir() or any(keep.iterdir())):
        raise LedgerError("bad-input", f"{keep} is there already", fix="name an empty directory")
    keep.mkdir(parents=True, exist_ok=True)
    yield keep.resolve()


@contextmanager
def _recorded_by(user: str) -> Iterator[None]:
    before = {key: os.environ.get(key) for key in ("LEDGER_USER", "LEDGER_HOST")}
    os.environ.update(LEDGER_USER=user, LEDGER_HOST="localhost")
    try:
        yield
    finally:
        for key, value in before.items():
            if value is None:
                del os.environ[key]
            else:
                os.environ[key] = value


def _open(stage: Stage) -> None:
    stage.say("A repository with a playbook, a trace and step times, and a ledger in it")
    stage.git("init", "--quiet", "--initial-branch=main")
    stage.copy("dense-flash.json.gz", "dense-flash-steps.csv", "panel.json", "playbook.md")
    stage.ledger("init")
    stage.git("add", "--all")
    stage.git("commit", "--quiet", "--message", "Start")


def _ask(stage: Stage) -> dict[str, str]:
    stage.say("Four arms answer; what they claim contradicts itself")
    panel = stage.ledger("consult", "record", "panel.json").id
    stage.say("A claim with neither a measurement nor an expiry date is refused")
    first = "attention takes at least 60 % of the device time at 4,096 tokens"
    stage.ledger("claim", first, "--by", "arm-1", "--consult", panel, expect=3)
    stage.say("With an expiry date and an expectation each claim can be settled")
    said = (
        ("arm-1", first, "attention_share >= 0.6", FLEX),
        (
            "arm-2",
            "attention takes less than a third of the device time at 4,096 tokens",
            "attention_share < 0.333",
            FLEX,
        ),
        (
            "arm-3",
            "the device is busy for less than half of the step at 4,096 tokens",
            "device_over_wall < 0.5",
            FLEX,
        ),
        (
            "arm-4",
            "the quadratic term is more than half of the step at 16,384 tokens",
            "quadratic_share > 0.5",
            SDPA,
        ),
    )
    return {
        arm: stage.ledger(
            "claim", text, "--by", arm, "--consult", panel, "--basis", "derivation",
            "--expires", "90d", "--expects", expects, *about,
        ).id
        for arm, text, expects, about in said
    }  # fmt: skip


def _measure(stage: Stage, claims: dict[str, str]) -> dict[str, str]:
    stage.say("A kernel table of a real step settles the first claim by its expectation")
    table = stage.ledger(
        "probe", "run", "kernel-table", "dense-flash.json.gz",
        "-i", f"wall_s={_median_step(stage, 4096):.6f}", *FLEX, "--claim", claims["arm-1"],
    ).id  # fmt: skip
    stage.say("The same measurement settles two more")
    stage.ledger("settle", claims["arm-2"], table)
    stage.ledger("settle", claims["arm-3"], table)
    stage.say("A scaling fit of real step times settles the fourth")
    fit = stage.ledger(
        "probe", "run", "scaling-fit", "dense-flash-steps.csv", *SDPA, "--claim", claims["arm-4"]
    ).id
    return {"table": table, "fit": fit}


def _median_step(stage: Stage, seq_len: int) -> float:
    """Seconds of the step without the profiler, from the timed steps."""
    rows = (stage.root / "dense-flash-steps.csv").read_text("utf-8").splitlines()
    found = (row.split(",") for row in rows if row.startswith(f"{seq_len},"))
    return statistics.median(float(seconds) for _, seconds, _ in found)


def _derive(stage: Stage, claims: dict[str, str]) -> str:
    stage.say("Conclusions rest on claims: one on a single leg, one on either of two")
    single = stage.ledger(
        "claim", "a new attention kernel saves less than a third of the device time", "--by",
        "arm-2", "--expires", "90d", "--rests-on", claims["arm-2"],
    ).id  # fmt: skip
    floor = stage.ledger(
        "claim", "step time does not grow between 1,024 and 4,096 tokens", "--by", "engineer",
        "--role", "person", "--basis", "measurement", "--expects", "floor_length >= 4096 tokens",
        "--evidence", _last_evidence(stage), *SDPA,
    ).id  # fmt: skip
    stage.ledger(
        "claim", "attention is not the first lever at 4,096 tokens", "--by", "arm-2",
        "--expires", "90d", "--rests-on", claims["arm-2"], "--rests-on", floor,
    )  # fmt: skip
    return single


def _last_evidence(stage: Stage) -> str:
    found = sorted(
        stage.root.glob("claims/*/*-evidence-*.json"), key=lambda p: p.stat().st_mtime_ns
    )
    return found[-1].stem[-14:]


def _publish(stage: Stage, claims: dict[str, str], evidence: dict[str, str], plan: str) -> None:
    stage.say("The playbook cites the plan; its hand-kept table becomes entries")
    playbook = stage.root / "playbook.md"
    playbook.write_text(playbook.read_text("utf-8").replace("@PLAN@", plan), "utf-8")
    stage.ledger("adopt", "playbook.md", "--table", "Superseded claims")
    stage.say("One claim is superseded by another, and the table follows")
    stage.ledger(
        "supersede", claims["arm-1"], "--status", "WRONG", "--replaced-by", claims["arm-2"],
        "--evidence", evidence["table"],
    )  # fmt: skip
    stage.ledger("render", "--check", expect=1)
    stage.ledger("render")
    print(playbook.read_text("utf-8"))  # noqa: T201


def _correct(stage: Stage, evidence: dict[str, str]) -> None:
    stage.say("The kernel table was of another configuration: what falls, what survives")
    stage.ledger(
        "rescope", evidence["table"], "--about", "attn_implementation=sdpa",
        "--reason", "its kernels are pytorch_flash, sdpa_backend=flash: the run resolved to sdpa",
    )  # fmt: skip
    stage.say("The audit: what rests on measurements, what on derivations, what to repair")
    stage.ledger("audit", expect=1)


def _time_live(stage: Stage) -> None:
    if find_spec("torch") is None or find_spec("transformers") is None:
        stage.say("Live timing needs torch and transformers: make demo-live installs them")
        return
    stage.say("The same fit, timed live on a small model with random weights")
    stage.ledger(
        "probe", "run", "scaling-fit", "-i", "step=ledger.demo.step:small_llama",
        "-i", "seq_lens=64,128,256,512,1024", "-i", "device=cpu", "-i", "budget_s=40",
        "--about", "seat=demo",
    )  # fmt: skip
    sys.stdout.flush()
