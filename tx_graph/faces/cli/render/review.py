"""A review and who answers for code, as they are printed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tx_graph.anchors.verify import Gate
from tx_graph.context import review_page
from tx_graph.context.review import FailOn, Review
from tx_graph.core.text import counted
from tx_graph.faces.cli.render import verify
from tx_graph.faces.cli.render.terminal import as_printed, echo, print_page, print_table, printable, styled

if TYPE_CHECKING:
    from tx_graph.context.who import Responsible

_MOST_PEOPLE = 10


def text(found: Review, budget: int) -> None:
    """Print the page for people."""
    print_page(review_page.text_of(found, budget=budget), is_markdown=False)


def markdown(found: Review, budget: int) -> None:
    """Print the page as a comment on a pull request."""
    sys.stdout.write(as_printed(review_page.markdown_of(found, budget=budget)))


def github(found: Review) -> None:
    """Print annotations for GitHub of what became untrue, and lines for its log."""
    if found.report:
        verify.github(found.report)


def sarif(found: Review) -> None:
    """Print SARIF."""
    if found.report:
        verify.sarif(found.report)


def gitlab(found: Review) -> None:
    """Print a report of code quality for GitLab."""
    if found.report:
        verify.gitlab(found.report)


def junit(found: Review, fail_on: FailOn) -> None:
    """Print a report as of tests, in which fails what the gate stops at."""
    if found.report:
        verify.junit(found.report, Gate.NEVER if fail_on is FailOn.NEVER else Gate.DRIFTED)


def notes(found: Review, fail_on: FailOn, form: str) -> Iterator[str]:
    """Yield what limited it where the page does not say so; let the command fail if there is anything to stop at."""
    yield from found.notices if form not in ("text", "markdown") else ()
    if found.fails(fail_on):
        raise SystemExit(1)


def who(found: Responsible) -> None:
    """Print the owners, and the authors as a table."""
    echo(styled(printable(found.place), bold=True))
    for one in found.owners[:_MOST_PEOPLE]:
        of = f", {one.files:,} of {counted(found.files, 'file')}" if found.files > 1 else ""
        echo(f"  {printable(one.name)}  (owner by {printable(one.place)}{of})")
    if not found.owners:
        echo("  No owner: CODEOWNERS names nobody for it.")
    rows = [
        (printable(one.name), f"{one.lines:,}", f"{one.share:.0%}", one.last) for one in found.authors[:_MOST_PEOPLE]
    ]
    if rows:
        print_table(("author", "lines", "share", "last"), rows, right=["lines", "share"])
    else:
        echo("  No author: none of its lines is committed.")
    if (rest := len(found.authors) - _MOST_PEOPLE) > 0:
        echo(f"and {counted(rest, 'more author')}; --json has them all.")
