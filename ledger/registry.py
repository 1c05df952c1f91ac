"""Finding probes by name; a probe's module is imported only when that probe is named."""

import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, cast

from ledger.contract import Probe
from ledger.errors import LedgerError

GROUP = "ledger.probes"
"""Entry-point group in which other packages offer probes, as `name = module:object`."""

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "kernel-table": "probes.kernel_table.probe:PROBE",
        "scaling-fit": "probes.scaling_fit.probe:PROBE",
    }
)


def names() -> Mapping[str, str]:
    """Every probe's name and where it comes from, without importing one.

    Raises LedgerError when two packages offer the same name.
    """
    from importlib.metadata import entry_points

    found = dict(BUILT_IN)
    for point in entry_points(group=GROUP):
        if found.get(point.name, point.value) != point.value:
            raise LedgerError(
                "bad-input",
                f"two probes are named {point.name}: {found[point.name]} and {point.value}",
                fix="uninstall one of the packages",
            )
        found[point.name] = point.value
    return MappingProxyType(found)


def get(name: str) -> Probe:
    """Import one probe. Raises LedgerError not-found, or unavailable when its import fails."""
    found = names()
    if name not in found:
        raise LedgerError(
            "not-found", f"there is no probe {name!r}", fix=f"one of {', '.join(found)}"
        )
    module, _, attribute = found[name].partition(":")
    try:
        loaded: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise LedgerError(
            "unavailable",
            f"the probe {name} ({found[name]}) cannot be imported: {error}",
            fix="install what it needs; the probes of this package need evidence-ledger[probes]",
        ) from error
    return cast("Probe", loaded)
