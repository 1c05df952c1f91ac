"""What comes from outside: JSON data checked against the definitions in `ledger.entry`.

Shape first (msgspec, strict: "3" is not 3), then what needs no other entry to be judged. `check` is
the second half alone, for entries that the program built itself.
"""

import re
from typing import Any

from ledger import canonical
from ledger.codec import decode
from ledger.entry import KINDS, Entry
from ledger.errors import LedgerError
from ledger.intake.checks import Flaw, flaws, printable, show, texts

_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}
_PLACE = re.compile(r" - at `(?:key in )?\$(.*?)`$")
_STEP = re.compile(r"\.([^.\[]+)|\[(\d+)\]|(\[\.\.\.\])")


def validate(data: object, *, where: str) -> Entry:
    """The entry that untrusted JSON data describe, with numbers as written.

    `where` opens the error message: a file, a tool argument. Raises LedgerError `bad-input`, in one
    line, for the first thing found wrong. Whatever refers to other entries is not looked up.
    """
    kind = data.get("kind") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(kind, str) or kind not in KINDS:
        got = f"kind {show(kind)}" if isinstance(data, dict) else show(data)
        raise _error(Flaw("", got, f"an entry of kind {', '.join(KINDS)}", "Set `kind`."), where)
    try:
        entry = _shaped(data, kind)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise _error(_from_exception(error, data), where) from None
    check(entry, where=where)
    return entry


def check(entry: Entry, *, where: str) -> None:
    """Judge what needs no other entry; a right shape is taken for granted.

    Raises LedgerError `bad-input` for the first flaw.
    """
    flaw = next(flaws(entry), None)
    if flaw is not None:
        raise _error(flaw, where)


def _error(flaw: Flaw, where: str) -> LedgerError:
    place = f"{where}: {printable(flaw.field)}" if flaw.field else where
    return LedgerError(
        "bad-input", f"{place}: got {flaw.got}, expected {flaw.expected}", fix=flaw.fix
    )


def _shaped(data: dict[str, Any], kind: str) -> Entry:
    import msgspec

    # Checked on the canonical bytes; built from `data`, which still has the digits as written.
    msgspec.json.decode(canonical.canonical(data), type=KINDS[kind])
    return decode(data)


def _from_exception(error: Exception, data: dict[str, Any]) -> Flaw:
    import msgspec

    if isinstance(error, msgspec.ValidationError):
        return _from_msgspec(str(error), data)
    if isinstance(error, RecursionError):
        return Flaw("", "data nested too deeply", "a flat entry", "Put the data into an artifact.")
    fix = "Write Unicode text, finite numbers and text keys."
    return next(texts(data, ""), Flaw("", str(error), "JSON data", fix))


def _from_msgspec(message: str, data: dict[str, Any]) -> Flaw:
    """What msgspec found, in our words: `Expected ..., got ... - at `$.quantities[0].n``."""
    found = _PLACE.search(message)
    place, value, allowed = _locate(found[1] if found else "", data)
    said = message[: found.start()] if found else message
    if name := re.search(r"unknown field `(.*)`", said, re.DOTALL):
        known = ", ".join(f for f in getattr(allowed, "__struct_fields__", ()) if f != "recorded")
        field = f"{place}.{name[1]}" if place else name[1]
        return Flaw(field, "an unknown key", f"one of {known}", "Remove or rename the key.")
    if name := re.search(r"missing required field `(.*)`", said):
        field = f"{place}.{name[1]}" if place else name[1]
        return Flaw(field, "nothing", "a value", f"Add `{name[1]}`.")
    if said.startswith("Invalid enum value"):
        words = " or ".join(map(repr, _literals(allowed)))
        return Flaw(place, show(value), words, "Correct the value.")
    wanted = re.search(r"Expected `(.*?)`", said)
    kinds = wanted[1].split(" | ") if wanted else []
    if "float" in kinds:
        kinds = [kind for kind in kinds if kind != "int"]
    words = " or ".join(_WORDS.get(kind, kind) for kind in kinds) or said
    return Flaw(place, show(value), words, "Correct the value.")


def _literals(allowed: Any) -> tuple[Any, ...]:
    """The values of a Literal, also inside a union."""
    import typing

    if typing.get_origin(allowed) is typing.Literal:
        return typing.get_args(allowed)
    return tuple(v for inner in typing.get_args(allowed) for v in _literals(inner))


def _locate(path: str, data: Any) -> tuple[str, Any, Any]:
    """Place, value and type at a path of msgspec; `[...]` is the first value that is no text."""
    allowed: Any = KINDS[data["kind"]]
    place = ""
    for name, number, any_key in _STEP.findall(path):
        step: Any = name or int(number or 0)
        if any_key:
            step = next((k for k, v in data.items() if v is not None and type(v) is not str), "")
        if not isinstance(data, list) and not (isinstance(data, dict) and step in data):
            break
        data = data[step]
        place += f"[{step}]" if number else f".{step}" if place else str(step)
        allowed = _inner(allowed, step)
    return place, data, allowed


def _inner(allowed: Any, step: object) -> Any:
    """The type of a field or an element."""
    import typing

    options = [allowed, *typing.get_args(allowed)]
    struct = next((option for option in options if hasattr(option, "__struct_fields__")), None)
    if struct is not None and isinstance(step, str):
        return typing.get_type_hints(struct).get(step)
    inner = typing.get_args(allowed)
    return inner[0] if inner else None
