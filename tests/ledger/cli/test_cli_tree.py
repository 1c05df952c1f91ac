"""The command tree says of each command what its docstring says, without importing it."""

from collections.abc import Iterator

import pytest
import typer.main
from typer._click import Context

from ledger.cli.app import LazyGroup, app
from ledger.cli.tree import COMMANDS, Lazy, Tree


def leaves(tree: Tree, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Lazy]]:
    for name, lazy in tree.items():
        if isinstance(lazy.target, str):
            yield (*path, name), lazy
        else:
            yield from leaves(lazy.target, (*path, name))


LEAVES = list(leaves(COMMANDS))


@pytest.mark.parametrize(("path", "lazy"), LEAVES, ids=[" ".join(path) for path, _ in LEAVES])
def test_a_summary_is_the_first_sentence_of_the_help(path: tuple[str, ...], lazy: Lazy) -> None:
    command = typer.main.get_command(app)
    context = Context(command)
    for name in path:
        assert isinstance(command, LazyGroup)
        found = command.get_command(context, name)
        assert found is not None
        command = found
    assert (command.help or "").startswith(lazy.summary)
    assert "Example:" in (command.help or "")
