"""Learnings for people: one, many, and what was done to them."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.core.shape import as_json
from tx_graph.core.text import counted
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.terminal import (
    echo,
    json_text,
    note,
    print_fields,
    print_table,
    reading_width,
    set_apart,
    shortened,
    styled,
)
from tx_graph.learnings.learnings import Added, Edited, Listing, Shown
from tx_graph.learnings.merging import Merged, Superseded
from tx_graph.learnings.similar import SimilarReport
from tx_graph.learnings.transfer import EmbeddingDone, Imported
from tx_graph.records.learning import StoredLearning

_INDENT = " " * 6
_MOST_PAIRS = 20


def added(done: Added) -> None:
    """Print which learning was added, or known already."""
    verb = "Already known:" if done.existed else "Restored" if done.revived else "Added"
    anchors = ", ".join(anchor.spec for anchor in done.stored.learning.anchors)
    changed(verb, done.stored, f", anchored to {anchors}" if anchors else "")


def advised(done: Added) -> list[str]:
    """Return why it has no vector, and what may be done better."""
    return [*([f"tx: warning: {done.warning}"] if done.warning else []), *done.advice]


def changed(verb: str, stored: StoredLearning, more: str = "") -> None:
    """Print what was done to a learning."""
    echo(f"{verb} {stored.name}{more}")


def edited(done: Edited) -> None:
    """Print which learning was changed."""
    changed("Changed" if done.is_changed else "Unchanged:", done.stored)
    if done.is_unconfirmed:
        uid = done.stored.learning.uid
        note(f"Code that it is tied to changed: 'tx graph:confirm {uid}' if this is true of it as it is now.")


def removed(stored: StoredLearning, *, restore: bool) -> None:
    """Print which learning was hidden, or is back."""
    changed("Restored" if restore else "Removed", stored)


def helpful(stored: StoredLearning) -> None:
    """Print which learning helped."""
    changed("Noted for", stored)


def shown(one: Shown) -> None:
    """Print a learning with its anchors and whether they hold."""
    learning, usage = one.stored.learning, one.stored.usage
    echo(f"{words.heading(one.stored)}  {words.standing(one.standing)}")
    echo(f"\n{set_apart(learning.content, is_markdown=True)}\n")
    fields = [
        ("keywords", ", ".join(learning.keywords)),
        ("source", " ".join(part for part in (learning.source_type.value, learning.source_ref) if part)),
        ("confidence", f"{learning.confidence:g}"),
        ("superseded", f"by {learning.superseded_by}" if learning.superseded_by else ""),
        ("created", learning.created_at),
        ("removed", "  ".join(filter(None, (learning.removed_at, learning.removal_reason)))),
        ("used", counted(usage.count, "time") if usage.count else ""),
        ("record", f".tx/learnings/{one.stored.record}"),
    ]
    fields += [("link", f"{link.relation} {link.target} ({link.weight:g})") for link in learning.links]
    print_fields(fields)
    for judged in one.anchors:
        label = styled(f"{'anchor':12}", fg="bright_black")
        echo(f"{label}{words.anchor(judged)}")


def listing(found: Listing) -> None:
    """Print learnings as a table."""
    if found.learnings:
        words.print_learnings(found.learnings, found.standings)
    else:
        note('No learnings. Add one: tx learning:add "what you learned" --anchor PATH')


def staged_left_out(found: Listing) -> None:
    """Say that staged learnings were left out."""
    if found.staged:
        note(f"{counted(found.staged, 'staged learning')} left out; see --status staged.")


def merged(done: Merged) -> None:
    """Print what a learning gained from the one that it supersedes."""
    counts = ((done.anchors, "anchor"), (done.keywords, "keyword"), (done.links, "link"), (done.derived, "origin"))
    gained = ", ".join(counted(count, thing) for count, thing in counts if count)
    more = f" and gained {gained}" if gained else ""
    echo(f"{done.kept.name} stays{more}; {done.other.name} is superseded by it.")
    if done.linked:
        note(f"Linked to it too now: {', '.join(done.linked)}.")
    note(f"To undo: tx learning:edit {done.other.id} --status active")


def superseded(done: Superseded) -> None:
    """Print what took the place of what."""
    echo(f"{done.old.name} is {'already ' if done.existed else ''}superseded by {done.new.name}.")
    if not done.existed:
        note(f"To undo: tx learning:edit {done.old.id} --status active")


def imported(done: Imported) -> None:
    """Print how many learnings an import brought."""
    report = done.report
    more = f", updated {report.updated:,}" if report.updated else ""
    more += f", restored {report.revived:,}" if report.revived else ""
    echo(f"Added {counted(report.added, 'learning')}{more}; {report.duplicates:,} known already.")


def lack_vectors(done: Imported) -> None:
    """Say how many learnings lack a vector."""
    if done.lacking:
        note(f"{counted(done.lacking, 'learning')} without a vector; run 'tx sync'.")


def exported(every: Sequence[StoredLearning]) -> None:
    """Print each learning as a line of JSON, oldest first."""
    for stored in every:
        echo(json_text(as_json(stored)))


def exported_shape(every: Sequence[StoredLearning]) -> Sequence[StoredLearning]:
    """Return all learnings, newest first as in other lists."""
    return every[::-1]


def embedded(found: EmbeddingDone) -> None:
    """Print how many vectors were made, or are there."""
    now = found.now
    if found.done:
        others = [(found.done.entities, "entity"), (found.done.facts, "fact"), (found.done.cards, "source file")]
        also = "".join(f" and {counted(number, thing)}" for number, thing in others if number)
        echo(f"Embedded {counted(found.done.learnings, 'learning')}{also} with {now.model}.")
        return
    installed = "installed" if now.installed else "not installed; run 'tx model install'"
    also = f" and {counted(now.lacking_entities, 'entity')}" if now.lacking_entities else ""
    echo(f"{now.model} ({installed}); {counted(now.lacking, 'learning')}{also} without its vector.")
    if now.stored:
        rows = [(one.model, str(one.dimension), str(one.count)) for one in now.stored]
        print_table(["model", "dimension", "vectors"], rows, right=["dimension", "vectors"])


def similar(found: SimilarReport) -> None:
    """Print the pairs that are most alike, and how learnings were compared."""
    for pair in found.pairs[:_MOST_PAIRS]:
        echo(f"{words.meter(pair.weight)}  by {'meaning' if pair.basis == 'cosine' else 'words'}")
        for one in (pair.first, pair.second):
            echo(f"{_INDENT}{words.heading(one)}")
            echo(f"{_INDENT}{shortened(one.learning.content, reading_width() - len(_INDENT))}")
        echo(styled(f"{_INDENT}tx learning:merge {pair.first.id} {pair.second.id}", fg="bright_black"))
    parts = [f"{found.by_vectors:,} by meaning (cosine at least {found.same_meaning:g})"] if found.by_vectors else []
    parts += [f"{found.by_words:,} by words (overlap at least {found.same_words:g})"] if found.by_words else []
    compared = " and ".join(parts) or "none"
    echo(f"{counted(len(found.pairs), 'pair')} much alike; learnings compared: {compared}.")
    if len(found.pairs) > _MOST_PAIRS:
        note(f"{len(found.pairs) - _MOST_PAIRS:,} more pairs; --json has them all.")
