"""The nine kinds of entry: what the ledger holds, one JSON file each, never edited.

msgspec structs: classes cheap enough to make that every command can start with all of them (22
frozen dataclasses took 13 ms of CPU, these take 2), and `ledger.intake` checks what comes from
outside against the same definitions.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct

Basis = Literal["measurement", "derivation", "citation", "prediction"]
Comparison = Literal[">=", "<=", ">", "<", "==", "!=", "in"]
Outcome = Literal["supports", "refutes", "inconclusive"]
Role = Literal["arm", "agent", "person", "document"]
Scope = dict[str, str | None]
"""`about`: key to value; None says "known to be none", an absent key "not stated"."""


class Recorded(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """When and where an entry was written; not part of its id."""

    at: str
    """UTC, ISO 8601 with microseconds and a final Z."""
    host: str | None = None
    user: str | None = None


class By(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who made a claim, a decision or a correction."""

    name: str
    role: Role = "agent"
    model: str | None = None


class Artifact(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file by its content; the path is a hint, relative to the ledger's root where it can be."""

    path: str
    sha256: str
    bytes: int


class ArtifactField(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field of an artifact that states what an entry is about."""

    artifact: Artifact
    pointer: str
    """RFC 6901; empty for the whole document."""


class TableRow(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A row of a document's table that is no plain claim | status | replaced by."""

    number: int
    """1-based place among the table's rows."""
    header: tuple[str, ...]
    """Markdown source of the header's cells."""
    cells: tuple[str, ...]
    """Markdown source of the row's cells, as many as the header has."""
    claim: int
    """0-based column of the statement."""
    status: int | None = None
    """0-based column of the status; None where the table has none."""
    replaced_by: int | None = None
    """0-based column of the replacement; None where the table has none."""


class Arm(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One panel member's answer."""

    arm: str
    model: str | None = None
    text: str | None = None
    at: str | None = None
    read: tuple[str, ...] = ()
    """What the arm had read: paths or entry ids."""
    answer: Artifact | None = None


class Expects(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The comparison that lets a measurement settle a claim by itself."""

    quantity: str
    comparison: Comparison
    value: float | int | str
    """Text only for the quantity `result`; the lower bound for `in`."""
    high: float | int | None = None
    """The upper bound, inclusive, for `in` alone."""
    unit: str = "1"


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number a claim states, with its unit, for finding it again in documents."""

    value: float | int
    unit: str = "1"


class Quantity(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A measured value with its unit and spread."""

    name: str
    value: float | int | None
    """None when it could not be measured; `reason` then says why."""
    unit: str = "1"
    n: int | None = None
    low: float | int | None = None
    high: float | int | None = None
    """Inclusive bounds of the measured interval; None where no spread is known."""
    reason: str | None = None


class Instrument(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What measured: name, version, and the digest of the inputs it was given."""

    name: str
    version: str
    inputs_sha256: str | None = None
    decisive: tuple[str, ...] = ()
    """Scope keys that a claim settled by this instrument should state."""


class GitState(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The repository a measurement was taken in. `state` is unknown on any failure, never clean."""

    state: Literal["clean", "dirty", "unknown", "none"]
    oid: str | None = None
    branch: str | None = None
    describe: str | None = None
    dirty: tuple[str, ...] = ()
    diff_sha256: str | None = None
    reason: str | None = None


class ControlResult(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One input on which the instrument must fail, and whether it did."""

    name: str
    must: str
    got: str


class NoteField(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One field of an artifact that is wrong, with what is known of the right value."""

    pointer: str
    """RFC 6901."""
    status: Literal[
        "wrong",
        "wrong_actual_unknown",
        "misleading_scope",
        "uninformative",
        "under_investigation",
    ]
    reason: str
    recorded: Any = UNSET
    """The value in the artifact; left out where it must not be repeated."""
    actual: Any = UNSET
    """The right value, where it is known."""
    evidence: tuple[str, ...] = ()
    cause: str | None = None
    """The entry whose fall, supersession or rescope the note follows; None for a note by hand.

    The statement counts only while that entry is down.
    """


class Recheck(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field that was measured again and is still right."""

    pointer: str
    evidence: str


class Consult(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="consult"
):
    """A question put to a panel, with each arm's answer."""

    recorded: Recorded
    question: str
    asked_at: str | None = None
    arms: tuple[Arm, ...] = ()
    tags: tuple[str, ...] = ()


class Claim(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="claim"
):
    """A statement that a measurement can settle."""

    recorded: Recorded
    statement: str
    by: By
    basis: Basis
    consult: str | None = None
    about: Scope = {}
    evidence: tuple[str, ...] = ()
    rests_on: tuple[tuple[str, ...], ...] = ()
    """An OR of ANDs: the claim is supported when every member of one set is."""
    expects: Expects | None = None
    expires: str | None = None
    """The last day on which it may go unsettled, YYYY-MM-DD."""
    figures: tuple[Figure, ...] = ()
    echoes: tuple[str, ...] = ()
    """Claims that say the same: recorded agreement, never support."""
    tags: tuple[str, ...] = ()
    markup: Literal["markdown"] | None = None
    """Set when the statement is Markdown source taken from a document."""
    row: TableRow | None = None
    """The row of a document's table that the claim was adopted from, where more than it is kept."""
    artifact_fields: tuple[ArtifactField, ...] = ()
    """Fields of artifacts that state the claim: when it falls, they get a note."""


class Evidence(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="evidence"
):
    """A measurement: which instrument, of what configuration, with which result."""

    recorded: Recorded
    instrument: Instrument
    about: Scope = {}
    """The configuration as resolved; what was only asked for is under `KEY.requested`."""
    quantities: tuple[Quantity, ...] = ()
    result: str | None = None
    artifacts: tuple[Artifact, ...] = ()
    environment: dict[str, Any] = {}
    git: GitState | None = None
    taken_at: str | None = None
    doubts: tuple[str, ...] = ()
    controls: tuple[ControlResult, ...] = ()
    tags: tuple[str, ...] = ()
    artifact_fields: tuple[ArtifactField, ...] = ()
    """Fields of artifacts that state the measurement: when it falls, they get a note."""


class Verdict(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="verdict"
):
    """What a measurement says about a claim that did not name it when it was made."""

    recorded: Recorded
    claim: str
    evidence: str
    outcome: Outcome
    decided: Literal["expects", "person", "agent"]
    by: By | None = None
    note: str | None = None


class ReplacedBy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What to follow instead."""

    text: str | None = None
    claim: str | None = None
    markup: Literal["markdown"] | None = None


class Supersession(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="supersession",
):
    """A claim that is not to be followed any more, and why."""

    recorded: Recorded
    claim: str
    status: str
    """A short label: WRONG, NOT A FLAG, UNNECESSARY, ALREADY BANKED, REMOVED, or any other."""
    date: str
    replaced_by: ReplacedBy | None = None
    evidence: tuple[str, ...] = ()
    shown: str | None = None
    """The status cell of an adopted document, where it is not the generated form."""
    artifact_fields: tuple[ArtifactField, ...] = ()
    """Fields of artifacts that state the superseded claim: they get a note."""
    actual: Any = UNSET
    """The right value of those fields, where it is known."""


class Retraction(
    Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="retraction",
):
    """An entry taken back: a claim by its author, evidence because the run was wrong."""

    recorded: Recorded
    target: str
    reason: str
    by: By | None = None


class Rescope(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="rescope"
):
    """The configuration that a measurement was really taken in."""

    recorded: Recorded
    evidence: str
    about: Scope
    """Replaces these keys alone."""
    reason: str
    unstated: tuple[str, ...] = ()
    """Keys that turn out not to be known after all."""
    supported_by: tuple[str, ...] = ()
    """Evidence for the correction."""


class Renewal(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="renewal"
):
    """A later expiry date for an unsettled claim."""

    recorded: Recorded
    claim: str
    expires: str
    reason: str


class Note(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind", tag="note"
):
    """What is wrong with an artifact that cannot be changed, and what was re-checked."""

    recorded: Recorded
    artifact: Artifact
    fields: tuple[NoteField, ...] = ()
    rechecked: tuple[Recheck, ...] = ()
    by: By | None = None


Entry = Consult | Claim | Evidence | Verdict | Supersession | Retraction | Rescope | Renewal | Note

KINDS: dict[str, type[Entry]] = {
    "consult": Consult,
    "claim": Claim,
    "evidence": Evidence,
    "verdict": Verdict,
    "supersession": Supersession,
    "retraction": Retraction,
    "rescope": Rescope,
    "renewal": Renewal,
    "note": Note,
}
