"""What speaks for a file: the signals that the ranking of files adds up."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum
from functools import cached_property, partial
from heapq import nlargest
from operator import itemgetter

from tx_graph.code.file_store import FileStore
from tx_graph.code.finding import Clue, Found, find_code
from tx_graph.context.gate import Direct, direct_matches, relevant_learnings
from tx_graph.context.graph_view import GraphView
from tx_graph.context.purpose import Purpose
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Weights
from tx_graph.graph.edges import EdgeType, NodeId
from tx_graph.graph.expand import Ask, Limits, explore
from tx_graph.graph.fuse import commit_recency, reciprocal_rank_fusion
from tx_graph.history.commit_store import CommitId, CommitStore, Touch


class Method(StrEnum):
    """The ways to rank files: `ranking` is what users get, the others are there to compare.

    `bm25`: the files of the commits that match by words, best match first. `fusion`: that ranking, those of learnings
    that match by words and by vectors, and of paths, fused by their ranks. `sum`: words of files, of paths and of
    messages, each scaled to its best and added up. `imports` and `cochanges`: what one such edge ties to the open
    files, and without any the fusion with what is tied to its best files. `decay`: two hops along all edges from all
    of it, the best path counts (PRD-016).
    """

    BM25 = "bm25"
    FUSION = "fusion"
    SUM = "sum"
    IMPORTS = "imports"
    COCHANGES = "cochanges"
    RANKING = "ranking"


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """One reason why a file is ranked: in words, and how much of the score it and its like brought, in [0, 1].

    `text` reads after the path, such as `imported by src/auth.py` or `changed in 1a2b3c4: "Fix token expiry"`.
    `ref` is the node it speaks of, as a canonical reference; empty where it speaks of the question itself;
    `uid` is the lasting name of a learning.
    """

    text: str
    share: float
    ref: str = ""
    uid: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedFile:
    """A file that is there now, its score in [0, 1] (the best of a ranking has 1), and the reasons, strongest first.

    Where the question is answered in it best stands from `line_start` to `line_end`, both counted from 1 and included,
    in the declaration `symbol`, and `snippet` is what stands there; None where that is not known.
    """

    path: str
    score: float
    reasons: tuple[Because, ...] = ()
    line_start: int | None = None
    line_end: int | None = None
    symbol: str | None = None
    snippet: str | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The reasons in words."""
        return tuple(one.text for one in self.reasons)


class Votes(dict[NodeId, float]):
    """What a signal gives to each file, and by which node the most of it came: a commit, a file or a learning.

    `boost` multiplies the weight of the signal in one answer.
    """

    def __init__(self, scores: Mapping[NodeId, float] | None = None) -> None:
        super().__init__(scores or {})
        self.boost = 1.0
        self.by: dict[NodeId, NodeId] = {}
        self._most: dict[NodeId, float] = {}

    def add(self, file: NodeId, vote: float, *, by: NodeId) -> None:
        """Count one more vote."""
        self[file] = self.get(file, 0.0) + vote
        if vote > self._most.get(file, 0.0):
            self.by[file], self._most[file] = by, vote


@dataclass(frozen=True, slots=True)
class Signal:
    """One kind of evidence for files, scaled to its best and added to the others by its weight.

    `change` and `where` are its weights, by the purpose of the question; the setting `ranking.<factor>` multiplies
    them. `reason` is what stands beside a file, `{}` being the node by which most of it came. The best files by the
    signals that lead on are, with the open files, the seeds beside which the others look.
    """

    name: str
    votes: Callable[[Inquiry], Votes]
    change: float
    where: float
    reason: str
    factor: str
    leads_on: bool = False

    def weight(self, purpose: Purpose, weights: Weights) -> float:
        """Return by what its votes count."""
        by_purpose = self.change if purpose is Purpose.CHANGE else self.where
        return by_purpose * float(getattr(weights, self.factor))


Weigh = Callable[[Signal], float]
"""Says what a signal counts."""

_MATCHES = 100  # of each kind that are looked at: what ranks below them adds little but time
_NODES_OF_COMMITS = 1 << 48
"""A commit is a node for the time of one ranking, and not in the registry, which would grow by all of history."""
_SEEDS = 10  # of the best matches, so many are gone on from
_MATCH = 0.3  # what the best match of a question counts more than the sum of its signals, and others in proportion
_SEED_SHARE = 0.5  # of what an open file counts as a seed, what the best match counts beside one
_COMMITS_OF_A_FILE = 60  # commits of a file that are followed: its last ones
_COMMITS_HALVING = 20  # later commits of a file after which one of them counts half
_LAST_COMMITS = 200


