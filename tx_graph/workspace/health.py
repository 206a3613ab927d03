"""What the doctor says of telemetry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path

from tx_graph.code.freshness import Freshness, IndexFreshness
from tx_graph.code.parsing import why_unable
from tx_graph.context.freshness import (
    ANALYSE,
    INDEX,
    INGEST,
    cochange_notices,
    document_notices,
    first_of,
    index_notices,
    message_notices,
    narrowing,
    options_of,
)
from tx_graph.context.graph import Graph, GraphStats
from tx_graph.context.matching import Retrievers
from tx_graph.core.database import DamagedDatabase
from tx_graph.core.errors import RepositoryError, StorageError, TxError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Clock
from tx_graph.core.repository import GitRepository
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import ago
from tx_graph.documents.library import DocumentsHealth, DocumentsState
from tx_graph.history.cochanges import age_of, staleness
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts
from tx_graph.records.sync import AllRecords
from tx_graph.vectors.embedding import NO_EMBEDDER, Embedding, EmbeddingStatus

_FIX = "Run 'tx doctor --fix'."
_MOST_NAMED = 3
_TEMPORARY = (
    "Nothing can be written here, and there is no database that can be read: answers come from the records alone, "
    "without files, imports and co-changes."
)


class Level(StrEnum):
    """How much a finding matters. Only a problem makes `tx doctor` fail."""

    OK = "ok"
    ADVICE = "advice"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing the doctor looked at."""

    check: str
    level: Level
    detail: str
    hint: str = ""


Check = Callable[[], Iterable[Finding]]
"""Looks at one thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckUp:
    """What the doctor found, and what it mended before."""

    findings: tuple[Finding, ...]
    done: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A workspace at a glance."""

    root: Path
    database: Path
    is_git: bool
    head: str | None
    graph: GraphStats
    embedding: EmbeddingStatus
    problems: tuple[tuple[str, str], ...]
    freshness: Freshness | None
    documents: DocumentsState
    lacking_chunks: int
    facts: Mapping[str, int]
    entities: int
    notices: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Age:
    """How old the graph is: what it lags behind the working tree, and each reason for care as a sentence.

    `freshness` is None where that cannot be told: git fails, or there is no database.
    """

    freshness: Freshness | None
    notices: tuple[str, ...]


