"""Reads transcripts of agents: each is one session and one run, and each line is read once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from tx_graph.codebase.transcripts import (
    Candidate,
    Head,
    OpenTranscript,
    Session,
    SessionPaths,
    Told,
    candidates,
    opened,
)
from tx_graph.domain.telemetry import Event, TranscriptFormat
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.stamps import iso, trusted_mtime
from tx_graph.services.telemetry.drafts import Drafts
from tx_graph.services.telemetry.retention import Retention
from tx_graph.services.telemetry.values import FileReport, IngestReport, Reading
from tx_graph.storage.stores import Stores
from tx_graph.storage.telemetry import TranscriptRow
from tx_graph.work.store import RunStore

_BATCH = 1_000
"""Lines that are written at once: killed in between, nothing is lost and nothing comes twice."""
_AHEAD = timedelta(days=1)
"""How far the clock of another machine may be ahead; a later event would never grow old."""
_NANOSECONDS = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What of the files is to be read: those in a format, those of sessions `everywhere`, those that are not too old.

    `keep` is a length of time such as `30d`, None for the setting.
    """

    format: TranscriptFormat | None = None
    everywhere: bool = False
    keep: str | None = None


@dataclass(slots=True, kw_only=True)
class _Batch:
    """Events of some lines, with what is to be counted."""

    events: list[tuple[Event, int]]
    lines: int
    unknown: int
    malformed: int
    first_at: str | None


class _Overtaken(Exception):
    """Another process has read on in the same transcript."""


