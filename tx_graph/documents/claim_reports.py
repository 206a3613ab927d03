"""What prose says that does not hold, in the forms that CI services take."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from tx_graph.anchors.reports import MOST_ANNOTATIONS, escaped, printable_xml, sarif_log
from tx_graph.documents.verifying import ClaimFinding, ClaimVerdict, ProseReport

Shape = dict[str, Any]

_RULES = {
    ClaimVerdict.GONE: ("tx/prose-gone", "A document names what is gone", "error", "major"),
    ClaimVerdict.MOVED: ("tx/prose-moved", "A document names what is elsewhere now", "warning", "minor"),
}
_HELP = "Say what is true now; 'tx doc:verify --fix' writes new paths and names where they are certain."


def fingerprint(finding: ClaimFinding) -> str:
    """Return what tells a finding from others wherever its line goes."""
    told = f"{finding.document}\0{finding.kind}\0{finding.written}\0{finding.verdict}"
    return hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()


def log_lines(report: ProseReport) -> Iterator[str]:
    """Yield GitHub's workflow commands, as many as it shows, and plain lines for the rest."""
    for number, one in enumerate(sorted(report.unmended, key=lambda one: one.verdict is not ClaimVerdict.GONE)):
        _, summary, level, _ = _RULES[one.verdict]
        place = {"file": one.document, "line": str(one.line), "title": summary}
        written = ",".join(f"{name}={escaped(value, is_property=True)}" for name, value in place.items())
        if number < MOST_ANNOTATIONS:
            yield f"::{level} {written}::{escaped(one.told)}"
        else:
            yield escaped(f"- {level}: {one.document}:{one.line}: {one.told}")


def code_quality(report: ProseReport) -> list[Shape]:
    """Return GitLab's report of code quality."""
    return [
        {
            "description": one.told,
            "check_name": _RULES[one.verdict][0],
            "fingerprint": fingerprint(one),
            "severity": _RULES[one.verdict][3],
            "location": {"path": one.document, "lines": {"begin": one.line}},
        }
        for one in report.unmended
    ]


def sarif(report: ProseReport) -> Shape:
    """Return a SARIF log."""
    rules = [
        {
            "id": name,
            "shortDescription": {"text": summary},
            "help": {"text": _HELP},
            "defaultConfiguration": {"level": level},
        }
        for name, summary, level, _ in _RULES.values()
    ]
    results = [
        {
            "ruleId": _RULES[one.verdict][0],
            "level": _RULES[one.verdict][2],
            "message": {"text": one.told},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(one.document), "uriBaseId": "SRCROOT"},
                        "region": {"startLine": one.line},
                    }
                }
            ],
            "partialFingerprints": {"txClaim/v1": fingerprint(one)},
        }
        for one in report.unmended
    ]
    return sarif_log(rules, results, report.notices)


def junit(report: ProseReport) -> str:
    """Return a JUnit report: each finding is a test that failed."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    found = report.unmended
    counts = {
        "name": "tx doc:verify",
        "tests": str(report.claims),
        "failures": str(len(found)),
        "errors": "0",
        "time": "0",
    }
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", counts | {"skipped": "0"})
    for one in found:
        name = printable_xml(f"line {one.line}: {one.written}")
        case = SubElement(suite, "testcase", classname=printable_xml(one.document), name=name, time="0")
        SubElement(case, "failure", type=_RULES[one.verdict][0], message=printable_xml(one.told))
    indent(suites)
    return str(tostring(suites, encoding="us-ascii", xml_declaration=True), "ascii")
