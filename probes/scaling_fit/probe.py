"""The probe `scaling-fit`: which term of a step's time dominates at the longest length."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger.contract import Control, Measurement, QuantitySpec, Unavailable
from probes.scaling_fit import controls as _controls
from probes.scaling_fit import doubts as _doubts
from probes.scaling_fit.fit import FEWEST
from probes.scaling_fit.points import Timed, read
from probes.scaling_fit.quantities import SPECS

if TYPE_CHECKING:
    from probes.scaling_fit.analysis import Analysis
    from probes.scaling_fit.inputs import Inputs


@dataclass(frozen=True, kw_only=True)
class ScalingFit:
    """Fits fixed + linear·w + quadratic·w² and its rivals to step times."""

    name: str = "scaling-fit"
    version: str = "1"
    summary: str = "which term of a training step dominates as sequence length grows"
    file_input: str | None = "points"
    quantities: tuple[QuantitySpec, ...] = SPECS
    decisive: tuple[str, ...] = ("seat", "attn_implementation")

    @property
    def inputs(self) -> "type[Inputs]":
        """A file of points, or the user's own step to be timed."""
        from probes.scaling_fit.inputs import Inputs

        return Inputs

    def run(self, inputs: Any) -> Measurement | Unavailable:
        """Read the points or time the step, then fit.

        Raises LedgerError (bad-input) for a file that cannot be read as points.
        """
        if inputs.points is not None:
            timed = read(inputs.points)
            return _too_few([item.seq_len for item in timed]) or _from_file(timed, inputs)
        return _too_few(inputs.seq_lens) or _live(inputs)

    def doubts(self, measurement: Measurement) -> tuple[str, ...]:
        """What speaks against relying on this measurement."""
        return _doubts.doubts(measurement.details, environment=measurement.environment)

    def controls(self) -> tuple[Control, ...]:
        """Inputs with a known verdict."""
        return _controls.controls()


def _too_few(lengths: "list[int] | tuple[int, ...]") -> Unavailable | None:
    distinct = len(set(lengths))
    if distinct >= FEWEST:
        return None
    count = {1: "one point is", 2: "two points are"}[distinct]
    return Unavailable(
        reason=f"{count} undetermined over three terms: measure a third length",
        fix="time at least three lengths, better five over 8x, such as 1024,2048,4096,8192,16384",
        cause="input",
    )


def _from_file(timed: tuple[Timed, ...], inputs: "Inputs") -> Measurement:
    from probes.scaling_fit.analysis import analyse

    analysis = analyse(timed, model_error=inputs.model_error)
    path: Path | None = inputs.points
    return _measurement(analysis, artifacts=(path,) if path else (), environment={})


def _live(inputs: "Inputs") -> Measurement | Unavailable:
    from probes.scaling_fit.analysis import analyse
    from probes.scaling_fit.session import take

    session = take(inputs, progress=_progress)
    if isinstance(session, Unavailable):
        return session
    return _measurement(
        analyse(session.timed, model_error=inputs.model_error),
        artifacts=session.artifacts,
        environment=session.environment,
        about=session.about,
        taken_at=session.taken_at,
    )


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[Kscaling-fit: {text}")
        sys.stderr.flush()


def _measurement(
    analysis: "Analysis",
    *,
    artifacts: tuple[Path, ...],
    environment: Mapping[str, Any],
    about: Mapping[str, str | None] | None = None,
    taken_at: str | None = None,
) -> Measurement:
    from probes.scaling_fit.details import details
    from probes.scaling_fit.quantities import quantities
    from probes.scaling_fit.report import report

    found = details(analysis)
    if environment:
        found["clock"] = environment["clock_note"]
    return Measurement(
        result=analysis.decision.verdict,
        quantities=quantities(analysis),
        about=about or {},
        artifacts=artifacts,
        environment=environment,
        taken_at=taken_at,
        report=report(found),
        details=found,
    )


PROBE = ScalingFit()
