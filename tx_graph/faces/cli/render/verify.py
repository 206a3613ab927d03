"""A verification for people: what to look at first, what follows by itself in a line each, then the sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby

from tx_graph.anchors import reports
from tx_graph.anchors.reports import candidates, outcome, title
from tx_graph.anchors.severity import Severity
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Checked, Gate, Report
from tx_graph.core.text import counted
from tx_graph.core.times import ago
from tx_graph.faces.cli.render.terminal import (
    echo,
    is_terminal,
    json_text,
    printable,
    reading_width,
    shortened,
    styled,
    wrapped,
)
from tx_graph.records.anchor import Drift

_MOST_IN_FULL = 20  # findings shown with their changes; beyond that, lists by file are what can be read
_MOST_LINES = 12
_MOST_IN_LIST = 10
_MOST_IN_FILE = 5
_MOST_FILES = 30
_SHORT_HASH = 10
_WIDEST_WORD = len("drifted:signature")
_COLOURS = {Verdict.INVALID: "red", Verdict.DRIFTED: "yellow", Verdict.RELOCATED: "cyan"}
_MARKS = {Verdict.INVALID: "✗", Verdict.DRIFTED: "~", Verdict.RELOCATED: "→"}
_SIGNS = {"+": "green", "-": "red", "@": "cyan"}


def listing(report: Report) -> None:
    """Print what was found; anchors that hold as they were are only counted."""
    findings = [one for one in report.findings if one.severity is not Severity.OFF]
    if len(findings) <= _MOST_IN_FULL:
        _in_full(findings)
    else:
        _by_file(findings)
    asides = (
        ("relocated", Verdict.RELOCATED, None),
        ("other comments", Verdict.DRIFTED, Drift.COMMENT),
        ("skipped: pinned", Verdict.PINNED, None),
    )
    has_asides = False
    for heading, verdict, drift in asides:
        found = [one for one in report.checked if one.judgement.verdict is verdict]
        many = [one for one in found if drift in (None, one.judgement.drift)]
        has_asides = has_asides or bool(many)
        for one in many[:_MOST_IN_LIST]:
            there = one.judgement.relocated_to
            new = f" → {there.spec}" if there and verdict is Verdict.RELOCATED else ""
            new = f": {one.judgement.detail}" if one.judgement.held_by else new
            mended = ", mended" if one.mended else ""
            line = printable(f"{one.judgement.anchor.spec}{new}  ({one.learning.uid}, {one.learning.ref}{mended})")
            told = heading if drift else f"{_mark(verdict)}{heading}"
            echo(f"{styled(told, fg=_COLOURS.get(verdict))}  {line}")
        if (rest := len(many) - _MOST_IN_LIST) > 0:
            echo(f"{heading}  … {rest:,} more; --format json has them all")
    if has_asides:
        echo()
    for line in reports.sums(report):
        echo(styled(line, bold=True))


def _in_full(findings: Sequence[Checked]) -> None:
    """Print findings by their learnings, each with what became of its code and why."""
    now = datetime.now(UTC)
    for _, anchors in groupby(findings, key=lambda one: one.learning):
        first, *more = anchors
        echo(f"{styled(first.learning.uid, bold=True)}  {first.learning.ref}")
        echo(f"  {shortened(title(first), reading_width() - 2)}")
        for one in (first, *more):
            judgement, change, there = one.judgement, one.change, one.judgement.relocated_to
            why = [f"{judgement.detail}{', not committed yet' if one.is_uncommitted else ''}"]
            if change:
                age = ago(now - datetime.fromtimestamp(change.time, UTC))
                why.append(f"{change.commit[:_SHORT_HASH]} {change.subject} ({age})")
            why += [f"it is {there.spec} now"] if there and there.spec not in judgement.detail else []
            why += [f"it might be {candidates(judgement)}"] if judgement.candidates else []
            echo(f"  {_verdict(judgement)}  {printable(judgement.anchor.spec)}{_aside(one)}")
            for line in why:
                for part in wrapped(line, reading_width() - 4):
                    echo(f"    {part}")
            for line in one.difference[:_MOST_LINES]:
                told = styled(shortened(line.expandtabs(4), reading_width() - 6), fg=_SIGNS.get(line[:1]))
                echo(f"      {told}")
            if (rest := len(one.difference) - _MOST_LINES) > 0:
                echo(f"      … {counted(rest, 'more line')}")
        echo()


def _by_file(findings: Sequence[Checked]) -> None:
    """Print findings by their files, the first of each."""
    ordered = sorted(findings, key=lambda one: one.judgement.anchor.path)
    files = [(path, [*many]) for path, many in groupby(ordered, key=lambda one: one.judgement.anchor.path)]
    for path, found in files[:_MOST_FILES]:
        echo(f"{styled(path, bold=True)}  {counted(len(found), 'finding')}")
        for one in found[:_MOST_IN_FILE]:
            place = one.judgement.anchor.spec.removeprefix(path).lstrip(":")
            line = "  ".join(filter(None, (_aside(one).strip(), place, one.learning.ref, title(one))))
            blanks = " " * (_WIDEST_WORD - len(outcome(one.judgement)))
            room = reading_width() - _WIDEST_WORD - 4 - len(_mark(one.judgement.verdict))
            echo(f"  {_verdict(one.judgement)}{blanks}  {shortened(line, room)}")
        if (rest := len(found) - _MOST_IN_FILE) > 0:
            echo(f"  … {rest:,} more; 'tx graph:verify {printable(path)}' has them all")
    if (rest := len(files) - _MOST_FILES) > 0:
        echo(f"… and {counted(rest, 'more file')}; name one, or a directory, to see it")
    echo()


def _aside(checked: Checked) -> str:
    """Return why a finding fails nothing, if so, and blanks before it."""
    if checked.is_known:
        return "  (known)"
    return "  (warning)" if checked.severity is Severity.WARNING else ""


def _can_follow(judgement: Judgement) -> bool:
    return (
        judgement.relocated_to is not None
        if judgement.verdict is Verdict.RELOCATED
        else judgement.drift is Drift.COMMENT
    )


def _verdict(judgement: Judgement) -> str:
    return styled(f"{_mark(judgement.verdict)}{outcome(judgement)}", fg=_COLOURS.get(judgement.verdict))


def _mark(verdict: Verdict) -> str:
    """Return the sign of a verdict and a blank; nothing where stdout is no terminal."""
    return f"{_MARKS[verdict]} " if verdict in _MARKS and is_terminal() else ""


def github(report: Report) -> None:
    """Print annotations for GitHub, and lines for its log."""
    for line in reports.log_lines(report, report.root.path):
        echo(printable(line))


def sarif(report: Report) -> None:
    """Print SARIF."""
    echo(json_text(reports.sarif(report, report.root.path), indent=2))


def gitlab(report: Report) -> None:
    """Print a report of code quality for GitLab."""
    echo(json_text(reports.gitlab(report, report.root.path), indent=2))


def junit(report: Report, fail_on: Gate) -> None:
    """Print a report as of tests."""
    echo(reports.junit(report, fail_on))


def notes(report: Report, fix: bool, fail_on: Gate, form: str) -> Iterator[str]:  # noqa: FBT001 - the option
    """Yield what limited it and, for people, what to do next; let the command fail if there is anything to stop at."""
    yield from report.notices
    if form == "text":
        mended, summary = sum(one.mended for one in report.checked), report.summary()
        if mended:
            where = "; 'git diff .tx' shows what changed in the records" if report.root.is_git else " in the records"
            yield f"Mended {counted(mended, 'anchor')}{where}."
        if summary["drifted"]:
            yield "Still true? 'tx graph:confirm LEARNING'. Not any more? 'tx learning:edit LEARNING'."
        if summary["invalid"]:
            link, unlink = "'tx graph:link'", "'tx graph:unlink'"
            yield f"Gone? Tie the learning to other code with {link}, and drop the anchor with {unlink}."
        if not fix and any(_can_follow(one.judgement) for one in report.checked):
            yield "'tx graph:verify --fix' lets the anchors follow."
    if fail_on.stops_at(report):
        raise SystemExit(1)
