"""learning:search."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from tx_graph.anchors.verdict import Standing
from tx_graph.context.matching import DIVERSITY, Query, SearchAnswer, SearchResult
from tx_graph.context.search import Search
from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import opened, split_names
from tx_graph.faces.cli.expansion_options import ProfileName, TypesAt
from tx_graph.faces.cli.options import (
    Category,
    Decay,
    Depth,
    EdgeTypes,
    ExcludeEdgeTypes,
    Json,
    Limit,
    MaxNodes,
    OpenFiles,
    RetrieverName,
    StatusFilter,
    Ways,
)
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.answers import aged, note_age
from tx_graph.faces.cli.render.terminal import note, print_json, reading_width, styled, wrapped
from tx_graph.graph.edges import Direction
from tx_graph.graph.expand import Limits, Profile, chosen_types, types_by_hop
from tx_graph.workspace.health import Health

_STANDARD = Limits()
_EXPANSION_OPTIONS = (
    "--depth, --edge-types, --exclude-edge-types, --types-at, --decay, --max-nodes, --direction and --profile"
)
_LINES_SHOWN = 3
_INDENT = " " * 6
_MORE = " …"


def search(
    query: Annotated[
        str | None, typer.Argument(metavar="QUERY", help="What to find: words, a question, a path.")
    ] = None,
    *,
    limit: Limit = 10,
    min_score: Annotated[
        float, typer.Option("--min-score", metavar="F", help="Least relevance to show, 0 to 1.")
    ] = 0.0,
    category: Category = None,
    status: StatusFilter = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="GLOB", help="Only what is anchored to such files.")
    ] = None,
    files: OpenFiles = None,
    expand: Annotated[bool, typer.Option("--expand", help="Also find what is related to the matches.")] = False,
    depth: Depth = _STANDARD.depth,
    edge_types: EdgeTypes = None,
    exclude_edge_types: ExcludeEdgeTypes = None,
    types_at: TypesAt = None,
    decay: Decay = _STANDARD.decay,
    max_nodes: MaxNodes = _STANDARD.max_nodes,
    direction: Ways = Direction.BOTH,
    profile: ProfileName = Profile.DECAY,
    fresh_only: Annotated[
        bool, typer.Option("--fresh-only", help="Leave out what may be wrong by now: drifted or gone.")
    ] = False,
    include_stale: Annotated[
        bool,
        typer.Option("--include-stale", help="Rank what may be wrong like the rest; also superseded and retracted."),
    ] = False,
    diversity: Annotated[
        float,
        typer.Option(
            "--diversity", metavar="F", help="How much it counts, 0 to 1, that results differ from each other."
        ),
    ] = DIVERSITY,
    no_diversify: Annotated[
        bool, typer.Option("--no-diversify", help="By relevance alone, however alike: the same as --diversity 0.")
    ] = False,
    retriever: RetrieverName = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Say why each result is there.")] = False,
    as_json: Json = False,
) -> None:
    """Find learnings by their words, their meaning and, with --expand, what is related to them.

    With --expand a walk starts at the matches and at the files they are anchored to or that the question names, and
    follows imports, co-changes, anchors and links. The word behind a result says whether its code still stands as
    it did: fresh, relocated, drifted or gone. What drifted or is gone ranks lower.

    With --files, or without a QUERY by them alone, it finds what is anchored to the files you have open, and to what
    these import or change together with. Of results that say much the same, all but the best rank lower.

    Example:
      tx learning:search "how are tokens validated" --expand --verbose
      tx learning:search "token lifetime" --files 'src/auth/**/*.ts,src/jwt.ts'
      tx learning:search src/auth.py --expand --edge-types IMPORTS,ANCHORED_TO
      tx learning:search "retry policy" --fresh-only
      tx learning:search --file 'src/**/*.py' -- -Werror
    """
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    types = chosen_types(split_names(edge_types), split_names(exclude_edge_types))
    asked = Query(
        text=query or "",
        limit=limit,
        min_score=min_score,
        category=category,
        status=status,
        file=file,
        expansion=limits if expand else None,
        types=types,
        types_at=types_by_hop(types_at or ()),
        direction=direction,
        profile=profile,
        fresh_only=fresh_only,
        include_stale=include_stale,
        context_files=files or (),
        diversity=0.0 if no_diversify else diversity,
        retriever=retriever,
    )
    standard = (_STANDARD, Direction.BOTH, Profile.DECAY)
    changed = (limits, direction, profile) != standard or edge_types or exclude_edge_types or types_at
    if changed and not expand:
        raise UsageError(f"{_EXPANSION_OPTIONS} need --expand.")
    if no_diversify and diversity not in (0.0, DIVERSITY):
        raise UsageError("--no-diversify and --diversity contradict each other: use one of them.")
    if query is None and not files:
        raise UsageError("Missing argument 'QUERY'.", hint="See 'tx learning:search --help'.")
    with opened() as kernel:
        answer = kernel.one(Search).run(asked)
        age = kernel.one(Health).age() if expand or files else None
    _warn(answer)
    if as_json:
        print_json(aged(_shape(answer), age) if age else _shape(answer))
    else:
        _print(answer, verbose=verbose)
    if age:
        note_age(age)


def _shape(answer: SearchAnswer) -> dict[str, Any]:
    stats = answer.stats
    return {
        "query": answer.query.text,
        "results": [_result_shape(result) for result in answer.results],
        "stats": {
            "matched": stats.matched,
            "lexical": stats.lexical,
            "vector": stats.vector,
            "seeds": stats.seeds,
            "seed_files": stats.seed_files,
            "expanded": stats.expanded,
            "model": stats.model,
            "lacking_vectors": stats.lacking_vectors,
            "stale_left_out": stats.stale_left_out,
            "profile": answer.query.profile.value if answer.query.expansion else None,
            "retriever": stats.retriever,
            "retrieved": stats.retrieved,
            "dropped": dict(stats.dropped),
            "open_files": list(stats.open_files),
            "near": stats.near,
            "diversity": answer.query.diversity,
            "max_depth_reached": stats.walk.max_depth_reached if stats.walk else 0,
            "nodes_visited": stats.walk.nodes_visited if stats.walk else 0,
            "max_nodes_reached": bool(stats.walk and stats.walk.max_nodes_reached),
        },
    }


def _result_shape(result: SearchResult) -> dict[str, Any]:
    return shapes.judged_learning(result.stored, result.standing, result.anchors) | {
        "relevance_score": result.relevance,
        "bm25_score": result.bm25,
        "vector_score": result.vector,
        "recency_score": result.recency,
        "rrf_score": result.rrf,
        "feedback_score": result.feedback,
        "expansion_hops": result.hops,
        "expansion_path": list(result.path),
        "expansion_edges": [shapes.step(step) for step in result.steps],
        "source_edge": result.source_edge,
        "seed_reason": result.seed_reason or None,
        "retriever_score": result.retrieved,
        "position": result.position,
        "relevance_position": result.relevance_position,
        "similar_to": result.similar_to,
        "similarity": result.similarity,
    }


def _warn(answer: SearchAnswer) -> None:
    """Say what a plug-in gave that means nothing: its author will want to know."""
    dropped = answer.stats.dropped
    if dropped:
        reasons = ", ".join(f"{count:,} × {reason}" for reason, count in sorted(dropped.items()))
        count = words.counted(sum(dropped.values()), "hit")
        note(f"tx: warning: {count} of the retriever '{answer.stats.retriever}' left out: {reasons}.")


def _print(answer: SearchAnswer, *, verbose: bool) -> None:
    for result in answer.results:
        _print_result(result, retriever=answer.stats.retriever, verbose=verbose)
    stats = answer.stats
    if stats.stale_left_out:
        note(f"{words.counted(stats.stale_left_out, 'result')} left out that may be wrong by now.")
    if not answer.results:
        note("Nothing found." + ("" if answer.query.expansion else " --expand also looks at what is related."))
    elif stats.matched > len(answer.results):
        note(f"{stats.matched - len(answer.results)} more; show them with -n {stats.matched}.")
    if stats.model is None and stats.lacking_vectors:
        note("By words alone: there are no vectors ('tx model install', then 'tx learning:embed').")
    elif stats.lacking_vectors:
        note(f"{words.counted(stats.lacking_vectors, 'learning')} without a vector; run 'tx learning:embed'.")


def _print_result(result: SearchResult, *, retriever: str, verbose: bool) -> None:
    hops = f"  +{result.hops} {'hop' if result.hops == 1 else 'hops'}" if result.hops else ""
    score = styled(words.score(result.relevance), fg="cyan")
    typer.echo(f"{score}  {words.heading(result.stored)}  {words.standing(result.standing)}{hops}")
    typer.echo(_excerpt(result.stored.learning.content))
    if verbose:
        for reason in _reasons(result, retriever):
            first, *more = wrapped(reason, reading_width() - len(_INDENT) - 2)
            for line in (first, *(f"  {rest}" for rest in more)):
                typer.echo(styled(f"{_INDENT}{line}", fg="bright_black"))


def _excerpt(content: str) -> str:
    room = reading_width() - len(_INDENT)
    beginning = content[: _LINES_SHOWN * room * 2]  # a learning may hold a megabyte
    lines = [line for line in wrapped(beginning, room - len(_MORE)) if line]
    shown = lines[:_LINES_SHOWN]
    if len(lines) > _LINES_SHOWN or beginning != content:
        shown[-1] += _MORE
    return "\n".join(f"{_INDENT}{line}".rstrip() for line in shown)


def _reasons(result: SearchResult, retriever: str) -> list[str]:
    """Return why a result is there, in words."""
    reasons = []
    matched = [f"its words (BM25 {result.bm25:.2f} of the best)"] if result.bm25 else []
    matched += [f"its meaning (cosine {result.vector:.2f})"] if result.vector else []
    matched += [f"the retriever {retriever} ({result.retrieved:.2f})"] if result.retrieved else []
    if matched:
        reasons.append(f"matched by {' and '.join(matched)}")
    if result.steps:
        start = f" ({result.steps[0].source}: {result.seed_reason})" if result.seed_reason else ""
        reasons.append(f"via {words.way(result.steps)}{start}")
    if result.stored.usage.count:
        reasons.append(f"feedback {result.feedback:.2f} after {words.counted(result.stored.usage.count, 'use')}")
    reasons += _why_there(result)
    reasons += [words.reason(one) for one in result.anchors if one.standing is not Standing.FRESH]
    anchors = ", ".join(anchor.spec for anchor in result.stored.learning.anchors)
    return [*reasons, f"anchored to {anchors}"] if anchors else reasons


def _why_there(result: SearchResult) -> list[str]:
    """Return why a result is not in the place that its relevance gives it."""
    if result.position > result.relevance_position and result.similar_to:
        alike = f"much like {result.similar_to} ({result.similarity:.2f})"
        return [f"number {result.relevance_position} by relevance alone, and {alike}"]
    if result.position < result.relevance_position:
        return [f"number {result.relevance_position} by relevance alone, and unlike what ranks above it"]
    return []
