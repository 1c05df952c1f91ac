import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probes.kernel_table import stream
from probes.kernel_table.parse import read_trace
from probes.kernel_table.stream import Batch, Member, UnreadableTrace, pieces
from probes.kernel_table.ticks import number


def _event(i: int, **more: Any) -> dict[str, Any]:
    args = {"correlation": i, "nested": [{"a": 1}, {"b": "},{"}], "text": '}],"traceEvents":[{'}
    return {"ph": "X", "cat": "kernel", "name": f"k{i % 5}", "pid": 0, "tid": 7,
            "ts": 100 + 2 * i + 0.125, "dur": 1.001, "args": args, **more}  # fmt: skip


EVENTS = [_event(i) for i in range(400)]
OTHER = {"schemaVersion": 1, "metadata": {"traceEvents": [1, {"a": "]"}]}, "z": "x"}


def _kineto(events: list[Any]) -> str:
    body = ",\n".join("  " + json.dumps(event, indent=2).replace("\n", "\n  ") for event in events)
    return f'\n  {{\n    "schemaVersion": 1,\n  "traceEvents": [\n{body}\n  ],\n  "t": "x"\n}}\n'


LAYOUTS = {
    "kineto": _kineto(EVENTS),
    "minified": json.dumps({**OTHER, "traceEvents": EVENTS}, separators=(",", ":")),
    "one line": json.dumps({**OTHER, "traceEvents": EVENTS}),
    "indented": json.dumps({"traceEvents": EVENTS, **OTHER}, indent=4),
    "sorted keys": json.dumps({"traceEvents": EVENTS, **OTHER}, indent=1, sort_keys=True),
    "tabs": json.dumps({"traceEvents": EVENTS, **OTHER}, indent="\t"),
    "bare list": json.dumps(EVENTS),
    "windows lines": json.dumps({"traceEvents": EVENTS, **OTHER}, indent=2).replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + json.dumps(EVENTS),
    "list of cards after": json.dumps(
        {"traceEvents": EVENTS, "deviceProperties": [{"id": 0}, {"id": 1}]}
    ),
}


@pytest.fixture(params=[64, 1000, 8 << 20])
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(stream, "CHUNK", request.param)
    return int(request.param)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.usefixtures("chunk")
def test_every_layout_gives_the_same_sums(tmp_path: Path, layout: str, *, zipped: bool) -> None:
    data = LAYOUTS[layout].encode()
    path = tmp_path / "trace.of.any.name"
    path.write_bytes(gzip.compress(data) if zipped else data)
    trace = read_trace(path)
    assert trace.events == len(trace.device_events) == 400
    assert [event.name for event in trace.device_events] == [e["name"] for e in EVENTS]
    total = sum(event.end - event.start for event in trace.device_events)
    assert str(number(total, unit="us")) == "400.4"


@pytest.mark.usefixtures("chunk")
def test_members_around_the_events(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text(LAYOUTS["minified"], encoding="utf-8")
    members = {piece.key: piece.value for piece in pieces(path) if isinstance(piece, Member)}
    assert members == OTHER


@pytest.mark.parametrize("layout", ["kineto", "minified", "bare list", "sorted keys"])
@pytest.mark.usefixtures("chunk")
def test_cut_anywhere_is_refused(tmp_path: Path, layout: str) -> None:
    data = LAYOUTS[layout].rstrip().encode()
    path = tmp_path / "t.json"
    for at in range(1, len(data), len(data) // 25):
        path.write_bytes(data[:at])
        with pytest.raises(UnreadableTrace):
            read_trace(path)


def test_cut_right_after_an_event_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    data = LAYOUTS["kineto"]
    for end in ("},", "}"):
        path.write_text(data[: data.rfind("\n  },\n  {")] + "\n  " + end, encoding="utf-8")
        with pytest.raises(UnreadableTrace, match="truncated"):
            read_trace(path)


def test_gzip_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.json.gz"
    whole = gzip.compress(LAYOUTS["kineto"].encode())
    for at in (3, 12, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        path.write_bytes(whole[:at])
        with pytest.raises(UnreadableTrace):
            read_trace(path)
    path.write_bytes(whole[:-8] + b"\0\0\0\0" + whole[-4:])
    with pytest.raises(UnreadableTrace, match="gzip"):
        read_trace(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("Self CUDA time total: 3 ms", "not JSON"),
        ("{}", "without `traceEvents`"),
        ('{"a": 1}', "without `traceEvents`"),
        ('{"traceEvents": []}', "no events"),
        ("[]", "no events"),
        ('{"traceEvents": {}}', "expected"),
        ('{"traceEvents": [1, 2]}', "no object"),
        ('{"traceEvents": [{}, null]}', "no object"),
        ('{"traceEvents": [{"ph": "X"},]}', ""),
        ('{"traceEvents": [{"ph": "X"} {"ph": "X"}]}', "expected"),
        ('{"traceEvents": [{"ph": X}]}', "malformed"),
        ('{"traceEvents": [{"cat": ["kernel"]}]}', "malformed"),
        ('{"traceEvents": [{}]} tail', "after the end"),
        ('{"traceEvents": [{}], "traceEvents": [{}]}', "twice"),
        ("{1: 2}", "without a name"),
        ('{"a": ]}', ""),
        ("[" * 100_000, ""),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "malformed"),
        ('[{"args": ' + "[" * 100_000 + "]" * 100_000 + "}]", ""),
    ],
)
def test_what_is_no_trace_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "t.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableTrace) as raised:
        read_trace(path)
    assert reason in raised.value.reason
    assert raised.value.fix


def test_missing_and_directory(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent.json"):
        with pytest.raises(UnreadableTrace):
            read_trace(path)


def test_what_profilers_write_beyond_json_is_read(tmp_path: Path) -> None:
    text = json.dumps({"traceEvents": EVENTS})
    text = text.replace('"correlation": 3,', '"occupancy": nan, "x": -inf, "correlation": 3,')
    text = text.replace('"name": "k1"', '"name": "nan \x1b[31m\x01 NaN"')
    path = tmp_path / "t.json"
    path.write_bytes(text.encode().replace(b'"k2"', b'"\xff\xfe"'))
    names = {event.name for event in read_trace(path).device_events}
    assert names == {"k0", "k3", "k4", "nan \x1b[31m\x01 NaN", "\ufffd\ufffd"}


def test_an_endless_event_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", 1000)
    monkeypatch.setattr(stream, "MAX_PIECE", 5000)
    path = tmp_path / "t.json"
    path.write_text('[{"name": "' + "x" * 50_000, encoding="utf-8")
    with pytest.raises(UnreadableTrace, match="longer than"):
        read_trace(path)


json_text = st.text(alphabet='{}[],:"\\ab\n\u20ac', max_size=8)
json_values: st.SearchStrategy[Any] = st.recursive(
    json_text | st.integers(-5, 5) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(json_text, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(json_values, min_size=1, max_size=12),
    st.integers(8, 80),
    st.sampled_from([None, 1, "\t"]),
)
def test_pieces_together_are_what_json_reads(
    tmp_path_factory: pytest.TempPathFactory, args: list[Any], size: int, indent: int | str | None
) -> None:
    events = [{"ph": "X", "name": str(i), "args": value} for i, value in enumerate(args)]
    path = tmp_path_factory.mktemp("s") / "t.json"
    path.write_text(json.dumps({"traceEvents": events}, indent=indent), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "CHUNK", size)
        read = [
            {"ph": event.ph, "name": event.name, "args": json.loads(bytes(event.args))}
            for piece in pieces(path)
            if isinstance(piece, Batch)
            for event in piece.events
        ]
    assert read == events
