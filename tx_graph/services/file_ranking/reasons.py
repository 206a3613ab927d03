"""Says why files are ranked: where the mass that the walk brought them came from, in words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from tx_graph.domain.edges import EdgeType, NodeId, Strand
from tx_graph.domain.references import NodeKind, canonical_reference
from tx_graph.retrieval.expansion.push import Push
from tx_graph.services.file_ranking.evidence import Kind, commit_of_node
from tx_graph.services.file_ranking.graph import ANCHORS, NAMES, TOUCHED
from tx_graph.services.file_ranking.values import Because
from tx_graph.services.file_ranking.wording import NAMED, WORDS, commit_name, told_words
from tx_graph.services.graph_view import GraphView
from tx_graph.storage.stores import Stores

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


class _Said(NamedTuple):
    """A reason in words, and the reference of what it speaks of."""

    text: str
    ref: str = ""


class _Name(NamedTuple):
    """How a sentence names a node, and its reference."""

    name: str
    ref: str


class Reasons:
    """Explains files that one walk reached; `start` is where its mass was at first, `asked` the words it is from."""

    def __init__(
        self, *, walk: Push, start: Mapping[Kind, Mapping[NodeId, float]], asked: str, stores: Stores, view: GraphView
    ) -> None:
        self._walk = walk
        self._start = start
        self._asked = asked
        self._stores = stores
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
                Because(text=said[one].text, share=share, ref=said[one].ref) for one, share in those if one in said
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
        direct = {one: _Said(worded[one.node] if one.sort == WORDS else NAMED) for one in found if one.sort in _OWN}
        others = [one for one in found if one.sort not in _OWN]
        names = self._names({one.node for one in others})
        return direct | {
            one: _Said(f"{one.sort} {names[one.node].name}", names[one.node].ref) for one in others if one.node in names
        }

    def _names(self, nodes: Collection[NodeId]) -> dict[NodeId, _Name]:
        """Return how to name each node that is there."""
        commits = {node: commit for node in nodes if (commit := commit_of_node(node)) is not None}
        briefs = self._stores.commits.briefs(commits.values())
        told = {node: briefs[commit] for node, commit in commits.items() if commit in briefs}
        others = self._view.name([node for node in nodes if node not in commits])
        named = {node: _Name(ref, ref) for node, (_, ref) in others.items()}
        return named | {
            node: _Name(commit_name(one.sha, one.subject), canonical_reference(NodeKind.COMMIT, one.sha))
            for node, one in told.items()
        }

    def _words(self, files: Collection[NodeId]) -> dict[NodeId, str]:
        """Return which words of the question these files have, and where."""
        in_paths = self._stores.text.path_words(self._asked, self._started(Kind.PATHS, files))
        in_texts = self._stores.file_words.shared(self._asked, self._started(Kind.WORDS, files))
        return {file: told_words(in_paths.get(file, []), in_texts.get(file, [])) for file in files}

    def _started(self, kind: Kind, files: Iterable[NodeId]) -> list[NodeId]:
        return [file for file in files if self._start.get(kind, {}).get(file)]


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
