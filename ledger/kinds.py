"""Names that every part shares: kinds, their letters and plurals, statuses. Imports nothing."""

ID_DIGITS = 12
LETTERS: dict[str, str] = {
    "consult": "k",
    "claim": "c",
    "evidence": "e",
    "verdict": "v",
    "supersession": "s",
    "retraction": "r",
    "rescope": "o",
    "renewal": "w",
    "note": "n",
}
PLURALS: dict[str, str] = {
    "claims": "claim",
    "evidence": "evidence",
    "consults": "consult",
    "verdicts": "verdict",
    "supersessions": "supersession",
    "retractions": "retraction",
    "rescopes": "rescope",
    "renewals": "renewal",
    "notes": "note",
}
STATUSES: tuple[str, ...] = (
    "measured",
    "refuted",
    "disputed",
    "derived",
    "provisional",
    "expired",
    "fallen",
    "retracted",
    "superseded",
)
"""Of a claim; any other entry is live or retracted."""
WHOSE_WORD: dict[str, str] = {
    "recorder": "on the recorder's word",
    "agent": "on an agent's word",
    "person": "on a person's word",
}
"""How a link between claim and evidence was decided where no expectation did."""
SIDECAR_SUFFIX = ".provenance-note.json"
"""What an artifact's name gets to name the note for programs that stands beside it."""
ID_PATTERN = r"[kcevsrown]-[0-9a-f]{4,12}"
"""An entry's id, or enough of it to name the entry: for a regular expression."""
