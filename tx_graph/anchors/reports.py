"""A verification in the forms that programs and CI services take: JSON, SARIF, JUnit, and GitHub's workflow commands.

Nothing is printed here. Learnings go by their uid in sentences: numbers differ from clone to clone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Checked, Gate, Report
from tx_graph.core.place import DIRECTORY, LEARNINGS
from tx_graph.records.anchor import AnchorType, Drift, Reason
from tx_graph.records.learning import Status
from tx_graph.version import __version__

Shape = dict[str, Any]

_SHORT_HASH = 10
_MOST_CANDIDATES = 3
_TOLD = (Verdict.RELOCATED, Verdict.DRIFTED, Verdict.INVALID, Verdict.PINNED)


def outcome(judgement: Judgement) -> str:
    """Return a verdict with its grade: `drifted:body`."""
    is_graded = judgement.verdict is Verdict.DRIFTED and judgement.drift
    return f"{judgement.verdict}:{judgement.drift}" if is_graded else judgement.verdict.value


def title(checked: Checked) -> str:
    """Return the first line of the learning, marked where nobody has confirmed it."""
    return f"staged: {checked.headline}" if checked.learning.status is Status.STAGED else checked.headline


def explanation(checked: Checked) -> str:
    """Return why, and by what: `the code changed (1a2b3c4d5e “Compare at once”)`, `… (not committed yet)`."""
    judgement = checked.judgement
    there = judgement.relocated_to
    parts = [judgement.detail or outcome(judgement)]
    if checked.change:
        parts.append(f" ({checked.change.commit[:_SHORT_HASH]} “{checked.change.subject}”)")
    elif checked.is_uncommitted:
        parts.append(" (not committed yet)")
    if there and there.spec not in judgement.detail and judgement.verdict is not Verdict.RELOCATED:
        parts.append(f"; it is {there.spec} now")
    return "".join(parts)


def statement(checked: Checked) -> str:
    """Return the whole finding: what was learned, where it is anchored, why that holds no more, what might be meant."""
    judgement = checked.judgement
    what = f"“{title(checked)}” ({checked.learning.uid}) is anchored to {judgement.anchor.spec}:"
    perhaps = f" It might be {candidates(judgement)}." if judgement.candidates else ""
    return f"{what} {explanation(checked)}.{perhaps}"


def candidates(judgement: Judgement) -> str:
    """Return the places that might be meant, the first few by name: `a.py::f, b.py::f or 12 others`."""
    named, rest = list(judgement.candidates[:_MOST_CANDIDATES]), len(judgement.candidates) - _MOST_CANDIDATES
    named += [_counted(rest, "other")] if rest > 0 else []
    *most, last = named
    return f"{', '.join(most)} or {last}" if most else last


def advice(checked: Checked) -> str:
    """Return what to do about it, in one sentence; empty where nothing has to be done."""
    uid = checked.learning.uid
    if not checked.judgement.is_finding:
        return "'tx graph:verify --fix' writes it into the record."
    if checked.judgement.verdict is Verdict.INVALID:
        return f"Tie the learning to other code with 'tx graph:link {uid}', or correct it: 'tx learning:edit {uid}'."
    return f"If it is still true, run 'tx graph:confirm {uid}'; if not, correct it: 'tx learning:edit {uid}'."


def totals(summary: Mapping[str, int]) -> str:
    """Return how many anchors there are of each outcome: `12 anchors: 9 hold, 1 relocated, 2 drifted`."""
    if not (count := sum(summary.values())):
        return "No anchors to verify."
    holding = summary["valid"] + summary["format"] + summary["comment"]
    mild = ((Drift.FORMAT, "formatting"), (Drift.COMMENT, "comments"))
    changed = ", ".join(f"{summary[drift]:,} with other {words}" for drift, words in mild if summary[drift])
    aside = f" ({changed})" if changed else ""
    told = [f"{holding:,} {'holds' if holding == 1 else 'hold'}{aside}"] if holding else []
    told += [f"{summary[name]:,} {name}" for name in _TOLD if summary[name]]
    return f"{_counted(count, 'anchor')}: {', '.join(told)}."


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


class Level(StrEnum):
    """How serious it is, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Rule(NamedTuple):
    """One way not to hold: `summary` says what it is, `help` what to do about it."""

    id: str
    level: Level
    summary: str
    help: str

    @property
    def name(self) -> str:
        """The rule as one word: `DriftedBody`."""
        return "".join(part.capitalize() for part in self.id.removeprefix("tx/").split("-"))


