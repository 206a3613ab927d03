"""doc:ingest, doc:list, doc:show, doc:prune."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.faces.cli.options import Json, Tsv, opened
from tx_graph.faces.cli.render.answers import one_form
from tx_graph.faces.cli.render.documents import (
    document_shape,
    ingest_shape,
    list_shape,
    print_document,
    print_ingest,
    print_listed,
)
from tx_graph.faces.cli.render.terminal import note, print_json, progress
from tx_graph.faces.cli.render.tsv import print_tsv
from tx_graph.faces.cli.render.vectors import print_vectors, vectors_shape
from tx_graph.faces.cli.render.words import counted

_REFUSED = 1
_HEADINGS = ("path", "format", "title", "sections", "broken_links")


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="[PATH|GLOB]...", help="Only these; directories count as a whole.")
    ] = None,
    *,
    force: Annotated[bool, typer.Option("--force", help="Read unchanged documents again too.")] = False,
    embed: Annotated[bool, typer.Option("--embed/--no-embed", help="Give new sections their vectors.")] = True,
    as_json: Json = False,
) -> None:
    """Read Markdown, reStructuredText and plain text into the graph: sections, and what they point at.

    Without paths these are the documents that git tracks, and those that were named before. Only what changed is read;
    sections that stayed as they were keep their edges and vectors. 'tx init' and 'tx index' do the same. A document
    that was named and is refused (binary, not UTF-8, above 50 MB) makes the exit status 1.

    Example:
      tx doc:ingest
      tx doc:ingest docs/ README.md
      tx doc:ingest "docs/adr/*.md" --no-embed
    """
    with opened() as workspace:
        done = workspace.renewal.ingest(paths or [], progress, force=force, with_vectors=embed)
    if as_json:
        shape = ingest_shape(done.report) | vectors_shape(done.chunks)
        print_json(shape | {"entities": vectors_shape(done.entities)})
    else:
        print_ingest(done.report)
        print_vectors(done.chunks, "chunk")
        print_vectors(done.entities, "entity")
    if done.report.named:
        raise typer.Exit(_REFUSED)


def list_(
    globs: Annotated[list[str] | None, typer.Argument(metavar="[GLOB]...", help="Only documents like these.")] = None,
    *,
    as_tsv: Tsv = False,
    as_json: Json = False,
) -> None:
    """List the documents that were read, with their titles and sizes.

    The columns of --tsv are path, format, title, sections and broken_links.

    Example:
      tx doc:list
      tx doc:list "docs/**"
    """
    one_form(as_json=as_json, as_tsv=as_tsv)
    with opened() as workspace:
        found = workspace.library.every(globs or [])
    if as_json:
        print_json(list_shape(found))
    elif as_tsv:
        rows = [
            (one.document.path, one.document.format.value, one.document.title, one.sections, one.broken)
            for one in found
        ]
        print_tsv(_HEADINGS, rows)
    elif found:
        print_listed(found)
    else:
        note("There is no such document." if globs else "No document was read yet: run 'tx doc:ingest'.")


def show(
    ref: Annotated[str, typer.Argument(metavar="SECTION", help="A document, or a section such as docs/a.md#setup.")],
    *,
    as_json: Json = False,
) -> None:
    """Show how a document is divided, or a section with its text and what it points at.

    Example:
      tx doc:show README.md
      tx doc:show docs/adr/003.md#decision
    """
    with opened() as workspace:
        found = workspace.library.show(ref)
    if as_json:
        print_json(document_shape(found))
    else:
        print_document(found)


def prune(*, as_json: Json = False) -> None:
    """Remove what no document holds any more, and say how much that was.

    These are documents whose files are gone, edges without ends, and what models said of texts that have changed
    since. 'tx doc:ingest' leaves none of its own; this mends what other programs did to the database.

    Example:
      tx doc:prune
    """
    with opened() as workspace:
        done = workspace.document_pruning.run()
    if as_json:
        print_json({"documents": done.documents, "edges": done.edges, "nodes": done.nodes, "vectors": done.vectors})
        return
    typer.echo(
        f"Removed {counted(done.documents, 'document')}, {counted(done.edges, 'edge')}, "
        f"{counted(done.nodes, 'node')} and {counted(done.vectors, 'vector')}."
    )
