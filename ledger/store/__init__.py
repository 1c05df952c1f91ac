"""The entry files: where they are, how they are written so that none is lost, how they are read."""

import importlib
from typing import TYPE_CHECKING, Any

from ledger.store.location import Ledger, find, init, prepare_index
from ledger.store.scanning import Problem, Scan, scan, stamp_of

if TYPE_CHECKING:
    from ledger.store.names import resolve
    from ledger.store.reading import (
        Loaded,
        Stored,
        as_stored,
        collect,
        path_of,
        read_all,
        read_file,
    )
    from ledger.store.writing import Written, leftovers, sweep, write, write_all

__all__ = [
    "Ledger",
    "Loaded",
    "Problem",
    "Scan",
    "Stored",
    "Written",
    "as_stored",
    "collect",
    "find",
    "init",
    "leftovers",
    "path_of",
    "prepare_index",
    "read_all",
    "read_file",
    "resolve",
    "scan",
    "stamp_of",
    "sweep",
    "write",
    "write_all",
]
_READING = ("Loaded", "Stored", "as_stored", "collect", "path_of", "read_all", "read_file")
_WRITING = ("Written", "leftovers", "sweep", "write", "write_all")


def __getattr__(name: str) -> Any:
    """Import what reads and writes entries only when it is used (PEP 562): lists start faster."""
    for module, names in (("reading", _READING), ("writing", _WRITING), ("names", ("resolve",))):
        if name in names:
            return getattr(importlib.import_module(f"ledger.store.{module}"), name)
    raise AttributeError(name)
