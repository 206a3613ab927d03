"""Proposals: as a page to read through, and as JSON."""

from __future__ import annotations

import typer

from tx_graph.cli.render import shapes
from tx_graph.cli.render.shapes import Shape
from tx_graph.cli.render.terminal import note, printable, reading_width, styled, wrapped
from tx_graph.cli.render.words import counted
from tx_graph.services.proposing import Proposals, Proposed

_INDENT = "  "


def show(found: Proposals, *, dry_run: bool) -> None:
    """Print each proposal with its reasons, and what to do next."""
    for one in found.proposed:
        _print(one)
    note(_summary(found, dry_run=dry_run))


def shape(found: Proposals, *, dry_run: bool) -> Shape:
    """Return proposals as one JSON object."""
    return {
        "proposals": [_shape(one) for one in found.proposed],
        "more": found.more,
        "known": found.known,
        "staged": found.staged,
        "dry_run": dry_run,
        "notices": list(found.notices),
    }


def _shape(one: Proposed) -> Shape:
    proposal = one.proposal
    told = {
        "content": proposal.content,
        "category": proposal.category,
        "confidence": proposal.confidence,
        "source_type": proposal.source_type.value,
        "source_ref": proposal.source_ref,
        "anchors": [shapes.anchor(anchor) for anchor in one.anchors],
    }
    return (shapes.learning(one.stored) if one.stored else told) | {"reasons": list(proposal.reasons)}


def _print(one: Proposed) -> None:
    proposal = one.proposal
    name = f"{one.stored.ref}  " if one.stored else ""
    head = f"{name}{proposal.confidence:.2f}  {proposal.category}"
    typer.echo(f"{styled(head, bold=True)}  {printable(_source(proposal.source_ref))}")
    for line in wrapped(proposal.content, reading_width() - len(_INDENT)):
        typer.echo(f"{_INDENT}{line}".rstrip())
    places = ", ".join(anchor.spec for anchor in one.anchors)
    typer.echo(styled(f"{_INDENT}at {places}; reasons: {', '.join(proposal.reasons)}", fg="bright_black"))
    typer.echo()


def _source(ref: str) -> str:
    kind, _, name = ref.partition(":")
    return f"commit {name[:12]}" if kind == "commit" else "comment" if kind == "comment" else ref


def _summary(found: Proposals, *, dry_run: bool) -> str:
    count = len(found.proposed)
    parts = [f"{counted(count, 'proposal')}{'; nothing was written' if dry_run else ''}."]
    if not count:
        parts = ["Nothing new to propose."]
    if found.more:
        parts.append(f"… and up to {found.more:,} more; raise --limit, or propose again.")
    if found.known:
        parts.append(f"{found.known:,} had been proposed before.")
    if found.staged:
        parts.append(
            f"{counted(found.staged, 'staged learning')}, hidden from search until promoted: "
            "tx learning:promote N, or tx learning:reject N."
        )
    return " ".join(parts)
