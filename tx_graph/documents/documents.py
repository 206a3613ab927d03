"""The repository's own writing: `workspace.documents`, and the commands `tx doc:…`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from tx_graph.core.arguments import Arg, Ref, ref_of
from tx_graph.core.errors import NotFound
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, Stages, alike, no_progress
from tx_graph.core.shape import as_json
from tx_graph.documents.document import section_key
from tx_graph.documents.edge_store import SectionLink, SectionLinkStore
from tx_graph.documents.extracting import Extracting
from tx_graph.documents.ingesting import ANALYSIS, DocumentPruning, Ingesting, IngestReport, chosen, prune
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch, State, states_of
from tx_graph.documents.statement_store import StatementStore
from tx_graph.documents.store import DocumentRow, DocumentStore, SectionRow, SectionStore
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore, NodeStore
from tx_graph.graph.references import Node, NodeKind
from tx_graph.graph.resolving import References
from tx_graph.vectors.embedding import CaughtUp, Embedding


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested:
    """What reading documents did, and which chunks and entities got their vectors."""

    report: IngestReport
    chunks: CaughtUp
    entities: CaughtUp

    def as_json(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        report = self.report
        counts = ("documents", "read", "removed", "sections", "kept", "chunks")
        return {
            **{name: getattr(report, name) for name in counts},
            "skipped": [{"path": path, "reason": reason} for path, reason in report.refused],
            "broken_links": [
                {"path": link.document, "line": link.line, "target": link.written, "problem": link.problem}
                for link in report.broken
            ],
            **as_json(self.chunks),
            "entities": as_json(self.entities),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDocument:
    """A document with the number of its headings, of its links that lead nowhere although they should, and of `facts`.

    Facts are what it states and what holds now.
    """

    JSON = (
        "ref=document.path path=document.path format=document.format title=document.title sections facts "
        "broken_links=broken problems=document.problems"
    )

    document: DocumentRow
    sections: int
    broken: int
    facts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSection:
    """A section by its reference; `links` are what it points at, with the references of what they lead to."""

    ref: str
    section: SectionRow
    links: tuple[tuple[SectionLink, str | None], ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as one JSON object."""
        links = [
            {
                "kind": link.kind.value,
                "written": link.written,
                "predicate": link.predicate or None,
                "line": link.line,
                "target": target,
                "problem": link.problem,
            }
            for link, target in self.links
        ]
        own = {name: getattr(self.section, name) for name in ("level", "part", "title", "line_start", "line_end")}
        return {"ref": self.ref} | own | {"links": links}


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument:
    """A document or one section of it with all below it, in the order of the source; `text` is that of the section.

    `headings` lead down to it; `facts` counts what the document states.
    """

    JSON = (
        "ref=node.ref path=document.path format=document.format title=document.title headings text facts "
        "problems=document.problems sections"
    )

    document: DocumentRow
    node: Node
    headings: tuple[str, ...]
    sections: tuple[ShownSection, ...]
    text: str
    facts: int = 0


class Documents(Extracting):
    """The repository's own writing: `workspace.documents`."""

    def ingest(
        self, *paths: str, force: bool = False, embed: bool = True, progress: Progress = no_progress
    ) -> Ingested:
        """Return what was read of the documents that changed, only of those that paths or globs name if any do.

        `force` reads unchanged ones again. New sections get their vectors where there is a model, unless `embed` is
        off.

        Raises:
            NotFound: A path or glob names nothing.
            UsageError: A path leads out of the repository, or to a file that is no document.
        """
        return ingest(self._kernel, paths, force=force, embed=embed, stages=alike(progress))

    def list(
        self, *globs: Annotated[str, Arg("[GLOB]...", "Only documents like these.", is_split=False)]
    ) -> tuple[ListedDocument, ...]:
        """List the documents that were read, with their titles and sizes.

        The columns of --tsv are path, format, title, sections and broken_links.

        Example:
          tx doc:list
          tx doc:list "docs/**"
        """
        every = DocumentStore(self._database).every()
        matcher = PathMatcher(one.path for one in every)
        patterns = ["**" if glob in (".", "./") else glob for glob in globs or (".",)]
        wanted = {path for pattern in patterns for path in matcher.matching(pattern)}
        documents = [one for one in every if one.path in wanted]
        sections = SectionStore(self._database).of_documents([one.node for one in documents])
        broken = Counter(link.document for link in SectionLinkStore(self._database).problems())
        facts = StatementStore(self._database).counts([one.node for one in documents])
        return tuple(
            ListedDocument(
                document=one,
                sections=sum(1 for row in sections[one.node] if row.part == 0 and row.parent is not None),
                broken=broken[one.path],
                facts=facts.get(one.node, 0),
            )
            for one in documents
        )

    def show(
        self, ref: Annotated[Ref, Arg("SECTION", "A document, or a section such as docs/a.md#setup.")]
    ) -> ShownDocument:
        """Show how a document is divided, or a section with its text and what it points at.

        Example:
          tx doc:show README.md
          tx doc:show docs/adr/003.md#decision

        Raises:
            NotFound: The reference names no document or section.
        """
        database, named = self._database, ref_of(ref)
        node = self._kernel.one(References).node(named)
        path = node.key.partition("#")[0]
        document = DocumentStore(database).by_paths([path]).get(path)
        if node.kind not in (NodeKind.FILE, NodeKind.SECTION) or document is None or node.id is None:
            hint = "'tx doc:list' names them; 'tx doc:ingest' reads them."
            raise NotFound(f"'{named}' is no document that was read.", hint=hint)
        inside = {node.id}
        below = []
        for row in SectionStore(database).of_documents([document.node])[document.node]:
            if row.node in inside or row.parent in inside:
                inside.add(row.node)
                below.append(row)
        own = [row.text for row in below if row.node == node.id or (row.part and row.parent == node.id)]
        links = SectionLinkStore(database).of_documents([document.node])
        ends = NodeStore(database).describe([link.target for link in links if link.target is not None])
        shown = (
            ShownSection(
                ref=path if row.parent is None else section_key(path, row.slug, row.part),
                section=row,
                links=tuple(
                    (k, ends[k.target][1] if k.target in ends else None) for k in links if k.section == row.node
                ),
            )
            for row in below
        )
        return ShownDocument(
            document=document,
            node=node,
            headings=SectionStore(database).headings([node.id])[node.id],
            sections=tuple(shown),
            text="\n\n".join(filter(None, own)),
            facts=StatementStore(database).counts([document.node]).get(document.node, 0),
        )

    def search(self, query: DocQuery | str) -> DocAnswer:
        """Return the sections that answer a query and what relations lead to; a text stands for a standard query.

        Examples:
            >>> workspace.documents.search("who verifies tokens").results[0].unit.ref
            'docs/guide.md#signing-in'
        """
        return self._kernel.one(DocSearch).run(DocQuery(text=query) if isinstance(query, str) else query)

    def prune(self) -> DocumentPruning:
        """Remove what no document holds any more, and say how much that was.

        These are documents whose files are gone, edges without ends, and what models said of texts that have changed
        since. 'tx doc:ingest' leaves none of its own; this mends what other programs did to the database.

        Example:
          tx doc:prune
        """
        return prune(self._kernel)


