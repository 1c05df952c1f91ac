"""Words for messages and tables: counts, statements cut short, lists."""

from collections.abc import Iterable


def counted(number: int, word: str, plural: str = "") -> str:
    """A number with its noun: `1 line`, `2 lines`; `plural` for one that does not take an s."""
    return f"{number} {word}" if number == 1 else f"{number} {plural or f'{word}s'}"


def brief(text: str, width: int = 60) -> str:
    """The start of a statement, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"


def quoted(text: str, width: int = 60) -> str:
    """The start of a statement, set off from the words around it."""
    return f"“{brief(text, width)}”"


def listed(items: Iterable[str], *, separator: str = ", ", most: int = 4) -> str:
    """Items without repetition; after the first `most`, only how many more there are."""
    found = list(dict.fromkeys(items))
    more = [f"{len(found) - most} more"] if len(found) > most else []
    return separator.join([*found[:most], *more])
