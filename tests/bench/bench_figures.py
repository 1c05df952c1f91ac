"""Whether a text states a recorded quantity: precision, recall and speed beside simpler searches.

    python tests/bench/bench_figures.py

Over this repository's adversarial sentences, and the given ones where the shared folder is there
(LEDGER_SHARED, or beside the repository). They are made by hand to be hard, so this gives no rates
of the field, and the matcher was made against them. quantulum3 joins in when it is installed.
Speed is of judging lines for 50 figures at once.
"""

import importlib
import importlib.util
import os
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "ledger" / "figures"))

import adversarial
import values

from ledger.entry import Figure
from ledger.figures import Matcher, candidates, states

ROOT = Path(__file__).resolve().parents[2]
Judge = Callable[[str, Figure], bool]
RUNS = 7
LINES = 2000
FIGURES = 50


def substring(text: str, figure: Figure) -> bool:
    """The number as recorded, anywhere."""
    return f"{figure.value:g}" in text


def grep(text: str, figure: Figure) -> bool:
    """The number and the unit as recorded, as words, with or without a space."""
    number, unit = re.escape(f"{figure.value:g}"), re.escape(figure.unit)
    return re.search(rf"(?<!\w){number} ?{unit}(?!\w)", text) is not None


def quantulum() -> Judge | None:
    """The quantities that quantulum3 reads, compared in the unit as recorded or its name."""
    if importlib.util.find_spec("quantulum3") is None:
        return None
    parser = importlib.import_module("quantulum3.parser")

    def judge(text: str, figure: Figure) -> bool:
        wanted = parser.parse(f"{figure.value} {figure.unit}")
        return any(
            found.value == one.value and found.unit.name == one.unit.name
            for found in parser.parse(text)
            for one in wanted
        )

    return judge


def corpora() -> dict[str, tuple[adversarial.Case, ...]]:
    """The sentences by where they come from."""
    found = {"own": adversarial.cases()}
    shared = Path(os.environ.get("LEDGER_SHARED", ROOT.parent / "shared"))
    if shared.is_dir():
        found["given"] = adversarial.given(shared)
    else:
        print("the given sentences are not here: own ones only")
    return found


def judged(cases: tuple[adversarial.Case, ...], judge: Judge) -> adversarial.Score:
    """How well a judge does on sentences."""
    return adversarial.score((case, judge(case.text, case.figure)) for case in cases)


def speed(cases: tuple[adversarial.Case, ...]) -> None:
    """Judge lines for many figures at once."""
    more = [Figure(value=37.5 + number, unit="ms") for number in range(FIGURES)]
    figures = list(dict.fromkeys([*(case.figure for case in cases), *more]))[:FIGURES]
    lines = [
        f"In run {number} the {cases[number % len(cases)].text} was seen (see notes, line 12)."
        for number in range(LINES)
    ]
    matcher, taken = Matcher(figures), []
    for _ in range(RUNS):
        started = time.process_time()
        for line in lines:
            matcher.find(line)
        taken.append(time.process_time() - started)
    size = len(candidates(figures).encode())
    print(f"{LINES} lines for {FIGURES} figures; the expression for git grep has {size} bytes")
    values.show("lines_per_s", [LINES / one for one in taken])
    values.show(f"judging_{LINES}_lines", taken, "s")


def main() -> None:
    """Print precision and recall of each judge, then the speed."""
    judges: dict[str, Judge] = {"figures": states, "substring": substring, "grep": grep}
    if (third := quantulum()) is not None:
        judges["quantulum3"] = third
    for corpus, cases in corpora().items():
        stating = sum(case.match for case in cases)
        print(f"{corpus}: {len(cases)} sentences, {stating} state their figure")
        for name, judge in judges.items():
            score = judged(cases, judge)
            hits = score.hits
            print(
                f"  {name:10} precision {score.precision:.3f} ({hits}/{hits + score.false})"
                f"  recall {score.recall:.3f} ({hits}/{stating})"
            )
            values.show_share(f"precision_{corpus}_{name}", hits, max(hits + score.false, 1))
            values.show_share(f"recall_{corpus}_{name}", hits, stating)
    speed(adversarial.cases())


if __name__ == "__main__":
    main()
