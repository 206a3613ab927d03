"""What a question finds directly: commits, learnings and files, each with the strength of its match."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tx_graph.domain.edges import NodeId
from tx_graph.retrieval.scoring import commit_recency
from tx_graph.retrieval.weights import Weights
from tx_graph.services.search.matching import Matcher
from tx_graph.services.search.question import Question, read_question
from tx_graph.storage.commits import CommitId, Touch
from tx_graph.storage.stores import Stores


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
_FILES = 50
"""Matches of each kind that are looked at: what ranks below them adds little but time."""
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
        kinds = {
            Kind.MESSAGES: (weights.messages, {node_of_commit(one): many for one, many in self._of_messages().items()}),
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

    def _of_messages(self) -> dict[CommitId, float]:
        """Return what each commit counts: by its match and its age, and less for each file the more it touched."""
        powered = _powered(self.commits, _MESSAGE_POWER)
        return {
            commit: score * self.ages[commit] * touched[0].files ** 0.5
            for commit, score in powered.items()
            if (touched := self.touched.get(commit))
        }


class Gathering:
    """Asks every index about a question."""

    def __init__(self, *, stores: Stores, matcher: Matcher, now: datetime) -> None:
        self._stores = stores
        self._matcher = matcher
        self._now = now.timestamp()

    def about(self, text: str) -> Evidence:
        """Return what the question finds directly; an empty one finds nothing.

        Raises:
            ModelError: The model is installed but cannot be loaded.
        """
        stores = self._stores
        if not text.strip():
            return Evidence(commits={}, touched={}, ages={}, learnings={}, words={}, paths={})
        question = read_question(text, stores.text)
        commits = dict(stores.commits.search(question.words, limit=_COMMITS))
        touched = stores.commits.touched_by(commits)
        return Evidence(
            commits=commits,
            touched=touched,
            ages={commit: commit_recency(those[0].time, now=self._now) for commit, those in touched.items()},
            learnings=self._learnings(question),
            words=dict(stores.file_words.search(question.words, limit=_FILES)),
            paths=dict(stores.text.files(question.words, limit=_FILES)),
            named=question.files,
            asked=question.words,
        )

    def _learnings(self, question: Question) -> dict[NodeId, float]:
        matches = self._matcher.matches(question, None, count=_LEARNINGS)
        briefs = self._stores.learnings.briefs_by_numbers(matches.relevance)
        return {brief.node: matches.relevance[brief.id] for brief in briefs}


def _powered(scores: Mapping[int, float], power: float) -> dict[int, float]:
    best = max(scores.values(), default=0.0)
    return {item: (score / best) ** power for item, score in scores.items()} if best > 0 else {}


def _scaled(shares: Mapping[int, float], factor: float) -> dict[int, float]:
    return {item: share * factor for item, share in shares.items()}


def _shares(scores: Mapping[int, float]) -> dict[int, float]:
    total = sum(scores.values())
    return {item: score / total for item, score in scores.items()} if total > 0 else {}
