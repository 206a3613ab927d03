"""Why a learning or a section is on the page, in words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tx_graph.domain.edges import EdgeType, Relation
from tx_graph.domain.references import NodeKind
from tx_graph.services.context.layouts.markdown import code
from tx_graph.services.doc_search import DocResult, DocTie
from tx_graph.services.open_files import OpenPlace
from tx_graph.services.paths import Step
from tx_graph.services.search import SearchResult
from tx_graph.storage.section_walk import SectionTie

_LEARNING = "learning:"
_MOST_SPOKEN = 2
"""Open files to name that one section speaks of."""


def reasons(result: SearchResult, open_files: Collection[str]) -> tuple[str, ...]:
    """Return each reason why a search found a learning: matched words or meaning, then the way through the graph."""
    found = []
    if matched := _matched(result):
        found.append(f"matches by {matched}")
    if result.steps:
        found.append(_way(result.steps, open_files))
    found += _open_anchors(result, open_files) if not result.steps else []
    return tuple(found)


def _matched(result: SearchResult) -> str:
    by = [(result.bm25, "words"), (result.vector, "meaning"), (result.retrieved, "the retriever")]
    return " and ".join(name for score, name in by if score)


def _open_anchors(result: SearchResult, open_files: Collection[str]) -> list[str]:
    anchored = dict.fromkeys(anchor.path for anchor in result.stored.learning.anchors)
    return [f"anchored to the open {code(path)}" for path in anchored if path in open_files][:1]


def _way(steps: Sequence[Step], open_files: Collection[str]) -> str:
    """Return the way from the learning back to where the walk began: `anchored to x.py, imported by the open y.py`."""
    return ", ".join(_step(step, open_files) for step in reversed(steps))


def _step(step: Step, open_files: Collection[str]) -> str:
    came_from = step.source if step.source.startswith(_LEARNING) else code(step.source)
    if step.source in open_files:
        came_from = f"the open {came_from}"
    words = EdgeType(step.type).words
    relation = f" ({step.relation})" if step.relation and words.is_named_by_relation else ""
    along, against = words.came_by
    return f"{(along if step.forward else against).format(came_from)}{relation}"


def answering(result: DocResult) -> tuple[str, ...]:
    """Return why a search in documents found a section: matched words or meaning, or what led there."""
    if result.ties:
        return (_tie(result.ties[0]),)
    by = [(result.keyword_score, "words"), (result.similarity, "meaning")]
    return (f"matches by {' and '.join(name for score, name in by if score)}",)


def speaking_of(ties: Sequence[tuple[SectionTie, OpenPlace]]) -> tuple[str, ...]:
    """Return what a section says of open places: `mentions the open src/auth.py`.

    What speaks of a symbol speaks of its file, which need not be told then.
    """
    of_symbols = {place.path for _, place in ties if place.kind is NodeKind.SYMBOL}
    told = (
        f"{Relation(tie.relation).of_section} the open {code(place.ref)}"
        for tie, place in ties
        if place.kind is NodeKind.SYMBOL or place.path not in of_symbols
    )
    return tuple(dict.fromkeys(told))[:_MOST_SPOKEN]


def _tie(tie: DocTie) -> str:
    """Return an edge that led to a section: `depends on docs/b.md#setup: "needs a token"`, or from there to it."""
    is_told = tie.description.replace(" ", "_") not in ("", tie.relation)
    why = ': "{}"'.format(tie.description.replace('"', "'")) if is_told else ""
    if not tie.forward:
        return f"{Relation(tie.relation).of_section} {code(tie.other)}{why}"
    return f"related to {code(tie.other)}{why} ({tie.relation})"
