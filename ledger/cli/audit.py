"""`audit`: what rests on measurements, what on derivations, and what is wrong."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli import options, output, text
from ledger.kinds import WHOSE_WORD
from ledger.wording import counted

FORMATS = (*options.FORMATS, "sarif")
_MARKS = {"error": "ERROR", "warning": "WARN ", "note": "note "}


def audit(
    output_format: Annotated[
        str, typer.Option("--format", help="text, json, github or sarif.")
    ] = "text",
    as_of: options.AsOf = None,
    limit: options.LimitOfEach = 20,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Show what rests on what, and what is wrong.

    Which claims rest on measurements, which on derivations, which fell; then every finding.

    Exits with 1 when there is an error or a warning. History is checked by `ledger verify`.

    Example: ledger audit --format github
    """
    from ledger import __version__
    from ledger.service import annotations, auditing, book

    chosen = options.format_of(output_format, as_json=as_json, formats=FORMATS)
    found = auditing.audit(book.open_book(Path(), as_of=as_of))
    match chosen:
        case "json":
            output.result("", _data(found), as_json=True)
        case "github":
            output.annotations(found.findings)
        case "sarif":
            log = annotations.sarif(found.findings, version=__version__)
            output.result(output.dump(log), None, as_json=False)
        case _:
            output.result(_text(found, limit), None, as_json=False)
    return 1 if found.failing() else 0


def _data(found: Any) -> dict[str, Any]:
    return {
        "as_of": found.as_of,
        "counts": found.counts,
        "standing": [asdict(row) for row in found.standing],
        "findings": [asdict(finding) for finding in found.findings],
    }


def _text(found: Any, limit: int) -> str:
    width = text.columns()
    total = sum(found.counts.values())
    counts = ", ".join(f"{number} {status}" for status, number in found.counts.items())
    lines = [f"{counted(total, 'claim')} on {found.as_of}" + (f": {counts}" if counts else "")]
    for title, rows in _groups(found):
        lines += ["", title]
        shown = rows[:limit] if limit else rows
        for row in shown:
            lines.append(f"  {row.claim}  {text.fit(text.one_line(row.statement), width - 18)}")
            lines += [f"      {line}" for line in _support(row)]
        if len(shown) < len(rows):
            lines.append(f"  and {len(rows) - len(shown)} more")
    lines += ["", *_findings(found, width, limit)]
    return "\n".join(lines)


def _groups(found: Any) -> list[tuple[str, list[Any]]]:
    rows = found.standing
    titles = [
        ("Rests on measurements", [r for r in rows if r.status == "measured"]),
        ("Rests on derivations from measurements", [r for r in rows if r.status == "derived"]),
        ("Rests on nothing measured", [r for r in rows if r.status in {"provisional", "expired"}]),
        ("Was carried, and fell", [r for r in rows if r.status == "fallen"]),
        ("Measurements disagree", [r for r in rows if r.status == "disputed"]),
        (
            "Not to be followed",
            [r for r in rows if r.status in {"refuted", "superseded", "retracted"}],
        ),
    ]
    return [(f"{title} ({len(group)})", group) for title, group in titles if group]


def _support(row: Any) -> list[str]:
    carried = ", ".join(row.carried_by)
    match row.status:
        case "measured":
            words = [WHOSE_WORD[how] for how in row.decided if how in WHOSE_WORD]
            return [f"measured by {carried}" + (f" ({', '.join(words)})" if words else "")]
        case "derived":
            return [f"{counted(row.depth, 'step')} from {carried}"]
        case "provisional" | "fallen":
            return [row.basis] if row.status == "provisional" else []
        case _:
            return [row.status] if row.status != "disputed" else []


def _findings(found: Any, width: int, limit: int) -> list[str]:
    levels = [finding.level for finding in found.findings]
    if not levels:
        return ["No findings."]
    numbers = (
        counted(levels.count(level), level)
        for level in ("error", "warning", "note")
        if level in levels
    )
    lines = [f"Findings: {', '.join(numbers)}"]
    shown = found.findings[:limit] if limit else found.findings
    for finding in shown:
        lines.append(f"  {_MARKS[finding.level]} {finding.slug}  {text.one_line(finding.subject)}")
        # Each on its own line: a text with line ends must not pass for the next command.
        said = (
            finding.message,
            f"got {finding.got}; expected {finding.expected}",
        )
        lines += [text.wrap(text.one_line(line), width=width, indent=" " * 8) for line in said]
        # Not wrapped: it is there to be copied.
        lines.append(f"        next: {text.one_line(finding.fix)}")
    if len(shown) < len(found.findings):
        lines.append(f"  and {len(found.findings) - len(shown)} more")
    return lines
