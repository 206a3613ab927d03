"""What may become a proposal: commits, decision records, comments, and what sessions of agents teach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from posixpath import basename

from tx_graph.code.comments import Comment, read_comments
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import read_symbols, why_skipped
from tx_graph.core.errors import RepositoryError
from tx_graph.core.git import ask_git
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.repository import GitRepository, WorkingFile
from tx_graph.core.secrets import redacted
from tx_graph.graph.edges import NodeId
from tx_graph.history.commits import CommitMessage, Hunk, changed_lines
from tx_graph.proposals import commits
from tx_graph.proposals.calls import calls_of
from tx_graph.proposals.comments import MARKS, is_decision_page, propose_comment, propose_decision, reference
from tx_graph.proposals.lessons import Habits, ResolvedErrors, lessons_of
from tx_graph.proposals.prose import code_paths
from tx_graph.proposals.speech import Lesson, identity_of
from tx_graph.proposals.values import Proposal, Reason, Recognised
from tx_graph.records.anchor import AnchorRequest, AnchorType
from tx_graph.records.learning import SourceType
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.work.reading import SessionPaths
from tx_graph.work.telemetry_store import Session, TelemetryStore

_MOST = 4  # anchors of a proposal: what touches more is about none of it in particular
_SYMBOLS_OF_A_FILE = 2
_TESTS = ("tests::", "test::", "test_")  # how declarations begin that test others of the same file
_TELLING = 12  # characters from which on a line of code is told from others
_FEWEST_LINES = 2
_LARGEST_SYMBOL = 200  # lines of a declaration beyond which it says no more than its file
_LONGEST_SOURCE = 500_000  # bytes of a file that is read as it was to find declarations


class Places:
    """Finds where commits did their work, as far as it is still there."""

    def __init__(
        self, repository: GitRepository, *, files: Collection[str], text_of: Callable[[str], str | None]
    ) -> None:
        self._repository = repository
        self._text_of = text_of
        self._changed: dict[str, dict[str, list[Hunk]]] = {}
        self._files = frozenset(files)
        self._by_name = defaultdict(list)
        for path in sorted(files):
            self._by_name[basename(path)].append(path)

    def of(self, message: CommitMessage) -> list[AnchorRequest]:
        """Return the files of a commit that still exist, or what it changed in them: the four most changed."""
        living = {path: found for path in code_paths(message.paths) if (found := self._now(path))}
        if not living:
            return []
        changed = self.changed(message)
        size = {path: sum(hunk.size for hunk in changed.get(path, ())) for path in living}
        ranked = sorted(living, key=lambda path: (-size[path], path))
        requests: dict[AnchorRequest, None] = {}
        for path in ranked:
            hunks = changed.get(path, [])
            names = self._symbols(message, path, hunks) if hunks and language_of(path) else []
            if 1 <= len(names) <= _SYMBOLS_OF_A_FILE:
                requests |= dict.fromkeys(AnchorRequest(path=living[path], symbol=name) for name in names)
            else:
                requests[AnchorRequest(path=living[path])] = None
        return list(requests)[:_MOST]

    def _now(self, path: str) -> str | None:
        """Return where a file is now: there, or at the only place that ends like it, as when all went below `src/`."""
        if path in self._files:
            return path
        moved = [other for other in self._by_name.get(basename(path), ()) if f"/{other}".endswith(f"/{path}")]
        return moved[0] if len(moved) == 1 else None

    def changed(self, message: CommitMessage) -> dict[str, list[Hunk]]:
        """Return the hunks of a commit by path; nothing where a partial clone lacks them."""
        if message.sha not in self._changed:
            try:
                self._changed[message.sha] = changed_lines(self._repository, message.sha)
            except RepositoryError:
                self._changed[message.sha] = {}
        return self._changed[message.sha]

    def still_there(self, message: CommitMessage) -> float:
        """Return which share of the lines that a commit wrote is still there; 1 for one that wrote next to none."""
        written = there = 0
        for path in code_paths(message.paths):
            lines = [line.strip() for hunk in self.changed(message).get(path, ()) for line in hunk.added]
            lines = [line for line in lines if len(line) >= _TELLING]
            now = self._now(path)
            text = self._text_of(now) if now and lines else None
            known = {line.strip() for line in text.split("\n")} if text else set()
            written += len(lines)
            there += sum(line in known for line in lines)
        return there / written if written >= _FEWEST_LINES else 1.0

    def _symbols(self, message: CommitMessage, path: str, hunks: Sequence[Hunk]) -> list[str]:
        """Return the declarations that hold all changes to a file as the commit left it; none if some lie outside."""
        answer = ask_git(self._repository.root, "cat-file", "blob", f"{message.sha}:{path}", fine=(0, 128))
        if answer.status or len(answer.output) > _LONGEST_SOURCE:
            return []
        symbols = read_symbols(path, answer.output)
        around: list[str | None] = []
        for first, last in (hunk.lines for hunk in hunks):
            # The smallest declaration around the lines, unless it is too large to say anything.
            holding = [one for one in symbols if one.line_start <= first and last <= one.line_end]
            best = min(holding, key=lambda one: one.line_end - one.line_start, default=None)
            around.append(best.name if best and best.line_end - best.line_start < _LARGEST_SYMBOL else None)
        tests = [name for name in around if name and name.startswith(_TESTS)]
        around = [name for name in around if name not in tests] or around
        return list(dict.fromkeys(name for name in around if name)) if all(around) else []


_REPORTED_EVERY = 500
_STILL_THERE = 0.3  # share of the lines that a commit wrote from which on its code counts as still there


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitCandidate:
    """A commit that may be worth a proposal; `twins` are all commits with the same message."""

    message: CommitMessage
    judged: commits.Judged
    twins: tuple[str, ...]
    places: Places
    follow_up: commits.FollowUp | None = None
    is_checked: bool = False

    @property
    def rank(self) -> tuple[float, int, str]:
        """The surest first, of equals the youngest."""
        return (-self.judged.confidence, -self.message.time, self.message.sha)

    @property
    def sources(self) -> tuple[str, ...]:
        """The commits, as records name them."""
        return tuple(f"commit:{sha}" for sha in self.twins)

    def finished(self) -> CommitCandidate | Proposal | None:
        """Return the proposal, None if no file of the commit is left.

        What turns out to be no fix of a fix, or was rewritten since, comes back as a candidate that ranks lower.
        """
        if self.follow_up and not self.follow_up.is_certain and not self._meets(self.follow_up):
            plain = commits.judge(self.message)
            return replace(self, judged=plain, follow_up=None) if plain else None
        if not self.is_checked:  # where its code has been rewritten since, the reason may be gone with it
            is_there = self.places.still_there(self.message) >= _STILL_THERE
            judged = self.judged if is_there else commits.discounted(self.judged)
            return replace(self, judged=judged, is_checked=True) if judged else None
        anchors = self.places.of(self.message)
        if not anchors:
            return None
        return Proposal(
            content=self.judged.content,
            category=self.judged.category,
            confidence=self.judged.confidence,
            reasons=tuple(reason.name for reason in self.judged.reasons),
            source_type=SourceType.COMMIT,
            source_ref=f"commit:{self.message.sha}",
            anchors=tuple(anchors),
            time=self.message.time,
        )

    def _meets(self, found: commits.FollowUp) -> bool:
        """Whether two fixes changed the same lines; what happened between them is so little that lines hardly moved."""
        before, after = self.places.changed(found.earlier), self.places.changed(found.fix)
        shared = set(code_paths(found.fix.paths)) & before.keys() & after.keys()
        return any(
            other.old_start <= one.lines[1] and one.lines[0] <= other.old_start + max(other.old_count - 1, 0)
            for path in shared
            for one in before[path]
            for other in after[path]
        )


def commit_candidates(
    messages: Sequence[CommitMessage], places: Places, *, progress: Progress = no_progress
) -> Iterator[CommitCandidate]:
    """Yield what commits, newest first, may propose; of commits with the same message, the youngest."""
    by_text = defaultdict(list)
    for message in messages:
        by_text[" ".join(message.text.split("\n(cherry picked")[0].split())].append(message.sha)
    twins_of = {several[0]: tuple(several) for several in by_text.values()}
    by_start = {message.sha[: commits.SHORTEST]: message for message in messages}
    returned = commits.came_back(messages)
    gone = commits.taken_back(messages, returned=returned)
    mending = {found.fix.sha: found for found in commits.follow_ups(messages)}
    for done, message in enumerate(messages):
        if done % _REPORTED_EVERY == 0:
            progress(done, len(messages))
        if message.sha not in twins_of or message.sha in gone:
            continue
        taken, found = commits.reverted(message), mending.get(message.sha)
        earlier = by_start.get(taken.sha[: commits.SHORTEST].lower()) if taken and taken.sha else None
        judged = (
            commits.judge_revert(message, returned=returned, earlier=earlier)
            or (commits.judge_follow_up(found) if found else None)
            or commits.judge(message)
        )
        if judged:
            yield CommitCandidate(
                message=message,
                judged=judged,
                twins=twins_of[message.sha],
                places=places,
                follow_up=found if judged.said.epilogue else None,
            )


_LARGEST = 1_000_000  # bytes of a file that people may have written
_OTHERS = frozenset("vendor vendored third_party third-party thirdparty node_modules bower_components dist".split())
"""Directories of code that somebody else explains."""

TextOf = Callable[[str], "str | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A proposal that is finished as it is; `identity` is that of the lesson it comes from, empty for none."""

    proposal: Proposal
    identity: str = ""

    @property
    def rank(self) -> tuple[float, int, str]:
        """What candidates are sorted by."""
        return self.proposal.rank

    @property
    def sources(self) -> tuple[str, ...]:
        """What the record will name, and what makes a lesson the same wherever and whenever it is taught."""
        return (self.proposal.source_ref, self.identity) if self.identity else (self.proposal.source_ref,)

    def finished(self) -> Proposal:
        """Return the proposal."""
        return self.proposal


