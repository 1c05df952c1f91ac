"""The one error that stops a command, with the fix it suggests."""

from typing import Literal

ErrorCode = Literal[
    "bad-input",
    "no-ledger",
    "refused",
    "not-found",
    "ambiguous",
    "damaged",
    "unavailable",
    "busy",
    "edited-region",
    "bad-markers",
]


class LedgerError(Exception):
    """Nothing useful can go on; carries what is wrong and what to do about it.

    Raised anywhere below the front ends; only `ledger.cli` and `ledger.mcp` turn `code` into an
    exit code.
    """

    def __init__(self, code: ErrorCode, message: str, *, fix: str) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.message = message
        self.fix = fix
