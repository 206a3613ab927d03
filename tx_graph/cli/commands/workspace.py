"""init, index, status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.cli.commands.documents import embed_chunks, embed_entities, run_ingest
from tx_graph.cli.options import Json, here, opened
from tx_graph.cli.render import words
from tx_graph.cli.render.answers import freshness
from tx_graph.cli.render.documents import brief_shape, print_brief
from tx_graph.cli.render.terminal import note, print_fields, print_json, progress
from tx_graph.cli.render.vectors import print_vectors, vectors_shape
from tx_graph.cli.render.words import counted
from tx_graph.errors import RepositoryError
from tx_graph.services.cochanges import standard_request
from tx_graph.services.evidence import CommitReport
from tx_graph.services.setup import prepare
from tx_graph.workspace import Workspace

if TYPE_CHECKING:
    from tx_graph.services.documents import IngestReport
    from tx_graph.services.embedding import CaughtUp
    from tx_graph.services.graph import GraphStats
    from tx_graph.services.health import Status
    from tx_graph.services.indexing import IndexReport

_MOST_NAMED = 3
"""Files to name of those that were left out for the same reason."""
_IN_LINE = re.compile(r" in line \d+")


_MOST_CHUNKS = 200
"""Pieces of documents to embed without being asked, about ten seconds; 'tx doc:ingest' embeds all."""
_MOST_ENTITIES = 1_000
"""The same of entities, whose texts are short; 'tx learning:embed' embeds all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Documents:
    """What reading documents did, and embedding them."""

    report: IngestReport
    vectors: CaughtUp


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evidence:
    """What was read of files and of history, and why not all of history, as a sentence."""

    files: int
    commits: CommitReport
    problem: str = ""


def init(*, as_json: Json = False) -> None:
    """Create .tx/ in this repository and index it; safe to run again.

    In git, .tx/ lies at the top of the working tree. Commit it: the learnings in it are plain text; the database
    beside them is ignored and can be built again at any time.

    Example:
      tx init
    """
    prepared = prepare(here())
    with opened() as workspace:
        report = run_index(workspace)
        documents = _Documents(report=run_ingest(workspace, []), vectors=embed_chunks(workspace, most=_MOST_CHUNKS))
        evidence = _read_evidence(workspace)
        if prepared.is_git and not evidence.problem:
            _count_cochanges(workspace)
        vectors, entities = _catch_up(workspace), embed_entities(workspace, most=_MOST_ENTITIES)
    if as_json:
        shape = {"root": str(prepared.root), "created": list(prepared.created), "index": index_shape(report)}
        print_json(
            shape
            | {"documents": brief_shape(documents.report) | vectors_shape(documents.vectors)}
            | _evidence_shape(evidence)
            | vectors_shape(vectors)
            | {"entities": vectors_shape(entities)}
        )
        return
    verb = "Initialised" if prepared.created else "Already initialised:"
    typer.echo(f"{verb} {prepared.root / '.tx'}")
    print_index(report)
    _print_documents(documents)
    _print_evidence(evidence)
    print_vectors(vectors, "learning")
    print_vectors(entities, "entity")
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
        report = run_index(workspace, force=force)
        ingested = run_ingest(workspace, [], force=force)
        documents = _Documents(report=ingested, vectors=embed_chunks(workspace, most=_MOST_CHUNKS))
        evidence = _read_evidence(workspace)
        vectors, entities = _catch_up(workspace), embed_entities(workspace, most=_MOST_ENTITIES)
    if as_json:
        shape = index_shape(report) | {"documents": brief_shape(documents.report) | vectors_shape(documents.vectors)}
        shape |= _evidence_shape(evidence) | vectors_shape(vectors)
        print_json(shape | {"entities": vectors_shape(entities)})
    else:
        print_index(report)
        _print_documents(documents)
        _print_evidence(evidence)
        print_vectors(vectors, "learning")
        print_vectors(entities, "entity")


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


def run_index(workspace: Workspace, *, below: str = "", force: bool = False) -> IndexReport:
    """Index with a progress bar."""
    with progress("Reading files", unit="files") as report:
        return workspace.indexing.run(below=below, force=force, progress=report)


def index_shape(report: IndexReport) -> dict[str, object]:
    """Return what an index run did, as JSON."""
    return {
        "files": report.files,
        "read": report.read,
        "reused": report.reused,
        "removed": report.removed,
        "resolved": report.resolved,
        "imports": report.imports,
        "symbols": report.symbols,
        "unresolved": dict(report.unresolved),
        "skipped": [{"path": path, "reason": reason} for path, reason in (*report.skipped, *report.manifests)],
        "notices": list(report.notices),
    }


def print_index(report: IndexReport) -> None:
    """Print what an index run did."""
    gone = f", {report.removed:,} gone" if report.removed else ""
    imports, symbols = counted(report.imports, "import"), counted(report.symbols, "symbol")
    typer.echo(f"{counted(report.files, 'file')}, {report.read:,} read{gone}; {imports} between them, {symbols}.")
    for notice in report.notices:
        note(notice)
    _print_skipped([*report.skipped, *report.manifests])


def _print_skipped(skipped: Sequence[tuple[str, str]]) -> None:
    """Print what was left out or read in part: each reason once, with the first names."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, reason in skipped:
        groups.setdefault(_IN_LINE.sub("", reason), []).append((name, reason))
    for common, those in groups.items():
        if len(those) == 1:
            note(f"'{those[0][0]}' {those[0][1]}.")
            continue
        names = ", ".join(f"'{name}'" for name, _ in those[:_MOST_NAMED])
        more = f" and {len(those) - _MOST_NAMED:,} more" if len(those) > _MOST_NAMED else ""
        note(f"{len(those):,} files, each of which {common}: {names}{more}.")
    if any(len(those) > _MOST_NAMED for those in groups.values()):
        note("'tx index --json' names them all.")


def _catch_up(workspace: Workspace) -> CaughtUp:
    """Embed what lacks a vector, with a progress bar."""
    with progress("Embedding", unit="learnings") as report:
        return workspace.embedding.catch_up(progress=report)


def _read_evidence(workspace: Workspace) -> _Evidence:
    """Read what files and commits say in words, each with a progress bar; a history with holes stops nothing."""
    with progress("Reading words", unit="files") as report:
        files = workspace.evidence.read_words(progress=report)
    try:
        with progress("Reading messages", unit="commits") as report:
            return _Evidence(files=files, commits=workspace.evidence.read_messages(progress=report))
    except RepositoryError as error:
        return _Evidence(files=files, commits=CommitReport(), problem=f"Commit messages were not read: {error.message}")


def _count_cochanges(workspace: Workspace) -> None:
    """Count co-changes for the first time, as their command does by default."""
    if workspace.graph.last_cochanges() is None:
        with progress("Reading commits", unit="commits") as report:
            workspace.cochanges.run(standard_request(workspace.config), progress=report)


def _print_documents(documents: _Documents) -> None:
    print_brief(documents.report)
    print_vectors(documents.vectors, "piece of a document")


def _evidence_shape(evidence: _Evidence) -> dict[str, object]:
    commits = evidence.commits
    shape = {"worded": evidence.files, "commits_read": commits.read, "commits": commits.kept}
    return shape | ({"history_problem": evidence.problem} if evidence.problem else {})


def _print_evidence(evidence: _Evidence) -> None:
    """Say how many messages are new; who indexes daily need not hear of the others."""
    if evidence.commits.read:
        typer.echo(f"{counted(evidence.commits.read, 'commit message')} read.")
    if evidence.problem:
        note(f"tx: warning: {evidence.problem}")


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
