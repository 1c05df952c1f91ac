from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.contract import Measurement
from ledger.errors import LedgerError
from probes.scaling_fit.inputs import Inputs
from probes.scaling_fit.points import Timed, parse, read
from probes.scaling_fit.probe import PROBE


def csv(text: str) -> tuple[Timed, ...]:
    return parse(text, name="p.csv", as_json=False)


def test_repeats_of_one_length_are_collected_and_lengths_sorted() -> None:
    text = "# H200\nseq_len,seconds,repeat\n\n2048,0.2,1\n1024,0.1,1\n# again\n2048,0.3,2\n"
    assert csv(text) == (
        Timed(seq_len=1024, seconds=(0.1,)),
        Timed(seq_len=2048, seconds=(0.2, 0.3)),
    )


@pytest.mark.parametrize(
    ("column", "seconds"),
    [("ms", 0.005), ("time_ms", 0.005), ("median [us]", 5e-6), ("wall (ns)", 5e-9), ("s", 5.0),
     ("time_s", 5.0), ("Seconds", 5.0)],
)  # fmt: skip
def test_header_names_the_unit(column: str, seconds: float) -> None:
    (point,) = csv(f"seq_len,{column}\n8,5\n")
    assert point.seconds == pytest.approx((seconds,), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no header"),
        ("seq_len,seconds\n", "no times"),
        ("1024,0.1\n2048,0.2\n", "line 1: no column seq_len"),
        ("seq_len,tokens\n1,2\n", "line 1: expected one column of times with its unit, got none"),
        ("seq_len,ms,seconds\n1,2,3\n", "got ms, seconds"),
        ("seq_len,ms,batch\n1,2,3\n", "line 1: unknown column 'batch'"),
        ("seq_len,ms,ms\n1,2,3\n", "line 1: a column is named twice"),
        ("seq_len,ms\n\n1\n", "line 3: 1 cells, expected 2"),
        ("seq_len,ms\n#\n1024,fast\n", "line 3: 'fast' is not a number"),
        ("seq_len,ms\n1024,0\n", "line 2: time 0 is not between 1e-09 and 1e+09 s"),
        ("seq_len,ms\n1024,-1\n", "line 2: time -1"),
        ("seq_len,ms\n1024,nan\n", "line 2: time nan"),
        ("seq_len,ms\n1024,inf\n", "line 2: time inf"),
        ("seq_len,ms\n0,1\n", "line 2: seq_len 0"),
        ("seq_len,ms\n10.5,1\n", "line 2: seq_len 10.5"),
        ("seq_len,ms\ninf,1\n", "line 2: seq_len inf"),
        ("seq_len,ms,repeat\n8,1,1\n8,1,1\n", "line 3: repeat 1 of seq_len 8 is given twice"),
    ],
)
def test_errors_name_the_line(text: str, says: str) -> None:
    with pytest.raises(LedgerError) as caught:
        csv(text)
    assert says in caught.value.message
    assert caught.value.code == "bad-input"


@pytest.mark.parametrize(
    "text",
    [
        '[{"seq_len": 8, "ms": [5, 6]}]',
        '{"points": [{"seq_len": 8, "ms": 5}, {"seq_len": 8.0, "ms": 6}]}',
    ],
)
def test_json_points(text: str) -> None:
    assert parse(text, name="p", as_json=True) == (Timed(seq_len=8, seconds=(0.005, 0.006)),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ("3", "no list of points"),
        ("[3]", "point 1: not an object"),
        ('[{"seq_len": 8, "ms": true}]', "point 1: True is not a number"),
        ('[{"seq_len": 8, "ms": []}]', "point 1: an empty list"),
        ('[{"seq_len": 8, "ms": 1}, {"seq_len": 8, "ms": null}]', "point 2: None is not"),
    ],
)
def test_json_errors_name_the_point(text: str, says: str) -> None:
    with pytest.raises(LedgerError, match=says):
        parse(text, name="p", as_json=True)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="cannot read"):
        read(tmp_path / "none.csv")


def test_byte_order_mark_and_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes("\ufeffseq_len,ms\r\n8,5\r\n".encode())
    assert read(path)[0].seq_len == 8


@given(st.text())
def test_any_text_is_points_or_a_ledger_error(text: str) -> None:
    for as_json in (True, False):
        try:
            found = parse(text, name="p", as_json=as_json)
        except LedgerError:
            continue
        assert all(t > 0 for item in found for t in item.seconds)


@pytest.mark.parametrize("law", [(1.0, 2.1, 4.6, 11.0), (0.1, 0.7, 3.3, 9.9)])
def test_equal_repeats_lie_in_their_own_interval(tmp_path: Path, law: tuple[float, ...]) -> None:
    rows = [f"{2**n},{t}" for n, t in enumerate(law, start=10) for _ in range(2)]
    path = tmp_path / "points.csv"
    path.write_text("seq_len,seconds\n" + "\n".join(rows) + "\n")
    found = PROBE.run(Inputs(points=path))
    assert isinstance(found, Measurement)
    for q in found.quantities:
        bounds = [x for x in (q.low, q.value, q.high) if x is not None]
        assert bounds == sorted(bounds), q.name


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("".join(f"{n},1.0\n" for n in range(1, 66)), "65 distinct lengths, at most 64"),
        ("1024,1e300\n", "time 1e300 is not between"),
        ("1e300,1.0\n", "not a whole number of tokens from 1"),
    ],
)
def test_what_cannot_be_fitted_is_refused_in_one_line(rows: str, says: str) -> None:
    with pytest.raises(LedgerError) as caught:
        parse("seq_len,seconds\n" + rows, name="p.csv", as_json=False)
    assert says in caught.value.message
