"""What recall answers, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import note, printable

if TYPE_CHECKING:
    from tx_graph.context.recall import RecallAnswer


_MATCHED = {"name": "named", "alias": "named by an alias", "vector": "alike, {score}", "words": "by words, {score}"}


def answer(found: RecallAnswer) -> None:
    """Print the narrative, and beside it, for people, where it starts and what is left out."""
    if found.narrative:
        typer.echo(found.narrative)
    if not found.anchors:
        note("No entity is named or meant. 'tx entity:list' shows those there are.")
        return
    hows = [_MATCHED[one.matched_by.value].format(score=words.score(one.score)) for one in found.anchors]
    names = [printable(one.entity.name) for one in found.anchors]
    start = "; ".join(f"{name} ({how})" for name, how in zip(names, hows, strict=True))
    note(f"From {start}." if found.found else f"Nothing is known about {start}.")
    if found.omitted:
        note(f"{words.counted(found.omitted, 'more fact')}: see --max-facts, --per-entity and --budget.")


def notices(found: RecallAnswer) -> None:
    """Say what could not be looked at."""
    for sentence in found.notices:
        note(sentence)