class Health:
    """Looks at a workspace as a whole; `checks` are looks at what only some workspaces use."""

    def __init__(
        self,
        *,
        root: Path,
        stores: Stores,
        repository: GitRepository | None,
        graph: Graph,
        embedding: Embedding,
        index: IndexFreshness,
        documents: DocumentsHealth,
        sync: AllRecords,
        checks: Sequence[Check],
        clock: Clock,
    ) -> None:
        self._root = root
        self._stores = stores
        self._database = stores.database
        self._maintenance = stores.maintenance
        self._repository = repository
        self._graph = graph
        self._embedding = embedding
        self._index = index
        self._documents = documents
        self._sync = sync
        self._checks = checks
        self._clock = clock

    def status(self) -> Status:
        """Return the workspace at a glance.

        Raises:
            RepositoryError: Git fails.
        """
        graph = self._graph.stats()
        head = self._repository.head() if self._repository else None
        freshness, documents = self._freshness(), self._documents.now()
        return Status(
            root=self._root,
            database=self._database.path,
            is_git=self._repository is not None,
            head=head,
            graph=graph,
            embedding=self._embedding.status(),
            problems=tuple(self._record_problems()),
            freshness=freshness,
            documents=documents,
            lacking_chunks=self._embedding.lacking_chunks,
            facts=self._stores.facts.numbers_by_status(),
            entities=self._stores.entities.count(),
            notices=tuple(self._notices(graph, freshness, documents)),
        )

    def check_up(self, *, fix: bool = False) -> CheckUp:
        """Examine, having mended first with `fix`.

        Raises:
            DamagedDatabase: The database cannot be mended, only built again.
            StorageError: What was to be mended cannot be written.
        """
        done = tuple(self.mend()) if fix else ()
        return CheckUp(done=done, findings=tuple(self.examine()))

    def check_up_without_database(self, error: StorageError) -> CheckUp:
        """Return what the checks find that need no database, and why there is none."""
        findings = (
            ok("sqlite", self._maintenance.describe_binding()),
            problem("database", error.message, error.hint),
            *self._of_git(),
            _of_parsers(),
            *self._of_records(),
        )
        return CheckUp(findings=findings)

    def examine(self) -> list[Finding]:
        """Return what every check found."""
        return [
            *self._of_storage(),
            *self._of_rows(),
            *(finding for check in self._checks for finding in check()),
            *self._of_git(),
            _of_parsers(),
            *self._of_analyses(),
            *self._of_records(),
        ]

    def mend(self) -> list[str]:
        """Repair what is derived: read all records again, drop orphans, compact. Return what was done.

        Raises:
            DamagedDatabase: It is beyond mending.
            StorageError: The database cannot be written.
        """
        self._refuse(self._maintenance.corruption())
        with self._database.transaction():
            self._maintenance.forget_records()
        report = self._sync.refresh()
        orphans = self._maintenance.orphans()
        with self._database.transaction():
            dangling = self._maintenance.remove_orphans()
        self._refuse(self._maintenance.integrity())
        self._maintenance.compact()
        done = [f"read all records again ({report.changed} taken in)"]
        done += [f"removed {count} {name}" for name, count in orphans.items()]
        done += [f"removed {count} of {table} about what is not there" for table, count in dangling.items()]
        return [*done, "compacted the database"]

    def _refuse(self, damage: Sequence[str]) -> None:
        if damage:
            raise DamagedDatabase(f"{self._database.path} is damaged: {damage[0]}.", hint=_FIX)

    def staleness(self) -> str:
        """Return the sentence that says that co-changes are stale; empty when they are not, or never were made."""
        return staleness(self._graph.last_cochanges(), now=self._clock.now(), command=ANALYSE)

    def age(self, *, path: str | None = None, with_cochanges: bool = True) -> Age:
        """Return how old the graph is, for whoever read imports and symbols or, `with_cochanges`, walked all of it.

        `path` is the file that was asked about: a sentence says whether it has changed.
        """
        if self._database.is_temporary:
            return Age(freshness=None, notices=(_TEMPORARY,))
        freshness = self._freshness()
        notices = index_notices(freshness, path=path) if freshness else []
        if path is not None and self._documents.has_changed(path):
            notices.append(f"{path} has changed since it was read; run '{INGEST}'.")
        stale = self.staleness()
        return Age(freshness=freshness, notices=(*notices, stale) if stale and with_cochanges else tuple(notices))

    def _freshness(self) -> Freshness | None:
        try:
            return self._index.now()
        except RepositoryError:
            return None  # whoever asks about git will hear of it

    def _of_storage(self) -> Iterator[Finding]:
        yield ok("sqlite", self._maintenance.describe_binding())
        detail = self._maintenance.describe_vectors()
        slower = "Same results, slower on many learnings."
        yield ok("vectors", detail) if self._database.has_vectors else advice("vectors", detail, slower)
        damage = self._maintenance.integrity()
        if damage:
            yield problem("database", "; ".join(damage[:_MOST_NAMED]), _FIX)
        elif self._database.is_temporary:
            yield advice("database", _TEMPORARY)
        else:
            yield ok("database", f"{self._database.path} is sound")
        for kept, what in self._maintenance.losses():
            if Path(kept).exists():
                yield advice(
                    "losses", f"not carried over from {kept}: {what}", "Delete that file if nothing misses it."
                )
        orphans = self._maintenance.orphans()
        detail = ", ".join(f"{count} {name}" for name, count in orphans.items())
        yield problem("orphans", detail, _FIX) if orphans else ok("orphans", "none")

    def _of_rows(self) -> Iterator[Finding]:
        """Look for what the records say and the database does not."""
        lacking = self._maintenance.lacking_text()
        differing = self._sync.differing()
        if lacking:
            yield problem("text", f"search by words does not know {_learnings(lacking)}", _FIX)
        if differing:
            yield problem("rows", f"the database differs from {_named(differing, 'record')}", _FIX)
        if not lacking and not differing:
            yield ok("rows", "the database says what the records say")
        if dangling := self._maintenance.dangling_links():
            ends = [f"learning:{number} to {uid}" for number, uid in dangling]
            detail = f"{_named(ends, 'link')}: no such learning here"
            yield advice("links", detail, "It may be on another branch; else take it back in the record.")

    def _of_git(self) -> Iterator[Finding]:
        if self._repository is None:
            detail = "not a git repository: no co-changes, and nobody carries the learnings"
            yield advice("git", detail, "Run 'git init'.")
            return
        try:
            head = self._repository.head()
            shallow = ", shallow" if self._repository.is_shallow() else ""
        except TxError as error:
            yield problem("git", error.message, error.hint)
        else:
            yield ok("git", f"at {head[:12]}{shallow}" if head else "no commit yet")

    def _of_analyses(self) -> Iterator[Finding]:
        graph = self._graph.stats()
        index = graph.analyses["index"]
        if index is None:
            yield advice("index", "never indexed", f"Run '{INDEX}'.")
        elif (freshness := self._freshness()) and freshness.is_behind:
            yield advice("index", " ".join(index_notices(freshness)))
        else:
            yield ok("index", f"{graph.files:,} files, {ago(age_of(index, now=self._clock.now()))}")
        if index is not None:
            yield from self._of_messages()
        run = graph.analyses["cochanges"]
        notices = self._cochange_notices(graph)
        for notice in notices:
            yield advice("cochanges", notice)
        if not notices and self._repository is not None:
            pairs = graph.edges.get("CO_CHANGES_WITH", 0)
            yield ok("cochanges", f"{pairs:,} {'pair' if pairs == 1 else 'pairs'}{options_of(run)}")

    def _of_messages(self) -> Iterator[Finding]:
        try:
            notices = message_notices(self._stores.commits, self._repository)
        except RepositoryError:
            return  # is found as a problem of git
        for notice in notices:
            yield advice("messages", notice)
        if not notices and self._repository is not None:
            yield ok("messages", f"of {self._stores.commits.count():,} commits")

    def _of_records(self) -> Iterator[Finding]:
        problems = self._record_problems()
        for name, reason in problems:
            yield problem("records", f"{name}: {reason}", "Correct it in an editor; it is skipped until then.")
        if not problems:
            yield ok("records", "all parse")

    def _record_problems(self) -> list[tuple[str, str]]:
        return [(f"{kind}/{row.name}:{row.problem_line}", row.problem or "") for kind, row in self._sync.problems()]

    def _notices(self, graph: GraphStats, freshness: Freshness | None, documents: DocumentsState) -> list[str]:
        if self._database.is_temporary:
            return [_TEMPORARY]
        index = index_notices(freshness) if freshness else []
        if graph.analyses["index"]:
            index += message_notices(self._stores.commits, self._repository)
        cochanges = (*self._cochange_notices(graph), narrowing(graph.analyses["cochanges"]))
        sentences = (*index, *cochanges, *document_notices(documents))
        return [sentence for sentence in sentences if sentence]

    def _cochange_notices(self, graph: GraphStats) -> list[str]:
        run = graph.analyses["cochanges"]
        return cochange_notices(run, now=self._clock.now(), is_git=self._repository is not None)


