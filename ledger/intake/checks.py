"""What can be judged of one entry alone: dates, ids, intervals, units, scopes, texts."""

import datetime as dt
import re
from collections.abc import Iterator
from typing import Any, NamedTuple, assert_never

from ledger import canonical, units
from ledger.codec import encode
from ledger.entry import (
    KINDS,
    ArtifactField,
    Claim,
    Consult,
    Entry,
    Evidence,
    Note,
    Recorded,
    Renewal,
    Rescope,
    Retraction,
    Supersession,
    TableRow,
    Verdict,
)
from ledger.errors import LedgerError
from ledger.kinds import ID_DIGITS, LETTERS
from ledger.wording import counted

TEXT_LIMIT = 1_000_000
"""Characters in one text, inclusive."""
_SHOWN = 60
_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_ID = re.compile(rf"([{''.join(LETTERS.values())}])-[0-9a-f]{{{ID_DIGITS}}}")
_KEY = re.compile(r"[^=\s\x00-\x1f\x7f-\x9f]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Flaw(NamedTuple):
    """One thing wrong with one field."""

    field: str
    """Where it is, such as `quantities[0].n`."""
    got: str
    expected: str
    fix: str


def show(value: object) -> str:
    """The value as printable text, shortened, for a message of one line."""
    if value is None:
        return "nothing"
    return printable(value.text if isinstance(value, canonical.Number) else repr(value))


def printable(text: str) -> str:
    """The text on one line: shortened, what is invisible escaped."""
    line = text if text.isprintable() else ascii(text)[1:-1]
    return line[:_SHOWN] + "…" * (len(line) > _SHOWN)


def flaws(entry: Entry) -> Iterator[Flaw]:
    """What is wrong with an entry of the right shape, judged without any other entry."""
    yield from texts(encode(entry), "")
    yield from _recorded(entry.recorded)
    match entry:
        case Consult():
            yield from _consult(entry)
        case Claim():
            yield from _claim(entry)
        case Evidence():
            yield from _evidence(entry)
        case Supersession():
            yield from _supersession(entry)
        case Note():
            yield from _note(entry)
        case Verdict() | Retraction() | Rescope() | Renewal():
            yield from _correction(entry)
        case _:
            assert_never(entry)


def _correction(entry: Verdict | Retraction | Rescope | Renewal) -> Iterator[Flaw]:
    match entry:
        case Verdict():
            yield from _id(entry.claim, "claim", "claim")
            yield from _id(entry.evidence, "evidence", "evidence")
            return
        case Retraction():
            yield from _id(entry.target, "target")
        case Rescope():
            yield from _id(entry.evidence, "evidence", "evidence")
            yield from _scope({**entry.about, **dict.fromkeys(entry.unstated)})
            yield from _ids(entry.supported_by, "supported_by", "evidence")
        case Renewal():
            yield from _id(entry.claim, "claim", "claim")
            yield from _date(entry.expires, "expires")
    yield from _words(entry.reason, "reason")


def _consult(consult: Consult) -> Iterator[Flaw]:
    yield from _words(consult.question, "question")
    for i, arm in enumerate(consult.arms):
        yield from _words(arm.arm, f"arms[{i}].arm")
        if arm.answer is not None:
            yield from _artifact(arm.answer.sha256, arm.answer.bytes, f"arms[{i}].answer")


def texts(value: Any, place: str) -> Iterator[Flaw]:
    """Texts in JSON data that are too long or no Unicode."""
    if isinstance(value, str):
        if len(value) > TEXT_LIMIT:
            got, most = f"{len(value):,} characters", f"at most {TEXT_LIMIT:,}"
            yield Flaw(place, got, most, "Keep the text in a file and record it as an artifact.")
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            got = "a lone surrogate, which UTF-8 cannot hold"
            yield Flaw(place, got, "valid Unicode text", "Decode the text with its real encoding.")
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts(key, f"{place} (key)".strip())
            yield from texts(item, f"{place}.{key}" if place else key)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from texts(item, f"{place}[{i}]")


def _recorded(recorded: Recorded) -> Iterator[Flaw]:
    if not _AT.fullmatch(recorded.at) or not _is_real(recorded.at[:-1]):
        expected = "UTC such as 2026-01-31T09:30:00.000000Z"
        yield Flaw("recorded.at", show(recorded.at), expected, "Write microseconds and a final Z.")


def _is_real(iso: str) -> bool:
    try:
        dt.datetime.fromisoformat(iso)
    except ValueError:
        return False
    return True


def _date(date: str, place: str) -> Iterator[Flaw]:
    if not _DATE.fullmatch(date) or not _is_real(date):
        expected = "a real date, YYYY-MM-DD"
        yield Flaw(place, show(date), expected, "Write a date such as 2026-01-31.")


def _words(text: str, place: str) -> Iterator[Flaw]:
    if not text.strip():
        yield Flaw(place, show(text), "some text", f"Say what the {place} is.")


def _id(text: str, place: str, *kinds: str) -> Iterator[Flaw]:
    match = _ID.fullmatch(text)
    letters = [LETTERS[kind] for kind in kinds or KINDS]
    if match is None or match[1] not in letters:
        forms = " or ".join(f"{letter}-" for letter in letters)
        expected = f"the id of {' or '.join(kinds) or 'an entry'}: {forms} and {ID_DIGITS} hex"
        fix = "Ids in full are printed by `ledger list`."
        yield Flaw(place, show(text), expected, fix)


def _ids(texts: tuple[str, ...], place: str, *kinds: str) -> Iterator[Flaw]:
    for i, text in enumerate(texts):
        yield from _id(text, f"{place}[{i}]", *kinds)


def _scope(about: dict[str, str | None]) -> Iterator[Flaw]:
    for key in about:
        if not _KEY.fullmatch(key):
            expected = "a key without '=', spaces or control characters"
            yield Flaw("about", f"the key {show(key)}", expected, "Write scopes as key=value.")


def _unit(unit: str, place: str) -> Iterator[Flaw]:
    try:
        units.check(unit)
    except LedgerError as error:
        yield Flaw(place, show(unit), "a known unit", error.fix)


def _claim(claim: Claim) -> Iterator[Flaw]:
    yield from _words(claim.statement, "statement")
    yield from _words(claim.by.name, "by.name")
    if claim.consult is not None:
        yield from _id(claim.consult, "consult", "consult")
    yield from _scope(claim.about)
    yield from _ids(claim.evidence, "evidence", "evidence")
    for i, together in enumerate(claim.rests_on):
        yield from _ids(together, f"rests_on[{i}]", "claim", "evidence")
    yield from _ids(claim.echoes, "echoes", "claim")
    if claim.expires is not None:
        yield from _date(claim.expires, "expires")
    for i, figure in enumerate(claim.figures):
        yield from _unit(figure.unit, f"figures[{i}].unit")
    yield from _artifact_fields(claim.artifact_fields)
    if claim.row is not None:
        yield from _row(claim.row)
    yield from _expects(claim)


def _expects(claim: Claim) -> Iterator[Flaw]:
    expects = claim.expects
    if expects is None:
        return
    yield from _words(expects.quantity, "expects.quantity")
    yield from _unit(expects.unit, "expects.unit")
    value, high = expects.value, expects.high
    if isinstance(value, str) and (
        expects.quantity != "result" or expects.comparison not in {"==", "!="}
    ):
        fix = "Compare text as: result == TEXT, or result != TEXT."
        yield Flaw("expects.value", show(value), "a number", fix)
    if (expects.comparison == "in") != (high is not None):
        fix = "Give value and high with `in`, value alone with any other comparison."
        yield Flaw("expects.high", show(high), "an upper bound for `in`, and only there", fix)
    if high is not None and not isinstance(value, str) and high < value:
        fix = "Give the lower bound as value, the upper as high."
        yield Flaw("expects.high", show(high), f"at least {show(value)}", fix)


def _evidence(evidence: Evidence) -> Iterator[Flaw]:
    yield from _words(evidence.instrument.name, "instrument.name")
    yield from _words(evidence.instrument.version, "instrument.version")
    yield from _scope(evidence.about)
    yield from _scope(dict.fromkeys(evidence.instrument.decisive))
    if evidence.taken_at is not None and not _is_real(evidence.taken_at):
        expected = "a date or time such as 2026-01-31 or 2026-01-31T09:30:00Z"
        yield Flaw("taken_at", show(evidence.taken_at), expected, "Say when it was measured.")
    yield from _artifact_fields(evidence.artifact_fields)
    for i, artifact in enumerate(evidence.artifacts):
        yield from _artifact(artifact.sha256, artifact.bytes, f"artifacts[{i}]")
    for i, quantity in enumerate(evidence.quantities):
        place = f"quantities[{i}]"
        yield from _words(quantity.name, f"{place}.name")
        yield from _unit(quantity.unit, f"{place}.unit")
        if quantity.n is not None and (type(quantity.n) is not int or quantity.n < 1):
            yield Flaw(f"{place}.n", show(quantity.n), "at least 1", "Leave n out if not known.")
        if quantity.value is None and not (quantity.reason or "").strip():
            fix = "Say in `reason` why there is no value."
            yield Flaw(f"{place}.reason", show(quantity.reason), "a reason", fix)
        ordered = [v for v in (quantity.low, quantity.value, quantity.high) if v is not None]
        if ordered != sorted(ordered):
            got = ", ".join(map(show, ordered))
            fix = "Give low and high as the inclusive bounds around the value."
            yield Flaw(place, got, "low <= value <= high", fix)


def _artifact(sha256: str, size: int, place: str) -> Iterator[Flaw]:
    if not _SHA256.fullmatch(sha256):
        fix = "Write the SHA-256 of the file's bytes."
        yield Flaw(f"{place}.sha256", show(sha256), "64 lower-case hex digits", fix)
    if type(size) is not int or size < 0:
        yield Flaw(f"{place}.bytes", show(size), "the file's size", "Count the file's bytes.")


def _artifact_fields(fields: tuple[ArtifactField, ...]) -> Iterator[Flaw]:
    for i, item in enumerate(fields):
        place = f"artifact_fields[{i}]"
        yield from _artifact(item.artifact.sha256, item.artifact.bytes, f"{place}.artifact")
        yield from _pointer(item.pointer, place)


def _pointer(pointer: str, place: str) -> Iterator[Flaw]:
    if pointer and not pointer.startswith("/"):
        fix = "Write an RFC 6901 pointer, such as /runs/0/step_s."
        yield Flaw(f"{place}.pointer", show(pointer), "a JSON pointer", fix)


def _row(row: TableRow) -> Iterator[Flaw]:
    width = len(row.header)
    if len(row.cells) != width:
        fix = "Give a cell for each column."
        yield Flaw("row.cells", counted(len(row.cells), "cell"), f"{width}, as the header has", fix)
    for name in ("claim", "status", "replaced_by"):
        column = getattr(row, name)
        if column is not None and not 0 <= column < width:
            fix = "Count columns from 0."
            yield Flaw(f"row.{name}", show(column), f"a column below {width}", fix)


def _supersession(entry: Supersession) -> Iterator[Flaw]:
    yield from _id(entry.claim, "claim", "claim")
    yield from _words(entry.status, "status")
    yield from _date(entry.date, "date")
    yield from _ids(entry.evidence, "evidence", "evidence")
    if entry.replaced_by is not None and entry.replaced_by.claim is not None:
        yield from _id(entry.replaced_by.claim, "replaced_by.claim", "claim")
    yield from _artifact_fields(entry.artifact_fields)


def _note(note: Note) -> Iterator[Flaw]:
    yield from _artifact(note.artifact.sha256, note.artifact.bytes, "artifact")
    pointers = [(f"fields[{i}]", item.pointer) for i, item in enumerate(note.fields)]
    pointers += [(f"rechecked[{i}]", item.pointer) for i, item in enumerate(note.rechecked)]
    for place, pointer in pointers:
        yield from _pointer(pointer, place)
    for i, item in enumerate(note.fields):
        yield from _words(item.reason, f"fields[{i}].reason")
        if item.cause is not None:
            yield from _id(item.cause, f"fields[{i}].cause")
        yield from _ids(item.evidence, f"fields[{i}].evidence", "evidence")
    for i, recheck in enumerate(note.rechecked):
        yield from _id(recheck.evidence, f"rechecked[{i}].evidence", "evidence")
