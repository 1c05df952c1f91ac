"""What a view is: a kind of generated region, its options and what it is made of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.kinds import LETTERS

AS_OF = "as_of"
"""The option that `ledger render` writes into the begin marker of a dated view."""
_SHORTEST = 6
"""Characters of an id's prefix: the letter, the dash and four digits."""


class OptionError(LedgerError):
    """An option in a begin marker that the view cannot follow."""

    def __init__(self, option: str, message: str, *, fix: str) -> None:
        super().__init__("bad-markers", f"{option}: {message}", fix=fix)
        self.option = option


def _no_file(path: str) -> bytes | None:  # noqa: ARG001
    return None


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a region asks for."""

    fold: Fold
    id: str
    """The region's id."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What its begin marker says besides `id` and `sha256`, percent-encoded as it stands there."""
    read: Callable[[str], bytes | None] = _no_file
    """An artifact's bytes by the path that entries name it by; None for one that is not there."""

    def text(self, option: str) -> str | None:
        """The decoded value of an option; None where it is not given."""
        return decoded(self.options[option]) if option in self.options else None

    def words(self, option: str) -> tuple[str, ...]:
        """The decoded parts of a value with commas; none where it is not given."""
        value = self.options.get(option)
        return tuple(decoded(word) for word in value.split(",")) if value is not None else ()

    def entry(self, option: str, *kinds: str) -> str | None:
        """The id that an option gives, as a whole or by unique prefix; None where it is not given.

        Raises OptionError when no entry of these kinds, or more than one, is meant.
        """
        given = self.text(option)
        if given is None or (given in self.fold.entries and _is(given, kinds)):
            return given
        known = [i for i in self.fold.entries if i.startswith(given) and _is(i, kinds)]
        if len(known) == 1 and len(given) >= _SHORTEST:
            return known[0]
        what = " or ".join(kinds)
        raise OptionError(
            option,
            f"{given!r} may be {', '.join(sorted(known)[:4])}"
            if known
            else f"there is no {what} {given!r}",
            fix=f"give the id of one entry of that kind ({what}), from ledger list",
        )


def decoded(value: str) -> str:
    """An option's value with its percent-encoding undone."""
    from urllib.parse import unquote

    return unquote(value)


def encoded(value: str) -> str:
    """A value as a marker can hold it; commas, equals signs and percent signs stay as they are."""
    from urllib.parse import quote

    return quote(value, safe=",=%+:/@")


def _is(entry_id: str, kinds: tuple[str, ...]) -> bool:
    return any(entry_id.startswith(LETTERS[kind]) for kind in kinds)


def _always(request: Request) -> bool:  # noqa: ARG001
    return True


@dataclass(frozen=True, kw_only=True)
class View:
    """A kind of generated region."""

    name: str
    options: tuple[str, ...]
    """The keys that its begin marker may carry, besides `id` and `sha256`."""
    columns: tuple[str, ...]
    body: Callable[[Request], str]
    """Raises OptionError for an option that it cannot follow."""
    id_matters: Callable[[Request], bool] = _always
    """Whether the body depends on the region's id; otherwise equal options give one body."""

    @property
    def dated(self) -> bool:
        """Whether the body counts days from the date in the `as_of` option."""
        return AS_OF in self.options


def registry(*views: View) -> Mapping[str, View]:
    """The views by name. Raises ValueError for a name given twice."""
    named = {view.name: view for view in views}
    if len(named) != len(views):
        raise ValueError("two views have the same name")
    return MappingProxyType(named)


def table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> str:
    """A GFM table of cells that are Markdown source already, LF, with a final LF."""
    lines = [columns, ("---",) * len(columns), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
