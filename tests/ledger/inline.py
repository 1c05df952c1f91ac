"""Inline ledgers: a few words per entry, for tests of folding and rules without disk."""

from typing import Any

from msgspec.structs import replace

from ledger.canonical import sha256
from ledger.entry import (
    Artifact,
    By,
    Claim,
    Entry,
    Evidence,
    Expects,
    Instrument,
    Note,
    NoteField,
    Quantity,
    Recheck,
    Recorded,
    Renewal,
    ReplacedBy,
    Rescope,
    Retraction,
    Supersession,
    Verdict,
)

TODAY = "2026-06-15"
LATER = "2026-12-31"


class Ledger(dict[str, Entry]):
    """Entries by short made-up ids, recorded one second apart in the order they are added."""

    def put(self, name: str, entry: Entry) -> str:
        at = f"2026-06-01T00:{len(self) // 60:02d}:{len(self) % 60:02d}.000000Z"
        self[name] = replace(entry, recorded=Recorded(at=at))
        return name

    def claim(self, name: str, text: str = "", **fields: Any) -> str:
        fields.setdefault("basis", "derivation")
        fields.setdefault("by", By(name="arm-1"))
        if not fields.get("evidence"):
            fields.setdefault("expires", LATER)
        entry = Claim(recorded=Recorded(at=""), statement=text or f"statement of {name}", **fields)
        return self.put(name, entry)

    def evidence(self, name: str, value: float | None = None, **fields: Any) -> str:
        fields.setdefault("instrument", Instrument(name="stopwatch", version="1"))
        if value is not None:
            fields.setdefault("quantities", (Quantity(name="step", value=value, unit="s"),))
        return self.put(name, Evidence(recorded=Recorded(at=""), **fields))

    def verdict(
        self, name: str, claim: str, evidence: str, outcome: Any, how: Any = "person"
    ) -> str:
        entry = Verdict(
            recorded=Recorded(at=""), claim=claim, evidence=evidence, outcome=outcome, decided=how
        )
        return self.put(name, entry)

    def supersede(self, name: str, claim: str, status: str = "WRONG", **fields: Any) -> str:
        replaced = fields.pop("replaced_by", None)
        if isinstance(replaced, str):
            fields["replaced_by"] = (
                ReplacedBy(claim=replaced)
                if replaced.startswith("c-")
                else ReplacedBy(text=replaced)
            )
        elif replaced is not None:
            fields["replaced_by"] = replaced
        fields.setdefault("date", "2026-06-02")
        entry = Supersession(recorded=Recorded(at=""), claim=claim, status=status, **fields)
        return self.put(name, entry)

    def retract(self, name: str, target: str) -> str:
        return self.put(name, Retraction(recorded=Recorded(at=""), target=target, reason="wrong"))

    def rescope(
        self, name: str, evidence: str, unstated: tuple[str, ...] = (), **about: str
    ) -> str:
        entry = Rescope(
            recorded=Recorded(at=""),
            evidence=evidence,
            about=dict(about),
            unstated=unstated,
            reason="another seat",
        )
        return self.put(name, entry)

    def renew(self, name: str, claim: str, expires: str) -> str:
        entry = Renewal(recorded=Recorded(at=""), claim=claim, expires=expires, reason="still open")
        return self.put(name, entry)

    def note(
        self,
        name: str,
        artifact: Artifact,
        *fields: NoteField,
        rechecked: dict[str, str] | None = None,
        by: str | None = None,
    ) -> str:
        """`rechecked`: pointer to evidence."""
        entry = Note(
            recorded=Recorded(at=""),
            artifact=artifact,
            fields=fields,
            rechecked=tuple(
                Recheck(pointer=pointer, evidence=evidence)
                for pointer, evidence in (rechecked or {}).items()
            ),
            by=By(name=by) if by else None,
        )
        return self.put(name, entry)


def artifact(source: bytes | str, path: str = "runs/a.json") -> Artifact:
    data = source.encode() if isinstance(source, str) else source
    return Artifact(path=path, sha256=sha256(data), bytes=len(data))


def wrong(pointer: str, status: Any = "wrong_actual_unknown", **fields: Any) -> NoteField:
    fields.setdefault("reason", f"{pointer} is not right")
    return NoteField(pointer=pointer, status=status, **fields)


def expects(quantity: str, comparison: Any, value: Any, **more: Any) -> Expects:
    return Expects(quantity=quantity, comparison=comparison, value=value, **more)
