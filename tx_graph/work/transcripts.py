"""Transcripts of agents: read into events, told, and forgotten after a while."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg, Limit, Ref, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.secrets import INSTALL_DETECTOR, has_detector, redacted
from tx_graph.core.shape import Answer
from tx_graph.core.times import parse_age
from tx_graph.core.working_tree import trusted_mtime
from tx_graph.work.formats import Session
from tx_graph.work.reading import Candidate, OpenTranscript, SessionPaths, Told, candidates, opened
from tx_graph.work.references import WorkReferences
from tx_graph.work.store import RunStore
from tx_graph.work.telemetry_store import TelemetryStore, TranscriptRow, TranscriptTally
from tx_graph.work.values import Event, EventKind, StoredEvent, TranscriptFormat

TEXT_LIMIT = 10_000
"""Characters that an event keeps of its text: half of them from the beginning, half from the end."""
_NAME_LIMIT = 1_000  # characters of the name of a tool, call or session, or of a directory
_REMEMBERED = 4_096
_BATCH = 1_000  # lines that are written at once: killed in between, nothing is lost and nothing comes twice
_AHEAD = timedelta(days=1)  # how far the clock of another machine may be ahead; a later event would never grow old


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

    JSON: ClassVar = "path reading format run lines events unknown malformed redacted expired waits"

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
class IngestReport(Answer):
    """What was read of each file, and how many events were forgotten afterwards because of their age."""

    JSON: ClassVar = "transcripts skipped events redacted pruned keep"

    files: tuple[FileReport, ...]
    pruned: int
    keep: str

    @property
    def transcripts(self) -> tuple[FileReport, ...]:
        """The files that are transcripts."""
        return tuple(one for one in self.files if not one.problem)

    @property
    def skipped(self) -> tuple[dict[str, str], ...]:
        """The files that could not be read, with why."""
        return tuple({"path": one.path, "reason": one.problem} for one in self.refused)

    @property
    def named(self) -> list[FileReport]:
        """The files that could not be read although they were named."""
        return [one for one in self.refused if one.named]

    @property
    def events(self) -> int:
        """How many events were read."""
        return sum(one.events for one in self.files)

    @property
    def redacted(self) -> int:
        """How many secrets were taken out."""
        return sum(one.redacted for one in self.files)

    @property
    def refused(self) -> tuple[FileReport, ...]:
        """The files that could not be read."""
        return tuple(one for one in self.files if one.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruned(Answer):
    """How many events were forgotten, how many are left, and since when (UTC, ISO 8601)."""

    removed: int
    left: int
    since: str


class _Overtaken(Exception):
    """Another process has read on in the same transcript."""


class Transcripts:
    """Sessions of agents: `workspace.transcripts`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = TelemetryStore(kernel.database)

    def ingest(
        self,
        *paths: Annotated[
            Path | str, Arg("FILE|DIR...", "Transcripts, and directories that have some.", is_split=False, least=1)
        ],
        format: Annotated[
            TranscriptFormat | None, Arg("NAME", f"Not by content, but as {choices(TranscriptFormat)}.")
        ] = None,
        everywhere: Annotated[bool, Arg(help="Also sessions in other directories than this repository.")] = False,
        keep: Annotated[str | None, Arg("AGE", "Keep events this long: 12h, 30d, 4w.")] = None,
        progress: Progress = no_progress,
    ) -> IngestReport:
        """Read what agents did from their transcripts: prompts, answers, calls of tools and what these said.

        Claude Code keeps them in ~/.claude/projects, Codex in ~/.codex/sessions; both are *.jsonl. Each one is a
        session, and becomes a run. Secrets are taken out before anything is stored; long texts lose their middle,
        thoughts and images are left out. Only what is new since the last time is read. Events stay on this machine and
        are forgotten after the time that the setting telemetry.keep says. A named file that cannot be read makes the
        exit status 1.

        Example:
          tx transcript:ingest ~/.claude/projects ~/.codex/sessions
          tx transcript:ingest session.jsonl --keep 90d

        Raises:
            UsageError: What finds secrets is not installed, or `keep` is no length of time.
        """
        if not has_detector():
            missing = "Transcripts are not read: what finds secrets in them is not installed."
            raise UsageError(missing, hint=INSTALL_DETECTOR)
        kept = keep or str(self._kernel.config.get("telemetry.keep"))
        reader = _Reader(
            self._kernel, format=format, everywhere=everywhere, since=iso(self._kernel.clock.now() - parse_age(kept))
        )
        found = candidates(map(str, paths), cwd=self._kernel.checkout.cwd)
        files = []
        for done, one in enumerate(found, start=1):
            files.append(reader.read(one))
            progress(done, len(found))
        pruned = self._kernel.one(Telemetry).prune(kept)
        return IngestReport(files=tuple(files), pruned=pruned.removed, keep=kept)

    def list(self, *, limit: Limit = 20) -> tuple[TranscriptTally, ...]:
        """List the transcripts that were read, newest first, with what is kept of them.

        Example:
          tx transcript:list
        """
        return tuple(self._store.tallies(limit=checked_limit(limit)))

    def of_run(self, run: Ref) -> TranscriptTally | None:
        """Return the transcript that a run comes from, None where it has none."""
        number = self._kernel.one(WorkReferences).run(run).id
        return next(iter(self._store.tallies([number])), None)


