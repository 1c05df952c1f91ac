"""Evidence ledger: claims that need a linked measurement or an expiry date."""

__version__ = "0.1.0"
