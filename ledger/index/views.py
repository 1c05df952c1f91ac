"""What `search` and `sql` need beyond the table: full text and views, made when first asked for."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_ENTRIES = """
SELECT id, kind, at, host, user, path, content FROM file
WHERE id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM file AS earlier
  WHERE earlier.id = file.id AND (earlier.at, earlier.path) < (file.at, file.path))
"""


def _view(kind: str, *fields: str) -> str:
    """A view of one kind of entry; a field is `name`, or `name:path.in.the.entry`."""
    pairs = [field.split(":") if ":" in field else (field, field) for field in fields]
    columns = ", ".join(f"json_extract(content, '$.{path}') AS {name}" for name, path in pairs)
    return f"SELECT id, at, {columns} FROM entries WHERE kind = '{kind}'"  # noqa: S608 - constants


VIEWS: dict[str, str] = {
    "entries": _ENTRIES,
    "claims": _view(
        "claim", "statement", "by:by.name", "role:by.role", "model:by.model", "basis", "consult",
        "expires", "about", "evidence", "rests_on", "expects", "echoes", "tags",
    ),
    "evidence": _view(
        "evidence", "instrument:instrument.name", "version:instrument.version", "result", "about",
        "git_state:git.state", "git_oid:git.oid", "taken_at", "doubts", "tags",
    ),
    "consults": _view("consult", "question", "asked_at", "arms", "tags"),
    "verdicts": _view("verdict", "claim", "evidence", "outcome", "decided", "by:by.name", "note"),
    "supersessions": _view(
        "supersession", "claim", "status", "date", "replaced_by_text:replaced_by.text",
        "replaced_by_claim:replaced_by.claim", "evidence",
    ),
    "retractions": _view("retraction", "target", "reason", "by:by.name"),
    "quantities": """
SELECT entries.id AS evidence, json_extract(value, '$.name') AS name,
  json_extract(value, '$.value') AS value, coalesce(json_extract(value, '$.unit'), '1') AS unit,
  json_extract(value, '$.n') AS n, json_extract(value, '$.low') AS low,
  json_extract(value, '$.high') AS high, json_extract(value, '$.reason') AS reason
FROM entries, json_each(content, '$.quantities') WHERE kind = 'evidence'
""",
    "scopes": """
SELECT entries.id AS id, kind, key, value FROM entries, json_each(content, '$.about')
""",
    "problems": "SELECT path, slug, message, got, expected FROM file WHERE slug IS NOT NULL",
}  # fmt: skip


def complete(connection: "sqlite3.Connection") -> None:
    """Make the full text and the views where they are absent, all or nothing.

    Triggers keep the full text current from then on, also for writers that know nothing of it.
    Raises sqlite3.Error.
    """
    if _has_full_text(connection):
        return
    from sqlite_utils import Database

    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _has_full_text(connection):  # nobody else was quicker
            database = Database(connection, execute_plugins=False)
            database.table("file").enable_fts(["words"], create_triggers=True)
            for name, select in VIEWS.items():
                database.create_view(name, select.strip())
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _has_full_text(connection: "sqlite3.Connection") -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE name = 'file_fts'"
    return connection.execute(query).fetchone() is not None
