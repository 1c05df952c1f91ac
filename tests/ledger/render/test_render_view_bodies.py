"""Every view's Markdown, to the character, from inline ledgers."""

import pytest
from inline import TODAY, Ledger, expects
from msgspec.structs import replace

from ledger import canonical
from ledger.entry import (
    Arm,
    By,
    Consult,
    ControlResult,
    Evidence,
    Expects,
    GitState,
    Instrument,
    Quantity,
    Recorded,
    Verdict,
)
from ledger.fold import Fold, fold
from ledger.render.regions import generated
from ledger.render.views import VIEWS, OptionError, Request


def folded(book: Ledger, *, as_of: str = TODAY) -> Fold:
    return fold(book, as_of=as_of)


def body(book: Ledger | Fold, view: str, **options: str) -> str:
    found = book if isinstance(book, Fold) else folded(book)
    text = VIEWS[view].body(Request(fold=found, id="main", options=options))
    generated(text)
    return text


def lines(book: Ledger | Fold, view: str, **options: str) -> list[str]:
    """The rows of a view's only table."""
    return [line for line in body(book, view, **options).splitlines() if line.startswith("| ")][2:]


def steps(value: str, *, low: str | None = None, high: str | None = None) -> Quantity:
    ends = [canonical.number(end) if end is not None else None for end in (low, high)]
    return Quantity(
        name="step", value=canonical.number(value), unit="s", n=5, low=ends[0], high=ends[1]
    )


def settled() -> Ledger:
    """Claims that one measurement settles by expectation, by a note, and on nobody's word."""
    book = Ledger()
    seat: dict[str, str | None] = {"seat": "training"}
    quantity = steps("35.20", low="34.9", high="35.4")
    book.evidence("e-0001", about=seat, quantities=(quantity,), taken_at="2026-05-30T10:00:00Z")
    fast = expects("step", "<=", 30, unit="s")
    book.claim("c-0001", "a step | fits in 30 s", about=seat, expects=fast, tags=("speed",))
    book.verdict("v-0001", "c-0001", "e-0001", "refutes", "expects")
    book.claim("c-0002", "the fused kernel is the fix", about=seat)
    book["v-0002"] = Verdict(
        recorded=Recorded(at="2026-06-02T00:00:00.000000Z"),
        claim="c-0002",
        evidence="e-0001",
        outcome="refutes",
        decided="person",
        note="0.9 % slower, bit-identical",
    )
    book.claim("c-0003", "graphs pay")
    book.verdict("v-0003", "c-0003", "e-0001", "refutes")
    slow = expects("step", ">", 30, unit="s")
    book.claim("c-0004", "a step takes more than 30 s", about=seat, expects=slow)
    book.verdict("v-0004", "c-0004", "e-0001", "supports", "expects")
    book.claim("c-0005", "on somebody's word", evidence=("e-0001",))
    book.claim("c-0006", "so the night is too short", rests_on=(("c-0004",),))
    book.claim("c-0007", "was superseded", about=seat, expects=fast)
    book.verdict("v-0007", "c-0007", "e-0001", "refutes", "expects")
    book.supersede("s-0007", "c-0007", replaced_by="c-0004")
    return book


NEGATIVES = "| claim | measured | evidence | date |\n| --- | --- | --- | --- |\n"


def test_negatives_show_what_was_measured() -> None:
    """A quantity that the claim expects, else the verdict's note, else all there is."""
    assert body(settled(), "negatives") == (
        NEGATIVES + "| a step &#124; fits in 30 s [c-0001] | step 35.20 s (34.9..35.4 s) | [e-0001]"
        " | 2026-05-30 |\n"
        "| the fused kernel is the fix [c-0002] | 0.9 % slower, bit-identical | [e-0001]"
        " | 2026-05-30 |\n"
        "| graphs pay [c-0003] | step 35.20 s (34.9..35.4 s) | [e-0001] | 2026-05-30 |\n"
    )