Candidate = CommitCandidate | Ready
"""What may become a proposal. Finishing it costs more than ranking it, so only the best are finished."""


def decision_candidates(files: Sequence[WorkingFile], text_of: TextOf) -> Iterator[Ready]:
    """Yield what decision records propose."""
    paths = [file.path for file in files]
    for path in filter(is_decision_page, paths):
        text = text_of(path)
        if text is not None and (proposal := propose_decision(path, text, files=paths)):
            yield Ready(proposal=proposal)


def comment_candidates(
    files: Sequence[WorkingFile], text_of: TextOf, *, generated: Collection[str] = (), progress: Progress = no_progress
) -> Iterator[Ready]:
    """Yield what comments propose; the same words at several places are one proposal."""
    said: dict[str, list[Comment]] = defaultdict(list)
    small = [file.path for file in files if file.size <= _LARGEST and file.path not in generated]
    ours = [path for path in small if _OTHERS.isdisjoint(path.split("/")[:-1])]
    for done, path in enumerate(ours):
        progress(done, len(ours))
        text = text_of(path)
        if text is None or not MARKS.search(text) or why_skipped(path, language_of(path) or "", text.encode()):
            continue
        for comment in read_comments(path, text):
            if MARKS.search(comment.text):
                said[reference(comment)].append(comment)
    proposals = (propose_comment(same) for same in said.values())
    return (Ready(proposal=one) for one in proposals if one)


