"""The file ranking room: which files of the repository a question, or an open file, is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tx_graph.code.file_store import FileStore, FileWordStore
from tx_graph.context.graph_view import GraphView
from tx_graph.context.ranking_evidence import (
    ANCHORS,
    FOLLOWED,
    FOLLOWED_BY,
    HISTORY,
    NAMES,
    TOUCHED,
    Because,
    FileGraph,
    Kind,
    Method,
    RankedFile,
    commit_of_node,
    evidence_of,
    plain_scores,
)
from tx_graph.context.search import matcher
from tx_graph.core.kernel import Kernel
from tx_graph.core.settings import Weights
from tx_graph.core.text import quoted_line
from tx_graph.graph.edges import EdgeType, NodeId, Strand
from tx_graph.graph.expand import Limits, Push, Spread, nothing_known
from tx_graph.graph.references import NodeKind, canonical_reference
from tx_graph.graph.word_store import TextSearch
from tx_graph.history.commit_store import CommitStore

NAMED = "named in the question"
WORDS = "words of the question"
_MOST_WORDS = 3
"""Words of the question to name for a path, and for a text: those that tell most come first."""
_SUBJECT_SHOWN = 72
_SHA_SHOWN = 7


def commit_name(sha: str, subject: str) -> str:
    """Return `1a2b3c4: "Fix token expiry"`; a long subject is cut."""
    cut = subject if len(subject) <= _SUBJECT_SHOWN else f"{subject[: _SUBJECT_SHOWN - 1].rstrip()}…"
    return f"{sha[:_SHA_SHOWN]}: {quoted_line(cut)}" if subject else sha[:_SHA_SHOWN]


def told_words(in_path: Sequence[str], in_text: Sequence[str]) -> str:
    """Return `"golang" in its path and "install" in its text`: words are named once."""
    beyond = [word for word in in_text if word not in in_path]
    places = {"in its path": in_path, "in its text": beyond}
    told = {place: ", ".join(f'"{word}"' for word in words[:_MOST_WORDS]) for place, words in places.items()}
    return " and ".join(f"{words} {place}" for place, words in told.items() if words) or WORDS


_MOST_REASONS = 3
_LEAST_SHARE = 0.05
"""Share of a file's score below which a reason is not worth its place."""
_DIRECT = {Kind.NAMED: NAMED, Kind.PATHS: WORDS, Kind.WORDS: WORDS}
"""The sorts of what the question itself brought; its words in the path and in the text are one reason."""
_OWN = frozenset(_DIRECT.values())
_Arrival = tuple[float, NodeId, Strand]


class _Found(NamedTuple):
    """One way in which mass came: of what sort, and by which node."""

    sort: str
    node: NodeId


_Said = tuple[str, str]
"""A reason in words, or what a node is called, and the reference of what it speaks of."""


