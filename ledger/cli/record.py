"""`consult record`, `claim`, `evidence add`, `settle`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli import options
from ledger.cli.added import report
from ledger.errors import LedgerError


def _stdin() -> bytes:
    if sys.stdin is None:
        raise LedgerError("bad-input", "standard input is closed", fix="give the text or a file")
    return sys.stdin.buffer.read()


def _text(argument: str) -> str:
    """The argument itself, or standard input, which is UTF-8 in every locale, for a single dash."""
    if argument != "-":
        return argument
    try:
        return _stdin().decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise LedgerError(
            "bad-input",
            f"standard input is not UTF-8: byte {error.start} is 0x{error.object[error.start]:02x}",
            fix="convert it to UTF-8, as with iconv -t UTF-8",
        ) from None


def _environment(pairs: list[str]) -> dict[str, str]:
    from ledger import scope

    try:
        return {key: value or "" for key, value in scope.parse(pairs).items()}
    except LedgerError as error:
        message = error.message.replace("--about", "--environment")
        raise LedgerError(error.code, message, fix="write it as --environment torch=2.13") from None


def consult(
    panel: Annotated[str, typer.Argument(help="JSON file of the panel; - for standard input.")],
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Record a question and each arm's answer.

    PANEL is {"question": TEXT, "asked_at": DATE, "arms": [{"arm": NAME, "model": NAME,
    "text": ANSWER, "at": TIME, "read": [PATH or ID]}]}.

    Example: ledger consult record panel.json
    """
    from ledger import canonical
    from ledger.service import book, record

    try:
        raw = _stdin() if panel == "-" else Path(panel).read_bytes()
        data = canonical.parse(raw)
    except OSError as error:
        raise LedgerError(
            "bad-input", f"cannot read {panel}: {error.strerror}", fix="name a JSON file, or -"
        ) from None
    except ValueError as error:
        raise LedgerError(
            "bad-input", f"{panel} is not JSON: {error}", fix="see ledger consult record --help"
        ) from None
    report(record.consult(book.open_book(Path()), data), as_json=as_json)


