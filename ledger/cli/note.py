"""`note`, `note check`."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli import options, output, text
from ledger.cli.added import report
from ledger.wording import counted

if TYPE_CHECKING:
    from ledger.service.notes.requesting import Told


def _pointers(option: str, meaning: str) -> object:
    return typer.Option(option, metavar="/POINTER", help=f"{meaning} Repeatable.")


def add(
    artifact: Annotated[Path, typer.Argument(metavar="ARTIFACT", help="A JSON or YAML file.")],
    wrong: Annotated[
        list[str] | None, _pointers("--wrong", "A field that is wrong, or all below it.")
    ] = None,
    actual: Annotated[
        list[str] | None,
        typer.Option(
            "--actual",
            metavar="VALUE",
            help="The right value, as many as --wrong and in their order, or none. JSON where the "
            "artifact does not record a text.",
        ),
    ] = None,
    misleading: Annotated[
        list[str] | None, _pointers("--misleading", "A right value, but of another run.")
    ] = None,
    uninformative: Annotated[
        list[str] | None, _pointers("--uninformative", "A value that tells nothing.")
    ] = None,
    investigating: Annotated[
        list[str] | None, _pointers("--investigating", "A value that is being looked into.")
    ] = None,
    reason: Annotated[
        list[str] | None,
        typer.Option(
            "--reason",
            metavar="TEXT",
            help="Why: one for all, or, where all fields are of one sort, one for each.",
        ),
    ] = None,
    evidence: options.EvidenceIds = None,
    rechecked: Annotated[
        list[str] | None,
        typer.Option(
            "--rechecked",
            metavar="/POINTER=e-ID",
            help="A field that was measured again and is right; /POINTER alone takes --evidence. "
            "Repeatable.",
        ),
    ] = None,
    redact: Annotated[
        list[str] | None, _pointers("--redact", "A field whose value is not to be repeated.")
    ] = None,
    show: Annotated[
        list[str] | None,
        _pointers("--show", "A field whose value is repeated although it looks private."),
    ] = None,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who says so.")] = None,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Overwrite a note that was edited by hand.")
    ] = False,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Say what is wrong with an artifact.

    The artifact is never written: the note stands beside it, as PROVENANCE-NOTE.md and as JSON, and
    says of every field whether it is wrong, re-checked or not disputed. Without a statement, the
    statements that follow from the ledger and are missing are recorded.

    Example: ledger note run/provenance.json --wrong /harness_commit --actual 4b1d9e7
    --reason "the tree was dirty" --evidence e-91c2 --rechecked /recipe_sha256=e-91c2
    """
    from ledger.service import book
    from ledger.service.notes import noting
    from ledger.service.notes.said import Said

    said = Said(
        wrong=tuple(wrong or ()),
        actual=tuple(actual or ()),
        misleading=tuple(misleading or ()),
        uninformative=tuple(uninformative or ()),
        investigating=tuple(investigating or ()),
        reasons=tuple(reason or ()),
        evidence=tuple(evidence or ()),
        rechecked=tuple(rechecked or ()),
        redact=tuple(redact or ()),
        show=tuple(show or ()),
        by=by,
    )
    added = noting.note(
        book.open_book(Path()), artifact, said, accept_loss=accept_loss, dry_run=dry_run
    )
    report(added, as_json=as_json)
    return int(any(noted.problem for noted in added.notes))


def check(
    artifact: Annotated[Path, typer.Argument(metavar="ARTIFACT", help="A JSON or YAML file.")],
    keys: Annotated[
        Path | None,
        typer.Option(
            "--keys",
            metavar="FILE",
            help="Keys that must be there: one key or /pointer per line, or a JSON list.",
        ),
    ] = None,
    like: Annotated[
        Path | None,
        typer.Option("--like", metavar="FILE", help="An artifact whose keys must be there."),
    ] = None,
    output_format: options.Format = "text",
    limit: options.LimitOfEach = 20,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Check what an artifact records of its run.

    Whether what was requested is what the run resolved to, and, given a list, which keys are absent
    that should be present and null.

    Exits with 1 when there is something worse than a note.

    Example: ledger note check run/provenance.json --keys provenance-keys.txt
    """
    from ledger.service.notes import requesting

    chosen = options.format_of(output_format, as_json=as_json)
    checked = requesting.check(artifact, keys=keys, like=like)
    found = checked.found
    match chosen:
        case "json":
            rows = [{**asdict(told.finding), "pointer": told.pointer} for told in found]
            data = {
                "artifact": str(artifact),
                "requests": checked.requests,
                "keys": checked.keys,
                "findings": rows,
            }
            output.result("", data, as_json=True)
        case "github":
            output.annotations(told.finding for told in found)
        case _:
            output.result("\n".join(_lines(found, limit)), None, as_json=False)
            output.message(
                f"{artifact}: {counted(checked.requests, 'requested value')} compared, "
                f"{counted(checked.keys, 'key')} looked for, {counted(len(found), 'finding')}"
            )
    return int(checked.failing())


def _lines(found: "tuple[Told, ...]", limit: int) -> list[str]:
    width, lines = text.columns(), []
    shown = found[: limit or None]
    for told in shown:
        finding = told.finding
        place = f"{finding.path}:{finding.line}:{finding.column}"
        said = (finding.message, f"got {finding.got}; expected {finding.expected}")
        lines.append(text.one_line(f"{place}: {finding.level} {finding.slug}"))
        lines += [text.wrap(text.one_line(line), width=width, indent=" " * 4) for line in said]
        # Not wrapped: it is there to be copied.
        lines.append(f"    next: {text.one_line(finding.fix)}")
    if len(shown) < len(found):
        lines.append(f"and {len(found) - len(shown)} more; --limit 0 shows all")
    return lines
