"""`stale`: figures of superseded and refuted claims that still stand in the repository."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ledger.cli import options, output, text
from ledger.wording import counted

if TYPE_CHECKING:
    from ledger.figures.stale import Place, Stale, Undated
    from ledger.rules import Finding
    from ledger.service.stale import Places

_FIGURE = 30
"""At most so many columns for a figure as written."""
_INDENT = " " * 4


def stale(
    weak: Annotated[
        bool, typer.Option("--weak", "--all", help="List the weak places too, and why.")
    ] = False,
    limit: options.LimitOfEach = 20,
    output_format: options.Format = "text",
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Find withdrawn figures that still stand in files.

    Figures of superseded and refuted claims, by value and unit, in any spelling, outside entries
    and generated parts. Strong: a subject word of the claim is near, or three digits agree. Then
    measured figures in documents that go without their date.

    Exits with 1 when there is a strong one.

    Example: ledger stale --weak
    """
    from ledger.service import book, stale

    chosen = options.format_of(output_format, as_json=as_json)
    opened = book.open_book(Path(), as_of=as_of)
    searched = stale.find(opened)
    found, undated = searched.stale, searched.undated
    output.warnings((*opened.warnings, *found.warnings))
    match chosen:
        case "json":
            output.result("", _data(opened.as_of, found, undated), as_json=True)
        case "github":
            output.annotations(_findings(found, undated, weak=weak))
        case _:
            output.result(_text(found, undated, weak=weak, limit=limit), None, as_json=False)
            output.message(_summary(found, undated, weak=weak))
    return int(any(item.strong for item in found.found))


def _data(as_of: str, found: "Places", undated: "tuple[Undated, ...]") -> dict[str, Any]:
    return {
        "as_of": as_of,
        "claims": found.claims,
        "figures": found.figures,
        "stale": [
            {
                **_place(item.place),
                "strength": "strong" if item.strong else "weak",
                "why": item.why,
                "near": list(item.near),
                "dated": item.dated,
                "claim": item.of.claim,
                "status": item.of.status,
                "label": item.of.label,
                "figure": {"value": item.of.figure.value, "unit": item.of.figure.unit},
                "instead": item.of.instead or None,
                "instead_id": item.of.instead_id,
            }
            for item in found.found
        ],
        "undated": [
            {
                **_place(item.place),
                "claim": item.of.claim,
                "evidence": item.of.evidence,
                "date": item.of.date,
            }
            for item in undated
        ],
    }


def _place(place: "Place") -> dict[str, Any]:
    return {
        "path": place.path,
        "line": place.line,
        "column": place.column,
        "text": place.text,
        "source": _snippet(place, 200),
    }


def _findings(found: "Places", undated: "tuple[Undated, ...]", *, weak: bool) -> "list[Finding]":
    from ledger.rules import stale

    findings = [stale.finding(item) for item in found.found if item.strong or weak]
    return findings + [stale.advice(item) for item in undated]


def _text(found: "Places", undated: "tuple[Undated, ...]", *, weak: bool, limit: int) -> str:
    from ledger.rules import stale

    width = text.columns()
    lines: list[str] = []
    for strong in (True, False) if weak else (True,):
        rows = [item for item in found.found if item.strong == strong]
        for item in rows[: limit or None]:
            lines += [*_head(item, width), *_rest(item.place, stale.finding(item).fix, width), ""]
        lines += _more(len(rows), limit, "strong" if strong else "weak")
    for advised in undated[: limit or None]:
        lines.append(f"{_where(advised.place)}  undated  {advised.of.claim} measured")
        lines.append(_line(f'write: "{stale.dated(advised)}"', width))
        lines += [*_rest(advised.place, stale.advice(advised).fix, width), ""]
    lines += _more(len(undated), limit, "undated")
    return "\n".join(lines).rstrip("\n")


def _more(total: int, limit: int, sort: str) -> list[str]:
    if not 0 < limit < total:
        return []
    return [f"and {total - limit} more {sort}; --limit 0 shows all", ""]


def _where(place: "Place") -> str:
    # A line end in a path must not begin a line that passes for another place.
    path = text.safe(place.path).replace("\n", "\\u{a}")
    return f"{path}:{place.line}:{place.column}: {text.fit(text.one_line(place.text), _FIGURE)}"


def _head(item: "Stale", width: int) -> list[str]:
    from ledger.rules import stale

    where = f"{_where(item.place)}  {'strong' if item.strong else 'weak'}"
    claim = f"{item.of.claim} {text.one_line(stale.status(item))}"
    if text.width_of(where) + len(claim) + 2 <= width:
        lines = [f"{where}  {claim}"]
    else:
        lines = [where, _line(claim, width)]
    lines.append(_line(f"now: {stale.instead(item)}", width))
    dated = f"; the text dates it {item.dated}" if item.dated else "; no date in the text"
    return [*lines, _line(item.why + dated, width)]


def _rest(place: "Place", fix: str, width: int) -> list[str]:
    # The command is not cut: it is there to be copied.
    snippet = text.one_line(_snippet(place, width - len(_INDENT) - 2))
    return [_line(f"> {snippet}", width), f"{_INDENT}next: {text.one_line(fix)}"]


def _line(line: str, width: int) -> str:
    return _INDENT + text.fit(text.one_line(line), width - len(_INDENT))


def _snippet(place: "Place", size: int) -> str:
    """The part of the line around the figure, at most `size` characters."""
    line = " ".join(place.source.split())
    if len(line) <= size:
        return line
    begin = max(place.column - 1 - max(size - len(place.text), 0) // 2, 0)
    rest = place.source[begin:].rstrip()
    cut = " ".join(rest[: size - 2].split())
    return f"{'…' if begin else ''}{cut}{'…' if len(rest) > size - 2 else ''}"


def _summary(found: "Places", undated: "tuple[Undated, ...]", *, weak: bool) -> str:
    if not found.claims:
        looked = "no superseded or refuted claim has a figure of its own"
    else:
        strong = sum(item.strong for item in found.found)
        rest = len(found.found) - strong
        hint = " (--weak lists them)" if rest and not weak else ""
        figures, claims = counted(found.figures, "figure"), counted(found.claims, "claim")
        looked = f"{strong} strong and {rest} weak{hint}, of {figures} of {claims}"
    return looked + (f"; {len(undated)} undated" if undated else "")
