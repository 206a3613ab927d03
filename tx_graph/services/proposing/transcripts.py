"""Transcripts as a source of learnings: what they teach, what they taught before, and from which run it comes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from tx_graph.analysis.proposals.sessions.lesson import identity_of
from tx_graph.domain.edges import NodeId
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.proposing.from_transcripts import MOST_RUNS, SessionCandidate, transcript_candidates
from tx_graph.services.proposing.values import Candidate, Recognised
from tx_graph.services.stamps import iso
from tx_graph.storage.provenance import ProvenanceStore
from tx_graph.storage.telemetry_reading import TelemetryReading


class Transcripts:
    """What sessions teach, and the learnings that come from them, tied to their runs.

    `holds` says whether a directory is the repository's root, or below.
    """

    def __init__(
        self,
        *,
        reading: TelemetryReading,
        provenance: ProvenanceStore,
        holds: Callable[[str], bool],
        clock: Clock,
    ) -> None:
        self._reading = reading
        self._holds = holds
        self._provenance = provenance
        self._clock = clock

    @property
    def are_there(self) -> bool:
        """Whether any transcript was read of which something is kept."""
        return bool(self._reading.sessions())

    def candidates(self, files: Collection[str], *, progress: Progress = no_progress) -> Iterator[SessionCandidate]:
        """Yield what sessions teach of the files of this repository."""
        return transcript_candidates(self._reading, files=files, holds=self._holds, progress=progress)

    def known(self) -> set[str]:
        """Return the identities of the lessons that were proposed before, whatever became of them."""
        return {identity for one in self._reading.taught() if (identity := identity_of(one.source))}

    def derive(self, learning: NodeId, runs: Iterable[NodeId]) -> None:
        """Tie a learning to the runs that taught it. Needs a transaction."""
        now = iso(self._clock.now())
        for run in runs:
            self._provenance.derive(learning, run, at=now)

    def derive_known(self, known: Sequence[Candidate], recognised: Sequence[Recognised]) -> None:
        """Tie learnings to runs that taught them again; those that were removed stay alone. Needs a transaction."""
        nodes = {identity_of(one.source): one.node for one in self._reading.taught() if not one.is_removed}
        for candidate in known:
            if isinstance(candidate, SessionCandidate) and (node := nodes.get(candidate.heard.lesson.identity)):
                self.derive(node, candidate.runs[:MOST_RUNS])
        for one in recognised:
            if one.stored.learning.removed_at is None:
                self.derive(one.stored.node, one.proposal.derived_from)
