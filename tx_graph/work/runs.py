"""What one does to runs: `workspace.runs`, and the commands `tx run:…`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from tx_graph.core.arguments import Arg, Limit, Reads, Ref, RunRef, ShareFeedback, choices
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import RunStore
from tx_graph.work.values import (
    TRANSCRIPT_LIMIT,
    Ended,
    Feedback,
    Outcome,
    Run,
    RunShown,
    RunWithTranscript,
    Use,
    UseInRun,
    Vote,
    clean_transcript,
)

if TYPE_CHECKING:
    from tx_graph.graph.edges import NodeId
    from tx_graph.records.learning import StoredLearning


class Runs:
    """Attempts at work, and what helped in them: `workspace.runs`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = RunStore(kernel.database)
        self._references = kernel.one(WorkReferences)

    def start(
        self,
        *,
        task: Annotated[Ref | None, Arg("TASK", "The task it is for: 7, or GH-123.")] = None,
        agent: Annotated[str | None, Arg("NAME", "Who or what works.")] = None,
    ) -> Run:
        """Start a run, one attempt at some work, and print its number; what else there is to say goes to stderr.

        Context that is gathered for it is remembered, so that 'tx run:feedback' can say what of it helped. Runs stay on
        this machine.

        Example:
          RUN=$(tx run:start --task GH-123 --agent reviewer)
          tx run:start --json
        """
        agent = None if agent is None else clean_label(agent, what="name of the agent")
        with self._kernel.database.transaction():
            found = None if task is None else self._references.task(task)
            return self._store.add(task=found, agent=agent, now=self._kernel.now())

    def finish(
        self,
        run: RunRef,
        outcome: Annotated[Outcome, Arg("NAME", f"How it ended: {choices(Outcome)}.", flag="--outcome")],
        *,
        transcript: Annotated[
            str | None,
            Arg(
                "FILE",
                "What was said and done, at most 10 MB; '-' reads stdin.",
                reads=Reads.FILE,
                most_bytes=TRANSCRIPT_LIMIT,
            ),
        ] = None,
        again: Annotated[bool, Arg(help="Replace what it says of its end.")] = False,
    ) -> Ended:
        """Say how a run ended, and keep its transcript if you like; secrets are taken out of it.

        Example:
          tx run:finish 9 --outcome succeeded
          tx run:finish 9 --outcome failed --transcript session.log

        Raises:
            UsageError: It has ended otherwise and this is not said `again`, or the transcript is too long or no text.
        """
        from tx_graph.core.secrets import redacted

        clean = redacted(transcript or "")
        text = None if transcript is None else clean_transcript(clean.text if clean.secrets else transcript) or None
        with self._kernel.database.transaction():
            found = self._references.run(run)
            if found.outcome is outcome and text is None:
                return Ended(run=found, existed=True)
            if found.is_finished and not again:
                raise UsageError(
                    f"{found.ref} has {found.outcome} already, at {found.finished_at}.",
                    hint="Give --again to replace what it says.",
                )
            self._store.finish(found.id, outcome, transcript=text, now=self._kernel.now())
            return Ended(run=self._references.run(found.id))

    def show(
        self, run: RunRef, *, transcript: Annotated[bool, Arg(help="Print the transcript instead.")] = False
    ) -> RunShown | RunWithTranscript:
        """Show a run: how it ended, what was shown in it, what helped, and what was learned.

        Example:
          tx run:show 9
          tx run:show 9 --transcript
        """
        from tx_graph.records.origin_store import ProvenanceStore
        from tx_graph.work.telemetry_store import TelemetryStore

        database = self._kernel.database
        found = self._references.run(run)
        uses = self._store.uses([found.id])
        known = self._present(use.learning for use in uses)
        parts: dict[str, Any] = {
            "run": found,
            "used": tuple(UseInRun(stored=known[use.learning], use=use) for use in uses if use.learning in known),
            "derived": tuple(self._present(ProvenanceStore(database).derived([found.node])).values()),
            "telemetry": next(iter(TelemetryStore(database).tallies([found.id])), None),
        }
        return (
            RunWithTranscript(**parts, transcript=self._store.transcript(found.id)) if transcript else RunShown(**parts)
        )

    def transcript(self, run: Ref) -> str | None:
        """Return the transcript of a run, None when it has none."""
        return self._store.transcript(self._references.run(run).id)

    def list(
        self, *, task: Annotated[Ref | None, Arg("TASK", "Only for this task.")] = None, limit: Limit = 20
    ) -> tuple[Run, ...]:
        """List runs, newest first.

        Example:
          tx run:list
          tx run:list --task GH-123
        """
        number = None if task is None else self._references.task(task).id
        return tuple(self._store.listed(task=number, limit=checked_limit(limit)))

    def feedback(
        self,
        run: RunRef,
        *,
        helpful: Annotated[Sequence[Ref], Arg("A,B", "Learnings that helped, such as 3,7.", mcp="such as 3, 7")] = (),
        unhelpful: Annotated[Sequence[Ref], Arg("A,B", "Learnings that did not help.", mcp="")] = (),
        share_feedback: ShareFeedback = False,
    ) -> Feedback:
        """Say which learnings helped in a run and which did not; those that help rank a little higher.

        All votes count, or none if one of them names nothing. There is one vote for each learning and run; a later one
        replaces it, also the record of one that was shared.

        Example:
          tx run:feedback 9 --helpful 3,7 --unhelpful 2

        Raises:
            UsageError: No learning is named, or one is named as both.

        Examples:
            >>> stored = workspace.learnings.add("Tokens are secret").stored
            >>> run = workspace.runs.start(agent="reviewer")
            >>> [vote.helpful for vote in workspace.runs.feedback(run, helpful=[stored]).votes]
            [True]
        """
        if not helpful and not unhelpful:
            raise UsageError("Which learnings?", hint="Name them with --helpful 3,7 and --unhelpful 2.")
        with self._kernel.database.transaction():
            found = self._references.run(run)
            good, bad = told_apart(self._kernel, helpful, unhelpful)
            uses = {use.learning: use for use in self._store.uses([found.id])}
            votes = [
                self._vote(found, stored, uses.get(stored.node), helpful=stored.id in good, is_shared=share_feedback)
                for stored in (*good.values(), *bad.values())
            ]
        return Feedback(run=found, votes=tuple(votes))

    def _vote(self, run: Run, stored: StoredLearning, use: Use | None, *, helpful: bool, is_shared: bool) -> Vote:
        from tx_graph.records.learning_store import LearningStore

        use = use or Use(run=run.id, learning=stored.node)
        now, learnings = self._kernel.now(), LearningStore(self._kernel.database)
        shared = self._store.shared_vote(run, use)
        if is_shared or shared:
            from tx_graph.records.vote_store import share

            was_local = use.helpful is not None and shared is None
            shared = share(self._kernel, stored.learning, float(helpful), again=shared)
            # What was counted here is counted from the record now.
            learnings.count_use(stored.id, helpful=-float(use.helpful or 0) * was_local, uses=-was_local, now=now)
        else:
            learnings.count_use(stored.id, helpful=helpful, replacing=use.helpful, now=now)
        self._store.vote(run, use, helpful=helpful, now=now, shared=shared)
        (counted,) = learnings.by_numbers([stored.id])
        return Vote(stored=counted, helpful=helpful, position=use.position, previous=use.helpful)

    def _present(self, nodes: Iterable[NodeId]) -> dict[NodeId, StoredLearning]:
        """Return the learnings at these nodes that were not removed."""
        from tx_graph.records.learning_store import LearningStore

        found = LearningStore(self._kernel.database).by_nodes([*nodes])
        return {stored.node: stored for stored in found if stored.learning.removed_at is None}