def test_a_superseded_claim_is_a_negative_only_when_asked_for() -> None:
    assert "c-0007" not in body(settled(), "negatives")
    assert "| was superseded [c-0007] | step 35.20 s" in body(
        settled(), "negatives", include="superseded"
    )
    book = settled()
    book.claim("c-0008", "superseded, and never measured")
    book.supersede("s-0008", "c-0008")
    assert "c-0008" not in body(book, "negatives", include="superseded")
    with pytest.raises(OptionError, match="'all' is not known"):
        body(settled(), "negatives", include="all")


def test_a_negative_goes_with_its_measurement() -> None:
    book = settled()
    book.retract("r-0001", "e-0001")
    assert body(book, "negatives") == NEGATIVES
    moved = settled()
    moved.rescope("o-0001", "e-0001", seat="serving")
    assert [line[:16] for line in lines(moved, "negatives")] == ["| graphs pay [c-"]


def test_standing_shows_what_carries_a_claim() -> None:
    assert body(settled(), "standing") == (
        "| claim | rests on | figure | since |\n| --- | --- | --- | --- |\n"
        "| a step takes more than 30 s [c-0004] | measured by [e-0001]"
        " | step 35.20 s (34.9..35.4 s) | 2026-06-01 |\n"
        "| on somebody's word [c-0005] | measured by [e-0001] (on the recorder's word) | —"
        " | 2026-06-01 |\n"
        "| so the night is too short [c-0006] | 1 step from [e-0001] | — | 2026-06-01 |\n"
    )


def test_standing_since_is_the_day_of_what_carries_it_now() -> None:
    book = settled()
    verdict = book["v-0004"]
    book["v-0004"] = replace(verdict, recorded=Recorded(at="2026-06-09T00:00:00.000000Z"))
    assert [line.split(" | ")[-1] for line in lines(book, "standing", order="-date")] == [
        "2026-06-09 |", "2026-06-09 |", "2026-06-01 |",
    ]  # fmt: skip


def test_open_counts_days_from_the_day_in_its_marker_and_takes_statuses_of_today() -> None:
    """Expired and provisional claims, with what would settle them."""
    book = Ledger()
    book.claim("c-0001", "far", expires="2026-12-31", by=By(name="arm | 2"), basis="prediction")
    fast = expects("step", "<=", 30, unit="s")
    book.claim(
        "c-0002", "near", expires="2026-06-20", expects=fast, about={"seat": "x", "run": None}
    )
    book.claim("c-0003", "gone", expires="2026-06-14", about={"seat": "x"})
    book.evidence("e-0001", 1.0)
    book.claim("c-0004", "measured", evidence=("e-0001",))
    head = (
        "| claim | by | basis | expires | days left on {} | settled by |\n" + "| --- " * 6 + "|\n"
    )
    expired = (
        "| gone [c-0003] | arm-1 | derivation | 2026-06-14 | {}"
        " | a verdict on a measurement, of seat=x |\n"
    )
    rest = (
        "| near [c-0002] | arm-1 | derivation | 2026-06-20 | {} | step <= 30 s, of run=(none)"
        " seat=x |\n"
        "| far [c-0001] | arm &#124; 2 | prediction | 2026-12-31 | {}"
        " | a verdict on a measurement |\n"
    )
    assert body(book, "open", as_of="2026-06-15") == (
        head.format("2026-06-15") + expired.format("**expired**") + rest.format(5, 199)
    )
    assert body(book, "open", as_of="2026-06-10") == (
        head.format("2026-06-10") + expired.format("**expired**") + rest.format(10, 204)
    )
    before = folded(book, as_of="2026-06-14")
    assert body(before, "open", as_of="2026-06-10") == (
        head.format("2026-06-10") + expired.format(4) + rest.format(10, 204)
    )
    by_days = lines(book, "open", as_of="2026-06-15", order="-days%20left")
    assert [line[2:6] for line in by_days] == ["far ", "near", "gone"]


