"""Brings everything that is derived up to date: files, documents, what history says in words, vectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from tx_graph.code.chunks import refresh_chunks
from tx_graph.code.indexing import Indexing, IndexReport
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY
from tx_graph.core.ports import Stages
from tx_graph.core.shape import Answer
from tx_graph.documents.following import Followed, follow
from tx_graph.documents.ingesting import Ingesting, IngestReport
from tx_graph.history.cochanges import CoChangeAnalysis, CoChangeReport
from tx_graph.history.evidence import CommitReport, refresh_messages
from tx_graph.vectors.embedding import SYNCED, CaughtUp, Embedding, Sort
from tx_graph.workspace import Prepared

FEW: Mapping[Sort, int | None] = {"chunks": 200, "entities": 1_000, "facts": 1_000, "cards": 1_000}
"""How many get their vectors without being asked for, in a few seconds; what has short texts takes less."""

LATEST = 500
"""Commits in which lessons are counted when a workspace is made: half a second or so."""


_BESIDE = (
    "documents.documents={0}documents.documents documents.read={0}documents.read "
    "documents.removed={0}documents.removed documents.sections={0}documents.sections "
    "documents.chunks={0}documents.chunks "
    "documents.broken_links={0}documents.broken.# documents.*={0}chunks worded={0}worded commits_read={0}commits.read "
    "commits={0}commits.kept history_problem?={0}history_problem cochanges?={0}cochanges *{0}learnings "
    "entities={0}entities facts={0}facts cards={0}cards relations?={0}relations"
)
"""What is told beside the files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed(Answer):
    """What was brought up to date.

    `worded` files were cut into pieces that are found by their words. Where history has holes, `history_problem` says
    what was not read of it.
    `cochanges` is None where they were not counted; the others say what got its vector.
    """

    index: IndexReport
    documents: IngestReport
    worded: int
    commits: CommitReport
    history_problem: str
    cochanges: CoChangeReport | None
    learnings: CaughtUp
    chunks: CaughtUp
    entities: CaughtUp
    facts: CaughtUp
    cards: CaughtUp
    relations: Followed | None = None

    JSON: ClassVar = f"*index {_BESIDE.format('')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Initialised:
    """What was made of a repository, and what was read of it.

    `lessons` says how many of its latest commits explain something, where that was counted: in a workspace just made.
    `lacks_model` says that the model to search with by meaning is not installed.
    """

    prepared: Prepared
    renewed: Renewed
    lessons: int | None = None
    lacks_model: bool = False

    JSON: ClassVar = (
        f"root=prepared.root created=prepared.created index=renewed.index {_BESIDE.format('renewed.')} lessons "
        "lacks_model"
    )


def initialise(
    kernel: Kernel,
    *,
    stealth: Annotated[bool, Arg(help="Keep .tx/ out of git, for you alone: by .git/info/exclude.")] = False,
    prepared: Prepared,
    stages: Stages,
) -> Initialised:
    """Create .tx/ in this repository and index it; safe to run again.

    In git, .tx/ lies at the top of the working tree. Commit it: the learnings in it are plain text; the database
    beside them is ignored and can be built again at any time.

    With --stealth nobody else sees it: git ignores .tx/ in this clone, so that nothing of it is committed by accident.

    Example:
      tx init
      tx init --stealth
    """
    if stealth:
        keep_out_of_git(kernel)
    renewed = kernel.one(Renewal).run(stages=stages, with_cochanges=True, with_relations=False)
    lessons = None
    if prepared.created and (repository := kernel.checkout.askable):
        from tx_graph.proposals.commits import lessons_in

        lessons = lessons_in(repository, most=LATEST)
    lacks_model = kernel.one(Embedding).is_missed
    return Initialised(prepared=prepared, renewed=renewed, lessons=lessons, lacks_model=lacks_model)


def sync(
    kernel: Kernel,
    *,
    all_: Annotated[bool, Arg(help="Embed any number of documents and files, for minutes.", flag="--all")] = False,
    stages: Stages,
) -> Renewed:
    """Bring everything that tx derives up to date: files, documents, words, history, co-changes, vectors.

    Only what changed is read. What was interrupted goes on when it is run again. A few changes are taken in by the
    commands that read, too (setting 'update'); this is for a clone, a deleted database, or much at once.

    Example:
      tx sync
      tx sync --all
    """
    limits = dict.fromkeys(FEW, None if all_ else SYNCED)
    return kernel.one(Renewal).run(stages=stages, with_cochanges=True, limits=limits)


def keep_out_of_git(kernel: Kernel) -> None:
    """Have git ignore .tx/ in this clone alone."""
    repository = kernel.checkout.askable
    if repository is None:
        raise UsageError("This is not a git repository: there is nothing to keep .tx/ out of.")
    if repository.run("ls-files", "--", DIRECTORY):
        raise UsageError(
            f"Git tracks {DIRECTORY}/ already.", hint=f"Others see it until 'git rm -r --cached {DIRECTORY}'."
        )
    path, line = repository.own_path("info/exclude"), f"/{DIRECTORY}/"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        before = path.read_text(encoding="utf-8", errors="surrogateescape") if path.exists() else ""
        if line not in before.splitlines():
            end = "" if before.endswith("\n") or not before else "\n"
            path.write_text(f"{before}{end}{line}\n", encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


class Renewal:
    """Runs what reads the repository."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def run(
        self,
        *,
        force: Annotated[bool, Arg(help="Read unchanged files again too.")] = False,
        with_cochanges: bool = False,
        with_relations: bool = True,
        limits: Mapping[Sort, int | None] = FEW,
        stages: Stages,
    ) -> Renewed:
        """Bring files, documents and messages up to date, reading only what changed; 'tx sync' without co-changes.

        Learnings, entities and facts that came without a vector, as from a clone or a pull, get one where the model is
        installed: of each sort at most so many, or all (None).

        Example:
          tx index

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        kernel, embedding = self._kernel, self._kernel.one(Embedding)
        with stages("Reading files", unit="files") as report:
            index = kernel.one(Indexing).run(force=force, progress=report)
        with stages("Reading documents", unit="documents") as report:
            documents = kernel.one(Ingesting).run(force=force, progress=report)
        with stages("Embedding", unit="chunks") as report:
            chunks = embedding.catch_up("chunks", most=limits["chunks"], progress=report)
        with stages("Reading words", unit="files") as report:
            worded = refresh_chunks(kernel, progress=report)
        commits, problem, cochanges = CommitReport(), "", None
        try:
            with stages("Reading messages", unit="commits") as report:
                commits = refresh_messages(kernel, progress=report)
            problem = commits.caveat
        except RepositoryError as error:
            problem = f"Commit messages were not read: {error.message}"
        if with_cochanges and problem == commits.caveat and kernel.place.root.is_git:
            with stages("Reading commits", unit="commits") as report:
                cochanges = kernel.one(CoChangeAnalysis).analyze_cochanges(progress=report)
        done = embedding.catch_up_each("learnings", "entities", "facts", "cards", stages=stages, limits=limits)
        return Renewed(
            index=index,
            documents=documents,
            worded=worded,
            commits=commits,
            history_problem=problem,
            cochanges=cochanges,
            chunks=chunks,
            relations=follow(kernel, stages=stages) if with_relations else None,
            **done,
        )
