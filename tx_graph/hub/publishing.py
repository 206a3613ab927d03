"""Publishes what is known of a repository at HEAD, and forgets it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated, ClassVar

from tx_graph.anchors.verify import verify
from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, ENTITIES, FACTS, LEARNINGS, RELATIONS
from tx_graph.core.ports import Stages
from tx_graph.core.repository import GitRepository
from tx_graph.core.revisions import builds_on, knows_commit, left_out_files, paths_of, uncommitted
from tx_graph.core.secrets import has_detector
from tx_graph.core.shape import Answer, as_json
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.hub.collect_store import DIMENSION, CollectStore
from tx_graph.hub.collecting import Collected, HeldBack, collect
from tx_graph.hub.identity import name_of
from tx_graph.hub.publish_store import Commit, PublishStore, Shown
from tx_graph.hub.store import Hub, HubError, address_of
from tx_graph.knowledge.mentions import Mentions
from tx_graph.vectors.embedding import SORTS, SYNCED, Embedding
from tx_graph.version import __version__

_MEMO = "hub"
_FEW = 3  # files to name of those that are not committed


@dataclass(frozen=True, slots=True, kw_only=True)
class Published(Answer):
    """What a hub shows of a repository now, or with `dry_run` would show.

    `rows` counts what there is of each kind. `added`, `updated` and `removed` count, by kind, the files, learnings,
    facts and entities whose rows are others than before.
    """

    JSON: ClassVar = "repository hub commit rows added updated removed held_back dry_run notices"

    repository: str
    hub: str
    commit: str
    rows: Mapping[str, int]
    added: Mapping[str, int] = field(default_factory=dict)
    updated: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)
    held_back: tuple[HeldBack, ...] = ()
    dry_run: bool = False
    notices: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether any row is another than before."""
        return bool(self.added or self.updated or self.removed)


def publish(
    kernel: Kernel,
    *,
    dry_run: Annotated[bool, Arg(help="Only say what would go.")] = False,
    force: Annotated[bool, Arg(help="Also an older commit than the hub has.")] = False,
    stages: Stages,
) -> Published:
    """Publish what is known of this repository at HEAD, so that others find it through the hub.

    Learnings, facts, entities, anchors with their verdicts, sections, files, declarations, imports, co-changes and
    vectors go; what is staged, rejected, removed or private, tasks, runs and transcripts never do. What may hold a
    secret is held back and named. All must be committed. The hub shows the old commit until it has the whole new one.

    Only what changed since the last time is sent. An older commit than the hub has is refused without --force.

    Example:
      tx hub:publish
      tx hub:publish --dry-run --json
    """
    repository = kernel.checkout.repository
    if repository is None:
        raise RepositoryError("Only what is in git can be published: the hub shows commits.")
    name = name_of(kernel)
    with Hub(address_of(kernel)).prepared() as hub:
        commit, has_vectors = _commit_of(repository), hub.has_vectors
        if before := _unchanged(kernel, hub, name, commit, _state(kernel, name, has_vectors=has_vectors)):
            return replace(before, dry_run=dry_run)
        limits = dict.fromkeys(SORTS, SYNCED)
        renewed = kernel.registered("derived", "all").run(stages=stages, with_cochanges=True, limits=limits)
        Mentions(kernel.database).catch_up()
        with stages("Collecting", unit="rows"):
            report = verify(kernel, every=True)
            collected = collect(kernel, name, paths=paths_of(repository, commit.sha), has_vectors=has_vectors)
        if _commit_of(repository) != commit:
            raise RepositoryError("HEAD went elsewhere while it was read; nothing was published.", hint="Try again.")
        done = Published(
            repository=name,
            hub=hub.address.shown,
            commit=commit.sha,
            rows=collected.counts(),
            held_back=collected.held_back,
            dry_run=dry_run,
            notices=(
                *filter(None, (renewed.history_problem, renewed.learnings.problem, renewed.chunks.problem)),
                *report.notices,
                *_notices(collected, has_vectors=has_vectors),
            ),
        )
        store = PublishStore(hub, name)
        with hub.transaction(is_reading=dry_run):
            shown = store.shown() if dry_run else store.lock()
            if not force:
                _refuse_older(repository, shown, commit)
            done = _merge(store, shown, commit, collected, done, stages)
    if not dry_run:
        _remember(kernel, _state(kernel, name, has_vectors=has_vectors), collected.digest, done)
    return done


