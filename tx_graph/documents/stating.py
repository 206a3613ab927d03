"""Use cases about what documents state: facts that live and die with the document that makes them."""

from __future__ import annotations

import hashlib
import posixpath
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import LABEL_LIMIT, UID_BYTES, uid_from
from tx_graph.documents.document import LinkKind
from tx_graph.documents.edge_store import SectionLinkStore
from tx_graph.documents.statement_store import Speaker, SpokenStatement, StatementStore
from tx_graph.documents.statements import (
    POINTING,
    STATUS_HEADINGS,
    is_blank,
    is_decision,
    is_layout,
    number_names,
    number_of,
    referred_number,
    without_number,
)
from tx_graph.documents.store import DocumentStore
from tx_graph.graph.edges import PREDICATES, NodeId, predicate_of
from tx_graph.graph.node_store import NodeStore
from tx_graph.knowledge.entity import COMMON_TYPES, USER, entity_key
from tx_graph.knowledge.entity_store import DeclaredEntity, EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, StoredFact
from tx_graph.knowledge.fact_store import Derived, FactStore

_LONGEST = 200  # characters of a name


def declared(
    speakers: Sequence[Speaker], *, types: Mapping[NodeId, str], shared: Collection[str]
) -> dict[NodeId, DeclaredEntity]:
    """Return each document and each record of a decision as an entity.

    `types` are those that documents give themselves. Each goes by its title, with its path behind it where others
    have the same title or it is one of those that are `shared` as headings, and by its path where it has none.
    Records of decisions also go by their numbers, unless two have the same, and by their titles without these.
    """
    titles = Counter(entity_key(one.title) for one in speakers)
    records = {one.node: number_of(one.key, one.title) for one in speakers if is_decision(one.key, one.title)}
    times = Counter(int(number) for number in records.values() if number)
    found = {}
    for one in speakers:
        number = records.get(one.node, "")
        said = types.get(one.node, "").lower()
        title = " ".join(one.title.split())
        is_shared = one.title in shared or titles[entity_key(one.title)] > 1
        names = [one.key, *one.aliases]
        if number and times[int(number)] == 1:
            names += number_names(number)
        if number:
            names.append(without_number(one.title))
        found[one.node] = DeclaredEntity(
            name=one.key if not _is_name(title) else f"{title} ({one.key})" if is_shared else title,
            type="decision" if one.node in records else said if said in COMMON_TYPES else "document",
            aliases=tuple(dict.fromkeys(name for name in names if _is_name(name) and name != one.title)),
        )
    return found


def _is_name(text: str) -> bool:
    return bool(text) and len(text) <= _LONGEST and text.isprintable()


_CERTAIN, _LIKELY = 1.0, 0.9  # confidence: in front matter and under `Status`; in any other line
_NO_NAME = frozenset("/#\\<>{}|\"'")
_ENDING = 5  # characters at the end of a name that would hold the ending of a file


def statement_uid(path: str, subject: str, predicate: str, name: str, value: str) -> str:
    """Return a uid that is the same on every machine, and as long as a document states the same."""
    said = "\n".join((path, subject, predicate, entity_key(name), value))
    return uid_from(hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()[:UID_BYTES])


_COMMON_HEADING = 4  # documents in which a heading stands that is nobody's name: `Overview`, `Getting started`


