import functools
import os
import re
import subprocess
from collections import defaultdict
from decimal import Decimal

import adversarial
import pytest
from command_line import shared
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.entry import Figure
from ledger.figures import candidates, find, spelling
from ledger.figures.matching import factor
from ledger.units import UNITS

STYLES = st.sampled_from(["f", ",", "_", " ", "\u202f", "’", "e", "power", "k", "M"])
NEAR = (
    *("", "", "1–", "0.1 to ", "~", "about ", "between 0.1 and ", "×", "0.1, 0.2 or ", "2e1 to "),
    *("0.1×10^{1} – ", "1/2/"),
)
CONTEXTS = ("{}", "- {}", "took {},", "| {} | x |", "from {} on", "`{}`", "**{}** in all", "x={}.")


@functools.cache
def expression(figure: Figure) -> re.Pattern[bytes]:
    return re.compile(candidates([figure]).encode())


def grep(pattern: str, lines: list[str]) -> set[int]:
    """0-based numbers of the lines that `grep -E` finds."""
    done = subprocess.run(
        ["grep", "-naE", "-e", pattern],
        input="\n".join(line.replace("\n", " ") for line in lines).encode(),
        env={**os.environ, "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stderr
    return {int(line.split(b":", 1)[0]) - 1 for line in done.stdout.splitlines()}


def lost(cases: tuple[adversarial.Case, ...]) -> list[str]:
    """Texts that state their figure and that grep does not find, by one figure or by all."""
    texts: dict[Figure, list[str]] = defaultdict(list)
    for case in cases:
        if find(case.text, case.figure):
            texts[case.figure].append(case.text)
    assert texts
    missed = []
    for figure, lines in texts.items():
        found = grep(candidates([figure]), lines)
        missed += [line for i, line in enumerate(lines) if i not in found]
    every = [line for lines in texts.values() for line in lines]
    found = grep(candidates(texts), every)
    return missed + [line for i, line in enumerate(every) if i not in found]


def test_grep_finds_every_line_of_the_cases_that_states_its_figure() -> None:
    assert lost(adversarial.cases()) == []


def test_grep_finds_every_line_of_the_given_cases_that_states_its_figure() -> None:
    assert lost(adversarial.given(shared())) == []


def test_the_expression_is_narrow() -> None:
    prose = [
        "The learning rate is 3e-4 with a warm-up of 100 steps and a batch of 32.",
        "See section 4.3 for the hosts, and version 1.31.2 for the change.",
        "Half of the 43 kernels take less than 25 us on an H100 with 80 GB.",
        "for i in range(1312): total += 609 * i",
    ]
    figures = [HOURS, Figure(value=609, unit="MB"), Figure(value=1312, unit="steps")]
    assert grep(candidates(figures), prose) == set()


HOURS = Figure(value=4.3, unit="h")


def test_no_figures_are_no_expression() -> None:
    with pytest.raises(ValueError, match="no figures"):
        candidates([])


@st.composite
def writings(draw: st.DrawFn) -> tuple[Figure, str]:
    """A figure and one of the ways to write it."""
    unit = draw(st.sampled_from(sorted(UNITS)))
    mantissa = draw(st.integers(1, 10 ** draw(st.integers(1, 7))))
    exponent = draw(st.integers(-9, 6))
    value = Decimal(mantissa).scaleb(exponent) * draw(st.sampled_from([1, -1]))
    figure = Figure(value=float(value), unit=unit)
    alike = [other for other in UNITS if UNITS[other].family == UNITS[unit].family]
    other = draw(st.sampled_from(alike))
    forms = [*spelling.symbols(other), *spelling.words(other)] or [other]
    spelled = "" if other == "1" else draw(st.sampled_from(forms))
    if draw(st.booleans()):
        spelled = spelled.upper() if spelled in spelling.words(other) else spelled
    number = value * factor(unit) / factor(other)
    places = draw(st.integers(1, 9))
    rounded = Decimal(f"{number:.{places - 1}e}")
    style = draw(STYLES)
    text = written(rounded, style)
    gap = draw(st.sampled_from(["", " ", "\u00a0", "-", "\u2011", " **", "` ", "&nbsp;", "** "]))
    near = draw(st.sampled_from(NEAR))
    after = draw(st.sampled_from(["", "", "–{0}{1}", " to {0} {1}", " ± 1 {1}", " per GPU", "/s"]))
    if after[:2] in {"–{", " t", " ±"}:
        gap, spelled = "", after.format(written(rounded * 2, draw(STYLES)), spelled)
    elif " **" in gap:
        spelled += "**"
    else:
        spelled += after
    context = draw(st.sampled_from(CONTEXTS))
    return figure, context.format(f"{near}{text}{gap}{spelled}")


def written(number: Decimal, style: str) -> str:
    match style:
        case "e":
            return f"{number:e}"
        case "power":
            head, _, power = f"{number:e}".partition("e")
            return f"{head} × 10^{int(power)}"
        case "k":
            return f"{number / 1000:f}k"
        case "M":
            return f"{number / 1_000_000:f} million"
        case "f":
            return f"{number:f}"
        case _:
            return f"{number:,f}".replace(",", style)


@settings(max_examples=300, deadline=None)
@given(writings())
def test_no_line_with_a_figure_is_lost(sample: tuple[Figure, str]) -> None:
    figure, line = sample
    if find(line, figure):
        assert expression(figure).search(line.encode()), (figure, line)


PARTS = (
    *("4", "18", "4.3", "258", "h", "hours", "min", "m", " ", " ", "and", "half", "four", "point"),
    *("three", "a", "to", "-", "–", "or", "hundred", "fifty-eight", "two", ":", "k", "e3", "s"),
    *("*", "`", "|", "<b>", "</b>", "/", ",", ".", "0", "15", "480", "×10^3", "\u202f", "~"),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_no_line_of_scrambled_parts_is_lost(line: str) -> None:
    if find(line, HOURS):
        assert expression(HOURS).search(line.encode()), line
