"""What a glob means, written from its description: the oracle for how leaves are collapsed."""

from ledger.provenance.pointers import INDEX


def matches(glob: str, pointer: str) -> bool:
    """Whether a glob stands for the leaf that a pointer names."""
    wanted, parts = glob.split("/"), pointer.split("/")
    if wanted[-1] == "**":
        wanted = wanted[:-1]
        if len(parts) <= len(wanted):
            return False
        parts = parts[: len(wanted)]
    return len(wanted) == len(parts) and all(map(_fits, wanted, parts))


def _fits(wanted: str, part: str) -> bool:
    if not wanted.startswith("*"):
        return wanted.replace("~2", "*") == part
    if not INDEX.fullmatch(part):
        return False
    spans = [span.split("-") for span in wanted[2:-1].split(",") if span]
    return not spans or any(int(span[0]) <= int(part) <= int(span[-1]) for span in spans)
