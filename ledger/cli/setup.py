"""`init`, `verify`, `demo`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ledger.cli import options, output, text
from ledger.wording import counted

DAMAGED = 5


def init(
    here: Annotated[
        bool, typer.Option("--here", help="In this directory, not at the repository's root.")
    ] = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> None:
    """Make a ledger in this repository: claims/.

    Example: ledger init
    """
    from ledger.service import book

    made = book.init(Path(), here=here)
    in_git = any((parent / ".git").exists() for parent in (made.root, *made.root.parents))
    data = {"root": str(made.root), "claims": str(made.claims), "git": in_git}
    claims = made.claims.relative_to(Path.cwd()) if made.root == Path.cwd() else made.claims
    output.result(text.safe(f"{claims}/ is ready"), data, as_json=as_json)
    if not in_git:
        output.message(
            "this is no git repository: entries are kept, but no history protects them, and "
            "evidence records no commit (git init)"
        )


def verify(
    fix: Annotated[
        bool, typer.Option("--fix", help="Remove what interrupted writes left behind.")
    ] = False,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Hash every entry again; check git's history.

    Exits with 5 when an entry is damaged, missing or was rewritten.

    Example: ledger verify --fix
    """
    from ledger.service import verifying

    found = verifying.verify(Path(), fix=fix)
    lines = [f"{counted(found.entries, 'entry', 'entries')}; history {found.history}"]
    for finding in found.findings:
        lines.append(f"ERROR {finding.slug}  {finding.subject}: {finding.message}")
        lines.append(f"      got {finding.got}; expected {finding.expected}")
        lines.append(f"      next: {finding.fix}")
    done = "removed" if found.swept else "left by an interrupted write:"
    lines += [f"{done} {path}" for path in found.leftovers]
    lines += [f"kept, younger than an hour: {path}" for path in found.young]
    output.result(text.safe("\n".join(lines)), asdict(found), as_json=as_json)
    return DAMAGED if found.findings else 0
