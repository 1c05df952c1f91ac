from inline import TODAY, Ledger
from inline_rules import check_fix, found

from ledger.figures.stale import Dating, Search, Stated
from ledger.figures.withdrawn import measured, standing, withdrawn
from ledger.fold import fold
from ledger.rules import Facts
from ledger.rules.stale import advice, finding


def facts(book: Ledger, *lines: str) -> Facts:
    folded = fold(book, as_of=TODAY)
    search, stated = Search(withdrawn(folded)), Stated(standing(folded), {})
    return Facts(stale=tuple(search.find("run.sh", lines, range(len(lines)), stated=stated)))


def test_a_strong_place_is_a_warning_with_file_line_and_column() -> None:
    book = Ledger()
    book.claim("c-1", "The encode cache takes ~4.3 hours to rebuild")
    book.supersede("s-1", "c-1", replaced_by="145.5 s\non 32 workers")
    seen = facts(book, "# Cache: 4.3 HOURS, later 4.3 h", "", "", "", "4.3 h")
    first, second = found(book, "stale-figure", seen)
    assert (first.subject, first.level) == ("c-1", "warning")
    assert (first.path, first.line, first.column, second.column) == ("run.sh", 1, 10, 27)
    assert (first.got, first.expected) == ("4.3 HOURS", "“145.5 s on 32 workers”")
    assert first.message == (
        "run.sh:1:10 still says 4.3 HOURS, a figure of c-1, which is superseded (WRONG)"
    )
    assert first.fix == "correct run.sh:1:10: ledger show c-1 tells why"
    weak = finding(seen.stale[2])
    assert weak.level == "note"
    assert weak.message.endswith("; weak: no subject word near")


def test_what_to_say_instead_is_the_claim_the_measurement_or_unknown() -> None:
    book = Ledger()
    book.evidence("e-1", 145.5)
    for name in ("c-1", "c-2", "c-3"):
        book.claim(name, f"{name} takes 258 min")
    book.claim("c-4", "the cache takes 145.5 s")
    book.supersede("s-1", "c-1", replaced_by="c-4")
    book.supersede("s-2", "c-2")
    book.verdict("v-1", "c-3", "e-1", "refutes")
    for name, said in (
        ("c-1", "“the cache takes 145.5 s” [c-4]"),
        ("c-2", "a figure that stands"),
        ("c-3", "“step = 145.5 s” [e-1]"),
    ):
        one = Ledger({i: e for i, e in book.items() if i not in {"c-1", "c-2", "c-3"} - {name}})
        [item] = found(one, "stale-figure", facts(one, "258 min"))
        assert (item.subject, item.expected) == (name, said)


def test_advice_says_how_to_write_it_and_fails_nothing() -> None:
    book = Ledger()
    book.evidence("e-1", 145.5, taken_at="2026-08-26")
    book.claim("c-1", "the cache is rebuilt in 145.5 s", evidence=("e-1",))
    dating = Dating(measured(fold(book, as_of=TODAY)))
    [item] = dating.find("a.md", ["The cache needs 145.5 seconds."], [0])
    note = advice(item)
    check_fix(note)
    assert (note.slug, note.level, note.column) == ("undated-figure", "note", 17)
    assert note.expected == "145.5 seconds, measured 2026-08-26 [c-1]"
