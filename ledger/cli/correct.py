"""`supersede`, `retract`, `renew`, `rescope`: corrections, each a new entry."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.cli import options
from ledger.cli.added import report


def supersede(
    claim: Annotated[str, typer.Argument(metavar="c-ID", help="The claim not to be followed.")],
    status: Annotated[
        str, typer.Option("--status", metavar="LABEL", help="WRONG, NOT A FLAG, UNNECESSARY, ...")
    ],
    replaced_by: Annotated[
        str | None,
        typer.Option("--replaced-by", metavar="TEXT|c-ID", help="What to follow instead."),
    ] = None,
    evidence: options.EvidenceIds = None,
    date: Annotated[
        str | None, typer.Option("--date", metavar="DATE", help="Since when (default: today).")
    ] = None,
    artifact: options.ArtifactFields = None,
    actual: Annotated[
        str | None,
        typer.Option("--actual", metavar="VALUE", help="The right value of those fields."),
    ] = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Say what replaced a claim, and why.

    Artifacts whose fields state the claim get a note beside them.

    Example: ledger supersede c-7f3a --status WRONG --replaced-by "22.8 s" --evidence e-91c2
    """
    from ledger.service import book, correct

    added = correct.supersede(
        book.open_book(Path()),
        claim,
        status=status,
        replaced_by=replaced_by,
        evidence=evidence or (),
        date=date,
        artifacts=artifact or (),
        actual=actual,
    )
    report(added, as_json=as_json)


def retract(
    entry: Annotated[str, typer.Argument(metavar="ID", help="Any entry.")],
    reason: options.Reason,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who retracts.")] = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Take an entry back; nothing blocks it.

    A claim by its author, or evidence because the instrument or the run was wrong.

    Example: ledger retract e-91c2 --reason "the profiler counted operators and kernels"
    """
    from ledger.service import book, correct

    added = correct.retract(book.open_book(Path()), entry, reason=reason, by=by, dry_run=dry_run)
    report(added, as_json=as_json)


def renew(
    claim: Annotated[str, typer.Argument(metavar="c-ID", help="An unsettled claim.")],
    expires: Annotated[
        str, typer.Option("--expires", metavar="DATE", help="The new date, or days as 90d.")
    ],
    reason: options.Reason,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Give an unsettled claim a later expiry date.

    Example: ledger renew c-7f3a --expires 30d --reason "the card is free next week"
    """
    from ledger.service import book, correct

    added = correct.renew(book.open_book(Path()), claim, expires=expires, reason=reason)
    report(added, as_json=as_json)


def rescope(
    evidence: Annotated[str, typer.Argument(metavar="e-ID", help="The measurement.")],
    reason: options.Reason,
    about: options.About = None,
    unstated: Annotated[
        list[str] | None,
        typer.Option("--unstated", metavar="KEY", help="A key not known after all. Repeatable."),
    ] = None,
    supported_by: Annotated[
        list[str] | None,
        typer.Option("--evidence", metavar="e-ID", help="Evidence for the correction."),
    ] = None,
    dry_run: options.DryRun = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Correct what a measurement was taken of.

    Shows what falls with that and what survives.

    Example: ledger rescope e-91c2 --about attn_implementation=sdpa --reason "read from the log"
    """
    from ledger import scope
    from ledger.service import book, correct

    added = correct.rescope(
        book.open_book(Path()),
        evidence,
        about=scope.parse(about or ()),
        reason=reason,
        unstated=unstated or (),
        supported_by=supported_by or (),
        dry_run=dry_run,
    )
    report(added, as_json=as_json)
