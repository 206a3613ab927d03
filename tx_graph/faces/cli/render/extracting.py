"""What became of batches of sections, in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from tx_graph.core.errors import UsageError
from tx_graph.core.text import counted
from tx_graph.documents.documents import Questions, left_out
from tx_graph.documents.relations import Applied, CrossLinked, Dropped, Extracted, Plan
from tx_graph.faces.cli.render.terminal import echo, json_text, note, printable

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


def check_extract(
    _: str, *, model: str | None, dry_run: bool, print_batches: bool, every: bool, apply: str | None
) -> None:
    """Refuse what cannot go together."""
    if dry_run + print_batches + (apply is not None) > 1:
        raise UsageError("--dry-run, --print-batches and --apply exclude each other.")
    if model is not None and (print_batches or apply is not None):
        raise UsageError("With --print-batches and --apply an agent is the model.", hint="Leave --model out.")
    if every and not print_batches:
        raise UsageError("--all is for --print-batches.")


def check_link(_: str, *, no_model: bool, model: str | None) -> None:
    """Refuse what cannot go together."""
    if no_model and model is not None:
        raise UsageError("--no-model and --model exclude each other.")


def extracted(done: Extracted | Plan | Questions | Applied) -> None:
    """Print what became of a run or of an agent's replies, what a run would ask, or the questions, one a line."""
    if isinstance(done, Questions):
        for one in done.batches:
            echo(json_text(asdict(one)))
        if not done.batches:
            note("There is nothing to ask about.")
    elif isinstance(done, Plan):
        _plan(done)
    elif isinstance(done, Applied):
        _applied(done)
    else:
        _extracted(done)


def beside(done: Extracted | Plan | Questions | Applied) -> Iterator[str]:
    """Yield what came back by itself, and which replies cannot be read."""
    if isinstance(done, Questions) and done.recalled:
        yield f"{counted(done.recalled, 'edge')} from replies that were kept; the graph had none of them."
    if isinstance(done, Applied):
        yield from map(left_out, done.unreadable)


def linked(done: CrossLinked, *, no_model: bool) -> None:
    """Print what became of pairs of near sections."""
    near = f"{counted(done.pairs, 'pair')} of near sections in different documents, of {done.sections:,} with vectors"
    if no_model:
        echo(f"{near}: {counted(done.extracted.edges, 'edge')} of similarity.")
        return
    echo(f"{near}.")
    _extracted(done.extracted)


def _extracted(done: Extracted) -> None:
    before = f" ({done.cached:,} answered before)" if done.cached else ""
    answers = f"{counted(done.answered + done.cached, 'batch')} of {counted(done.documents, 'document')}{before}"
    echo(printable(f"{counted(done.edges, 'edge')} from {answers}, by {done.model}."))
    _print_dropped(done.dropped)
    if done.answered or done.failures:
        echo(f"Asked: {counted(done.answered + len(done.failures), 'question')} of about {done.tokens:,} tokens.")
    if done.unasked:
        why = "Too many failed one after the other" if done.failures else "That is the limit"
        note(f"{why}: {counted(done.unasked, 'batch')} not asked about.")
    if done.failures or done.unasked:
        note("Run the same again for what is missing; what was answered is not asked again.")


def _applied(done: Applied) -> None:
    echo(f"{counted(done.edges, 'edge')} from {counted(done.applied, 'reply')}.")
    _print_dropped(done.dropped)
    if done.outdated:
        note(f"{counted(done.outdated, 'reply')} to batches that are no longer as they were printed: print them again.")
    if done.unknown:
        note(f"{counted(done.unknown, 'reply')} to no batch that tx would print.")


def _plan(plan: Plan) -> None:
    questions = plan.batches - plan.cached
    echo(
        printable(
            f"{counted(questions, 'question')} to {plan.model}, about {plan.tokens:,} tokens: "
            f"{counted(plan.batches, 'batch')} of {counted(plan.documents, 'document')}, "
            f"{plan.cached:,} answered before."
        )
    )


def _print_dropped(dropped: Mapping[Dropped, int]) -> None:
    parts: Sequence[str] = [f"{dropped[reason]:,} {_REASONS[reason]}" for reason in Dropped if dropped.get(reason)]
    if parts:
        echo(f"Left out: {', '.join(parts)}.")
