"""Running a probe: validate, measure, record the evidence, settle the claim."""

import platform
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ledger import canonical, clock, expects, registry, scope
from ledger.contract import Measurement, Probe, Unavailable
from ledger.entry import Claim, ControlResult, Evidence, Instrument, Quantity, Scope
from ledger.errors import ErrorCode, LedgerError
from ledger.service.adding import Added, add
from ledger.service.artifacts import artifact
from ledger.service.book import Book, open_book
from ledger.service.measured import git_state
from ledger.service.record import settle

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError


@dataclass(frozen=True, kw_only=True)
class Run:
    """A probe's run, as recorded."""

    measurement: Measurement
    evidence: Added
    doubts: tuple[str, ...]
    controls: tuple[ControlResult, ...]
    verdict: Added | None
    refused: LedgerError | None
    """Why the measurement could not settle the claim, when it could not."""


def inputs_of(probe: Probe, files: Sequence[str], pairs: Sequence[str]) -> "BaseModel":
    """The probe's inputs from FILE arguments and `key=value` words.

    Raises LedgerError naming the input that is wrong and what the probe takes.
    """
    from pydantic import ValidationError

    values: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise LedgerError("bad-input", f"-i {pair!r} is not key=value", fix=_takes(probe))
        values[key] = value
    if files:
        if probe.file_input is None:
            raise LedgerError("bad-input", f"{probe.name} takes no FILE", fix=_takes(probe))
        field = probe.inputs.model_fields[probe.file_input]
        many = "list" in str(field.annotation) or "tuple" in str(field.annotation)
        if len(files) > 1 and not many:
            raise LedgerError("bad-input", f"{probe.name} takes one FILE", fix=_takes(probe))
        values[probe.file_input] = list(files) if many else files[0]
    unknown = [key for key in values if key not in probe.inputs.model_fields]
    if unknown:
        raise LedgerError(
            "bad-input", f"{probe.name} has no input {unknown[0]!r}", fix=_takes(probe)
        )
    try:
        return probe.inputs(**values)
    except ValidationError as error:
        raise LedgerError("bad-input", _first(error), fix=_takes(probe)) from None


def _first(error: "ValidationError") -> str:
    first = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "inputs"
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


def _takes(probe: Probe) -> str:
    return f"ledger probe show {probe.name} lists its inputs"


def run(
    book: Book,
    probe: Probe,
    inputs: "BaseModel",
    *,
    about: Scope,
    claim: str | None = None,
    tags: Sequence[str] = (),
    dry_run: bool = False,
) -> Run:
    """Measure and record; with a claim that has an expectation, settle it.

    What the instrument resolved itself is not to be contradicted by `about`. The evidence is kept
    even when it cannot settle the claim. Raises LedgerError unavailable or bad-input where nothing
    could be measured, and refused where the claim has no expectation.
    """
    if claim is not None:
        _check_expectation(book, claim)
    found = measured(probe, inputs)
    _check_about(probe, found, about)
    if claim is not None and found.taken_at is None:
        # What was read from a file can be read again: nothing is recorded that settles nothing.
        _check_scope(book, claim, {**found.about, **about})
    evidence = _evidence(book, probe, inputs, found, about=about, tags=tags)
    added = add(book, evidence, dry_run=dry_run)
    verdict, refused = None, None
    if claim is not None and not dry_run:
        try:
            verdict = settle(open_book(book.ledger.root), claim, added.id, outcome=None)
        except LedgerError as error:
            refused = error
    return Run(
        measurement=found,
        evidence=added,
        doubts=evidence.doubts,
        controls=evidence.controls,
        verdict=verdict,
        refused=refused,
    )


def _evidence(
    book: Book,
    probe: Probe,
    inputs: "BaseModel",
    found: Measurement,
    *,
    about: Scope,
    tags: Sequence[str],
) -> Evidence:
    files = tuple(artifact(book.ledger.root, path) for path in found.artifacts)
    return Evidence(
        recorded=clock.recorded(),
        instrument=Instrument(
            name=probe.name,
            version=probe.version,
            inputs_sha256=_digest(inputs),
            decisive=probe.decisive,
        ),
        about={**found.about, **about},
        quantities=tuple(_plain(quantity) for quantity in found.quantities),
        result=found.result,
        artifacts=files,
        environment={
            "python": platform.python_version(),
            "platform": f"{platform.system()}-{platform.machine()}",
            **found.environment,
        },
        git=git_state(book, files),
        taken_at=found.taken_at,
        doubts=probe.doubts(found),
        controls=selftest(probe),
        tags=tuple(tags),
    )


