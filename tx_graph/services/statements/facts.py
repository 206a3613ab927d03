"""From what documents state, in words and by links, to facts: whom each is about, and what it leads to."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from tx_graph.analysis.relations.predicates import PREDICATES
from tx_graph.analysis.statements.decisions import is_decision, number_of, referred_number
from tx_graph.analysis.statements.keys import STATUS_HEADINGS, is_layout, is_pointer, predicate_of
from tx_graph.analysis.statements.values import is_blank
from tx_graph.domain.document import LinkKind
from tx_graph.domain.edges import NodeId
from tx_graph.domain.entity import USER, entity_key
from tx_graph.domain.fact import Fact, FactSource, FactStatus
from tx_graph.domain.labels import LABEL_LIMIT
from tx_graph.domain.uid import UID_BYTES, uid_from
from tx_graph.storage.facts import Derived
from tx_graph.storage.section_links import TypedLink
from tx_graph.storage.statements import SpokenStatement

_CERTAIN, _LIKELY = 1.0, 0.9
"""Confidence: in front matter and under `Status`; in any other line."""
_NO_NAME = frozenset("/#\\<>{}|\"'")
_ENDING = 5
"""Characters at the end of a name that would hold the ending of a file."""


@dataclass(frozen=True, kw_only=True)
class Deriving:
    """Makes facts of statements. `keys` are those of all nodes that speak, say or are led to; `titles` all documents'.

    Facts name documents by their paths, and records of decisions by their references: these are theirs alone and
    outlive titles.
    """

    keys: Mapping[NodeId, str]
    titles: Mapping[str, str]
    now: str

    def facts(self, statements: Iterable[SpokenStatement], links: Iterable[TypedLink]) -> list[Derived]:
        """Return the facts that documents state, each once, those by links first."""
        found: dict[str, Derived] = {}
        for one in (*self._from_links(links), *self._from_words(statements)):
            found.setdefault(one.fact.uid, one)
        return list(found.values())

    def _from_links(self, links: Iterable[TypedLink]) -> Iterator[Derived]:
        for link in links:
            if is_pointer(link.predicate) or (link.is_front and is_layout(link.predicate)):
                continue
            is_certain = link.is_front or predicate_of(link.title) in STATUS_HEADINGS
            said = SpokenStatement(
                link.document, link.section, link.speaker, link.predicate, "", _CERTAIN if is_certain else _LIKELY
            )
            if name := self._object(link):
                yield from self._fact(said, name)

    def _object(self, link: TypedLink) -> str:
        """Return the name of what a link leads to; a wiki link to no page names something nevertheless."""
        if link.target is not None:
            return self.keys[link.target]
        name = " ".join(link.written.partition("|")[0].split())
        if link.kind is not LinkKind.WIKI or not _may_be_name(name):
            return ""
        return self._by_number(link.document, link.predicate, name) or name

    def _from_words(self, statements: Iterable[SpokenStatement]) -> Iterator[Derived]:
        for said in statements:
            yield from self._fact(said, self._by_number(said.document, said.predicate, said.value))

    def _by_number(self, document: NodeId, predicate: str, value: str) -> str:
        """Return the path of the record beside a document that a value refers to by number: `supersedes: ADR-3`."""
        number = referred_number(value) if predicate in PREDICATES else None
        found: Collection[str] = ()
        if number is not None:
            found = self._numbered.get((posixpath.dirname(self.keys[document]), number), ())
        return next(iter(found)) if len(found) == 1 else ""

    @cached_property
    def _numbered(self) -> dict[tuple[str, int], list[str]]:
        found: dict[tuple[str, int], list[str]] = {}
        for path, title in self.titles.items():
            if is_decision(path, title) and (number := number_of(path, title)):
                found.setdefault((posixpath.dirname(path), int(number)), []).append(path)
        return found

    def _fact(self, said: SpokenStatement, name: str) -> Iterator[Derived]:
        """Yield the fact that something is said, of what has this name or else with its value; none of oneself."""
        subject, path = self.keys[said.speaker], self.keys[said.document]
        if subject == name:
            return
        value = None if name else said.value
        fact = Fact(
            uid=statement_uid(path, subject, said.predicate, name, value or ""),
            subject=subject,
            predicate=said.predicate,
            object=name or None,
            value=value,
            created_at=self.now,
            confidence=said.confidence,
            status=FactStatus.CONFIRMED,
            source=FactSource.FILE,
            source_ref=self.keys[said.section],
        )
        yield Derived(fact, said.document, said.section)


def _may_be_name(name: str) -> bool:
    is_path = _NO_NAME.intersection(name) or "." in name[-_ENDING:]
    is_word = not is_blank(name) and name.isprintable() and len(name) <= LABEL_LIMIT
    return is_word and not is_path and entity_key(name) != USER


def statement_uid(path: str, subject: str, predicate: str, name: str, value: str) -> str:
    """Return a uid that is the same on every machine, and as long as a document states the same."""
    said = "\n".join((path, subject, predicate, entity_key(name), value))
    return uid_from(hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()[:UID_BYTES])
