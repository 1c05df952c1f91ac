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
