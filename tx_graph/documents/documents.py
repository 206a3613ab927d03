"""The repository's own writing: `workspace.documents`, and the commands `tx doc:…`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, ClassVar, TypedDict

from tx_graph.core.arguments import Arg, Reads, Ref, ref_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import ModelUnusable, NotFound, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, Stages, alike, no_progress
from tx_graph.core.shape import Answer, LeftOut, canonical_reference, with_reasons
from tx_graph.documents.claims.verifying import ProseReport, verify
from tx_graph.documents.document import ANALYSIS, section_key
from tx_graph.documents.edge_store import SectionLink, SectionLinkStore, SectionWalk
from tx_graph.documents.extracting import Extracting, pruning_of, recall
from tx_graph.documents.following import Followed, follow
from tx_graph.documents.ingesting import DocumentPruning, Ingesting, IngestReport, chosen, prune
from tx_graph.documents.relating import Relating
from tx_graph.documents.relations import (
    Applied,
    AskingOptions,
    CrossLinked,
    CrossLinkOptions,
    Extracted,
    ExtractOptions,
    Failure,
    OnFailure,
    Plan,
    Question,
)
from tx_graph.documents.search import DocAnswer, DocQuery, DocSearch, State, states_of
from tx_graph.documents.statement_store import StatementStore
from tx_graph.documents.store import DocumentRow, DocumentStore, SectionRow, SectionStore
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore, NodeStore
from tx_graph.graph.references import Node, NodeKind
from tx_graph.graph.resolving import References
from tx_graph.vectors.embedding import CaughtUp, Embedding


class BrokenLink(TypedDict):
    """A link that leads nowhere by mistake: where it stands, as it is written, and what is wrong with it."""

    path: str
    line: int
    target: str
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ingested(Answer):
    """What reading documents did, and which chunks and entities got their vectors."""

    report: IngestReport
    chunks: CaughtUp = CaughtUp()
    entities: CaughtUp = CaughtUp()
    facts: CaughtUp = CaughtUp()
    relations: Followed | None = None

    JSON: ClassVar = (
        "documents=report.documents read=report.read removed=report.removed sections=report.sections kept=report.kept "
        "chunks=report.chunks skipped broken_links=broken *chunks entities facts relations?=relations"
    )

    @property
    def skipped(self) -> list[LeftOut]:
        """What was not read."""
        return with_reasons(*self.report.refused)

    @property
    def broken(self) -> list[BrokenLink]:
        """Links that lead nowhere by mistake."""
        return [
            BrokenLink(path=link.document, line=link.line, target=link.written, problem=link.problem)
            for link in self.report.broken
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDocument(Answer):
    """A document with how many headings it has, links that lead nowhere by mistake, and facts that hold now."""

    JSON = (
        "node=document.path@file ref=document.path path=document.path format=document.format title=document.title "
        "sections facts broken_links=broken problems=document.problems"
    )

    document: DocumentRow
    sections: int
    broken: int
    facts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldLink:
    """A link of a section, and the reference of what it leads to."""

    JSON: ClassVar = (
        "kind=link.kind written=link.written predicate~=link.predicate line=link.line target problem=link.problem"
    )

    link: SectionLink
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSection:
    """A section by its reference; `links` are what it points at, with the references of what they lead to."""

    ref: str
    section: SectionRow
    links: tuple[tuple[SectionLink, str | None], ...]

    JSON: ClassVar = (
        "ref node=ref@section:line level=section.level part=section.part title=section.title line_start=line "
        "line_end=section.line_end links=told"
    )

    @property
    def line(self) -> int:
        """Where it begins."""
        return self.section.line_start

    @property
    def told(self) -> list[ToldLink]:
        """The links, as JSON has them."""
        return [ToldLink(link=link, target=target) for link, target in self.links]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRelation:
    """A relation of a section with another node; `forward` where it leads there, `origin` is who says so."""

    JSON = "section other relation description~ weight forward origin"

    section: str
    other: str
    relation: str
    description: str
    weight: float
    forward: bool
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument(Answer):
    """A document or one section of it, with its text and headings, and all sections below in source order.

    `relations` are what it and what is below is tied to by links and by what somebody said, the most telling first,
    `taken_back` those that 'tx doc:unrelate' took back; a relation without a name is any.
    """

    JSON = (
        "node=node.reference ref=node.ref path=document.path format=document.format title=document.title headings "
        "text facts problems=document.problems sections relations taken_back"
    )

    document: DocumentRow
    node: Node
    headings: tuple[str, ...]
    sections: tuple[ShownSection, ...]
    text: str
    facts: int = 0
    relations: tuple[ShownRelation, ...] = ()
    taken_back: tuple[ShownRelation, ...] = ()


class Documents(Extracting, Relating):
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
            hint = "'tx doc:list' names them; 'tx sync' reads them."
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
        keys = {node: key for node, (_, key) in ends.items()}
        around, taken = SectionWalk(database).around(inside), SectionWalk(database).taken_back(inside)
        told = NodeStore(database).describe([end for tie in (*around, *taken) for end in tie[:2]])
        names = {node: canonical_reference(*described) for node, described in told.items()}
        relations, taken_back = (
            tuple(
                ShownRelation(
                    section=names[own],
                    other=names[other],
                    relation=tie.relation,
                    description=tie.description,
                    weight=tie.weight,
                    forward=own == tie.source,
                    origin=tie.origin,
                )
                for tie in ties
                for own, other in ((tie.source, tie.target), (tie.target, tie.source))
                if own in inside and not (own == tie.target and tie.source in inside)
            )
            for ties in (around, taken)
        )
        shown = (
            ShownSection(
                ref=path if row.parent is None else section_key(path, row.slug, row.part),
                section=row,
                links=tuple((k, keys.get(k.target or 0)) for k in links if k.section == row.node),
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
            relations=relations,
            taken_back=taken_back,
        )

    def search(self, query: DocQuery | str) -> DocAnswer:
        """Return the sections that answer a query and what relations lead to; a text stands for a standard query.

        Examples:
            >>> workspace.documents.search("who verifies tokens").results[0].unit.ref
            'docs/guide.md#signing-in'
        """
        return self._kernel.one(DocSearch).run(DocQuery(text=query) if isinstance(query, str) else query)

    def verify(
        self,
        *places: str,
        fix: bool = False,
        since: str | None = None,
        doubtful: bool = False,
        aged: bool = False,
    ) -> ProseReport:
        """Return what documents, or those named, and learnings claim that does not hold.

        With `fix` new paths and names are written where they are certain. `since` a revision tells only what was
        written or went since HEAD and it parted; `doubtful` takes in what was never known here, `aged` passages
        whose code changed much since they were written.
        """
        return verify(self._kernel, places, fix=fix, since=since, doubtful=doubtful, aged=aged)

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
    sections that stayed as they were keep their edges and vectors. 'tx sync' does the same. A document
    that was named and is refused (binary, not UTF-8, above 50 MB) makes the exit status 1.

    Example:
      tx doc:ingest
      tx doc:ingest docs/ README.md
      tx doc:ingest "docs/adr/*.md" --no-embed
    """
    with stages("Reading documents", unit="documents") as progress:
        report = kernel.one(Ingesting).run(paths, force=force, progress=progress)
    done = kernel.one(Embedding).catch_up_each("chunks", "entities", "facts", stages=stages) if embed else {}
    return Ingested(report=report, relations=follow(kernel, stages=stages), **done)


