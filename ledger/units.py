"""Units that quantities and expectations are written in, and conversion inside a family."""

from types import MappingProxyType

from msgspec import Struct

from ledger.errors import LedgerError


class Unit(Struct, frozen=True, kw_only=True):
    """A unit: its family, and how many of the family's base unit it is."""

    family: str
    factor: float


# fmt: off
_FAMILIES: dict[str, dict[str, float]] = {
    "ratio": {"1": 1.0, "%": 0.01, "x": 1.0},
    "difference of ratios": {"pp": 0.01},
    "time": {
        "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9,
        "min": 60.0, "h": 3600.0, "d": 86400.0,
    },
    "time per token": {"s/token": 1.0, "ms/token": 1e-3, "us/token": 1e-6},
    "time per token squared": {"s/token^2": 1.0},
    "time per step": {"s/step": 1.0, "ms/step": 1e-3, "s/it": 1.0, "ms/it": 1e-3},
    "bytes": {
        "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
        "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40,
    },
    "bytes per second": {
        "B/s": 1.0, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12,
        "KiB/s": 2.0**10, "MiB/s": 2.0**20, "GiB/s": 2.0**30, "TiB/s": 2.0**40,
    },
    "tokens per second": {"token/s": 1.0, "tokens/s": 1.0, "tok/s": 1.0},
    "steps per second": {"step/s": 1.0, "steps/s": 1.0, "it/s": 1.0},
    "requests per second": {"request/s": 1.0, "requests/s": 1.0, "req/s": 1.0},
    "floating-point operations": {"FLOP": 1.0, "GFLOP": 1e9, "TFLOP": 1e12, "PFLOP": 1e15},
    "floating-point operations per second": {
        "FLOP/s": 1.0, "GFLOP/s": 1e9, "TFLOP/s": 1e12, "PFLOP/s": 1e15,
    },
    "power": {"W": 1.0, "kW": 1e3},
    "energy": {"J": 1.0, "kJ": 1e3, "Wh": 3600.0, "kWh": 3.6e6},
    "temperature": {"degC": 1.0},
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "GHz": 1e9},
    **{
        f"count of {plural}": {singular: 1.0, plural: 1.0}
        for singular, plural in (
            ("token", "tokens"), ("step", "steps"), ("kernel", "kernels"), ("launch", "launches"),
            ("layer", "layers"), ("row", "rows"), ("sample", "samples"), ("record", "records"),
            ("entry", "entries"), ("response", "responses"), ("parameter", "parameters"),
            ("epoch", "epochs"), ("point", "points"), ("line", "lines"), ("test", "tests"),
            ("iteration", "iterations"), ("request", "requests"), ("example", "examples"),
            ("prompt", "prompts"), ("case", "cases"), ("file", "files"),
        )
    },
}
_FAMILIES["count of parameters"] |= {"param": 1.0, "params": 1.0}
# fmt: on

UNITS: MappingProxyType[str, Unit] = MappingProxyType(
    {
        name: Unit(family=family, factor=factor)
        for family, members in _FAMILIES.items()
        for name, factor in members.items()
    }
)


def check(unit: str) -> str:
    """The unit itself. Raises LedgerError for one that is not known, naming near ones."""
    if unit in UNITS:
        return unit
    import difflib

    near = difflib.get_close_matches(unit, UNITS, n=3, cutoff=0.4)
    hint = f"did you mean {', '.join(near)}? " if near else ""
    raise LedgerError(
        "bad-input",
        f"unknown unit {unit!r}",
        fix=f"{hint}A ratio or a plain count is '1', a percentage '%', a factor 'x'. "
        f"Known: {', '.join(UNITS)}",
    )


def convert(value: float, unit: str, to: str) -> float | None:
    """The value in another unit of the same family; None when the families differ."""
    if unit == to:
        return value
    here, there = UNITS.get(unit), UNITS.get(to)
    if here is None or there is None or here.family != there.family:
        return None
    from decimal import Decimal

    # Decimal, so that 35200 ms is 35.2 s exactly and a bound is not missed by a rounding.
    exact = Decimal(repr(float(value))) * Decimal(repr(here.factor)) / Decimal(repr(there.factor))
    return float(exact)