LEAST = 0.5
"""The confidence below which what a session seems to teach is not worth somebody's time."""
MOST_RUNS = 5
"""Runs that a learning is tied to as what it is derived from: the newest; a habit comes from hundreds."""
_AGAIN = 0.3  # what it adds that a user said the same in another session


class Transcripts:
    """What sessions teach, and the learnings that come from them, tied to their runs."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._store = TelemetryStore(kernel.database)

    @property
    def are_there(self) -> bool:
        """Whether any transcript was read of which something is kept."""
        return bool(self._store.sessions())

    def candidates(
        self, files: Collection[str], *, unsure: bool = False, progress: Progress = no_progress
    ) -> Iterator[Ready]:
        """Yield what sessions teach that were held in this repository, or worked on its files.

        Each lesson comes once, however many sessions teach it, with its newest session. `unsure` yields the messages of
        users instead of which the rules are not sure.
        """
        paths, sessions = SessionPaths(self._kernel.root), self._store.sessions()
        attended: dict[int, Session] = {}
        spoken: dict[str, list[tuple[int, Lesson]]] = defaultdict(list)
        habits, errors = Habits(), ResolvedErrors()
        for done, session in enumerate(sessions):
            progress(done, len(sessions))
            events = self._store.events_of(session.run)
            is_ours = session.cwd and paths.holds(session.cwd)
            if not is_ours and not any(event.paths for event in events):
                continue
            attended[session.run] = session
            for lesson in lessons_of(events):
                spoken[lesson.identity].append((session.run, lesson))
            calls = list(calls_of(events))
            habits.count(session.run, calls)
            errors.count(session.run, calls)
        said: list[tuple[Lesson, tuple[int, ...]]] = []
        for several in spoken.values():
            runs, lesson = tuple(dict.fromkeys(run for run, _ in several)), several[0][1]
            again = [Reason(f"said in {len(runs):,} sessions", _AGAIN)] if len(runs) > 1 else []
            said.append((replace(lesson, reasons=(*lesson.reasons, *again)), runs))
        for lesson, runs in said if unsure else [*said, *habits.lessons(), *errors.lessons()]:
            if lesson.is_unsure == unsure and (unsure or lesson.confidence >= LEAST):
                newest_first = [attended[run] for run in sorted(runs, reverse=True)]
                yield Ready(proposal=_taught(lesson, newest_first, files), identity=lesson.identity)

    def known(self) -> set[str]:
        """Return the identities of the lessons that were proposed before, whatever became of them."""
        return {identity for one in self._store.taught() if (identity := identity_of(one.source))}

    def derive(self, learning: NodeId, runs: Iterable[NodeId]) -> None:
        """Tie a learning to the runs that taught it. Needs a transaction."""
        for run in runs:
            ProvenanceStore(self._kernel.database).derive(learning, run, at=self._kernel.now())

    def derive_known(self, known: Sequence[Candidate], recognised: Sequence[Recognised]) -> None:
        """Tie learnings to runs that taught them again; those that were removed stay alone. Needs a transaction."""
        nodes = {identity_of(one.source): one.node for one in self._store.taught() if not one.is_removed}
        for candidate in known:
            if isinstance(candidate, Ready) and (node := nodes.get(candidate.identity)):
                self.derive(node, candidate.proposal.derived_from)
        for one in recognised:
            if one.stored.learning.removed_at is None:
                self.derive(one.stored.node, one.proposal.derived_from)


def _taught(lesson: Lesson, sessions: Sequence[Session], files: Collection[str]) -> Proposal:
    """Return the proposal of a lesson that these sessions taught, newest first."""
    time = None
    with suppress(ValueError):
        time = int(datetime.fromisoformat(lesson.at).timestamp()) if lesson.at else None
    anchors = [AnchorRequest(path=path) for path in lesson.paths if path in files]
    existing = [path for path in lesson.patterns if path in files]
    anchors += [AnchorRequest(path=path, type=AnchorType.GLOB) for path in existing[:1]]  # as long as that exists
    return Proposal(
        content=lesson.content,
        category=lesson.category,
        confidence=lesson.confidence,
        reasons=tuple(reason.name for reason in lesson.reasons),
        source_type=SourceType.TRANSCRIPT,
        source_ref=lesson.reference(sessions[0].name),
        anchors=tuple(anchors),
        time=time,
        stands_alone=lesson.rule.is_users_word,
        derived_from=tuple(session.node for session in sessions[:MOST_RUNS]),
        # Whoever is asked about it must not hear a secret either.
        evidence=tuple(redacted(text).text for text in lesson.evidence) if lesson.is_unsure else lesson.evidence,
        is_unsure=lesson.is_unsure,
    )