class Stating:
    """Derives facts from what was read of documents."""

    def __init__(self, kernel: Kernel) -> None:
        self._database = kernel.database
        self._entities = EntityStore(kernel.database)
        self._facts = FactStore(kernel.database)
        self._statements = StatementStore(kernel.database)
        self._now = kernel.now()
        self._keys: dict[NodeId, str] = {}

    def refresh(self, changed: Collection[NodeId], *, alone: bool) -> None:
        """Bring the facts of changed documents up to date, of all documents unless these are `alone`.

        They are so where no name has come or gone, so that links of others lead where they led. Facts of documents
        that are gone end. Needs a transaction.
        """
        documents = list(changed) if alone else list(DocumentStore(self._database).nodes().values())
        derived = self._derived(documents)
        known = {stored.fact.uid: stored for stored in self._facts.derived_by(documents)}
        stated = {one.fact.uid for one in derived}
        if not alone or known.keys() != stated:
            self._declare(derived, documents, alone=alone)
        new = [one for one in derived if not _is_as_known(one, known.get(one.fact.uid))]
        self._facts.save_derived(new)
        # The first of the new facts of each subject and predicate takes the place of what was said of them.
        heirs = {
            (entity_key(one.fact.subject), one.fact.predicate): one.fact.uid
            for one in reversed(new)
            if one.fact.uid not in known
        }
        gone = {
            stored.id: heirs.get((entity_key(stored.fact.subject), stored.fact.predicate))
            for uid, stored in known.items()
            if uid not in stated
        }
        self._facts.close_derived(gone, now=self._now)

    def _derived(self, documents: Sequence[NodeId]) -> list[Derived]:
        """Return the facts that documents state, each once, those by links first, under paths that outlive titles."""
        database = self._database
        links, statements = SectionLinkStore(database).typed(documents), self._statements.of_documents(documents)
        nodes = {node for link in links for node in (link.document, link.section, link.speaker, link.target or 0)}
        nodes |= {node for said in statements for node in (said.document, said.section, said.speaker)}
        self._keys = {node: key for node, (_, key) in NodeStore(database).describe(nodes).items()}
        found: dict[str, Derived] = {}
        for link in links:
            if link.predicate in POINTING or (link.is_front and is_layout(link.predicate)):
                continue
            is_certain = link.is_front or predicate_of(link.title) in STATUS_HEADINGS
            name = self._keys[link.target] if link.target is not None else ""
            written = " ".join(link.written.partition("|")[0].split())
            # A wiki link to no page names something nevertheless, if it may be a name.
            is_path = _NO_NAME.intersection(written) or "." in written[-_ENDING:]
            is_word = not is_blank(written) and written.isprintable() and len(written) <= LABEL_LIMIT
            is_name = is_word and not is_path and entity_key(written) != USER
            if link.target is None and link.kind is LinkKind.WIKI and is_name:
                name = self._by_number(link.document, link.predicate, written) or written
            if name:
                about = (link.document, link.section, link.speaker, link.predicate, "")
                self._state(found, SpokenStatement(*about, _CERTAIN if is_certain else _LIKELY), name)
        for said in statements:
            self._state(found, said, self._by_number(said.document, said.predicate, said.value))
        return list(found.values())

    def _by_number(self, document: NodeId, predicate: str, value: str) -> str:
        """Return the path of the record beside a document that a value refers to by number: `supersedes: ADR-3`."""
        number = referred_number(value) if predicate in PREDICATES else None
        found: Collection[str] = ()
        if number is not None:
            found = self._numbered.get((posixpath.dirname(self._keys[document]), number), ())
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def _numbered(self) -> dict[tuple[str, int], list[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        for path, title in DocumentStore(self._database).titles().items():
            if is_decision(path, title) and (number := number_of(path, title)):
                found.setdefault((posixpath.dirname(path), int(number)), []).append(path)
        return found

    def _state(self, found: dict[str, Derived], said: SpokenStatement, name: str) -> None:
        """Add the fact that something is said, of what has this name or else with its value; none of oneself."""
        subject, path = self._keys[said.speaker], self._keys[said.document]
        if subject == name:
            return
        value = None if name else said.value
        fact = Fact(
            uid=statement_uid(path, subject, said.predicate, name, value or ""),
            subject=subject,
            predicate=said.predicate,
            object=name or None,
            value=value,
            created_at=self._now,
            confidence=said.confidence,
            status=FactStatus.CONFIRMED,
            source=FactSource.FILE,
            source_ref=self._keys[said.section],
        )
        found.setdefault(fact.uid, Derived(fact, said.document, said.section))

    def _declare(self, derived: Sequence[Derived], documents: Collection[NodeId], *, alone: bool) -> None:
        """Let those documents be entities that facts are about or lead to, and records of decisions within them."""
        names = {name for one in derived for name in (one.fact.subject, one.fact.object) if name is not None}
        if alone:
            names |= self._statements.names(but=documents)
        speakers = self._statements.speakers(names)
        shared = self._statements.shared_titles({one.title for one in speakers}, least=_COMMON_HEADING)
        wanted = declared(speakers, types=self._statements.types(), shared=shared)
        gone = dict.fromkeys(self._statements.declared() - wanted.keys())
        self._entities.declare({**gone, **wanted})
        if not alone:
            self._entities.unsettle()  # what documents declared goes with them
        self._entities.settle()


def _is_as_known(one: Derived, stored: StoredFact | None) -> bool:
    """Whether a fact is stated in the same place and manner as before."""
    if stored is None or stored.section != one.section:
        return False
    before, now = stored.fact, one.fact
    if stored.record is not None:  # its record has the last word
        return True
    return (before.source_ref, before.confidence, before.status) == (now.source_ref, now.confidence, now.status)
