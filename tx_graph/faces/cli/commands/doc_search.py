"""doc:search."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.documents.search import SEEDS, DocQuery, relations_named
from tx_graph.faces.cli.command import split_names
from tx_graph.faces.cli.options import Json, Limit, Ways, opened
from tx_graph.faces.cli.render import doc_search as render
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.graph.edges import Direction
from tx_graph.graph.expand import Hops

_STANDARD = Hops()
_DECAY = ",".join(f"{factor:.1f}" for factor in _STANDARD.hop_decay)


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What to find: a question, or words.")],
    *,
    limit: Limit = 5,
    hops: Annotated[int, typer.Option("--hops", metavar="N", help="How many relations to follow, 0 to 10.")] = 2,
    vector_weight: Annotated[
        float, typer.Option("--vector-weight", metavar="F", help="What likeness counts in the score of a seed.")
    ] = _STANDARD.vector_weight,
    graph_weight: Annotated[
        float, typer.Option("--graph-weight", metavar="F", help="What the graph counts; with the former at most 1.")
    ] = _STANDARD.graph_weight,
    hop_decay: Annotated[
        str, typer.Option("--hop-decay", metavar="F,F,…", help="Factor by hop, from 0 for seeds; the last goes on.")
    ] = _DECAY,
    direction: Ways = Direction.BOTH,
    relations: Annotated[
        list[str] | None,
        typer.Option("--relations", metavar="A,B", help="Follow only these, such as references, depends_on, sequence."),
    ] = None,
    min_edge_weight: Annotated[
        float, typer.Option("--min-edge-weight", metavar="F", help="Follow no edge lighter than this, 0 to 1.")
    ] = 0.0,
    seeds: Annotated[
        int | None,
        typer.Option("--seeds", metavar="N", help=f"Sections to start from: {SEEDS}, or as many as are shown."),
    ] = None,
    keyword_weight: Annotated[
        float, typer.Option("--keyword-weight", metavar="F", help="How much words count in choosing seeds, 0 to 1.")
    ] = 0.0,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="GLOB", help="Start only from such documents. Repeatable.")
    ] = None,
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="DATE", help="Start only from documents changed since: a date, '3 weeks ago'."),
    ] = None,
    graph_slots: Annotated[
        int | None,
        typer.Option(
            "--graph-slots", metavar="N", help="Keep N places for what only relations lead to; else the worthiest win."
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Show whole sections, not only the lines that matter.")] = False,
    as_json: Json = False,
) -> None:
    """Find sections of the repository's documents, and what these refer to, depend on or are followed by.

    The sections most like the question are the seeds; from these relations are followed. A seed scores by its
    likeness, all else by the relation that led there: below such a result it says which. The word behind a result
    says whether its document still is what was read: fresh, changed or gone.

    Example:
      tx doc:search "how are sessions stored"
      tx doc:search "token lifetime" --source 'docs/adr/**' --since '3 months ago'
      tx doc:search "rate limits" --relations depends_on --direction out
      tx doc:search ERR_4711 --keyword-weight 0.5 --json
    """
    asked = DocQuery(
        text=query,
        limit=limit,
        hops=hops,
        scoring=Hops(vector_weight=vector_weight, graph_weight=graph_weight, hop_decay=_factors(hop_decay)),
        direction=direction,
        relations=relations_named(split_names(relations)),
        min_edge_weight=min_edge_weight,
        seeds=seeds,
        keyword_weight=keyword_weight,
        source=source or (),
        since=since,
        graph_slots=graph_slots,
    )
    with opened() as workspace:
        answer = workspace.doc_search.run(asked)
    if as_json:
        print_json(render.shape(answer, is_full=full))
    else:
        render.print_answer(answer, is_full=full)
    for sentence in answer.stats.notices:
        note(sentence)


def _factors(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(
            f"'{text}' is no list of factors.", hint=f"Write one for each hop, from 0 for seeds: {_DECAY}."
        ) from None
