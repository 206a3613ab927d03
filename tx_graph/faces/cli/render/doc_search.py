"""Answers from documents in words."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from tx_graph.documents.document import HEADINGS_PART
from tx_graph.documents.search import DocAnswer, DocResult, State
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import note, printable, reading_width, styled, wrapped

_COLOURS = {State.FRESH: "green", State.CHANGED: "yellow", State.GONE: "red"}
_LINES_SHOWN = 6
_INDENT = " " * 6
_MORE = " …"


def answer(found: DocAnswer, full: bool) -> None:  # noqa: FBT001 - the option
    """Print an answer."""
    for result in found.results:
        _print_result(result, is_full=full)
    if not found.results:
        note("Nothing found.")
    elif found.stats.matched > len(found.results):
        note(f"{found.stats.matched - len(found.results):,} more are related; show them with -n.")


def notices(found: DocAnswer) -> Sequence[str]:
    """Return what could not be done."""
    return found.stats.notices


def _print_result(result: DocResult, *, is_full: bool) -> None:
    hops = f"  +{result.hops} {'hop' if result.hops == 1 else 'hops'}" if result.hops else ""
    score = styled(words.score(result.score), fg="cyan")
    state = styled(result.state.value, fg=_COLOURS[result.state])
    typer.echo(f"{score}  {styled(result.unit.ref, bold=True)}  {state}{hops}")
    place = f"line {result.excerpt.line_start}, {HEADINGS_PART.join(result.unit.headings)}".removesuffix(", ")
    for line in wrapped(place, reading_width() - len(_INDENT)):
        typer.echo(f"{_INDENT}{styled(line, fg='bright_black')}")
    if result.superseded_by:
        typer.echo(f"{_INDENT}{styled(f'superseded by {result.superseded_by}', fg='yellow')}")
    typer.echo(_text(result, is_full=is_full))
    for tie in result.ties[:1]:
        reason = f'"{tie.description}"' if tie.description else f"{'from' if tie.forward else 'to'} {tie.other}"
        typer.echo(printable(f"   ↳ Related: {reason} ({tie.relation})"))


def _text(result: DocResult, *, is_full: bool) -> str:
    lines = wrapped(result.excerpt.text, reading_width() - len(_INDENT) - len(_MORE))
    while lines and not lines[-1]:
        lines.pop()
    shown = lines if is_full else lines[:_LINES_SHOWN]
    if shown and not is_full and (len(shown) < len(lines) or not result.excerpt.is_whole):
        shown[-1] += _MORE
    return "\n".join(f"{_INDENT}{line}".rstrip() for line in shown)
