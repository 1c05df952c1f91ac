"""Device time of a profiler trace by kernel: `probe.PROBE` is the instrument."""
