"""`render`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.cli import options, output, text
from ledger.errors import LedgerError
from ledger.wording import counted

if TYPE_CHECKING:
    from ledger.service.documents.judging import Rendered, State
    from ledger.service.documents.rendering import Insertion

_EXIT_CODES = {"missing": 2, "unreadable": 2, "malformed": 3, "edited": 4}


def render(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Documents; all when left out.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit with 1 when something is stale.")
    ] = False,
    accept_loss: Annotated[
        bool, typer.Option("--accept-loss", help="Overwrite a region that was edited by hand.")
    ] = False,
    cite: Annotated[
        bool, typer.Option("--cite", help="Keep the present status beside each citation.")
    ] = False,
    insert: Annotated[
        str | None,
        typer.Option("--insert", metavar="VIEW", help="Put a new region into the one FILE."),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option("--after", metavar="HEADING", help="Text of the heading it comes under."),
    ] = None,
    region_id: Annotated[
        str, typer.Option("--id", metavar="NAME", help="The id of the new region.")
    ] = "main",
    settings: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="Of the new region. Repeatable."),
    ] = None,
    output_format: options.Format = "text",
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Bring generated regions up to date.

    Each file is judged and written on its own: one that cannot be read, has broken markers or was
    edited by hand is named, and stops no other.

    With --cite, `[c-7f3a9c21b04d]` is followed by its status, as in `[c-7f3a9c21b04d] (fallen)`,
    outside headings, code and generated regions.

    Exit codes: 0 current or done; 1 stale, with --check, or entries that cannot be read; 2 bad
    usage, no region in a named file, or a file that cannot be read; 3 malformed markers or
    options; 4 edited by hand. With several, the largest.

    Example: ledger render --check

    Example: ledger render notes.md --insert open --after "Open questions" --option tag=run-1
    """
    from ledger.service import book
    from ledger.service.documents import rendering

    chosen = options.format_of(output_format, as_json=as_json)
    insertion = _insertion(insert, after, region_id, settings, single=len(files or ()) == 1)
    if insertion is not None and check:
        raise LedgerError(
            "bad-input", "--check writes nothing", fix="leave out --check or --insert"
        )
    opened = book.open_book(Path())
    done = rendering.render_files(
        opened,
        files or (),
        check=check,
        accept_loss=accept_loss,
        cite=cite,
        insertion=insertion,
    )
    _print(done, chosen, check=check, cite=cite)
    damaged = output.damage(opened.warnings)
    return max(damaged, *(_exit_code(item, check=check) for item in done), 0)


def _insertion(
    view: str | None, after: str | None, name: str, settings: list[str] | None, *, single: bool
) -> "Insertion | None":
    if view is None:
        if after is not None or settings:
            raise LedgerError(
                "bad-input",
                "--after and --option are about a new region",
                fix="add --insert VIEW",
            )
        return None
    if after is None or not single:
        raise LedgerError(
            "bad-input",
            "--insert needs one FILE and the heading that the region comes under",
            fix=f'ledger render FILE --insert {view} --after "HEADING"',
        )
    from ledger.service.documents.rendering import Insertion

    pairs = options.pairs("--option", settings or (), fix="write it as --option tag=run-1")
    return Insertion(view=view, after=after, id=name, options=pairs)


def _print(done: "Sequence[Rendered]", chosen: str, *, check: bool, cite: bool) -> None:
    """Results to stdout; what went wrong, each with its fix, to stderr."""
    regions = [(item, state) for item in done for state in item.regions]
    stale = [(i, s) for i, s in regions if s.state == "stale" and (check or i.written)]
    wrong = [(i, s) for i, s in regions if s.state in _EXIT_CODES]
    if chosen == "github":
        from ledger.rules import region_finding
        from ledger.service.documents.judging import trouble

        troubles = (trouble(i.path, s) for i, s in regions)
        output.annotations(region_finding(found) for found in troubles if found is not None)
    else:
        lines = [
            f"{_place(i, s)}: {s.region} {f'{s.verb} stale' if check else 'rendered'}"
            for i, s in stale
        ]
        data = [asdict(item) for item in done]
        output.result(text.safe("\n".join(lines)), data, as_json=chosen == "json")
    for item, state in wrong:
        output.error(_failure(item, state), as_json=chosen == "json")
    if not stale and not wrong:
        output.message(f"{counted(len(done), 'document')}, all current")
    elif check and stale:
        output.message("fix: ledger render" + (" --cite" if cite else ""))


def _place(item: "Rendered", state: "State") -> str:
    return f"{item.path}:{state.line}:{state.column}"


def _failure(item: "Rendered", state: "State") -> LedgerError:
    match state.state:
        case "edited":
            place = f"{_place(item, state)}: {state.region} was {state.detail}"
            return LedgerError("edited-region", f"{place}\n{state.diff}", fix=state.fix)
        case "malformed":
            place = f"{_place(item, state)}: {state.region}: {state.detail}"
            return LedgerError("bad-markers", place, fix=state.fix)
        case _:
            return LedgerError("bad-input", f"{item.path}: {state.detail}", fix=state.fix)


def _exit_code(item: "Rendered", *, check: bool) -> int:
    if item.state == "stale":
        return int(check)
    return _EXIT_CODES.get(item.state, 0)
