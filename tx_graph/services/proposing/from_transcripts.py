"""Candidates from transcripts: what sessions teach, each lesson once however many sessions teach it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime

from tx_graph.analysis.proposals.sessions.calls import calls_of
from tx_graph.analysis.proposals.sessions.habits import Habits
from tx_graph.analysis.proposals.sessions.lesson import Heard, Lesson
from tx_graph.analysis.proposals.sessions.lessons import lessons_of
from tx_graph.analysis.proposals.sessions.resolved import ResolvedErrors
from tx_graph.domain.anchor import AnchorRequest, AnchorType
from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import SourceType
from tx_graph.domain.proposal import Proposal, Reason
from tx_graph.domain.telemetry import Event
from tx_graph.ports import Progress, no_progress
from tx_graph.storage.telemetry_reading import Session, TelemetryReading

LEAST = 0.5
"""The confidence below which what a session seems to teach is not worth somebody's time."""
MOST_RUNS = 5
"""Runs that a learning is tied to as what it is derived from: the newest; a habit comes from hundreds."""
_AGAIN = 0.3
"""What it adds that a user said the same in another session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCandidate:
    """A lesson, where it was taught last, and the runs that taught it, newest first."""

    heard: Heard
    runs: tuple[NodeId, ...]
    files: Collection[str]

    @property
    def rank(self) -> tuple[float, int, str]:
        """The surest first, of equals the youngest."""
        return (-self.heard.lesson.confidence, -(self._time or 0), self.heard.reference)

    @property
    def sources(self) -> tuple[str, ...]:
        """What makes it the same again, wherever and whenever it is taught."""
        return (self.heard.reference, self.heard.lesson.identity)

    def finished(self) -> Proposal:
        """Return the proposal."""
        lesson = self.heard.lesson
        return Proposal(
            content=lesson.content,
            category=lesson.category,
            confidence=lesson.confidence,
            reasons=tuple(reason.name for reason in lesson.reasons),
            source_type=SourceType.TRANSCRIPT,
            source_ref=self.heard.reference,
            anchors=tuple(self._anchors(lesson)),
            time=self._time,
            stands_alone=lesson.rule.is_users_word,
            derived_from=self.runs[:MOST_RUNS],
            evidence=lesson.evidence,
        )

    def _anchors(self, lesson: Lesson) -> Iterator[AnchorRequest]:
        """Yield the files it is about, and the first that it holds with as long as that exists."""
        yield from (AnchorRequest(path=path) for path in lesson.paths if path in self.files)
        existing = [path for path in lesson.patterns if path in self.files]
        yield from (AnchorRequest(path=path, type=AnchorType.GLOB) for path in existing[:1])

    @property
    def _time(self) -> int | None:
        with suppress(ValueError):
            at = self.heard.lesson.at
            return int(datetime.fromisoformat(at).timestamp()) if at else None
        return None


def transcript_candidates(
    reading: TelemetryReading,
    *,
    files: Collection[str],
    holds: Callable[[str], bool],
    progress: Progress = no_progress,
) -> Iterator[SessionCandidate]:
    """Yield what sessions teach that were held in this repository, or worked on its files: others are about others.

    `holds` says whether a directory is the repository's root, or below.
    """
    lectures = _Lectures()
    sessions = reading.sessions()
    for done, session in enumerate(sessions):
        progress(done, len(sessions))
        events = reading.events(session.run)
        if (session.cwd and holds(session.cwd)) or any(event.paths for event in events):
            lectures.attend(session, events)
    for heard, runs in lectures.heard():
        if heard.lesson.confidence >= LEAST:
            yield SessionCandidate(heard=heard, runs=runs, files=files)


class _Lectures:
    """Takes session after session, newest first, and tells what was taught in them."""

    def __init__(self) -> None:
        self._sessions: dict[int, Session] = {}
        self._spoken: dict[str, list[tuple[int, Lesson]]] = defaultdict(list)
        self._habits, self._errors = Habits(), ResolvedErrors()

    def attend(self, session: Session, events: Collection[Event]) -> None:
        """Take what happened in a session."""
        self._sessions[session.run] = session
        for lesson in lessons_of(events):
            self._spoken[lesson.identity].append((session.run, lesson))
        calls = list(calls_of(events))
        self._habits.count(session.run, calls)
        self._errors.count(session.run, calls)

    def heard(self) -> Iterator[tuple[Heard, tuple[NodeId, ...]]]:
        """Yield each lesson with its newest session, and the nodes of its runs, newest first."""
        for lesson, runs in [*self._said(), *self._habits.lessons(), *self._errors.lessons()]:
            newest_first = sorted(runs, reverse=True)
            nodes = tuple(self._sessions[run].node for run in newest_first)
            yield Heard(lesson=lesson, session=self._sessions[newest_first[0]].name), nodes

    def _said(self) -> Iterable[tuple[Lesson, tuple[int, ...]]]:
        for several in self._spoken.values():
            runs = tuple(dict.fromkeys(run for run, _ in several))
            lesson = several[0][1]
            if len(runs) > 1:
                again = Reason(f"said in {len(runs):,} sessions", _AGAIN)
                lesson = replace(lesson, reasons=(*lesson.reasons, again))
            yield lesson, runs
