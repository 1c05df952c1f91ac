"""The files of a repository whose lines state a figure: candidates by `git grep`, or by a walk."""

import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ledger import gitio, render
from ledger.entry import Consult, Figure
from ledger.kinds import SIDECAR_SUFFIX
from ledger.render import markdown
from ledger.service.book import Book

if TYPE_CHECKING:
    from ledger.figures import Matcher

DOCUMENTS = ("**/*.[mM][dD]", "**/*.[mM][aA][rR][kK][dD][oO][wW][nN]")
_LONGEST = 10_000
"""A longer line is data or generated code, and nobody reads it."""
_PROBED = 8000
"""A NUL in so many first bytes makes a file binary, as git has it (`buffer_is_binary`)."""
_OWN = ("claims/**", ".ledger/**", f"**/*{SIDECAR_SUFFIX}")
_MANY = 200
"""From so many figures on, one expression for all of them takes git longer than it saves: over 2 MB
0.3 s for 100 figures, 2.4 s for 400, 36 s for 1,500. Then every line with a number is judged."""
_LONE_CR = re.compile(rb"\r(?!\n)")


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A file that states a figure."""

    path: str
    """Relative to the ledger's root."""
    lines: tuple[str, ...]
    """All of its lines; generated parts and overlong lines are empty."""
    numbers: tuple[int, ...]
    """0-based, of the lines that state one."""


class Files:
    """The files of a repository that are neither entries nor a part of one."""

    def __init__(self, book: Book) -> None:
        self.root = book.ledger.root
        self.warnings: list[str] = []
        # An arm's answer is what it said, right or wrong.
        self._answers = {
            arm.answer.path
            for entry in book.entries.values()
            if isinstance(entry, Consult)
            for arm in entry.arms
            if arm.answer is not None
        }

    def stating(
        self, figures: Sequence[Figure], matcher: "Matcher", *, only: Sequence[str] = ()
    ) -> Iterator[Hit]:
        """The files where the matcher of these figures finds one outside generated parts, by path.

        `only` holds globs. Where git cannot be asked, `warnings` then says why.
        """

        def hits(line: str) -> bool:
            return 0 < len(line) <= _LONGEST and bool(matcher.find(line))

        candidates = self._candidates(figures, hits, only)
        for path in sorted(candidates.keys() - self._answers):
            source = _read(self.root / path)
            lines = _lines(source, path)
            listed = candidates[path]
            # Only LF ends a line for git; where a CR does too, its numbers are of no use.
            if listed and not _LONE_CR.search(source):
                found = tuple(n for n in listed if n < len(lines) and lines[n])
            else:
                found = tuple(n for n, line in enumerate(lines) if hits(line))
            if found:
                yield Hit(path=path, lines=lines, numbers=found)

    def _candidates(
        self, figures: Sequence[Figure], hits: Callable[[str], bool], only: Sequence[str]
    ) -> Mapping[str, Sequence[int]]:
        """Paths, with the lines (0-based) that state a figure; with none, any line may."""
        try:
            found = gitio.grep(self.root, _pattern(figures), only=only, exclude=_OWN)
        except gitio.NoRepositoryError:
            return self._walked(only)
        except gitio.GitFailedError as failure:
            self.warnings.append(f"{failure}; read every file instead, ignored ones too")
            return self._walked(only)
        numbers: dict[str, list[int]] = {}
        for line in found:
            if hits(line.text):
                numbers.setdefault(line.path, []).append(line.number - 1)
        return numbers

    def _walked(self, only: Sequence[str]) -> Mapping[str, Sequence[int]]:
        suffixes = render.SUFFIXES if only else None
        return {
            path.relative_to(self.root).as_posix(): ()
            for path in render.regular_files(self.root, suffixes=suffixes)
            if not path.name.endswith(SIDECAR_SUFFIX)
        }


def _pattern(figures: Sequence[Figure]) -> str:
    """A POSIX ERE for every line that could state one of the figures."""
    from ledger.figures import any_number, candidates

    return candidates(figures) if len(figures) < _MANY else any_number()


def _read(path: Path) -> bytes:
    """The content of a regular text file; nothing of any other, and of one that cannot be read."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return b""
        with path.open("rb") as file:
            start = file.read(_PROBED)
            return b"" if b"\0" in start else start + file.read()
    except OSError:
        return b""


def _lines(source: bytes, path: str) -> tuple[str, ...]:
    lines = markdown.unix(markdown.text_of(source)).split("\n")
    if Path(path).suffix.lower() in render.SUFFIXES:
        for span in render.generated_lines(source):
            for number in span:
                lines[number - 1] = ""
    return tuple(line if len(line) <= _LONGEST else "" for line in lines)
