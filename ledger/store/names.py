"""What a user calls an entry: its id, or the start of it."""

import re
from collections.abc import Iterable

from ledger.errors import LedgerError
from ledger.kinds import ID_DIGITS, LETTERS

_SHORTEST = 4
_MOST = 10
_TEXT = r"(?:([a-z])-)?([0-9a-f]+)"
_KINDS = {letter: kind for kind, letter in LETTERS.items()}


def resolve(text: str, ids: Iterable[str], *, kind: str | None = None) -> str:
    """The one id that `text` begins: `c-7f3a` or `7f3a`, at least four hex digits, any case.

    With `kind`, only entries of that kind are meant. Raises LedgerError `bad-input` (not the form
    of an id, too short, an entry of another kind), `not-found` or `ambiguous`.
    """
    known = list(ids)
    match = re.fullmatch(_TEXT, text.strip().strip("[]").lower())
    if match is None or len(match[2]) > ID_DIGITS:
        form = f"a letter, '-' and {_SHORTEST} to {ID_DIGITS} hex digits, such as c-7f3a"
        raise LedgerError("bad-input", f"{text[:60]!r} is no id", fix=f"Write {form}.")
    if len(match[2]) < _SHORTEST:
        message = f"{text!r} is too short to name an entry"
        raise LedgerError("bad-input", message, fix=f"Give at least {_SHORTEST} hex digits.")
    letter, digits = match[1], match[2]
    found = [i for i in known if i.startswith(digits, 2) and letter in {None, i[0]}]
    meant = [i for i in found if kind is None or i[0] == LETTERS[kind]]
    if len(meant) == 1:
        return meant[0]
    if len(meant) > 1:
        raise _ambiguous(text, meant)
    if found:
        message = f"{found[0]} is {_a(_KINDS[found[0][0]])}, {_a(kind or 'entry')} is needed"
        raise LedgerError("bad-input", message, fix=f"ledger list, for the ids of every {kind}")
    raise _not_found(text, f"{letter or ''}-{digits}", known)


def _a(kind: str) -> str:
    return kind if kind == "evidence" else f"an {kind}" if kind == "entry" else f"a {kind}"


def _ambiguous(text: str, meant: list[str]) -> LedgerError:
    more = f" and {len(meant) - _MOST} more" if len(meant) > _MOST else ""
    message = f"{text!r} may be {', '.join(sorted(meant)[:_MOST])}{more}"
    return LedgerError("ambiguous", message, fix="Give more digits.")


def _not_found(text: str, typed: str, known: list[str]) -> LedgerError:
    import difflib

    near = difflib.get_close_matches(typed, known, n=3, cutoff=0.6)
    fix = f"Did you mean {', '.join(near)}? " if near else ""
    return LedgerError("not-found", f"no entry {text!r}", fix=f"{fix}All ids: ledger list")
