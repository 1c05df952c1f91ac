"""Right values as typed, beside what an artifact records; and texts that must not be repeated."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ledger import canonical
from ledger.entry import ArtifactField
from ledger.errors import LedgerError
from ledger.provenance import pointers, reading
from ledger.provenance.redaction import sensitive
from ledger.service.artifacts import read_artifact

_SECRETS = frozenset({"a private key", "an API key", "a secret", "a URL with credentials"})
_LARGEST = 4096
"""Bytes of a recorded value that is repeated; of a larger one the pointer has to do."""


def actual_value(text: str, recorded: Any, *, differs: bool = True) -> Any:
    """The right value: a text where the artifact records one, else JSON.

    Where it records null, what is not JSON is a text. Raises LedgerError for anything else that is
    not JSON, for a secret, and, with `differs`, for the value that the artifact records.
    """
    refuse_secret("--actual", text)
    value: Any = text
    if not isinstance(recorded, str):
        try:
            value = canonical.parse(text)
        except ValueError:
            if recorded is not None:
                raise LedgerError(
                    "bad-input",
                    f"--actual {text!r} is not JSON, and the artifact records "
                    f"{canonical.compact(recorded)[:60]}",
                    fix="write a number, true, false, null, a list or an object; a text in double "
                    "quotes, as --actual '\"text\"'",
                ) from None
    if differs and type(value) is type(recorded) and value == recorded:
        raise LedgerError(
            "bad-input",
            f"--actual {text[:60]!r} is what the artifact records",
            fix="name a field that is wrong; --rechecked says that one is right",
        )
    return value


def stated_value(root: Path, fields: Sequence[ArtifactField], text: str) -> Any:
    """The right value of fields that state what is being superseded.

    Read as `actual_value` does, beside the first field that can still be read; else as where null
    is recorded.
    """
    if not fields:
        raise LedgerError(
            "bad-input",
            "--actual is the right value of an artifact's field, and none is named",
            fix="name the field with --artifact FILE#/key",
        )
    for field in fields:
        try:
            read = read_artifact(root, root / field.artifact.path)
            data = reading.read(read.source, name=field.artifact.path).data
            recorded = pointers.value_at(data, field.pointer)
        except LedgerError:
            continue  # gone, changed beyond that field, or no data at all
        same = read.artifact.sha256 == field.artifact.sha256
        return actual_value(text, recorded, differs=same)
    return actual_value(text, None)


def withheld(value: Any) -> str | None:
    """Why a recorded value is not repeated unless that is asked for; None where it may be."""
    if (why := sensitive(value)) is not None:
        return f"holds {why}"
    size = len(canonical.canonical(value))
    return f"is {size:,} bytes long" if size > _LARGEST else None


def refuse_secret(option: str, text: str) -> None:
    """Raise LedgerError for a text that holds a password or key: entries are never deleted."""
    if (why := sensitive(text)) in _SECRETS:
        raise LedgerError(
            "refused",
            f"{option} holds {why}, and entries are kept for ever",
            fix="leave it out, and change it where it is in use if it was shown to anybody",
        )
