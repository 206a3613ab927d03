"""Documents and their sections in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from tx_graph.faces.cli.render.terminal import note, print_table, printable, reading_width, set_apart, shortened, styled
from tx_graph.faces.cli.render.vectors import print_vectors
from tx_graph.faces.cli.render.words import counted

if TYPE_CHECKING:
    from tx_graph.documents.documents import Ingested, ListedDocument, ShownDocument, ShownSection
    from tx_graph.documents.ingesting import DocumentPruning, IngestReport


_MOST_NAMED = 3
_INDENT = "  "


def ingested(done: Ingested) -> None:
    """Print what reading documents did, what was refused, and which links lead nowhere."""
    report = done.report
    gone = f", {report.removed:,} gone" if report.removed else ""
    sections, chunks = counted(report.sections, "section"), counted(report.chunks, "chunk")
    typer.echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}, {chunks}.")
    for path, reason in report.refused:
        note(f"'{path}' {reason}.")
    for link in report.broken[:_MOST_NAMED]:
        note(f"{link.document}:{link.line}: {link.problem}.")
    if len(report.broken) > _MOST_NAMED:
        rest = counted(len(report.broken) - _MOST_NAMED, "more link")
        note(f"{rest} to places that do not exist; 'tx doc:ingest --json' names them all.")
    print_vectors(done.chunks, "chunk")
    print_vectors(done.entities, "entity")


def refused(done: Ingested) -> None:
    """Exit with status 1 where a document was refused that was asked for by name."""
    if done.report.named:
        raise typer.Exit(1)


def pruned(done: DocumentPruning) -> None:
    """Print how much was removed."""
    typer.echo(
        f"Removed {counted(done.documents, 'document')}, {counted(done.edges, 'edge')}, "
        f"{counted(done.nodes, 'node')} and {counted(done.vectors, 'vector')}."
    )


def print_brief(report: IngestReport) -> None:
    """Print how much writing there is, if any; what is wrong with it is said by 'tx doc:ingest'."""
    if report.documents or report.removed:
        gone = f", {report.removed:,} gone" if report.removed else ""
        sections = counted(report.sections, "section")
        typer.echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}.")


def listed(found: Sequence[ListedDocument], globs: Sequence[str]) -> None:
    """Print documents as a table, or what to do where there are none."""
    if not found:
        note("There is no such document." if globs else "No document was read yet: run 'tx doc:ingest'.")
        return
    lines = [(one.document.path, f"{one.sections:,}", f"{one.facts:,}", one.document.title) for one in found]
    print_table(("document", "sections", "facts", "title"), lines, right=("sections", "facts"))


def rows(found: Sequence[ListedDocument]) -> tuple[Sequence[str], list[tuple[object, ...]]]:
    """Return documents as rows below their headings."""
    return ("path", "format", "title", "sections", "broken_links"), [
        (one.document.path, one.document.format.value, one.document.title, one.sections, one.broken) for one in found
    ]


def document(found: ShownDocument) -> None:
    """Print the headings of a document; of a section its text, and what it points at."""
    typer.echo(printable(styled(found.node.ref, bold=True)))
    if found.headings:
        typer.echo(printable(" › ".join(found.headings)))
    if found.facts and found.node.ref == found.document.path:
        typer.echo(f"states {counted(found.facts, 'fact')}")
    if found.node.ref != found.document.path:
        typer.echo(f"\n{set_apart(found.text)}")
        _print_links(found.sections)
    _print_outline(found.sections)
    for problem in found.document.problems:
        note(f"{found.document.path}: {problem}.")


def _print_outline(sections: Sequence[ShownSection]) -> None:
    """Print the sections below the first one, each below what it stands in."""
    below = [one for one in sections[1:] if not one.section.part]
    if not below:
        return
    typer.echo("")
    lines = max(len(_lines(one)) for one in below)
    top = min(one.section.level for one in below)
    for one in below:
        head = f"{_lines(one):>{lines}}  {_INDENT * (one.section.level - top)}"
        name = f"{one.section.title}  {styled(f'#{one.section.slug}', dim=True)}"
        typer.echo(printable(f"{head}{shortened(name, reading_width() - len(head))}"))


def _print_links(sections: Sequence[ShownSection]) -> None:
    own = [pair for one in sections if one is sections[0] or one.section.part for pair in one.links]
    told = dict.fromkeys(
        f"{link.predicate.replace('_', ' ') or 'references'} {target}" for link, target in own if target
    )
    if told:
        typer.echo("")
    for line in told:
        typer.echo(printable(f"→ {line}"))
    for link, _ in own:
        if link.problem:
            note(f"line {link.line}: {link.problem}.")


def _lines(one: ShownSection) -> str:
    first, last = one.section.line_start, one.section.line_end
    return str(first) if first == last else f"{first}-{last}"
