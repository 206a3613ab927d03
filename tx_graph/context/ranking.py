"""The file ranking room: which files of the repository a question, or an open file, is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from tx_graph.code.chunk_store import CodeChunkStore
from tx_graph.code.file_store import FileStore
from tx_graph.context.graph_view import GraphView
from tx_graph.context.ranking_evidence import (
    ANCHORS,
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
from tx_graph.graph.edges import EdgeType, NodeId
from tx_graph.graph.expand import Limits, Push, Spread, nothing_known
from tx_graph.graph.references import NodeKind, canonical_reference
from tx_graph.graph.word_store import TextSearch
from tx_graph.history.commit_store import CommitStore

NAMED = "named in the question"
WORDS = "words of the question"
_MOST_WORDS = 3  # words of the question to name for a path, and for a text: those that tell most come first
_SUBJECT_SHOWN = 72
_SHA_SHOWN = 7
_MOST_REASONS = 3
_LEAST_SHARE = 0.05  # share of a file's score below which a reason is not worth its place
_DIRECT = {Kind.NAMED: NAMED, Kind.PATHS: WORDS, Kind.WORDS: WORDS}
"""The sorts of what the question itself brought; its words in the path and in the text are one reason."""
_SORTS = {ANCHORS: "anchor of", NAMES: "shares its name with"}
"""The sorts of the edges that exist for one ranking alone."""


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


def _reasons(
    kernel: Kernel,
    files: Collection[NodeId],
    *,
    walk: Push,
    start: Mapping[Kind, Mapping[NodeId, float]],
    asked: str,
    view: GraphView,
) -> dict[NodeId, tuple[Because, ...]]:
    """Return for each of these files, which a walk reached, the few strongest reasons, strongest first.

    `start` is where its mass was at first, `asked` the words it is from.
    """
    brought = walk.brought_to(files)
    commits = {source for ways in brought.values() for _, source, _ in ways if commit_of_node(source) is not None}
    before, passed_on = walk.brought_to(commits), {commit: walk.passed_on(commit) for commit in commits}
    best: dict[NodeId, list[tuple[_Found, float]]] = {}
    for file in files:
        masses: dict[_Found, float] = defaultdict(float)
        for kind, sort in _DIRECT.items():
            masses[_Found(sort, file)] += start.get(kind, {}).get(file, 0.0)
        for mass, source, strand in brought[file]:
            if strand.type == TOUCHED:  # a commit that does not match itself stands for what it touched
                own = start.get(Kind.MESSAGES, {}).get(source, 0.0)
                masses[_Found("changed in", source)] += mass * (own / passed_on[source])
                for share, other, _ in before[source]:
                    if other != file:
                        masses[_Found("changes with", other)] += mass * (share / passed_on[source])
            elif strand.type in _SORTS:
                masses[_Found(_SORTS[strand.type], source)] += mass
            else:
                along, against = EdgeType(strand.type).words.ranked_by
                masses[_Found(along if strand.forward else against, source)] += mass
        best[file] = _strongest(masses)
    found = {one for those in best.values() for one, _ in those}
    worded = [one.node for one in found if one.sort == WORDS]
    in_paths, in_texts = (
        [file for file in worded if start.get(kind, {}).get(file)] for kind in (Kind.PATHS, Kind.WORDS)
    )
    paths = TextSearch(kernel.database).path_words(asked, in_paths)
    texts = CodeChunkStore(kernel.database).shared(asked, in_texts)
    nodes = {one.node for one in found if one.sort not in _DIRECT.values()}
    numbers = {node: commit for node in nodes if (commit := commit_of_node(node)) is not None}
    briefs = CommitStore(kernel.database).briefs(numbers.values())
    names = {node: (ref, ref) for node, (_, ref) in view.name([node for node in nodes if node not in numbers]).items()}
    for node, commit in numbers.items():
        if brief := briefs.get(commit):
            name = commit_name(brief.sha, brief.subject)
            names[node] = name, canonical_reference(NodeKind.COMMIT, brief.sha)
    said = {way: (f"{way.sort} {names[way.node][0]}", names[way.node][1]) for way in found if way.node in names}
    said |= {way: (NAMED, "") for way in found if way.sort == NAMED}
    for node in worded:
        said[_Found(WORDS, node)] = told_words(paths.get(node, []), texts.get(node, [])), ""
    # Without those whose node has gone while the walk went on.
    return {
        file: tuple(Because(text=said[one][0], share=share, ref=said[one][1]) for one, share in those if one in said)
        for file, those in best.items()
    }


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


_RESTART = 0.3  # share of the mass that stays at each step. Between .15 and .5 it hardly matters on replayed histories.
_EPSILON = 3e-4  # mass below which a node passes nothing on
_DEPTH = 5
"""Steps of the walk: from a commit to its files, to their other commits, to the files of these, and one beyond."""
_MOST_ASKED = 200  # nodes whose edges are looked up for one answer; the first hundreds are the matches themselves
_DIGITS = 12  # digits of a score that decide: what differs behind them differs by the order of additions


def rank_files(
    kernel: Kernel,
    text: str,
    *,
    open_files: Sequence[str] = (),
    method: Method = Method.SPREAD,
    limit: int = 10,
    weights: Weights | None = None,
) -> list[RankedFile]:
    """Return the files that a text, or work on the open files, is most likely about, best first.

    All that is known of files counts. Open files are not among them. `weights` are those of the settings unless given.
    Only `spread` gives reasons.
    """
    evidence = evidence_of(kernel, text, matcher(kernel))
    opened = list(FileStore(kernel.database).nodes_of(open_files).values())
    view, walk, start = GraphView(kernel, FOLLOWED_BY.get(method, ()), stays_in_code=method is Method.SPREAD), None, {}
    if method is Method.SPREAD:
        weights = weights or kernel.config.weights()
        start = evidence.restart(weights, opened)
        walk = _walk(start, FileGraph(kernel, view, evidence.touched), weights)
    scores = walk.masses if walk else plain_scores(method, evidence, view, opened)
    best = list(islice(_files_among(kernel, scores, view, open_files, size=limit * 2), max(limit, 0)))
    found = [node for node, _, _ in best]
    told = _reasons(kernel, found, walk=walk, start=start, asked=evidence.asked, view=view) if walk else {}
    most = max((score for _, _, score in best), default=1.0)
    return [RankedFile(path=path, score=score / most, reasons=told.get(node, ())) for node, path, score in best]


def _files_among(
    kernel: Kernel, scores: Mapping[NodeId, float], view: GraphView, open_files: Collection[str], *, size: int
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
            if path not in open_files and kernel.checkout.tree.exists(path):
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
