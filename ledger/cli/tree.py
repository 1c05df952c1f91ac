"""Every command by name, with its summary, so that help needs to import none of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Lazy(NamedTuple):
    """A command that is imported when it is used, or a group of them."""

    summary: str
    """The first sentence of the command's docstring (a test compares them)."""
    target: "str | Tree"
    """`module:function`, or the group's own tree."""
    default: str | None = None
    """The command of a group that takes the words when the first of them names none."""


Tree = Mapping[str, Lazy]

_RECORD, _READ, _CORRECT = "ledger.cli.record", "ledger.cli.read", "ledger.cli.correct"
_LISTING, _DOCUMENTS, _SETUP = "ledger.cli.listing", "ledger.cli.documents", "ledger.cli.setup"
_PROBES, _NOTE = "ledger.cli.probes", "ledger.cli.note"

_CONSULT: Tree = {"record": Lazy("Record a question and each arm's answer.", f"{_RECORD}:consult")}
_EVIDENCE: Tree = {"add": Lazy("Record a measurement made elsewhere", f"{_RECORD}:evidence")}
_PROBE: Tree = {
    "list": Lazy("List the instruments.", f"{_PROBES}:list_probes"),
    "show": Lazy("Show what a probe takes and measures.", f"{_PROBES}:show"),
    "run": Lazy("Measure, record, and settle a claim.", f"{_PROBES}:run"),
    "selftest": Lazy("Run the inputs on which probes must fail.", f"{_PROBES}:selftest"),
}
_NOTES: Tree = {
    "add": Lazy("Say what is wrong with an artifact.", f"{_NOTE}:add"),
    "check": Lazy("Check what an artifact records of its run.", f"{_NOTE}:check"),
}
COMMANDS: Tree = MappingProxyType(
    {
        "init": Lazy("Make a ledger in this repository: claims/.", f"{_SETUP}:init"),
        "prime": Lazy("Print what an agent needs on entering.", f"{_READ}:prime"),
        "consult": Lazy("Record what a panel answered.", _CONSULT),
        "claim": Lazy("Record a claim.", f"{_RECORD}:claim"),
        "evidence": Lazy("Record a measurement.", _EVIDENCE),
        "settle": Lazy("Record what a measurement says about a claim.", f"{_RECORD}:settle"),
        "supersede": Lazy("Say what replaced a claim, and why.", f"{_CORRECT}:supersede"),
        "retract": Lazy("Take an entry back; nothing blocks it.", f"{_CORRECT}:retract"),
        "renew": Lazy("Give an unsettled claim a later expiry date.", f"{_CORRECT}:renew"),
        "rescope": Lazy("Correct what a measurement was taken of.", f"{_CORRECT}:rescope"),
        "list": Lazy("List entries with their present status.", f"{_LISTING}:list_entries"),
        "show": Lazy("Show an entry, its present state and why.", f"{_READ}:show"),
        "search": Lazy("Find entries by the words in them, best first.", f"{_LISTING}:search"),
        "audit": Lazy("Show what rests on what, and what is wrong.", "ledger.cli.audit:audit"),
        "impact": Lazy("Show what falls with an entry, what survives.", f"{_READ}:impact"),
        "verify": Lazy("Hash every entry again; check git's history.", f"{_SETUP}:verify"),
        "stale": Lazy(
            "Find withdrawn figures that still stand in files.", "ledger.cli.stale:stale"
        ),
        "render": Lazy("Bring generated regions up to date.", "ledger.cli.rendering:render"),
        "adopt": Lazy("Turn a hand-kept table into entries.", f"{_DOCUMENTS}:adopt"),
        "note": Lazy("Say what is wrong with an artifact, beside it.", _NOTES, default="add"),
        "sql": Lazy("Query the ledger in SQL, read-only.", f"{_LISTING}:sql"),
        "probe": Lazy("Run the instruments that settle claims.", _PROBE),
        "demo": Lazy("Run the whole path on real inputs.", "ledger.demo.command:demo"),
    }
)