def told_apart(
    kernel: Kernel, helpful: Iterable[Ref], unhelpful: Iterable[Ref]
) -> tuple[dict[int, StoredLearning], dict[int, StoredLearning]]:
    """Return the learnings that helped and those that did not, by number; none is both."""
    from tx_graph.records.references import LearningReferences

    learning = kernel.one(LearningReferences).learning
    good, bad = ({stored.id: stored for stored in map(learning, those)} for those in (helpful, unhelpful))
    if both := sorted(good.keys() & bad.keys()):
        raise UsageError(f"learning:{both[0]} is named as helpful and as unhelpful; nothing was noted.")
    return good, bad


def record_shown(kernel: Kernel, run: Ref, shown: Sequence[tuple[NodeId, float]]) -> None:
    """Record learnings, by their nodes, with their scores in [0, 1] as shown in a run, best first.

    One that was shown in it before keeps the position and score it had then.
    """
    distinct: dict[NodeId, float] = {}
    for node, score in shown:
        distinct.setdefault(node, min(1.0, max(0.0, score)))
    with kernel.database.transaction():
        found = kernel.one(WorkReferences).run(run)
        if found.is_finished:
            raise UsageError(f"{found.ref} is finished.", hint="Start another one with 'tx run:start'.")
        RunStore(kernel.database).show(found.id, list(distinct.items()), now=kernel.now())