class Reasons:
    """Explains files that one walk reached; `start` is where its mass was at first, `asked` the words it is from."""

    def __init__(
        self, kernel: Kernel, *, walk: Push, start: Mapping[Kind, Mapping[NodeId, float]], asked: str, view: GraphView
    ) -> None:
        self._database = kernel.database
        self._walk = walk
        self._start = start
        self._asked = asked
        self._view = view

    def of(self, files: Collection[NodeId]) -> dict[NodeId, tuple[Because, ...]]:
        """Return for each of these files the few strongest reasons, strongest first."""
        brought = self._walk.brought_to(files)
        passed = {source for ways in brought.values() for _, source, _ in ways if commit_of_node(source) is not None}
        before = self._walk.brought_to(passed)
        best = {file: _strongest(self._masses(file, brought[file], before)) for file in files}
        said = self._said({found for those in best.values() for found, _ in those})
        return {
            file: tuple(
                Because(text=said[one][0], share=share, ref=said[one][1]) for one, share in those if one in said
            )
            for file, those in best.items()
        }

    def _masses(
        self, file: NodeId, ways: Iterable[_Arrival], before: Mapping[NodeId, Iterable[_Arrival]]
    ) -> dict[_Found, float]:
        """Return how much mass came to a file in which way."""
        found: dict[_Found, float] = defaultdict(float)
        for kind, sort in _DIRECT.items():
            found[_Found(sort, file)] += self._start.get(kind, {}).get(file, 0.0)
        for mass, source, strand in ways:
            for sort, node, share in self._ways(file, source, strand, before):
                found[_Found(sort, node)] += mass * share
        return found

    def _ways(
        self, file: NodeId, source: NodeId, strand: Strand, before: Mapping[NodeId, Iterable[_Arrival]]
    ) -> Iterator[tuple[str, NodeId, float]]:
        """Yield (sort, node, share) for an edge; a commit that does not match itself stands for a file it touched."""
        if strand.type != TOUCHED:
            yield _sort_of(strand), source, 1.0
            return
        passed_on = self._walk.passed_on(source)
        yield "changed in", source, self._start.get(Kind.MESSAGES, {}).get(source, 0.0) / passed_on
        for mass, other, _ in before[source]:
            if other != file:
                yield "changes with", other, mass / passed_on

    def _said(self, found: Collection[_Found]) -> dict[_Found, _Said]:
        """Return the words for each way, but for those whose node has gone while the walk went on."""
        worded = self._words([one.node for one in found if one.sort == WORDS])
        direct = {one: (worded[one.node] if one.sort == WORDS else NAMED, "") for one in found if one.sort in _OWN}
        others = [one for one in found if one.sort not in _OWN]
        names = self._names({one.node for one in others})
        told = {one: names[one.node] for one in others if one.node in names}
        return direct | {one: (f"{one.sort} {name}", ref) for one, (name, ref) in told.items()}

    def _names(self, nodes: Collection[NodeId]) -> dict[NodeId, _Said]:
        """Return how to name each node that is there."""
        commits = {node: commit for node in nodes if (commit := commit_of_node(node)) is not None}
        briefs = CommitStore(self._database).briefs(commits.values())
        others = self._view.name([node for node in nodes if node not in commits])
        named = {node: (ref, ref) for node, (_, ref) in others.items()}
        for node, commit in commits.items():
            if one := briefs.get(commit):
                named[node] = commit_name(one.sha, one.subject), canonical_reference(NodeKind.COMMIT, one.sha)
        return named

    def _words(self, files: Collection[NodeId]) -> dict[NodeId, str]:
        """Return which words of the question these files have, and where."""

        def started(kind: Kind) -> list[NodeId]:
            return [file for file in files if self._start.get(kind, {}).get(file)]

        in_paths = TextSearch(self._database).path_words(self._asked, started(Kind.PATHS))
        in_texts = FileWordStore(self._database).shared(self._asked, started(Kind.WORDS))
        return {file: told_words(in_paths.get(file, []), in_texts.get(file, [])) for file in files}


def _strongest(masses: Mapping[_Found, float]) -> list[tuple[_Found, float]]:
    """Return of each sort its strongest way, with the share of all mass that its sort brought; strongest first."""
    total = sum(masses.values())
    by_sort: dict[str, _Found] = {}
    sums: dict[str, float] = defaultdict(float)
    for found, mass in sorted(masses.items(), key=lambda one: (-one[1], one[0])):
        by_sort.setdefault(found.sort, found)
        sums[found.sort] += mass / total if total else 0.0
    told = [(found, sums[sort]) for sort, found in by_sort.items() if sums[sort] >= _LEAST_SHARE]
    return sorted(told, key=lambda one: -one[1])[:_MOST_REASONS]


def _sort_of(strand: Strand) -> str:
    if of_ranking := {ANCHORS: "anchor of", NAMES: "shares its name with"}.get(strand.type):
        return of_ranking
    along, against = EdgeType(strand.type).words.ranked_by
    return along if strand.forward else against


