"""Who uses what, in words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import echo, print_table, printable, reading_width, shortened, styled
from tx_graph.faces.cli.render.words import more

_MOST_TOLD = 10
_MOST_CHANGED = 5  # names of changed symbols that people are shown

if TYPE_CHECKING:
    from tx_graph.code.references import Calls, Unused, UsersOf
    from tx_graph.context.impact import Impact


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


def impact(found: Impact) -> None:
    """Print what changed, the files that depend on it, tests apart, and what tells of it."""
    for heading, files in (
        ("Depends on it", [one for one in found.files if not one.is_test]),
        ("Tests", [one for one in found.files if one.is_test]),
    ):
        if files:
            echo(styled(f"{heading} ({len(files)}):", bold=True))
            print_table(
                ("file", "hops", "certainty", "through"),
                [(one.path, str(one.hops), one.certainty, one.via.rpartition("/")[2]) for one in files],
                right=["hops"],
            )
    for heading, told in (("Learnings", found.learnings), ("Documents", found.sections)):
        if told:
            echo(styled(f"{heading} ({len(told)}):", bold=True))
            for one in told[:_MOST_TOLD]:
                echo(shortened(printable(f"  {one.ref}  {' '.join(one.text.split())}".rstrip()), reading_width()))
            if len(told) > _MOST_TOLD:
                echo(f"  and {len(told) - _MOST_TOLD:,} more; --json has all.")


def impact_remarks(found: Impact) -> list[str]:
    """Return what counts as changed, why there is nothing, and that there is more."""
    names = [one.rpartition("/")[2] for one in found.changed[:_MOST_CHANGED]]
    rest = len(found.changed) - len(names)
    others = f" and {rest:,} more" if rest else ""
    return [
        found.remark or f"Changed: {', '.join(names)}{others}.",
        "" if found.files or found.remark else "Nothing here depends on it, as far as can be told.",
        more(found.total, shown=len(found.files)),
    ]


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
