"""The report for a person: plain text, at most 80 columns. Pure."""

import textwrap
from collections.abc import Mapping
from typing import Any

WIDTH = 80
_HEAD = f"{'seq_len':>9} {'seconds':>12} {'n':>4} {'spread':>8} {'fitted':>12} {'residual':>9}"


def report(found: Mapping[str, Any]) -> str:
    """The verdict, the table of lengths, the shares and what was assumed."""
    verdict = f"{found['verdict']} at {found['longest']:,} tokens"
    lines = [
        *_wrapped("verdict", verdict),
        *_wrapped("reason", found["reason"]),
        *_wrapped("lever", found["lever"]),
        "",
        _HEAD,
        *(_row(point) for point in found["points"]),
        "",
        *_shares(found),
        *_wrapped("seconds", "robust centre (Huber, on logs) of the repeats at each length"),
        *_wrapped("assumed", f"model error {found['model_error']:.1%}, added to the repeat spread"),
        *_wrapped("range", _range(found)),
        *_wrapped("fit", _fit(found)),
        *(_earlier(item) for item in found["ranges"][:-1]),
    ]
    if clock := found.get("clock"):
        lines += _wrapped("clock", clock)
    return "\n".join(lines) + "\n"


def _wrapped(label: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=WIDTH,
        initial_indent=f"{label:<9}",
        subsequent_indent=" " * 9,
        break_on_hyphens=False,
    )


def _row(point: Mapping[str, Any]) -> str:
    spread = "-" if point["spread"] is None else f"{point['spread']:.2%}"
    fitted = "dropped" if point["fitted"] is None else f"{point['fitted']:.6g}"
    residual = "-" if point["residual"] is None else f"{point['residual']:+.2%}"
    return (
        f"{point['seq_len']:>9} {point['seconds']:>12.6g} {point['n']:>4} {spread:>8} "
        f"{fitted:>12} {residual:>9}"
    )


def _shares(found: Mapping[str, Any]) -> list[str]:
    if found["shares"] is None:
        return _wrapped("shares", f"unknown: {found['shares_unknown']}")
    lines = [f"shares at {found['longest']:,} tokens, 95 % profile intervals"]
    for name, share in found["shares"].items():
        value = "not fitted" if share["value"] is None else f"{share['value']:.1%}"
        bounds = f"[{share['low']:.1%}, {share['high']:.1%}]"
        lines.append(f"  {name:<10} {value:>10}  {bounds}")
    return lines


def _range(found: Mapping[str, Any]) -> str:
    text = f"{found['shortest']:,} to {found['longest']:,} tokens ({found['length_range']:.3g}x)"
    if found["dropped"]:
        text += ", without " + ", ".join(f"{length:,}" for length in found["dropped"])
    return text


def _fit(found: Mapping[str, Any]) -> str:
    p = found["lack_of_fit_p"]
    return (
        f"lack of fit p = {p['polynomial']:.2g} (polynomial), {p['nearest']:.2g} (nearest law); "
        f"condition number {found['condition_number']:.1f}"
    )


def _earlier(item: Mapping[str, Any]) -> str:
    text = f"  {item['shortest']:,} to {item['longest']:,}: {item['verdict']}, {item['reason']}"
    return textwrap.fill(text, width=WIDTH, subsequent_indent="    ", break_on_hyphens=False)
