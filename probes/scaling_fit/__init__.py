"""How a training step's time grows with sequence length: which term dominates, and where."""