def panel() -> Ledger:
    """Three arms, one of which claims nothing; one claim by somebody else."""
    book = settled()
    consult = Consult(
        recorded=Recorded(at=""),
        question="Where does\nthe step go?",
        asked_at="2026-05-20",
        arms=(
            Arm(arm="arm-1", model="m|1", read=("notes/a.md", "e-0001")),
            Arm(arm="arm-2"),
            Arm(arm="arm-3", model="m3"),
        ),
        tags=("night",),
    )
    book.put("k-0001", consult)
    for name in ("c-0001", "c-0004", "c-0007"):
        book[name] = replace(book[name], consult="k-0001")
    book.claim("c-0008", "open still", consult="k-0001", by=By(name="arm-3"))
    book.claim("c-0009", "too late", consult="k-0001", by=By(name="me"), expires="2026-06-02")
    book.claim("c-000a", "taken back", consult="k-0001", by=By(name="me"))
    book.retract("r-000a", "c-000a")
    book.put("k-0002", replace(consult, question="Another?", asked_at=None, tags=()))
    return book


def test_consult_shows_every_arm_and_how_each_claim_ended() -> None:
    first, second = body(panel(), "consult").split("\nAsked on 2026-06-01")
    read = "notes/a.md, [e-0001]"
    assert first == (
        "Asked on 2026-05-20 [k-0001]: Where does<br>the step go?\n\n"
        "| arm | model | claimed | how it ended | had read |\n| --- | --- | --- | --- | --- |\n"
        "| arm-1 | m&#124;1 | a step &#124; fits in 30 s [c-0001]"
        f" | **refuted**: step 35.20 s (34.9..35.4 s) [e-0001] | {read} |\n"
        "| arm-1 | m&#124;1 | a step takes more than 30 s [c-0004]"
        f" | **measured**: step 35.20 s (34.9..35.4 s) [e-0001] | {read} |\n"
        "| arm-1 | m&#124;1 | was superseded [c-0007]"
        f" | **superseded**: **WRONG** (2026-06-02), see [c-0004] | {read} |\n"
        "| arm-2 | — | — no claim recorded | — | — |\n"
        "| arm-3 | m3 | open still [c-0008] | **provisional**, open until 2026-12-31 | — |\n"
        "| me | — | too late [c-0009] | **expired** on 2026-06-02, not settled | — |\n"
        "| me | — | taken back [c-000a] | **retracted**: wrong [r-000a] | — |\n"
    )
    assert second.startswith(" [k-0002]: Another?\n")
    assert second.count("no claim recorded") == 3


def test_consult_may_be_one_or_those_in_scope() -> None:
    assert "k-0001" not in body(panel(), "consult", consult="k-0002")
    assert "k-0002" not in body(panel(), "consult", scope="seat=training")
    assert "k-0002" not in body(panel(), "consult", tag="night")
    assert "k-0001" not in body(panel(), "consult", since="2026-06-01")
    assert body(panel(), "consult", tag="none") == "No consult is recorded.\n"
    assert "| arm-2 | — no claim recorded |" in body(
        panel(), "consult", consult="k-0001", columns="arm,claimed"
    )


def founding() -> Ledger:
    """A profile of the wrong seat carries a share, a lever and a plan; one plan has two legs."""
    book = Ledger()
    flex: dict[str, str | None] = {"run": "1", "attn": "flex"}
    book.evidence("e-0001", about=flex)
    book.evidence("e-0002", about={"run": "1"})
    book.claim("c-0001", "attention is two thirds", about=flex, evidence=("e-0001",))
    book.claim("c-0002", "a lever", rests_on=(("c-0001",),))
    book.claim("c-0003", "a plan", rests_on=(("c-0002",), ("e-0002",)))
    book.claim("c-0004", "never at risk", about={"run": "1"}, evidence=("e-0002",))
    book.rescope("o-0001", "e-0001", attn="sdpa")
    return book


SPLIT = (
    "| outcome | claim | status | why |\n| --- | --- | --- | --- |\n"
    "| **falls** | attention is two thirds [c-0001] | fallen | [e-0001] → [c-0001] |\n"
    "| **falls** | a lever [c-0002] | fallen | [e-0001] → [c-0001] → [c-0002] |\n"
    "| **survives** | a plan [c-0003] | derived | carried by [e-0002] |\n"
)
DIRECTION = "\nDirection unknown: what fell is unmeasured now, not thereby better or worse.\n"


