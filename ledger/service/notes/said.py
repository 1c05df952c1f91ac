"""What is said of an artifact's fields on the command line, each field with its reason."""

from dataclasses import dataclass
from typing import NamedTuple

from ledger.errors import LedgerError
from ledger.provenance.falls import FieldStatus


class Statement(NamedTuple):
    """One field that is not right, as typed."""

    pointer: str
    status: FieldStatus
    reason: str
    actual: str | None


@dataclass(frozen=True, kw_only=True)
class Said:
    """What is said of an artifact's fields, as typed."""

    wrong: tuple[str, ...] = ()
    actual: tuple[str, ...] = ()
    """The right values, as many as `wrong` and in its order, or none."""
    misleading: tuple[str, ...] = ()
    uninformative: tuple[str, ...] = ()
    investigating: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    """One for all, or one for each field where all are of one sort."""
    evidence: tuple[str, ...] = ()
    rechecked: tuple[str, ...] = ()
    """`POINTER=e-ID`, or a pointer alone, which takes `evidence`."""
    redact: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    by: str | None = None

    def fields(self) -> tuple[Statement, ...]:
        """Every field with its status and, as typed, its right value.

        Raises LedgerError for another number of right values, or of reasons, than of fields.
        """
        if self.actual and len(self.actual) != len(self.wrong):
            raise LedgerError(
                "bad-input",
                f"{len(self.wrong)} --wrong and {len(self.actual)} --actual",
                fix="give each --wrong its --actual in the same order; those whose right value is "
                "not known go into a note of their own",
            )
        sorts: tuple[tuple[FieldStatus, tuple[str, ...]], ...] = (
            ("wrong" if self.actual else "wrong_actual_unknown", self.wrong),
            ("misleading_scope", self.misleading),
            ("uninformative", self.uninformative),
            ("under_investigation", self.investigating),
        )
        found = [(status, pointer) for status, given in sorts for pointer in given]
        reasons = self._reasons(len(found), sorts=sum(bool(given) for _, given in sorts))
        actual: tuple[str | None, ...] = (*self.actual, *[None] * (len(found) - len(self.actual)))
        return tuple(
            Statement(pointer, status, reason, right)
            for (status, pointer), reason, right in zip(found, reasons, actual, strict=True)
        )

    def _reasons(self, count: int, *, sorts: int) -> list[str]:
        if len(self.reasons) == 1 or not count:
            return [*self.reasons] * count
        if not self.reasons:
            raise LedgerError(
                "bad-input", "a field that is not right needs a reason", fix="add --reason TEXT"
            )
        if len(self.reasons) == count and sorts == 1:
            return [*self.reasons]
        raise LedgerError(
            "bad-input",
            f"{len(self.reasons)} --reason for {count} fields of {sorts} sorts",
            fix="give one --reason for all; or one for each field of one sort, in a note for each "
            "sort",
        )
