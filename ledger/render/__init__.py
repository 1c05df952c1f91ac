"""Documents: generated regions, tables, cells and citations, all pure on bytes and text.

Only `replace` touches a file that exists, and `documents` lists them; everything else returns
values. The Markdown parser is imported when a document is parsed, never by importing this package;
adopting tables, which few commands do, is in modules of its own: `adopt`, `choosing`, `layout`.
"""

from ledger.render.beside import beside
from ledger.render.cells import cell, survives
from ledger.render.citations import Citation, citations
from ledger.render.files import replace
from ledger.render.inserting import insert
from ledger.render.markers import MarkerError
from ledger.render.regions import Generated, Region, digest, find, generated, generated_lines, wrap
from ledger.render.rewriting import Judged, diff, judge, renew
from ledger.render.views import VIEWS, Request, View
from ledger.render.views.view import AS_OF, decoded, encoded
from ledger.render.walking import SUFFIXES, documents, regular_files

__all__ = [
    "AS_OF",
    "SUFFIXES",
    "VIEWS",
    "Citation",
    "Generated",
    "Judged",
    "MarkerError",
    "Region",
    "Request",
    "View",
    "beside",
    "cell",
    "citations",
    "decoded",
    "diff",
    "digest",
    "documents",
    "encoded",
    "find",
    "generated",
    "generated_lines",
    "insert",
    "judge",
    "regular_files",
    "renew",
    "replace",
    "survives",
    "wrap",
]
