"""JUnit XML, which most CI services show as a list of tests: one for each anchor."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tx_graph.anchors.verdict import Verdict
from tx_graph.anchors.verify import Checked, Report
from tx_graph.faces.cli.render.verification.gate import Gate
from tx_graph.faces.cli.render.verification.rules import rule_of
from tx_graph.faces.cli.render.verification.sentences import advice, explanation, statement, title, totals

_NAME = "tx graph:verify"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have, not even escaped."""


def junit(report: Report, gate: Gate) -> str:
    """Return a JUnit report: what the gate stops at are failures, what is pinned was skipped."""
    counts = {
        "tests": len(report.checked),
        "failures": sum(gate.stops(one.judgement) for one in report.checked),
        "errors": 0,
        "skipped": report.summary()[Verdict.PINNED],
    }
    attributes = {"name": _NAME} | {name: str(count) for name, count in counts.items()} | {"time": "0"}
    suites = Element("testsuites", {name: value for name, value in attributes.items() if name != "skipped"})
    suite = SubElement(suites, "testsuite", attributes)
    for checked in report.checked:
        _add_case(suite, checked, gate)
    SubElement(suite, "system-out").text = _clean("\n".join([totals(report.summary()), *report.notices]))
    indent(suites)
    # Character references for all that is not ASCII: what stdout's encoding is does not matter.
    return str(tostring(suites, encoding="us-ascii", xml_declaration=True), "ascii")


def _add_case(suite: Element, checked: Checked, gate: Gate) -> None:
    judgement = checked.judgement
    case = SubElement(suite, "testcase", classname=f"learnings.{checked.learning.uid}", time="0")
    case.set("name", _clean(f"{judgement.anchor.spec} ({judgement.anchor.type}): {title(checked)}"))
    rule = rule_of(judgement)
    if judgement.verdict is Verdict.PINNED:
        SubElement(case, "skipped", message="pinned")
    elif rule and gate.stops(judgement):
        failure = SubElement(case, "failure", type=rule.id, message=_clean(explanation(checked)))
        failure.text = _clean(_story(checked))
    elif rule:
        SubElement(case, "system-out").text = _clean(_story(checked))


def _story(checked: Checked) -> str:
    return "\n".join(["", statement(checked), *checked.difference, advice(checked), ""])


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("�", text)
