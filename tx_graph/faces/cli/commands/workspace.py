"""init, index, status."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.faces.cli.command import here
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import words
from tx_graph.faces.cli.render.answers import freshness
from tx_graph.faces.cli.render.code import print_index
from tx_graph.faces.cli.render.documents import brief_shape, print_brief
from tx_graph.faces.cli.render.terminal import note, print_fields, print_json, progress
from tx_graph.faces.cli.render.vectors import print_vectors, vectors_shape
from tx_graph.faces.cli.render.words import counted
from tx_graph.workspace.setup import prepare

if TYPE_CHECKING:
    from tx_graph.context.graph import GraphStats
    from tx_graph.workspace.health import Status
    from tx_graph.workspace.renewal import Renewed


def init(*, as_json: Json = False) -> None:
    """Create .tx/ in this repository and index it; safe to run again.

    In git, .tx/ lies at the top of the working tree. Commit it: the learnings in it are plain text; the database
    beside them is ignored and can be built again at any time.

    Example:
      tx init
    """
    prepared = prepare(here())
    with opened() as workspace:
        done = workspace.renewal.run(progress, with_cochanges=prepared.is_git)
    if as_json:
        shape = {"root": str(prepared.root), "created": list(prepared.created), "index": done.index.as_json()}
        print_json(shape | _derived_shape(done))
        return
    verb = "Initialised" if prepared.created else "Already initialised:"
    typer.echo(f"{verb} {prepared.root / '.tx'}")
    _print_renewed(done)
    if not prepared.is_git:
        note("This is not a git repository: there are no co-changes, and nothing carries the learnings to others.")
    elif prepared.created:
        note('Next: tx context "what you are about to do" · tx learning:add "what you learned" --anchor PATH')


def index(
    *,
    force: Annotated[bool, typer.Option("--force", help="Read unchanged files again too.")] = False,
    as_json: Json = False,
) -> None:
    """Bring files and imports up to date with the working tree, reading only what changed.

    Learnings and entities that came without a vector, as from a clone or a pull, get one where the model is installed.

    Example:
      tx index
    """
    with opened() as workspace:
        done = workspace.renewal.run(progress, force=force)
    if as_json:
        print_json(done.index.as_json() | _derived_shape(done))
    else:
        _print_renewed(done)


def status(*, as_json: Json = False) -> None:
    """Show the workspace at a glance: what is in it, and what is old or missing.

    Example:
      tx status
      tx status --json
    """
    with opened() as workspace:
        found = workspace.health.status()
    if as_json:
        print_json(_status_shape(found))
    else:
        _print_status(found)


def _derived_shape(done: Renewed) -> dict[str, object]:
    """Return what was read beside files, and what got its vector, as JSON."""
    shape: dict[str, object] = {"documents": brief_shape(done.documents) | vectors_shape(done.chunks)}
    shape |= {"worded": done.worded, "commits_read": done.commits.read, "commits": done.commits.kept}
    shape |= {"history_problem": done.history_problem} if done.history_problem else {}
    return shape | vectors_shape(done.learnings) | {"entities": vectors_shape(done.entities)}


def _print_renewed(done: Renewed) -> None:
    print_index(done.index)
    print_brief(done.documents)
    print_vectors(done.chunks, "piece of a document")
    _print_evidence(done)
    print_vectors(done.learnings, "learning")
    print_vectors(done.entities, "entity")


def _print_evidence(done: Renewed) -> None:
    """Say how many messages are new; who indexes daily need not hear of the others."""
    if done.commits.read:
        typer.echo(f"{counted(done.commits.read, 'commit message')} read.")
    if done.history_problem:
        note(f"tx: warning: {done.history_problem}")


def _status_shape(found: Status) -> dict[str, object]:
    graph = found.graph
    return {
        "root": str(found.root),
        "database": str(found.database),
        "git": found.is_git,
        "head": found.head,
        "learnings": graph.learnings,
        "files": graph.files,
        "languages": graph.languages,
        "anchors": graph.anchors,
        "findings": graph.findings,
        "edges": graph.edges,
        "documents": _documents_state_shape(found),
        "facts": dict(found.facts),
        "entities": found.entities,
        "embedding": {
            "model": found.embedding.model,
            "installed": found.embedding.installed,
            "lacking": found.embedding.lacking,
            "lacking_entities": found.embedding.lacking_entities,
            "stored": [
                {"model": one.model, "dimension": one.dimension, "count": one.count} for one in found.embedding.stored
            ],
        },
        "analyses": {
            name: run and {"finished_at": run.finished_at, "head": run.head} for name, run in graph.analyses.items()
        },
        "problems": [{"record": name, "problem": problem} for name, problem in found.problems],
        "freshness": freshness(found.freshness),
        "notices": list(found.notices),
    }


def _documents_state_shape(found: Status) -> dict[str, object]:
    documents = found.documents
    return {
        **found.graph.documents,
        "lacking": found.lacking_chunks,
        "changed": len(documents.changed),
        "new": len(documents.new),
        "gone": len(documents.gone),
        "unread": [{"path": path, "reason": reason} for path, reason in documents.unread],
        "broken_links": len(documents.broken),
    }


def _documents_row(found: Status) -> str:
    """Return how many documents there are, and what is wrong with them."""
    documents = found.documents
    wrong = [f"{len(documents.unread):,} unread"] if documents.unread else []
    wrong += [counted(len(documents.broken), "broken link")] if documents.broken else []
    return " · ".join([words.documents(found.graph.documents), *wrong])


def _facts_row(found: Status) -> str:
    """Return how many facts have each status, and about how many entities they are."""
    facts = " · ".join(f"{count:,} {status}" for status, count in found.facts.items())
    return f"{facts} (of {counted(found.entities, 'entity')})" if facts else "none"


def _anchors(graph: GraphStats) -> str:
    """Return how many anchors there are, and how many did not hold when somebody last looked."""
    found = " · ".join(f"{count:,} {status}" for status, count in graph.findings.items())
    return f"{graph.anchors:,}" + (f" ({found} at the last graph:verify)" if found else "")


def _without_vectors(found: Status) -> str:
    lacking = [f"{found.embedding.lacking:,}"]
    lacking += [f"{counted(found.lacking_chunks, 'chunk')} of documents"] if found.lacking_chunks else []
    lacking += [counted(found.embedding.lacking_entities, "entity")] if found.embedding.lacking_entities else []
    return " · ".join(lacking)


def _print_status(found: Status) -> None:
    graph, embedding = found.graph, found.embedding
    learnings = ", ".join(f"{count} {name}" for name, count in graph.learnings.items()) or "none"
    languages = ", ".join(f"{count} {name}" for name, count in graph.languages.items())
    model = embedding.model if embedding.installed else f"{embedding.model} (not installed: search is by words alone)"
    rows = [
        ("root", str(found.root)),
        ("commit", (found.head or "none yet")[:12] if found.is_git else "not a git repository"),
        ("learnings", learnings),
        ("anchors", _anchors(graph)),
        ("files", f"{graph.files:,}" + (f" ({languages})" if languages else "")),
        ("documents", _documents_row(found)),
        ("facts", _facts_row(found)),
        ("edges", " · ".join(f"{count:,} {name}" for name, count in graph.edges.items()) or "none"),
        ("model", model),
        ("without a vector", _without_vectors(found)),
    ]
    rows += [(f"last {name}", run.finished_at if run else "never") for name, run in graph.analyses.items()]
    print_fields(rows)
    for notice in found.notices:
        note(notice)
