"""What makes the instrument doubt its own verdict. Pure."""

from collections.abc import Mapping
from typing import Any

from probes.scaling_fit.analysis import WIDE
from probes.scaling_fit.fit import FEWEST

_NOISY = 0.10
"""IQR over median above which repeats are too noisy (torch.utils.benchmark warns there too)."""
_APART = 0.05
"""Two laws that differ by less in every share say the same."""
_BUSY = 0.5
"""Load average per core, without the probe itself, above which CPU times are disturbed."""


def doubts(found: Mapping[str, Any], *, environment: Mapping[str, Any]) -> tuple[str, ...]:
    """One line per doubt, from the details and the environment of a measurement."""
    return (*_of_design(found), *_of_noise(found), *_of_rival(found), *_of_machine(environment))


def _of_design(found: Mapping[str, Any]) -> list[str]:
    out = [f"model error of {found['model_error']:.1%} is assumed, not measured"]
    if found["length_range"] < WIDE:
        out.append(f"lengths span {found['length_range']:.3g}x, under {WIDE:.0f}x")
    if len(found["points"]) - len(found["dropped"]) == FEWEST:
        out.append("three lengths only: a fixed cost cannot be told from the other terms")
    if found["dropped"]:
        dropped = ", ".join(str(length) for length in found["dropped"])
        out.append(f"short lengths dropped because no law fits with them: {dropped}")
    return out


def _of_noise(found: Mapping[str, Any]) -> list[str]:
    out = []
    if found["repeat_spread"] is None:
        out.append("no repeat spread: every length was timed once")
    elif single := [str(p["seq_len"]) for p in found["points"] if p["n"] == 1]:
        out.append(f"timed once, spread taken from the others: {', '.join(single)}")
    noisy = [p for p in found["points"] if p["iqr_ratio"] is not None and p["iqr_ratio"] > _NOISY]
    out += [f"IQR over median is {p['iqr_ratio']:.0%} at seq_len {p['seq_len']}" for p in noisy]
    if not found["equal_spread"]:
        out.append("repeat spread differs between lengths: each length keeps its own")
    return out


def _of_rival(found: Mapping[str, Any]) -> list[str]:
    total, flat = found["laws"]["polynomial"], found["laws"]["floor"]
    nearest = min(total["chi2"], flat["chi2"])
    within = max(total["chi2"], flat["chi2"]) - nearest <= found["limit"]
    apart = max(abs(total[name] - flat[name]) for name in ("fixed", "linear", "quadratic"))
    if not (within and apart > _APART):
        return []
    shares = f"linear {flat['linear']:.0%}, quadratic {flat['quadratic']:.0%}"
    if flat["fixed"] > _APART:
        shares = "all fixed"
    return [f"a floor fits about as well as an added fixed cost: the shares would be {shares}"]


def _of_machine(environment: Mapping[str, Any]) -> list[str]:
    out = []
    if environment.get("clock") in {"process_time", "wall"}:
        out += _of_load(environment["load_average"], cores=environment["cores"])
    if environment.get("clock") == "wall":
        out.append(
            "wall time, which other processes disturb: the step waits or uses several threads"
        )
    if unsettled := environment.get("unsettled"):
        lengths = ", ".join(str(length) for length in unsettled)
        out.append(f"median not known to 1 % when the budget or the repeats ended: {lengths}")
    if disagree := environment.get("about_disagrees"):
        out.append(f"the lengths resolved to different configurations: {', '.join(disagree)}")
    return out


def _of_load(load: Mapping[str, float | None], *, cores: int | None) -> list[str]:
    before, after = load["before"], load["after"]
    if before is None or after is None or cores is None:
        return ["load average unknown while timing on a CPU"]
    # The probe itself adds up to one by the end.
    others = max(before, after - 1)
    if others <= _BUSY * cores:
        return []
    return [f"load average {others:.1f} on {cores} cores besides the probe, timing on a CPU"]
