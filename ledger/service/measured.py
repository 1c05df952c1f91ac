"""Recording a measurement that was made outside the ledger."""

from collections.abc import Sequence

from ledger import canonical, clock, units
from ledger.entry import Artifact, Evidence, GitState, Instrument, Quantity, Scope
from ledger.errors import LedgerError
from ledger.service.adding import Added, add
from ledger.service.artifacts import artifact, field_of, named
from ledger.service.book import Book


def evidence(
    book: Book,
    *,
    instrument: str,
    about: Scope,
    values: Sequence[str] = (),
    unknown: Sequence[str] = (),
    result: str | None = None,
    artifacts: Sequence[str] = (),
    environment: dict[str, str] | None = None,
    taken_at: str | None = None,
    doubts: Sequence[str] = (),
    decisive: Sequence[str] = (),
    tags: Sequence[str] = (),
) -> Added:
    """Record a measurement made outside the ledger, with the state of the repository.

    `values` are `name=value:unit[:n[:low..high]]`, `unknown` are `name=reason`, `artifacts` files
    it was read from, as `FILE#/pointer` where a field of one states it.
    """
    name, at, version = instrument.partition("@")
    if not at or not name or not version:
        raise LedgerError(
            "bad-input",
            f"the instrument {instrument!r} has no version",
            fix="--instrument stopwatch@1",
        )
    quantities = (*(_quantity(text) for text in values), *(_unknown(text) for text in unknown))
    if not (result.strip() if result is not None else quantities):
        raise LedgerError(
            "bad-input",
            "evidence needs a value or a result",
            fix="--value step=35.2:s, or --result pass",
        )
    names = [q.name for q in quantities]
    if twice := next((n for n in names if names.count(n) > 1), None):
        raise LedgerError("bad-input", f"{twice} is given twice", fix="one value for each quantity")
    root = book.ledger.root
    items = [named(text) for text in dict.fromkeys(artifacts)]
    files = tuple(dict.fromkeys(artifact(root, item.path) for item in items))
    entry = Evidence(
        recorded=clock.recorded(),
        instrument=Instrument(name=name, version=version, decisive=tuple(decisive)),
        about=about,
        quantities=quantities,
        result=result,
        artifacts=files,
        environment=dict(environment or {}),
        git=git_state(book, files),
        taken_at=taken_at,
        doubts=tuple(doubts),
        tags=tuple(tags),
        artifact_fields=tuple(field_of(root, i) for i in items if i.pointer is not None),
    )
    return add(book, entry)


_VALUE_FIX = "write it as --value step=35.2:s, with n and interval as step=35.2:s:7:35.0..35.5"


def _quantity(text: str) -> Quantity:
    name, equals, rest = text.partition("=")
    parts = rest.split(":")
    try:
        if not equals or not name or len(parts) > 4:  # noqa: PLR2004
            raise ValueError(f"cannot read the value {text!r}")
        value = canonical.number(parts[0])
        n = _count(parts[2]) if len(parts) > 2 and parts[2] else None  # noqa: PLR2004
        low = high = None
        if len(parts) == 4:  # noqa: PLR2004
            low, high = _bounds(parts[3])
    except ValueError as error:
        raise LedgerError("bad-input", f"{text!r}: {error}", fix=_VALUE_FIX) from None
    unit = units.check((parts[1] if len(parts) > 1 else "") or "1")
    return Quantity(name=name, value=value, unit=unit, n=n, low=low, high=high)


def _count(text: str) -> int:
    # int() would take `1_0` and the digits of other scripts.
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{text!r} is not a count of repeats")
    return int(text)


def _bounds(text: str) -> tuple[float, float]:
    low, dots, high = text.partition("..")
    if not dots:
        raise ValueError(f"{text!r} is not LOW..HIGH")
    return canonical.number(low), canonical.number(high)


def _unknown(text: str) -> Quantity:
    name, equals, reason = text.partition("=")
    if not equals or not name or not reason.strip():
        raise LedgerError(
            "bad-input",
            f"--unknown {text!r} gives no reason",
            fix="--unknown 'mfu=peak FLOP/s of this card not known'",
        )
    return Quantity(name=name, value=None, reason=reason)


def git_state(book: Book, artifacts: Sequence[Artifact]) -> GitState:
    """The repository's state, apart from the ledger's own files and those hashed as artifacts."""
    from ledger import gitio

    own = (f"{book.ledger.claims.name}/", f"{book.ledger.index_path.parent.name}/")
    return gitio.state(book.ledger.root, ignore=(*own, *(a.path for a in artifacts)))
