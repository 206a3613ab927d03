"""What lies around one thing, as a tree: drawn with lines on a terminal, indented in a pipe."""

from __future__ import annotations

import re
from itertools import pairwise

from tx_graph.context.focus.focus import heading, marks
from tx_graph.context.focus.rules import Note, Relationship
from tx_graph.context.focus.values import FocusView
from tx_graph.context.graph import Neighborhood
from tx_graph.core.text import counted, label, quoted_line
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.graph import beyond
from tx_graph.faces.cli.render.terminal import columns, echo, is_terminal, note, reading_width, shortened, styled

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_LEAST_TOLD = 20  # columns of what a node says, however deep it lies
_ELSEWHERE = {
    Relationship.REFERENCE_BY,
    Relationship.IMPORTER,
    Relationship.IMPORT,
    Relationship.LINK_TARGET,
    Relationship.DESCRIBED_RELATION,
    Relationship.MENTION,
}
"""What is tied to the focus wherever it lies: it stands below the focus, not where it has its place."""


class Branch:
    """A line of a tree, what it says in a line of its own, and what hangs below it."""

    def __init__(self, line: str, text: str = "") -> None:
        self.line, self.text = line, text
        self.below: list[Branch] = []

    def print(self, before: str = "", rest: str = "") -> None:
        """Print it and all below it, behind what draws the lines: `before` on its own, `rest` on those that follow."""
        line, gap, last, blank = ("│  ", "├─ ", "└─ ", "   ") if is_terminal() else ("  ", "  ", "  ", "  ")
        said, room = quoted_line(self.text), reading_width() - columns(f"{before}{_STYLE.sub('', self.line)}  ")
        if not self.text:
            echo(f"{before}{self.line}")
        elif columns(said) <= room:
            echo(f"{before}{self.line}  {styled(said, dim=True)}")
        else:
            under = f"{rest}{line if self.below else blank}"
            room = max(_LEAST_TOLD, reading_width() - columns(under) - 2)
            echo(f"{before}{self.line}\n{under}{styled(quoted_line(shortened(self.text, room)), dim=True)}")
        for one in self.below:
            is_last = one is self.below[-1]
            one.print(f"{rest}{last if is_last else gap}", f"{rest}{blank if is_last else line}")


def neighbors(around: Neighborhood) -> None:
    """Print what lies around a node, each below what leads there."""
    start = around.node
    tree: dict[tuple[str, ...], Branch] = {}
    name = _bold(words.called(start.ref, start.key))
    tree[start.ref,] = Branch(f"{name}{words.mark(start)}", around.texts.get(start.ref, ""))
    for one in around.neighbors:
        for place, step in enumerate(one.steps, start=1):
            if (way := one.path[: place + 1]) not in tree:
                name = _bold(words.called(step.target, step.target_node.id))
                tree[way] = Branch(f"{styled(words.arrow(step), fg='bright_black')} {name}")
                tree[one.path[:place]].below.append(tree[way])
        told = f"  {words.standing(one.standing)}" if one.standing else ""
        tree[one.path].line += f"{told}  {words.meter(one.score)}"
        tree[one.path].text = around.texts.get(one.ref, "")
    tree[start.ref,].print()
    beyond(around)


def focus(found: FocusView) -> None:
    """Print where the focus has its place in the tree of all, and below it what is tied to it from elsewhere."""
    here = found.focus.ref
    tree = {ref: Branch(label(_below(above, ref))) for above, ref in pairwise(("", *found.path))}
    tree[here] = _branch(found.focus, found.path[-1] if found.path else "", bold=True)
    for above, ref in pairwise((*found.path, here)):
        tree[above].below.append(tree[ref])
    notes = [one for one in found.related if one.note.ref not in tree]
    known = tree.keys() | {one.note.ref for one in notes}
    homes = {
        one.note.ref: one.note.parent.ref
        for one in notes
        if one.note.parent and one.note.parent.ref in known and one.relationship not in _ELSEWHERE
    }
    tree |= {one.note.ref: _branch(one.note, homes.get(one.note.ref, "")) for one in notes}
    groups: dict[Relationship, Branch] = {}
    for one in notes:
        ref = one.note.ref
        group = groups.setdefault(one.relationship, Branch(styled(heading(one.relationship), fg="cyan")))
        (tree[homes[ref]] if ref in homes else group).below.append(tree[ref])
    tree[here].below += [group for group in groups.values() if group.below]
    tree[(*found.path, here)[0]].print()
    if found.omitted:
        note(f"{counted(found.omitted, 'more node')}; a bigger --budget shows more.")


def _branch(one: Note, above: str, **style: bool) -> Branch:
    if one.target and one.parent:
        return Branch(styled(f"─{label(one.title)}→ {label(one.target.ref)}"))
    name = words.called(one.ref, one.uid) if one.uid else label(_below(above, one.ref))
    told, colour = ", ".join(marks(one.marks)), "yellow" if one.marks.keys() - {"verdict", "drift"} else "bright_black"
    title = "" if one.ref.endswith(one.title.rstrip("/")) else one.title
    return Branch(styled(name, **style) + (f"  {styled(told, fg=colour)}" if told else ""), title)


def _below(above: str, ref: str) -> str:
    """Return the name of what hangs below something, without what both names begin with."""
    rest = ref.removeprefix(above)
    return rest.removeprefix("/") if above and rest.startswith(("/", "#", "::")) else ref


def _bold(name: str) -> str:
    return styled(name, bold=True)
