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
_MOST_REASONS = 3
_LEAST_SHARE = 0.05
"""Share of a file's score below which a reason is not worth its place."""
_DIRECT = {Kind.NAMED: NAMED, Kind.PATHS: WORDS, Kind.WORDS: WORDS}
"""The sorts of what the question itself brought; its words in the path and in the text are one reason."""


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


class _Found(NamedTuple):
    """One way in which mass came: of what sort, and by which node."""

    sort: str
    node: NodeId


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
        best: dict[NodeId, list[tuple[_Found, float]]] = {}
        for file in files:
            masses: dict[_Found, float] = defaultdict(float)
            for kind, sort in _DIRECT.items():
                masses[_Found(sort, file)] += self._start.get(kind, {}).get(file, 0.0)
            for mass, source, strand in brought[file]:
                for found, share in self._ways(file, source, strand, before):
                    masses[found] += mass * share
            best[file] = _strongest(masses)
        said = self._said({found for those in best.values() for found, _ in those})
        # Without those whose node has gone while the walk went on.
        return {
            file: tuple(
                Because(text=said[one][0], share=share, ref=said[one][1]) for one, share in those if one in said
            )
            for file, those in best.items()
        }

    def _ways(
        self,
        file: NodeId,
        source: NodeId,
        strand: Strand,
        before: Mapping[NodeId, Iterable[tuple[float, NodeId, Strand]]],
    ) -> Iterator[tuple[_Found, float]]:
        """Yield what an edge stands for, in shares; a commit that does not match itself stands for what it touched."""
        if strand.type != TOUCHED:
            sort = {ANCHORS: "anchor of", NAMES: "shares its name with"}.get(strand.type)
            if sort is None:
                along, against = EdgeType(strand.type).words.ranked_by
                sort = along if strand.forward else against
            yield _Found(sort, source), 1.0
            return
        passed_on = self._walk.passed_on(source)
        yield _Found("changed in", source), self._start.get(Kind.MESSAGES, {}).get(source, 0.0) / passed_on
        for mass, other, _ in before[source]:
            if other != file:
                yield _Found("changes with", other), mass / passed_on

    def _said(self, found: Collection[_Found]) -> dict[_Found, tuple[str, str]]:
        """Return the words for each way, and the reference of what they speak of, where its node is still there."""
        worded = [one.node for one in found if one.sort == WORDS]
        in_paths, in_texts = (
            [file for file in worded if self._start.get(kind, {}).get(file)] for kind in (Kind.PATHS, Kind.WORDS)
        )
        paths = TextSearch(self._database).path_words(self._asked, in_paths)
        texts = FileWordStore(self._database).shared(self._asked, in_texts)
        nodes = {one.node for one in found if one.sort not in _DIRECT.values()}
        commits = {node: commit for node in nodes if (commit := commit_of_node(node)) is not None}
        briefs = CommitStore(self._database).briefs(commits.values())
        others = self._view.name([node for node in nodes if node not in commits])
        names = {node: (ref, ref) for node, (_, ref) in others.items()}
        for node, commit in commits.items():
            if one := briefs.get(commit):
                names[node] = commit_name(one.sha, one.subject), canonical_reference(NodeKind.COMMIT, one.sha)
        said = {}
        for way in found:
            if way.sort == NAMED:
                said[way] = NAMED, ""
            elif way.sort == WORDS:
                said[way] = told_words(paths.get(way.node, []), texts.get(way.node, [])), ""
            elif way.node in names:
                name, ref = names[way.node]
                said[way] = f"{way.sort} {name}", ref
        return said


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
            best = list(islice(self._files_among(walk.masses, view, open_files, size=limit * 2), max(limit, 0)))
            reasons = Reasons(kernel, walk=walk, start=start, asked=evidence.asked, view=view)
            told = reasons.of([node for node, _, _ in best])
        else:
            view = GraphView(kernel, FOLLOWED_BY.get(method, []))
            scores = plain_scores(method, evidence, view, opened)
            best = list(islice(self._files_among(scores, view, open_files, size=limit * 2), max(limit, 0)))
        most = max((score for _, _, score in best), default=1.0)
        return [RankedFile(path=path, score=score / most, reasons=told.get(node, ())) for node, path, score in best]

    def _files_among(
        self, scores: Mapping[NodeId, float], view: GraphView, open_files: Collection[str], *, size: int
    ) -> Iterator[tuple[NodeId, str, float]]:
        """Yield node, path and score of what is a file, there, and not open: best first, equal ones by their paths.

        Names are asked for in batches. A registered file need not be there: learnings and history still know it.
        """
        ranked = sorted((-score, node) for node, score in scores.items() if score > 0 and commit_of_node(node) is None)
        for first in range(0, len(ranked), size or 1):
            batch = ranked[first : first + size]
            names = view.name([node for _, node in batch])
            files = [
                (round(score, _DIGITS), names[node][1], node)
                for score, node in batch
                if node in names and names[node][0] is NodeKind.FILE
            ]
            for score, path, node in sorted(files):
                if path not in open_files and self._kernel.checkout.tree.exists(path):
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
