"""Findings in the forms that code hosts show beside a file: workflow commands and SARIF."""

import os
import re
from collections.abc import Sequence
from typing import Any

from ledger.rules import Finding


def github(finding: Finding) -> str:
    """A workflow command that annotates the file."""
    level = "notice" if finding.level == "note" else finding.level
    place = " "
    if finding.path:
        column = f",col={finding.column}" if finding.column else ""
        place = f" file={_property(finding.path)},line={finding.line or 1}{column},"
    body = f"{finding.message} (got {finding.got}; expected {finding.expected}). {finding.fix}"
    return f"::{level}{place}title={_property(finding.slug)}::{_data(body)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


_SARIF_LEVELS = {"error": "error", "warning": "warning", "note": "note"}


def sarif(findings: Sequence[Finding], *, version: str) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log."""
    slugs = sorted({finding.slug for finding in findings})
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "ledger audit",
                        "version": version,
                        "rules": [{"id": slug} for slug in slugs],
                    }
                },
                "results": [_sarif_result(finding, slugs) for finding in findings],
            }
        ],
    }


def _sarif_result(finding: Finding, slugs: list[str]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.slug,
        "ruleIndex": slugs.index(finding.slug),
        "level": _SARIF_LEVELS[finding.level],
        "message": {
            "text": f"{finding.subject}: {finding.message}. Got: {finding.got}. "
            f"Expected: {finding.expected}. Next: {finding.fix}"
        },
        "partialFingerprints": {"subject": f"{finding.slug}/{finding.subject}"},
    }
    if finding.path:
        uri = re.sub(
            r"[^A-Za-z0-9._~/-]",
            lambda m: "".join(f"%{byte:02X}" for byte in os.fsencode(m.group())),
            finding.path,
        )
        place: dict[str, Any] = {"artifactLocation": {"uri": uri}}
        if finding.line:
            place["region"] = {"startLine": finding.line}
            if finding.column:
                place["region"]["startColumn"] = finding.column
        result["locations"] = [{"physicalLocation": place}]
    return result
