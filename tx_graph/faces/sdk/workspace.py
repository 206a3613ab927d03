"""How a program comes by a workspace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from tx_graph.context.focus.rules import TokensBy as FocusTokensBy
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.ports import Clock, Embedder, OpenRetriever, Progress, no_progress
from tx_graph.core.ports import Model as LanguageModel
from tx_graph.core.text import TokensBy
from tx_graph.faces.sdk.live import bring_up_to_date, chosen, live, use
from tx_graph.graph.expand import Profile
from tx_graph.records.watch import Records
from tx_graph.workspace.lasting import LastingWorkspace

if TYPE_CHECKING:
    from tx_graph.anchors.anchors import Anchors
    from tx_graph.context.everything import AnyAnswer, HitKind
    from tx_graph.context.focus.values import FocusView
    from tx_graph.context.page import ContextRequest, Page
    from tx_graph.context.recall import RecallAnswer
    from tx_graph.context.replay import ReplayReport, ReplayRequest
    from tx_graph.context.review import Review
    from tx_graph.context.search import Query, SearchAnswer
    from tx_graph.context.who import Responsible
    from tx_graph.core.moving import Exported as LocalHistoryExported
    from tx_graph.core.moving import Imported as LocalHistoryImported
    from tx_graph.documents.documents import Documents
    from tx_graph.faces.sdk.graph import Graph
    from tx_graph.faces.sdk.hub import WorkspaceHub
    from tx_graph.faces.sdk.more import Learnings, Model, Settings
    from tx_graph.knowledge.entities import Entities
    from tx_graph.knowledge.facts import Facts
    from tx_graph.view.single import WrittenPage
    from tx_graph.work.runs import Runs
    from tx_graph.work.tasks import Tasks
    from tx_graph.work.transcripts import Telemetry, Transcripts
    from tx_graph.workspace.doctor import CheckUp
    from tx_graph.workspace.health import Age
    from tx_graph.workspace.health import Status as WorkspaceStatus
    from tx_graph.workspace.maintaining import Maintenance
    from tx_graph.workspace.renewal import Renewed


class Workspace:
    """One repository with its memory; `open_workspace` makes one. Close it, or use it as a context manager.

    It may live long and be used from several threads: each call has the workspace for itself, and sees what other
    processes wrote before it. A call after `close` opens it again.

    A reference that names nothing raises NotFound, an option that is out of range or contradicts another UsageError, a
    model or a retriever that fails ModelError, git RepositoryError, and what cannot be written StorageError.
    """

    learnings: Learnings
    """What was learned."""
    graph: Graph
    """What is connected with what."""
    anchors: Anchors
    """What ties learnings to code, and whether it holds."""
    documents: Documents
    """The repository's own writing."""
    facts: Facts
    """Statements about entities."""
    entities: Entities
    """What facts are about."""
    tasks: Tasks
    """Pieces of work."""
    runs: Runs
    """Attempts at work, and what helped in them."""
    transcripts: Transcripts
    """Sessions of agents."""
    telemetry: Telemetry
    """What happened in them."""
    hub: WorkspaceHub
    """What other repositories know, and what this one publishes."""
    config: Settings
    """What `.tx/config.toml` says."""

    def __init__(
        self,
        start: Path,
        *,
        clock: Clock | None = None,
        embedder: Embedder | None = None,
        model: LanguageModel | None = None,
        retriever: OpenRetriever | None = None,
    ) -> None:
        self._start = start
        self._clock = clock
        self._embedder = embedder
        self._lasting = LastingWorkspace(start, clock=clock, embedder=embedder, model=model, retriever=retriever)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as it is declared above
        if (kind := Workspace.__annotations__.get(name)) is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        made = live(self._lasting, getattr(import_module("tx_graph"), kind))  # imported when it is first asked for
        setattr(self, name, made)
        return made

    @cached_property
    def model(self) -> Model:
        """The embedding model of this machine."""
        from tx_graph.faces.sdk.more import Model

        return Model()

    @property
    def root(self) -> Path:
        """The directory that has the `.tx`."""
        with self._lasting.kernel() as kernel:
            return kernel.root

    def search(self, query: Query | str, *, limit: int | None = None) -> SearchAnswer:
        """Return the learnings that answer a query, best first; a text stands for a query with the standard options."""
        from tx_graph.context.search import Query

        asked = Query(text=query) if isinstance(query, str) else query
        return self.learnings.search(asked if limit is None else replace(asked, limit=limit))

    def search_all(self, question: str, *, kinds: Sequence[HitKind | str] = (), limit: int | None = None) -> AnyAnswer:
        """Return what answers a question: learnings, sections, facts, files, symbols and commits, or only some kinds.

        Each kind is ranked by its own search; `limit` is the most of each.

        Example:
            >>> [hit.ref for hit in workspace.search_all("login", kinds=["symbol"]).hits]
            ['src/auth.py::login']
        """
        from tx_graph.context.everything import search_all

        return use(self._lasting, search_all)(question, kinds=kinds, limit=limit)

    def context(
        self,
        request: ContextRequest | str = "",
        *,
        files: Sequence[str] | None = None,
        run: Ref | None = None,
        budget: int | None = None,
        expand: bool | None = None,
        profile: Profile | None = None,
        retriever: str | None = None,
        include_staged: bool | None = None,
        limit_files: int | None = None,
        hub: bool | None = None,
        tokens_by: TokensBy = TokensBy.CHARS,
    ) -> Page:
        """Return the page to read before starting, as Markdown in its `text` and as values in `shown`.

        It is about a task (`task:7`, `GH-123`), a question or open files, and has at most `budget` tokens, counted as
        characters / 4, as bytes / 3.75 or by the tokenizer in the settings. What is given here counts more than what a
        request says.

        Example:
            >>> page = workspace.context("verify tokens", files=("src/auth.py",), budget=400)
            >>> page.tokens <= 400
            True
        """
        from tx_graph.context.gathering import Context, counter
        from tx_graph.context.page import ContextRequest, Markdown

        given: dict[str, Any] = {
            "files": None if files is None else tuple([files] if isinstance(files, str) else files),
            "run": None if run is None else ref_of(run),
            "budget": budget,
            "expand": expand,
            "profile": chosen(Profile, profile),
            "retriever": retriever,
            "include_staged": include_staged,
            "limit_files": limit_files,
            "hub": hub,
        }
        told = {name: value for name, value in given.items() if value is not None}
        asked = ContextRequest(text=request, **told) if isinstance(request, str) else replace(request, **told)
        with self._lasting.kernel() as kernel:
            bring_up_to_date(kernel, "context")
            count = counter(kernel, chosen(TokensBy, tokens_by))
            return kernel.one(Context).page(asked, Markdown(), count=count)

    def focus(
        self,
        node: Ref,
        *,
        budget: int | None = None,
        tokens_by: FocusTokensBy = FocusTokensBy.JSON,
        seed: int | None = None,
    ) -> FocusView:
        """Return one node whole, and around it what is related, most relevant first, within a budget of tokens.

        With a `seed` what has no natural order is shuffled, the same way each time.

        Example:
            >>> workspace.focus("docs/guide.md#signing-in").younger_siblings
            ('docs/guide.md#signing-out',)
        """
        from tx_graph.context.focus.focus import focus
        from tx_graph.context.focus.values import STANDARD_BUDGET

        most = STANDARD_BUDGET if budget is None else budget
        return use(self._lasting, focus)(node, budget=most, tokens_by=tokens_by, seed=seed)

    def recall(
        self,
        text: str,
        *,
        hops: int | None = None,
        anchors: int | None = None,
        max_facts: int | None = None,
        per_entity: int | None = None,
        as_of: str | None = None,
        budget: int | None = None,
        hub: bool = False,
    ) -> RecallAnswer:
        """Return what is known of what a question is about, as facts and as a narrative.

        `as_of` is a day (its end) or a UTC time for which the answer is to hold; `budget` the most tokens of the
        narrative, as characters / 4; the other numbers are the settings `recall.*` unless they are given.

        Example:
            >>> added = workspace.facts.add("Billing", "uses", "DuckDB")
            >>> print(workspace.recall("what does Billing use?", hops=1).narrative)
            ### 💡 CONTEXT: Billing
            - uses: DuckDB (staged)
        """
        from tx_graph.context.recall import recall

        return use(self._lasting, recall)(
            text,
            hops=hops,
            anchors=anchors,
            max_facts=max_facts,
            per_entity=per_entity,
            as_of=as_of,
            budget=budget,
            hub=hub,
        )

    def review(
        self,
        between: str | None = None,
        *,
        staged: bool = False,
        since: str | None = None,
        files: Sequence[str] = (),
    ) -> Review:
        """Return what there is to say of a change: what it makes untrue, what to know of it, what it lacks, and who.

        The change is what is not committed yet, or `staged`, or came `since` a revision, or lies between two commits
        (`v1.2..HEAD`); with `files` only these, and one of them without a change counts as a whole.

        Example:
            >>> review = workspace.review()
            >>> [one.path for one in review.untrue if one.is_concerned]
            []
        """
        from tx_graph.context.review import review

        return use(self._lasting, review)(between, staged=staged, since=since, files=files)

    def who(self, place: str) -> Responsible:
        """Return who answers for a file, a directory or a symbol: its owners, and who wrote most of its lines.

        Example:
            >>> [author.name for author in workspace.who("src/auth.py")]
            ['Ada']
        """
        from tx_graph.context.who import who

        return use(self._lasting, who)(place)

    def index(self, *, force: bool = False, with_cochanges: bool = False, progress: Progress = no_progress) -> Renewed:
        """Return what was brought up to date with the working tree: files, documents, what history says, vectors.

        `force` reads unchanged files again too, `with_cochanges` counts co-changes as well. Progress starts anew for
        each of these.
        """
        from tx_graph.core.ports import alike
        from tx_graph.workspace.renewal import Renewal

        renewal = live(self._lasting, Renewal)
        return renewal.run(stages=alike(progress), force=force, with_cochanges=with_cochanges)

    def sync(self, *, everything: bool = False, progress: Progress = no_progress) -> Renewed:
        """Return what was brought up to date: all that is derived, co-changes too.

        With `everything` documents and files get their vectors however many lack one. Progress starts anew for each.
        """
        from tx_graph.core.ports import alike
        from tx_graph.workspace.renewal import sync

        return use(self._lasting, sync)(all_=everything, stages=alike(progress))

    def maintain(self, *, progress: Progress = no_progress) -> Maintenance:
        """Return what the weekly job did: sync, facts, telemetry, how much could be proposed, and the anchors."""
        from tx_graph.core.ports import alike
        from tx_graph.workspace.maintaining import maintain

        return use(self._lasting, maintain)(stages=alike(progress))

    def status(self) -> WorkspaceStatus:
        """Return the workspace at a glance: what is in it, and what is old or missing."""
        from tx_graph.workspace.health import Health

        return live(self._lasting, Health).status()

    def age(self, *, path: str | None = None) -> Age:
        """Return how old the graph is, each reason for care as a sentence; for what is said of one file, name it."""
        from tx_graph.workspace.health import Health

        return live(self._lasting, Health).age(path=path)

    def record_problems(self) -> tuple[str, ...]:
        """Return one sentence for each record file that cannot be read and is skipped."""
        with self._lasting.kernel() as kernel:
            return tuple(kernel.one(Records).problems())

    def export(self, file: Path | str) -> LocalHistoryExported:
        """Return what was written to a file of all that records do not have; `import_` takes it in elsewhere."""
        from tx_graph.core.moving import export

        return use(self._lasting, export)(str(file))

    def view(self, file: Path | str, node: Ref | None = None) -> WrittenPage:
        """Return what was written of a page for browsers, with all that is known; it begins with `node`.

        Only an earlier page is replaced.
        """
        from tx_graph.view.single import write

        return use(self._lasting, write)(str(file), node=node)

    def import_(self, text: str) -> LocalHistoryImported:
        """Return what came of the text of such a file: all of it is taken in, or nothing."""
        from tx_graph.core.moving import import_

        return use(self._lasting, import_)(text)

    def doctor(self, *, fix: bool = False) -> CheckUp:
        """Return what is wrong, having mended with `fix` what can be mended; a damaged database is built anew."""
        from tx_graph.workspace.doctor import check_up

        self.close()
        return check_up(self._start, fix=fix, clock=self._clock, embedder=self._embedder)

    def bench(
        self, request: ReplayRequest | None = None, *, write: bool = False, progress: Progress = no_progress
    ) -> ReplayReport:
        """Return how well files would have been found before the commits of this repository's own history.

        With `write`, weights that tuning found and that did better are stored in the settings.
        """
        from tx_graph.context.replay import ReplayRequest
        from tx_graph.workspace.replaying import open_replay, store_weights

        wanted = request or ReplayRequest()
        if write and not wanted.tune:
            raise UsageError("Only weights that tuning finds can be written.", hint="Ask for tune=True.")
        found = open_replay(self._start, clock=self._clock).run(wanted, progress=progress)
        if write and found.tuning is not None and found.tuning.is_better:
            store_weights(found.tuning.changes, self._start)
        return found

    def close(self) -> None:
        """Return when the database is closed, once no other thread uses it."""
        self._lasting.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self._start)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_workspace(
    start: Path | str | None = None,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: LanguageModel | None = None,
    retriever: OpenRetriever | None = None,
) -> Workspace:
    """Return the workspace that `start` (the working directory, by default) lies in.

    Paths that are given to it may be relative to `start`. A `clock`, an `embedder`, a language `model` and a
    `retriever` of your own take the place of those of the machine and the settings; a retriever is given as what opens
    one with a `Corpus`, such as its class, and is called `own`.

    Raises:
        NotInitialised: There is no `.tx` directory there; `init_workspace` makes one.
        RepositoryError: `start` is inside a git directory or a bare repository.
        StorageError: The database cannot be opened.
        UsageError: The configuration is not valid.

    Example:
        >>> from tx_graph import open_workspace
        >>> with open_workspace() as workspace:
        ...     added = workspace.learnings.add("Tokens are secret", anchors=["src/tokens.py::verify"])
        ...     [result.stored.ref for result in workspace.search("secret tokens").results]
        ['learning:1']
    """
    workspace = Workspace(_absolute(start), clock=clock, embedder=embedder, model=model, retriever=retriever)
    workspace.record_problems()  # so that whatever is wrong is said here
    return workspace


def init_workspace(
    start: Path | str | None = None,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    model: LanguageModel | None = None,
    retriever: OpenRetriever | None = None,
    progress: Progress = no_progress,
) -> Workspace:
    """Return the workspace of a repository, made and indexed as by `tx init`; what exists already stays as it is.

    In git, `.tx` lies at the top of the working tree. Progress starts anew for each thing that is read.

    Raises:
        RepositoryError: `start` is no directory, or inside a git directory or a bare repository, or git fails.
        StorageError: The directory or the database cannot be written.

    Example:
        >>> from tx_graph import init_workspace
        >>> with init_workspace() as workspace:
        ...     workspace.graph.imports("src/auth.py").steps[0].target
        'src/tokens.py'
    """
    from tx_graph.workspace import prepare

    place = _absolute(start)
    if not place.is_dir():
        raise RepositoryError(f"There is no directory {place}.")
    is_git = prepare(place).is_git
    workspace = Workspace(place, clock=clock, embedder=embedder, model=model, retriever=retriever)
    try:
        workspace.index(with_cochanges=is_git, progress=progress)
    except BaseException:
        workspace.close()
        raise
    return workspace


def _absolute(start: Path | str | None) -> Path:
    return Path.cwd() if start is None else Path(start).absolute()
