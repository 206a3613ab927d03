"""What prose says that does not hold, in the forms that CI services take."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tx_graph.anchors.reports import (
    MOST_ANNOTATIONS,
    Level,
    Place,
    Rule,
    annotation,
    fingerprint,
    issue,
    location,
    log_line,
    printable_xml,
    sarif_log,
    sarif_rule,
)
from tx_graph.documents.claims.verifying import ClaimFinding, ClaimVerdict, ProseReport

Shape = dict[str, Any]

_HELP = "Say what is true now; 'tx doc:verify --fix' writes new paths and names where they are certain."
_RULES = {
    ClaimVerdict.GONE: Rule("tx/prose-gone", Level.ERROR, "A document names what is gone", _HELP),
    ClaimVerdict.MOVED: Rule("tx/prose-moved", Level.WARNING, "A document names what is elsewhere now", _HELP),
}
_DEGREES = {ClaimVerdict.GONE: "major", ClaimVerdict.MOVED: "minor"}


def _told(report: ProseReport) -> Iterator[tuple[ClaimFinding, Rule, Place]]:
    for one in sorted(report.unmended, key=lambda one: one.verdict is not ClaimVerdict.GONE):
        yield one, _RULES[one.verdict], Place(one.document, one.line, one.line)


def _identity(one: ClaimFinding) -> tuple[str, ...]:
    """Return what tells a finding from others wherever its line goes."""
    return one.document, one.kind, one.written, one.verdict


def log_lines(report: ProseReport) -> Iterator[str]:
    """Yield GitHub's workflow commands, as many as it shows, and plain lines for the rest."""
    for number, (one, rule, place) in enumerate(_told(report)):
        written = annotation(rule, rule.level, place, one.told)
        yield written if number < MOST_ANNOTATIONS else log_line(rule.level, place, one.told)


def code_quality(report: ProseReport) -> list[Shape]:
    """Return GitLab's report of code quality."""
    return [issue(rule, _DEGREES[one.verdict], place, one.told, *_identity(one)) for one, rule, place in _told(report)]


def sarif(report: ProseReport) -> Shape:
    """Return a SARIF log."""
    results = [
        {
            "ruleId": rule.id,
            "level": rule.level.value,
            "message": {"text": one.told},
            "locations": [location(place)],
            "partialFingerprints": {"txClaim/v1": fingerprint(*_identity(one))},
        }
        for one, rule, place in _told(report)
    ]
    return sarif_log([sarif_rule(rule) for rule in _RULES.values()], results, report.notices)


def junit(report: ProseReport) -> str:
    """Return a JUnit report: each finding is a test that failed, all that holds is one that passed."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    found = list(_told(report))
    counts = {
        "name": "tx doc:verify",
        "tests": str(len(found) + 1),
        "failures": str(len(found)),
        "errors": "0",
        "time": "0",
    }
    suites = Element("testsuites", counts)
    suite = SubElement(suites, "testsuite", counts | {"skipped": "0"})
    for one, rule, _ in found:
        name = printable_xml(f"line {one.line}: {one.written}")
        case = SubElement(suite, "testcase", classname=printable_xml(one.document), name=name, time="0")
        SubElement(case, "failure", type=rule.id, message=printable_xml(one.told))
    holds = f"{report.summary['holds']:,} claims of {report.documents:,} documents"
    SubElement(suite, "testcase", classname="holds", name=holds, time="0")
    SubElement(suite, "system-out").text = printable_xml("\n".join(report.notices))
    indent(suites)
    return str(tostring(suites, encoding="us-ascii", xml_declaration=True), "ascii")
