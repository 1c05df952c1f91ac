"""The whole path on real inputs that ship with the package."""
