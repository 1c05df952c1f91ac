"""Notes beside artifacts: what an artifact holds, and what is known to be wrong in it."""
