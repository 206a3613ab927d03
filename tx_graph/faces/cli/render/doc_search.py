"""Answers from documents: for people, and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import typer

from tx_graph.documents.document import HEADINGS_PART
from tx_graph.documents.search import DocAnswer, DocResult, DocTie, State
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import note, printable, reading_width, styled, wrapped

_COLOURS = {State.FRESH: "green", State.CHANGED: "yellow", State.GONE: "red"}
_LINES_SHOWN = 6
_INDENT = " " * 6
_MORE = " …"


def shape(answer: DocAnswer, *, is_full: bool) -> dict[str, Any]:
    """Return an answer as one JSON document; `is_full` has each section's whole text in it."""
    stats = asdict(answer.stats)
    notices = list(stats.pop("notices"))
    query = answer.query
    return {
        "query": query.text,
        "results": [_result_shape(result, is_full=is_full) for result in answer.results],
        "stats": stats | {"hops": query.hops, "keyword_weight": query.keyword_weight, "graph_slots": query.graph_slots},
        "notices": notices,
    }


def _result_shape(result: DocResult, *, is_full: bool) -> dict[str, Any]:
    unit, excerpt = result.unit, result.excerpt
    return {
        "ref": unit.ref,
        "document": unit.document,
        "title": unit.title,
        "headings": list(unit.headings),
        "line_start": unit.line_start if is_full else excerpt.line_start,
        "line_end": unit.line_end if is_full else excerpt.line_end,
        "score": result.score,
        "hops": result.hops,
        "similarity": result.similarity,
        "keyword_score": result.keyword_score,
        "text": unit.text if is_full else excerpt.text,
        "is_whole": is_full or excerpt.is_whole,
        "context": [_tie_shape(tie) for tie in result.ties],
        "state": result.state.value,
        "superseded_by": result.superseded_by,
    }


def _tie_shape(tie: DocTie) -> dict[str, Any]:
    return {
        "from": tie.other,
        "relation": tie.relation,
        "description": tie.description or None,
        "weight": tie.weight,
        "forward": tie.forward,
        "hops": tie.hops,
    }


def print_answer(answer: DocAnswer, *, is_full: bool) -> None:
    """Print an answer for people."""
    for result in answer.results:
        _print_result(result, is_full=is_full)
    if not answer.results:
        note("Nothing found.")
    elif answer.stats.matched > len(answer.results):
        note(f"{answer.stats.matched - len(answer.results):,} more are related; show them with -n.")


def _print_result(result: DocResult, *, is_full: bool) -> None:
    hops = f"  +{result.hops} {'hop' if result.hops == 1 else 'hops'}" if result.hops else ""
    score = styled(words.score(result.score), fg="cyan")
    state = styled(result.state.value, fg=_COLOURS[result.state])
    typer.echo(f"{score}  {styled(result.unit.ref, bold=True)}  {state}{hops}")
    for line in wrapped(_place(result, is_full=is_full), reading_width() - len(_INDENT)):
        typer.echo(f"{_INDENT}{styled(line, fg='bright_black')}")
    if result.superseded_by:
        typer.echo(f"{_INDENT}{styled(f'superseded by {result.superseded_by}', fg='yellow')}")
    typer.echo(_text(result, is_full=is_full))
    if result.ties:
        typer.echo(printable(f"   ↳ Related: {_reason(result.ties[0])}"))


def _place(result: DocResult, *, is_full: bool) -> str:
    """Return where the lines that are shown begin: `line 12, Guide › Setup`."""
    line = result.unit.line_start if is_full else result.excerpt.line_start
    return f"line {line}, {HEADINGS_PART.join(result.unit.headings)}".removesuffix(", ")


def _reason(tie: DocTie) -> str:
    """Return how a relation led there: by its description, or by what it ties the result to."""
    if tie.description:
        return f'"{tie.description}" ({tie.relation})'
    return f"{'from' if tie.forward else 'to'} {tie.other} ({tie.relation})"


def _text(result: DocResult, *, is_full: bool) -> str:
    room = reading_width() - len(_INDENT)
    text = result.unit.text if is_full else result.excerpt.text
    lines = wrapped(text, room - len(_MORE))
    while lines and not lines[-1]:
        lines.pop()
    shown = lines if is_full else lines[:_LINES_SHOWN]
    if shown and not is_full and (len(shown) < len(lines) or not result.excerpt.is_whole):
        shown[-1] += _MORE
    return "\n".join(f"{_INDENT}{line}".rstrip() for line in shown)
