"""The instruments: each is found through `ledger.registry` and sees only the ledger's contract."""
