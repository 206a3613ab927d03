"""What may become a proposal: commits, decision records, comments, and what sessions of agents teach."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime

from tx_graph.anchors.fingerprints import similarity, sketch_of
from tx_graph.anchors.judging import judge
from tx_graph.anchors.relocating import Relocating
from tx_graph.anchors.sources import SourceText, source_text, sources
from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.code.comments import Comment, read_comments
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import why_skipped
from tx_graph.code.sorts import is_marked_generated
from tx_graph.code.symbols import Match, Symbol, match_of, readings_of
from tx_graph.core.changes import Hunk
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import RepositoryError
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.repository import GitRepository, WorkingFile
from tx_graph.graph.edges import NodeId
from tx_graph.history.commits import CommitMessage, changed_lines
from tx_graph.history.past import Past
from tx_graph.proposals import commits
from tx_graph.proposals.calls import calls_of
from tx_graph.proposals.comments import MARKS, is_decision_page, propose_comment, propose_decision, reference
from tx_graph.proposals.lessons import Habits, ResolvedErrors, lessons_of
from tx_graph.proposals.prose import Point, code_names, code_paths, is_foreign
from tx_graph.proposals.speech import Lesson, identity_of
from tx_graph.proposals.values import Proposal, Reason, Recognised
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType
from tx_graph.records.learning import SourceType
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.work.reading import SessionPaths
from tx_graph.work.telemetry_store import Session, TelemetryStore

_MOST = 4  # anchors of a proposal: what touches more is about none of it in particular
_MOST_FILES = 3  # files that it is tied to as a whole, where it names nothing in them
_MOST_READ = 8  # files of a commit that are read as they were
_TESTS = ("tests::", "test::", "test_")  # how declarations begin that test others of the same file
_LARGEST_SYMBOL = 200  # lines of a declaration beyond which it says no more than its file
_LARGEST = 400_000  # bytes beyond which a file was put together by a tool, from what mostly somebody else wrote
_REPORTED_EVERY = 500
_MOST_LACKING = 40  # commits that git lacks after which no more are asked for: each question takes a process
_SCATTERED = 0.9  # what is left of the worth of a proposal that may be about any of several files
_KEPT = 0.875  # what is left of a proposal's worth when its code is not like what it was at all


class Places:
    """Finds the code that commits speak of: as it was when they spoke, and where it is now."""

    def __init__(self, kernel: Kernel, repository: GitRepository, past: Past) -> None:
        self._kernel = kernel
        self._repository = repository
        self._past = past
        self.lacking = 0
        """Commits of which git lacks what they changed, as in a partial clone."""
        # Lost code is looked for where the index knows its name; files are followed by git's renames.
        self._relocating = Relocating(kernel, other_files=SymbolStore(kernel.database).files_declaring, evidence=None)

    def of(self, message: CommitMessage, text: str) -> tuple[list[Judgement], bool]:
        """Return the code of a commit as it was then and is judged now, and whether it is certain which.

        The declarations that are named, of what it changed if it can be, else the one where it did most, if there is no
        other, else the files. What is gone is left out.
        """
        hunks = changed_lines(self._repository, message.sha)
        ranked = sorted(code_paths(list(hunks)), key=lambda path: -sum(one.size for one in hunks[path]))
        then = {path: source for path in ranked[:_MOST_READ] if (source := self._then(message.sha, path))}
        names = code_names(text)
        named: list[tuple[str, Symbol]] = []
        touched: Counter[tuple[str, Symbol] | None] = Counter()
        for path, source in then.items():
            for hunk in hunks[path]:
                best = _around(source, hunk)
                if best is None or not best.name.startswith(_TESTS):
                    touched[(path, best) if best else None] += hunk.size
            telling = [one for one in source.symbols if one.line_end - one.line_start < _LARGEST_SYMBOL]
            named += [(path, one) for one in telling if any(_is_named(one, name) for name in names)]
        found = [place for place in named if place in touched] or named
        if not found and len(touched.keys() - {None}) == 1 and (most := touched.most_common(1)[0][0]):
            found = [most]
        anchors = [
            Anchor(path=path, type=AnchorType.SYMBOL, symbol=one.name, fingerprints=then[path].anchored(one))
            for path, one in found[:_MOST]
        ]
        files = [path for path in then if any(path == name or path.endswith(f"/{name}") for name in names)]
        if not named and (files or not anchors):
            whole = (files or list(then))[:_MOST_FILES]
            anchors = [Anchor(path=path, type=AnchorType.HASH, fingerprints=then[path].whole()) for path in whole]
        return self._now(anchors), bool(files or found)

    def _then(self, commit: str, path: str) -> SourceText | None:
        data = self._past.at(commit, path)
        if data is None or len(data) > _LARGEST or why_skipped(path, language_of(path) or "", data):
            return None
        source = source_text(path, data)
        return None if is_marked_generated(source.text) else source

    def _now(self, anchors: Sequence[Anchor]) -> list[Judgement]:
        """Return the verdicts on anchors of the past; what was moved is at its new place, with its old fingerprints."""
        journeys = self._past.journeys({one.path for one in anchors})
        hints = {path: journey.path for path, journey in journeys.items() if journey.path != path}
        judged = self._relocating.settle([judge(self._kernel, one) for one in anchors], hints=hints)
        return [
            replace(one, anchor=replace(one.relocated_to or one.anchor, fingerprints=one.anchor.fingerprints))
            for one in judged
            if one.verdict is not Verdict.INVALID
        ]

    def prepare(self, messages: Iterable[CommitMessage]) -> None:
        """Ask git once where the files of many commits are now."""
        self._past.journeys({path for message in messages for path in code_paths(message.paths)})

    def likeness(self, judged: Sequence[Judgement]) -> float:
        """Return how like what it was the declaration is that changed least, in [0, 1]; 1 where there is none."""
        found = []
        for anchor in (one.anchor for one in judged):
            now = self._kernel.one(sources).get(anchor.path)
            symbol = now.symbol(anchor.symbol) if now and anchor.symbol else None
            if now and symbol and anchor.fingerprints:
                old, new = sketch_of(anchor.fingerprints), sketch_of(now.of_symbol(symbol))
                found.append(similarity(old, new) if old and new else 1.0)
        return max(found, default=1.0)


def _around(source: SourceText, hunk: Hunk) -> Symbol | None:
    """Return the smallest declaration around changed lines; None where even that is too large to say anything."""
    first, last = hunk.lines
    holding = [one for one in source.symbols if one.line_start <= first and last <= one.line_end]
    best = min(holding, key=lambda one: one.line_end - one.line_start, default=None)
    return best if best and best.line_end - best.line_start < _LARGEST_SYMBOL else None


def _is_named(symbol: Symbol, name: str) -> bool:
    """Whether a name in a text is that of a symbol, or ends with it, as `self.login` does."""
    readings = readings_of(name)
    return any(match_of(symbol.name, one) is Match.EXACT for one in (*readings, readings[-1][-1:]))


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitCandidate:
    """A commit that may be worth a proposal; `twins` are all commits with the same message."""

    message: CommitMessage
    point: Point
    twins: tuple[str, ...]
    places: Places
    found: tuple[Judgement, ...] | None = None

    @property
    def rank(self) -> tuple[float, int, str]:
        """The surest first, of equals the youngest."""
        return (-commits.bounded(self.point.worth), -self.message.time, self.message.sha)

    @property
    def sources(self) -> tuple[str, ...]:
        """The commits, as records name them."""
        return tuple(f"commit:{sha}" for sha in self.twins)

    def finished(self) -> CommitCandidate | Proposal | None:
        """Return the proposal, None if none of its code is left; at first itself, as sure as that code makes it."""
        if self.found is None and self.places.lacking > _MOST_LACKING:
            return None
        if self.found is None:
            try:
                found, is_tied = self.places.of(self.message, self.point.text)
            except RepositoryError:
                self.places.lacking += 1
                return None
            point = self.point._replace(
                reasons=tuple(one for one in self.point.reasons if is_tied or one is not commits.TIED),
                share=self.point.share
                * (1 if is_tied or len(found) == 1 else _SCATTERED)
                * (_KEPT + (1 - _KEPT) * self.places.likeness(found)),
            )
            is_worth_it = found and commits.bounded(point.worth) >= commits.LEAST
            return replace(self, point=point, found=tuple(found)) if is_worth_it else None
        return Proposal(
            content=self.point.text,
            category="pitfall" if commits.is_revert(self.message) else "rationale",
            confidence=commits.bounded(self.point.worth),
            reasons=tuple(reason.name for reason in self.point.reasons),
            source_type=SourceType.COMMIT,
            source_ref=f"commit:{self.message.sha}",
            found=self.found,
            time=self.message.time,
        )


def commit_candidates(
    messages: Sequence[CommitMessage], places: Places, *, progress: Progress = no_progress
) -> Iterator[CommitCandidate]:
    """Yield what commits, newest first, may propose; of commits with the same message, the youngest."""
    by_text = defaultdict(list)
    for message in messages:
        by_text[" ".join(message.text.split("\n(cherry picked")[0].split())].append(message.sha)
    twins_of = {several[0]: tuple(several) for several in by_text.values()}
    gone = commits.taken_back(messages)
    found: list[CommitCandidate] = []
    for done, message in enumerate(messages):
        if done % _REPORTED_EVERY == 0:
            progress(done, len(messages))
        twins = () if message.sha in gone else twins_of.get(message.sha, ())
        if twins and (point := commits.judge(message)):
            found.append(CommitCandidate(message=message, point=point, twins=twins, places=places))
    with suppress(RepositoryError):
        places.prepare(one.message for one in found)
    yield from found


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
    files: Sequence[WorkingFile], text_of: TextOf, *, foreign: Collection[str] = (), progress: Progress = no_progress
) -> Iterator[Ready]:
    """Yield what comments propose; the same words at several places are one proposal."""
    said: dict[str, list[Comment]] = defaultdict(list)
    small = [file.path for file in files if file.size <= _LARGEST]
    ours = [path for path in small if path not in foreign and not is_foreign(path)]
    for done, path in enumerate(ours):
        progress(done, len(ours))
        text = text_of(path)
        if text is None or not MARKS.search(text) or is_marked_generated(text):
            continue
        if why_skipped(path, language_of(path) or "", text.encode()):
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
        evidence=tuple(map(without_secrets, lesson.evidence)),
        is_unsure=lesson.is_unsure,
    )
