"""Removes what no document holds any more."""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.ports import Clock, Progress, no_progress
from tx_graph.core.processes import uncollected
from tx_graph.core.repository import WorkingFile, no_report, working_files
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import WorkingTree, iso, trusted_mtime
from tx_graph.documents.chunk_store import ChunkRow
from tx_graph.documents.drafting import (
    VERSION,
    ChunkDraft,
    DocumentDraft,
    DraftingCrew,
    Known,
    SectionDraft,
    Text,
    matched,
)
from tx_graph.documents.edge_store import SectionLink
from tx_graph.documents.formats import format_of
from tx_graph.documents.links import Linking
from tx_graph.documents.statement_store import StatementRow
from tx_graph.documents.stating import Stating
from tx_graph.documents.store import DocumentRow, SectionRow, UnreadDocument
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import AnalysisRun
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.mentions import Mentions

ANALYSIS = "documents"
"""What reading documents is called among analyses."""


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
class DocumentPruning:
    """What was removed because nothing holds it any more."""

    documents: int
    edges: int
    nodes: int
    vectors: int


_KINDS = "Markdown, reStructuredText or plain text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The files to look at, and the known documents that are no longer among those there should be.

    `named` are the files that somebody asked for by name.
    """

    files: Sequence[WorkingFile]
    gone: Sequence[str]
    named: Collection[str] = ()


class Choosing:
    """Chooses documents among the tracked files, or as somebody names them."""

    def __init__(
        self, *, tree: WorkingTree, tracked: Callable[[], Iterable[WorkingFile]], exclude: Sequence[str]
    ) -> None:
        self._tree = tree
        self._tracked = tracked
        self._exclude = exclude

    def standard(self, known: Collection[str]) -> Chosen:
        """Return every tracked document that no setting excludes, and those known ones that nobody tracks but exist."""
        files = {file.path: file for file in self._tracked() if format_of(file.path)}
        files |= {file.path: file for file in self._listed(path for path in known if path not in files)}
        matcher = PathMatcher(files)
        for pattern in self._exclude:
            for path in matcher.matching(pattern):
                files.pop(path, None)
        return Chosen(files=[files[path] for path in sorted(files)], gone=sorted(set(known) - files.keys()))

    def named(self, typed: Sequence[str], known: Collection[str]) -> Chosen:
        """Return what somebody asks for: documents by their paths, all below a directory, or all that globs match.

        Raises:
            NotFound: A path or glob names nothing.
            UsageError: A path leads out of the repository, or to a file that is no document.
        """
        tracked = {file.path: file for file in self._tracked() if format_of(file.path)}
        matcher = PathMatcher(set(tracked).union(known))
        by_name: set[str] = set()
        found: set[str] = set()
        for one in typed:
            path = self._tree.existing(one)
            if path is None or self._tree.is_directory(path):
                found |= self._many(one, path, matcher)
            else:
                by_name.add(self._document(path))
        asked = found | by_name
        files = {file.path: file for file in self._listed(path for path in asked if path not in tracked)}
        files |= {path: tracked[path] for path in asked if path in tracked}
        if irregular := by_name - files.keys():
            raise UsageError(f"{min(irregular)} is no regular file.", hint="Name the file that a link leads to.")
        gone = sorted(found.intersection(known) - files.keys())
        return Chosen(files=[files[path] for path in sorted(files)], gone=gone, named=by_name)

    def _many(self, typed: str, directory: str | None, matcher: PathMatcher) -> set[str]:
        pattern = typed.removeprefix("./") if directory is None else "**" if directory == "." else f"/{directory}/**"
        found = set(matcher.matching(pattern))
        if directory is None:
            found |= {path for path in self._tree.candidates(typed) if path in matcher}
        if not found:
            raise NotFound(
                f"'{typed}' names no document here.",
                hint="What git does not track yet is to be named file by file.",
                candidates=matcher.nearest(typed),
            )
        return found

    def _document(self, path: str) -> str:
        if format_of(path) is None:
            raise UsageError(f"{path} is not {_KINDS} by its name.", hint="Rename it, or leave it out.")
        if why := self._tree.why_foreign(path):
            raise UsageError(f"{path} is no part of the project: {why}.")
        return path

    def _listed(self, paths: Iterable[str]) -> Iterator[WorkingFile]:
        return working_files(self._tree.root, sorted(paths), no_report)


_Known = Mapping[NodeId, Sequence[SectionRow]]


class Fresh(NamedTuple):
    """A document that was read just now, as it is to be stored."""

    row: DocumentRow
    draft: DocumentDraft


class _Named(NamedTuple):
    """A document with the section of before that each of its sections but itself is, None for a new one."""

    fresh: Fresh
    found: Sequence[Known | None]

    def pairs(self) -> Iterator[tuple[SectionDraft, Known | None]]:
        return zip(self.fresh.draft.sections[1:], self.found, strict=True)


@dataclass(slots=True, kw_only=True)
class Loose:
    """Sections and chunks of documents that are gone, by node and number: others may take them over."""

    sections: dict[NodeId, Known] = field(default_factory=dict)
    chunks: dict[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, stores: Stores, documents: Collection[NodeId]) -> Self:
        """Return what hangs on some documents; these themselves are files, and stay."""
        rows = [row for every in stores.sections.of_documents(documents).values() for row in every]
        return cls(
            sections={
                row.node: Known(row.node, "", row.content_hash, is_loose=True) for row in rows if row.parent is not None
            },
            chunks={number: digest for number, _, digest in stores.chunks.of_sections([row.node for row in rows])},
        )


class Writing:
    """Writes documents, many at once; what none of them takes over is removed at the end.

    `links` are those of all that was written: where they lead is found out when all documents are there. So are
    `statements`, and `decisions`, sections with the decisions that they are part of.
    """

    def __init__(self, stores: Stores, loose: Loose) -> None:
        self.links: list[SectionLink] = []
        self.statements: list[StatementRow] = []
        self.decisions: list[tuple[NodeId, NodeId]] = []
        self._stores = stores
        self._loose = loose
        self._gone: list[NodeId] = []
        self._gone_chunks: list[int] = []

    def write(self, documents: Sequence[Fresh], *, known: Collection[NodeId]) -> int:
        """Write documents, of which some are known; return how many sections are as they were. Needs a transaction."""
        before = self._stores.sections.of_documents(known) if known else {}
        named = self._matched(documents, before)
        nodes = self._nodes(named)
        self._stores.documents.save(row for row, _ in documents)
        self._stores.sections.save(
            section
            for (row, draft), own in zip(documents, nodes, strict=True)
            for section in _rows(row.node, draft.sections, own)
        )
        self.links += _links(documents, nodes)
        for (row, draft), own in zip(documents, nodes, strict=True):
            self.statements += _statements(row.node, draft, own)
            self.decisions += ((own[place], own[decision]) for place, decision in draft.decisions)
        self._write_chunks(documents, nodes, before)
        return sum(1 for one in named for draft, old in one.pairs() if old and old.content_hash == draft.content_hash)

    def finish(self) -> None:
        """Remove what no document has any more. Needs a transaction."""
        stores = self._stores
        gone_chunks = [*self._gone_chunks, *self._loose.chunks]
        stores.chunk_vectors.forget(gone_chunks)
        stores.chunks.remove(gone_chunks)
        stores.sections.remove([*self._gone, *self._loose.sections])
        self._loose, self._gone, self._gone_chunks = Loose(), [], []

    def _matched(self, documents: Sequence[Fresh], before: _Known) -> list[_Named]:
        """Find for each section which it was before, and note those that are none any more."""
        keys = self._stores.nodes.describe([one.node for rows in before.values() for one in rows])
        named = []
        for fresh in documents:
            rows = [row for row in before.get(fresh.row.node, ()) if row.parent is not None]
            known = [Known(row.node, keys[row.node][1], row.content_hash) for row in rows]
            wanted = [(one.key, one.content_hash) for one in fresh.draft.sections[1:]]
            found = matched(wanted, [*known, *self._loose.sections.values()]) if known or self._loose.sections else ()
            claimed = {one.node for one in found if one is not None}
            self._gone += [one.node for one in known if one.node not in claimed]
            for node in claimed.intersection(self._loose.sections):
                del self._loose.sections[node]
            named.append(_Named(fresh, found or [None] * len(wanted)))
        return named

    def _nodes(self, named: Sequence[_Named]) -> list[list[NodeId]]:
        """Return the nodes of the sections of each document; new sections get theirs, renamed ones their new names."""
        every = [pair for one in named for pair in one.pairs()]
        renamed = {old.node: draft.key for draft, old in every if old and old.key != draft.key}
        # A section that is on its way out must not hold on to a name that another one takes.
        leaving = {node: f"\x01{node}" for node in self._gone}
        names = self._stores.sections.named(renamed | leaving, [draft.key for draft, old in every if old is None])
        return [
            [one.fresh.row.node, *(old.node if old else names[draft.key] for draft, old in one.pairs())]
            for one in named
        ]

    def _write_chunks(self, documents: Sequence[Fresh], nodes: Sequence[Sequence[NodeId]], before: _Known) -> None:
        """Keep the chunks that say what they said, wherever they are now, and note which no section has any more."""
        homes = {row.node: document for document, rows in before.items() for row in rows}
        free: dict[NodeId, defaultdict[str, deque[int]]] = {one: defaultdict(deque) for one in before}
        own = self._stores.chunks.of_sections(list(homes))
        for number, section, digest in own:
            free[homes[section]][digest].append(number)
        loose: defaultdict[str, deque[int]] = defaultdict(deque)
        for number, digest in self._loose.chunks.items():
            loose[digest].append(number)
        moved: list[tuple[int, NodeId, int]] = []
        taken_over: list[tuple[int, ChunkRow]] = []
        new: list[ChunkRow] = []
        for (row, draft), sections in zip(documents, nodes, strict=True):
            mine: Mapping[str, deque[int]] = free.get(row.node, {})
            for node, position, chunk in _placed(draft, sections):
                if same := mine.get(chunk.content_hash):
                    moved.append((same.popleft(), node, position))
                elif same := loose.get(chunk.content_hash):
                    number = same.popleft()
                    moved.append((number, node, position))
                    taken_over.append((number, _chunk(node, position, chunk)))
                else:
                    new.append(_chunk(node, position, chunk))
        self._stores.chunks.move(moved)
        self._stores.chunks.reword(taken_over)
        self._stores.chunks.add(new)
        taken = {number for number, _, _ in moved}
        self._gone_chunks += [number for number, _, _ in own if number not in taken]
        for number, _ in taken_over:
            del self._loose.chunks[number]


def forget(stores: Stores, paths: Collection[str]) -> None:
    """Forget documents with all that hangs on them. Needs a transaction."""
    nodes = [row.node for row in stores.documents.by_paths(paths).values()]
    Writing(stores, Loose.of(stores, nodes)).finish()
    stores.section_edges.replace(nodes, ())
    stores.sections.remove(nodes)
    stores.documents.remove(nodes)


def _placed(draft: DocumentDraft, nodes: Sequence[NodeId]) -> Iterator[tuple[NodeId, int, ChunkDraft]]:
    """Yield each chunk of a document with its section and its position there."""
    for node, section in zip(nodes, draft.sections, strict=True):
        for position, chunk in enumerate(section.chunks):
            yield node, position, chunk


def _chunk(node: NodeId, position: int, chunk: ChunkDraft) -> ChunkRow:
    return ChunkRow(
        section=node,
        position=position,
        content_hash=chunk.content_hash,
        headings=chunk.headings,
        text=chunk.text,
        headings_words=chunk.words_above,
        words=chunk.words,
    )


def _links(documents: Sequence[Fresh], nodes: Sequence[Sequence[NodeId]]) -> Iterable[SectionLink]:
    return (
        SectionLink(node, position, row.path, link.kind, link.target, link.text, link.predicate, link.line)
        for (row, draft), own in zip(documents, nodes, strict=True)
        for node, section in zip(own, draft.sections, strict=True)
        for position, link in enumerate(section.links)
    )


def _statements(document: NodeId, draft: DocumentDraft, nodes: Sequence[NodeId]) -> Iterable[StatementRow]:
    return (
        StatementRow(document, position, nodes[place], predicate, value, confidence)
        for position, (place, predicate, value, confidence) in enumerate(draft.statements)
    )


def _rows(document: NodeId, sections: Sequence[SectionDraft], nodes: Sequence[NodeId]) -> Iterator[SectionRow]:
    for position, (node, draft) in enumerate(zip(nodes, sections, strict=True)):
        yield SectionRow(
            node=node,
            document=document,
            parent=None if draft.parent is None else nodes[draft.parent],
            position=position,
            part=draft.part,
            level=draft.level,
            title=draft.title,
            slug=draft.slug,
            labels=draft.labels,
            line_start=draft.line_start,
            line_end=draft.line_end,
            content_hash=draft.content_hash,
            text=draft.text,
        )


LARGEST = 50_000_000
"""Bytes of a document that is read."""
_REPORT_EVERY = 20
_LINE_END = b"\n"
_GROUP = 1_000_000
"""Bytes of documents that are written at once: statements cost less in bulk, and memory is bounded."""


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
    refused: list[UnreadDocument] = field(default_factory=list)
    links: list[SectionLink] = field(default_factory=list)
    kept: int = 0


class Ingesting:
    """Reads documents into the graph.

    `settings` are what the way of cutting depends on: with others than the last time all documents are read again.
    """

    def __init__(
        self,
        *,
        stores: Stores,
        tree: WorkingTree,
        choosing: Choosing,
        crew: DraftingCrew,
        settings: Mapping[str, object],
        clock: Clock,
    ) -> None:
        self._stores = stores
        self._tree = tree
        self._choosing = choosing
        self._crew = crew
        self._settings = dict(settings) | {"version": VERSION}
        self._clock = clock
        self._linking = Linking(stores)
        self._stating = Stating(stores, clock)
        self._mentions = Mentions(stores)

    def run(self, paths: Sequence[str] = (), *, force: bool = False, progress: Progress = no_progress) -> IngestReport:
        """Bring documents up to date: those that are tracked or known, or only those that the paths or globs name.

        `force` reads unchanged documents too. An interrupted run leaves everything as it was.

        Raises:
            NotFound: A path or glob names nothing.
            UsageError: A path leads out of the repository, or to a file that is no document.
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        last = self._last_run()
        stamps = self._stores.documents.stamps()
        chosen = self._choosing.named(paths, stamps) if paths else self._choosing.standard(stamps)
        is_new_way = last is not None and last.get("settings") != self._settings
        suspects = [
            file for file in chosen.files if force or is_new_way or stamps.get(file.path) != (file.size, file.mtime_ns)
        ]
        state = self._stores.documents.readable_state()
        if not suspects and not chosen.gone and last is not None and last.get("files") == state:
            self._mentions.catch_up()
            return self._report(chosen, _Tally())
        with uncollected(), self._stores.database.transaction():
            tally = self._take_in(suspects, chosen.gone, again=force or is_new_way, progress=progress)
            names = self._linking.names()
            is_known = last is not None and (last.get("files"), last.get("names")) == (state, names)
            linked = self._linking.refresh(tally.changed, tally.links, alone=is_known)
            self._stating.refresh(tally.changed, alone=is_known)
            self._mentions.refresh(thorough=not is_known)
            # What only some documents were cut by is not how all of them are.
            settings = last.get("settings") if paths and is_new_way and last else self._settings
            self._record({"settings": settings, "files": state, "names": names})
        return self._report(chosen, tally, linked=linked, removed=len(chosen.gone))

    def _take_in(
        self, suspects: Sequence[WorkingFile], gone: Sequence[str], *, again: bool, progress: Progress
    ) -> _Tally:
        """Write what changed, and forget what is gone; sections of what is gone may live on in what has come."""
        documents = self._stores.documents
        tally = _Tally()
        known = documents.by_paths([file.path for file in suspects])
        writing = Writing(self._stores, self._loose(gone))
        changed = self._changed(self._read(suspects, tally, progress), known, tally, again=again)
        for group in _groups(self._drafted(changed)):
            fresh = self._fresh(group)
            rows = [one.row for one in fresh]
            tally.kept += writing.write(fresh, known=[row.node for row in rows if row.path in known])
            tally.changed += [row.node for row in rows]
        writing.finish()
        tally.links = writing.links
        self._stores.statements.replace(tally.changed, writing.statements, writing.decisions)
        forget(self._stores, [*gone, *(file.path for file in tally.refused)])
        documents.forget_unread([*gone, *(file.path for file in suspects)])
        documents.note_unread(tally.refused)
        documents.touch(tally.touched)
        return tally

    def _changed(
        self,
        files: Iterable[tuple[WorkingFile, bytes]],
        known: Mapping[str, DocumentRow],
        tally: _Tally,
        *,
        again: bool,
    ) -> Iterator[_Changed]:
        """Yield the files that do not say what they said; of the others only the time stamp is noted."""
        for file, content in files:
            digest = hashlib.sha256(content).hexdigest()
            before = known.get(file.path)
            if before is not None and before.content_hash == digest and not again:
                tally.touched.append((before.node, trusted_mtime(file.mtime_ns)))
            else:
                yield _Changed(file, digest, content.decode("utf-8-sig"))

    def _drafted(self, files: Iterable[_Changed]) -> Iterator[tuple[_Changed, DocumentDraft]]:
        asked: deque[_Changed] = deque()

        def texts() -> Iterator[Text]:
            for one in files:
                asked.append(one._replace(text=""))
                yield Text(one.file.path, one.text)

        for draft in self._crew.drafts(texts()):
            yield asked.popleft(), draft

    def _fresh(self, group: Sequence[tuple[_Changed, DocumentDraft]]) -> list[Fresh]:
        nodes = self._stores.nodes.ensure(NodeKind.FILE, [one.file.path for one, _ in group])
        return [Fresh(_row(one.file, nodes[one.file.path], draft, one.digest), draft) for one, draft in group]

    def _read(
        self, files: Sequence[WorkingFile], tally: _Tally, progress: Progress
    ) -> Iterator[tuple[WorkingFile, bytes]]:
        for done, file in enumerate(files, start=1):
            content = self._tree.read_listed(file.path) if file.size <= LARGEST else b""
            if problem := _why_unread(file, content):
                tally.refused.append(
                    UnreadDocument(path=file.path, size=file.size, mtime_ns=file.mtime_ns, problem=problem)
                )
            elif content is not None:
                yield file, content
            if done % _REPORT_EVERY == 0 or done == len(files):
                progress(done, len(files))

    def _loose(self, gone: Collection[str]) -> Loose:
        """Return the sections of documents that are gone."""
        documents = self._stores.documents.by_paths(gone)
        return Loose.of(self._stores, [row.node for row in documents.values()])

    def _last_run(self) -> Mapping[str, object] | None:
        last = self._stores.analyses.last(ANALYSIS)
        return None if last is None else last.options

    def _record(self, options: Mapping[str, object]) -> None:
        run = AnalysisRun(name=ANALYSIS, finished_at=iso(self._clock.now()), head=None, options=options)
        self._stores.analyses.record(run)

    def _report(self, chosen: Chosen, tally: _Tally, *, linked: int = 0, removed: int = 0) -> IngestReport:
        stores = self._stores
        unread = stores.documents.unread()
        asked = {file.path for file in chosen.files}
        refused = {path: problem for path, problem in unread.items() if path in asked}
        return IngestReport(
            documents=stores.documents.count(),
            sections=stores.sections.count(),
            chunks=stores.chunks.count(),
            read=len(tally.changed),
            removed=removed,
            kept=tally.kept,
            linked=linked,
            refused=tuple(refused.items()),
            named=tuple(sorted(path for path in chosen.named if path in refused)),
            broken=tuple(link for link in stores.section_links.problems() if link.document in asked),
        )


