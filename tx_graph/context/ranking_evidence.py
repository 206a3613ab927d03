"""The plain ways to rank files, which the walk is measured against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import nlargest

from tx_graph.code.chunk_store import files
from tx_graph.code.file_store import FileStore
from tx_graph.context.graph_view import GraphView
from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Weights
from tx_graph.graph.edges import EdgeType, NodeId, Strand
from tx_graph.graph.expand import Ask, Limits, explore
from tx_graph.graph.fuse import commit_recency, reciprocal_rank_fusion
from tx_graph.graph.search import Index, Matcher, Question, Ranked, Source, matched, read_question
from tx_graph.graph.word_store import TextSearch
from tx_graph.history.commit_store import CommitId, CommitStore, Touch
from tx_graph.records.learning_store import LearningStore


class Method(StrEnum):
    """The ways to rank files, from plain search to what `tx context` uses; each but the last is there to compare.

    `bm25`: the files of the commits that match by words, best match first. `fusion`: that ranking, those of learnings
    that match by words and by vectors, and of paths, fused by their ranks: what plain search finds. `text`: the same
    and the words of files. `imports` and `cochanges`: the fusion with one more ranking, of the files one such edge away
    from its best ones. `decay`: two hops along all edges from all of it, the best path counts (PRD-016). `spread`: a
    random walk with restart from all evidence.
    """

    BM25 = "bm25"
    FUSION = "fusion"
    TEXT = "text"
    IMPORTS = "imports"
    COCHANGES = "cochanges"
    DECAY = "decay"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """One reason why a file is ranked: in words, and how much of the score it and its like brought, in [0, 1].

    `text` reads after the path, such as `imported by src/auth.py` or `changed in 1a2b3c4: "Fix token expiry"`.
    `ref` is the node it speaks of, as a canonical reference; empty where it speaks of the question itself.
    """

    text: str
    share: float
    ref: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedFile:
    """A file that is there now, its score in [0, 1] (the best of a ranking has 1), and the reasons, strongest first."""

    path: str
    score: float
    reasons: tuple[Because, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """The reasons in words."""
        return tuple(one.text for one in self.reasons)


class Kind(StrEnum):
    """Where evidence comes from."""

    MESSAGES = "messages"
    WORDS = "words"
    PATHS = "paths"
    NAMED = "named"
    LEARNINGS = "learnings"
    OPEN = "open"


_COMMITS = 100
_LEARNINGS = 50
_FILES = 50  # matches of each kind that are looked at: what ranks below them adds little but time
_MESSAGE_POWER, _TEXT_POWER = 3.0, 2.0
"""Powers of a BM25 score, as a share of the best one, by which matches share the mass of their kind."""
_NODES_OF_COMMITS = 1 << 48
"""Commits take part in the walk as nodes without being in the registry, which would grow by all of history."""


def node_of_commit(commit: CommitId) -> NodeId:
    """Return the node of a commit, for the time of one ranking."""
    return _NODES_OF_COMMITS + commit


def commit_of_node(node: NodeId) -> CommitId | None:
    """Return which commit a node is; None for what is no commit."""
    return node - _NODES_OF_COMMITS if node >= _NODES_OF_COMMITS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Direct matches of a question, by node and kind, best first, with scores above 0.

    `touched` says which files that are there now each of the commits touched; `ages` has the recency of each of
    these commits, in (0, 1]. `named` are the files that the question names, `asked` the words that were looked for.
    """

    commits: Mapping[CommitId, float]
    touched: Mapping[CommitId, Sequence[Touch]]
    ages: Mapping[CommitId, float]
    learnings: Mapping[NodeId, float]
    words: Mapping[NodeId, float]
    paths: Mapping[NodeId, float]
    named: Sequence[NodeId] = ()
    asked: str = ""

    def restart(self, weights: Weights, open_files: Collection[NodeId]) -> dict[Kind, dict[NodeId, float]]:
        """Return with which mass the walk starts where, by kind of evidence; all of it adds up to 1, or is nothing.

        An open file counts beside everything else together.
        """
        # A commit counts by its match and its age, and less for each file the more it touched.
        messages = {
            node_of_commit(commit): score * self.ages[commit] * touched[0].files ** 0.5
            for commit, score in _powered(self.commits, _MESSAGE_POWER).items()
            if (touched := self.touched.get(commit))
        }
        kinds = {
            Kind.MESSAGES: (weights.messages, messages),
            Kind.WORDS: (weights.words, _powered(self.words, _TEXT_POWER)),
            Kind.PATHS: (weights.paths, _powered(self.paths, _TEXT_POWER)),
            Kind.NAMED: (weights.paths, dict.fromkeys(self.named, 1.0)),
            Kind.LEARNINGS: (weights.learnings, _powered(self.learnings, _TEXT_POWER)),
        }
        mass = {kind: _scaled(_shares(scores), weight) for kind, (weight, scores) in kinds.items()}
        rest = sum(sum(those.values()) for those in mass.values())
        mass[Kind.OPEN] = _scaled(_shares(dict.fromkeys(open_files, 1.0)), weights.open_files * (rest or 1.0))
        total = sum(sum(those.values()) for those in mass.values())
        return {kind: _scaled(those, 1 / total) for kind, those in mass.items()} if total else {}


