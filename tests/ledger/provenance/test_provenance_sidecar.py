import json
from typing import Any

from command_line import shared
from globbing import matches
from inline import TODAY, Ledger, artifact, wrong

from ledger import canonical, codec
from ledger.entry import Artifact, NoteField
from ledger.fold import fold
from ledger.provenance.notes import notes_of
from ledger.provenance.pointers import leaves
from ledger.provenance.sidecar import sidecar, to_bytes

SOURCE = '{"a": {"b": 2.50, "c": [1, 2]}, "d": "x", "e": null}'
FILE = artifact(SOURCE)


def built(ledger: Ledger, source: str | None = SOURCE) -> dict[str, Any]:
    folded = fold(ledger, as_of=TODAY)
    return sidecar(
        folded, notes_of(folded)[FILE.path], source=None if source is None else source.encode()
    )


def corrected() -> Ledger:
    raw = Artifact(path="raw/steps.csv", sha256="0" * 64, bytes=3)
    ledger = Ledger()
    ledger.evidence("e-1", 2.5, artifacts=(raw,))
    ledger.evidence("e-2")
    ledger.note("n-1", FILE, wrong("/e", "uninformative", recorded=None), by="ann")
    ledger.note(
        "n-2",
        FILE,
        NoteField(
            pointer="/a/b",
            status="wrong",
            reason="measured again",
            recorded=canonical.Number("2.50"),
            actual=3,
            evidence=("e-1", "e-2"),
        ),
        rechecked={"/d": "e-1"},
        by="bob",
    )
    return ledger


def test_the_sidecar_has_the_agreed_shape() -> None:
    ledger = corrected()
    digest = canonical.sha256(codec.content(codec.encode(ledger["n-1"])))
    e_1 = {"measurement_id": "e-1", "uri": "raw/steps.csv", "sha256": "0" * 64}
    assert built(ledger) == {
        "schema": "provenance-note/1",
        "id": "n-2",
        "version": 2,
        "artifact": {
            "path": FILE.path,
            "sha256": FILE.sha256,
            "bytes": len(SOURCE),
            "media_type": "application/json",
        },
        "date": "2026-06-01",
        "by": {"kind": "agent", "id": "bob"},
        "supersedes": [{"id": "n-1", "sha256": digest}],
        "fields": [
            {
                "pointer": "/e",
                "status": "uninformative",
                "recorded": None,
                "actual": None,
                "reason": "/e is not right",
                "evidence": [],
            },
            {
                "pointer": "/a/b",
                "status": "wrong",
                "recorded": 2.5,
                "actual": 3,
                "reason": "measured again",
                "evidence": [e_1, {"measurement_id": "e-2", "uri": None, "sha256": None}],
            },
        ],
        "remainder": {
            "rechecked": [{"pointer": "/d", "evidence": [e_1]}],
            "not_disputed": ["/a/c/*"],
            "leaf_count": 5,
        },
    }


def test_the_bytes_are_stable_and_keep_the_digits() -> None:
    once = to_bytes(built(corrected()))
    assert to_bytes(built(corrected())) == once
    assert b'"recorded": 2.50,' in once
    assert once.endswith(b"}\n")


def test_a_withheld_value_is_shown_as_withheld() -> None:
    ledger = Ledger()
    ledger.note("n-1", FILE, wrong("/d"))
    (field,) = built(ledger)["fields"]
    assert (field["recorded"], field["recorded_withheld"]) == (None, True)
    assert built(ledger)["by"] is None


def test_without_the_noted_bytes_there_is_no_remainder_but_a_reason() -> None:
    for source, why in ((None, "is not there"), (SOURCE + " ", "has other content now")):
        found = built(corrected(), source)
        assert found["remainder"] is None
        assert why in found["remainder_reason"]
        assert [f["pointer"] for f in found["fields"]] == ["/e", "/a/b"]
        assert found["artifact"]["sha256"] == FILE.sha256


def test_what_was_withdrawn_says_so() -> None:
    ledger = corrected()
    ledger.retract("r-1", "e-1")
    found = built(ledger)
    assert [e.get("withdrawn") for e in found["fields"][1]["evidence"]] == [True, None]
    assert found["remainder"]["rechecked"] == []
    assert found["remainder"]["not_disputed"] == ["/a/c/*", "/d"]
    assert [c["pointer"] for c in found["lapsed_rechecks"]] == ["/d"]


def test_a_reader_of_the_sidecar_alone_accounts_for_every_leaf_of_the_given_files() -> None:
    folder = shared() / "data" / "provenance"
    for name, expected in json.loads((folder / "expected.json").read_text()).items():
        source = (folder / name).read_bytes()
        file = artifact(source, path=name)
        ledger = Ledger()
        ledger.evidence("e-1")
        ledger.note("n-1", file)
        folded = fold(ledger, as_of=TODAY)
        found = sidecar(folded, notes_of(folded)[name], source=source)
        globs = found["remainder"]["not_disputed"]
        assert len(globs) == expected["collapsed"]
        every = leaves(json.loads(source)) if name.endswith(".json") else ()
        ledger.note("n-2", file, *map(wrong, every[:1]), rechecked=dict.fromkeys(every[-1:], "e-1"))
        folded = fold(ledger, as_of=TODAY)
        found = sidecar(folded, notes_of(folded)[name], source=source)
        globs = found["remainder"]["not_disputed"]
        assert found["remainder"]["leaf_count"] == expected["leaves"]
        for leaf in every:
            named = [f["pointer"] for f in (*found["fields"], *found["remainder"]["rechecked"])]
            assert named.count(leaf) + sum(matches(glob, leaf) for glob in globs) == 1
