"""The `ledger` command: groups that import a command's module when that command is used."""

import importlib
import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from ledger.cli.tree import COMMANDS, Lazy, Tree

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter


class LazyGroup(typer.core.TyperGroup):
    """A group whose commands are built one at a time, from the tree given as `tree`."""

    tree: Tree = MappingProxyType({})
    default: str | None = None
    """The command that takes the words when the first of them names none."""

    def parse_args(self, ctx: "Context", args: list[str]) -> list[str]:
        """Put the default command's name before words that name no command."""
        if self.default and args and args[0] not in {*self.tree, "--help"}:
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: "Context") -> list[str]:  # noqa: ARG002
        """Every name, in the order of the tree."""
        return list(self.tree)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":  # noqa: ARG002
        """Import and build one command."""
        lazy = self.tree.get(cmd_name)
        if lazy is None:
            # `resolve_command` suggests near names from this mapping.
            self.commands = dict.fromkeys(self.tree, self)
            return None
        if isinstance(lazy.target, str):
            module, _, function = lazy.target.partition(":")
            return _command(cmd_name, getattr(importlib.import_module(module), function))
        return _group(cmd_name, lazy, lazy.target)

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:  # noqa: ARG002
        """List the commands by their summaries, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, lazy.summary) for name, lazy in self.tree.items()])


def _command(name: str, function: Any) -> "Command":
    single = typer.Typer(rich_markup_mode=None, add_completion=False)
    single.command(name)(function)
    command = typer.main.get_command(single)
    command.name = name
    return command


def _group(name: str, lazy: Lazy, tree: Tree) -> "Command":
    cls = type("SubGroup", (LazyGroup,), {"tree": tree, "default": lazy.default})
    summary, metavar = lazy.summary, None
    if lazy.default:
        summary += f"\n\nWithout a COMMAND the words are those of {lazy.default}."
        metavar = "[COMMAND] [ARGS]..."
    nested = typer.Typer(
        cls=cls,
        help=summary,
        rich_markup_mode=None,
        add_completion=False,
        no_args_is_help=True,
        subcommand_metavar=metavar,
    )
    nested.callback()(_nothing)
    group = typer.main.get_command(nested)
    group.name = name
    return group


def _nothing() -> None:
    pass


class RootGroup(LazyGroup):
    """The `ledger` command."""

    tree = COMMANDS


app = typer.Typer(
    cls=RootGroup,
    name="ledger",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
)


def change_directory(directory: Path | None) -> Path | None:
    """Work from another directory. Raises LedgerError when it is none."""
    if directory is not None:
        from ledger.errors import LedgerError

        try:
            os.chdir(directory)
        except OSError as error:
            raise LedgerError(
                "bad-input",
                f"-C {directory}: {error.strerror}",
                fix="name a directory that exists",
            ) from None
    return directory


def _version(value: bool) -> None:
    if value:
        from ledger import __version__

        typer.echo(f"ledger {__version__}")
        raise typer.Exit


@app.callback()
def root(
    directory: Annotated[
        Path | None, typer.Option("-C", metavar="DIR", help="Run as if started in DIR.")
    ] = None,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Claims need a linked measurement or an expiry date; probes settle them.

    Exit codes: 0 done; 1 findings or stale output; 2 bad usage or input; 3 refused by a rule of
    the ledger; 4 no such id, or ambiguous; 5 ledger damaged; 6 cannot measure here.
    """
    change_directory(directory)
