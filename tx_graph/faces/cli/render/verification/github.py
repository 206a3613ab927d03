"""Workflow commands: annotations that GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tx_graph.anchors.verify import Checked, Report
from tx_graph.faces.cli.render.terminal import printable
from tx_graph.faces.cli.render.verification.places import Place, place_of
from tx_graph.faces.cli.render.verification.rules import Level, Rule, rule_of
from tx_graph.faces.cli.render.verification.sentences import advice, statement, totals

MOST_ANNOTATIONS = 10
"""Annotations of each level that GitHub shows for one step."""
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_OF_PROPERTIES = _OF_DATA | {":": "%3A", ",": "%2C"}


class _Told(NamedTuple):
    checked: Checked
    rule: Rule
    place: Place


def log_lines(report: Report, root: Path) -> Iterator[str]:
    """Yield the lines of a log: a command for each annotation that GitHub will show, plain ones for the rest."""
    ruled = [(one, rule) for one in report.checked if (rule := rule_of(one.judgement))]
    told = [_Told(one, rule, place_of(one, root)) for one, rule in ruled]
    shown: Counter[Level] = Counter()
    for one in sorted(told, key=lambda each: list(Level).index(each.rule.level)):
        shown[one.rule.level] += 1
        yield printable(_command(one) if shown[one.rule.level] <= MOST_ANNOTATIONS else _plain(one))
    yield totals(report.summary())
    if hidden := sum(max(0, count - MOST_ANNOTATIONS) for count in shown.values()):
        yield f"GitHub shows {MOST_ANNOTATIONS} annotations of each level; {hidden:,} more stand in this log alone."


def _command(one: _Told) -> str:
    place = one.place
    properties = {
        "file": place.path,
        "line": str(place.first),
        "endLine": str(place.last),
        "title": one.rule.summary,
    }
    written = ",".join(f"{name}={_escaped(value, _OF_PROPERTIES)}" for name, value in properties.items())
    return f"::{_COMMANDS[one.rule.level]} {written}::{_escaped(_message(one.checked), _OF_DATA)}"


def _plain(one: _Told) -> str:
    """Return a line in which the runner finds no command, whatever a learning or a path says."""
    line = f"- {_COMMANDS[one.rule.level]}: {one.place.path}:{one.place.first}: {statement(one.checked)}"
    return _escaped(line, _OF_DATA).replace("##[", "## [")


def _message(checked: Checked) -> str:
    return "\n".join(filter(None, (statement(checked), *checked.difference, advice(checked))))


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)
