"""Which entries, and which fields of artifacts, an entry names."""

from ledger.entry import (
    ArtifactField,
    Claim,
    Entry,
    Evidence,
    Note,
    Renewal,
    Rescope,
    Retraction,
    Supersession,
    Verdict,
)


def references(entry: Entry) -> tuple[str, ...]:
    """Every id an entry names, in order, without repetition."""
    match entry:
        case Claim():
            sets = [member for members in entry.rests_on for member in members]
            found = [entry.consult, *entry.evidence, *sets, *entry.echoes]
        case Verdict():
            found = [entry.claim, entry.evidence]
        case Supersession():
            by = entry.replaced_by.claim if entry.replaced_by else None
            found = [entry.claim, by, *entry.evidence]
        case Retraction():
            found = [entry.target]
        case Rescope():
            found = [entry.evidence, *entry.supported_by]
        case Renewal():
            found = [entry.claim]
        case Note():
            found = [i for field in entry.fields for i in (*field.evidence, field.cause)]
            found += [recheck.evidence for recheck in entry.rechecked]
        case _:
            found = []
    return tuple(dict.fromkeys(i for i in found if i is not None))


def fields_of(entry: Entry) -> tuple[ArtifactField, ...]:
    """The artifact fields that an entry names as stating it."""
    return entry.artifact_fields if isinstance(entry, Claim | Evidence | Supersession) else ()
