"""Who uses what, in words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.faces.cli.render.terminal import counted, echo, print_table, printable, reading_width, shortened, styled
from tx_graph.faces.cli.render.words import more

if TYPE_CHECKING:
    from tx_graph.code.references import Calls, Unused, UsersOf
    from tx_graph.core.kernel import Kernel
    from tx_graph.workspace.health import Age


def age(kernel: Kernel, _: object) -> Age:
    """Return how old what was read of files is."""
    from tx_graph.workspace.health import Health

    return kernel.one(Health).age(with_cochanges=False)


def users(found: UsersOf) -> None:
    """Print where a symbol is used: a line for each place, below its file."""
    for number, (path, own) in enumerate(groupby(found.references, key=lambda one: one.path)):
        echo(f"{'' if number == 0 else chr(10)}{styled(printable(path), bold=True)}")
        told = list(own)
        digits, kinds = max(len(str(one.line)) for one in told), max(len(one.kind) for one in told)
        for one in told:
            sure = " " if one.certainty == "exact" else "~"
            head = f"{one.line:>{digits}} {sure}{one.kind:{kinds}}  "
            echo(f"{head}{shortened(printable(one.text), reading_width() - len(head))}")


def user_remarks(found: UsersOf) -> list[str]:
    """Return why there is nothing, that there is more, and what the mark means."""
    likely = sum(one.certainty == "likely" for one in found.references)
    meant = f"~ marks {counted(likely, 'reference')} through a type that was inferred." if likely else ""
    return [found.remark, more(found.total, shown=len(found.references)), meant]


def calls(found: Calls, depth: int) -> None:
    """Print who calls, or what is called, as a table."""
    rows = [
        (str(one.hops), one.symbol, one.of, f"{one.path}:{one.line}", one.certainty)[0 if depth > 1 else 1 :]
        for one in found.calls
    ]
    headings = ("hops", "symbol", "calls" if found.reverse else "called by", "place", "certainty")
    if rows:
        print_table(headings[0 if depth > 1 else 1 :], rows, right=["hops"])


def call_remarks(found: Calls) -> list[str]:
    """Return why there is nothing, and that there is more."""
    return [found.remark, more(found.total, shown=len(found.calls))]


def unused(found: Unused) -> None:
    """Print symbols that nobody uses as a table."""
    rows = [
        (f"{one.symbol.path}:{one.symbol.line_start}", one.symbol.kind, one.symbol.name, str(one.mentions or ""))
        for one in found.unused
    ]
    has_mentions = any(one.mentions for one in found.unused)
    if rows:
        print_table(
            ("place", "kind", "symbol", "mentions")[: 4 if has_mentions else 3],
            [row[: 4 if has_mentions else 3] for row in rows],
        )


def unused_remarks(found: Unused) -> list[str]:
    """Return what was left out, and that there is more."""
    hidden = found.mentioned if not any(one.mentions for one in found.unused) else 0
    none = f"Nothing in {found.place.name} is unused, as far as can be told." if not found.unused else ""
    return [
        found.remark or none,
        more(found.total, shown=len(found.unused)),
        f"{counted(hidden, 'more symbol')} with a name that stands elsewhere: see --mentioned." if hidden else "",
        f"{counted(found.entries, 'symbol')} left out that something outside may use." if found.entries else "",
    ]
