"""Findings of an inline ledger, each checked to name commands and options that exist."""

import functools
import re
import shlex
from typing import Any

import typer.main
from inline import TODAY, Ledger

from ledger.cli.app import app
from ledger.fold import fold
from ledger.rules import LEVELS, Facts, Finding, View, audit

_COMMAND = re.compile(r"ledger ([a-z]+)(?: ([a-z]+))?(.*?)(?=ledger [a-z]+ |$)", re.DOTALL)


@functools.cache
def _options(name: str, sub: str | None) -> tuple[frozenset[str], frozenset[str]]:
    """All long options of a command, and those it cannot do without."""
    root: Any = typer.main.get_command(app)
    command: Any = root.get_command(None, name)
    assert command is not None, f"there is no command {name!r}"
    if hasattr(command, "tree"):
        command = command.get_command(None, sub if sub in command.tree else command.default)
        assert command is not None, f"there is no command {name} {sub!r}"
    every = frozenset(o for p in command.params for o in (*p.opts, *p.secondary_opts))
    needed = frozenset(
        p.opts[0] for p in command.params if p.required and p.opts[0].startswith("--")
    )
    return every, needed


def check_fix(finding: Finding) -> None:
    if finding.fix.startswith("ledger "):
        words = shlex.split(finding.fix)
        amiss = [word for word in words if word in {"or", "then", "|"} or word[-1:] in ",;:)("]
        assert not amiss, f"{finding.slug}: {finding.fix} is no command to be pasted"
    commands = _COMMAND.findall(finding.fix)
    assert commands, f"{finding.slug} names no command: {finding.fix}"
    for name, sub, rest in commands:
        every, needed = _options(name, sub or None)
        used = set(re.findall(r"(?<![\w-])--[a-z-]+", f" {rest}"))
        assert used <= every, f"{finding.slug}: ledger {name} has no {used - every}"
        assert needed <= used or not used, f"{finding.slug}: ledger {name} needs {needed - used}"


def found(book: Ledger, slug: str, facts: Facts | None = None) -> list[Finding]:
    """The findings of one kind; every finding of the audit is checked for what all must have."""
    view = View(fold=fold(book, as_of=TODAY), facts=facts or Facts())
    every = audit(view)
    for finding in every:
        assert finding.level in LEVELS
        assert all((finding.subject, finding.message, finding.got, finding.expected)), finding
        check_fix(finding)
    assert len(set(every)) == len(every)
    return [finding for finding in every if finding.slug == slug]


def subjects(book: Ledger, slug: str, facts: Facts | None = None) -> list[str]:
    return [finding.subject for finding in found(book, slug, facts)]
