"""Printing: results to stdout, messages and errors to stderr, JSON in one versioned envelope."""

import json
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TextIO

from ledger.cli.text import safe
from ledger.errors import ErrorCode, LedgerError

if TYPE_CHECKING:
    from ledger.rules import Finding

SCHEMA = "ledger/1"

EXIT_CODES: dict[ErrorCode, int] = {
    "bad-input": 2,
    "no-ledger": 2,
    "refused": 3,
    "not-found": 4,
    "ambiguous": 4,
    "damaged": 5,
    "unavailable": 6,
    "busy": 6,
    "edited-region": 4,
    "bad-markers": 3,
}


def result(text: str, data: Any, *, as_json: bool) -> None:
    """Print a command's result: the text, or the JSON document."""
    if as_json:
        _document({"schema": SCHEMA, "data": data}, sys.stdout)
    elif text:
        sys.stdout.write(text + "\n")


def annotations(findings: Iterable["Finding"]) -> None:
    """Print findings as GitHub shows them beside the files."""
    from ledger.service.annotations import github

    result("\n".join(safe(github(finding)) for finding in findings), None, as_json=False)


def dump(value: Any) -> str:
    """Compact JSON in UTF-8 text, numbers as written."""
    from ledger import canonical

    return canonical.compact(value)


def _document(value: dict[str, Any], stream: TextIO) -> None:
    text = dump(value)
    encoding = (getattr(stream, "encoding", None) or "utf-8").lower()
    # JSON is UTF-8, whatever the locale; and only it knows how to write any character in ASCII.
    # A path that is not UTF-8 has lone surrogates, which no encoding takes.
    beyond = r"[\ud800-\udfff]" if encoding in {"utf-8", "utf8"} else r"[^\x00-\x7f]"
    text = re.sub(beyond, lambda match: json.dumps(match.group())[1:-1], text)
    stream.write(text + "\n")


def message(text: str) -> None:
    """Say something on stderr; further lines are indented, so that none passes for a new one."""
    sys.stderr.write(safe(text).replace("\n", "\n  ") + "\n")


def warnings(texts: Iterable[str]) -> None:
    """Say several things on stderr."""
    for text in texts:
        message(f"warning: {text}")


def damage(texts: tuple[str, ...]) -> int:
    """Warn of what could not be read; a reader's exit code: 1 when there is such a thing."""
    warnings(texts)
    return int(bool(texts))


def error(failure: LedgerError, *, as_json: bool) -> int:
    """Print an error to stderr; returns the exit code."""
    if as_json:
        body = {"code": failure.code, "message": failure.message, "fix": failure.fix}
        _document({"schema": SCHEMA, "error": body}, sys.stderr)
    else:
        message(f"error: {failure.message}")
        message(f"fix: {failure.fix}")
    return EXIT_CODES[failure.code]
