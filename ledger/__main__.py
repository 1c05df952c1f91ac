"""`python -m ledger`."""

from ledger.cli import main

main()