_RESTART = 0.3
"""Share of the mass that stays at each step. Between .15 and .5 it hardly matters on replayed histories."""
_EPSILON = 3e-4
"""Mass below which a node passes nothing on."""
_DEPTH = 5
"""Steps of the walk: from a commit to its files, to their other commits, to the files of these, and one beyond."""
_MOST_ASKED = 200
"""Nodes whose edges are looked up for one answer; the first hundreds are the matches themselves."""

_DIGITS = 12
"""Digits of a score that decide: what differs behind them differs by the order of additions."""


_Place = tuple[NodeId, str, float]
"""A file in the ranking: its node, path and score."""


class FileRanking:
    """Ranks the files of the repository by all that is known of them."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._weights = kernel.config.weights()

    def rank(
        self,
        text: str,
        *,
        open_files: Sequence[str] = (),
        method: Method = Method.SPREAD,
        limit: int = 10,
        weights: Weights | None = None,
    ) -> list[RankedFile]:
        """Return the files that a text, or work on the open files, is most likely about, best first.

        Open files are not among them. `weights` are those of the settings unless given. Only `spread` gives reasons.
        """
        kernel, weights = self._kernel, weights or self._weights
        evidence = evidence_of(kernel, text, matcher(kernel))
        opened = list(FileStore(kernel.database).nodes_of(open_files).values())
        told: Mapping[NodeId, tuple[Because, ...]] = {}
        if method is Method.SPREAD:
            view = GraphView(kernel, FOLLOWED, stays_in_code=True)
            start = evidence.restart(weights, opened)
            walk = _walk(start, FileGraph(kernel, view, evidence.touched), weights)
            best = self._best(walk.masses, view, open_files, limit)
            reasons = Reasons(kernel, walk=walk, start=start, asked=evidence.asked, view=view)
            told = reasons.of([node for node, _, _ in best])
        else:
            view = GraphView(kernel, FOLLOWED_BY.get(method, []))
            best = self._best(plain_scores(method, evidence, view, opened), view, open_files, limit)
        most = max((score for _, _, score in best), default=1.0)
        return [RankedFile(path=path, score=score / most, reasons=told.get(node, ())) for node, path, score in best]

    def _best(
        self, scores: Mapping[NodeId, float], view: GraphView, open_files: Collection[str], limit: int
    ) -> list[_Place]:
        """Return the best of what is scored that is a file, there, and not open."""
        ranked = sorted((-score, node) for node, score in scores.items() if score > 0 and commit_of_node(node) is None)
        places = self._files_among(ranked, view, size=limit * 2)
        return list(islice((place for place in places if place[1] not in open_files), max(limit, 0)))

    def _files_among(self, ranked: Sequence[tuple[float, NodeId]], view: GraphView, *, size: int) -> Iterator[_Place]:
        """Yield what is a file and there, best first, equal ones by their paths; names are asked for in batches.

        A registered file need not be there: learnings and history still know it.
        """
        for first in range(0, len(ranked), size or 1):
            batch = ranked[first : first + size]
            names = view.name([node for _, node in batch])
            files = [
                (round(score, _DIGITS), names[node][1], node)
                for score, node in batch
                if node in names and names[node][0] is NodeKind.FILE
            ]
            for score, path, node in sorted(files):
                if self._kernel.checkout.tree.exists(path):
                    yield node, path, -score


def _walk(start: Mapping[Kind, Mapping[NodeId, float]], graph: FileGraph, weights: Weights) -> Push:
    seeds: dict[NodeId, float] = {}
    for those in start.values():
        for node, mass in those.items():
            seeds[node] = seeds.get(node, 0.0) + mass
    spread = Spread(
        restart=_RESTART,
        epsilon=_EPSILON,
        hub_damping=0.0,
        max_asked=_MOST_ASKED,
        type_weights={
            HISTORY: weights.history,
            NAMES: weights.names,
            EdgeType.IMPORTS: weights.imports,
            EdgeType.ANCHORED_TO: weights.anchors,
        },
    )
    limits = Limits(depth=_DEPTH)
    return Push(
        seeds, graph.neighbors_of, limits=limits, spread=spread, degrees_of=nothing_known, prior=nothing_known
    ).finished()
