"""A review and who answers for code, as they are printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.faces.cli.render.terminal import counted, echo, print_table, printable, styled

if TYPE_CHECKING:
    from tx_graph.context.who import Responsible

_MOST_PEOPLE = 10


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
