"""What prose claims that does not hold, for people and for CI services."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tx_graph.core.text import counted
from tx_graph.documents.claims import reports
from tx_graph.documents.claims.verifying import ClaimVerdict, ProseReport
from tx_graph.faces.cli.render.terminal import echo, json_text, printable, reading_width, shortened, styled

_COLOURS = {ClaimVerdict.GONE: "red", ClaimVerdict.MOVED: "cyan", ClaimVerdict.DOUBTFUL: "yellow"}


def listing(report: ProseReport) -> None:
    """Print what does not hold, by document, and the sum."""
    for document, found in groupby((*report.findings, *report.doubtful), key=lambda one: one.document):
        echo(styled(printable(document), bold=True))
        for one in found:
            word = styled(f"{one.verdict.value:<8}", fg=_COLOURS[one.verdict])
            mended = f"  → {one.replacement}, mended" if one.mended else ""
            line = printable(f"{one.line}: {one.written}{mended}")
            echo(f"  {word}  {line}")
            if not one.mended and one.verdict is not ClaimVerdict.DOUBTFUL:
                echo(f"            {shortened(printable(one.told), reading_width() - 12)}")
        echo()
    for passage in report.aged:
        place = printable(f"{passage.document}:{passage.line}: {passage.path}")
        echo(f"  {styled(f'{passage.changed:>4.0%}', fg='yellow')}  {place} since {passage.written.commit[:10]}")
    if report.aged:
        echo()
    summary = report.summary
    told = [f"{summary[word]:,} {word}" for word in ("holds", "moved", "gone", "doubtful")]
    claims, documents = counted(report.claims, "claim"), counted(report.documents, "document")
    echo(styled(f"{claims} in {documents}: {', '.join(told)}.", bold=True))


def github(report: ProseReport) -> None:
    """Print annotations for GitHub, and lines for its log."""
    for line in reports.log_lines(report):
        echo(printable(line))


def gitlab(report: ProseReport) -> None:
    """Print a report of code quality for GitLab."""
    echo(json_text(reports.code_quality(report), indent=2))


def sarif(report: ProseReport) -> None:
    """Print SARIF."""
    echo(json_text(reports.sarif(report), indent=2))


def junit(report: ProseReport) -> None:
    """Print a report as of tests."""
    echo(reports.junit(report))


def notes(report: ProseReport, form: str) -> Iterator[str]:
    """Yield what limited it and, for people, what to do next."""
    yield from report.notices
    if form != "text":
        return
    if mended := sum(one.mended for one in report.findings):
        yield f"Mended {counted(mended, 'claim')}; 'git diff' shows what changed."
    if left := sum(one.replacement is not None for one in report.unmended):
        yield f"'tx doc:verify --fix' mends {left:,} of them."
    if report.doubts and not report.doubtful:
        yield f"'--doubtful' shows {counted(report.doubts, 'claim')} that nothing proves."
    if any(one.learning for one in report.unmended):
        yield "A learning is not true any more? 'tx learning:edit LEARNING' says what is."
