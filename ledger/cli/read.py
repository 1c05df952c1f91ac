"""`show`, `impact`, `prime`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ledger.cli import options, output, text
from ledger.cli.added import claim_lines, impact_lines
from ledger.entry import Claim, Consult, Entry, Evidence
from ledger.fold import Fold


def show(
    entry: Annotated[str, typer.Argument(metavar="ID", help="An entry, by unique prefix.")],
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Show an entry, its present state and why.

    Example: ledger show c-7f3a
    """
    from ledger.service import book, state

    opened = book.open_book(Path(), as_of=as_of)
    entry_id = opened.resolve(entry)
    data = {**state.of(opened.fold, entry_id), "path": opened.path(entry_id)}
    lines = [
        f"{entry_id}  {opened.path(entry_id)}",
        *_body(opened.fold, entry_id),
        *_mentions(opened.fold, entry_id),
    ]
    output.result("\n".join(lines), data, as_json=as_json)
    return output.damage(opened.warnings)


def _body(fold: Fold, entry_id: str) -> list[str]:
    entry = fold.entries[entry_id]
    width = text.columns()
    match entry:
        case Claim():
            return [text.wrap(entry.statement, width=width, indent="  > "), *_claim(fold, entry_id)]
        case Evidence():
            return _evidence(fold, entry_id, entry)
        case Consult():
            return [text.wrap(entry.question, width=width, indent="  > "), *_arms(entry, width)]
        case _:
            return _fields(entry)


def _claim(fold: Fold, claim_id: str) -> list[str]:
    from ledger.service import state, words

    entry, found = fold.claim(claim_id), fold.claims[claim_id]
    model = f" ({text.one_line(entry.by.model)})" if entry.by.model else ""
    lines = [f"  {entry.basis} by {entry.by.role} {text.one_line(entry.by.name)}{model}"]
    if entry.consult:
        lines.append(f"  answer to {entry.consult}")
    if entry.about:
        lines.append(f"  about {scope_line(entry.about)}")
    if expectation := words.expectation(entry):
        lines.append(f"  expects {text.one_line(expectation)}")
    lines += claim_lines(fold, claim_id)
    for members in entry.rests_on:
        stands = ", ".join(f"{m} ({words.status_of(fold, m)})" for m in members)
        lines.append(f"  rests on {stands}")
    if found.is_in and found.depth:
        far = f"{found.nearest} to {found.depth}" if found.nearest != found.depth else found.depth
        carried = ", ".join(state.claim_state(fold, claim_id)["carried_by"])
        lines.append(f"  {far} steps from measurement, carried by {carried}")
    superseded = state.claim_state(fold, claim_id)["superseded"]
    if superseded:
        by = superseded["replaced_by"] or {}
        instead = text.one_line(by.get("text") or by.get("claim") or "nothing stated")
        lines.append(
            f"  {text.one_line(superseded['status'])} since {superseded['date']} "
            f"({superseded['id']}); replaced by: {instead}"
        )
    if found.retracted_by:
        lines.append(f"  retracted by {found.retracted_by}")
    return lines


def scope_line(about: Any) -> str:
    """A scope on one line, values safe."""
    return text.one_line(" ".join(f"{k}={'' if v is None else v}" for k, v in about.items()))


def _evidence(fold: Fold, evidence_id: str, entry: Evidence) -> list[str]:
    from ledger.service import state

    found = state.evidence_state(fold, evidence_id)
    git = entry.git
    lines = [
        f"  {text.one_line(entry.instrument.name)}@{text.one_line(entry.instrument.version)}, "
        f"{found['status']}" + (f" (by {found['retracted_by']})" if found["retracted_by"] else ""),
    ]
    if entry.result:
        lines.append(f"  result {text.one_line(entry.result)}")
    lines += [f"  {_quantity(q)}" for q in entry.quantities]
    if found["about"]:
        lines.append(f"  about {scope_line(found['about'])}")
    lines += [f"  rescoped by {o}" for o in found["rescopes"]]
    if git is not None:
        where = f" at {git.oid[:12]}" if git.oid else ""
        why = f": {text.one_line(git.reason)}" if git.reason else ""
        lines.append(f"  git {git.state}{where}{why}")
    lines += [
        f"  artifact {text.one_line(a.path)} sha256 {a.sha256[:12]}, {a.bytes:,} bytes"
        for a in entry.artifacts
    ]
    lines += [f"  doubt: {text.one_line(doubt)}" for doubt in entry.doubts]
    passed = sum(c.got == c.must for c in entry.controls)
    if entry.controls:
        lines.append(f"  controls: {passed} of {len(entry.controls)} answered as they must")
    lines += [f"  {d['outcome']} {d['claim']}" for d in found["decides"]]
    return lines