def node_of_commit(commit: CommitId) -> NodeId:
    """Return the node of a commit, for the time of one ranking."""
    return _NODES_OF_COMMITS + commit


def commit_of_node(node: NodeId) -> CommitId | None:
    """Return which commit a node is; None for what is no commit."""
    return node - _NODES_OF_COMMITS if node >= _NODES_OF_COMMITS else None


@dataclass(kw_only=True)
class Inquiry:
    """What is asked, and what is found directly: matches of each index by their scores, best first.

    `touched` says which files that are there now each matching commit touched. `named` are the files that the question
    names, `asked` the words that were looked for. `seeds` are the best matches and the open files, with what each of
    them counts, in [0, 1].
    """

    kernel: Kernel
    now: float
    view: GraphView
    open_files: Sequence[NodeId] = ()
    commits: Mapping[CommitId, float] = field(default_factory=dict)
    touched: Mapping[CommitId, Sequence[Touch]] = field(default_factory=dict)
    learnings: Mapping[NodeId, float] = field(default_factory=dict)
    code: Found = field(default_factory=Found)
    named: Sequence[NodeId] = ()
    asked: str = ""
    seeds: Mapping[NodeId, float] = field(default_factory=dict)

    @cached_property
    def lately(self) -> dict[NodeId, list[tuple[CommitId, list[NodeId]]]]:
        """The last commits of each seed, latest first, with the files that each touched."""
        store = CommitStore(self.kernel.database)
        of = store.touching(self.seeds, most=_COMMITS_OF_A_FILE)
        touched = store.touched_by({commit for _, commit, _ in of})
        found: dict[NodeId, list[tuple[CommitId, list[NodeId]]]] = defaultdict(list)
        for seed, commit, _ in of:
            found[seed].append((commit, [touch.file for touch in touched[commit]]))
        return found


def inquiry(kernel: Kernel, text: str, open_files: Collection[str], direct: Direct | None = None) -> Inquiry:
    """Return what a question finds directly in every index; an empty one finds nothing.

    `direct` are the learnings that match it, which are looked for here where nobody did.
    """
    database, now = kernel.database, kernel.clock.now().timestamp()
    opened = list(FileStore(database).nodes_of(open_files).values())
    view = GraphView(kernel, [EdgeType.ANCHORED_TO, EdgeType.IMPORTS, EdgeType.LINKS_TO], stays_in_code=True)
    if not text.strip():
        return Inquiry(kernel=kernel, now=now, view=view, open_files=opened)
    history = CommitStore(database)
    direct = direct or direct_matches(kernel, text)
    question = direct.question
    commits = dict(history.search(question.words, limit=_MATCHES))
    return Inquiry(
        kernel=kernel,
        now=now,
        view=view,
        open_files=opened,
        commits=commits,
        touched=history.touched_by(commits),
        learnings=relevant_learnings(kernel, direct),
        code=find_code(kernel, question.words),
        named=question.files,
        asked=question.words,
    )


def _messages(asked: Inquiry) -> Votes:
    """A commit counts by its match and its age, and less for each file the more it touched."""
    votes, best = Votes(), max(asked.commits.values(), default=1.0)
    half_life = float(asked.kernel.config.get("search.history_half_life_days")) * 86_400
    for commit, touched in asked.touched.items():
        age = commit_recency(touched[0].time, now=asked.now, half_life=half_life)
        for touch in touched:
            vote = (asked.commits[commit] / best) ** 3 * age / touch.files**0.5
            votes.add(touch.file, vote, by=node_of_commit(commit))
    return votes


def _learnings(asked: Inquiry) -> Votes:
    """A learning that is likely to help counts for what it is anchored to, and less for what is linked to it."""
    return _by_learnings(asked, asked.learnings)


def _anchors(asked: Inquiry) -> Votes:
    """Files of the same learnings."""
    return _by_learnings(asked, asked.seeds)


