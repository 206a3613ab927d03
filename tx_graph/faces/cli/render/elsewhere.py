"""What other repositories know, in words: each thing with its repository, commit and age, and quoted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from tx_graph.core.text import inert
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import echo, printable, reading_width, styled, wrapped
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.elsewhere import Elsewhere, HubStep

_LINES_SHOWN = 3
_QUOTE = f"{'':6}> "
_MORE = " …"

Own = TypeVar("Own")


def among(own: Sequence[Own], scores: Sequence[float], found: Sequence[Elsewhere]) -> Iterator[Own | Elsewhere]:
    """Yield own results in their order, and what is from elsewhere where its score puts it, behind equals."""
    rest = list(found)
    for one, score in zip(own, scores, strict=True):
        while rest and rest[0].score > score:
            yield rest.pop(0)
        yield one
    yield from rest


def show(one: Elsewhere, *, with_score: bool = True) -> None:
    """Print one thing from elsewhere; nothing in it can pose as a line of ours."""
    score = f"{words.meter(one.score)}  " if with_score else ""
    echo(f"{score}{styled(printable(one.ref), bold=True)}  {styled(one.told, fg='magenta')}")
    room = reading_width() - len(_QUOTE) - len(_MORE)
    lines = [line for part in filter(None, (one.title, one.text)) for line in wrapped(inert(part), room) if line]
    shown = lines[:_LINES_SHOWN]
    if len(lines) > _LINES_SHOWN:
        shown[-1] += _MORE
    for line in shown:
        echo(f"{_QUOTE}{line}".rstrip())
    if one.steps:
        echo(f"{'':6}{trail(one.steps)}")


def trail(steps: Sequence[HubStep]) -> str:
    """Return a path through a hub: `src/db.py ←IMPORTS─ github.com/acme/shop:src/orders.py`."""
    parts = [steps[0].source]
    for step in steps:
        kind = EdgeType(step.type).words
        name = step.relation if step.relation and kind.is_named_by_relation else step.type
        parts += [f"←{name}─" if kind.has_arrow and not step.forward else f"─{name}→", step.target]
    return printable(" ".join(parts))
