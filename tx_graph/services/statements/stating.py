"""Keeps the facts that documents state equal to what they say now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from tx_graph.domain.edges import NodeId
from tx_graph.domain.entity import entity_key
from tx_graph.domain.fact import Fact, StoredFact
from tx_graph.ports import Clock
from tx_graph.services.stamps import iso
from tx_graph.services.statements.entities import declared
from tx_graph.services.statements.facts import Deriving
from tx_graph.storage.facts import Derived
from tx_graph.storage.stores import Stores

_COMMON_HEADING = 4
"""Documents in which a heading stands that is nobody's name: `Overview`, `Getting started`."""


class Stating:
    """Derives facts from what was read of documents."""

    def __init__(self, stores: Stores, clock: Clock) -> None:
        self._stores = stores
        self._clock = clock

    def refresh(self, changed: Collection[NodeId], *, alone: bool) -> None:
        """Bring the facts of changed documents up to date, of all documents unless these are `alone`.

        They are so where no name has come or gone, so that links of others lead where they led. Facts of documents
        that are gone end. Needs a transaction.
        """
        documents = list(changed) if alone else list(self._stores.documents.nodes().values())
        now = iso(self._clock.now())
        derived = self._derived(documents, now)
        known = {stored.fact.uid: stored for stored in self._stores.facts.derived_by(documents)}
        if not alone or known.keys() != {one.fact.uid for one in derived}:
            self._declare(derived, documents, alone=alone)
        self._write(derived, known, now)

    def _derived(self, documents: Sequence[NodeId], now: str) -> list[Derived]:
        stores = self._stores
        links, statements = stores.section_links.typed(documents), stores.statements.of_documents(documents)
        nodes = {node for link in links for node in (link.document, link.section, link.speaker, link.target or 0)}
        nodes |= {node for said in statements for node in (said.document, said.section, said.speaker)}
        keys = {node: key for node, (_, key) in stores.nodes.describe(nodes).items()}
        return Deriving(keys=keys, titles=stores.documents.titles(), now=now).facts(statements, links)

    def _declare(self, derived: Sequence[Derived], documents: Collection[NodeId], *, alone: bool) -> None:
        """Let those documents be entities that facts are about or lead to, and records of decisions within them."""
        stores = self._stores
        names = {name for one in derived for name in (one.fact.subject, one.fact.object) if name is not None}
        if alone:
            names |= stores.statements.names(but=documents)
        speakers = stores.statements.speakers(names)
        shared = stores.statements.shared_titles({one.title for one in speakers}, least=_COMMON_HEADING)
        wanted = declared(speakers, types=stores.statements.types(), shared=shared)
        gone = dict.fromkeys(stores.statements.declared() - wanted.keys())
        stores.entities.declare({**gone, **wanted})
        if not alone:
            stores.entities.unsettle()  # what documents declared goes with them
        stores.entities.settle()

    def _write(self, derived: Sequence[Derived], known: Mapping[str, StoredFact], now: str) -> None:
        stores = self._stores
        new = [one for one in derived if not _is_as_known(one, known.get(one.fact.uid))]
        stores.facts.save_derived(new)
        heirs = _heirs([one.fact for one in new if one.fact.uid not in known])
        stated = {one.fact.uid for one in derived}
        gone = {
            stored.id: heirs.get((entity_key(stored.fact.subject), stored.fact.predicate))
            for uid, stored in known.items()
            if uid not in stated
        }
        stores.facts.close_derived(gone, now=now)


def _heirs(new: Sequence[Fact]) -> Mapping[tuple[str, str], str]:
    """Return the first of the new facts, by its uid, for each subject and predicate."""
    return {(entity_key(fact.subject), fact.predicate): fact.uid for fact in reversed(new)}


def _is_as_known(one: Derived, stored: StoredFact | None) -> bool:
    """Whether a fact is stated in the same place and manner as before."""
    if stored is None or stored.section != one.section:
        return False
    before, now = stored.fact, one.fact
    if stored.record is not None:  # its record has the last word
        return True
    return (before.source_ref, before.confidence, before.status) == (now.source_ref, now.confidence, now.status)