def _by_learnings(asked: Inquiry, starts: Mapping[NodeId, float]) -> Votes:
    votes, followed = Votes(), (EdgeType.ANCHORED_TO, EdgeType.LINKS_TO)
    walk = explore(starts, partial(asked.view.neighbors_of, among=followed), limits=Limits(depth=2))
    for one in walk.reached() if starts else ():
        if one.path and one.path[-1].type == EdgeType.ANCHORED_TO and one.path[-1].forward:
            votes.add(one.node, one.score, by=one.path[-1].source)
    return votes


def _history(asked: Inquiry) -> Votes:
    """Files that changed in the last commits of a seed, more by later commits and by those that touched few."""
    votes = Votes()
    for seed, commits in asked.lately.items():
        shares = [0.5 ** (place / _COMMITS_HALVING) for place in range(len(commits))]
        for (_, changed), share in zip(commits, shares, strict=True):
            vote = asked.seeds[seed] * share / sum(shares) / max(1, len(changed) - 1) ** 0.5
            for file in changed:
                if file != seed:
                    votes.add(file, vote, by=seed)
    return votes


def _partners(asked: Inquiry) -> Votes:
    """Files that changed in the last commits of an open file, less for those that change with everything."""
    votes = Votes()
    for opened in asked.open_files:
        for _, changed in asked.lately.get(opened, ()):
            for file in changed:
                if file != opened:
                    votes.add(file, max(1, len(changed) - 1) ** -0.5, by=opened)
    for file, commits in CommitStore(asked.kernel.database).counts(votes).items():
        votes[file] /= commits**0.5
    return votes


def _along_imports(asked: Inquiry, *, forward: bool) -> Votes:
    """Files that seeds import, or the other way round; less of a seed with many of them."""
    votes = Votes()
    for strand in asked.view.neighbors_of(Ask(list(asked.seeds)), among=[EdgeType.IMPORTS]):
        if strand.forward is forward:
            degrees = Counter(source for source, _, _ in strand.rows)
            for source, target, _ in strand.rows:
                votes.add(target, asked.seeds[source] / degrees[source] ** 0.5, by=source)
    return votes


def _names(asked: Inquiry) -> Votes:
    """Files of the same name as a seed, such as its test."""
    votes = Votes()
    for seed, other in FileStore(asked.kernel.database).twins(asked.seeds):
        votes.add(other, asked.seeds[seed], by=seed)
    return votes


def _recent(asked: Inquiry) -> Votes:
    """Files that changed lately, where there is anything to go by."""
    votes = Votes()
    half_life = float(asked.kernel.config.get("search.recent_half_life_days")) * 86_400
    for commit, touched in CommitStore(asked.kernel.database).last_touched(_LAST_COMMITS).items():
        age = commit_recency(touched[0].time, now=asked.now, half_life=half_life)
        for touch in touched:
            votes.add(touch.file, age / len(touched) ** 0.5, by=node_of_commit(commit))
    return votes


def _clue(clue: Clue) -> Callable[[Inquiry], Votes]:
    """What stands in the code itself."""
    return lambda asked: Votes(asked.code.clues.get(clue))


NAMED = "named in the question"
WORDS = "words of the question"
"""The reason of two signals, which are told as one: words in the path of a file, and in its text."""

SIGNALS = (
    Signal("messages", _messages, 1.0, 1.0, "changed in {}", "messages", leads_on=True),
    Signal("words", _clue(Clue.PIECES), 1.0, 1.0, WORDS, "words", leads_on=True),
    Signal("more", _clue(Clue.MORE), 0.0, 1.2, WORDS, "words", leads_on=True),
    Signal("declared", _clue(Clue.NAMES), 0.0, 0.4, "declares what is called so", "words", leads_on=True),
    Signal("covered", _clue(Clue.COVERS), 0.0, 0.7, WORDS, "paths", leads_on=True),
    Signal("defines", _clue(Clue.DEFINES), 0.5, 1.3, "declares it", "words", leads_on=True),
    Signal("meaning", _clue(Clue.MEANING), 0.0, 1.0, "means something like it", "words", leads_on=True),
    Signal("paths", _clue(Clue.PATHS), 0.7, 0.7, WORDS, "paths", leads_on=True),
    Signal("named", lambda asked: Votes(dict.fromkeys(asked.named, 1.0)), 2.0, 2.0, NAMED, "paths", leads_on=True),
    Signal("learnings", _learnings, 1.5, 1.5, "anchor of {}", "learnings", leads_on=True),
    Signal("history", _history, 1.0, 1.0, "changes with {}", "history"),
    Signal("partners", _partners, 1.0, 1.2, "changes with {}", "history"),
    Signal("imports", partial(_along_imports, forward=False), 0.4, 0.25, "imports {}", "imports"),
    Signal("imported", partial(_along_imports, forward=True), 0.4, 0.5, "imported by {}", "imports"),
    Signal("anchors", _anchors, 0.5, 0.5, "anchor of {}", "anchors"),
    Signal("names", _names, 0.5, 0.2, "shares its name with {}", "names"),
    Signal("recent", _recent, 0.3, 0.0, "changed lately", "recent"),
)
"""What speaks for a file: name, what finds it, weights for `change` and for `where`, reason, setting."""