def _groups(documents: Iterable[tuple[_Changed, DocumentDraft]]) -> Iterator[list[tuple[_Changed, DocumentDraft]]]:
    group: list[tuple[_Changed, DocumentDraft]] = []
    size = 0
    for one, draft in documents:
        group.append((one, draft))
        size += one.file.size
        if size > _GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


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
        return f"is not UTF-8 (line {content[: error.start].count(_LINE_END) + 1})"
    return ""


def _row(file: WorkingFile, node: NodeId, draft: DocumentDraft, digest: str) -> DocumentRow:
    return DocumentRow(
        node=node,
        path=file.path,
        format=draft.format,
        title=draft.title,
        size=file.size,
        mtime_ns=trusted_mtime(file.mtime_ns),
        content_hash=digest,
        problems=draft.problems,
        aliases=draft.aliases,
    )


class Pruning:
    """Looks for orphans: documents without a file, edges without ends, and what was said of texts that changed."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, clock: Clock) -> None:
        self._stores = stores
        self._tree = tree
        self._clock = clock

    def run(self) -> DocumentPruning:
        """Remove orphans; return how many of each there were.

        Raises:
            StorageError: The database cannot be written.
        """
        stores = self._stores
        with stores.database.transaction():
            gone = [path for path in stores.documents.nodes() if not self._tree.exists(path)]
            forget(stores, gone)
            edges = stores.section_edges.prune()
            Linking(stores).write_outdated()
            if gone:
                Stating(stores, self._clock).refresh((), alone=False)
                Mentions(stores).refresh(thorough=True)
            return DocumentPruning(
                documents=len(gone),
                edges=edges,
                nodes=stores.sections.prune_nodes(),
                vectors=stores.chunk_vectors.prune(),
            )
