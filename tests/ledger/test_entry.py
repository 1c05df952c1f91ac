from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import canonical
from ledger.codec import decode, encode, id_of, kind_of
from ledger.entry import (
    KINDS,
    Arm,
    Artifact,
    By,
    Claim,
    Consult,
    ControlResult,
    Entry,
    Evidence,
    Expects,
    Figure,
    GitState,
    Instrument,
    Note,
    NoteField,
    Quantity,
    Recheck,
    Recorded,
    Renewal,
    ReplacedBy,
    Rescope,
    Retraction,
    Supersession,
    Verdict,
)
from ledger.kinds import LETTERS

AT = Recorded(at="2026-06-01T00:00:00.000000Z", host="node-1", user="me")
FILE = Artifact(path="trace.json", sha256="ab" * 32, bytes=7)
FULL: tuple[Entry, ...] = (
    Consult(
        recorded=AT,
        question="why is it slow?",
        asked_at="2026-06-01",
        arms=(Arm(arm="a", model="m", text="x", at="y", read=("p", "q"), answer=FILE),),
        tags=("t",),
    ),
    Claim(
        recorded=AT,
        statement="attention is 62%",
        by=By(name="a", role="arm", model="m"),
        basis="measurement",
        consult="k-1",
        about={"seat": "training", "adapter": None},
        evidence=("e-1",),
        rests_on=(("c-1", "e-1"), ("c-2",)),
        expects=Expects(
            quantity="share", comparison="in", value=canonical.Number("0.60"), high=1, unit="%"
        ),
        expires="2026-12-31",
        figures=(Figure(value=canonical.Number("62.0"), unit="%"),),
        echoes=("c-3",),
        tags=("t",),
        markup="markdown",
    ),
    Evidence(
        recorded=AT,
        instrument=Instrument(name="i", version="1", inputs_sha256="cd" * 32, decisive=("seat",)),
        about={"seat": "training"},
        quantities=(
            Quantity(name="step", value=canonical.Number("35.20"), unit="s", n=3, low=35, high=36),
            Quantity(name="recall", value=None, reason="no labels"),
        ),
        result="pass",
        artifacts=(FILE,),
        environment={"torch": "2", "gpus": [1, {"name": None}]},
        git=GitState(state="dirty", oid="1", branch="b", describe="d", dirty=("a",)),
        taken_at="2026-06-01",
        doubts=("few points",),
        controls=(ControlResult(name="n", must="fail", got="fail"),),
        tags=("t",),
    ),
    Verdict(
        recorded=AT,
        claim="c-1",
        evidence="e-1",
        outcome="refutes",
        decided="person",
        by=By(name="a"),
        note="n",
    ),
    Supersession(
        recorded=AT,
        claim="c-1",
        status="WRONG",
        date="2026-06-01",
        replaced_by=ReplacedBy(text="t", claim="c-2", markup="markdown"),
        evidence=("e-1",),
        shown="WRONG!",
    ),
    Retraction(recorded=AT, target="e-1", reason="r", by=By(name="a")),
    Rescope(
        recorded=AT,
        evidence="e-1",
        about={"seat": None},
        reason="r",
        unstated=("run",),
        supported_by=("e-2",),
    ),
    Renewal(recorded=AT, claim="c-1", expires="2026-12-31", reason="r"),
    Note(
        recorded=AT,
        artifact=FILE,
        fields=(
            NoteField(
                pointer="/a",
                status="wrong",
                reason="r",
                recorded=(1, {"x": 2}),
                actual=canonical.Number("1.50"),
                evidence=("e-1",),
            ),
        ),
        rechecked=(Recheck(pointer="/b", evidence="e-1"),),
    ),
)


IDS = [
    "k-a8da7f240eb8",
    "c-48eb76591ae3",
    "e-9cc3f1c1bc8c",
    "v-f72bd7562c78",
    "s-1f6aa864ffb8",
    "r-ab188d7948ee",
    "o-09df4107b537",
    "w-fbcb2459c60d",
    "n-2cc5cb2327e4",
]


def test_the_examples_are_one_of_each_kind() -> None:
    assert [kind_of(entry) for entry in FULL] == list(KINDS) == list(LETTERS)
    assert len(set(LETTERS.values())) == len(LETTERS)


@pytest.mark.parametrize("entry", FULL, ids=kind_of)
def test_an_entry_reads_back_equal_with_the_same_id(entry: Entry) -> None:
    data = encode(entry)
    read = canonical.parse(canonical.readable(data))
    assert decode(read) == entry
    assert encode(decode(read)) == data
    assert id_of(read) == id_of(data)
    assert id_of(data)[:2] == LETTERS[kind_of(entry)] + "-"
    assert len(id_of(data)) == 2 + 12
    assert next(iter(data)) == "kind"
    assert list(data)[-1] == "recorded"


@pytest.mark.parametrize("entry", FULL, ids=kind_of)
def test_every_field_but_recorded_is_part_of_the_id(entry: Entry) -> None:
    data = encode(entry)
    for key in data:
        without = {k: v for k, v in data.items() if k != key}
        if key == "recorded":
            assert id_of(without) == id_of(data)
        elif key != "kind":
            assert id_of(without) != id_of(data)
    other = {**data, "recorded": {"at": "2030-01-01T00:00:00.000000Z"}}
    assert id_of(other) == id_of(data)


def test_what_is_left_out_is_what_is_empty() -> None:
    claim = Claim(recorded=Recorded(at="t"), statement="s", by=By(name="a"), basis="derivation")
    assert encode(claim) == {
        "kind": "claim",
        "statement": "s",
        "by": {"name": "a"},
        "basis": "derivation",
        "recorded": {"at": "t"},
    }
    assert decode(encode(claim)) == claim
    quantity = Quantity(name="q", value=None, reason="r")
    evidence = Evidence(
        recorded=Recorded(at="t"),
        instrument=Instrument(name="i", version="1"),
        quantities=(quantity,),
    )
    # A required field is written even when it is null: unknown is a value with a reason.
    assert encode(evidence)["quantities"][0]["value"] is None


def test_an_id_stays_the_same_over_versions() -> None:
    """Recomputing these means that every ledger there is stops matching its file names."""
    assert [id_of(encode(entry)) for entry in FULL] == IDS


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
IDS_OF_CLAIMS = st.lists(TEXTS, max_size=3).map(tuple)


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.dictionaries(TEXTS, st.none() | TEXTS, max_size=3),
    st.lists(IDS_OF_CLAIMS, max_size=3).map(tuple),
    st.none() | TEXTS,
)
def test_any_claim_reads_back(
    text: str, about: dict[str, str | None], rests_on: Any, expires: str | None
) -> None:
    claim = Claim(
        recorded=AT,
        statement=text,
        by=By(name=text),
        basis="citation",
        about=about,
        rests_on=rests_on,
        expires=expires,
    )
    read = canonical.parse(canonical.readable(encode(claim)))
    assert decode(read) == claim
    assert id_of(read) == id_of(encode(claim))
