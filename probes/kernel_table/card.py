"""The card a trace was taken on, as far as the trace says so. Pure."""

from dataclasses import dataclass
from typing import Any, Literal

from probes.kernel_table.compute import Totals
from probes.kernel_table.parse import Trace

Vendor = Literal["NVIDIA", "AMD"]
_NVIDIA = ("nvidia", "tesla", "geforce", "quadro", "titan")
_AMD = ("amd", "radeon", "instinct")


@dataclass(frozen=True, kw_only=True)
class Card:
    """None where the trace does not say."""

    vendor: Vendor | None
    name: str | None
    compute_capability: str | None
    """NVIDIA's alone: AMD cards report numbers from the same range for another thing."""


def _vendor(name: str, trace: Trace) -> Vendor | None:
    lower = name.lower()
    if lower.startswith(_NVIDIA):
        return "NVIDIA"
    if lower.startswith(_AMD):
        return "AMD"
    if "hip" in trace.runtime_names or "hip_runtime_version" in trace.members:
        return "AMD"
    if any(name.startswith("cu") for name in trace.runtime_names):
        return "NVIDIA"
    return None


def _active(trace: Trace, totals: Totals) -> list[dict[str, Any]]:
    """The properties of the devices that ran something; of all, where ids do not match."""
    listed = trace.members.get("deviceProperties")
    cards = [card for card in listed if isinstance(card, dict)] if isinstance(listed, list) else []
    ran = [card for card in cards if str(card.get("id")) in totals.devices]
    return ran or cards


def _capability(card: dict[str, Any]) -> str | None:
    major, minor = card.get("computeMajor"), card.get("computeMinor")
    return f"{major}.{minor}" if isinstance(major, int) and isinstance(minor, int) else None


def _one(values: set[str | None]) -> str | None:
    return next(iter(values)) if len(values) == 1 else None


def card_of(trace: Trace, totals: Totals) -> Card:
    """The one card behind all active devices; what differs between them is not stated."""
    cards = _active(trace, totals)
    name = _one({str(card.get("name") or "").strip() for card in cards}) or None
    vendor = _vendor(name or "", trace)
    capability = _one({_capability(card) for card in cards}) if vendor == "NVIDIA" else None
    return Card(vendor=vendor, name=name, compute_capability=capability)
