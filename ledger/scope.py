"""What a claim or a measurement is about: comparing one configuration with another."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from ledger.entry import Scope
from ledger.errors import LedgerError

REQUESTED = ".requested"
"""Suffix of a key that says what was asked for, which is not what happened."""


class Mismatch(Struct, frozen=True, kw_only=True):
    """One key on which a measurement does not answer a claim."""

    key: str
    kind: Literal["differs", "unstated"]
    claim: str | None
    evidence: str | None
    requested: bool = False
    """True when the evidence states only what was asked for under this key."""

    def __str__(self) -> str:
        if self.kind == "unstated":
            more = f" (only {self.key}{REQUESTED})" if self.requested else ""
            return f"{self.key}: claim {shown(self.claim)}, evidence does not state it{more}"
        return f"{self.key}: claim {shown(self.claim)}, evidence {shown(self.evidence)}"


def mismatches(claim: Scope, evidence: Scope) -> tuple[Mismatch, ...]:
    """Every key the claim states that the evidence does not state with the same value.

    Empty means that the evidence matches. A value of None ("known to be none") equals only None.
    """
    found = []
    for key, value in claim.items():
        if key not in evidence:
            found.append(
                Mismatch(
                    key=key,
                    kind="unstated",
                    claim=value,
                    evidence=None,
                    requested=key + REQUESTED in evidence,
                )
            )
        elif evidence[key] != value:
            found.append(Mismatch(key=key, kind="differs", claim=value, evidence=evidence[key]))
    return tuple(found)


def conflicts(claim: Scope, evidence: Scope) -> bool:
    """Whether both state a key with different values; what one leaves open is no conflict."""
    return any(key in evidence and evidence[key] != value for key, value in claim.items())


def shown(value: str | None) -> str:
    """A scope value for a message."""
    return "(none)" if value is None else value


def parse(pairs: Iterable[str]) -> Scope:
    """Read `key=value` words; `key=` says "known to be none".

    Raises LedgerError for a word without `=`, an empty key, or a key given twice with two values.
    """
    scope: Scope = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        value = text or None
        if not equals or not key or key != "".join(key.split()):
            raise LedgerError(
                "bad-input",
                f"--about {pair!r} is not key=value",
                fix="write it as --about seat=training; `key=` says known to be none",
            )
        if key in scope and scope[key] != value:
            raise LedgerError(
                "bad-input",
                f"--about gives {key} twice: {shown(scope[key])} and {shown(value)}",
                fix="a claim is about one configuration: keep one of them",
            )
        scope[key] = value
    return scope


def matches_filter(scope: Scope, wanted: Scope) -> bool:
    """Whether a scope states every wanted key with the wanted value (for `list --about`)."""
    return all(key in scope and scope[key] == value for key, value in wanted.items())
