from inline import TODAY, Ledger

from ledger.figures.stale import Dating, Search, Stale, Stated, Undated
from ledger.figures.withdrawn import measured, standing, withdrawn
from ledger.fold import fold

CACHE = "The encode cache takes ~4.3 hours to rebuild"


def superseded(statement: str = CACHE, replaced_by: str = "145.5 s on 32 workers") -> Ledger:
    book = Ledger()
    book.claim("c-1", statement)
    book.supersede("s-1", "c-1", replaced_by=replaced_by)
    return book


def judged(book: Ledger, text: str) -> list[Stale]:
    lines, folded = text.split("\n"), fold(book, as_of=TODAY)
    search = Search(withdrawn(folded))
    stated = Stated(standing(folded), {})
    return list(search.find("a.sh", lines, range(len(lines)), stated=stated))


def test_a_comment_in_a_launcher_that_repeats_a_superseded_figure_is_strong() -> None:
    text = "#!/bin/bash\n# a 609 MB encode cache (2.5 min to read, ~4.3 HOURS to rebuild)\nrun\n"
    [item] = judged(superseded(), text)
    assert (item.place.line, item.place.column, item.place.text) == (2, 44, "4.3 HOURS")
    assert item.place.source == text.split("\n")[1]
    assert (item.strong, item.near, item.dated) == (True, ("encode", "cache", "rebuild"), None)
    assert item.of.claim == "c-1"


def test_a_subject_word_counts_two_lines_away_and_no_further() -> None:
    for distance, strong in ((0, True), (1, True), (2, True), (3, False)):
        filler = "\n" * distance
        [after] = judged(superseded(), f"took 4.3 h{filler} Caches")
        [before] = judged(superseded(), f"encodeCache{filler} took 4.3 h")
        assert after.strong == before.strong == strong, distance
        assert after.why == ("near cache" if strong else "no subject word near")


def test_three_significant_digits_are_a_second_key() -> None:
    [item] = judged(superseded(), "it took 258 min")
    assert (item.strong, item.near, item.why) == (True, (), "3 significant digits")
    [item] = judged(superseded(), "it took 4.30 h")
    assert item.strong
    [item] = judged(superseded(), "it took 4.3 h")
    assert not item.strong


def test_unit_words_and_stop_words_are_no_subject() -> None:
    [item] = judged(superseded(), "the takes of ~4.3 hours to: about hours it takes")
    assert not item.strong


def test_a_figure_that_a_standing_claim_states_is_weak_and_names_it() -> None:
    book = superseded("attention's share is 68 %", "52.2 %")
    [item] = judged(book, "the attention share is 68 %")
    assert item.strong
    book.claim("c-2", "the share of attention in a long batch is 67.8 %")
    [item] = judged(book, "the attention share is 68 %")
    assert (item.strong, item.why) == (False, "c-2 states it too")
    book.retract("r-1", "c-2")
    [item] = judged(book, "the attention share is 68 %")
    assert item.strong


def test_who_tells_of_the_correction_is_weak() -> None:
    [item] = judged(superseded(), "the cache rebuild was 4.3 h, measured 145.5 s on 2026-08-26")
    assert (item.strong, item.why) == (False, "beside what replaced it")
    assert item.dated == "2026-08-26"
    # Another line, and a figure of another kind, tell nothing.
    [item] = judged(superseded(), "cache rebuild: 4.3 h\n145.5 s")
    assert item.strong
    [item] = judged(superseded(replaced_by="32 rows"), "cache rebuild: 4.3 h, 32 rows")
    assert item.strong


def test_who_cites_the_correction_tells_its_history() -> None:
    book = Ledger()
    book.claim("c-00000001", CACHE)
    book.claim("c-00000002", "it is rebuilt in two minutes")
    book.supersede("s-00000003", "c-00000001", replaced_by="c-00000002")
    for cited in ("s-00000003", "s-0000", "c-00000001", "c-00000002"):
        [item] = judged(book, f"For weeks the cache rebuild\nwas put at 4.3 h [{cited}].")
        assert (item.strong, item.why) == (False, f"told as history: cites {cited}")
    for other in ("[s-00000004]", "[c-12345678]", "s-00000003", "in August 2026", ""):
        [item] = judged(book, f"For weeks the cache rebuild\nwas put at 4.3 h {other}.")
        assert item.strong, other
    [item] = judged(book, "the cache rebuild takes 4.3 h.\n\nOf another thing [s-00000003].")
    assert item.strong


