"""An entry in a few words, for lists and messages."""

from ledger.entry import Claim, Consult, Evidence, Note
from ledger.fold import Fold


def status_of(fold: Fold, entry_id: str) -> str:
    """One word for an entry: a claim's status, live or retracted, or unknown."""
    if entry_id in fold.claims:
        return fold.claims[entry_id].status
    if entry_id not in fold.entries:
        return "unknown"
    return "retracted" if entry_id in fold.retracted else "live"


def headline(fold: Fold, entry_id: str) -> str:
    """What an entry says, in its own words."""
    entry = fold.entries[entry_id]
    match entry:
        case Claim():
            return entry.statement
        case Consult():
            return entry.question
        case Evidence():
            values = [
                f"{q.name}={q.value:.6g}{'' if q.unit == '1' else ' ' + q.unit}"
                if q.value is not None
                else f"{q.name} unknown"
                for q in entry.quantities
            ]
            shown = ", ".join([*([entry.result] if entry.result else []), *values])
            return f"{entry.instrument.name}@{entry.instrument.version}: {shown}"
        case Note():
            fields = [f"{field.pointer or 'all of it'} {field.status}" for field in entry.fields]
            fields += [f"{recheck.pointer or 'all of it'} right" for recheck in entry.rechecked]
            return f"{entry.artifact.path}: {', '.join(fields)}"
        case _:
            from ledger.codec import encode
            from ledger.references import references

            data = encode(entry)
            about = " ".join(references(entry)[:2])
            said = data.get("reason") or data.get("status") or data.get("outcome") or ""
            return f"{about} {said}".strip()


def expectation(claim: Claim) -> str | None:
    """The claim's expectation as text."""
    from ledger import expects

    return expects.text_of(claim.expects) if claim.expects else None