def test_falls_survives_of_a_correction_and_of_a_measurement() -> None:
    assert body(founding(), "falls-survives", of="o-0001") == (
        "Cause: [o-0001] of 2026-06-01, rescope of [e-0001]: attn=sdpa, recorded as attn=flex."
        " Reason: another seat\n\n" + SPLIT + DIRECTION
    )
    book = founding()
    del book["o-0001"]
    assert body(book, "falls-survives", of="e-0001") == (
        "What if this were taken away: measurement by stopwatch@1 of 2026-06-01 [e-0001].\n\n"
        + SPLIT
        + DIRECTION
    )


def test_falls_survives_of_a_part_names_what_was_never_at_risk() -> None:
    found = lines(founding(), "falls-survives", of="o-0001", scope="run=1")
    assert [line.split(" [")[0] for line in found] == [
        "| **falls** | attention is two thirds", "| **survives** | never at risk",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("make", "cause", "said"),
    [
        (lambda b: b.retract("r-0001", "e-0002"), "r-0001", "retraction of [e-0002]."),
        (
            lambda b: b.supersede("s-0001", "c-0004"),
            "s-0001",
            "supersession of never at risk [c-0004].",
        ),
        (
            lambda b: b.verdict("v-0001", "c-0004", "e-0002", "refutes"),
            "v-0001",
            "verdict: [e-0002] refutes never at risk [c-0004].",
        ),
        (
            lambda b: b.renew("w-0001", "c-0002", "2027-01-01"),
            "w-0001",
            "renewal of a lever [c-0002] to 2027-01-01.",
        ),
    ],
)
def test_every_correction_is_a_cause(make: object, cause: str, said: str) -> None:
    book = founding()
    make(book)  # type: ignore[operator]
    assert said in body(book, "falls-survives", of=cause).splitlines()[0]


def test_a_correction_that_was_taken_back_says_so_and_changes_nothing() -> None:
    book = founding()
    book.retract("r-0001", "o-0001")
    text = body(book, "falls-survives", of="o-0001")
    assert "It was taken back by [r-0001], so it changes nothing." in text
    assert "falls**" not in text


def measured() -> Ledger:
    """A kernel table of ten thousand launches, with what is wrong with it."""
    book = Ledger()
    book.put(
        "e-0001",
        Evidence(
            recorded=Recorded(at=""),
            instrument=Instrument(name="kernel-table", version="2"),
            about={"seat": "x", "attn": None},
            quantities=(
                Quantity(name="gemm_share", value=canonical.Number("0.0790")),
                Quantity(name="attention_share", value=0.652, low=0.65, high=0.66, n=2),
                Quantity(name="kernel_sum", value=canonical.Number("22835.80"), unit="ms"),
                Quantity(name="idle_share", value=0.1, low=0.0, high=0.1),
                Quantity(name="launch_count", value=38400, unit="launches"),
                Quantity(name="mfu", value=None, reason="no peak | known"),
            ),
            result="attention*dominant",
            git=GitState(state="dirty", oid="0123456789abcdef"),
            taken_at="2026-05-30T10:00:00Z",
            doubts=("one rank only", "half | a step"),
            controls=(ControlResult(name="a", must="x", got="x"),),
        ),
    )
    return book


HEAD = (
    "Measured by kernel-table@2 on 2026-05-30 [e-0001], result **attention&#42;dominant**;"
    " scope: attn=(none) seat=x; git dirty at 0123456789ab\n\n"
)
TAIL = "\nDoubts: one rank only; half &#124; a step\n\nControls: 1 of 1 answered as they must\n"
RULE = "| --- | --- | --- | --- |\n"


def test_a_measurement_with_all_its_quantities() -> None:
    assert body(measured(), "probe", evidence="e-0001") == (
        HEAD + "| quantity | value | interval | n |\n" + RULE + "| gemm_share | 0.0790 | — | — |\n"
        "| attention_share | 0.652 | 0.65..0.66 | 2 |\n"
        "| kernel_sum | 22835.80 ms | — | — |\n"
        "| idle_share | 0.1 | 0.0..0.1 | — |\n"
        "| launch_count | 38,400 launches | — | — |\n"
        "| mfu | unknown: no peak &#124; known | — | — |\n" + TAIL
    )


