"""Use cases about telemetry: what agents did, read from their transcripts and forgotten after a while."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tx_graph.core.database import Database
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Clock, Progress, no_progress
from tx_graph.core.secrets import Clean, Redactor
from tx_graph.core.stores import Stores
from tx_graph.core.times import parse_age
from tx_graph.core.working_tree import iso, trusted_mtime
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import RunStore
from tx_graph.work.telemetry import Event, EventKind, StoredEvent, TranscriptFormat
from tx_graph.work.telemetry_store import TelemetryStore, TranscriptRow, TranscriptTally
from tx_graph.work.transcripts.content import Draft, Session, SessionPaths
from tx_graph.work.transcripts.reading import Candidate, Head, OpenTranscript, Told, candidates, opened


class Reading(StrEnum):
    """What was done with a file."""

    NEW = "new"
    CONTINUED = "continued"
    REWRITTEN = "rewritten"
    UNCHANGED = "unchanged"
    ELSEWHERE = "elsewhere"
    OLD = "old"
    SILENT = "silent"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """What was read of one file this time; `problem` says, as a sentence's end, why that is nothing.

    It was `named` itself, or found in a directory.
    Of `lines`, `unknown` ones say nothing that is known and `malformed` ones are no JSON. `expired` events are older
    than what is kept. A last line that `waits` has no end yet.
    """

    path: str
    reading: Reading
    named: bool = False
    format: TranscriptFormat | None = None
    run: int | None = None
    cwd: str | None = None
    lines: int = 0
    events: int = 0
    unknown: int = 0
    malformed: int = 0
    redacted: int = 0
    expired: int = 0
    waits: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What was read of each file, and how many events were forgotten afterwards because of their age."""

    files: tuple[FileReport, ...]
    pruned: int
    keep: str

    @property
    def refused(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(one for one in self.files if one.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned:
    """How many events were forgotten, how many are left, and since when (UTC, ISO 8601)."""

    removed: int
    left: int
    since: str


TEXT_LIMIT = 10_000
"""Characters that an event keeps of its text: half of them from the beginning, half from the end."""
_NAME_LIMIT = 1_000
"""Characters of the name of a tool, call or session, or of a directory."""
_REMEMBERED = 4_096


class Drafts:
    """Makes events. Secrets go before anything is cut: half a key would be no key to a detector."""

    def __init__(self, *, redactor: Redactor, paths: SessionPaths) -> None:
        self._redactor = redactor
        self._paths = paths
        self._short = lru_cache(maxsize=_REMEMBERED)(redactor.clean)

    def events(self, told: Told) -> Iterator[tuple[Event, int]]:
        """Yield the events of a line, each with how many secrets were taken out of its text."""
        for draft in told.drafts:
            clean = self._redactor.clean(draft.text)
            yield self._event(draft, clean, told), clean.secrets

    def name(self, name: str | None) -> str | None:
        """Return a name, or whatever else is short, without secrets."""
        return None if name is None else self._short(name).text[:_NAME_LIMIT]

    def _event(self, draft: Draft, clean: Clean, told: Told) -> Event:
        return Event(
            kind=draft.kind,
            text=cut(clean.text),
            line=told.number,
            at=told.at,
            tool=self.name(draft.tool),
            call=self.name(draft.call),
            failed=draft.failed,
            paths=self._named(draft, told.cwd),
        )

    def _named(self, draft: Draft, cwd: str | None) -> tuple[str, ...]:
        named = [path for path in (self._paths.named(name, cwd) for name in draft.named) if path]
        found = [*named, *(self._paths.in_command(draft.words, cwd) if draft.words else ())]
        return tuple(dict.fromkeys(self._short(path).text for path in found))


def cut(text: str) -> str:
    """Return a text as it is kept: one over the limit loses its middle, which is said in its place."""
    if len(text) <= TEXT_LIMIT:
        return text
    half = TEXT_LIMIT // 2
    return f"{text[:half]}\n… ({len(text) - 2 * half:,} characters left out) …\n{text[-half:]}"


class Retention:
    """Forgets events by age; `keep` is the setting, such as `30d`."""

    def __init__(self, *, database: Database, store: TelemetryStore, keep: str, clock: Clock) -> None:
        self._database = database
        self._store = store
        self.keep = keep
        self._clock = clock

    def since(self, keep: str | None = None) -> str:
        """Return the time before which nothing is kept."""
        return iso(self._clock.now() - parse_age(keep or self.keep))

    def prune(self, keep: str | None = None) -> Pruned:
        """Forget what is older than `keep`, or than the setting says.

        Raises:
            UsageError: It is no length of time.
        """
        since = self.since(keep)
        with self._database.transaction():
            removed = self._store.prune(since)
        return Pruned(removed=removed, left=self._store.count(), since=since)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which events: those of one run, of some kinds, that failed; the last `limit` of them."""

    run: str | None = None
    kinds: Sequence[EventKind] = ()
    failed: bool = False
    limit: int = 50


class Telemetry:
    """Answers what was read, and what happened."""

    def __init__(self, *, store: TelemetryStore, work: WorkReferences) -> None:
        self._store = store
        self._work = work

    def transcripts(self, *, limit: int) -> list[TranscriptTally]:
        """Return the transcripts that were read, newest first.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        return self._store.tallies(limit=checked_limit(limit))

    def of_run(self, run: int) -> TranscriptTally | None:
        """Return the transcript of a run, None where it has none."""
        return next(iter(self._store.tallies([run])), None)

    def every(self, runs: Collection[int] | None = None, *, after: int = 0) -> Iterator[StoredEvent]:
        """Yield all events in the order in which they were read, only those of these runs if any are named.

        `after` is the number of the last event that is known already.
        """
        return self._store.events(runs, after=after)

    def events(self, asked: Asked) -> list[StoredEvent]:
        """Return the last events as asked, oldest first.

        Raises:
            NotFound: There is no such run.
            UsageError: The limit is not from 1 to 10,000.
        """
        run = None if asked.run is None else self._work.run(asked.run).id
        return self._store.last(run=run, kinds=asked.kinds, failed=asked.failed, limit=checked_limit(asked.limit))


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
