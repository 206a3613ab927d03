"""learning:show, learning:list, learning:recent."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.anchors.verdict import Standing
from tx_graph.faces.cli.options import Category, Json, LearningRef, Limit, SourceFilter, StatusFilter, opened
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.terminal import note, print_fields, print_json, set_apart, styled
from tx_graph.learnings.learnings import Shown
from tx_graph.proposals.gate import Reviewing
from tx_graph.records.learning import StoredLearning
from tx_graph.records.learning_store import LearningFilter

Verify = Annotated[bool, typer.Option("--verify", help="Also say of each whether its code still stands as it did.")]


def show(ref: LearningRef, *, as_json: Json = False) -> None:
    """Show one learning with its anchors and whether they still hold.

    Example:
      tx learning:show 12
    """
    with opened() as workspace:
        shown = workspace.learnings.show(ref)
    if as_json:
        print_json(shapes.judged_learning(shown.stored, shown.standing, shown.anchors))
    else:
        _print(shown)


def list_(
    *,
    category: Category = None,
    status: StatusFilter = None,
    source_type: SourceFilter = None,
    keyword: Annotated[str | None, typer.Option("--keyword", metavar="WORD", help="Only with this keyword.")] = None,
    removed: Annotated[bool, typer.Option("--removed", help="Only those that were removed.")] = False,
    verify: Verify = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List learnings, newest first. Staged ones, which nobody has confirmed yet, are shown if asked for.

    Example:
      tx learning:list
      tx learning:list --status staged
      tx learning:list --category security -n 20
      tx learning:list --verify
    """
    leaves_out_staged = status is None and not removed
    criteria = LearningFilter(
        category=category,
        status=status,
        source_type=source_type,
        keyword=keyword,
        removed=removed,
        confirmed=leaves_out_staged,
    )
    with opened() as workspace:
        found = workspace.learnings.listed(criteria, limit=limit)
        standings = workspace.learnings.standings(found) if verify else None
        staged = len(workspace.kernel.one(Reviewing).staged()) if leaves_out_staged else 0
    _print_many(found, standings, as_json=as_json)
    if staged:
        note(f"{words.counted(staged, 'staged learning')} left out; see --status staged.")


def recent(*, verify: Verify = False, limit: Limit = 10, as_json: Json = False) -> None:
    """List the learnings that were used last; before any use, the newest.

    Example:
      tx learning:recent -n 5
    """
    with opened() as workspace:
        found = workspace.learnings.recent(limit=limit)
        standings = workspace.learnings.standings(found) if verify else None
    _print_many(found, standings, as_json=as_json)


def _print_many(found: list[StoredLearning], standings: dict[int, Standing] | None, *, as_json: bool) -> None:
    if as_json:
        print_json(shapes.learnings(found, standings))
    elif found:
        words.print_learnings(found, standings)
    else:
        note('No learnings. Add one: tx learning:add "what you learned" --anchor PATH')


def _print(shown: Shown) -> None:
    learning, usage = shown.stored.learning, shown.stored.usage
    typer.echo(f"{words.heading(shown.stored)}  {words.standing(shown.standing)}")
    typer.echo(f"\n{set_apart(learning.content)}\n")
    fields = [
        ("keywords", ", ".join(learning.keywords)),
        ("source", " ".join(part for part in (learning.source_type.value, learning.source_ref) if part)),
        ("confidence", f"{learning.confidence:g}"),
        ("superseded", f"by {learning.superseded_by}" if learning.superseded_by else ""),
        ("created", learning.created_at),
        ("removed", "  ".join(filter(None, (learning.removed_at, learning.removal_reason)))),
        ("used", words.counted(usage.count, "time") if usage.count else ""),
        ("record", f".tx/learnings/{shown.stored.record}"),
    ]
    fields += [("link", f"{link.relation} {link.target} ({link.weight:g})") for link in learning.links]
    print_fields(fields)
    for judged in shown.anchors:
        label = styled(f"{'anchor':12}", fg="bright_black")
        typer.echo(f"{label}{words.anchor(judged)}")