_READ_AGAIN = (
    "Read the learning beside the code. If it is still true, 'tx graph:confirm LEARNING' says so; if not, correct it "
    "with 'tx learning:edit LEARNING'."
)
_TIE_AGAIN = (
    "If the code lives elsewhere now, tie the learning to it with 'tx graph:link LEARNING PATH::SYMBOL' and drop the "
    "old anchor with 'tx graph:unlink LEARNING ANCHOR'. If what the learning says went with it, 'tx learning:edit "
    "LEARNING --status retracted'."
)
_NOTHING_TO_DO = "Nothing has to be done; 'tx graph:verify --fix' writes it into the record."

_OF_DRIFT = {
    Drift.COMMENT: Rule("tx/drifted-comment", Level.NOTE, "Only comments of anchored code changed", _NOTHING_TO_DO),
    Drift.BODY: Rule("tx/drifted-body", Level.WARNING, "Anchored code changed", _READ_AGAIN),
    Drift.SIGNATURE: Rule("tx/drifted-signature", Level.WARNING, "The signature of anchored code changed", _READ_AGAIN),
}
_OF_REASON = {
    reason: Rule(f"tx/{reason.replace('_', '-')}", Level.ERROR, summary, _TIE_AGAIN)
    for reason, summary in (
        (Reason.FILE_DELETED, "The anchored file is gone"),
        (Reason.SYMBOL_MISSING, "The anchored symbol is gone"),
        (Reason.CONTENT_MISSING, "The anchored lines are gone"),
        (Reason.PATTERN_MATCHES_NOTHING, "The anchor's pattern matches no file"),
        (Reason.OUTSIDE_REPOSITORY, "The anchor leads out of the repository"),
        (Reason.INVALIDATED, "Somebody said that the anchor holds no more"),
    )
}
_OF_REASON[Reason.INVALIDATED] = _OF_REASON[Reason.INVALIDATED]._replace(
    help="Correct the learning with 'tx learning:edit LEARNING', or take the word back with 'tx graph:restore'."
)
_RELOCATED = Rule("tx/relocated", Level.NOTE, "Anchored code is elsewhere now", _NOTHING_TO_DO)

RULES = (*_OF_REASON.values(), *reversed(_OF_DRIFT.values()), _RELOCATED)
"""All of them, the most serious first."""


def rule_of(judgement: Judgement) -> Rule | None:
    """Return the rule that an anchor breaks; None where there is nothing to say, as of formatting or pins."""
    if judgement.verdict is Verdict.RELOCATED:
        return _RELOCATED
    if judgement.verdict is Verdict.INVALID:
        return _OF_REASON[judgement.reason or Reason.INVALIDATED]
    return _OF_DRIFT.get(judgement.drift) if judgement.verdict is Verdict.DRIFTED and judgement.drift else None


class Place(NamedTuple):
    """Lines of a file, its path below the repository's root."""

    path: str
    first: int
    last: int


def place_of(checked: Checked, root: Path) -> Place:
    """Return where the anchored code lies now: its file where it is gone, the learning's record where that is, too."""
    judgement = checked.judgement
    there = judgement.relocated_to or judgement.anchor
    first, last = judgement.lines or (1, 1)
    is_elsewhere = judgement.reason in (Reason.OUTSIDE_REPOSITORY, Reason.INVALIDATED)
    if judgement.anchor.type is not AnchorType.GLOB and not is_elsewhere and (root / there.path).is_file():
        return Place(there.path, max(1, first), max(1, first, last))
    return Place(f"{DIRECTORY}/{LEARNINGS}/{checked.learning.record}", 1, 1)


MOST_ANNOTATIONS = 10
"""Annotations of each level that GitHub shows for one step."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = _OF_DATA | {":": "%3A", ",": "%2C"}


def log_lines(report: Report, root: Path) -> Iterator[str]:
    """Yield the lines of a log: a command for each annotation that GitHub will show, plain ones for the rest."""
    told = [(one, rule) for one in report.checked if (rule := rule_of(one.judgement))]
    shown: Counter[Level] = Counter()
    for one, rule in sorted(told, key=lambda pair: list(Level).index(pair[1].level)):
        shown[rule.level] += 1
        command, place = _COMMANDS[rule.level], place_of(one, root)
        if shown[rule.level] <= MOST_ANNOTATIONS:
            properties = {"file": place.path, "line": place.first, "endLine": place.last, "title": rule.summary}
            written = ",".join(f"{name}={escaped(str(value), is_property=True)}" for name, value in properties.items())
            message = "\n".join(filter(None, (statement(one), *one.difference, advice(one))))
            yield f"::{command} {written}::{escaped(message)}"
        else:  # the runner must find no command in it, whatever a learning or a path says
            line = f"- {command}: {place.path}:{place.first}: {statement(one)}"
            yield escaped(line).replace("##[", "## [")
    yield totals(report.summary())
    if hidden := sum(max(0, count - MOST_ANNOTATIONS) for count in shown.values()):
        yield f"GitHub shows {MOST_ANNOTATIONS} annotations of each level; {hidden:,} more stand in this log alone."


def escaped(text: str, *, is_property: bool = False) -> str:
    """Return a text as GitHub's workflow commands take it."""
    escapes = _OF_PROPERTIES if is_property else _OF_DATA
    return "".join(escapes.get(character, character) for character in text)


