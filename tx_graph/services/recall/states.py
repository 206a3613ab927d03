"""Whether what facts come from still says so: nothing that a document said once is told as if it said it now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.fact import FactSource, StoredFact
from tx_graph.services.doc_search import State
from tx_graph.services.doc_search.telling import States
from tx_graph.services.recall.values import FactState
from tx_graph.services.statements.facts import statement_uid

_STATES = {State.FRESH: FactState.FRESH, State.CHANGED: FactState.CHANGED, State.GONE: FactState.GONE}


class FactStates:
    """Compares the documents of facts with what was read of them."""

    def __init__(self, *, states: States, tree: WorkingTree) -> None:
        self._states = states
        self._tree = tree

    def of(self, facts: Sequence[StoredFact]) -> dict[int, FactState]:
        """Return the state of each fact, by number, that names a place in this repository as its source."""
        places = {stored.id: place for stored in facts if (place := _place(stored))}
        documents = self._states.of(set(places.values()))
        found = {
            stored.id: self._state(stored, places[stored.id], documents) for stored in facts if stored.id in places
        }
        return {number: state for number, state in found.items() if state is not None}

    def _state(self, stored: StoredFact, place: str, documents: Mapping[str, State]) -> FactState | None:
        if place not in documents:
            return None if self._tree.exists(place) else FactState.GONE
        state = _STATES[documents[place]]
        return FactState.UNSTATED if state is FactState.FRESH and _was_stated(stored, place) else state


def _place(stored: StoredFact) -> str:
    """Return the path of the file that a fact comes from; empty if it comes from none."""
    if stored.fact.source is not FactSource.FILE:
        return ""
    return (stored.fact.source_ref or "").partition("#")[0]


def _was_stated(stored: StoredFact, place: str) -> bool:
    """Whether a document stated it once and does not any more; what people say of a document it need not state."""
    fact = stored.fact
    if stored.section is not None:
        return False
    return fact.uid == statement_uid(place, fact.subject, fact.predicate, fact.object or "", fact.value or "")