def test_the_natural_tables_of_a_kernel_table() -> None:
    assert body(measured(), "kernel-table", evidence="e-0001") == (
        HEAD
        + "| category | share | interval | n |\n"
        + RULE
        + "| attention | 0.652 | 0.65..0.66 | 2 |\n| gemm | 0.0790 | — | — |\n\n"
        "| quantity | value | interval | n |\n"
        + RULE
        + "| kernel_sum | 22835.80 ms | — | — |\n| idle_share | 0.1 | 0.0..0.1 | — |\n"
        "| launch_count | 38,400 launches | — | — |\n\n"
        "| quantity | value | interval | n |\n"
        + RULE
        + "| mfu | unknown: no peak &#124; known | — | — |\n"
        + TAIL
    )
    with pytest.raises(OptionError, match="measured by kernel-table, not by scaling-fit"):
        body(measured(), "scaling-fit", evidence="e-0001")


def test_a_withdrawn_or_moved_measurement_says_so_first() -> None:
    book = measured()
    book.rescope("o-0001", "e-0001", unstated=("attn",), seat="y")
    book.retract("r-0001", "e-0001")
    first, second, third = body(book, "probe", evidence="e-0001").split("\n\n")[:3]
    assert first == "Warning: **RETRACTED** by [r-0001]: wrong"
    assert second == "Warning: **RESCOPED** by [o-0001] to seat=y; attn not known: another seat"
    assert "scope: seat=y; git" in third


def test_every_live_measurement_of_an_instrument_is_a_row() -> None:
    book = measured()
    other = replace(book["e-0001"], taken_at="2026-05-01T00:00:00Z", result=None, about={})
    book.put("e-0002", other)
    book.put("e-0003", other)
    book.retract("r-0001", "e-0003")
    assert body(book, "kernel-table") == (
        "| date | scope | result | attention_share | gemm_share | idle_share | kernel_sum"
        " | evidence |\n" + "| --- " * 8 + "|\n"
        "| 2026-05-01 | — | — | 0.652 (0.65..0.66) | 0.0790 | 0.1 (0.0..0.1) | 22835.80 ms"
        " | [e-0002] |\n"
        "| 2026-05-30 | attn=(none) seat=x | attention*dominant | 0.652 (0.65..0.66) | 0.0790"
        " | 0.1 (0.0..0.1) | 22835.80 ms | [e-0001] |\n"
    )
    chosen = body(
        book,
        "probe",
        instrument="kernel-table@2",
        columns="evidence,mfu,launch_count",
        order="-date",
    )
    assert chosen == (
        "| evidence | mfu | launch_count |\n| --- | --- | --- |\n"
        "| [e-0001] | unknown: no peak &#124; known | 38,400 launches |\n"
        "| [e-0002] | unknown: no peak &#124; known | 38,400 launches |\n"
    )
    with pytest.raises(OptionError, match="nothing was measured by 'x'"):
        body(book, "probe", instrument="x")
    with pytest.raises(OptionError, match="it is missing"):
        body(book, "probe")
    with pytest.raises(OptionError, match="too"):
        body(book, "probe", instrument="kernel-table", evidence="e-0001")


def test_the_natural_tables_of_a_scaling_fit() -> None:
    book = Ledger()
    names = (
        "linear_coefficient",
        "quadratic_share",
        "linear_share",
        "points",
        "quadratic_coefficient",
    )
    book.evidence(
        "e-0001",
        instrument=Instrument(name="scaling-fit", version="1"),
        quantities=tuple(Quantity(name=name, value=i) for i, name in enumerate(names)),
        result="quadratic",
    )
    text = body(book, "scaling-fit", evidence="e-0001", columns="quantity,value")
    assert "result **quadratic**; scope: not stated; git state not recorded" in text
    assert text.split("\n\n", 1)[1] == (
        "| part | share |\n| --- | --- |\n| quadratic | 1 |\n| linear | 2 |\n\n"
        "| coefficient | value |\n| --- | --- |\n"
        "| quadratic_coefficient | 4 |\n| linear_coefficient | 0 |\n\n"
        "| range | value |\n| --- | --- |\n| points | 3 |\n"
    )


