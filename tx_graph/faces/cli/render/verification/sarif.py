"""SARIF 2.1.0, the form in which code scanning services take findings."""

from __future__ import annotations

import hashlib
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from tx_graph import __version__
from tx_graph.anchors.verify import Checked, Report
from tx_graph.faces.cli.render.shapes import Shape
from tx_graph.faces.cli.render.verification.places import Place, place_of
from tx_graph.faces.cli.render.verification.rules import RULES, Rule, rule_of
from tx_graph.faces.cli.render.verification.sentences import advice, statement

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
_FINGERPRINT = "txAnchor/v1"


def sarif(report: Report, root: Path) -> Shape:
    """Return a SARIF log. Findings under one rule at one place are one result: services take two for the same."""
    together: defaultdict[tuple[Rule, Place], list[Checked]] = defaultdict(list)
    for checked in report.checked:
        if rule := rule_of(checked.judgement):
            together[rule, place_of(checked, root)].append(checked)
    run = {
        "tool": {"driver": {"name": "tx", "version": __version__, "rules": [_rule(rule) for rule in RULES]}},
        "invocations": [_invocation(report)],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": [_result(rule, place, found) for (rule, place), found in together.items()],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _invocation(report: Report) -> Shape:
    notices = [{"level": "note", "message": {"text": notice}} for notice in report.notices]
    return {"executionSuccessful": True, "toolExecutionNotifications": notices}


def _rule(rule: Rule) -> Shape:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary}. {rule.help}"},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.level.value},
    }


def _result(rule: Rule, place: Place, found: Sequence[Checked]) -> Shape:
    return {
        "ruleId": rule.id,
        "ruleIndex": RULES.index(rule),
        "level": rule.level.value,
        "message": {"text": "\n".join(f"{statement(checked)} {advice(checked)}" for checked in found)},
        "locations": [{"physicalLocation": _location(place)}],
        "partialFingerprints": {_FINGERPRINT: _fingerprint(found)},
        "properties": {
            "learnings": [checked.learning.uid for checked in found],
            "anchors": [checked.judgement.anchor.spec for checked in found],
        },
    }


def _location(place: Place) -> Shape:
    return {
        "artifactLocation": {"uri": quote(os.fsencode(place.path)), "uriBaseId": _ROOT},
        "region": {"startLine": place.first, "endLine": place.last},
    }


def _fingerprint(found: Sequence[Checked]) -> str:
    """Return what identifies the anchors, wherever their code lies now."""
    names = sorted(f"{one.learning.uid} {one.judgement.anchor.type} {one.judgement.anchor.spec}" for one in found)
    return hashlib.sha256(os.fsencode("\0".join(names))).hexdigest()