_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have, not even escaped; and DEL, which none escapes."""


def junit(report: Report, gate: Gate) -> str:
    """Return a JUnit report: what the gate stops at are failures, what is pinned was skipped."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    counts = {
        "tests": len(report.checked),
        "failures": sum(gate.stops(one.judgement) for one in report.checked),
        "errors": 0,
        "skipped": report.summary()[Verdict.PINNED],
    }
    attributes = {"name": "tx graph:verify"} | {name: str(count) for name, count in counts.items()} | {"time": "0"}
    suites = Element("testsuites", {name: value for name, value in attributes.items() if name != "skipped"})
    suite = SubElement(suites, "testsuite", attributes)
    for checked in report.checked:
        judgement, rule = checked.judgement, rule_of(checked.judgement)
        case = SubElement(suite, "testcase", classname=f"learnings.{checked.learning.uid}", time="0")
        case.set("name", printable_xml(f"{judgement.anchor.spec} ({judgement.anchor.type}): {title(checked)}"))
        story = printable_xml(
            "\n".join(["", statement(checked).replace("\n", " "), *checked.difference, advice(checked), ""])
        )
        if judgement.verdict is Verdict.PINNED:
            SubElement(case, "skipped", message="pinned")
        elif rule and gate.stops(judgement):
            SubElement(case, "failure", type=rule.id, message=printable_xml(explanation(checked))).text = story
        elif rule:
            SubElement(case, "system-out").text = story
    SubElement(suite, "system-out").text = printable_xml("\n".join([totals(report.summary()), *report.notices]))
    indent(suites)
    # Character references for all that is not ASCII: what stdout's encoding is does not matter.
    return str(tostring(suites, encoding="us-ascii", xml_declaration=True), "ascii")


def printable_xml(text: str) -> str:
    """Return a text without what no XML document may have."""
    return _FORBIDDEN.sub("�", text)


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"


def sarif(report: Report, root: Path) -> Shape:
    """Return a SARIF log. Findings under one rule at one place are one result: services take two for the same."""
    together: defaultdict[tuple[Rule, Place], list[Checked]] = defaultdict(list)
    for checked in report.checked:
        if rule := rule_of(checked.judgement):
            together[rule, place_of(checked, root)].append(checked)
    results = []
    for (rule, place), found in together.items():
        # what identifies the anchors, wherever their code lies now
        names = sorted(f"{one.learning.uid} {one.judgement.anchor.type} {one.judgement.anchor.spec}" for one in found)
        place_now = {
            "artifactLocation": {"uri": quote(os.fsencode(place.path)), "uriBaseId": _ROOT},
            "region": {"startLine": place.first, "endLine": place.last},
        }
        results.append(
            {
                "ruleId": rule.id,
                "ruleIndex": RULES.index(rule),
                "level": rule.level.value,
                "message": {"text": "\n".join(f"{statement(checked)} {advice(checked)}" for checked in found)},
                "locations": [{"physicalLocation": place_now}],
                "partialFingerprints": {"txAnchor/v1": hashlib.sha256(os.fsencode("\0".join(names))).hexdigest()},
                "properties": {
                    "learnings": [checked.learning.uid for checked in found],
                    "anchors": [checked.judgement.anchor.spec for checked in found],
                },
            }
        )
    rules = [
        {
            "id": rule.id,
            "name": rule.name,
            "shortDescription": {"text": rule.summary},
            "fullDescription": {"text": f"{rule.summary}. {rule.help}"},
            "help": {"text": rule.help},
            "defaultConfiguration": {"level": rule.level.value},
        }
        for rule in RULES
    ]
    return sarif_log(rules, results, report.notices)


def sarif_log(rules: Sequence[Shape], results: Sequence[Shape], notices: Iterable[str]) -> Shape:
    """Return a SARIF log of one run."""
    told = [{"level": "note", "message": {"text": one}} for one in notices]
    run = {
        "tool": {"driver": {"name": "tx", "version": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": told}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
