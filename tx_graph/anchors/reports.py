"""A verification in the forms that CI services take: SARIF, JUnit, GitHub's workflow commands, GitLab's code quality.

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

from tx_graph.anchors.recorded import Unread
from tx_graph.anchors.severity import Severity
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
    if checked.statement:
        return checked.statement
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
    if checked.advice:
        return checked.advice
    if checked.judgement.held_by:
        return f"Tie it to other code with 'tx graph:link {uid}', where that is known."
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
    told += [f"{spare:,} in reserve"] if (spare := summary[Verdict.RESERVE]) else []
    return f"{_counted(count, 'anchor')}: {', '.join(told)}."


def sums(report: Report) -> list[str]:
    """Return what there is in all: the anchors and, where some of the findings fail nothing, how many do.

    `3 findings, 1 new against main: 1 error, 1 warning, 1 off.`
    """
    found, told = report.found, [totals(report.summary())]
    if found.all and (report.against or found.errors < found.all):
        new = f", {found.new:,} new against {report.against}" if report.against else ""
        parts = [(found.errors, "error"), (found.warnings, "warning")]
        counts = [_counted(count, word) for count, word in parts if count]
        counts += [f"{found.off:,} off"] if found.off else []
        told.append(f"{_counted(found.all, 'finding')}{new}{': ' if counts else ''}{', '.join(counts)}.")
    if report.unread:
        told.append(f"{_counted(len(report.unread), 'record')} cannot be read.")
    return told


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
_HELD = Rule("tx/fallback", Level.NOTE, "Anchored code is gone, and a fallback stands in for it", _TIE_AGAIN)
_RELOCATED = Rule("tx/relocated", Level.NOTE, "Anchored code is elsewhere now", _NOTHING_TO_DO)

_UNREAD = Rule(
    "tx/unreadable-record",
    Level.ERROR,
    "A record cannot be read",
    "Nobody knows what it is anchored to. Mend its text; 'tx doctor' names what is wrong with it.",
)

RULES = (_UNREAD, *_OF_REASON.values(), *reversed(_OF_DRIFT.values()), _RELOCATED, _HELD)
"""All of them, the most serious first."""


def rule_of(judgement: Judgement) -> Rule | None:
    """Return the rule that an anchor breaks; None where there is nothing to say, as of formatting or pins."""
    if judgement.verdict is Verdict.RELOCATED:
        return _HELD if judgement.held_by else _RELOCATED
    if judgement.verdict is Verdict.INVALID:
        return _OF_REASON[judgement.reason or Reason.INVALIDATED]
    return _OF_DRIFT.get(judgement.drift) if judgement.verdict is Verdict.DRIFTED and judgement.drift else None


_MILDER = {Level.ERROR: Level.WARNING, Level.WARNING: Level.NOTE, Level.NOTE: Level.NOTE}


def level_of(checked: Checked, rule: Rule) -> Level:
    """Return how serious what breaks a rule is: a finding that is only told is a degree milder."""
    return _MILDER[rule.level] if checked.severity is Severity.WARNING else rule.level


def _told(report: Report) -> Iterator[tuple[Checked, Rule]]:
    """Yield what is told one by one, with the rule that it breaks: findings that are off are only counted."""
    for checked in report.checked:
        is_off = checked.judgement.is_finding and checked.severity is Severity.OFF
        if (rule := rule_of(checked.judgement)) and not is_off:
            yield checked, rule


class Place(NamedTuple):
    """Lines of a file, its path below the repository's root."""

    path: str
    first: int
    last: int


def place_of(checked: Checked, root: Path) -> Place:
    """Return where the anchored code lies now: its file where it is gone, the learning's record where that is, too."""
    judgement = checked.judgement
    there = judgement.relocated_to or judgement.held_by or judgement.anchor
    first, last = judgement.lines or (1, 1)
    is_elsewhere = judgement.reason in (Reason.OUTSIDE_REPOSITORY, Reason.INVALIDATED)
    if there.type is not AnchorType.GLOB and not is_elsewhere and (root / there.path).is_file():
        return Place(there.path, max(1, first), max(1, first, last))
    return Place(f"{DIRECTORY}/{LEARNINGS}/{checked.learning.record}", 1, 1)


