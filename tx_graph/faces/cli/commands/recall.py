"""recall."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.context.recall import RecallRequest
from tx_graph.core.text import by_characters
from tx_graph.core.times import moment_of
from tx_graph.faces.cli.command import text_from
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import recall as render
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.knowledge.spreading import RecallLimits

_STANDARD = RecallLimits()


def recall(
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="What to recall: a question, or names; '-' reads stdin.")
    ],
    *,
    hops: Annotated[
        int, typer.Option("--hops", metavar="N", help="How many facts lead from an anchor to the last one, 0 to 10.")
    ] = _STANDARD.hops,
    anchors: Annotated[int, typer.Option("--anchors", metavar="N", help="Most entities to start from.")] = 3,
    max_facts: Annotated[
        int, typer.Option("--max-facts", metavar="N", help="Most facts to tell, the best of all that are met.")
    ] = _STANDARD.max_facts,
    per_entity: Annotated[
        int, typer.Option("--per-entity", metavar="N", help="Most facts to look at of one entity, by confidence.")
    ] = _STANDARD.per_entity,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="What held then: 2026-11-20 (its end) or a UTC time.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option("--budget", metavar="TOKENS", help="Most tokens to tell, as characters / 4.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell what is known of what a question is about, and of what that leads to.

    It starts from the entities that the question names; else from those that mean something like it (where the
    embedding model is installed), or share words with it. From there facts lead to other entities. What is told is
    marked where it is only staged, where other facts contradict it, and where its document has changed since it was
    read. Each fact that is told counts as accessed, which lets staged ones be promoted.

    Example:
      tx recall "what does the billing service use?"
      tx recall DuckDB --hops 1 --json
      tx recall "who owns the importer" --as-of 2026-06-30 --budget 300
    """
    request = RecallRequest(
        text=text_from(query) if query == "-" else query,
        anchors=anchors,
        limits=RecallLimits(hops=hops, max_facts=max_facts, per_entity=per_entity),
        moment=moment_of(as_of) if as_of is not None else None,
        budget=budget,
    )
    with opened() as workspace:
        answer = workspace.recall.ask(request, count=by_characters)
    if as_json:
        print_json(render.shape(answer))
    else:
        render.print_answer(answer)
    for sentence in answer.notices:
        note(sentence)
