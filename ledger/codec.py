"""Entries to JSON data and back, and the id that follows from the data."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ledger import canonical
from ledger.entry import (
    KINDS,
    Arm,
    Artifact,
    ArtifactField,
    By,
    ControlResult,
    Entry,
    Expects,
    Figure,
    GitState,
    Instrument,
    NoteField,
    Quantity,
    Recheck,
    Recorded,
    ReplacedBy,
    TableRow,
)
from ledger.kinds import ID_DIGITS, LETTERS


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if type(value) is list else value


def _build(cls: type, data: dict[str, Any]) -> Any:
    return cls(**{key: _frozen(value) for key, value in data.items()})


def _arm(data: dict[str, Any]) -> Arm:
    answer = data.get("answer")
    return _build(Arm, {**data, "answer": Artifact(**answer)} if answer else data)  # type: ignore[no-any-return]


def _artifact_field(data: dict[str, Any]) -> ArtifactField:
    return ArtifactField(artifact=Artifact(**data["artifact"]), pointer=data["pointer"])


_ONE: dict[str, dict[str, type]] = {
    "claim": {"by": By, "expects": Expects, "row": TableRow},
    "evidence": {"instrument": Instrument, "git": GitState},
    "verdict": {"by": By},
    "supersession": {"replaced_by": ReplacedBy},
    "retraction": {"by": By},
    "note": {"artifact": Artifact, "by": By},
}
_MANY: dict[str, dict[str, Callable[[dict[str, Any]], Any]]] = {
    "consult": {"arms": _arm},
    "claim": {
        "figures": lambda data: Figure(**data),
        "artifact_fields": _artifact_field,
    },
    "supersession": {"artifact_fields": _artifact_field},
    "evidence": {
        "quantities": lambda data: Quantity(**data),
        "artifacts": lambda data: Artifact(**data),
        "controls": lambda data: ControlResult(**data),
        "artifact_fields": _artifact_field,
    },
    "note": {
        "fields": lambda data: _build(NoteField, data),
        "rechecked": lambda data: Recheck(**data),
    },
}


def decode(data: dict[str, Any]) -> Entry:
    """Build an entry from JSON data that is known to be valid (`ledger.intake` checks the rest)."""
    fields = dict(data)
    kind = fields.pop("kind")
    fields["recorded"] = Recorded(**fields["recorded"])
    for key, cls in _ONE.get(kind, {}).items():
        if fields.get(key) is not None:
            fields[key] = _build(cls, fields[key])
    for key, make in _MANY.get(kind, {}).items():
        if key in fields:
            fields[key] = tuple(make(item) for item in fields[key])
    return _build(KINDS[kind], fields)  # type: ignore[no-any-return]


def kind_of(entry: Entry) -> str:
    """The entry's kind, a key of `KINDS`."""
    return str(type(entry).__struct_config__.tag)


def encode(entry: Entry) -> dict[str, Any]:
    """The entry as JSON data: `kind` first, fields in order, what equals its default left out.

    Leaving defaults out keeps an id stable when a kind gains an optional field.
    """
    data = {"kind": kind_of(entry), **_fields(entry)}
    data["recorded"] = data.pop("recorded")
    return data


def _fields(value: Struct) -> dict[str, Any]:
    names, defaults = value.__struct_fields__, value.__struct_defaults__
    required = len(names) - len(defaults)
    out: dict[str, Any] = {}
    for number, name in enumerate(names):
        item = getattr(value, name)
        if number < required or not _is_default(item, defaults[number - required]):
            out[name] = _plain(item)
    return out


def _is_default(item: Any, default: Any) -> bool:
    # A mutable default stands as a factory: of all of them, the value is the empty mapping.
    return (
        item == {}
        if callable(getattr(default, "factory", None))
        else item is default or (type(item) is type(default) and item == default)
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Struct):
        return _fields(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def content(data: dict[str, Any]) -> bytes:
    """The canonical bytes that the id covers: everything but `recorded`."""
    return canonical.canonical({key: value for key, value in data.items() if key != "recorded"})


def id_of(data: dict[str, Any]) -> str:
    """`<letter>-<12 hex>` of an entry's JSON data, re-derivable from its file."""
    return f"{LETTERS[data['kind']]}-{canonical.sha256(content(data))[:ID_DIGITS]}"


def to_file(data: dict[str, Any]) -> bytes:
    """The bytes of an entry's file: `recorded` on a line of its own, then the readable rest.

    One line, and the first, so that git's union merge of the same entry recorded on two branches
    is that line twice and still JSON.
    """
    rest = {key: value for key, value in data.items() if key != "recorded"}
    first = f'{{\n  "recorded": {canonical.compact(data["recorded"])},'
    return first.encode() + canonical.readable(rest).removeprefix(b"{")


def from_file(raw: bytes) -> Any:
    """The JSON data in an entry's file; of several recordings the earliest.

    Raises ValueError as `canonical.parse` does.
    """
    return canonical.parse(raw, members=_earliest)


def _earliest(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if keys.count("recorded") > 1 and "kind" in keys:
        recorded = [value for key, value in pairs if key == "recorded"]
        first = min(recorded, key=canonical.canonical)
        pairs = [("recorded", first), *(pair for pair in pairs if pair[0] != "recorded")]
    return canonical.unique(pairs)