def claim(
    statement: Annotated[str, typer.Argument(help="What is claimed; - reads standard input.")],
    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Arm, agent or person who says so.")
    ] = None,
    basis: Annotated[
        str,
        typer.Option("--basis", help="measurement, derivation, citation or prediction."),
    ] = "derivation",
    evidence: options.EvidenceIds = None,
    expires: Annotated[
        str | None,
        typer.Option(
            "--expires", metavar="DATE", help="How long it may go unsettled: DATE or 90d."
        ),
    ] = None,
    expects: Annotated[
        str | None,
        typer.Option("--expects", metavar="TEXT", help="'attention_share >= 0.6' settles it."),
    ] = None,
    about: options.About = None,
    rests_on: Annotated[
        list[str] | None,
        typer.Option(
            "--rests-on",
            metavar="ID,ID",
            help="Premises that carry it together; repeat for alternatives.",
        ),
    ] = None,
    consult: Annotated[
        str | None, typer.Option("--consult", metavar="k-ID", help="The panel it comes from.")
    ] = None,
    model: Annotated[str | None, typer.Option("--model", help="The author's model.")] = None,
    role: Annotated[
        str | None, typer.Option("--role", help="arm, agent, person or document.")
    ] = None,
    echoes: Annotated[
        list[str] | None,
        typer.Option("--echoes", metavar="c-ID", help="A claim it agrees with. Repeatable."),
    ] = None,
    figure: Annotated[
        list[str] | None,
        typer.Option("--figure", metavar="VALUE:UNIT", help="A number it states. Repeatable."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Repeatable.")] = None,
    artifact: options.ArtifactFields = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Record a claim. It needs a linked measurement (--evidence) or an expiry date (--expires).

    Example: ledger claim "attention takes 65 % of the step" --by arm-2 --expires 90d
    --expects "attention_share >= 0.6" --about seat=training
    """
    from ledger import scope
    from ledger.service import book, record

    added = record.claim(
        book.open_book(Path()),
        _text(statement),
        by=by,
        basis=options.one_of("--basis", basis, record.BASES),
        role=options.one_of("--role", role, record.ROLES),
        model=model,
        consult=consult,
        about=scope.parse(about or ()),
        evidence=evidence or (),
        rests_on=rests_on or (),
        expects_text=expects,
        expires=expires,
        figures=figure or (),
        echoes=echoes or (),
        tags=tag or (),
        artifacts=artifact or (),
    )
    report(added, as_json=as_json)


def evidence(
    instrument: Annotated[
        str, typer.Option("--instrument", metavar="NAME@VERSION", help="What measured.")
    ],
    about: options.About = None,
    value: Annotated[
        list[str] | None,
        typer.Option(
            "--value", metavar="NAME=VALUE:UNIT[:N[:LOW..HIGH]]", help="A quantity. Repeatable."
        ),
    ] = None,
    unknown: Annotated[
        list[str] | None,
        typer.Option("--unknown", metavar="NAME=REASON", help="What it could not determine."),
    ] = None,
    result: Annotated[str | None, typer.Option("--result", help="A verdict in a word.")] = None,
    artifact: Annotated[
        list[str] | None,
        typer.Option(
            "--artifact",
            metavar="FILE[#/POINTER]",
            help="A file it was read from, or the field of one that states it. Repeatable.",
        ),
    ] = None,
    environment: Annotated[
        list[str] | None,
        typer.Option("--environment", metavar="KEY=VALUE", help="Versions, device. Repeatable."),
    ] = None,
    taken_at: Annotated[
        str | None, typer.Option("--taken-at", metavar="TIME", help="When it was measured.")
    ] = None,
    doubt: Annotated[
        list[str] | None, typer.Option("--doubt", help="What speaks against it. Repeatable.")
    ] = None,
    decisive: Annotated[
        list[str] | None,
        typer.Option("--decisive", metavar="KEY", help="A scope key its claims should state."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Repeatable.")] = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Record a measurement made elsewhere, with the state of the repository.

    Example: ledger evidence add --instrument stopwatch@1 --about seat=training
    --value step=35.2:s:7:35.0..35.5 --artifact run.log
    """
    from ledger import scope
    from ledger.service import book, measured

    added = measured.evidence(
        book.open_book(Path()),
        instrument=instrument,
        about=scope.parse(about or ()),
        values=value or (),
        unknown=unknown or (),
        result=result,
        artifacts=artifact or (),
        environment=_environment(environment or []),
        taken_at=taken_at,
        doubts=doubt or (),
        decisive=decisive or (),
        tags=tag or (),
    )
    report(added, as_json=as_json)


def settle(
    claim: Annotated[str, typer.Argument(metavar="c-ID", help="The claim.")],
    evidence: Annotated[str, typer.Argument(metavar="e-ID", help="The measurement.")],
    supports: Annotated[bool, typer.Option("--supports", help="It supports the claim.")] = False,
    refutes: Annotated[bool, typer.Option("--refutes", help="It refutes the claim.")] = False,
    inconclusive: Annotated[
        bool, typer.Option("--inconclusive", help="It decides nothing.")
    ] = False,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who decides.")] = None,
    role: Annotated[str, typer.Option("--role", help="agent or person.")] = "agent",
    note: Annotated[str | None, typer.Option("--note", metavar="TEXT", help="Why.")] = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Record what a measurement says about a claim.

    The claim's own expectation decides where it has one.

    Example: ledger settle c-7f3a e-91c2 --refutes --note "another regime"
    """
    from ledger.service import book, record

    given = {"supports": supports, "refutes": refutes, "inconclusive": inconclusive}
    chosen = [name for name, on in given.items() if on]
    if len(chosen) > 1:
        raise LedgerError("bad-input", f"--{chosen[0]} and --{chosen[1]} exclude", fix="give one")
    added = record.settle(
        book.open_book(Path()),
        claim,
        evidence,
        outcome=options.one_of("outcome", chosen[0] if chosen else None, record.OUTCOMES),
        by=by,
        role=options.one_of("--role", role, record.ROLES),
        note=note,
    )
    report(added, as_json=as_json)
