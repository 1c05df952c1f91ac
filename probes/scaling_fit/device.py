"""The clocks and the machine: what a live measurement ran on."""

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ledger.contract import Unavailable
from probes.scaling_fit.live import Tick
from probes.scaling_fit.steps import Step, quiet


def resolve(device: str | None) -> str | Unavailable:
    """The device asked for, if it is here; left out, cuda where torch sees a GPU."""
    if device == "cpu":
        return device
    torch = _torch()
    if device is None:
        return "cuda" if torch is not None and torch.cuda.is_available() else "cpu"
    if torch is None:
        return Unavailable(
            reason="device=cuda needs torch, which cannot be imported here",
            fix="pip install 'evidence-ledger[probes]', or time on -i device=cpu",
        )
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if int(device.partition(":")[2] or 0) >= count:
        return Unavailable(
            reason=f"no {device} here: torch {torch.__version__} sees {count} GPUs",
            fix="run on a machine with a GPU, or time on -i device=cpu",
        )
    return device


def _torch() -> Any:
    """Torch where it is installed, else None: a plain Python step needs none.

    Imported even if the user's module did not: its step may do so at the first call, after the
    device and the number of threads have been settled.
    """
    try:
        import torch
    except (ImportError, OSError):
        return None
    return torch


def clock(device: str) -> Callable[[Step], Tick]:
    """A function that times one call on the device."""
    return _cpu_tick if device == "cpu" else _cuda_clock(device)


def _cpu_tick(step: Step) -> Tick:
    with quiet():
        wall, cpu = time.perf_counter(), time.process_time()
        step()
        return Tick(cpu=time.process_time() - cpu, wall=time.perf_counter() - wall)


def _cuda_clock(device: str) -> Callable[[Step], Tick]:
    import torch

    def tick(step: Step) -> Tick:
        with torch.cuda.device(device), quiet():
            start = torch.cuda.Event(enable_timing=True)
            end = torch.cuda.Event(enable_timing=True)
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            wall, cpu = time.perf_counter(), time.process_time()
            start.record()
            step()
            end.record()
            torch.cuda.synchronize()
            return Tick(
                cpu=time.process_time() - cpu,
                wall=time.perf_counter() - wall,
                device=start.elapsed_time(end) / 1e3,
                peak_bytes=torch.cuda.max_memory_allocated(),
            )

    return tick


@contextmanager
def fixed_threads(threads: int) -> Iterator[int | None]:
    """Torch on a stated number of threads, restored afterwards; None where it is not installed."""
    torch = _torch()
    if torch is None:
        yield None
        return
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield threads
    finally:
        torch.set_num_threads(before)


def name_of(device: str) -> str:
    """The device's own name."""
    if device == "cpu":
        return f"cpu {platform.processor() or platform.machine()}"
    import torch

    return str(torch.cuda.get_device_name(device))


def load_average() -> float | None:
    """Runnable processes over the last minute; None where the system does not say."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def process_peak_bytes() -> int | None:
    """Peak resident memory of this process so far; None where the system does not say."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def versions() -> dict[str, str]:
    """Python, platform, and torch and transformers where they are loaded."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for package in ("torch", "transformers"):
        if module := sys.modules.get(package):
            found[package] = str(module.__version__)
    return found
