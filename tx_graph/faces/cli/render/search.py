"""What searches found, in words: learnings, what is known of a question, and what matters around one thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.verdict import Standing
from tx_graph.context.search import SearchAnswer, SearchResult
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import best_lines, quoted_line
from tx_graph.faces.cli.render import elsewhere, words
from tx_graph.faces.cli.render.terminal import (
    as_markdown,
    columns,
    counted,
    echo,
    is_terminal,
    note,
    print_page,
    printable,
    reading_width,
    shortened,
    styled,
    wrapped,
)
from tx_graph.workspace.health import Age, Health

if TYPE_CHECKING:
    from tx_graph.context.everything import AnyAnswer
    from tx_graph.context.focus.values import FocusView
    from tx_graph.context.recall import RecallAnswer

_LINES_SHOWN = 3
_INDENT = " " * 6
_LEAST_TOLD = 30  # columns of what a hit says, however long its name is
_HOLDS = ("fresh", "unanchored")
_MORE = " …"


def check(command: str, query: str | None, files: Sequence[str]) -> None:
    """Refuse a search for nothing."""
    if query is None and not files:
        raise UsageError("Missing argument 'QUERY'.", hint=f"See 'tx {command} --help'.")


def age(kernel: Kernel, answer: SearchAnswer) -> Age | None:
    """Return how old the graph is, if the answer rests on it; say what a plug-in gave that means nothing.

    Its author will want to know, before anything else is said.
    """
    dropped = answer.stats.dropped
    if dropped:
        reasons = ", ".join(f"{count:,} × {reason}" for reason, count in sorted(dropped.items()))
        count = counted(sum(dropped.values()), "hit")
        note(f"tx: warning: {count} of the retriever '{answer.stats.retriever}' left out: {reasons}.")
    return kernel.one(Health).age() if answer.query.expansion or answer.query.context_files else None


def answer(found: SearchAnswer, verbose: bool) -> None:  # noqa: FBT001 - the option
    """Print the results, best first, and what more there is."""
    for result in elsewhere.among(found.results, [one.relevance for one in found.results], found.elsewhere):
        if isinstance(result, SearchResult):
            _print_result(result, retriever=found.stats.retriever, verbose=verbose)
        else:
            elsewhere.show(result)
    stats = found.stats
    if is_terminal() and any(one.position != one.relevance_position for one in found.results):
        note(
            "Ordered by diversity too: what repeats a result above it stands lower (--verbose tells which).",
            is_dim=True,
        )
    for remark in stats.remarks:
        note(remark)
    if stats.stale_left_out:
        note(f"{counted(stats.stale_left_out, 'result')} left out that may be wrong by now.")
    if not found.results and not found.elsewhere:
        note("Nothing found." + ("" if found.query.expansion else " --expand also looks at what is related."))
    elif stats.matched > len(found.results):
        note(f"{stats.matched - len(found.results)} more; show them with -n {stats.matched}.")
    if stats.model is None and stats.lacking_vectors:
        note("By words alone: there are no vectors ('tx model install', then 'tx sync').")
    elif stats.lacking_vectors:
        note(f"{counted(stats.lacking_vectors, 'learning')} without a vector; run 'tx sync'.")


def _print_result(result: SearchResult, *, retriever: str, verbose: bool) -> None:
    hops = f"  +{result.hops} {'hop' if result.hops == 1 else 'hops'}" if result.hops else ""
    echo(f"{words.meter(result.relevance)}  {words.heading(result.stored)}  {words.standing(result.standing)}{hops}")
    room, content = reading_width() - len(_INDENT), result.stored.learning.content
    beginning = content[: _LINES_SHOWN * room * 2]  # a learning may hold a megabyte
    lines = [line for line in as_markdown(beginning, room - len(_MORE)) if line]
    shown = lines[:_LINES_SHOWN]
    if len(lines) > _LINES_SHOWN or beginning != content:
        shown[-1] += _MORE
    echo("\n".join(f"{_INDENT}{line}".rstrip() for line in shown))
    if verbose:
        for reason in _reasons(result, retriever):
            first, *more = wrapped(reason, reading_width() - len(_INDENT) - 2)
            for line in (first, *(f"  {rest}" for rest in more)):
                echo(styled(f"{_INDENT}{line}", fg="bright_black"))


def _reasons(result: SearchResult, retriever: str) -> list[str]:
    """Return why a result is there, in words."""
    reasons = []
    matched = [f"its words (BM25 {result.bm25:.2f} of the best)"] if result.bm25 else []
    matched += [f"its meaning (cosine {result.vector:.2f})"] if result.vector else []
    matched += [f"the retriever {retriever} ({result.retrieved:.2f})"] if result.retrieved else []
    if matched:
        reasons.append(f"matched by {' and '.join(matched)}")
    if result.beside:
        reasons.append(f"stands beside {result.beside}, which has most of the words")
    if result.steps:
        start = f" ({result.steps[0].source}: {result.seed_reason})" if result.seed_reason else ""
        reasons.append(f"via {words.way(result.steps)}{start}")
    if result.likely is not None:
        reasons.append(f"likely to help: {result.likely:.2f}")
    if result.stored.usage.count:
        reasons.append(f"feedback {result.feedback:.2f} after {counted(result.stored.usage.count, 'use')}")
    if result.position > result.relevance_position and result.similar_to:
        alike = f"much like {result.similar_to} ({result.similarity:.2f})"
        reasons.append(f"number {result.relevance_position} by relevance alone, and {alike}")
    elif result.position < result.relevance_position:
        reasons.append(f"number {result.relevance_position} by relevance alone, and unlike what ranks above it")
    reasons += [words.reason(one) for one in result.anchors if one.standing not in (Standing.FRESH, Standing.RESERVE)]
    anchors = ", ".join(anchor.spec for anchor in result.stored.learning.anchors)
    return [*reasons, f"anchored to {anchors}"] if anchors else reasons


def age_of_all(kernel: Kernel, _: AnyAnswer) -> Age:
    """Return how old the graph is."""
    return kernel.one(Health).age()


def everything(found: AnyAnswer) -> None:
    """Print a line for each hit, by kinds, the best first."""
    from tx_graph.context.everything import HitKind

    kind = None
    for one in found.hits:
        place = one.uid if one.kind is HitKind.LEARNING and one.uid else one.ref
        place += f":{one.line}" if one.line else ""
        text = one.text.strip()
        at = best_lines(text, found.query, most=1)[0] if one.kind is HitKind.SECTION else 0
        stale = [f"({words.signed(one.verdict)})"] if one.verdict not in (None, *_HOLDS) else []
        why = [one.why] if one.kind is HitKind.FILE else []
        said = " ".join(filter(None, (*stale, text.split("\n")[at], *why)))
        head = f"{'' if one.kind is kind else one.kind:8}  {printable(place)}  "
        told = shortened(said, max(_LEAST_TOLD, reading_width() - columns(head)))
        echo(f"{styled(head[:10], fg='cyan')}{styled(head[10:], bold=True)}{printable(told)}".rstrip())
        kind = one.kind
    missing = [one.value for one in found.kinds if one not in {hit.kind for hit in found.hits}]
    if missing:
        note(f"Nothing found in {', '.join(f'{one}s' for one in missing)}.")


def focus_view(found: FocusView) -> None:
    """Print a view: the focus whole, then what is related by its relationship, the most relevant first."""
    from tx_graph.context.focus.focus import blocks

    print_page("\n\n".join(blocks(found)) + "\n")


_MATCHED = {"name": "named", "alias": "named by an alias", "vector": "alike, {score}", "words": "by words, {score}"}
_NOTHING_NAMED = "No entity is named or meant, and no fact says it. 'tx search' looks in code, documents and commits too."


def recalled(found: RecallAnswer) -> None:
    """Print the narrative, and beside it, for people, where it starts and what is left out."""
    if found.narrative:
        print_page(found.narrative + "\n")
    pointed = list(dict.fromkeys(printable(one.value) for one in found.facts if one.value is not None))
    also = f"what points to {', '.join(pointed)}" if pointed else ""
    for one in found.elsewhere:
        elsewhere.show(one)
        if one.contradicts:
            note(f"      Here it is {quoted_line(one.contradicts)}.")
    if not found.anchors:
        if found.facts or not (found.who or found.elsewhere):
            note(f"From {also or 'what facts say'}." if found.facts else _NOTHING_NAMED)
        return
    hows = [_MATCHED[one.matched_by.value].format(score=words.score(one.score)) for one in found.anchors]
    names = [printable(one.entity.name) for one in found.anchors]
    start = "; ".join(f"{name} ({how})" for name, how in zip(names, hows, strict=True))
    note(f"From {'; '.join(filter(None, (start, also)))}." if found.found else f"Nothing is known about {start}.")
    if found.omitted:
        note(f"{counted(found.omitted, 'more fact')}: see --max-facts, --per-entity and --budget.")