MOST_ANNOTATIONS = 10
"""Annotations of each level that GitHub shows for one step."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = _OF_DATA | {":": "%3A", ",": "%2C"}


def log_lines(report: Report, root: Path) -> Iterator[str]:
    """Yield the lines of a log: a command for each annotation that GitHub will show, plain ones for the rest.

    What was known before is told in plain lines.
    """
    shown: Counter[Level] = Counter()
    for record in report.unread:
        shown[_UNREAD.level] += 1
        place = Place(record.path, record.line, record.line)
        if shown[_UNREAD.level] <= MOST_ANNOTATIONS:
            yield annotation(_UNREAD, _UNREAD.level, place, f"{_unread(record)} {_UNREAD.help}")
        else:
            yield log_line(_UNREAD.level, place, _unread(record))
    told = [(level_of(one, rule), one, rule) for one, rule in _told(report)]
    known: list[str] = []
    for level, one, rule in sorted(told, key=lambda each: list(Level).index(each[0])):
        place = place_of(one, root)
        if one.is_known:
            known.append(f"- known: {log_line(level, place, statement(one)).removeprefix('- ')}")
            continue
        shown[level] += 1
        if shown[level] <= MOST_ANNOTATIONS:
            message = "\n".join(filter(None, (statement(one), *one.difference, advice(one))))
            yield annotation(rule, level, place, message)
        else:
            yield log_line(level, place, statement(one))
    yield from known
    yield from sums(report)
    if hidden := sum(max(0, count - MOST_ANNOTATIONS) for count in shown.values()):
        yield f"GitHub shows {MOST_ANNOTATIONS} annotations of each level; {hidden:,} more stand in this log alone."


def annotation(rule: Rule, level: Level, place: Place, message: str) -> str:
    """Return the command that makes GitHub annotate lines."""
    properties = {"file": place.path, "line": place.first, "endLine": place.last, "title": rule.summary}
    written = ",".join(f"{name}={escaped(str(value), is_property=True)}" for name, value in properties.items())
    return f"::{_COMMANDS[level]} {written}::{escaped(message)}"


def log_line(level: Level, place: Place, message: str) -> str:
    """Return a plain line: the runner must find no command in it, whatever a learning or a path says."""
    line = f"- {_COMMANDS[level]}: {place.path}:{place.first}: {message}"
    return escaped(line).replace("##[", "## [")


def _unread(record: Unread) -> str:
    return f"{record.path}:{record.line} cannot be read: {record.reason}."


def escaped(text: str, *, is_property: bool = False) -> str:
    """Return a text as GitHub's workflow commands take it."""
    escapes = _OF_PROPERTIES if is_property else _OF_DATA
    return "".join(escapes.get(character, character) for character in text)


