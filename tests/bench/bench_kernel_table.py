"""Reading speed and memory of the kernel table on a synthetic trace in Kineto's layout.

    python tests/bench/bench_kernel_table.py [MB] [--minified | --gzip]

Each reader runs in a process of its own, so that its peak memory is its own. Not collected by
pytest. Linux only: peak memory is read from /proc.
"""

import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import values

RUNS = 3
_HEAD = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H200", "computeMajor": 9, "computeMinor": 0
    }
  ],
  "displayTimeUnit": "ms",
  "traceEvents": ["""
_OP = """
  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 416, "tid": 416,
    "ts": {ts}.726, "dur": 3124.271,
    "args": {{
      "External id": {i},"Record function id": 0, "Sequence number": {i}, "Fwd thread id": 1, "Ev Idx": {i},
      "Input Dims": [[1, 4096, 1024], [3072, 1024], []], "Input type": ["c10::BFloat16", "c10::BFloat16", ""]
    }}
  }},"""  # noqa: E501
_FLOW = """
  {{
    "ph": "s", "id": {i}, "pid": 416, "tid": 416, "ts": {ts}.001,
    "cat": "ac2g", "name": "ac2g"
  }},"""
_LAUNCH = """
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 416, "tid": 416,
    "ts": {ts}.147, "dur": 8.397,
    "args": {{
      "External id": {i}, "cbid": 211, "correlation": {i}
    }}
  }},"""
_KERNEL = """
  {{
    "ph": "X", "cat": "kernel", "name": "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT_{name}", "pid": 0, "tid": 7,
    "ts": {ts}.973, "dur": 6.592,
    "args": {{
      "External id": {i}, "queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": {i}, "registers per thread": 32, "shared memory": 0,
      "blocks per SM": 31.030304, "warps per SM": 124.121216, "grid": [4096, 1, 1], "block": [128, 1, 1]
    }}
  }},"""  # noqa: E501
_TAIL = """
  {
    "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 5097693628598.513
  }
  ],
  "traceName": "bench.json"
}
"""
_OPS_PER_KERNEL = 12

# The kernel's own mark: ru_maxrss of a child starts at its parent's peak.
_PEAK = """
def peak_kib():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
"""
_TABLE = """
import sys, time
from pathlib import Path
from probes.kernel_table.inputs import KernelTableInputs
from probes.kernel_table.probe import PROBE
from probes.kernel_table import compute, operators, parse, quantities, report
base = peak_kib()
start = time.perf_counter()
found = PROBE.run(KernelTableInputs(trace=[Path(sys.argv[1])]))
took = time.perf_counter() - start
peak = peak_kib()
values = {quantity.name: quantity.value for quantity in found.quantities}
print(took, (peak - base) / 1024, peak / 1024, float(values["kernel_sum"]))
"""
_JSON = """
import gzip, json, sys, time
base = peak_kib()
start = time.perf_counter()
opened = gzip.open(sys.argv[1]) if sys.argv[1].endswith("gz") else open(sys.argv[1], "rb")
with opened as file:
    events = json.load(file)["traceEvents"]
total = sum(e["dur"] for e in events if e.get("ph") == "X" and e.get("cat") == "kernel") / 1000
took = time.perf_counter() - start
peak = peak_kib()
print(took, (peak - base) / 1024, peak / 1024, total)
"""


def _events(size: int) -> Iterator[str]:
    written, i = 0, 0
    while written < size:
        ts = 5097693570561 + 9 * i
        parts = [_OP.format(i=i, ts=ts) for _ in range(_OPS_PER_KERNEL)]
        parts += [_FLOW.format(i=i, ts=ts) for _ in range(4)]
        parts += [_LAUNCH.format(i=i, ts=ts), _KERNEL.format(i=i, ts=ts + 3, name=i % 60)]
        block = "".join(parts)
        written += len(block)
        i += 1
        yield block


def write_trace(path: Path, *, megabytes: int) -> None:
    """A trace of about that many 10^6 bytes, 18 events per kernel."""
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        file.writelines(_events(megabytes * 10**6))
        file.write(_TAIL)


def _measure(program: str, path: Path) -> tuple[float, float, float, float]:
    run = subprocess.run(
        [sys.executable, "-c", _PEAK + program, str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    took, above, peak, total = map(float, run.stdout.split())
    return took, above, peak, total


def main(arguments: list[str]) -> None:
    """Write the trace, read it with both readers and print the comparison."""
    megabytes = next((int(argument) for argument in arguments if argument.isdigit()), 150)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bench.json")
        write_trace(path, megabytes=megabytes)
        if "--minified" in arguments:
            text = json.dumps(json.loads(path.read_text(encoding="utf-8")), separators=(",", ":"))
            path.write_text(text, encoding="utf-8")
        size = path.stat().st_size / 1e6
        if "--gzip" in arguments:
            zipped = path.with_suffix(".json.gz")
            zipped.write_bytes(gzip.compress(path.read_bytes(), compresslevel=1))
            path = zipped
        started = time.perf_counter()
        path.read_bytes()
        print(
            f"{size:.0f} MB of JSON; reading the bytes alone {time.perf_counter() - started:.2f} s"
        )
        runs = [(_measure(_TABLE, path), _measure(_JSON, path)) for _ in range(RUNS)]
    for name, index in (("kernel-table", 0), ("json.load", 1)):
        took, above, peak, total = min(run[index] for run in runs)
        print(
            f"{name:<14}{took:7.2f} s {size / took:7.0f} MB/s   peak {peak:6.0f} MB"
            f" ({above:.0f} above imports)   kernel sum {total:.3f} ms"
        )
    values.show("read_speed", [size / table[0] for table, _ in runs], "MB/s")
    values.show("peak_above_imports", [table[1] for table, _ in runs], "MiB")
    values.show("times_as_fast_as_json_load", [plain[0] / table[0] for table, plain in runs])


if __name__ == "__main__":
    main(sys.argv[1:])
