"""What agents did, as their transcripts tell it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.domain.telemetry import EventKind, StoredEvent, TranscriptFormat
from tx_graph.ports import Progress, no_progress
from tx_graph.sdk.given import chosen, several
from tx_graph.sdk.namespace import Namespace

if TYPE_CHECKING:
    from tx_graph.services.telemetry import IngestReport as TranscriptReport
    from tx_graph.services.telemetry import Pruned as PrunedEvents
    from tx_graph.storage.telemetry import TranscriptTally


class Transcripts(Namespace):
    """Sessions of agents: `workspace.transcripts`."""

    def ingest(
        self,
        *paths: Path | str,
        format: TranscriptFormat | None = None,
        everywhere: bool = False,
        keep: str | None = None,
        progress: Progress = no_progress,
    ) -> TranscriptReport:
        """Return what was read of transcripts that are named, and of those in directories that are; only what is new.

        Sessions in other directories than this repository are left out of directories unless `everywhere` is said.
        `keep` is how long events are kept: `12h`, `30d`, `4w`.

        Raises:
            NotFound: There is nothing of a name.
            UsageError: What finds secrets is not installed, or `keep` is no length of time.
            StorageError: The database cannot be written.
        """
        from tx_graph.services.telemetry import Wanted

        wanted = Wanted(format=chosen(TranscriptFormat, format), everywhere=everywhere, keep=keep)
        with self._lasting.use() as workspace:
            return workspace.transcripts.run([str(path) for path in paths], wanted, progress=progress)

    def list(self, *, limit: int = 20) -> tuple[TranscriptTally, ...]:
        """Return the transcripts that were read, newest first, with what is kept of them.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.telemetry.transcripts(limit=limit))

    def of_run(self, run: Ref) -> TranscriptTally | None:
        """Return the transcript that a run comes from, None where it has none.

        Raises:
            NotFound: There is no such run.
        """
        from tx_graph.work.references import WorkReferences

        with self._lasting.use() as workspace:
            return workspace.telemetry.of_run(workspace.kernel.one(WorkReferences).run(run).id)


class Telemetry(Namespace):
    """Single events: `workspace.telemetry`."""

    def list(
        self, *, run: Ref | None = None, kinds: Sequence[EventKind] = (), failed: bool = False, limit: int = 50
    ) -> tuple[StoredEvent, ...]:
        """Return the last things that agents did, oldest first: in one run, of some kinds, or only what failed.

        Raises:
            NotFound: There is no such run.
            UsageError: The limit is not from 1 to 10,000.
        """
        from tx_graph.services.telemetry import Asked

        wanted = [chosen(EventKind, kind) for kind in several(kinds)]
        asked = Asked(run=None if run is None else ref_of(run), kinds=wanted, failed=failed, limit=limit)
        with self._lasting.use() as workspace:
            return tuple(workspace.telemetry.events(asked))

    def prune(self, keep: str | None = None) -> PrunedEvents:
        """Return how many events were forgotten that are older than `keep`, or than the setting says.

        Raises:
            UsageError: It is no length of time.
        """
        with self._lasting.use() as workspace:
            return workspace.retention.prune(keep)
