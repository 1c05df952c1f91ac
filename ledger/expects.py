"""The comparison that lets a measurement settle a claim without anybody's word."""

import re

from msgspec import Struct

from ledger import canonical, units
from ledger.entry import Evidence, Expects, Outcome, Quantity
from ledger.errors import LedgerError

UNDECIDED = frozenset({"undetermined", "unknown", "inconclusive", "misfit", "not applicable"})
"""Results by which an instrument says that it does not decide."""

_FORM = r"(?s)\s*([A-Za-z_][\w./-]*)\s*(>=|<=|==|!=|>|<|\bin\b)\s*(.+?)\s*"
_NUMBER = r"(-?[0-9.]+(?:[eE][+-]?[0-9]+)?)"
_VALUE = _NUMBER + r"\s*(.*)"
_RANGE = _NUMBER + r"\s*\.\.\s*" + _NUMBER + r"\s*(.*)"
_FIX = (
    "write it as 'attention_share >= 0.6', 'step <= 35 s', 'share in 0.2..0.3' or 'result == pass'"
)


class Judgement(Struct, frozen=True, kw_only=True):
    """What a measurement says about an expectation; no outcome when it does not bear on it."""

    outcome: Outcome | None
    reason: str


def parse(text: str) -> Expects:
    """Read `quantity comparison value [unit]`.

    Raises LedgerError for another form, for a unit that is not known, and for an empty range.
    """
    form = re.fullmatch(_FORM, text)
    if form is None:
        raise LedgerError("bad-input", f"cannot read the expectation {text!r}", fix=_FIX)
    name, comparison, rest = form.groups()
    if name == "result":
        if comparison not in {"==", "!="}:
            raise LedgerError("bad-input", "a result is text: only == and != compare it", fix=_FIX)
        return Expects(quantity=name, comparison=comparison, value=rest)  # type: ignore[arg-type]
    value = re.fullmatch(_RANGE if comparison == "in" else _VALUE, rest)
    try:
        if value is None:
            raise ValueError(rest)
        low = canonical.number(value[1])
        high = canonical.number(value[2]) if comparison == "in" else None
    except ValueError:
        raise LedgerError("bad-input", f"{rest!r} is not a number or range", fix=_FIX) from None
    if high is not None and high < low:
        raise LedgerError("bad-input", f"the range {rest!r} is empty", fix="give LOW..HIGH")
    return Expects(
        quantity=name,
        comparison=comparison,  # type: ignore[arg-type]
        value=low,
        high=high,
        unit=units.check(value[value.re.groups].strip() or "1"),
    )


def text_of(expects: Expects) -> str:
    """The expectation in the form that `parse` reads."""
    value = str(_written(expects.value))
    if expects.high is not None:
        value += f"..{_written(expects.high)}"
    unit = "" if expects.unit == "1" else f" {expects.unit}"
    return f"{expects.quantity} {expects.comparison} {value}{unit}"


def _written(value: float | str) -> str | float:
    return value.text if isinstance(value, canonical.Number) else value


def judge(expects: Expects, evidence: Evidence) -> Judgement:
    """Compare the measured interval with the expectation.

    Wholly inside supports, wholly outside refutes, straddling is inconclusive; so is a quantity
    the instrument could not determine. A quantity without a spread is the interval [value, value].
    """
    if expects.quantity == "result":
        return _judge_result(expects, evidence.result)
    quantity = next((q for q in evidence.quantities if q.name == expects.quantity), None)
    if quantity is None:
        return Judgement(outcome=None, reason=_absent(expects.quantity, evidence))
    if quantity.value is None:
        return Judgement(outcome="inconclusive", reason=f"not determined: {quantity.reason}")
    interval = _interval(quantity, expects.unit)
    if interval is None:
        return Judgement(
            outcome=None,
            reason=f"{quantity.name} is in {quantity.unit}, no unit of {expects.unit}",
        )
    low, high = interval
    outcome = _compare(expects, low, high)
    measured = f"{low:.6g}" if low == high else f"{low:.6g}..{high:.6g}"
    unit = "" if expects.unit == "1" else f" {expects.unit}"
    return Judgement(
        outcome=outcome, reason=f"measured {measured}{unit}, expected {text_of(expects)}"
    )


def _absent(name: str, evidence: Evidence) -> str:
    import difflib

    names = [q.name for q in evidence.quantities]
    near = difflib.get_close_matches(name, names, n=2)
    if near:
        return f"does not measure {name} (did you mean {' or '.join(near)}?)"
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""  # noqa: PLR2004
    return f"does not measure {name} (has {', '.join(names[:5]) or 'no quantity'}{more})"


def _judge_result(expects: Expects, result: str | None) -> Judgement:
    if result is None:
        return Judgement(outcome=None, reason="states no result")
    reason = f"result {result!r}, expected {text_of(expects)}"
    if result in UNDECIDED and expects.value != result:
        return Judgement(outcome="inconclusive", reason=reason)
    same = result == expects.value
    holds = same if expects.comparison == "==" else not same
    return Judgement(outcome="supports" if holds else "refutes", reason=reason)


def _interval(quantity: Quantity, unit: str) -> tuple[float, float] | None:
    value = quantity.value
    bounds = [
        units.convert(bound, quantity.unit, unit)
        for bound in (
            value if quantity.low is None else quantity.low,
            value if quantity.high is None else quantity.high,
        )
        if bound is not None
    ]
    low, high = bounds
    return None if low is None or high is None else (low, high)


def _compare(expects: Expects, low: float, high: float) -> Outcome:
    bound = float(expects.value)
    top = bound if expects.high is None else float(expects.high)
    inside, outside = {
        ">=": (low >= bound, high < bound),
        ">": (low > bound, high <= bound),
        "<=": (high <= bound, low > bound),
        "<": (high < bound, low >= bound),
        "==": (low == high == bound, high < bound or low > bound),
        "!=": (high < bound or low > bound, low == high == bound),
        "in": (low >= bound and high <= top, high < bound or low > top),
    }[expects.comparison]
    return "supports" if inside else "refutes" if outside else "inconclusive"
