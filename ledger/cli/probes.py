"""`probe list|show|run|selftest`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli import options, output, text
from ledger.cli.added import claim_lines, impact_lines, note_data, note_lines, unwritten


def list_probes(as_json: options.Json = False) -> None:
    """List the instruments.

    Example: ledger probe list
    """
    from ledger.service import probing

    rows = probing.listing()
    cells = [[row["name"], row["version"], row["summary"]] for row in rows]
    shown = text.table(("probe", "version", "what it measures"), cells, width=text.columns())
    output.result(shown, {"rows": rows}, as_json=as_json)


def show(
    name: Annotated[str, typer.Argument(help="The probe's name.")], as_json: options.Json = False
) -> None:
    """Show what a probe takes and measures.

    And the controls: inputs on which it must fail.

    Example: ledger probe show kernel-table
    """
    from ledger import registry
    from ledger.service import probing

    data = probing.describe(registry.get(name))
    lines = [f"{data['name']} {data['version']}  {data['summary']}", "inputs"]
    for field in data["inputs"]:
        given = "required" if field["required"] else f"default {field['default']}"
        place = " or FILE" if field["name"] == data["file_input"] else ""
        lines.append(f"  -i {field['name']}=...{place}  ({given})")
        if field["description"]:
            lines.append(text.wrap(field["description"], width=text.columns(), indent="      "))
    lines.append("quantities")
    for quantity in data["quantities"]:
        unit = "" if quantity["unit"] == "1" else f" [{quantity['unit']}]"
        lines.append(f"  {quantity['name']}{unit}  {quantity['description']}")
    lines.append(f"a claim it settles should state: {', '.join(data['decisive']) or 'nothing'}")
    lines.append("controls: what it must answer")
    lines += [f"  {control['name']}: {control['must']}" for control in data["controls"]]
    output.result(text.safe("\n".join(lines)), data, as_json=as_json)


def run(
    name: Annotated[str, typer.Argument(help="The probe's name.")],
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="What it reads.")
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option("-i", "--input", metavar="KEY=VALUE", help="An input. Repeatable."),
    ] = None,
    claim: Annotated[
        str | None,
        typer.Option("--claim", metavar="c-ID", help="The claim to settle by its expectation."),
    ] = None,
    about: options.About = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Repeatable.")] = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Measure, record, and settle a claim.

    Example: ledger probe run kernel-table trace.json.gz --about seat=training --claim c-7f3a
    """
    from ledger import registry, scope
    from ledger.service import book, probing

    probe = registry.get(name)
    found = probing.run(
        book.open_book(Path()),
        probe,
        probing.inputs_of(probe, files or (), inputs or ()),
        about=scope.parse(about or ()),
        claim=claim,
        tags=tag or (),
        dry_run=dry_run,
    )
    for added in _added(found):
        output.warnings(unwritten(added))
    output.result("\n".join(_run_lines(found)), _run_data(found), as_json=as_json)
    return output.error(found.refused, as_json=as_json) if found.refused else 0


def _run_lines(found: Any) -> list[str]:
    evidence = found.evidence
    lines = [text.safe(found.measurement.report), ""]
    failed = [c for c in found.controls if c.got != c.must]
    lines.append(
        f"controls: {len(found.controls) - len(failed)} of {len(found.controls)} "
        "answered as they must"
    )
    lines += [text.wrap(f"doubt: {doubt}", width=text.columns()) for doubt in found.doubts]
    if evidence.path is None:
        lines.append("not recorded (dry run)")
    else:
        done = "recorded" if evidence.new else "already recorded"
        lines.append(f"{evidence.id}  {done}  {evidence.path}")
    if found.verdict is not None:
        after = found.verdict.after
        claim = after.entries[found.verdict.id].claim
        statement = text.one_line(after.claim(claim).statement)
        lines += [
            f"{claim}  {text.fit(statement, text.columns() - 16)}",
            *claim_lines(after, claim),
        ]
        if found.verdict.impact is not None:
            lines += impact_lines(found.verdict.impact, after, told=frozenset({claim}))
    for added in _added(found):
        lines += note_lines(added)
    return lines


def _added(found: Any) -> list[Any]:
    return [found.evidence, *([found.verdict] if found.verdict is not None else [])]


def _run_data(found: Any) -> dict[str, Any]:
    from ledger.codec import encode
    from ledger.service import state

    evidence, verdict = found.evidence, found.verdict
    entry = encode(evidence.after.entries[evidence.id])
    return {
        "id": evidence.id,
        "new": evidence.new,
        "recorded": evidence.path is not None,
        "path": evidence.path,
        "result": found.measurement.result,
        "quantities": entry.get("quantities", []),
        "about": entry.get("about", {}),
        "doubts": list(found.doubts),
        "controls": entry.get("controls", []),
        "details": dict(found.measurement.details),
        "notes": [noted for added in _added(found) for noted in note_data(added)],
        "verdict": None
        if verdict is None
        else {
            "id": verdict.id,
            "claim": verdict.after.entries[verdict.id].claim,
            "outcome": verdict.after.entries[verdict.id].outcome,
            "state": state.claim_state(verdict.after, verdict.after.entries[verdict.id].claim),
        },
    }


def selftest(
    name: Annotated[str | None, typer.Argument(help="One probe; all when left out.")] = None,
    as_json: options.Json = False,
) -> int:
    """Run the inputs on which probes must fail.

    They are run with every measurement, too.

    Example: ledger probe selftest kernel-table
    """
    from ledger import registry
    from ledger.service import probing

    chosen = [name] if name else list(registry.names())
    results = {probe: probing.selftest(registry.get(probe)) for probe in chosen}
    data = {
        probe: [{"name": c.name, "must": c.must, "got": c.got} for c in found]
        for probe, found in results.items()
    }
    lines = []
    for probe, found in results.items():
        lines.append(probe)
        for control in found:
            right = control.got == control.must
            wanted = "" if right else f", must be {control.must}"
            lines.append(f"  {'ok  ' if right else 'FAIL'} {control.name}: {control.got}{wanted}")
    output.result("\n".join(lines), data, as_json=as_json)
    return int(any(c.got != c.must for found in results.values() for c in found))