def test_common_options_select_rows_columns_and_order() -> None:
    book = settled()
    book.supersede("s-0003", "c-0003", "NOT A FLAG", date="2026-06-20")
    assert [line[2:8] for line in lines(book, "superseded")] == ["was su", "graphs"]
    for options, rows in (
        ({"since": "2026-06-03"}, ["graphs pay"]),
        ({"scope": "seat=training"}, ["was superseded"]),
        ({"scope": "seat="}, []),
        ({"order": "-claim", "columns": "claim"}, ["was superseded", "graphs pay"]),
        ({"order": "-date"}, ["graphs pay", "was superseded"]),
        ({"tag": "speed"}, []),
    ):
        assert [line[2:].split(" |")[0] for line in lines(book, "superseded", **options)] == rows
    text = body(book, "superseded", columns="replaced%20by,claim", since="2026-06-03")
    assert text.splitlines()[0] == "| replaced by | claim |"
    assert [row[:8] for row in lines(book, "negatives", tag="speed")] == ["| a step"]


@pytest.mark.parametrize(
    ("option", "value", "said", "fix"),
    [
        (
            "columns",
            "claim,size",
            "columns: there is no column 'size'",
            "claim, status, replaced%20by",
        ),
        ("columns", "claim,claim", "columns: a column is named twice", "once"),
        ("order", "-size", "order: there is no column 'size'", "date, claim"),
        ("since", "yesterday", "since: 'yesterday' is not a date", "YYYY-MM-DD"),
        ("since", "20260601", "since: '20260601' is not a date", "YYYY-MM-DD"),
        ("scope", "seat", "scope: 'seat' is not key=value", "known to be none"),
    ],
)
def test_an_option_that_cannot_be_followed_says_what_is_allowed(
    option: str, value: str, said: str, fix: str
) -> None:
    with pytest.raises(OptionError) as caught:
        body(settled(), "superseded", **{option: value})
    assert caught.value.message == said
    assert caught.value.option == option
    assert fix in caught.value.fix


def test_entries_are_named_by_id_or_unique_prefix() -> None:
    book = settled()
    book.evidence("e-00012", 1.0)
    assert body(book, "probe", evidence="e-00012")
    assert body(book, "probe", evidence="e-0001")
    for given, said in (
        ("e-000", "may be e-0001, e-00012"),
        ("e-9999", "there is no evidence"),
        ("c-0001", "there is no evidence"),
        ("", "may be"),
    ):
        with pytest.raises(OptionError, match=said):
            body(book, "probe", evidence=given)


def test_expectations_of_a_result_and_of_a_quantity_that_is_missing() -> None:
    book = Ledger()
    book.evidence("e-0001", 1.0, result="fail")
    passes = Expects(quantity="result", comparison="==", value="pass")
    book.claim("c-0001", "it passes", expects=passes)
    book.verdict("v-0001", "c-0001", "e-0001", "refutes")
    book.claim("c-0002", "no quantity", expects=expects("loss", "<", 1))
    book.verdict("v-0002", "c-0002", "e-0001", "refutes")
    assert [line.split(" | ")[1] for line in lines(book, "negatives")] == [
        "result fail", "result fail, step 1.0 s",
    ]  # fmt: skip


def test_rows_that_are_equal_otherwise_come_in_the_order_of_recording() -> None:
    book = Ledger()
    for evidence, refuted, measured in (
        ("e-9000", "c-1000", "c-8000"),
        ("e-2000", "c-7000", "c-3000"),
    ):
        book.evidence(evidence, 1.0, taken_at="2026-05-30")
        book.claim(refuted, f"refuted {refuted}")
        book.verdict(f"v-{refuted}", refuted, evidence, "refutes")
        book.claim(measured, f"measured {measured}", evidence=(evidence,))
    for name in ("c-6000", "c-4000"):
        book.claim(name, f"open {name}")

    def found(view: str, **options: str) -> list[str]:
        return [line.split("[")[1][:6] for line in lines(book, view, **options)]

    assert found("negatives") == ["c-1000", "c-7000"]
    assert found("standing") == ["c-8000", "c-3000"]
    assert found("open") == ["c-6000", "c-4000"]
    assert found("probe", instrument="stopwatch") == ["e-9000", "e-2000"]
