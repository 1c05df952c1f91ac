"""Naming and hashing artifacts and their fields: `FILE` and `FILE#/pointer`."""

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from ledger import canonical
from ledger.entry import Artifact, ArtifactField
from ledger.errors import LedgerError
from ledger.service import disk


class Named(Struct, frozen=True, kw_only=True):
    """A file, and the field of it that was named."""

    path: Path
    pointer: str | None
    """RFC 6901, empty for the whole document; None where the file alone was named."""


def named(text: str) -> Named:
    """Split `FILE#/pointer` at the `#` that ends the name of a file which exists.

    A text that is the name of a file as a whole is that file; of several `#` the last one with a
    file before it counts. Raises LedgerError where nothing before a `#` is a file, or what follows
    is no pointer.
    """
    if "#" not in text or _is_file(text):
        return Named(path=Path(text), pointer=None)
    for at in (i for i in range(len(text) - 1, 0, -1) if text[i] == "#"):
        path, pointer = Path(text[:at]), text[at + 1 :]
        if _is_file(text[:at]):
            if pointer and not pointer.startswith("/"):
                raise LedgerError(
                    "bad-input",
                    f"--artifact {text}: a pointer begins with a slash",
                    fix=f"--artifact '{path}#/{pointer}'",
                )
            return Named(path=path, pointer=pointer)
    raise LedgerError(
        "bad-input",
        f"cannot read the artifact {text}: there is no such file, nor one before a #",
        fix="name a readable file, and a field of it as FILE#/key",
    )


def _is_file(name: str) -> bool:
    # Path.is_file raises for a name that is too long, which FILE#/pointer as a whole can be.
    return os.path.isfile(name)  # noqa: PTH113


def artifact_fields(root: Path, texts: Sequence[str]) -> tuple[ArtifactField, ...]:
    """The named fields, each with its file as it is now; a file alone stands for all of it.

    Raises LedgerError for a file that is not JSON or YAML and for a pointer that names nothing.
    """
    return tuple(field_of(root, named(text)) for text in dict.fromkeys(texts))


def field_of(root: Path, item: Named) -> ArtifactField:
    """The field, with its file as it is now. Raises LedgerError as `artifact_fields` does."""
    if not item.pointer:
        return ArtifactField(artifact=artifact(root, item.path), pointer="")
    from ledger.provenance import pointers, reading

    read = read_artifact(root, item.path)
    document = reading.read(read.source, name=str(item.path))
    try:
        pointers.value_at(document.data, item.pointer)
    except LedgerError as error:
        raise LedgerError(error.code, f"{item.path}: {error.message}", fix=error.fix) from None
    return ArtifactField(artifact=read.artifact, pointer=item.pointer)


class Read(Struct, frozen=True, kw_only=True):
    """An artifact with its bytes."""

    artifact: Artifact
    source: bytes


def read_artifact(root: Path, path: Path) -> Read:
    """Read and hash a file at once. Raises LedgerError as `artifact` does."""
    source = disk.read(path, called=f"the artifact {path}")
    found = Artifact(
        path=disk.shown(path, root), sha256=canonical.sha256(source), bytes=len(source)
    )
    return Read(artifact=found, source=source)


def artifact(root: Path, path: Path) -> Artifact:
    """Hash a file; its path is kept relative to the root where it lies below it.

    Raises LedgerError when it is missing, unreadable or no regular file.
    """
    import hashlib

    try:
        with disk.opened(path) as file:
            digest = hashlib.file_digest(file, "sha256")
            size = file.tell()
    except OSError as error:
        raise disk.unreadable(f"the artifact {path}", error) from None
    return Artifact(path=disk.shown(path, root), sha256=digest.hexdigest(), bytes=size)