def signals_of(asked: Inquiry, weigh: Weigh, *, share_of_open_files: float = 1.0) -> dict[Signal, Votes]:
    """Return what each signal that counts gives to files; nothing where nothing matches and no file is open."""
    found = {signal: signal.votes(asked) for signal in SIGNALS if signal.leads_on and weigh(signal) > 0}
    # What is beside the best matches, which count less beside open files, and beside these.
    scores = total(found, weigh)
    best = nlargest(_SEEDS, scores.items(), key=lambda one: (one[1], -one[0]))
    share = _SEED_SHARE if asked.open_files else 1.0
    asked.seeds = {node: share * score / best[0][1] for node, score in best}
    for votes in found.values():  # where little matches, what is beside it must not stand above it
        votes.boost += _MATCH / best[0][1] if best else 0.0
    asked.seeds |= dict.fromkeys(asked.open_files, min(share_of_open_files, 1.0))
    if asked.seeds:
        found |= {signal: signal.votes(asked) for signal in SIGNALS if not signal.leads_on and weigh(signal) > 0}
    for votes in found.values():  # what is open is no answer, and nothing to scale others by
        for node in asked.open_files:
            votes.pop(node, None)
    return found


def total(found: Mapping[Signal, Votes], weigh: Weigh) -> dict[NodeId, float]:
    """Return the weighted sum of the signals for each node, each signal scaled to its best."""
    scores: dict[NodeId, float] = defaultdict(float)
    for signal, votes in found.items():
        factor = weigh(signal) * votes.boost / (max(votes.values(), default=0.0) or 1.0)
        for node, vote in votes.items():
            scores[node] += factor * vote
    return scores


def plain_scores(method: Method, asked: Inquiry) -> dict[NodeId, float]:
    """Return what a method that is there to compare gives each node it finds; files are among them."""
    if method is Method.SUM:
        plain = [signal for signal in SIGNALS if signal.name in ("messages", "words", "paths")]
        return total({signal: signal.votes(asked) for signal in plain}, lambda _: 1.0)
    anchored = asked.view.seed_files(list(asked.learnings))
    rankings = {
        "history": [touch.file for commit in asked.commits for touch in asked.touched.get(commit, ())],
        "learnings": [edge.target for learning in asked.learnings for edge in anchored if edge.source == learning],
        "paths": [*asked.named, *asked.code.clues.get(Clue.PATHS, ())],
    }
    rankings = {name: list(dict.fromkeys(files)) for name, files in rankings.items()}
    if method is Method.BM25:
        return reciprocal_rank_fusion({"history": rankings["history"]})
    fused = reciprocal_rank_fusion(rankings)
    if method is Method.FUSION:
        return fused
    asked.seeds = dict.fromkeys(asked.open_files, 1.0) or dict(nlargest(_SEEDS, fused.items(), key=itemgetter(1)))
    offers: dict[NodeId, float] = defaultdict(float)
    if method is Method.COCHANGES:
        for seed, commits in asked.lately.items():
            for file in (file for _, changed in commits for file in changed if file != seed):
                offers[file] += asked.seeds[seed]
    else:
        for forward in (True, False):
            for file, vote in _along_imports(asked, forward=forward).items():
                offers[file] += vote
    if asked.open_files:
        return offers
    return reciprocal_rank_fusion(rankings | {"neighbours": sorted(offers, key=lambda node: (-offers[node], node))})
