"""The disposable index: the entries as last read, so that unchanged files need no reading.

Every load compares each file's stamp with the one stored, so that the index never answers for a
file that has changed. Losing it costs one rebuild; `ledger verify` makes it anew from the files.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ledger.index.query import SqlResult, search, sql
    from ledger.index.refresh import load, rebuild, record, record_all

__all__ = ["SqlResult", "load", "rebuild", "record", "record_all", "search", "sql"]


def __getattr__(name: str) -> Any:
    """Import a part only when it is used (PEP 562): lists start faster."""
    for module, names in (
        ("refresh", ("load", "rebuild", "record", "record_all")),
        ("query", ("SqlResult", "search", "sql")),
    ):
        if name in names:
            return getattr(importlib.import_module(f"ledger.index.{module}"), name)
    raise AttributeError(name)