def _quantity(q: Any) -> str:
    name, unit = text.one_line(q.name), "" if q.unit == "1" else f" {q.unit}"
    if q.value is None:
        return f"{name} unknown: {text.one_line(q.reason or '')}"
    spread = f" [{q.low:.6g}, {q.high:.6g}]" if None not in {q.low, q.high} else ""
    return f"{name} {q.value:.6g}{unit}{spread}" + (f", n={q.n}" if q.n else "")


def _arms(entry: Consult, width: int) -> list[str]:
    lines: list[str] = []
    for arm in entry.arms:
        model = f" ({text.one_line(arm.model)})" if arm.model else ""
        lines.append(f"  {text.one_line(arm.arm)}{model}")
        if arm.text:
            lines.append(text.wrap(arm.text, width=width, indent="    > "))
        if arm.read:
            lines.append(f"    had read {text.one_line(', '.join(arm.read))}")
    return lines


def _fields(entry: Entry) -> list[str]:
    from ledger.codec import encode

    data = encode(entry)
    return [
        f"  {key} {text.one_line(value if isinstance(value, str) else output.dump(value))}"
        for key, value in data.items()
        if key != "recorded"
    ]


def _mentions(fold: Fold, entry_id: str) -> list[str]:
    from ledger.service import state

    named = state.mentions(fold, entry_id)
    entry = fold.entries[entry_id].recorded
    who = f" by {text.one_line(entry.user)}" if entry.user else ""
    lines = [f"  named by {', '.join(named)}"] if named else []
    return [*lines, f"  recorded {entry.at}{who}"]


def impact(
    entry: Annotated[str, typer.Argument(metavar="ID", help="An entry, by unique prefix.")],
    about: options.About = None,
    tag: Annotated[str | None, typer.Option("--tag", help="Only claims with this tag.")] = None,
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Show what falls with an entry, what survives.

    For a correction (rescope, retraction, supersession, verdict): what it did. With --about or
    --tag the claims about this, split whole: what stands and never depended on the entry
    survives too.

    Example: ledger impact e-91c2

    Example: ledger impact o-24f6 --tag run-1
    """
    from ledger import scope
    from ledger.service import book, query, state

    opened = book.open_book(Path(), as_of=as_of)
    split = query.impact(opened, entry, about=scope.parse(about or ()), tag=tag)
    found = split.impact
    done = "with" if found.correction else "without"
    lines = impact_lines(found, opened.fold, apart=split.apart) or ["no claim depends on it"]
    data = {**state.impact(found), "apart": list(split.apart)}
    output.result("\n".join([f"{done} {found.cause}:", *lines]), data, as_json=as_json)
    return output.damage(opened.warnings)


def prime(
    about: options.About = None,
    as_of: options.AsOf = None,
    as_json: options.Json = False,
    directory: options.Directory = None,  # noqa: ARG001
) -> int:
    """Print what an agent needs on entering.

    How to record, what is open and expiring, what was withdrawn and is not to be proposed again.

    Example: ledger prime --about seat=training
    """
    from ledger import scope
    from ledger.service import book, prime

    opened = book.open_book(Path(), as_of=as_of)
    data = prime.prime(opened, about=scope.parse(about or ()))
    output.result(text.safe(prime.as_text(data)), data, as_json=as_json)
    return output.damage(opened.warnings)
