import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ledger.canonical import parse
from ledger.contract import Measurement, Unavailable
from probes.kernel_table.inputs import KernelTableInputs
from probes.kernel_table.probe import PROBE

REPOSITORY = Path(__file__).resolve().parents[3]
SHARED = Path(os.environ.get("LEDGER_SHARED") or REPOSITORY.parent / "shared")
FOLDERS = [folder for name in ("traces", "h200")
           if (folder := SHARED / "data" / name).joinpath("truth.json").is_file()]  # fmt: skip

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FOLDERS, reason="the shared traces are not here (LEDGER_SHARED)"),
]


@cache
def _truth(folder: Path) -> dict[str, Any]:
    return dict(parse(folder.joinpath("truth.json").read_bytes()))


CASES = [(folder, name) for folder in FOLDERS for name in _truth(folder)]
WITH_DEVICE = [case for case in CASES if _truth(case[0])[case[1]]["kernels"]]


@cache
def _measured(folder: Path, name: str) -> Measurement:
    found = PROBE.run(KernelTableInputs(trace=[folder / f"{name}.json.gz"]))
    assert isinstance(found, Measurement), found
    return found


def _printed(value: Any) -> str:
    """A number as printed, with 5.0 and 5 alike."""
    return str(getattr(value, "text", value)).removesuffix(".0")


def _name(case: object) -> str:
    return case.name if isinstance(case, Path) else str(case)


@pytest.mark.parametrize(("folder", "name"), WITH_DEVICE, ids=_name)
def test_every_sum_is_the_printed_decimal(folder: Path, name: str) -> None:
    truth, got = _truth(folder)[name], _measured(folder, name).details["traces"][0]
    same = {
        "kernel_sum_us": "kernel_sum_us", "copies_sum_us": "copy_sum_us",
        "memcpy_sum_us": "memcpy_sum_us", "memset_sum_us": "memset_sum_us", "busy_us": "busy_us",
        "kernels_busy_us": "kernels_busy_us", "device_span_us": "device_span_us",
        "span_us": "span_us", "orphan_sum_us": "orphan_sum_us",
        "annotation_sum_us": "annotation_sum_us", "kernels": "kernels", "kernel_names": "names",
        "memcpys": "memcpys", "memsets": "memsets", "orphans": "orphans",
        "orphan_kernels": "orphan_kernels", "same_stream_overlaps": "same_stream_overlaps",
        "annotations": "annotations", "events": "events", "complete_events": "complete_events",
        "launch_calls": "launch_calls",
    }  # fmt: skip
    assert {key: _printed(truth[key]) for key in same} == {
        key: _printed(got[mine]) for key, mine in same.items()
    }
    assert truth["copies"] == got["memcpys"] + got["memsets"]
    assert truth["graph"] == {
        "launches_with_many_kernels": got["graph_launches"],
        "largest": got["largest_launch"],
    }


@pytest.mark.parametrize(("folder", "name"), WITH_DEVICE, ids=_name)
def test_streams_and_generations(folder: Path, name: str) -> None:
    truth, got = _truth(folder)[name], _measured(folder, name).details["traces"][0]
    assert truth["streams"] == len(got["streams"])
    printed = [{key: _printed(value) for key, value in row.items()} for row in truth["per_stream"]]
    assert printed == [
        {key: _printed(value) for key, value in row.items()} for row in got["streams"]
    ]
    assert {
        stated: (row["launches"], _printed(row["sum_us"]))
        for stated, row in truth["generation_in_name"].items()
    } == {
        stated: (row["kernels"], _printed(row["sum_us"]))
        for stated, row in got["generation_in_name"].items()
    }


@pytest.mark.parametrize(("folder", "name"), WITH_DEVICE, ids=_name)
def test_card_labels_and_report(folder: Path, name: str) -> None:
    truth, found = _truth(folder)[name], _measured(folder, name)
    named = truth["gpu"][0] or None
    assert found.about.get("device") == named
    assert ("compute_capability" in found.about) == ("AMD" not in (named or "AMD"))
    table = found.details["traces"][0]["table"]
    assert sum(row["share"] for row in table) == pytest.approx(1, abs=1e-9)
    assert all(len(line) <= 80 for line in found.report.splitlines())
    assert found.details["traces"][0]["shares"]["unknown"] < 0.01
    assert json.loads(json.dumps(found.details)) == found.details


@pytest.mark.parametrize(
    ("folder", "name"), [case for case in CASES if case not in WITH_DEVICE], ids=_name
)
def test_a_trace_without_device_events(folder: Path, name: str) -> None:
    found = PROBE.run(KernelTableInputs(trace=[folder / f"{name}.json.gz"]))
    assert isinstance(found, Unavailable)
    assert "CPU-only" in found.reason


@pytest.mark.skipif(len(FOLDERS) < 2, reason="the measured steps are not here")
def test_the_operator_link_agrees_with_the_symbols() -> None:
    """The second source, asked about kernels whose symbol is plain, on an old and a new trace."""
    from probes.kernel_table.operators import by_symbol, label_of_operator, launching_operators
    from probes.kernel_table.parse import read_trace

    for path in (FOLDERS[0] / "v100_multistream_trace_diff.json.gz",
                 FOLDERS[1] / "moe-grouped_mm.json.gz"):  # fmt: skip
        trace = read_trace(path)
        kernels = [event for event in trace.device_events if event.kind == "kernel"]
        pairs = [
            (decision.label, label_of_operator(operator))
            for decision, operator in zip(
                by_symbol(kernels), launching_operators(trace, kernels), strict=True
            )
            if operator
        ]
        assert len(pairs) > 0.9 * len(kernels)
        decided = [pair for pair in pairs if pair[1] != "unknown"]
        assert sum(symbol == operator for symbol, operator in decided) > 0.85 * len(decided)
