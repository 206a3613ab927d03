"""Reads documents into the graph, and removes what no document holds any more."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.processes import uncollected
from tx_graph.core.repository import WorkingFile, no_report, working_files
from tx_graph.core.shape import Answer
from tx_graph.core.working_tree import trusted_mtime
from tx_graph.documents.chunk_store import ChunkRow, ChunkStore
from tx_graph.documents.document import ANALYSIS, VERSION, format_of
from tx_graph.documents.drafting import DocumentDraft, DraftingCrew, Known, SectionDraft, Text, crew, matched
from tx_graph.documents.edge_store import SectionEdgeStore, SectionLink, SectionLinkStore
from tx_graph.documents.extracting import take_in_shared
from tx_graph.documents.links import Linking
from tx_graph.documents.relating import problems, settle_by_hand, words_are_there
from tx_graph.documents.statement_store import StatementRow, StatementStore
from tx_graph.documents.stating import Stating
from tx_graph.documents.store import DocumentRow, DocumentStore, SectionRow, SectionStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore, NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.mentions import Mentions
from tx_graph.vectors.store import CHUNKS, VectorStore

LARGEST = 50_000_000  # bytes of a document that is read
_REPORT_EVERY = 20
_GROUP = 1_000_000  # bytes of documents that are written at once: statements cost less in bulk, and memory is bounded


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What one pass over the documents did.

    `documents`, `sections` and `chunks` are how many there are now; `read` documents were taken in anew, `removed`
    are gone. `kept` of the sections of changed documents were as before. Of the documents that were looked at `refused`
    could not be read, with the reason as a sentence's end, `named` are those of them that were asked for by name, and
    `broken` links lead nowhere although they should.
    """

    documents: int
    sections: int
    chunks: int
    read: int = 0
    removed: int = 0
    kept: int = 0
    linked: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    named: tuple[str, ...] = ()
    broken: tuple[SectionLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPruning(Answer):
    """What was removed because nothing holds it any more."""

    documents: int
    edges: int
    nodes: int
    vectors: int


class Chosen(NamedTuple):
    """The files to look at, the known documents that are no longer among them, and the files asked for by name.

    `kept` are those that git does not track and somebody asked for by name, now or before.
    """

    files: Sequence[WorkingFile]
    gone: Sequence[str]
    named: Collection[str] = ()
    kept: Sequence[str] = ()


class Differing(NamedTuple):
    """What lies between the documents and the working tree: files to look at, all of them if `is_anew`.

    `settings` are those by which they are cut.
    """

    suspects: Sequence[WorkingFile]
    files: Chosen
    settings: object
    is_anew: bool


def chosen(kernel: Kernel, typed: Sequence[str], known: Collection[str]) -> Chosen:
    """Return what is to be read of the documents, by what somebody names: paths, directories or globs.

    Without any these are all that git tracks and no setting excludes, and of the known ones those that are `kept`.
    """
    checkout = kernel.checkout
    tracked = {file.path: file for file in checkout.list_documents(format_of)}
    last = AnalysisStore(kernel.database).last(ANALYSIS)
    kept = last.options.get("kept", known) if last else known  # earlier versions did not note which they keep
    by_name: set[str] = set()
    found = set(known)
    if not typed:
        asked = tracked.keys() | found.intersection(kept)
        matcher = PathMatcher(asked)
        asked -= {path for one in kernel.config.texts("documents.exclude") for path in matcher.matching(one)}
    else:
        matcher = PathMatcher(tracked.keys() | set(known))
        found = set()
        for one in typed:
            path = checkout.tree.existing(one)
            if path is None or checkout.tree.is_directory(path):
                pattern = one if path is None else "**" if path == "." else f"/{path}/**"
                several = set(matcher.matching(pattern))
                if path is None:
                    several |= {candidate for candidate in checkout.tree.candidates(one) if candidate in matcher}
                if not several:
                    raise NotFound(
                        f"'{one}' names no document here.",
                        hint="What git does not track yet is to be named file by file.",
                        candidates=matcher.nearest(one),
                    )
                found |= several
            elif format_of(path) is None:
                kinds = "Markdown, reStructuredText or plain text"
                raise UsageError(f"{path} is not {kinds} by its name.", hint="Rename it, or leave it out.")
            elif path not in tracked and (why := checkout.tree.why_foreign(path)):
                raise UsageError(f"{path} is no part of the project: {why}.")
            else:
                by_name.add(path)
        asked = found | by_name
    there = {file.path: file for file in working_files(checkout.tree.root, sorted(asked - tracked.keys()), no_report)}
    there |= {path: tracked[path] for path in asked.intersection(tracked)}
    if irregular := by_name - there.keys():
        raise UsageError(f"{min(irregular)} is no regular file.", hint="Name the file that a link leads to.")
    gone = sorted(found.intersection(known) - there.keys())
    kept = sorted({*by_name, *kept}.difference(tracked, gone))
    return Chosen([there[path] for path in sorted(there)], gone, by_name, kept)


Fresh = tuple[DocumentRow, DocumentDraft]
"""A document that was read just now, as it is to be stored."""


class Writing:
    """Writes documents, many at once. What hangs on documents that are `leaving` may be taken over by these.

    What none of them takes over is removed at the end. `links` are those of all that was written: where they lead is
    found out when all documents are there. So are `statements`, and `decisions`, sections with the decisions that they
    are part of.
    """

    def __init__(self, database: Database, leaving: Collection[NodeId]) -> None:
        self.links: list[SectionLink] = []
        self.statements: list[StatementRow] = []
        self.decisions: list[tuple[NodeId, NodeId]] = []
        self._database = database
        rows = list(chain.from_iterable(SectionStore(database).of_documents(leaving).values()))
        loose = (Known(row.node, "", row.content_hash, is_loose=True) for row in rows if row.parent is not None)
        self._loose = {one.node: one for one in loose}
        chunks = ChunkStore(database).of_sections([row.node for row in rows])
        self._loose_chunks = {number: digest for number, _, digest in chunks}
        self._gone: list[NodeId] = []
        self._gone_chunks: list[int] = []

    def write(self, documents: Sequence[Fresh], *, known: Collection[NodeId]) -> int:
        """Write documents, of which some are known; return how many sections are as they were. Needs a transaction."""
        database = self._database
        before = SectionStore(database).of_documents(known) if known else {}
        matches = self._matched(documents, before)
        every = [pair for pairs in matches for pair in pairs]
        renamed = {old.node: draft.key for draft, old in every if old and old.key != draft.key}
        # A section that is on its way out must not hold on to a name that another one takes.
        leaving = {node: f"\x01{node}" for node in self._gone}
        names = SectionStore(database).named(renamed | leaving, [draft.key for draft, old in every if old is None])
        nodes = [
            [row.node, *(old.node if old else names[section.key] for section, old in pairs)]
            for (row, _), pairs in zip(documents, matches, strict=True)
        ]
        DocumentStore(database).save(row for row, _ in documents)
        SectionStore(database).save(
            one._replace(node=node, document=row.node, parent=None if one.parent is None else own[one.parent])
            for (row, draft), own in zip(documents, nodes, strict=True)
            for node, (_, one, *_) in zip(own, draft.sections, strict=True)
        )
        for (row, draft), own in zip(documents, nodes, strict=True):
            self.links += (
                SectionLink(node, position, row.path, link.kind, link.target, link.text, link.predicate, link.line)
                for node, section in zip(own, draft.sections, strict=True)
                for position, link in enumerate(section.links)
            )
            self.statements += (
                StatementRow(row.node, position, own[said.section], *said[1:])
                for position, said in enumerate(draft.statements)
            )
            self.decisions += ((own[place], own[decision]) for place, decision in draft.decisions)
        self._write_chunks(documents, nodes, before)
        return sum(1 for draft, old in every if old and old.content_hash == draft.row.content_hash)

    def finish(self) -> None:
        """Remove what no document has any more. Needs a transaction."""
        gone_chunks = [*self._gone_chunks, *self._loose_chunks]
        VectorStore(self._database, CHUNKS).forget(gone_chunks)
        ChunkStore(self._database).remove(gone_chunks)
        SectionStore(self._database).remove([*self._gone, *self._loose])

    def _matched(
        self, documents: Sequence[Fresh], before: Mapping[NodeId, Sequence[SectionRow]]
    ) -> list[list[tuple[SectionDraft, Known | None]]]:
        """Return the sections of each document but itself, with which each was before; note those that are none now."""
        keys = NodeStore(self._database).describe([one.node for rows in before.values() for one in rows])
        every = []
        for row, draft in documents:
            rows = [one for one in before.get(row.node, ()) if one.parent is not None]
            known = [Known(one.node, keys[one.node][1], one.content_hash) for one in rows]
            sections = draft.sections[1:]
            wanted = [(one.key, one.row.content_hash) for one in sections]
            found = matched(wanted, [*known, *self._loose.values()]) if known or self._loose else [None] * len(wanted)
            claimed = {one.node for one in found if one is not None}
            self._gone += [one.node for one in known if one.node not in claimed]
            for node in claimed.intersection(self._loose):
                del self._loose[node]
            every.append(list(zip(sections, found, strict=True)))
        return every

    def _write_chunks(
        self,
        documents: Sequence[Fresh],
        nodes: Sequence[Sequence[NodeId]],
        before: Mapping[NodeId, Sequence[SectionRow]],
    ) -> None:
        """Keep the chunks that say what they said, wherever they are now, and note which no section has any more."""
        homes = {row.node: document for document, rows in before.items() for row in rows}
        free: dict[NodeId, defaultdict[str, deque[int]]] = {one: defaultdict(deque) for one in before}
        own = ChunkStore(self._database).of_sections(list(homes))
        for number, home, digest in own:
            free[homes[home]][digest].append(number)
        loose: defaultdict[str, deque[int]] = defaultdict(deque)
        for number, digest in self._loose_chunks.items():
            loose[digest].append(number)
        moved: list[tuple[int, NodeId, int]] = []
        taken_over: list[tuple[int, ChunkRow]] = []
        new: list[ChunkRow] = []
        for (row, draft), sections in zip(documents, nodes, strict=True):
            mine: Mapping[str, deque[int]] = free.get(row.node, {})
            for node, section in zip(sections, draft.sections, strict=True):
                for chunk in section.chunks:
                    if same := mine.get(chunk.content_hash):
                        moved.append((same.popleft(), node, chunk.position))
                    elif same := loose.get(chunk.content_hash):
                        taken_over.append((same.popleft(), chunk._replace(section=node)))
                    else:
                        new.append(chunk._replace(section=node))
        moved += ((number, chunk.section, chunk.position) for number, chunk in taken_over)
        ChunkStore(self._database).move(moved)
        ChunkStore(self._database).reword(taken_over)
        ChunkStore(self._database).add(new)
        taken = {number for number, _, _ in moved}
        self._gone_chunks += [number for number, _, _ in own if number not in taken]
        for number, _ in taken_over:
            del self._loose_chunks[number]


def _forget(database: Database, paths: Collection[str]) -> None:
    """Forget documents with all that hangs on them. Needs a transaction."""
    nodes = [row.node for row in DocumentStore(database).by_paths(paths).values()]
    Writing(database, nodes).finish()
    SectionEdgeStore(database).replace(nodes, ())
    SectionStore(database).remove(nodes)
    DocumentStore(database).remove(nodes)


class _Changed(NamedTuple):
    """A file that says something new; `digest` is the SHA-256 of its content."""

    file: WorkingFile
    digest: str
    text: str


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What has been done so far. `touched` documents say what they said, whatever their time stamps are."""

    changed: list[NodeId] = field(default_factory=list)
    touched: list[tuple[NodeId, int]] = field(default_factory=list)
    refused: list[tuple[str, int, int, str]] = field(default_factory=list)
    links: list[SectionLink] = field(default_factory=list)
    kept: int = 0


class Ingesting:
    """Reads documents into the graph."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database

    def differing(self, paths: Sequence[str] = (), *, force: bool = False) -> Differing:
        """Return what has to be looked at of the documents that are tracked or known, or that paths or globs name."""
        _, cutting = crew(self._kernel)
        settings = {**cutting, "version": VERSION}
        found = AnalysisStore(self._database).last(ANALYSIS)
        stamps = DocumentStore(self._database).stamps()
        files = chosen(self._kernel, paths, stamps)
        is_anew = force or (found is not None and found.options.get("settings") != settings)
        suspects = [file for file in files.files if is_anew or stamps.get(file.path) != (file.size, file.mtime_ns)]
        # What only some documents were cut by is not how all of them are.
        used = found.options.get("settings") if paths and found else settings
        return Differing(suspects, files, used, is_anew)

    def run(self, paths: Sequence[str] = (), *, force: bool = False, progress: Progress = no_progress) -> IngestReport:
        """Bring documents up to date: those that are tracked or known, or only those that the paths or globs name.

        `force` reads unchanged documents too. An interrupted run leaves everything as it was.
        """
        return self.take_in(self.differing(paths, force=force), progress=progress)

    def take_in(self, differing: Differing, *, progress: Progress = no_progress) -> IngestReport:
        """Take in what differs, and what follows from files that came or went for what documents point at."""
        database = self._database
        linking, mentions = Linking(database), Mentions(database)
        crew_, _ = crew(self._kernel)
        suspects, files, used, again = differing
        found = AnalysisStore(database).last(ANALYSIS)
        last = found.options if found else None
        state = DocumentStore(database).readable_state()
        before = last and (last.get("files"), last.get("kept"))
        if not suspects and not files.gone and before == (state, files.kept):
            mentions.catch_up()
            take_in_shared(self._kernel)
            return self._report(files, _Tally())
        with uncollected(), database.transaction():
            tally = self._take_in(crew_, suspects, files.gone, again=again, progress=progress)
            names = linking.names()
            is_known = last is not None and (last.get("files"), last.get("names")) == (state, names)
            linked = linking.refresh(tally.changed, tally.links, alone=is_known)
            Stating(self._kernel).refresh(tally.changed, alone=is_known)
            mentions.refresh(thorough=not is_known)
            options = {"settings": used, "files": state, "names": names, "kept": files.kept}
            run = AnalysisRun(name=ANALYSIS, finished_at=self._kernel.now(), head=None, options=options)
            AnalysisStore(database).record(run)
            if words_are_there(self._kernel):  # sections came back, or are called otherwise
                settle_by_hand(self._kernel)
        take_in_shared(self._kernel)
        return self._report(files, tally, linked=linked, removed=len(files.gone))

    def _take_in(
        self,
        crew_: DraftingCrew,
        suspects: Sequence[WorkingFile],
        gone: Sequence[str],
        *,
        again: bool,
        progress: Progress,
    ) -> _Tally:
        """Write what changed, and forget what is gone; sections of what is gone may live on in what has come."""
        database = self._database
        tally = _Tally()
        known = DocumentStore(database).by_paths([file.path for file in suspects])
        writing = Writing(database, [row.node for row in DocumentStore(database).by_paths(gone).values()])
        for group in _drafted(crew_, self._changed(suspects, {} if again else known, tally, progress)):
            nodes = NodeStore(database).ensure(NodeKind.FILE, [one.file.path for one, _ in group])
            fresh = []
            for (file, digest, _), draft in group:
                said = (draft.format, draft.problems, draft.aliases)
                stamp = trusted_mtime(file.mtime_ns)
                row = DocumentRow(nodes[file.path], file.path, draft.title, file.size, stamp, digest, *said)
                fresh.append((row, draft))
            tally.kept += writing.write(fresh, known=[row.node for row, _ in fresh if row.path in known])
            tally.changed += [row.node for row, _ in fresh]
        writing.finish()
        tally.links = writing.links
        StatementStore(database).replace(tally.changed, writing.statements, writing.decisions)
        _forget(database, [*gone, *(path for path, *_ in tally.refused)])
        DocumentStore(database).forget_unread([*gone, *(file.path for file in suspects)])
        DocumentStore(database).note_unread(tally.refused)
        DocumentStore(database).touch(tally.touched)
        return tally

    def _changed(
        self, files: Sequence[WorkingFile], known: Mapping[str, DocumentRow], tally: _Tally, progress: Progress
    ) -> Iterator[_Changed]:
        """Yield the files that do not say what they said; of the others only the time stamp is noted."""
        for done, file in enumerate(files, start=1):
            content = self._kernel.checkout.tree.read_listed(file.path) if file.size <= LARGEST else b""
            before = known.get(file.path)
            if problem := _why_unread(file, content):
                tally.refused.append((file.path, file.size, file.mtime_ns, problem))
            elif content is not None:
                digest = hashlib.sha256(content).hexdigest()
                if before is not None and before.content_hash == digest:
                    tally.touched.append((before.node, trusted_mtime(file.mtime_ns)))
                else:
                    yield _Changed(file, digest, content.decode("utf-8-sig"))
            if done % _REPORT_EVERY == 0 or done == len(files):
                progress(done, len(files))

    def _report(self, files: Chosen, tally: _Tally, *, linked: int = 0, removed: int = 0) -> IngestReport:
        database = self._database
        asked = {file.path for file in files.files}
        refused = {path: problem for path, problem in DocumentStore(database).unread().items() if path in asked}
        return IngestReport(
            **DocumentStore(database).sizes(),
            read=len(tally.changed),
            removed=removed,
            kept=tally.kept,
            linked=linked,
            refused=(*refused.items(), *problems(self._kernel)),
            named=tuple(sorted(path for path in files.named if path in refused)),
            broken=tuple(link for link in SectionLinkStore(database).problems() if link.document in asked),
        )


def _why_unread(file: WorkingFile, content: bytes | None) -> str:
    """Return, as a sentence's end, why a file is not read as a document; empty when it is."""
    if file.size > LARGEST:
        return f"is larger than {LARGEST // 1_000_000} MB"
    if content is None:
        return "cannot be read"
    if b"\0" in content:
        return "is binary"
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f"is not UTF-8 (line {line})"
    return ""


def _drafted(crew_: DraftingCrew, files: Iterable[_Changed]) -> Iterator[list[tuple[_Changed, DocumentDraft]]]:
    """Yield files, their texts left out, with their drafts: as many at a time as are written at once."""
    asked: deque[_Changed] = deque()

    def texts() -> Iterator[Text]:
        for one in files:
            asked.append(one._replace(text=""))
            yield Text(one.file.path, one.text)

    group: list[tuple[_Changed, DocumentDraft]] = []
    size = 0
    for draft in crew_.drafts(texts()):
        group.append((asked.popleft(), draft))
        size += group[-1][0].file.size
        if size > _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


def prune(kernel: Kernel) -> DocumentPruning:
    """Remove documents without a file, edges without ends, and what was said of texts that changed."""
    database = kernel.database
    with kernel.database.transaction():
        gone = [path for path in DocumentStore(database).nodes() if not kernel.checkout.tree.exists(path)]
        _forget(database, gone)
        edges = SectionEdgeStore(database).prune()
        Linking(kernel.database).write_outdated()
        if gone:
            Stating(kernel).refresh((), alone=False)
            Mentions(database).refresh(thorough=True)
        return DocumentPruning(
            documents=len(gone),
            edges=edges,
            nodes=SectionStore(database).prune_nodes(),
            vectors=VectorStore(database, CHUNKS).prune(),
        )
