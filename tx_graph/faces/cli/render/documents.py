"""Documents and their sections, for people and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from tx_graph.faces.cli.render.terminal import note, print_table, printable, reading_width, set_apart, shortened, styled
from tx_graph.faces.cli.render.words import counted

if TYPE_CHECKING:
    from tx_graph.documents.edge_store import SectionLink
    from tx_graph.documents.ingesting import IngestReport
    from tx_graph.documents.library import ListedDocument, ShownDocument, ShownSection


_MOST_NAMED = 3
_INDENT = "  "


def print_ingest(report: IngestReport) -> None:
    """Print what reading documents did, what was refused, and which links lead nowhere."""
    gone = f", {report.removed:,} gone" if report.removed else ""
    sections, chunks = counted(report.sections, "section"), counted(report.chunks, "chunk")
    typer.echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}, {chunks}.")
    for path, reason in report.refused:
        note(f"'{path}' {reason}.")
    _note_broken(report.broken)


def _note_broken(links: Sequence[SectionLink]) -> None:
    for link in links[:_MOST_NAMED]:
        note(f"{link.document}:{link.line}: {link.problem}.")
    if len(links) > _MOST_NAMED:
        rest = counted(len(links) - _MOST_NAMED, "more link")
        note(f"{rest} to places that do not exist; 'tx doc:ingest --json' names them all.")


def print_brief(report: IngestReport) -> None:
    """Print how much writing there is, if any; what is wrong with it is said by 'tx doc:ingest'."""
    if report.documents or report.removed:
        gone = f", {report.removed:,} gone" if report.removed else ""
        sections = counted(report.sections, "section")
        typer.echo(f"{counted(report.documents, 'document')}, {report.read:,} read{gone}; {sections}.")


def brief_shape(report: IngestReport) -> dict[str, Any]:
    """Return what reading documents did in numbers, as JSON."""
    return {
        "documents": report.documents,
        "read": report.read,
        "removed": report.removed,
        "sections": report.sections,
        "chunks": report.chunks,
        "broken_links": len(report.broken),
    }


def ingest_shape(report: IngestReport) -> dict[str, Any]:
    """Return what reading documents did, as JSON."""
    return {
        "documents": report.documents,
        "read": report.read,
        "removed": report.removed,
        "sections": report.sections,
        "kept": report.kept,
        "chunks": report.chunks,
        "skipped": [{"path": path, "reason": reason} for path, reason in report.refused],
        "broken_links": [
            {"path": link.document, "line": link.line, "target": link.written, "problem": link.problem}
            for link in report.broken
        ],
    }


def list_shape(found: Sequence[ListedDocument]) -> dict[str, Any]:
    """Return documents as JSON."""
    return {
        "documents": [
            {
                "ref": one.document.path,
                "path": one.document.path,
                "format": one.document.format.value,
                "title": one.document.title,
                "sections": one.sections,
                "facts": one.facts,
                "broken_links": one.broken,
                "problems": list(one.document.problems),
            }
            for one in found
        ]
    }


def print_listed(found: Sequence[ListedDocument]) -> None:
    """Print documents as a table."""
    rows = [(one.document.path, f"{one.sections:,}", f"{one.facts:,}", one.document.title) for one in found]
    print_table(("document", "sections", "facts", "title"), rows, right=("sections", "facts"))


def document_shape(found: ShownDocument) -> dict[str, Any]:
    """Return a document or a section of it, with all below, as JSON."""
    return {
        "ref": found.node.ref,
        "path": found.document.path,
        "format": found.document.format.value,
        "title": found.document.title,
        "headings": list(found.headings),
        "text": found.text,
        "facts": found.facts,
        "problems": list(found.document.problems),
        "sections": [_section_shape(one) for one in found.sections],
    }


def _section_shape(one: ShownSection) -> dict[str, Any]:
    section = one.section
    return {
        "ref": one.ref,
        "level": section.level,
        "part": section.part,
        "title": section.title,
        "line_start": section.line_start,
        "line_end": section.line_end,
        "links": [
            {
                "kind": link.kind.value,
                "written": link.written,
                "predicate": link.predicate or None,
                "line": link.line,
                "target": target,
                "problem": link.problem,
            }
            for link, target in one.links
        ],
    }


def print_document(found: ShownDocument) -> None:
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
