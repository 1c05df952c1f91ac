import pytest
from inline import Ledger
from inline_rules import found, subjects

from ledger.entry import Artifact, ArtifactField, Note, NoteField, Recorded
from ledger.rules import Facts, NoteFileState

FILE = Artifact(path="run/my record.json", sha256="ab" * 32, bytes=7)
MFU = ArtifactField(artifact=FILE, pointer="/mfu")


def stated() -> Ledger:
    """c-1 is stated by a field; s-1 takes it away."""
    book = Ledger()
    book.claim("c-1", artifact_fields=(MFU,))
    book.supersede("s-1", "c-1")
    return book


def note(book: Ledger, name: str, cause: str | None = "c-1") -> str:
    field = NoteField(pointer="/mfu", status="wrong_actual_unknown", reason="r", cause=cause)
    return book.put(name, Note(recorded=Recorded(at=""), artifact=FILE, fields=(field,)))


def file(state: str, region: str = "sidecar") -> Facts:
    path = "run/my record.json.provenance-note.json" if region == "sidecar" else "run/N.md"
    return Facts(
        note_files=(
            NoteFileState(
                artifact=FILE.path, note="n-1", path=path, line=3, region=region, state=state,  # type: ignore[arg-type]
            ),
        )
    )  # fmt: skip


def test_a_field_that_states_what_fell_needs_a_note() -> None:
    book = stated()
    [finding] = found(book, "note-missing")
    assert (finding.subject, finding.level) == ("c-1", "error")
    assert finding.message.startswith("run/my record.json#/mfu states it")
    assert finding.fix == "ledger note 'run/my record.json'"
    note(book, "n-1")
    assert subjects(book, "note-missing") == []
    book.retract("r-1", "n-1")
    [finding] = found(book, "note-missing")
    assert (finding.subject, finding.got) == ("c-1", "r-1 took the note back")
    assert finding.fix.startswith("give it back, ledger retract r-1 --reason TEXT, or say what ")
    book.retract("r-2", "s-1")
    assert subjects(book, "note-missing") == []


def test_words_of_ones_own_do_only_where_the_note_was_taken_back() -> None:
    book = stated()
    note(book, "n-hand", cause=None)
    assert subjects(book, "note-missing") == ["c-1"]
    note(book, "n-1")
    book.retract("r-1", "n-1")
    assert subjects(book, "note-missing") == []
    book.retract("r-2", "n-hand")
    assert subjects(book, "note-missing") == ["c-1"]


def test_a_rescoped_measurements_field_needs_a_note() -> None:
    book = Ledger()
    book.evidence("e-1", 0.086, about={"seat": "training"}, artifact_fields=(MFU,))
    assert subjects(book, "note-missing") == []
    book.rescope("o-1", "e-1", seat="serving")
    [finding] = found(book, "note-missing")
    assert finding.subject == "e-1"
    assert "misleading_scope" in finding.expected


def test_a_note_whose_file_is_not_there_is_missing() -> None:
    book = stated()
    note(book, "n-1")
    [finding] = found(book, "note-missing", file("missing"))
    assert (finding.subject, finding.level, finding.fix) == ("n-1", "error", "ledger render")


@pytest.mark.parametrize(
    ("state", "slug", "level"),
    [
        ("stale", "region-stale", "warning"),
        ("edited", "region-edited", "error"),
        ("foreign", "region-edited", "error"),
        ("malformed", "region-edited", "error"),
    ],
)
def test_a_file_beside_the_artifact_that_is_not_current(state: str, slug: str, level: str) -> None:
    book = stated()
    note(book, "n-1")
    [finding] = found(book, slug, file(state))
    assert (finding.level, finding.path, finding.line) == (
        level, "run/my record.json.provenance-note.json", 3,
    )  # fmt: skip
    named = "ledger render 'run/my record.json.provenance-note.json' --accept-loss"
    assert (named in finding.fix) == (state == "edited")


def test_a_noted_artifact_that_is_gone_or_another_file() -> None:
    book = stated()
    note(book, "n-1")
    same = Facts(artifacts={FILE.path: FILE.sha256})
    assert found(book, "artifact-changed", same) == found(book, "artifact-missing", same) == []
    [changed] = found(book, "artifact-changed", Facts(artifacts={FILE.path: "cd" * 32}))
    assert (changed.subject, changed.level, changed.got) == ("n-1", "error", "sha256 cdcdcdcdcdcd")
    assert changed.message == "run/my record.json is another file now"
    command = "ledger note 'run/my record.json' --wrong /mfu --reason TEXT"
    assert changed.fix == f"restore {FILE.path}, or say what holds of the new file: {command}"
    [gone] = found(book, "artifact-missing", Facts(artifacts={FILE.path: None}))
    assert (gone.subject, gone.level) == ("n-1", "warning")


def test_each_content_of_a_file_has_its_own_note() -> None:
    book = stated()
    note(book, "n-1")
    later = Artifact(path=FILE.path, sha256="cd" * 32, bytes=9)
    field = NoteField(pointer="/mfu", status="wrong_actual_unknown", reason="r")
    book.put("n-2", Note(recorded=Recorded(at=""), artifact=later, fields=(field,)))
    for content in (FILE.sha256, later.sha256):
        assert subjects(book, "artifact-changed", Facts(artifacts={FILE.path: content})) == []
    other = Facts(artifacts={FILE.path: "ef" * 32})
    assert subjects(book, "artifact-changed", other) == ["n-2"]
    book.retract("r-1", "n-2")
    now = Facts(artifacts={FILE.path: later.sha256})
    assert subjects(book, "artifact-changed", now) == ["n-1"]


def test_a_field_is_checked_while_its_entry_stands() -> None:
    book = Ledger()
    book.claim("c-1", artifact_fields=(MFU,))
    book.evidence("e-1", artifact_fields=(MFU,))
    facts = Facts(artifacts={FILE.path: "cd" * 32})
    [finding] = found(book, "artifact-changed", facts)
    assert finding.subject == "c-1"
    book.supersede("s-1", "c-1")
    assert subjects(book, "artifact-changed", facts) == ["e-1"]
    book.retract("r-1", "e-1")
    assert subjects(book, "artifact-changed", facts) == []


def test_a_measurements_own_file_is_told_of_once() -> None:
    book = Ledger()
    book.evidence("e-1", artifacts=(FILE,), artifact_fields=(MFU,))
    facts = Facts(artifacts={FILE.path: "cd" * 32})
    assert subjects(book, "artifact-changed", facts) == ["e-1"]
