"""Inline ledgers: a few words per entry, for tests of folding and rules without disk."""

from typing import Any

from msgspec.structs import replace

from ledger.entry import (
    By,
    Claim,
    Entry,
    Evidence,
    Expects,
    Instrument,
    Quantity,
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


def expects(quantity: str, comparison: Any, value: Any, **more: Any) -> Expects:
    return Expects(quantity=quantity, comparison=comparison, value=value, **more)
