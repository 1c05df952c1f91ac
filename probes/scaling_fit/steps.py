"""Load the user's own step and call its factory."""

import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from ledger.contract import Unavailable

Step = Callable[[], object]
_FACTORY = (
    "give -i step=module:factory (or path/to/file.py:factory), where "
    "factory(seq_len=..., batch=..., device=...) returns a callable doing forward and backward"
)


@dataclass(frozen=True, kw_only=True)
class Factory:
    """The user's factory and the file it came from."""

    make: Callable[..., object]
    source: Path | None


@dataclass(frozen=True, kw_only=True)
class Steps:
    """One callable per length, and what they say they resolved to."""

    by_length: Mapping[int, Step]
    about: Mapping[str, str | None]
    """Keys on which all lengths agree."""
    disagree: tuple[str, ...]
    """Keys on which they do not: the lengths are then different configurations."""


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What a user's step prints goes to stderr: stdout carries results only.

    Python's stdout, and the file descriptor that libraries in C write to.
    """
    with contextlib.redirect_stdout(sys.stderr), _descriptor_to_stderr():
        yield


@contextlib.contextmanager
def _descriptor_to_stderr() -> Iterator[None]:
    try:
        kept = os.dup(1)
    except OSError:  # stdout is closed: there is nothing to keep clean
        yield
        return
    try:
        os.dup2(2, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def one_line(error: BaseException) -> str:
    """An exception as its type and first line, at most 200 characters."""
    text = str(error).strip().splitlines()
    return f"{type(error).__name__}: {text[0]}"[:200] if text else type(error).__name__


def load(spec: str) -> Factory | Unavailable:
    """Import `module:factory` or `path/to/file.py:factory`; the working directory is searched."""
    where, _, name = spec.rpartition(":")
    try:
        with quiet():
            module = _file(Path(where)) if where.endswith(".py") else _module(where)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's module may raise anything
        return _not_imported(where, error)
    make = getattr(module, name, None)
    if not callable(make):
        return Unavailable(reason=f"{where} has no callable {name!r}", fix=_FACTORY, cause="input")
    source = getattr(module, "__file__", None)
    return Factory(make=make, source=Path(source) if source else None)


def _not_imported(where: str, error: BaseException) -> Unavailable:
    named = isinstance(error, ModuleNotFoundError) and where.partition(".")[0] == error.name
    if named or isinstance(error, FileNotFoundError):
        return Unavailable(
            reason=f"cannot find {where} from the working directory", fix=_FACTORY, cause="input"
        )
    if isinstance(error, ModuleNotFoundError):
        return Unavailable(
            reason=f"{where} needs {error.name}, which is not installed here",
            fix=f"install {error.name} in the environment that runs ledger",
        )
    return Unavailable(
        reason=f"importing {where} raised {one_line(error)}",
        fix="import it in a plain Python session first",
        cause="input",
    )


def _module(name: str) -> ModuleType:
    with _searching(Path.cwd()):
        return importlib.import_module(name)


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise FileNotFoundError(path)
    spec = importlib.util.spec_from_file_location(f"_ledger_step_{path.stem}", path.resolve())
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses and pickling look their module up by name while it is executed.
    sys.modules[spec.name] = module
    with _searching(path.resolve().parent):
        spec.loader.exec_module(module)
    return module


@contextlib.contextmanager
def _searching(folder: Path) -> Iterator[None]:
    entry = str(folder)
    sys.path.insert(0, entry)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(entry)


def build(
    factory: Factory, *, lengths: tuple[int, ...], batch: int, device: str
) -> Steps | Unavailable:
    """Call the factory once per length."""
    steps: dict[int, Step] = {}
    for length in lengths:
        try:
            with quiet():
                step = factory.make(seq_len=length, batch=batch, device=device)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's factory may raise
            return Unavailable(
                reason=f"the factory raised {one_line(error)} at seq_len {length}",
                fix="call the factory in a plain Python session with these arguments",
            )
        if not callable(step):
            return Unavailable(
                reason=f"the factory returned {type(step).__name__}, not a callable",
                fix=_FACTORY,
                cause="input",
            )
        steps[length] = step
    return _described(steps)


def _described(steps: Mapping[int, Step]) -> Steps:
    said: list[Any] = [getattr(step, "about", None) for step in steps.values()]
    tables = [
        {str(key): None if value is None else str(value) for key, value in table.items()}
        if isinstance(table, Mapping)
        else {}
        for table in said
    ]
    keys = sorted({key for table in tables for key in table})
    agree = {key: value for key, value in tables[0].items() if _same(tables, key)}
    return Steps(
        by_length=steps, about=agree, disagree=tuple(key for key in keys if key not in agree)
    )


def _same(tables: list[dict[str, str | None]], key: str) -> bool:
    return all(key in table and table[key] == tables[0][key] for table in tables)
