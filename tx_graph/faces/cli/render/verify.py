"""A verification for people: what to look at first, what follows by itself in a line each, then the sum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import typer

from tx_graph.anchors import reports
from tx_graph.anchors.reports import candidates, outcome, title, totals
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Checked, Gate, Report
from tx_graph.core.times import ago
from tx_graph.faces.cli.render.terminal import counted, print_json, printable, reading_width, shortened, styled, wrapped
from tx_graph.records.anchor import Drift

_MOST_IN_FULL = 20
"""Findings shown with their changes; beyond that, lists by file are what can be read."""
_MOST_LINES = 12
_MOST_IN_LIST = 10
_MOST_IN_FILE = 5
_MOST_FILES = 30
_SHORT_HASH = 10
_WIDEST_WORD = len("drifted:signature")
_COLOURS = {Verdict.INVALID: "red", Verdict.DRIFTED: "yellow", Verdict.RELOCATED: "cyan"}
_SIGNS = {"+": "green", "-": "red", "@": "cyan"}


def listing(report: Report) -> None:
    """Print what was found; anchors that hold as they were are only counted."""
    for line in _lines(report):
        typer.echo(line)


def github(report: Report) -> None:
    """Print annotations for GitHub, and lines for its log."""
    for line in reports.log_lines(report, report.root.path):
        typer.echo(printable(line))


def sarif(report: Report) -> None:
    """Print SARIF."""
    print_json(reports.sarif(report, report.root.path))


def junit(report: Report, fail_on: Gate) -> None:
    """Print a report as of tests."""
    typer.echo(reports.junit(report, fail_on))


def shape(report: Report) -> dict[str, Any]:
    """Return a verification as a document."""
    return reports.document(report)


def notes(report: Report, fix: bool, fail_on: Gate, form: str) -> Iterator[str]:  # noqa: FBT001 - the option
    """Yield what limited it and, for people, what to do next; let the command fail if there is anything to stop at."""
    yield from report.notices
    if form == "text":
        yield from _hints(report, fixed=fix)
    if fail_on.stops_at(report):
        raise typer.Exit(1)


def _lines(report: Report) -> Iterator[str]:
    findings, now = report.findings, datetime.now(UTC)
    yield from _in_full(findings, now) if len(findings) <= _MOST_IN_FULL else _by_file(findings)
    asides = [
        *_list("relocated", _having(report, Verdict.RELOCATED), _relocation),
        *_list("other comments", _having(report, Verdict.DRIFTED, Drift.COMMENT), _plain),
        *_list("skipped: pinned", _having(report, Verdict.PINNED), _plain),
    ]
    yield from [*asides, ""] if asides else []
    yield styled(totals(report.summary()), bold=True)


def _having(report: Report, verdict: Verdict, drift: Drift | None = None) -> list[Checked]:
    found = [one for one in report.checked if one.judgement.verdict is verdict]
    return [one for one in found if drift in (None, one.judgement.drift)]


def _in_full(findings: Sequence[Checked], now: datetime) -> Iterator[str]:
    for _, anchors in groupby(findings, key=lambda one: one.learning):
        first, *more = anchors
        yield f"{styled(first.learning.ref, bold=True)}  {first.learning.uid}"
        yield f"  {shortened(title(first), reading_width() - 2)}"
        for one in (first, *more):
            judgement = one.judgement
            yield f"  {_verdict(judgement)}  {printable(judgement.anchor.spec)}"
            for line in (*_why(one, now), *_where(judgement)):
                yield from (f"    {part}" for part in wrapped(line, reading_width() - 4))
            for line in one.difference[:_MOST_LINES]:
                yield f"      {styled(shortened(line.expandtabs(4), reading_width() - 6), fg=_SIGNS.get(line[:1]))}"
            if (rest := len(one.difference) - _MOST_LINES) > 0:
                yield f"      … {counted(rest, 'more line')}"
        yield ""


def _why(one: Checked, now: datetime) -> Iterator[str]:
    is_uncommitted = not one.change and one.difference and one.judgement.anchor.text is None
    yield f"{one.judgement.detail}{', not committed yet' if is_uncommitted else ''}"
    if one.change:
        age = ago(now - datetime.fromtimestamp(one.change.time, UTC))
        yield f"{one.change.commit[:_SHORT_HASH]} {one.change.subject} ({age})"


def _where(judgement: Judgement) -> Iterator[str]:
    there = judgement.relocated_to
    if there and there.spec not in judgement.detail:
        yield f"it is {there.spec} now"
    if judgement.candidates:
        yield f"it might be {candidates(judgement)}"


def _by_file(findings: Sequence[Checked]) -> Iterator[str]:
    ordered = sorted(findings, key=lambda one: one.judgement.anchor.path)
    files = [(path, [*many]) for path, many in groupby(ordered, key=lambda one: one.judgement.anchor.path)]
    for path, found in files[:_MOST_FILES]:
        yield f"{styled(path, bold=True)}  {counted(len(found), 'finding')}"
        yield from (_in_file(one, path) for one in found[:_MOST_IN_FILE])
        if (rest := len(found) - _MOST_IN_FILE) > 0:
            yield f"  … {rest:,} more; 'tx graph:verify {printable(path)}' has them all"
    if (rest := len(files) - _MOST_FILES) > 0:
        yield f"… and {counted(rest, 'more file')}; name one, or a directory, to see it"
    yield ""


def _in_file(one: Checked, path: str) -> str:
    place = one.judgement.anchor.spec.removeprefix(path).lstrip(":")
    line = "  ".join(filter(None, (place, one.learning.ref, title(one))))
    word = outcome(one.judgement)
    blanks = " " * (_WIDEST_WORD - len(word))
    return f"  {_verdict(one.judgement)}{blanks}  {shortened(line, reading_width() - _WIDEST_WORD - 4)}"


def _list(heading: str, many: Sequence[Checked], line: Callable[[Checked], str]) -> Iterator[str]:
    for one in many[:_MOST_IN_LIST]:
        yield f"{styled(heading, fg=_COLOURS.get(one.judgement.verdict))}  {line(one)}"
    if (rest := len(many) - _MOST_IN_LIST) > 0:
        yield f"{heading}  … {rest:,} more; --format json has them all"


def _relocation(one: Checked) -> str:
    there = one.judgement.relocated_to
    return _plain(one, f" → {there.spec if there else ''}")


def _plain(one: Checked, new: str = "") -> str:
    mended = ", mended" if one.mended else ""
    return printable(f"{one.judgement.anchor.spec}{new}  ({one.learning.ref}{mended})")


def _verdict(judgement: Judgement) -> str:
    return styled(outcome(judgement), fg=_COLOURS.get(judgement.verdict))


def _hints(report: Report, *, fixed: bool) -> Iterator[str]:
    mended, summary = sum(one.mended for one in report.checked), report.summary()
    if mended:
        where = "; 'git diff .tx' shows what changed in the records" if report.root.is_git else " in the records"
        yield f"Mended {counted(mended, 'anchor')}{where}."
    if summary["drifted"]:
        yield "Still true? 'tx graph:confirm LEARNING'. Not any more? 'tx learning:edit LEARNING'."
    if summary["invalid"]:
        yield "Gone? Tie the learning to other code with 'tx graph:link', and drop the anchor with 'tx graph:unlink'."
    if not fixed and any(summary[name] for name in ("relocated", "comment")):
        yield "'tx graph:verify --fix' lets the anchors follow."
