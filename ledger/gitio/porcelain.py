"""What git prints, read: `status --porcelain=v2`, `--name-status`. Pure."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

What = Literal["modified", "deleted", "renamed"]
_FIELDS = {"1": 8, "u": 10, "2": 9}
"""Spaces before the path in a porcelain v2 line (git-status(1))."""


class UnexpectedError(Exception):
    """git printed something else; the text says what."""


class Change(NamedTuple):
    """What happened to a committed file."""

    commit: str | None
    """None for the working tree."""
    what: What
    path: str
    """From the top of the working tree."""


class Dirty(NamedTuple):
    """A path that is not as committed."""

    code: str
    """The two letters of git-status(1), and the state of a submodule."""
    path: str
    """From the top of the working tree."""


@dataclass(frozen=True, kw_only=True)
class Status:
    """The answer of `git status`; no oid before the first commit, no branch on a detached head."""

    oid: str | None
    branch: str | None
    dirty: tuple[Dirty, ...]


def text(raw: bytes) -> str:
    """A path or message as text, bytes that are no UTF-8 escaped."""
    return raw.decode("utf-8", "backslashreplace")


def status(raw: bytes) -> Status:
    """Read porcelain v2 with -z. Raises UnexpectedError for what is not that."""
    headers: dict[str, str] = {}
    dirty: list[Dirty] = []
    items = iter(text(raw).split("\0"))
    for item in items:
        mark, _, rest = item.partition(" ")
        if mark == "#":
            key, _, value = rest.partition(" ")
            headers[key] = value
        elif mark == "?":
            dirty.append(Dirty("??", rest))
        elif mark in _FIELDS:
            fields = item.split(" ", _FIELDS[mark])
            if len(fields) <= _FIELDS[mark]:
                raise UnexpectedError(f"git status said {item[:60]!r}")
            code, submodule, path = fields[1], fields[2], fields[-1]
            dirty.append(Dirty(code if submodule == "N..." else f"{code} {submodule}", path))
            if mark == "2":
                dirty.append(Dirty(code, next(items, "")))  # where it was before
        elif item:
            raise UnexpectedError(f"git status said {item[:60]!r}")
    if "branch.oid" not in headers:
        raise UnexpectedError("git status named no commit")
    oid, branch = headers["branch.oid"], headers.get("branch.head")
    return Status(
        oid=None if oid == "(initial)" else oid,
        branch=None if branch == "(detached)" else branch,
        dirty=tuple(dirty),
    )


def changes(raw: bytes, *, commit: str | None = None) -> Iterator[Change]:
    """Read `--name-status -z`; a renamed file is named by its old path."""
    items = iter(text(raw).split("\0"))
    for item in items:
        mark = item.strip()
        if mark.startswith("R"):
            yield Change(commit, "renamed", next(items, ""))
            next(items, "")
        elif mark in {"M", "T"}:
            yield Change(commit, "modified", next(items, ""))
        elif mark == "D":
            yield Change(commit, "deleted", next(items, ""))


def log(raw: bytes) -> Iterator[Change]:
    """Read `log -m --format=%x00%x00%H %P --name-status -z`, newest first.

    A merge is listed once for each parent. An entry recorded on both sides differs from one of
    them in its time alone, so a merge has modified only what differs from every parent.
    """
    differing: Counter[tuple[str, str]] = Counter()
    for block in raw.split(b"\0\0\0"):
        head, _, rest = block.lstrip(b"\0").partition(b"\0")
        commit, *parents = text(head).split() or [""]
        for change in changes(rest, commit=commit):
            differing[commit, change.path] += 1
            if change.what != "modified" or differing[commit, change.path] >= len(parents):
                yield change