_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x80-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may have, not even escaped; and DEL, which none escapes."""


def junit(report: Report, gate: Gate) -> str:
    """Return a JUnit report: what the gate stops at are failures, what is pinned or in reserve was skipped."""
    from xml.etree.ElementTree import Element, SubElement, indent, tostring

    blind = report.unread if gate.is_blind(report) else ()
    summary = report.summary()
    counts = {
        "tests": len(report.checked) + len(report.unread),
        "failures": sum(map(gate.stops, report.checked)) + len(blind),
        "errors": 0,
        "skipped": summary[Verdict.PINNED] + summary[Verdict.RESERVE],
    }
    attributes = {"name": f"tx {report.command}"} | {name: str(count) for name, count in counts.items()} | {"time": "0"}
    suites = Element("testsuites", {name: value for name, value in attributes.items() if name != "skipped"})
    suite = SubElement(suites, "testsuite", attributes)
    for record in report.unread:
        case = SubElement(suite, "testcase", classname="records", name=printable_xml(record.path), time="0")
        if blind:
            reason = printable_xml(f"line {record.line}: {record.reason}")
            SubElement(case, "failure", type=_UNREAD.id, message=reason).text = _UNREAD.help
        else:
            SubElement(case, "system-out").text = printable_xml(_unread(record))
    for checked in report.checked:
        judgement, rule = checked.judgement, rule_of(checked.judgement)
        case = SubElement(suite, "testcase", classname=f"learnings.{checked.learning.uid}", time="0")
        case.set("name", printable_xml(f"{judgement.anchor.spec} ({judgement.anchor.type}): {title(checked)}"))
        story = printable_xml(
            "\n".join(["", statement(checked).replace("\n", " "), *checked.difference, advice(checked), ""])
        )
        if judgement.verdict in (Verdict.PINNED, Verdict.RESERVE):
            SubElement(case, "skipped", message=printable_xml(judgement.detail))
        elif rule and gate.stops(checked):
            SubElement(case, "failure", type=rule.id, message=printable_xml(explanation(checked))).text = story
        elif rule:
            why = "Known before.\n" if checked.is_known else f"Severity: {told}.\n" if (told := _why(checked)) else ""
            SubElement(case, "system-out").text = f"{why}{story}"
    SubElement(suite, "system-out").text = printable_xml("\n".join([*sums(report), *report.notices]))
    indent(suites)
    # Character references for all that is not ASCII: what stdout's encoding is does not matter.
    return str(tostring(suites, encoding="us-ascii", xml_declaration=True), "ascii")


def _why(checked: Checked) -> str:
    return checked.severity.value if checked.judgement.is_finding and checked.severity is not Severity.ERROR else ""


def printable_xml(text: str) -> str:
    """Return a text without what no XML document may have."""
    return _FORBIDDEN.sub("�", text)


_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"


def sarif(report: Report, root: Path) -> Shape:
    """Return a SARIF log. Findings under one rule at one place are one result: services take two for the same."""
    together: defaultdict[tuple[Rule, Place], list[Checked]] = defaultdict(list)
    for checked, rule in _told(report):
        together[rule, place_of(checked, root)].append(checked)
    results = [_unread_result(record) for record in report.unread]
    for (rule, place), found in together.items():
        # what identifies the anchors, wherever their code lies now
        names = sorted(f"{one.learning.uid} {one.judgement.anchor.type} {one.judgement.anchor.spec}" for one in found)
        compared = (
            {"baselineState": "unchanged" if all(one.is_known for one in found) else "new"} if report.against else {}
        )
        results.append(
            {
                "ruleId": rule.id,
                "ruleIndex": RULES.index(rule),
                "level": min((level_of(one, rule) for one in found), key=list(Level).index).value,
                "message": {"text": "\n".join(f"{statement(checked)} {advice(checked)}" for checked in found)},
                "locations": [location(place)],
                "partialFingerprints": {"txAnchor/v1": fingerprint(*names)},
                "properties": {
                    "learnings": [checked.learning.uid for checked in found],
                    "anchors": [checked.judgement.anchor.spec for checked in found],
                },
                **compared,
            }
        )
    return sarif_log([sarif_rule(rule) for rule in RULES], results, report.notices, is_whole=not report.unread)


def sarif_rule(rule: Rule) -> Shape:
    """Return a rule as SARIF describes it."""
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": f"{rule.summary}. {rule.help}"},
        "help": {"text": rule.help},
        "defaultConfiguration": {"level": rule.level.value},
    }


def sarif_log(
    rules: Sequence[Shape], results: Sequence[Shape], notices: Iterable[str], *, is_whole: bool = True
) -> Shape:
    """Return a SARIF log of one run, which was successful if it `is_whole`."""
    told = [{"level": "note", "message": {"text": one}} for one in notices]
    run = {
        "tool": {"driver": {"name": "tx", "version": __version__, "rules": rules}},
        "invocations": [{"executionSuccessful": is_whole, "toolExecutionNotifications": told}],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "results": results,
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def location(place: Place) -> Shape:
    """Return lines as SARIF names them."""
    there = {
        "artifactLocation": {"uri": quote(os.fsencode(place.path)), "uriBaseId": _ROOT},
        "region": {"startLine": place.first, "endLine": place.last},
    }
    return {"physicalLocation": there}


def _unread_result(record: Unread) -> Shape:
    return {
        "ruleId": _UNREAD.id,
        "ruleIndex": RULES.index(_UNREAD),
        "level": _UNREAD.level.value,
        "message": {"text": f"{_unread(record)} {_UNREAD.help}"},
        "locations": [location(Place(record.path, record.line, record.line))],
        "partialFingerprints": {"txAnchor/v1": fingerprint(_UNREAD.id, record.path)},
    }


def fingerprint(*parts: str) -> str:
    """Return what tells a finding from others for as long as these stay the same."""
    return hashlib.sha256(os.fsencode("\0".join(parts))).hexdigest()


_DEGREES = {Level.ERROR: "critical", Level.WARNING: "major", Level.NOTE: "info"}


def gitlab(report: Report, root: Path) -> list[Shape]:
    """Return a report of code quality as GitLab reads it, which tells by fingerprints what is new."""
    told = [
        issue(_UNREAD, "blocker", Place(one.path, one.line, one.line), _unread(one), one.path) for one in report.unread
    ]
    for one, rule in _told(report):
        degree = "info" if one.is_known else _DEGREES[level_of(one, rule)]
        anchor = one.judgement.anchor
        told.append(
            issue(rule, degree, place_of(one, root), statement(one), one.learning.uid, anchor.type, anchor.spec)
        )
    return told


def issue(rule: Rule, degree: str, place: Place, description: str, *identity: str) -> Shape:
    """Return a finding as GitLab reads it; `identity` is what tells it from others of its rule."""
    return {
        "description": description,
        "check_name": rule.id,
        "fingerprint": fingerprint(rule.id, *identity),
        "severity": degree,
        "location": {"path": place.path, "lines": {"begin": place.first, "end": place.last}},
    }
