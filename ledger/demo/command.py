"""`ledger demo`."""

from pathlib import Path
from typing import Annotated

import typer

from ledger.demo import play


def demo(
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Leave the repository there to look at."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live/--no-live", help="Time a small model too, where torch is.")
    ] = True,
) -> int:
    """Run the whole path on real inputs.

    In a temporary repository: a panel, refusals, measurements, a correction, the audit.

    Example: ledger demo --keep /tmp/ledger-demo
    """
    return play.play(keep=keep, live=live)
