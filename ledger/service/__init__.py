"""What the front ends call: every job of the ledger as a function that returns a result."""
