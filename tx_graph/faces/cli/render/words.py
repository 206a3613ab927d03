"""Learnings, paths and verdicts in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.verdict import Judgement, Standing
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import is_terminal, print_each, printable, shortened, styled, width
from tx_graph.graph.edges import EdgeType
from tx_graph.records.learning import Status, StoredLearning

if TYPE_CHECKING:
    from tx_graph.context.graph_view import Step
    from tx_graph.documents.store import Sizes
    from tx_graph.graph.references import Node


COLOURS = {
    Standing.FRESH: "green",
    Standing.PINNED: "bright_black",
    Standing.RESERVE: "bright_black",
    Standing.RELOCATED: "cyan",
    Standing.DRIFTED_COMMENT: "green",
    Standing.DRIFTED_BODY: "yellow",
    Standing.DRIFTED_SIGNATURE: "yellow",
    Standing.GONE: "red",
    Standing.UNANCHORED: "bright_black",
}
_SIGNS = {
    "fresh": "✓",
    "drifted:comment": "✓",
    "relocated": "→",
    "gone": "✗",
    "unanchored": "·",
    "pinned": "·",
    "reserve": "·",
}
_CHANGES = {
    Standing.RELOCATED: "its code moved",
    Standing.DRIFTED_COMMENT: "its code is as it was",
    Standing.DRIFTED_BODY: "its code is not as it was",
    Standing.DRIFTED_SIGNATURE: "its code is not as it was",
    Standing.GONE: "its code is gone",
    Standing.PINNED: "its code is not looked at",
    Standing.RESERVE: "it has a fallback",
}
_LEAST_CONTENT = 30
_CELLS = 5
_EIGHTHS = ("", *"▏▎▍▌▋▊▉")
_LEAST_SHOWN = 0.005  # the least score that two digits do not round to nothing


def called(ref: str, key: str) -> str:
    """Return how a node is named: a learning by what lasts, with its number here behind it."""
    return f"{key} ({ref})" if ref.startswith("learning:") else ref


def signed(value: str) -> str:
    """Return a verdict, on a terminal behind a sign: colour alone tells not everybody."""
    return f"{_SIGNS.get(value, '~')} {value}" if is_terminal() else value


def standing(value: Standing) -> str:
    """Return what is said of a learning's code, in its colour."""
    return styled(signed(value.value), fg=COLOURS[value])


def meter(value: float) -> str:
    """Return a score in colour, on a terminal behind a bar as long as it is."""
    return styled(f"{bar(value)}{score(value)}", fg="cyan")


def bar(share: float) -> str:
    """Return a bar for a share in [0, 1] and a blank; nothing where stdout is no terminal."""
    full, rest = divmod(round(min(1.0, max(0.0, share)) * _CELLS * 8), 8)
    return f"{'█' * full + _EIGHTHS[rest]:{_CELLS}} " if is_terminal() else ""


def documents(sizes: Sizes) -> str:
    """Return `12 (340 sections, 900 chunks)`."""
    inside = f" ({counted(sizes['sections'], 'section')}, {counted(sizes['chunks'], 'chunk')})"
    return f"{sizes['documents']:,}{inside if sizes['documents'] else ''}"


def more(total: int, *, shown: int) -> str:
    """Return the sentence that says that a list was cut, and how to have all of it; empty when it was not."""
    return f"{total - shown:,} more; show them with -n {total}." if total > shown else ""


def score(value: float) -> str:
    """Return a score with two digits; one that is almost nothing does not pretend to be nothing."""
    return "<.01" if 0 < value < _LEAST_SHOWN else f"{value:.2f}"


def arrow(step: Step) -> str:
    """Return an edge as an arrow: `─IMPORTS→`, or `←IMPORTS─` where it is walked against its direction.

    A link is named by what it means: `─depends_on→`.
    """
    turned = not step.forward and EdgeType(step.type).words.has_arrow
    return f"←{step.name}─" if turned else f"─{step.name}→"


def way(steps: Sequence[Step]) -> str:
    """Return a path in words: `src/auth.ts ─IMPORTS→ src/jwt.ts ─ANCHORED_TO→ this`."""
    return printable(f"{steps[0].source} {trail(steps)} this")


def trail(steps: Sequence[Step]) -> str:
    """Return what lies between the ends of a path: `─IMPORTS→ src/jwt.ts ─ANCHORED_TO→`."""
    between = [part for step in steps for part in (step.source, arrow(step))]
    return printable(" ".join(between[1:]))


def anchor(judged: Judgement) -> str:
    """Return an anchor with its verdict: `src/auth.py::login  drifted:body  the code changed`."""
    detail = f"  {printable(judged.detail)}" if judged.detail else ""
    return f"{printable(judged.anchor.spec)}  {standing(judged.standing)}{detail}"


def reason(judged: Judgement) -> str:
    """Return why an anchor is not simply fresh, as part of a sentence about its learning."""
    return printable(f"{_CHANGES[judged.standing]}: {judged.anchor.spec}, {judged.detail}")


def heading(stored: StoredLearning) -> str:
    """Return what identifies a learning in one line."""
    learning = stored.learning
    marks = [learning.category or "", "" if learning.status is Status.ACTIVE else learning.status.value]
    marks.append("removed" if learning.removed_at else "")
    return "  ".join([styled(learning.uid, bold=True), stored.ref, *(printable(mark) for mark in marks if mark)])


def mark(node: Node) -> str:
    """Return what is to be known of a node that is a learning: its status, unless it is active; else nothing."""
    return "" if node.status in (None, Status.ACTIVE) else f"  {styled(str(node.status), fg='yellow')}"


def print_learnings(many: Sequence[StoredLearning], standings: Mapping[int, Standing] | None = None) -> None:
    """Print learnings as a table; columns that would say nothing are left out."""
    columns: dict[str, Callable[[StoredLearning], str]] = {
        "uid": lambda one: one.learning.uid,
        "#": lambda one: str(one.id),
    }
    columns["created"] = lambda one: one.learning.created_at[:10]
    columns["category"] = lambda one: shortened(one.learning.category or "", 20)
    if any(one.learning.status is not Status.ACTIVE for one in many):
        columns["status"] = lambda one: one.learning.status.value
    if standings is not None:
        columns["verdict"] = lambda one: signed(standings[one.id].value)
    widths = [max(len(get(one)) for one in many) for get in columns.values()]
    used = sum(max(len(name), wide) + 2 for name, wide in zip(columns, widths, strict=True) if wide)
    room = max(_LEAST_CONTENT, width() - used)
    columns["content"] = lambda one: shortened(one.learning.content, room)
    print_each(many, columns, right=["#"], filled=["category"])