def _commit_of(repository: GitRepository) -> Commit:
    """Return the commit that is checked out; raise a RepositoryError where the files are not as it has them."""
    head = repository.head()
    if head is None:
        raise RepositoryError("Nothing has been committed here yet, so there is nothing to publish.")
    records = [f"{DIRECTORY}/{one}" for one in (LEARNINGS, FACTS, ENTITIES, RELATIONS)]
    if changed := uncommitted(repository, records):
        more = f" and {len(changed) - _FEW:,} more" if len(changed) > _FEW else ""
        raise RepositoryError(
            f"The files are not as HEAD has them: {', '.join(changed[:_FEW])}{more}.",
            hint="Commit or stash them first; the hub shows whole commits.",
        )
    if repository.may_be_sparse() and left_out_files(repository, paths_of(repository, head)):
        raise RepositoryError(
            "A sparse checkout keeps files of HEAD out of the working tree.",
            hint="Run 'git sparse-checkout disable' first; the hub shows whole commits.",
        )
    moment = datetime.fromtimestamp(repository.time_of(head), UTC)
    return Commit(sha=head, committed_at=moment, tool=__version__)


def _refuse_older(repository: GitRepository, shown: Shown, commit: Commit) -> None:
    """Refuse a commit that comes before the one that the hub shows, or is older where that one is not known here."""
    if shown.committed_at is None or shown.commit == commit.sha:
        return
    if knows_commit(repository, shown.commit):
        is_older = builds_on(repository, shown.commit, commit.sha)
    else:
        is_older = commit.committed_at < shown.committed_at
    if is_older:
        raise HubError(
            f"The hub shows a later commit already ({shown.commit[:12]}); HEAD is {commit.sha[:12]}.",
            hint="Publish that of your main branch, or go back with --force.",
        )


def _merge(
    store: PublishStore, shown: Shown, commit: Commit, collected: Collected, done: Published, stages: Stages
) -> Published:
    """Let the hub show what was collected, unless that is only to be told; return what changes."""
    digest = collected.digest
    known = store.owners() if shown.digest != digest else None
    if known is not None:
        new = collected.digests.keys() - known.keys()
        other = {one for one, told in collected.digests.items() if one not in new and known[one].digest != told}
        gone = known.keys() - collected.digests.keys()
        done = replace(
            done,
            added=collected.kinds(new),
            updated=collected.kinds(other),
            removed=dict(sorted(Counter(known[one].kind for one in gone).items())),
        )
        if not done.dry_run:
            with stages("Publishing", unit="rows") as report:
                store.remove(other | gone)
                store.add(collected.rows, new | other, report)
    if not done.dry_run and (shown.commit, shown.digest, shown.tool) != (commit.sha, digest, commit.tool):
        store.show(commit, digest=digest, counts=done.rows)
    return done


def _notices(collected: Collected, *, has_vectors: bool) -> Iterator[str]:
    """Yield sentences about what is not published though nothing is wrong with it."""
    if not has_vectors:
        yield "The hub keeps no vectors: its server lacks the extension 'vector', so it finds by words alone."
    elif count := collected.vectors_left_out:
        yield f"Vectors of other models than the hub keeps were left out: {count:,}, not of {DIMENSION} numbers."
    if count := collected.unrecorded:
        yield f"Not in git here, and so left out: {count:,} learnings, facts and entities."


def _state(kernel: Kernel, name: str, *, has_vectors: bool) -> str:
    """Return what changes whenever another digest would be published of the same commit by the same tx."""
    embedding = kernel.one(Embedding)
    made_with = (embedding.name, embedding.available, has_detector())
    return repr((name, has_vectors, made_with, CollectStore(kernel.database).state()))


def _unchanged(kernel: Kernel, hub: Hub, name: str, commit: Commit, state: str) -> Published | None:
    """Return what was published the last time, if nothing has changed here since, and the hub shows just that."""
    last = AnalysisStore(kernel.database).last(_MEMO)
    if last is None or (last.head, last.options["state"]) != (commit.sha, state):
        return None
    shown = PublishStore(hub, name).shown()
    if (shown.commit, shown.tool, shown.digest.hex()) != (commit.sha, commit.tool, last.options["digest"]):
        return None
    return Published(
        repository=name,
        hub=hub.address.shown,
        commit=commit.sha,
        rows=last.options["rows"],
        held_back=tuple(HeldBack(**one) for one in last.options["held_back"]),
        notices=tuple(last.options["notices"]),
    )


def _remember(kernel: Kernel, state: str, digest: bytes, done: Published) -> None:
    """Take note of what was published, so that it need not be collected again as long as nothing changes."""
    if kernel.database.read_only:
        return
    held_back = [as_json(one) for one in done.held_back]
    told = {"state": state, "digest": digest.hex(), "rows": done.rows, "held_back": held_back, "notices": done.notices}
    with kernel.database.transaction():
        AnalysisStore(kernel.database).record(
            AnalysisRun(name=_MEMO, finished_at=kernel.now(), head=done.commit, options=told)
        )
