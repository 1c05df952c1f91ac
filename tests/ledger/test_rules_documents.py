import pytest
from inline import LATER, TODAY, Ledger
from inline_rules import found, subjects

from ledger.fold import fold
from ledger.rules import LEVELS, RULES, Cited, Damage, Facts, RegionState, View, audit


def cites(*ids: str, text: str = "c-1") -> Facts:
    return Facts(cited=(Cited(path="docs/a.md", line=7, column=5, text=text, ids=ids),))


def test_cites_fallen_says_what_to_cite_instead() -> None:
    book = Ledger()
    book.claim("c-1")
    assert found(book, "cites-fallen", cites("c-1")) == []
    book.claim("c-2")
    book.supersede("s-1", "c-1", replaced_by="c-2")
    [finding] = found(book, "cites-fallen", cites("c-1"))
    assert (finding.subject, finding.level) == ("c-1", "error")
    assert (finding.path, finding.line, finding.column) == ("docs/a.md", 7, 5)
    assert (finding.got, finding.expected) == ("superseded", "[c-2]")
    assert finding.fix == "correct docs/a.md:7:5: ledger show c-1 tells why"
    book.supersede("s-2", "c-1", replaced_by="about\n 21%")
    assert found(book, "cites-fallen", cites("c-1"))[0].expected == "“about 21%”"


@pytest.mark.parametrize("how", ["fallen", "expired", "refuted", "retracted"])
def test_cites_fallen_for_every_status_that_does_not_stand(how: str) -> None:
    book = Ledger()
    book.evidence("e-1")
    expires = "2026-06-01" if how == "expired" else LATER
    book.claim("c-1", evidence=("e-1",) if how == "fallen" else (), expires=expires)
    match how:
        case "fallen":
            book.retract("r-1", "e-1")
        case "refuted":
            book.verdict("v-1", "c-1", "e-1", "refutes")
        case "retracted":
            book.retract("r-1", "c-1")
    [finding] = found(book, "cites-fallen", cites("c-1"))
    assert (finding.got, finding.expected) == (how, "a claim that stands")


def test_evidence_may_be_cited_until_it_is_retracted() -> None:
    book = Ledger()
    book.evidence("e-1")
    book.claim("c-1", evidence=("e-1",))
    assert found(book, "cites-fallen", cites("e-1")) == []
    assert found(book, "cites-fallen", cites("c-1")) == []
    book.retract("r-1", "e-1")
    assert subjects(book, "cites-fallen", cites("e-1")) == ["e-1"]


def test_cites_unknown() -> None:
    book = Ledger()
    book.claim("c-1")
    book.claim("c-12")
    [gone] = found(book, "cites-unknown", cites(text="c-9"))
    assert (gone.subject, gone.level, gone.got) == ("c-9", "error", "no such entry")
    [ambiguous] = found(book, "cites-unknown", cites("c-1", "c-12"))
    assert ambiguous.got == "c-1, c-12"
    assert found(book, "cites-unknown", cites("c-1")) == []


def test_regions() -> None:
    def facts(state: str) -> Facts:
        region = RegionState(
            path="a.md",
            line=3,
            region="ledger:open",
            state=state,  # type: ignore[arg-type]
            detail="2 lines differ",
            fix="put it right" if state == "malformed" else "ledger render a.md",
        )
        return Facts(regions=(region,))

    book = Ledger()
    [stale] = found(book, "region-stale", facts("stale"))
    assert (stale.subject, stale.level, stale.line) == ("a.md", "warning", 3)
    assert stale.fix == "ledger render a.md"
    [edited] = found(book, "region-edited", facts("edited"))
    assert (edited.level, edited.fix) == ("error", "ledger render a.md")
    [malformed] = found(book, "region-malformed", facts("malformed"))
    assert (malformed.level, malformed.expected) == ("error", "options that can be followed")
    assert malformed.fix == "put it right, then ledger render a.md"
    assert found(book, "region-stale") == found(book, "region-malformed") == []


def test_broken_markers_come_before_what_they_could_cause() -> None:
    book = Ledger()
    book.claim("c-1", expires="2020-01-01")
    cited = Cited(path="a.md", line=9, column=1, text="c-1", ids=("c-1",))
    broken = RegionState(
        path="a.md", line=3, region="markers", state="malformed", detail="no end", fix="f"
    )
    view = View(fold=fold(book, as_of=TODAY), facts=Facts(cited=(cited,), regions=(broken,)))
    first, second, *_ = audit(view)
    assert (first.slug, second.slug) == ("region-malformed", "cites-fallen")
    assert first.message == "a.md:3:1: the markers are malformed"
    assert first.expected == "markers in pairs"


def test_damage_and_dangling() -> None:
    book = Ledger()
    book.claim("c-1", rests_on=(("c-gone", "e-gone"),), echoes=("c-gone",))
    book.claim("c-2", rests_on=(("c-1",),))
    assert [(f.subject, f.level, f.expected) for f in found(book, "dangling")] == [
        ("c-1", "error", "c-gone"),
        ("c-1", "error", "e-gone"),
    ]
    broken = Damage(
        slug="id-mismatch", path="claims/x.json", message="was edited", got="c-2", expected="c-1"
    )
    [finding] = found(Ledger(), "id-mismatch", Facts(damage=(broken,)))
    assert (finding.path, finding.level) == ("claims/x.json", "error")
    assert finding.fix.startswith("restore it, git checkout -- claims/x.json, then ledger verify")


def test_the_audit_gives_errors_first_and_is_the_same_whatever_the_order_of_entries() -> None:
    book = Ledger()
    book.evidence("e-1", about={"seat": "a"})
    book.claim("c-1", about={"seat": "a"}, evidence=("e-1",))
    book.claim("c-2", rests_on=(("c-1",),))
    book.claim("c-3", basis="measurement")
    book.rescope("o-1", "e-1", seat="b")
    # A warning of an early rule, and an error of a late one.
    book.claim("c-4", about={"seat": "a"}, rests_on=(("e-1",), ("c-3",)))
    book.claim("c-5")
    book.supersede("s-1", "c-5", replaced_by="c-1")
    levels = [f.level for f in audit(View(fold=fold(book, as_of="2026-06-15")))]
    assert levels == sorted(levels, key=LEVELS.index)
    assert set(levels) == {"error", "warning"}
    turned = dict(reversed(book.items()))
    assert audit(View(fold=fold(turned, as_of="2026-06-15"))) == audit(
        View(fold=fold(book, as_of="2026-06-15"))
    )
    assert len(set(RULES)) == len(RULES)
    assert audit(View(fold=fold({}, as_of="2026-06-15"))) == ()
