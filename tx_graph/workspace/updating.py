"""Takes in what changed a little since the last time, before a command reads: files, documents, commits, vectors."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tx_graph.context.freshness import asking
from tx_graph.core.database import Locked
from tx_graph.core.dataclass import replace
from tx_graph.core.errors import RepositoryError, StorageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import counted
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.vectors.embedding import SORTS, Embedding, Sort, bringing

# What reads files, documents and history is imported where it is used: most commands need but one of them.
if TYPE_CHECKING:
    from tx_graph.code.chunk_store import UnreadFile
    from tx_graph.core.repository import GitRepository, WorkingFile

_MOST_FILES, _MOST_BYTES = 200, 2_000_000
"""Files and documents that are read in passing, and their bytes together: about a second, of which one file has 10 ms.
What counts of one file is what may be read of it."""
_HEAD = 400_000
_MOST_COMMITS = 200  # that came, or left as HEAD went elsewhere: about half a second where they are large
_MOST_COUNTED = 40_000  # commits of which co-changes are counted anew, in a second
_MOST_READ = 8_000  # the same where all of them have to be read from git, as on another branch
_MOST_TEXTS = 24  # to embed, with the model that a question loads anyway; each takes 10 to 40 ms


class Updating:
    """Brings the graph up to date where that is little work, measured by files, bytes and commits.

    `told` says what was taken in, as one sentence, empty where there was nothing; `left` are sentences about what would
    take longer, apart from files and messages, whose own stores tell; `lacking` are those about vectors.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._taken: list[str] = []
        self.left: list[str] = []
        self._lacking: dict[Sort, int] = {}
        self._names_of = ""  # the state of files since when no name came or went

    @property
    def told(self) -> str:
        """What was taken in."""
        return f"Up to date first: {', '.join(self._taken)}." if self._taken else ""

    @property
    def notices(self) -> list[str]:
        """What is missing from an answer, with the command that brings it."""
        return [*asking(self.left), *self.lacking]

    @property
    def lacking(self) -> list[str]:
        """What has no vector."""
        if not self._lacking:
            return []
        what = ", ".join(f"{count:,} {SORTS[sort][1]}" for sort, count in self._lacking.items())
        return [f"Without a vector yet: {what}; run '{bringing(max(self._lacking.values()))}'."]

    def run(self, wanted: str, given: Mapping[str, Any]) -> None:
        """Take in what an operation wants, given its parameters (see `Operation.update`).

        Nothing is done where the setting is off or nothing was ever indexed; what cannot be written, or is being
        written by another process, stays as it is.
        """
        kernel, database = self._kernel, self._kernel.database
        always, _, walking = wanted.partition("|")
        what = [*always.split(), *(walking.split() if given.get("expand") or given.get("files") else [])]
        is_off = not what or database.read_only or database.is_temporary or kernel.config.get("update") != "auto"
        if is_off or AnalysisStore(database).last("index") is None:
            return
        try:
            with database.impatient():
                came_or_went = "files" in what and self._files()
                if "documents" in what:
                    self._documents()
                if "history" in what and kernel.checkout.askable:
                    self._history(kernel.checkout.askable, came_or_went=came_or_went)
                self._vectors(what)
        except Locked:
            self.left.append("Another process is writing, so what changed since may be missing.")
        except (StorageError, RepositoryError) as error:
            self.left.append(f"Not all could be brought up to date: {error.message}")

    def _files(self) -> bool:
        """Take in files and their words; return whether any came or went."""
        from tx_graph.code.chunks import refresh_chunks, unread_files
        from tx_graph.code.file_store import SymbolStore
        from tx_graph.code.indexing import Indexing
        from tx_graph.documents.store import DocumentStore

        indexing = self._kernel.one(Indexing)
        found = indexing.differing()
        came_or_went = False
        if found.is_anew:
            self.left.append("Files were read by another version of tx, or by other settings.")
        elif (found.changed or found.removed) and _is_little(found.changed, found.removed):
            paths = [file.path for file in found.changed]
            symbols, documents = SymbolStore(self._kernel.database), DocumentStore(self._kernel.database)
            names, state = symbols.names(paths), documents.readable_state()
            taken = indexing.take_in(found)
            rows = [(one.row, taken.known.get(one.row.path)) for one in taken.readings]
            others = [1 for new, old in rows if not old or (new.content_hash, new.size) != (old.content_hash, old.size)]
            came_or_went = bool(found.removed) or any(old is None for _, old in rows)
            self._tell(len(others) + len(found.removed), "file")
            self._names_of = "" if came_or_went or symbols.names(paths) != names else state
        unread = unread_files(self._kernel)
        if not _is_little(unread):
            self.left.append(f"The words of {len(unread):,} files were not read yet.")
        elif unread or came_or_went:
            refresh_chunks(self._kernel)
        return came_or_went

    def _documents(self) -> None:
        if not self._may_documents_differ():
            return
        from tx_graph.documents.ingesting import Ingesting

        ingesting = self._kernel.one(Ingesting)
        found = ingesting.differing()
        if found.is_anew or not _is_little(found.suspects, found.files.gone):
            differing = len(found.suspects) + len(found.files.gone)
            self.left.append(f"Documents are behind the working tree: {differing:,} of them have to be read.")
        else:
            report = ingesting.take_in(found)
            self._tell(report.read + report.removed, "document")

    def _may_documents_differ(self) -> bool:
        """Look whether there is anything to read, or other links to follow, without what reads documents (0.1 s)."""
        from tx_graph.core.repository import no_report, working_files
        from tx_graph.documents.document import ANALYSIS, VERSION, format_of
        from tx_graph.documents.store import DocumentStore

        database, config = self._kernel.database, self._kernel.config
        last, store = AnalysisStore(database).last(ANALYSIS), DocumentStore(database)
        settings = last.options["settings"] if last else {}
        is_same = (settings.get("chunking"), settings.get("version")) == (config.get("documents.chunking"), VERSION)
        if last is None or not is_same or config.texts("documents.exclude"):
            return True
        stamps, tree = store.stamps(), self._kernel.checkout.tree
        listed = {file.path: file for file in self._kernel.checkout.list_documents(format_of)}
        kept = (stamps.keys() - listed.keys()).intersection(last.options.get("kept", stamps))
        by_name = working_files(tree.root, sorted(kept), no_report)  # git tracks none of them
        found = listed | {file.path: file for file in by_name}
        if stamps != {path: (file.size, file.mtime_ns) for path, file in found.items()}:
            return True
        state, before = store.readable_state(), last.options["files"]
        if state != before and before == self._names_of:  # files changed, but no name that a link may lead to
            with database.transaction():
                AnalysisStore(database).record(replace(last, options={**last.options, "files": state}))
            return False
        return bool(state != before)

    def _history(self, repository: GitRepository, *, came_or_went: bool) -> None:
        from tx_graph.core.revisions import shape_of
        from tx_graph.history.commit_store import CommitStore

        store, tip = CommitStore(self._kernel.database), repository.tip()
        before, shape = store.state(), shape_of(repository, tip)
        is_other = before is not None and (tip.head, shape) != before[:2]
        if before is None or is_other:
            is_little = before is None or before.shape == shape
            apart = _apart(repository, before.head if before else None, tip.head) if is_little else None
            if apart is not None and apart <= _MOST_COMMITS:
                from tx_graph.history.evidence import refresh_messages

                report = refresh_messages(self._kernel)
                self._tell(report.read + report.left, "commit")
        elif came_or_went:
            store.follow_moves()
        if tip.head:
            self._cochanges(repository, tip.head, shape)

    def _cochanges(self, repository: GitRepository, head: str, shape: str) -> None:
        """Count co-changes anew as they were counted last, or as the settings have it where they never were."""
        from tx_graph.core.revisions import builds_on
        from tx_graph.history.cochanges import CoChangeAnalysis, CoChanges, kept_request, staleness
        from tx_graph.history.commit_store import HistoryStore

        database = self._kernel.database
        history, last = HistoryStore(database), AnalysisStore(database).last("cochanges")
        if last and last.options.get("since"):
            return  # of a part of history: whoever asks is told so
        is_old = bool(staleness(last, now=self._kernel.clock.now()))
        if last and last.head == head and not is_old:
            return
        stored = history.state()
        apart = _apart(repository, stored.head if stored else None, head)
        known, _ = history.counts(max_files=1)
        is_ahead = stored is not None and stored.shape == shape and builds_on(repository, head, stored.head)
        most = _MOST_COUNTED if is_ahead else _MOST_READ
        if apart is not None and apart <= (_MOST_COMMITS if stored else most) and known <= most:
            if last:
                self._kernel.one(CoChanges).run(kept_request(last.options))
            else:
                self._kernel.one(CoChangeAnalysis).analyze_cochanges()
        elif last:
            lag = "" if apart is None else f" {apart:,} commits came or went since."
            self.left.append(f"Co-changes are of another history than this one.{lag}")

    def _vectors(self, what: Collection[str]) -> None:
        embedding = self._kernel.one(Embedding)
        for sort in SORTS:
            if sort not in what or not embedding.available:
                continue
            if (lacking := embedding.lacking(sort)) > _MOST_TEXTS:
                self._lacking[sort] = lacking
            elif lacking and (problem := embedding.catch_up(sort).problem):
                self.left.append(problem)

    def _tell(self, count: int, thing: str) -> None:
        if count:
            self._taken.append(counted(count, thing))


def _is_little(files: Sequence[WorkingFile | UnreadFile], gone: Sequence[str] = ()) -> bool:
    size = sum(min(file.size, _HEAD) for file in files)
    return len(files) + len(gone) <= _MOST_FILES and size <= _MOST_BYTES


def _apart(repository: GitRepository, one: str | None, other: str | None) -> int | None:
    """Return how many commits only one of two builds on, of all where there is but one; None where git lost one."""
    from tx_graph.history.commits import number_apart

    try:
        return number_apart(repository, one, other)
    except RepositoryError:
        return None
