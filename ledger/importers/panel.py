"""The native form of a consult: a question and each arm's answer."""

from typing import Any

from ledger.codec import kind_of
from ledger.entry import Consult, Recorded
from ledger.errors import LedgerError
from ledger.intake import validate

_FIX = (
    'write {"question": "...", "asked_at": "2026-08-24", '
    '"arms": [{"arm": "...", "model": "...", "text": "...", "read": ["..."]}]}'
)


def consult(data: Any, *, recorded: Recorded) -> Consult:
    """A consult entry from its JSON form.

    Raises LedgerError for a missing question, no arms, two arms of one name, or an unknown key.
    """
    if not isinstance(data, dict):
        raise LedgerError("bad-input", "a consult is one JSON object", fix=_FIX)
    if "kind" in data or "recorded" in data:
        raise LedgerError("bad-input", "`kind` and `recorded` are set by the ledger", fix=_FIX)
    if not data.get("arms") or not isinstance(data["arms"], list):
        raise LedgerError("bad-input", "a consult needs a list of at least one arm", fix=_FIX)
    for number, arm in enumerate(data["arms"]):
        if not isinstance(arm, dict) or not isinstance(arm.get("arm"), str):
            raise LedgerError("bad-input", f"arms[{number}] has no name under `arm`", fix=_FIX)
    stamp = {"at": recorded.at, "host": recorded.host, "user": recorded.user}
    given = {key: value for key, value in data.items() if value is not None}
    entry = validate({"kind": "consult", **given, "recorded": stamp}, where="consult")
    if not isinstance(entry, Consult):
        raise TypeError(kind_of(entry))
    names = [arm.arm for arm in entry.arms]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise LedgerError(
            "bad-input",
            f"two arms are named {twice!r}",
            fix="give each arm its own name, such as the model with a number",
        )
    return entry
