"""The `ledger` command: parse, call `ledger.service`, print."""

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from typer._click.exceptions import UsageError

    from ledger.errors import LedgerError


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    # A command makes few cycles and ends soon: looking for them at the usual rate costs 5 % of it.
    gc.set_threshold(100_000, 50, 50)
    # A stream that was closed before the start (`>&-`) is None: what is written to it is lost.
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115, PTH123
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115, PTH123
    for stream in (sys.stdout, sys.stderr):
        # Any text can be a statement: a locale that cannot show a character gets an escape.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code."""
    from typer._click.exceptions import NoArgsIsHelpError, UsageError

    from ledger.cli import output
    from ledger.cli.app import app
    from ledger.errors import LedgerError

    end = arguments.index("--") if "--" in arguments else len(arguments)
    as_json = "--json" in arguments[:end]
    try:
        code = app(args=arguments, prog_name="ledger", standalone_mode=False)
        sys.stdout.flush()
    except LedgerError as failure:
        return output.error(failure, as_json=as_json)
    except NoArgsIsHelpError as failure:
        sys.stderr.write(failure.format_message() + "\n")
        return output.EXIT_CODES["bad-input"]
    except UsageError as failure:
        return output.error(_usage(failure), as_json=as_json)
    except BrokenPipeError:
        # The reader (`| head`) has seen enough; keep the interpreter from flushing into it again.
        sys.stdout = None
        code = 0
    except OSError as failure:
        return output.error(_system(failure), as_json=as_json)
    except KeyboardInterrupt:
        code = 130
    return code if isinstance(code, int) else 0


def _system(failure: OSError) -> "LedgerError":
    """A refusal of the system that nothing below has an own word for."""
    from ledger.errors import LedgerError

    reason = failure.strerror or str(failure)
    if failure.filename is not None:
        return LedgerError(
            "unavailable", f"{failure.filename}: {reason}", fix="make it accessible, then repeat"
        )
    # Only standard output has no name; keep the interpreter from flushing into it again.
    sys.stdout = None
    return LedgerError(
        "unavailable",
        f"cannot write the output: {reason}; what was recorded is kept",
        fix="write the output elsewhere; the same command again records nothing twice",
    )


def _usage(failure: "UsageError") -> "LedgerError":
    from typer._click.exceptions import NoSuchOption

    from ledger.errors import LedgerError

    command = failure.ctx.command_path if failure.ctx else "ledger"
    fix = f"{command} --help"
    if isinstance(failure, NoSuchOption):
        fix += "; put -- before a text that begins with a dash"
    return LedgerError("bad-input", failure.format_message(), fix=fix)