class Telemetry:
    """What agents did: `workspace.telemetry`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = TelemetryStore(kernel.database)

    def list(
        self,
        *,
        run: Annotated[Ref | None, Arg("RUN", "Only of this run.")] = None,
        kinds: Annotated[
            Sequence[EventKind],
            Arg("NAME", f"Only these: {choices(EventKind)}. Repeatable.", flag="--kind", is_split=False),
        ] = (),
        failed: Annotated[bool, Arg(help="Only what failed.")] = False,
        limit: Limit = 50,
    ) -> tuple[StoredEvent, ...]:
        """List the last things that agents did, oldest first. Of each text the beginning; --json has all that is kept.

        Example:
          tx telemetry:list --run 9
          tx telemetry:list --failed -n 20
        """
        number = None if run is None else self._kernel.one(WorkReferences).run(run).id
        return tuple(self._store.last(run=number, kinds=kinds, failed=failed, limit=checked_limit(limit)))

    def prune(
        self,
        keep: Annotated[str | None, Arg("AGE", "Not the setting telemetry.keep: 12h, 30d, 4w.", flag="--keep")] = None,
    ) -> Pruned:
        """Forget what transcripts told that is older than the setting telemetry.keep says.

        Runs stay, and so does how far each transcript was read: what was forgotten does not come back. 0h forgets all.

        Example:
          tx telemetry:prune
          tx telemetry:prune --keep 12h
        """
        age = parse_age(keep or str(self._kernel.config.get("telemetry.keep")))
        since = iso(self._kernel.clock.now() - age)
        with self._kernel.database.transaction():
            removed = self._store.prune(since)
        return Pruned(removed=removed, left=self._store.count(), since=since)


class _Reader:
    """Reads what is new in transcripts, and that since a time only."""

    def __init__(self, kernel: Kernel, *, format: TranscriptFormat | None, everywhere: bool, since: str) -> None:
        self._kernel = kernel
        self._store = TelemetryStore(kernel.database)
        self._format = format
        self._everywhere = everywhere
        self._since = since
        self._short = lru_cache(maxsize=_REMEMBERED)(redacted)
        self._paths = SessionPaths(kernel.root)

    def read(self, one: Candidate) -> FileReport:
        """Read one file; another process may do so too."""
        problem = one.problem
        while not problem:
            try:
                with opened(one.path) as transcript, suppress(_Overtaken):
                    return self._transcript(one, transcript)
            except OSError as error:
                problem = f"cannot be read: {error.strerror or error}"
        return _skipped(one, problem)

    def _transcript(self, one: Candidate, transcript: OpenTranscript) -> FileReport:
        row = self._store.by_path(str(one.path))
        if row and (row.size, row.mtime_ns) == (transcript.size, transcript.mtime_ns):
            return _report(row, Reading.UNCHANGED, waits=row.read_bytes < row.size)
        if row and transcript.resume(read_bytes=row.read_bytes, read_hash=row.read_hash, lines=row.lines):
            return self._read(transcript, row, Reading.CONTINUED)
        found, session = transcript.head()
        is_elsewhere = session.cwd and not self._paths.holds(session.cwd)
        left = Reading.OLD if found and transcript.written_at < self._since else None
        if not one.named and not self._everywhere and is_elsewhere:
            left = Reading.ELSEWHERE
        if row is None and left:
            return FileReport(path=str(one.path), reading=left, format=found, cwd=session.cwd)
        form = self._format or found or (row.format if row else None)
        if form is None:
            return _skipped(one, "is empty" if not transcript.size else "is no transcript in a known format")
        fresh = TranscriptRow(path=str(one.path), format=form, run=0, ingested_at="", session=self._name(session.id))
        if row is None:
            return self._read(transcript, fresh, Reading.NEW)
        fresh = replace(fresh, id=row.id, run=row.run)
        with self._kernel.database.transaction():  # what it said is forgotten; its run stays
            if not self._store.advance(replace(fresh, ingested_at=row.ingested_at), since=row):
                raise _Overtaken
            self._store.forget_events(row.id)
        return self._read(transcript, fresh, Reading.REWRITTEN)

    def _read(self, transcript: OpenTranscript, row: TranscriptRow, reading: Reading) -> FileReport:
        before, expired, stored = row, 0, 0
        session, written_at = Session(id=row.session, cwd=row.cwd), transcript.written_at
        told = transcript.tell(row.format, session)
        latest = iso(self._kernel.clock.now() + _AHEAD)
        while True:
            lines: list[Told] = []
            found: list[tuple[Event, int]] = []
            for one in islice(told, _BATCH):  # what a line says happened later than now has no time
                line = one._replace(at=None) if one.at and one.at > latest else one
                found += self._events(line)
                lines.append(line._replace(drafts=()))  # texts that are not yet cut may be long
            is_last = len(lines) < _BATCH
            now = replace(
                row,
                session=self._name(session.id),
                cwd=self._name(session.cwd),
                # Until all is read it must not look as if nothing had changed.
                size=transcript.size if is_last else 0,
                mtime_ns=trusted_mtime(transcript.mtime_ns) if is_last else -1,
                read_bytes=transcript.passed,
                read_hash=transcript.digest,
                lines=row.lines + len(lines),
                unknown=row.unknown + sum(line.is_unknown for line in lines),
                malformed=row.malformed + sum(line.is_malformed for line in lines),
                redacted=row.redacted + sum(secrets for _, secrets in found),
                ingested_at=self._kernel.now(),
            )
            if is_last and not (row.id or found):
                return _report(now, Reading.SILENT, waits=transcript.waits, before=row)
            kept = [event for event, _ in found if (event.at or written_at) >= self._since]
            with self._kernel.database.transaction():
                if row.id:
                    if not self._store.advance(now, since=row):
                        raise _Overtaken
                    row = now
                else:
                    row = self._added(now, next((line.at for line in lines if line.at), written_at))
                self._store.add_events(row.id, kept, fallback=written_at)
                if found:
                    RunStore(self._kernel.database).reach(row.run, found[-1][0].at or written_at)
            expired, stored = expired + len(found) - len(kept), stored + len(kept)
            if is_last:
                break
        if reading is Reading.CONTINUED and row.lines == before.lines:
            reading = Reading.UNCHANGED
        done = _report(row, reading, waits=transcript.waits, before=before)
        return replace(done, events=stored, expired=expired)

    def _added(self, row: TranscriptRow, started_at: str) -> TranscriptRow:
        """Write a new transcript with its run, unless another process was faster."""
        if self._store.by_path(row.path) is not None:
            raise _Overtaken
        run = RunStore(self._kernel.database).add(task=None, agent=row.format.value, now=started_at)
        row = replace(row, run=run.id)
        return replace(row, id=self._store.add(row))

    def _events(self, told: Told) -> Iterator[tuple[Event, int]]:
        """Yield the events of a line, each with how many secrets were taken out of its text.

        Secrets go before anything is cut: half a key would be no key to a detector.
        """
        for draft in told.drafts:
            clean = redacted(draft.text)
            paths = [path for name in draft.named if (path := self._paths.named(name, told.cwd))]
            paths += self._paths.in_command(draft.words, told.cwd) if draft.words else ()
            event = Event(
                kind=draft.kind,
                text=cut(clean.text),
                line=told.number,
                at=told.at,
                tool=self._name(draft.tool),
                call=self._name(draft.call),
                failed=draft.failed,
                paths=tuple(dict.fromkeys(self._short(path).text for path in paths)),
            )
            yield event, clean.secrets

    def _name(self, name: str | None) -> str | None:
        """Return a name, or whatever else is short, without secrets."""
        return None if name is None else self._short(name).text[:_NAME_LIMIT]


def cut(text: str) -> str:
    """Return a text as it is kept: one over the limit loses its middle, which is said in its place."""
    if len(text) <= TEXT_LIMIT:
        return text
    half = TEXT_LIMIT // 2
    return f"{text[:half]}\n… ({len(text) - 2 * half:,} characters left out) …\n{text[-half:]}"


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
        waits=waits,
        **{name: getattr(row, name) - getattr(before, name) for name in ("lines", "unknown", "malformed", "redacted")},
    )