def _of_parsers() -> Finding:
    if reason := why_unable():
        hint = "Imports and symbols are not read without it: install it where there is a wheel for this platform."
        return advice("parsers", reason, hint)
    return ok("parsers", "ast-grep-py loads")


def ok(check: str, detail: str) -> Finding:
    """Return a finding that is as it should be."""
    return Finding(check=check, level=Level.OK, detail=detail)


def advice(check: str, detail: str, hint: str = "") -> Finding:
    """Return a finding that could be better, and is no problem."""
    return Finding(check=check, level=Level.ADVICE, detail=detail, hint=hint)


def problem(check: str, detail: str, hint: str) -> Finding:
    """Return a finding that makes `tx doctor` fail."""
    return Finding(check=check, level=Level.PROBLEM, detail=detail, hint=hint)


def _learnings(count: int) -> str:
    return f"{count:,} {'learning' if count == 1 else 'learnings'}"


def _named(names: Sequence[str], thing: str) -> str:
    """Return how many there are, and the first few of them."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return f"{len(names):,} {thing}{'' if len(names) == 1 else 's'} ({', '.join(names[:_MOST_NAMED])}{more})"


def of_model(embedding: Embedding, *, sound: bool, detail: str) -> Iterator[Finding]:
    """Yield what is said of the embedding model, which is `sound` or not, and of the vectors it made."""
    if embedding.name == NO_EMBEDDER:
        yield ok("model", "turned off (embedder = none); search is by words")
        return
    if not sound:
        yield advice("model", detail, "Run 'tx model install'.")
        return
    yield ok("model", detail)
    if lacking := embedding.lacking:
        whose = "1 learning has" if lacking == 1 else f"{lacking:,} learnings have"
        yield advice("embeddings", f"{whose} no vector of {embedding.name}", "Run 'tx learning:embed'.")
    else:
        yield ok("embeddings", "every learning has its vector")
    if entities := embedding.lacking_entities:
        whose = "1 entity has" if entities == 1 else f"{entities:,} entities have"
        yield advice("entity vectors", f"{whose} no vector of {embedding.name}", "Run 'tx learning:embed'.")


def of_retrievers(retrievers: Retrievers) -> Iterator[Finding]:
    """Yield what is said of the retrievers that are installed, and of the one in the settings."""
    found = {one.name: one for one in retrievers.installed()}
    chosen = found.get(retrievers.standard)
    if chosen is None:
        detail = f"the setting search.retriever names '{retrievers.standard}', which is not installed"
        yield problem("retrievers", detail, "Install its package, or run 'tx config set search.retriever hybrid'.")
    elif chosen.problem:
        yield problem("retrievers", chosen.problem, "Mend its package, or run 'tx config set search.retriever hybrid'.")
    for one in found.values():
        if one.problem and one is not chosen:
            yield advice("retrievers", one.problem, "It is not used unless asked for.")
    working = [f"{one.name} ({one.origin})" for one in found.values() if not one.problem]
    yield ok("retrievers", ", ".join(working))


def of_documents(documents: DocumentsHealth, embedding: Embedding) -> Iterator[Finding]:
    """Yield what is said of documents; nothing where there are none to read."""
    try:
        state = documents.now()
    except RepositoryError:
        return  # is found as a problem of git
    if state.run is None and not state.new:
        return
    notices = document_notices(state)
    for notice in notices:
        yield advice("documents", notice)
    if not notices:
        yield ok("documents", f"{state.documents:,} with {state.sections:,} sections in {state.chunks:,} chunks")
    if state.unread:
        detail = first_of([f"{path} {why}" for path, why in state.unread])
        yield advice("unread", f"{len(state.unread):,} of the documents could not be read: {detail}")
    if state.broken:
        places = first_of([f"{link.document}:{link.line}: {link.problem}" for link in state.broken])
        detail = f"{len(state.broken):,} in documents lead nowhere: {places}"
        yield advice("doc links", detail, f"'{INGEST} --json' names them all.")
    if embedding.available and (lacking := embedding.lacking_chunks):
        detail = f"{lacking:,} of {state.chunks:,} chunks have no vector of {embedding.name}"
        yield advice("doc vectors", detail, f"Run '{INGEST}'.")


def of_facts(kernel: Kernel) -> Iterator[Finding]:
    """Yield how many facts there are, and whether any contradict each other."""
    numbers = FactStore(kernel.database).numbers_by_status()
    if conflicts := kernel.one(Facts).conflicts():
        first = conflicts[0]
        detail = f"{len(conflicts)} with several values, such as {first.subject} {first.predicate}"
        yield advice("facts", detail, "See 'tx fact:conflicts'.")
    else:
        told = ", ".join(f"{count:,} {status}" for status, count in numbers.items())
        yield ok("facts", f"{told}, without conflict" if told else "none")


_DETECTOR = "kingfisher_sdk"


def of_detector() -> Iterator[Finding]:
    """Yield whether there is what finds secrets in transcripts."""
    if find_spec(_DETECTOR):
        yield ok("secrets", "are taken out of transcripts by kingfisher")
    else:
        yield advice(
            "secrets",
            "what finds them in transcripts is not installed; none is read",
            "Install kingfisher-secret-scanner, where it has a wheel for this platform.",
        )
