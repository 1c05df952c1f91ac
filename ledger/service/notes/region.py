"""PROVENANCE-NOTE.md: one generated region for each noted artifact of its directory."""

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ledger import canonical, render
from ledger.errors import LedgerError
from ledger.fold import Fold
from ledger.rules.view import NoteFileCondition
from ledger.service.disk import bytes_of, shown

MARKDOWN = "PROVENANCE-NOTE.md"
_TITLE = b"# Provenance notes\n"
_VIEW = "note"
_LOSS = "record the change as an entry or undo it; --accept-loss gives it up"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, kw_only=True)
class NoteFile:
    """A file beside a noted artifact: as it is, and as the ledger wants it."""

    path: Path
    artifact: str
    region: str
    """What of the file is generated: `note id=NAME`, or `sidecar` for all of it."""
    line: int = 1
    state: NoteFileCondition = "missing"
    wanted: bytes = b""
    """What it is to hold; where it was edited, once that is given up."""
    refusal: LedgerError | None = None
    """Why it is not to be written, of one that is edited, foreign or malformed."""
    diff: str = ""
    """Of one that was edited: what writing it would change."""

    def allow(self, *, accept_loss: bool) -> None:
        """Raise LedgerError where the file is not to be written."""
        if self.refusal is not None and not (self.state == "edited" and accept_loss):
            raise self.refusal


def option_of(path: str) -> str:
    """A path as a marker's option, which holds no space and no angle bracket."""
    from urllib.parse import quote

    return quote(path, safe="/!$&'()*+,;:@~")


def region_id(path: str) -> str:
    """A marker's id for an artifact, another one for each file of a directory."""
    name = path.rsplit("/", 1)[-1]
    if _ID.fullmatch(name) and len(name) <= 60:  # noqa: PLR2004 - a line to read
        return name
    plain = "-".join(re.findall(r"[A-Za-z0-9._-]+", name)).strip("._-")[:40] or "artifact"
    return f"{plain}-{canonical.sha256(name.encode())[:8]}"


class PlaceOf(NamedTuple):
    """Where an artifact's region belongs."""

    path: Path
    region: str
    """`note id=NAME`."""


def place_of(root: Path, path: str) -> PlaceOf:
    """The document beside an artifact, and the region that it gets there."""
    return PlaceOf((root / path).with_name(MARKDOWN), f"{_VIEW} id={region_id(path)}")


def file_of(fold: Fold, root: Path, path: str) -> NoteFile:
    """The document beside an artifact, as it is and with the artifact's region current.

    Its other regions, and every byte outside a region, stay as they are.
    """
    place, region = place_of(root, path)
    source = bytes_of(place)
    file = NoteFile(path=place, artifact=path, region=region)
    try:
        if source is None and os.path.lexists(place):
            raise LedgerError("bad-input", "it cannot be read", fix="make it a readable file")
        judged = _judged(fold, root, path, source or b"")
        if judged is None:
            return replace(file, wanted=_appended(fold, root, path, source))
    except LedgerError as error:
        return _refused(file, root, error, state="malformed")
    found = replace(
        file,
        region=f"{_VIEW} id={judged.region.id}",
        line=judged.region.begin_line,
        state=judged.state,
        wanted=render.renew(source or b"", [judged], accept_loss=True),
    )
    if judged.error is not None:
        return _refused(found, root, judged.error, state="malformed")
    if judged.state == "edited":
        return edited(found, root, render.diff(judged))
    return found


def edited(file: NoteFile, root: Path, diff: str) -> NoteFile:
    """A file that was changed by hand."""
    message = f"edited by hand: {file.region}\n{diff}"
    error = LedgerError("edited-region", message, fix=_LOSS)
    return replace(_refused(file, root, error, state="edited"), diff=diff)


def _refused(
    file: NoteFile, root: Path, error: LedgerError, *, state: NoteFileCondition
) -> NoteFile:
    message = f"{shown(file.path, root)}: {error.message}"
    refusal = LedgerError(error.code, message, fix=error.fix)
    return replace(file, state=state, refusal=refusal)


def _judged(fold: Fold, root: Path, path: str, source: bytes) -> render.Judged | None:
    """The artifact's region; None where the document has none. Raises LedgerError as `find`."""

    def make(region: render.Region) -> render.Generated:
        return render.generated(_body(fold, root, region) if _is(region, path) else "")

    return next((item for item in render.judge(source, make) if _is(item.region, path)), None)


def _is(region: render.Region, path: str) -> bool:
    return region.view == _VIEW and render.decoded(region.options.get("artifact", "")) == path


def _body(fold: Fold, root: Path, region: render.Region) -> str:
    return render.VIEWS[region.view].body(
        render.Request(
            fold=fold, id=region.id, options=region.options, read=lambda path: bytes_of(root / path)
        )
    )


def _appended(fold: Fold, root: Path, path: str, source: bytes | None) -> bytes:
    """The document with the artifact's region at its end, every byte before it kept.

    Raises LedgerError where the end of the document would hide the region.
    """
    before = _TITLE if source is None else source
    options = {"artifact": option_of(path)}
    request = render.Request(
        fold=fold, id=region_id(path), options=options, read=lambda path: bytes_of(root / path)
    )
    body = render.VIEWS[_VIEW].body(request)
    text = render.wrap(_VIEW, request.id, options, body).encode()
    eol = b"\r\n" if b"\r\n" in before else b"\n"
    gap = b"" if not before else eol if before.endswith((b"\n", b"\r")) else eol + eol
    result = before + gap + text.replace(b"\n", eol)
    try:
        found = any(_is(region, path) for region in render.find(result))
    except LedgerError:
        found = False  # one of its markers is hidden
    if not found:
        raise LedgerError(
            "bad-markers",
            "the end of the document hides what is put after it",
            fix="close the code fence or HTML block that is open at its end",
        )
    return result
