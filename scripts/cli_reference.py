"""Write docs/cli.md from the commands themselves; with --check, only say whether it is current."""

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer.main
from typer._click import Context

from ledger.cli.app import LazyGroup, app

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command

TARGET = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
HEAD = """\
# Command line

Generated from the commands by `make docs`; `make check` fails when it is not current.

"""


def pages(command: "Command", path: str) -> "Iterator[str]":
    """A section for each command, groups first."""
    context = Context(command, info_name=path, max_content_width=100, terminal_width=100)
    yield f"## {path}\n\n```\n{command.get_help(context).rstrip()}\n```\n"
    if isinstance(command, LazyGroup):
        for name in command.list_commands(context):
            nested = command.get_command(context, name)
            if nested is not None:
                yield from pages(nested, f"{path} {name}")


def main() -> int:
    """Write or check; returns the exit code."""
    text = HEAD + "\n".join(pages(typer.main.get_command(app), "ledger"))
    if "--check" not in sys.argv:
        TARGET.write_text(text, "utf-8")
        return 0
    current = TARGET.read_text("utf-8") if TARGET.exists() else ""
    lines = current.splitlines(), text.splitlines()
    diff = list(difflib.unified_diff(*lines, "docs/cli.md", "code", lineterm=""))
    print("\n".join(diff) if diff else "docs/cli.md is current")
    return int(bool(diff))


if __name__ == "__main__":
    sys.exit(main())
