"""Documents: generated regions, tables, cells and citations, all pure on bytes and text.

Only `replace` touches a file that exists, and `documents` lists them; everything else returns
values. The Markdown parser is imported when a document is parsed, never by importing this package.
"""

from ledger.render.adopt import AdoptedRow, ClaimsTable, adopt, read_claims_table
from ledger.render.beside import beside
from ledger.render.cells import cell, survives
from ledger.render.citations import Citation, citations, documents
from ledger.render.files import replace
from ledger.render.regions import Region, Rewrite, find, rewrite, wrap
from ledger.render.views import VIEWS, Request, View
from ledger.render.views.superseded import row_of as superseded_row
from ledger.render.views.superseded import rows_of as superseded_rows
from ledger.render.views.superseded import superseded

__all__ = [
    "VIEWS",
    "AdoptedRow",
    "Citation",
    "ClaimsTable",
    "Region",
    "Request",
    "Rewrite",
    "View",
    "adopt",
    "beside",
    "cell",
    "citations",
    "documents",
    "find",
    "read_claims_table",
    "replace",
    "rewrite",
    "superseded",
    "superseded_row",
    "superseded_rows",
    "survives",
    "wrap",
]