def test_who_says_that_it_was_superseded_tells_history_and_a_date_alone_does_not() -> None:
    [item] = judged(superseded(), "Until 2026-06-01 the cache rebuild was put at 4.3 h.")
    assert (item.strong, item.dated) == (True, "2026-06-01")
    [item] = judged(superseded(), "The 4.3 h of 2026-06-01 for the cache are\nsuperseded.")
    assert (item.strong, item.why) == (False, "told as history: “superseded”")
    both = judged(superseded(), "The cache takes 4.3 h. The 4.3 h for the cache are obsolete.")
    assert [item.strong for item in both] == [True, False]


def test_a_condition_of_the_claim_is_weak() -> None:
    statement = "attention's quadratic share is 68 % at 16,384 tokens"
    text = "the quadratic share of attention: 68 % of 16,384 tokens"
    share, tokens = judged(superseded(statement, "less"), text)
    assert (share.place.text, share.strong) == ("68 %", True)
    assert (tokens.place.text, tokens.strong) == ("16,384 tokens", False)
    assert tokens.why == "a condition of the claim"


def test_each_place_is_reported_once_for_the_claim_it_is_most_likely_of() -> None:
    book = superseded()
    book.claim("c-2", "the sweep takes 258 min")
    book.supersede("s-2", "c-2")
    text = "sweep: 4.3 h\n\n\n\nencode cache: 4.3 h, again 258 min"
    found = [(i.place.line, i.place.text, i.of.claim, i.strong) for i in judged(book, text)]
    assert found == [
        (1, "4.3 h", "c-2", True), (5, "4.3 h", "c-1", True), (5, "258 min", "c-1", True),
    ]  # fmt: skip


def test_where_digits_decide_the_nearer_claim_is_named() -> None:
    book = superseded()
    book.claim("c-2", "the sweep over seeds takes 258 min")
    book.supersede("s-2", "c-2")
    assert [i.of.claim for i in judged(book, "sweep over seeds: 258 min")] == ["c-2"]
    assert [i.of.claim for i in judged(book, "encode cache: 258 min")] == ["c-1"]


def test_lines_not_asked_for_are_not_searched() -> None:
    folded = fold(superseded(), as_of=TODAY)
    search = Search(withdrawn(folded))
    lines = ["cache 4.3 h", "cache 4.3 h"]
    assert [i.place.line for i in search.find("a", lines, [1], stated=Stated((), {}))] == [2]


def dated(text: str) -> list[Undated]:
    book = Ledger()
    book.evidence("e-1", 145.5, taken_at="2026-08-26")
    book.claim("c-1", "The encode cache is rebuilt in 145 s", evidence=("e-1",))
    lines = text.split("\n")
    return list(Dating(measured(fold(book, as_of=TODAY))).find("a.md", lines, range(len(lines))))


def test_a_bare_measured_figure_is_advised_its_date() -> None:
    [item] = dated(
        "# Notes\n\nOld news. The cache now takes\n145.5 seconds.\nIn 2026-08-26 we met."
    )
    assert (item.place.line, item.place.column, item.place.text) == (4, 1, "145.5 seconds")
    assert (item.of.date, item.of.claim, item.of.evidence) == ("2026-08-26", "c-1", "e-1")


def test_a_dated_or_cited_figure_and_one_of_another_subject_need_no_advice() -> None:
    assert dated("The cache takes 145.5 s, measured 2026-08-26.") == []
    assert dated("Since August 2026 the cache takes 145.5 s.") == []
    assert dated("The cache takes 145.5 s [c-0123456789ab].") == []
    assert dated("The loader waits 145.5 s.") == []
    assert dated("The loader waits 145.5 s. The cache does not.\n") != []  # its line counts whole
    assert dated("The loader waits 145.5 s.\nThe cache does not.\n") == []


def test_a_figure_of_one_digit_is_no_measurement_to_be_dated() -> None:
    book = Ledger()
    book.evidence("e-1", 8.0, taken_at="2026-08-26")
    book.claim("c-1", "The cache is rebuilt in 8.0 s", evidence=("e-1",))
    dating = Dating(measured(fold(book, as_of=TODAY)))
    assert list(dating.find("a.md", ["The cache takes 8 s."], [0])) == []
    assert len(list(dating.find("a.md", ["The cache takes 8.0 s."], [0]))) == 1
