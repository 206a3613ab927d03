"""Use cases about runs: start, finish, show, what was shown in them, and feedback on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import StoredLearning, checked_limit, clean_label
from tx_graph.domain.run import Outcome, Run, Use, clean_transcript
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.services.references import References
from tx_graph.services.stamps import iso
from tx_graph.services.work_references import WorkReferences
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.provenance import ProvenanceStore
from tx_graph.storage.runs import RunStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run is to end; the transcript is text, None leaves the one it has."""

    outcome: Outcome
    transcript: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """A run that has ended; `existed` when it had ended just so before."""

    run: Run
    existed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Showing:
    """How many learnings a run was shown for the first time, and how many again."""

    new: int
    again: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UseInRun:
    """A learning and what a run had of it."""

    stored: StoredLearning
    use: Use


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShown:
    """A run with the learnings it used, in the order in which they were shown, and those that were made in it."""

    run: Run
    used: tuple[UseInRun, ...]
    derived: tuple[StoredLearning, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A vote on a learning, with the learning as it counts now; `previous` is the vote that this one replaced."""

    stored: StoredLearning
    helpful: bool
    position: int | None
    previous: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The votes that were given in one run, in the order given."""

    run: Run
    votes: tuple[Vote, ...]


class Runs:
    """Everything one does to runs."""

    def __init__(
        self,
        *,
        database: Database,
        store: RunStore,
        provenance: ProvenanceStore,
        learnings: LearningStore,
        references: References,
        work: WorkReferences,
        clock: Clock,
    ) -> None:
        self._database = database
        self._store = store
        self._provenance = provenance
        self._learnings = learnings
        self._references = references
        self._work = work
        self._clock = clock

    def start(self, *, task: str | None = None, agent: str | None = None) -> Run:
        """Start a run, for a task if one is named.

        Raises:
            NotFound: There is no such task.
            UsageError: The agent's name is empty, too long or not printable.
        """
        agent = None if agent is None else clean_label(agent, what="name of the agent")
        with self._database.transaction():
            found = None if task is None else self._work.task(task)
            return self._store.add(task=found, agent=agent, now=self._now())

    def finish(self, ref: str, ending: Ending, *, again: bool = False) -> Ended:
        """Say how a run ended. Only with `again` may one that has ended get another outcome or transcript.

        Raises:
            NotFound: There is no such run.
            UsageError: It has ended otherwise, or the transcript is too long or no text.
        """
        transcript = None if ending.transcript is None else clean_transcript(ending.transcript) or None
        with self._database.transaction():
            run = self._work.run(ref)
            if run.outcome is ending.outcome and transcript is None:
                return Ended(run=run, existed=True)
            if run.is_finished and not again:
                raise UsageError(
                    f"{run.ref} has {run.outcome} already, at {run.finished_at}.",
                    hint="Give --again to replace what it says.",
                )
            self._store.finish(run.id, ending.outcome, transcript=transcript, now=self._now())
            return Ended(run=self._work.run(run.ref))

    def get(self, ref: str) -> Run:
        """Return the run with this local number or reference.

        Raises:
            NotFound: There is none.
        """
        return self._work.run(ref)

    def listed(self, *, task: str | None = None, limit: int) -> list[Run]:
        """Return the newest runs, only those for a task if one is named.

        Raises:
            NotFound: There is no such task.
            UsageError: The limit is not from 1 to 10,000.
        """
        number = None if task is None else self._work.task(task).id
        return self._store.listed(task=number, limit=checked_limit(limit))

    def touching(self, learnings: Collection[NodeId], *, limit: int) -> list[Run]:
        """Return the newest runs in which any of these learnings was shown, judged or made."""
        return self._store.touching(learnings, limit=limit)

    def show(self, ref: str) -> RunShown:
        """Return a run with the learnings it used and those made in it; those that were removed are left out.

        Raises:
            NotFound: There is no such run.
        """
        run = self._work.run(ref)
        uses = self._store.uses([run.id])
        known = self._present(use.learning for use in uses)
        return RunShown(
            run=run,
            used=tuple(UseInRun(stored=known[use.learning], use=use) for use in uses if use.learning in known),
            derived=tuple(self._present(self._provenance.derived([run.node])).values()),
        )

    def _present(self, nodes: Iterable[NodeId]) -> dict[NodeId, StoredLearning]:
        found = self._learnings.by_nodes(list(nodes))
        return {stored.node: stored for stored in found if stored.learning.removed_at is None}

    def transcript(self, ref: str) -> str | None:
        """Return the transcript of a run, None when it has none.

        Raises:
            NotFound: There is no such run.
        """
        return self._store.transcript(self._work.run(ref).id)

    def record_shown(self, ref: str, shown: Sequence[tuple[NodeId, float]]) -> Showing:
        """Record learnings, by their nodes, with their scores in [0, 1] as shown in a run, best first.

        One that was shown in it before keeps the position and score it had then.

        Raises:
            NotFound: There is no such run.
            UsageError: The run is finished.
        """
        distinct: dict[NodeId, float] = {}
        for node, score in shown:
            distinct.setdefault(node, min(1.0, max(0.0, score)))
        with self._database.transaction():
            run = self._work.run(ref)
            if run.is_finished:
                raise UsageError(f"{run.ref} is finished.", hint="Start another one with 'tx run:start'.")
            new = self._store.show(run.id, list(distinct.items()), now=self._now())
        return Showing(new=new, again=len(distinct) - new)

    def feedback(self, ref: str, *, helpful: Sequence[str] = (), unhelpful: Sequence[str] = ()) -> Feedback:
        """Say which learnings helped in a run and which did not: all votes or none.

        There is one vote for each learning and run; a later one replaces it.

        Raises:
            NotFound: The run or a learning does not exist.
            UsageError: No learning is named, or one is named as both.
        """
        if not helpful and not unhelpful:
            raise UsageError("Which learnings?", hint="Name them with --helpful 3,7 and --unhelpful 2.")
        with self._database.transaction():
            run = self._work.run(ref)
            wanted = self._wanted(helpful, unhelpful)
            uses = {use.learning: use for use in self._store.uses([run.id])}
            votes = [
                self._vote(run, stored, uses.get(stored.node), helpful=is_helpful) for stored, is_helpful in wanted
            ]
        return Feedback(run=run, votes=tuple(votes))

    def _wanted(self, helpful: Sequence[str], unhelpful: Sequence[str]) -> list[tuple[StoredLearning, bool]]:
        """Return each learning that is named, once, with the vote on it."""
        good = {stored.id: stored for stored in map(self._references.learning, helpful)}
        bad = {stored.id: stored for stored in map(self._references.learning, unhelpful)}
        if both := sorted(good.keys() & bad.keys()):
            raise UsageError(f"learning:{both[0]} is named as helpful and as unhelpful; nothing was noted.")
        return [(one, True) for one in good.values()] + [(one, False) for one in bad.values()]

    def _vote(self, run: Run, stored: StoredLearning, use: Use | None, *, helpful: bool) -> Vote:
        use = use or Use(run=run.id, learning=stored.node)
        now = self._now()
        self._store.vote(run, use, helpful=helpful, now=now)
        self._learnings.count_vote(stored.id, helpful=helpful, replacing=use.helpful, now=now)
        counted = self._learnings.by_numbers([stored.id])[0]
        return Vote(stored=counted, helpful=helpful, position=use.position, previous=use.helpful)

    def _now(self) -> str:
        return iso(self._clock.now())
