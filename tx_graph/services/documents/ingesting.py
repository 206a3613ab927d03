"""Keeps documents, their sections and what these point at equal to the working tree, reading only what changed."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tx_graph.codebase.repository import WorkingFile
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.documents.choosing import Choosing, Chosen
from tx_graph.services.documents.crew import DraftingCrew, Text
from tx_graph.services.documents.drafting import VERSION, DocumentDraft
from tx_graph.services.documents.linking import Linking
from tx_graph.services.documents.values import ANALYSIS, IngestReport
from tx_graph.services.documents.writing import Fresh, Loose, Writing, forget
from tx_graph.services.mentions import Mentions
from tx_graph.services.stamps import iso, trusted_mtime
from tx_graph.services.statements import Stating
from tx_graph.services.uncollected import uncollected
from tx_graph.storage.analyses import AnalysisRun
from tx_graph.storage.documents import DocumentRow, UnreadDocument
from tx_graph.storage.section_links import SectionLink
from tx_graph.storage.stores import Stores

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


def _groups(
    documents: Iterable[tuple[_Changed, DocumentDraft]],
) -> Iterator[list[tuple[_Changed, DocumentDraft]]]:
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