class Ingesting:
    """Reads transcripts into events."""

    def __init__(
        self, *, stores: Stores, drafts: Drafts, paths: SessionPaths, retention: Retention, cwd: Path, clock: Clock
    ) -> None:
        self._stores = stores
        self._telemetry = stores.telemetry
        self._drafts = drafts
        self._paths = paths
        self._retention = retention
        self._cwd = cwd
        self._clock = clock

    def run(self, typed: Sequence[str], wanted: Wanted, *, progress: Progress = no_progress) -> IngestReport:
        """Read what is new in the files that are named, and in those below the directories that are.

        Files in directories are left out when their session was in another repository. Events are pruned afterwards.

        Raises:
            NotFound: There is nothing of a name.
            UsageError: What finds secrets is not installed, or `keep` is no length of time.
            StorageError: The database cannot be written.
        """
        since = self._retention.since(wanted.keep)
        found = candidates(typed, cwd=self._cwd)
        files = []
        for done, one in enumerate(found, start=1):
            files.append(self._file(one, wanted, since))
            progress(done, len(found))
        pruned = self._retention.prune(wanted.keep)
        return IngestReport(files=tuple(files), pruned=pruned.removed, keep=wanted.keep or self._retention.keep)

    def _file(self, one: Candidate, wanted: Wanted, since: str) -> FileReport:
        if one.problem:
            return _skipped(one, one.problem)
        try:
            while True:
                try:
                    with opened(one.path) as transcript:
                        return self._transcript(one, transcript, wanted, since)
                except _Overtaken:
                    continue
        except OSError as error:
            return _skipped(one, f"cannot be read: {error.strerror or error}")

    def _transcript(self, one: Candidate, transcript: OpenTranscript, wanted: Wanted, since: str) -> FileReport:
        row = self._telemetry.by_path(str(one.path))
        if row and (row.size, row.mtime_ns) == (transcript.size, transcript.mtime_ns):
            return _report(row, Reading.UNCHANGED, waits=row.read_bytes < row.size)
        if row and transcript.resume(read_bytes=row.read_bytes, read_hash=row.read_hash, lines=row.lines):
            return self._read(transcript, row, Reading.CONTINUED, since)
        head = transcript.head()
        form = wanted.format or head.format or (row.format if row else None)
        left = None if row else self._why_left(one, transcript, head, wanted, since)
        if left or form is None:
            return left or _skipped(one, "is empty" if head.is_empty else "is no transcript in a known format")
        fresh = TranscriptRow(
            path=str(one.path), format=form, run=0, ingested_at="", session=self._drafts.name(head.session)
        )
        if row is None:
            return self._read(transcript, fresh, Reading.NEW, since)
        fresh = replace(fresh, id=row.id, run=row.run)
        self._start_again(row, fresh)
        return self._read(transcript, fresh, Reading.REWRITTEN, since)

    def _why_left(
        self, one: Candidate, transcript: OpenTranscript, head: Head, wanted: Wanted, since: str
    ) -> FileReport | None:
        """Return what to say of a transcript that is left out on purpose, None for any other."""
        if not one.named and not wanted.everywhere and head.cwd and not self._paths.holds(head.cwd):
            return FileReport(path=str(one.path), reading=Reading.ELSEWHERE, format=head.format, cwd=head.cwd)
        if head.format and _written_at(transcript) < since:
            return FileReport(path=str(one.path), reading=Reading.OLD, format=head.format, cwd=head.cwd)
        return None

    def _start_again(self, row: TranscriptRow, fresh: TranscriptRow) -> None:
        """Forget what a transcript said that was rewritten; its run stays."""
        with self._stores.database.transaction():
            if not self._telemetry.advance(replace(fresh, ingested_at=row.ingested_at), since=row):
                raise _Overtaken
            self._telemetry.forget_events(row.id)

    def _read(self, transcript: OpenTranscript, row: TranscriptRow, reading: Reading, since: str) -> FileReport:
        before, expired, stored = row, 0, 0
        session = Session(id=row.session, cwd=row.cwd)
        told = transcript.tell(row.format, session)
        limit = iso(self._clock.now() + _AHEAD)
        while True:
            batch = self._batch(told, limit)
            is_last = batch.lines < _BATCH
            now = self._advanced(row, batch, transcript, session, is_last=is_last)
            if is_last and not (row.id or batch.events):
                return _report(now, Reading.SILENT, waits=transcript.waits, before=row)
            kept = [event for event, _ in batch.events if (event.at or _written_at(transcript)) >= since]
            row = self._write(now, kept, batch, transcript, since_row=row)
            expired, stored = expired + len(batch.events) - len(kept), stored + len(kept)
            if is_last:
                break
        if reading is Reading.CONTINUED and row.lines == before.lines:
            reading = Reading.UNCHANGED
        done = _report(row, reading, waits=transcript.waits, before=before)
        return replace(done, events=stored, expired=expired)

    def _batch(self, told: Iterator[Told], limit: str) -> _Batch:
        """Return the next lines; what they say happened after `limit` has no time."""
        batch = _Batch(events=[], lines=0, unknown=0, malformed=0, first_at=None)
        for one in islice(told, _BATCH):
            line = one._replace(at=None) if one.at and one.at > limit else one
            batch.events += self._drafts.events(line)
            batch.first_at = batch.first_at or line.at
            batch.lines += 1
            batch.unknown += line.is_unknown
            batch.malformed += line.is_malformed
        return batch

    def _advanced(
        self, row: TranscriptRow, batch: _Batch, transcript: OpenTranscript, session: Session, *, is_last: bool
    ) -> TranscriptRow:
        """Return how far the transcript is read with a batch."""
        return replace(
            row,
            session=self._drafts.name(session.id),
            cwd=self._drafts.name(session.cwd),
            # Until all is read it must not look as if nothing had changed.
            size=transcript.size if is_last else 0,
            mtime_ns=trusted_mtime(transcript.mtime_ns) if is_last else -1,
            read_bytes=transcript.passed,
            read_hash=transcript.digest,
            lines=row.lines + batch.lines,
            unknown=row.unknown + batch.unknown,
            malformed=row.malformed + batch.malformed,
            redacted=row.redacted + sum(secrets for _, secrets in batch.events),
            ingested_at=iso(self._clock.now()),
        )

    def _write(
        self,
        row: TranscriptRow,
        events: Sequence[Event],
        batch: _Batch,
        transcript: OpenTranscript,
        *,
        since_row: TranscriptRow,
    ) -> TranscriptRow:
        """Write a batch, unless another process was faster."""
        fallback = _written_at(transcript)
        with self._stores.database.transaction():
            if row.id:
                if not self._telemetry.advance(row, since=since_row):
                    raise _Overtaken
            else:
                row = self._added(row, batch.first_at or fallback)
            self._telemetry.add_events(row.id, events, fallback=fallback)
            if batch.events:
                RunStore(self._stores.database).reach(row.run, batch.events[-1][0].at or fallback)
        return row

    def _added(self, row: TranscriptRow, started_at: str) -> TranscriptRow:
        if self._telemetry.by_path(row.path) is not None:
            raise _Overtaken
        run = RunStore(self._stores.database).add(task=None, agent=row.format.value, now=started_at)
        row = replace(row, run=run.id)
        return replace(row, id=self._telemetry.add(row))


def _skipped(one: Candidate, problem: str) -> FileReport:
    return FileReport(path=str(one.path), reading=Reading.SKIPPED, named=one.named, problem=problem)


def _report(row: TranscriptRow, reading: Reading, *, waits: bool, before: TranscriptRow | None = None) -> FileReport:
    before = before or row
    return FileReport(
        path=row.path,
        reading=reading,
        format=row.format,
        run=row.run or None,
        cwd=row.cwd,
        lines=row.lines - before.lines,
        unknown=row.unknown - before.unknown,
        malformed=row.malformed - before.malformed,
        redacted=row.redacted - before.redacted,
        waits=waits,
    )


def _written_at(transcript: OpenTranscript) -> str:
    """Return when the file was last written."""
    return iso(datetime.fromtimestamp(transcript.mtime_ns / _NANOSECONDS, UTC))