_Model = Annotated[
    str | None, Arg("NAME", "A model of llm, by name or alias; else LLM_MODEL, else llm's default.", flag="-m --model")
]
_Docs = Annotated[
    Sequence[str] | None,
    Arg("A,B", "Only these documents: paths, directories or globs. Repeatable.", flag="--docs"),
]
_Together = Annotated[int, Arg("N", "Sections to ask about together, at least 2.")]
_Workers = Annotated[int, Arg("N", "Most questions under way at a time, at least 1.")]
_Timeout = Annotated[float, Arg("SECONDS", "How long to wait for one answer.")]
_MinWeight = Annotated[float | None, Arg("F", "Leave out lighter edges, 0 to 1; else documents.min_weight.")]
_MaxEdges = Annotated[
    int | None,
    Arg(
        "N",
        "Keep the heaviest N that leave a section, 0 for all; else documents.max_edges.",
        flag="--max-edges-per-chunk",
    ),
]
_MaxCalls = Annotated[int, Arg("N", "Ask at most N questions; 0: as many as there are.")]
_MaxTokens = Annotated[int, Arg("N", "Ask while the questions have at most N tokens, by estimate; 0: no limit.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """What an agent is asked, and how many edges of its replies were taken in before, of which the graph had none."""

    JSON = "batches"

    batches: tuple[Question, ...]
    recalled: int


def extract(
    kernel: Kernel,
    *,
    model: _Model = None,
    docs: _Docs = None,
    batch_size: _Together = 5,
    overlap: Annotated[int, Arg("N", "Sections that a batch shares with the one before it.")] = 0,
    workers: _Workers = 3,
    timeout: _Timeout = 120.0,
    min_weight: _MinWeight = None,
    max_edges: _MaxEdges = None,
    max_calls: _MaxCalls = 0,
    max_tokens: _MaxTokens = 0,
    force: Annotated[bool, Arg(help="Ask again what was answered before.")] = False,
    dry_run: Annotated[bool, Arg(help="Only say how much would be asked, and how long it is.")] = False,
    print_batches: Annotated[bool, Arg(help="Print the questions as JSON lines, for an agent to answer.")] = False,
    every: Annotated[
        bool, Arg(help="With --print-batches: also what an agent has answered already.", flag="--all")
    ] = False,
    apply: Annotated[str | None, Arg("FILE", "Store an agent's replies; '-' reads stdin.", reads=Reads.FILE)] = None,
    stages: Stages,
    tell: Callable[[str], None],
) -> Extracted | Plan | Questions | Applied:
    """Have a language model say how the sections of each document are related: what depends on what, and why.

    Models are those of the library llm (pip install 'tx-graph[llm]'), with its plugins and its keys. An answer is kept:
    nothing is asked twice while its sections say what they said, wherever they go, also after an interruption. What is
    said of a document takes the place of what was said before; 'tx doc:unrelate' takes one relation back. Without a key
    an agent can be the model: it answers what --print-batches prints, by lines {"batch": …, "reply": {"edges": […]}}.

    Example:
      tx doc:extract --model gpt-5-mini --dry-run
      tx doc:extract --model gpt-5-mini --docs "docs/**" --min-weight 0.3
      tx doc:extract --print-batches > batches.jsonl
      tx doc:extract --apply replies.jsonl
    """
    options = ExtractOptions(
        size=batch_size,
        overlap=overlap,
        documents=documents_named(docs),
        pruning=pruning_of(kernel, min_weight, max_edges),
        asking=AskingOptions(
            workers=workers, timeout=timeout, most_calls=max_calls, most_tokens=max_tokens, is_anew=force
        ),
    )
    documents = kernel.one(Documents)
    if apply is not None:
        # Not splitlines: JSON may hold a U+2028 or U+0085 as it is, and for that a line would end there.
        return documents.apply(apply.split("\n"), pruning=options.pruning)
    if print_batches:
        recalled = recall(kernel, options)
        return Questions(batches=documents.questions(options, every=every), recalled=recalled)
    way_out = "Without a model: --print-batches has an agent answer, --apply takes its replies."
    with _asking(way_out, tell) as on_failure:
        if dry_run:
            return documents.plan_extraction(options, model=model)
        with stages("Asking", unit="batches") as progress:
            return documents.extract(options, model=model, on_failure=on_failure, progress=progress)


def link(
    kernel: Kernel,
    *,
    threshold: Annotated[float, Arg("F", "Least cosine similarity of a pair, above 0, up to 1.")] = 0.5,
    max_pairs: Annotated[int, Arg("N", "Nearest sections to look at for each one, at least 1.")] = 3,
    batch_size: _Together = 5,
    docs: _Docs = None,
    min_weight: _MinWeight = None,
    max_edges: _MaxEdges = None,
    max_calls: _MaxCalls = 0,
    max_tokens: _MaxTokens = 0,
    no_model: Annotated[bool, Arg(help="Ask nobody: tie them as similar, weighted by their similarity.")] = False,
    model: _Model = None,
    workers: _Workers = 3,
    timeout: _Timeout = 120.0,
    stages: Stages,
    tell: Callable[[str], None],
) -> CrossLinked:
    """Find near sections of different documents by their vectors, and have a language model say how they are related.

    Two sections are as near as their nearest pieces. --docs says where to start from; the other end may be in any
    document. As with 'tx doc:extract', an answer is kept and nothing is asked twice. Needs vectors: 'tx doc:ingest'
    makes them where the embedding model is installed.

    Example:
      tx doc:link --model gpt-5-mini
      tx doc:link --no-model --threshold 0.7
    """
    options = CrossLinkOptions(
        threshold=threshold,
        most_pairs=max_pairs,
        size=batch_size,
        documents=documents_named(docs),
        pruning=pruning_of(kernel, min_weight, max_edges),
        asking=AskingOptions(workers=workers, timeout=timeout, most_calls=max_calls, most_tokens=max_tokens),
    )
    documents = kernel.one(Documents)
    if no_model:
        return documents.link_similar(options)
    with (
        _asking("Without a model, --no-model stores how alike they are.", tell) as on_failure,
        stages("Asking", unit="batches") as progress,
    ):
        return documents.link(options, model=model, on_failure=on_failure, progress=progress)


def documents_named(docs: Sequence[str] | None) -> tuple[str, ...]:
    """Return the documents that --docs names; none stand for all, which somebody who names some does not mean."""
    if docs is not None and not docs:
        raise UsageError("--docs names no document.", hint="Leave it out to ask about all of them.")
    return tuple(docs or ())


def left_out(failure: Failure) -> str:
    """Return as a sentence that a batch was given up, and why."""
    return f"tx: warning: a batch of {failure.document} is left out: {failure.reason}"


@contextmanager
def _asking(way_out: str, tell: Callable[[str], None]) -> Iterator[OnFailure]:
    """Where no model can be asked, or somebody interrupts, say what is to be known; yield what tells of failures."""
    try:
        yield lambda failure: tell(left_out(failure))
    except ModelUnusable as error:
        hint = f"{error.hint.rstrip('.')}. {way_out}" if error.hint else way_out
        raise ModelUnusable(error.message, hint=hint, candidates=error.candidates) from error
    except KeyboardInterrupt:
        tell("What was answered is kept; run the same again to go on.")
        raise


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
