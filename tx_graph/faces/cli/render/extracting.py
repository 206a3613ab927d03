"""What became of batches of sections, in words and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import typer

from tx_graph.documents.relations import Applied, CrossLinked, Dropped, Extracted, Failure, Plan
from tx_graph.faces.cli.render.terminal import note, printable
from tx_graph.faces.cli.render.words import counted

_REASONS = {
    Dropped.MALFORMED: "no edge at all",
    Dropped.UNKNOWN_ID: "an end outside the batch",
    Dropped.ITSELF: "from a section to itself",
    Dropped.UNKNOWN_RELATION: "no known relation",
    Dropped.BAD_WEIGHT: "a weight that is not above 0 and at most 1",
    Dropped.DUPLICATE: "said before",
    Dropped.TOO_LIGHT: "too light",
    Dropped.OVER_CAP: "one too many of its section",
    Dropped.OUTDATED: "about a section that has changed meanwhile",
}


def note_failure(failure: Failure) -> None:
    """Say which batch was given up, and why, to stderr."""
    note(f"tx: warning: a batch of {failure.document} is left out: {failure.reason}")


def print_extracted(done: Extracted) -> None:
    """Print what became of a run."""
    typer.echo(printable(f"{counted(done.edges, 'edge')} from {_answers(done)}, by {done.model}."))
    _print_dropped(done.dropped)
    _note_rest(done)


def print_linked(done: CrossLinked, *, asked: bool) -> None:
    """Print what became of pairs of near sections; `asked` says that a model was."""
    near = f"{counted(done.pairs, 'pair')} of near sections in different documents, of {done.sections:,} with vectors"
    if not asked:
        typer.echo(f"{near}: {counted(done.extracted.edges, 'edge')} of similarity.")
        return
    typer.echo(f"{near}.")
    print_extracted(done.extracted)


def print_applied(done: Applied) -> None:
    """Print what became of an agent's replies."""
    typer.echo(f"{counted(done.edges, 'edge')} from {_replies(done.applied)}.")
    _print_dropped(done.dropped)
    if done.outdated:
        note(f"{_replies(done.outdated)} to batches that are no longer as they were printed: print them again.")
    if done.unknown:
        note(f"{_replies(done.unknown)} to no batch that tx would print.")


def print_plan(plan: Plan) -> None:
    """Print what a run would ask."""
    questions = plan.batches - plan.cached
    typer.echo(
        printable(
            f"{counted(questions, 'question')} to {plan.model}, about {plan.tokens:,} tokens: "
            f"{_batches(plan.batches)} of {counted(plan.documents, 'document')}, {plan.cached:,} answered before."
        )
    )


def extracted_shape(done: Extracted) -> dict[str, Any]:
    """Return a run as JSON."""
    return {
        "model": done.model,
        "documents": done.documents,
        "batches": done.batches,
        "cached": done.cached,
        "answered": done.answered,
        "failed": len(done.failures),
        "unasked": done.unasked,
        "edges": done.edges,
        "dropped": _dropped_shape(done.dropped),
        "failures": [asdict(failure) for failure in done.failures],
    }


def linked_shape(done: CrossLinked) -> dict[str, Any]:
    """Return cross-document links as JSON."""
    return {"sections": done.sections, "pairs": done.pairs} | extracted_shape(done.extracted)


def applied_shape(done: Applied) -> dict[str, Any]:
    """Return what became of an agent's replies as JSON."""
    return {
        "applied": done.applied,
        "outdated": done.outdated,
        "unknown": done.unknown,
        "failed": len(done.unreadable),
        "edges": done.edges,
        "dropped": _dropped_shape(done.dropped),
        "failures": [asdict(failure) for failure in done.unreadable],
    }


def _dropped_shape(dropped: Mapping[Dropped, int]) -> dict[str, int]:
    return {reason.value: dropped.get(reason, 0) for reason in Dropped}


def _answers(done: Extracted) -> str:
    before = f" ({done.cached:,} answered before)" if done.cached else ""
    return f"{_batches(done.answered + done.cached)} of {counted(done.documents, 'document')}{before}"


def _batches(count: int) -> str:
    return f"{count:,} batch{'' if count == 1 else 'es'}"


def _replies(count: int) -> str:
    return f"{count:,} repl{'y' if count == 1 else 'ies'}"


def _print_dropped(dropped: Mapping[Dropped, int]) -> None:
    parts: Sequence[str] = [f"{dropped[reason]:,} {_REASONS[reason]}" for reason in Dropped if dropped.get(reason)]
    if parts:
        typer.echo(f"Left out: {', '.join(parts)}.")


def _note_rest(done: Extracted) -> None:
    if done.unasked:
        note(f"Too many failed one after the other: {_batches(done.unasked)} not asked about.")
    if done.failures or done.unasked:
        note("Run the same again for what is missing; what was answered is not asked again.")