def ingest(
    kernel: Kernel,
    paths: Annotated[
        Sequence[str], Arg("[PATH|GLOB]...", "Only these; directories count as a whole.", is_split=False)
    ] = (),
    *,
    force: Annotated[bool, Arg(help="Read unchanged documents again too.")] = False,
    embed: Annotated[bool, Arg(help="Give new sections their vectors.", flag="--embed/--no-embed")] = True,
    stages: Stages,
) -> Ingested:
    """Read Markdown, reStructuredText and plain text into the graph: sections, and what they point at.

    Without paths these are the documents that git tracks, and those that were named before. Only what changed is read;
    sections that stayed as they were keep their edges and vectors. 'tx init' and 'tx index' do the same. A document
    that was named and is refused (binary, not UTF-8, above 50 MB) makes the exit status 1.

    Example:
      tx doc:ingest
      tx doc:ingest docs/ README.md
      tx doc:ingest "docs/adr/*.md" --no-embed
    """
    with stages("Reading documents", unit="documents") as progress:
        report = kernel.one(Ingesting).run(paths, force=force, progress=progress)
    if not embed:
        return Ingested(report=report, chunks=CaughtUp(), entities=CaughtUp())
    with stages("Embedding", unit="chunks") as progress:
        chunks = kernel.one(Embedding).catch_up("chunks", progress=progress)
    with stages("Embedding", unit="entities") as progress:
        entities = kernel.one(Embedding).catch_up("entities", progress=progress)
    return Ingested(report=report, chunks=chunks, entities=entities)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsState:
    """How documents are. `changed`, `new` and `gone` are what reading them again would take in, by path.

    `unread` files could not be read, with the reason as a sentence's end; `broken` links lead nowhere although they
    should. `run` is None where documents were never read.
    """

    documents: int
    sections: int
    chunks: int
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    broken: tuple[SectionLink, ...] = ()
    run: AnalysisRun | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the graph may not say what the documents say now."""
        return bool(self.changed or self.new or self.gone)


def documents_state(kernel: Kernel) -> DocumentsState:
    """Return how documents are at this moment, beside the working tree. One that was only touched has not changed."""
    database = kernel.database
    stamps = DocumentStore(database).stamps()
    files = chosen(kernel, (), stamps)
    suspects = {
        file.path: file.size
        for file in files.files
        if file.path in stamps and stamps[file.path] != (file.size, file.mtime_ns)
    }
    rows = DocumentStore(database).by_paths(suspects)
    same_size = {path for path, row in rows.items() if row.size == suspects[path]}
    unchanged = {path for path, state in states_of(kernel, same_size).items() if state is not State.CHANGED}
    return DocumentsState(
        **DocumentStore(database).sizes(),
        changed=tuple(path for path in suspects if path not in unchanged),
        new=tuple(file.path for file in files.files if file.path not in stamps),
        gone=tuple(files.gone),
        unread=tuple(DocumentStore(database).unread().items()),
        broken=tuple(SectionLinkStore(database).problems()),
        run=AnalysisStore(database).last(ANALYSIS),
    )