def _check_expectation(book: Book, claim: str) -> None:
    _, entry = book.get(claim, Claim)
    if entry.expects is None:
        raise LedgerError(
            "refused",
            f"{claim} has no expectation that a measurement could decide",
            fix=f"run without --claim, then ledger settle {claim} e-ID --supports | --refutes",
        )


def _check_scope(book: Book, claim: str, about: Scope) -> None:
    claim_id, entry = book.get(claim, Claim)
    if found := scope.mismatches(entry.about, about):
        missing = " ".join(f"--about {m.key}={m.claim or ''}" for m in found)
        raise LedgerError(
            "refused",
            f"this is of another scope than {claim_id}: {'; '.join(map(str, found))}",
            fix=f"if that is what ran, run again with {missing}; or leave out --claim",
        )


def _check_about(probe: Probe, found: Measurement, about: Scope) -> None:
    """Refuse a configuration that the instrument itself contradicts."""
    for key, value in about.items():
        if found.about.get(key, value) != value:
            resolved = scope.shown(found.about[key])
            raise LedgerError(
                "refused",
                f"--about {key}={scope.shown(value)}, but {probe.name} found {resolved}",
                fix=f"leave it out, or record what was asked for as {key}{scope.REQUESTED}",
            )


def measured(probe: Probe, inputs: "BaseModel") -> Measurement:
    """Run the instrument. Raises LedgerError where it could not measure."""
    found = probe.run(inputs)
    if isinstance(found, Unavailable):
        code: ErrorCode = "bad-input" if found.cause == "input" else "unavailable"
        raise LedgerError(code, f"{probe.name}: {found.reason}", fix=found.fix)
    return found


def _plain(quantity: Quantity) -> Quantity:
    """The quantity with plain Python numbers (probes compute with numpy's)."""
    from msgspec.structs import replace

    def number(value: float | None) -> float | int | None:
        if value is None or isinstance(value, int | canonical.Number):
            return value
        return float(value)

    return replace(
        quantity,
        value=number(quantity.value),
        low=number(quantity.low),
        high=number(quantity.high),
    )


def _digest(inputs: "BaseModel") -> str:
    """sha256 over the inputs, files by their content."""

    def plain(value: Any) -> Any:
        if isinstance(value, Path):
            return canonical.sha256(value.read_bytes()) if value.is_file() else str(value)
        if isinstance(value, list | tuple):
            return [plain(item) for item in value]
        if isinstance(value, Mapping):
            return {str(key): plain(item) for key, item in value.items()}
        return value

    return canonical.sha256(canonical.canonical(plain(inputs.model_dump())))


def selftest(probe: Probe) -> tuple[ControlResult, ...]:
    """Run every control: inputs on which the instrument must fail."""
    results = []
    for control in probe.controls():
        with tempfile.TemporaryDirectory(prefix="ledger-control-") as directory:
            found = probe.run(control.inputs(Path(directory)))
        got = "unavailable" if isinstance(found, Unavailable) else found.result
        results.append(ControlResult(name=control.name, must=control.must, got=got))
    return tuple(results)


def describe(probe: Probe) -> dict[str, Any]:
    """What a probe takes, measures and declares."""
    fields = probe.inputs.model_fields
    return {
        "name": probe.name,
        "version": probe.version,
        "summary": probe.summary,
        "file_input": probe.file_input,
        "inputs": [
            {
                "name": name,
                "required": field.is_required(),
                "default": None if field.is_required() else _shown(field.default),
                "description": field.description or "",
            }
            for name, field in fields.items()
        ],
        "quantities": [
            {"name": q.name, "unit": q.unit, "description": q.description} for q in probe.quantities
        ],
        "decisive": list(probe.decisive),
        "controls": [{"name": c.name, "must": c.must} for c in probe.controls()],
    }


def _shown(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def listing() -> list[dict[str, str]]:
    """Every probe by name, with its version, or the reason it cannot be imported."""
    rows = []
    for name, source in registry.names().items():
        try:
            probe = registry.get(name)
            rows.append({"name": name, "version": probe.version, "summary": probe.summary})
        except LedgerError as error:
            rows.append({"name": name, "version": "", "summary": f"{source}: {error.message}"})
    return rows


def judged(claim: Claim, evidence: Evidence) -> expects.Judgement | None:
    """What the claim's expectation says of a measurement, for a dry run."""
    return expects.judge(claim.expects, evidence) if claim.expects else None
