"""Says how a workspace is, finds what is wrong with it, and mends what can be mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tx_graph.codebase.parsing import why_unable
from tx_graph.codebase.repository import GitRepository
from tx_graph.errors import TxError
from tx_graph.ports import Clock
from tx_graph.services.cochanges import age_of, incompleteness, staleness
from tx_graph.services.embedding import NO_EMBEDDER, Embedding, EmbeddingStatus
from tx_graph.services.graph import Graph, GraphStats
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.stamps import ago
from tx_graph.storage.database import Database
from tx_graph.storage.maintenance import Maintenance

_ANALYSE = "tx graph:analyze-cochanges"


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
    notices: tuple[str, ...]


class Health:
    """Looks at a workspace as a whole."""

    def __init__(
        self,
        *,
        root: Path,
        database: Database,
        maintenance: Maintenance,
        repository: GitRepository | None,
        graph: Graph,
        embedding: Embedding,
        sync: RecordSync,
        model_state: Callable[[], tuple[bool, str]],
        clock: Clock,
    ) -> None:
        self._root = root
        self._database = database
        self._maintenance = maintenance
        self._repository = repository
        self._graph = graph
        self._embedding = embedding
        self._sync = sync
        self._model_state = model_state
        self._clock = clock

    def status(self) -> Status:
        """Return the workspace at a glance.

        Raises:
            RepositoryError: Git fails.
        """
        graph = self._graph.stats()
        return Status(
            root=self._root,
            database=self._database.path,
            is_git=self._repository is not None,
            head=self._repository.head() if self._repository else None,
            graph=graph,
            embedding=self._embedding.status(),
            problems=tuple(self._record_problems()),
            notices=tuple(self._notices(graph)),
        )

    def examine(self) -> list[Finding]:
        """Return what every check found."""
        return [
            *self._of_storage(),
            *self._of_model(),
            *self._of_git(),
            _of_parsers(),
            *self._of_analyses(),
            *self._of_records(),
        ]

    def mend(self) -> list[str]:
        """Repair what is derived: read all records again, drop orphans, compact. Return what was done.

        Raises:
            StorageError: The database cannot be written.
        """
        with self._database.transaction():
            self._maintenance.forget_records()
        report = self._sync.refresh()
        orphans = self._maintenance.orphans()
        with self._database.transaction():
            self._maintenance.remove_orphans()
        self._maintenance.compact()
        done = [f"read all records again ({report.changed} taken in)"]
        done += [f"removed {count} {name}" for name, count in orphans.items()]
        return [*done, "compacted the database"]

    def staleness(self) -> str:
        """Return the sentence that says that co-changes are stale; empty when they are not, or never were made."""
        return staleness(self._graph.last_cochanges(), now=self._clock.now(), command=_ANALYSE)

    def _of_storage(self) -> Iterator[Finding]:
        yield _ok("sqlite", self._maintenance.describe_binding())
        level = Level.OK if self._database.has_vectors else Level.ADVICE
        hint = "" if self._database.has_vectors else "Same results, slower on many learnings."
        yield Finding(check="vectors", level=level, detail=self._maintenance.describe_vectors(), hint=hint)
        damage = self._maintenance.integrity()
        if damage:
            yield _problem("database", "; ".join(damage[:3]), f"Move {self._database.path} away; tx builds it again.")
        else:
            yield _ok("database", f"{self._database.path} is sound")
        orphans = self._maintenance.orphans()
        detail = ", ".join(f"{count} {name}" for name, count in orphans.items())
        yield _problem("orphans", detail, "Run 'tx doctor --fix'.") if orphans else _ok("orphans", "none")

    def _of_model(self) -> Iterator[Finding]:
        if self._embedding.name == NO_EMBEDDER:
            yield _ok("model", "turned off (embedder = none); search is by words")
            return
        sound, detail = self._model_state()
        if not sound:
            yield Finding(check="model", level=Level.ADVICE, detail=detail, hint="Run 'tx model install'.")
            return
        yield _ok("model", detail)
        lacking = self._embedding.lacking
        if lacking:
            detail = f"{lacking} learnings have no vector of {self._embedding.name}"
            yield Finding(check="embeddings", level=Level.ADVICE, detail=detail, hint="Run 'tx learning:embed'.")
        else:
            yield _ok("embeddings", "every learning has its vector")

    def _of_git(self) -> Iterator[Finding]:
        if self._repository is None:
            detail = "not a git repository: no co-changes, and nobody carries the learnings"
            yield Finding(check="git", level=Level.ADVICE, detail=detail, hint="Run 'git init'.")
            return
        try:
            head = self._repository.head()
            shallow = ", shallow" if self._repository.is_shallow() else ""
        except TxError as error:
            yield _problem("git", error.message, error.hint)
        else:
            yield _ok("git", f"at {head[:12]}{shallow}" if head else "no commit yet")

    def _of_analyses(self) -> Iterator[Finding]:
        graph = self._graph.stats()
        index = graph.analyses["index"]
        if index is None:
            yield Finding(check="index", level=Level.ADVICE, detail="never indexed", hint="Run 'tx index'.")
        else:
            yield _ok("index", f"{graph.files:,} files, {ago(age_of(index, now=self._clock.now()))}")
        notices = list(self._notices(graph))
        for notice in notices:
            yield Finding(check="cochanges", level=Level.ADVICE, detail=notice)
        if not notices and self._repository is not None:
            yield _ok("cochanges", f"{graph.edges.get('CO_CHANGES_WITH', 0)} pairs")

    def _of_records(self) -> Iterator[Finding]:
        problems = self._record_problems()
        for name, problem in problems:
            yield _problem("records", f"{name}: {problem}", "Correct it in an editor; it is skipped until then.")
        if not problems:
            yield _ok("records", "all parse")

    def _record_problems(self) -> list[tuple[str, str]]:
        return [(f"{row.name}:{row.problem_line}", row.problem or "") for row in self._sync.problems()]

    def _notices(self, graph: GraphStats) -> Iterator[str]:
        run = graph.analyses["cochanges"]
        if run is None and self._repository is not None:
            yield f"Co-changes were never analysed; run '{_ANALYSE}'."
        elif stale := staleness(run, now=self._clock.now(), command=_ANALYSE):
            yield stale
        if incomplete := incompleteness(run, command=_ANALYSE):
            yield incomplete


def _of_parsers() -> Finding:
    if reason := why_unable():
        hint = "Imports and symbols are not read without it: install it where there is a wheel for this platform."
        return Finding(check="parsers", level=Level.ADVICE, detail=reason, hint=hint)
    return _ok("parsers", "ast-grep-py loads")


def _ok(check: str, detail: str) -> Finding:
    return Finding(check=check, level=Level.OK, detail=detail)


def _problem(check: str, detail: str, hint: str) -> Finding:
    return Finding(check=check, level=Level.PROBLEM, detail=detail, hint=hint)