def evidence_of(kernel: Kernel, text: str, matcher: Matcher) -> Evidence:
    """Return what a question finds directly in every index; an empty one finds nothing."""
    if not text.strip():
        return Evidence(commits={}, touched={}, ages={}, learnings={}, words={}, paths={})
    database, now = kernel.database, kernel.clock.now().timestamp()
    history = CommitStore(database)
    question = read_question(text, TextSearch(database))

    def by_messages(question: Question, _: Collection[int] | None, limit: int) -> Ranked:
        return history.search(question.words, limit=limit)

    source = Source({**files(database).indexes, "messages": Index(rows=by_messages, each=_COMMITS // _FILES)})
    found = matched(source, question, count=_FILES)
    commits = found.by("messages")
    touched = history.touched_by(commits)
    matches = matcher(question, count=_LEARNINGS)
    briefs = LearningStore(database).briefs(numbers=matches.relevance)
    return Evidence(
        commits=commits,
        touched=touched,
        ages={commit: commit_recency(those[0].time, now=now) for commit, those in touched.items()},
        learnings={brief.node: matches.relevance[brief.id] for brief in briefs},
        words=found.by("words"),
        paths=found.by("paths"),
        named=question.files,
        asked=question.words,
    )


def _powered(scores: Mapping[int, float], power: float) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {item: (score / best) ** power for item, score in scores.items()} if best > 0 else {}


def _scaled(shares: Mapping[int, float], factor: float) -> dict[int, float]:
    return {item: share * factor for item, share in shares.items()}


def _shares(scores: Mapping[int, float]) -> dict[int, float]:
    total = sum(scores.values())
    return {item: score / total for item, score in scores.items()} if total > 0 else {}


HISTORY = "HISTORY"
"""The type of the edges from a file to its commits. Like those below they exist for the time of one ranking."""
TOUCHED = "TOUCHED"
"""The type of the edges from a commit to its files: all that it can pass on takes them, whatever history counts."""
ANCHORS = "ANCHORS"
"""The type of the edges from a learning to its files: these too it leads to whatever learnings count between files."""
NAMES = "SAME_NAME"
"""The type of the edges between files whose names differ only in what makes one the test or header of the other."""
_COMMITS_OF_A_FILE = 40  # commits of a file that are followed: its last ones


class FileGraph:
    """Answers for one walk what is tied to files, commits and learnings.

    What a node passes on along edges of one type is shared by their weights, and adds up to 1 for each type: how much
    of its mass takes which type does not depend on how many edges there are of each. `touched` are the files of
    commits that are known already.
    """

    def __init__(self, kernel: Kernel, view: GraphView, touched: Mapping[CommitId, Sequence[Touch]]) -> None:
        self._commits = CommitStore(kernel.database)
        self._files = FileStore(kernel.database)
        self._view = view
        self._now = kernel.clock.now().timestamp()
        self._touched = touched

    def neighbors_of(self, ask: Ask) -> list[Strand]:
        """Return the edges that lead away from the nodes asked about."""
        commits = [commit for node in ask.nodes if (commit := commit_of_node(node)) is not None]
        others = [node for node in ask.nodes if commit_of_node(node) is None]
        stored = [
            strand._replace(type=ANCHORS) if strand.type == EdgeType.ANCHORED_TO and strand.forward else strand
            for strand in self._view.neighbors_of(ask._replace(nodes=others))
        ]
        twins = Strand(NAMES, forward=True, rows=[(one, other, 1.0) for one, other in self._files.twins(others)])
        # The last commits of files, the more weight the later they are.
        history = [
            (file, node_of_commit(commit), commit_recency(time, now=self._now))
            for file, commit, time in self._commits.touching(others, most=_COMMITS_OF_A_FILE)
        ]
        known = {commit: self._touched[commit] for commit in commits if commit in self._touched}
        touched = known | self._commits.touched_by([commit for commit in commits if commit not in known])
        files = [
            (node_of_commit(commit), touch.file, 1.0 / len(touches))
            for commit, touches in touched.items()
            for touch in touches
        ]
        of_files = Strand(HISTORY, forward=False, rows=history)
        return [Strand(TOUCHED, forward=True, rows=files), *_normalised([of_files, *stored, twins])]


def _normalised(strands: Sequence[Strand]) -> Iterator[Strand]:
    """Yield the strands with weights that add up to 1 for each node and type."""
    totals: dict[str, dict[NodeId, float]] = defaultdict(lambda: defaultdict(float))
    for strand in strands:
        sums = totals[strand.type]
        for source, _, weight in strand.rows:
            sums[source] += weight
    for strand in strands:
        sums = totals[strand.type]
        yield strand._replace(
            rows=[(source, end, weight / sums[source]) for source, end, weight in strand.rows if weight]
        )


FOLLOWED_BY: Mapping[Method, Sequence[EdgeType]] = {
    Method.SPREAD: [EdgeType.ANCHORED_TO, EdgeType.IMPORTS, EdgeType.LINKS_TO],
    Method.IMPORTS: [EdgeType.IMPORTS],
    Method.COCHANGES: [EdgeType.CO_CHANGES_WITH],
    Method.DECAY: [EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO],
}
"""Which stored edges the methods follow that go on from direct matches. Co-changes are not among those of the walk:
commits say the same, and which they were. Nor are the edges of sections, although they are links too: on eight replayed
repositories they gained nothing."""
_STARTS = 10  # files of the fused ranking whose neighbours are looked for


def plain_scores(
    method: Method, evidence: Evidence, view: GraphView, open_files: Collection[NodeId]
) -> dict[NodeId, float]:
    """Return what a method other than the walk gives each node it finds, in (0, 1]; files are among them."""
    anchored: dict[NodeId, list[NodeId]] = {}
    for edge in view.seed_files(list(evidence.learnings)):
        anchored.setdefault(edge.source, []).append(edge.target)
    found = {
        "history": [touch.file for commit in evidence.commits for touch in evidence.touched.get(commit, ())],
        "learnings": [file for learning in evidence.learnings for file in anchored.get(learning, ())],
        "words": list(evidence.words),
        "paths": [*evidence.named, *evidence.paths],
    }
    rankings = {name: list(dict.fromkeys(files)) for name, files in found.items()}
    if method is Method.BM25:
        return reciprocal_rank_fusion({"history": rankings["history"]})
    if method is not Method.TEXT:
        del rankings["words"]
    fused = reciprocal_rank_fusion(rankings)
    if method in (Method.FUSION, Method.TEXT):
        return fused
    best = max(fused.values(), default=1.0)
    seeds = {node: score / best for node, score in fused.items()} | dict.fromkeys(open_files, 1.0)
    if method is Method.DECAY:
        return dict(explore(seeds, view.neighbors_of, limits=Limits(depth=2)).scores)
    # The files that are one edge away from the best of the seeds: those of the best edge first.
    starts = dict(nlargest(_STARTS, seeds.items(), key=lambda one: (one[1], -one[0])))
    offers: dict[NodeId, float] = defaultdict(float)
    for strand in view.neighbors_of(Ask(list(starts))):
        for source, target, weight in strand.rows:
            offers[target] = max(offers[target], starts[source] * weight)
    neighbours = sorted(offers, key=lambda node: (-offers[node], node))
    return reciprocal_rank_fusion(rankings | {"neighbours": neighbours})
