"""A fresh ledger, and the command line in it."""

from pathlib import Path

import pytest
from command_line import Shell


@pytest.fixture
def bare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """The command line in an empty directory that is no repository."""
    return Shell(tmp_path, capsys)


@pytest.fixture
def ledger(bare: Shell) -> Shell:
    """The command line in a directory with an empty ledger."""
    bare("init")
    return bare
