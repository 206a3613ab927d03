"""A generated workspace of 100,000 facts about 20,000 entities, and of 100,000 sections that mention them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from scripts.benchmarks import near_vectors, vocabulary
from tx_graph.core.database import Database
from tx_graph.core.labels import UID_BYTES, uid_from
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.documents.document import Format, section_key
from tx_graph.documents.store import DocumentRow, DocumentStore, SectionRow, SectionStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entity import COMMON_TYPES, Entity
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus
from tx_graph.knowledge.fact_store import Derived, FactStore
from tx_graph.vectors.store import ENTITIES as ENTITY_VECTORS
from tx_graph.workspace import prepare

ENTITIES, FACTS = 20_000, 100_000
DOCUMENTS, SECTIONS_EACH = 2_000, 50
MENTIONS = 300_000
_DESCRIBED = 0.25
"""Share of entities that a record describes."""
_HUBS = 3.0
"""Facts lead to few entities much more often than to the others: they are drawn by the power of a random number."""
_LEADING_ON, _STAGED = 0.6, 0.2
"""Shares of facts that have an object, and that nobody confirmed."""
_PREDICATES = ("uses", "owner", "status", "depends_on", "prefers", "part_of", "runs_on", "replaces", "reviewed_by")
_NOW = "2026-01-01T00:00:00Z"


PART = 100
"""Of the facts a hundredth, against which growth is measured."""


def make_few(root: Path) -> None:
    """Make the workspace with a hundredth of everything."""
    make(root, part=PART)


def make(root: Path, *, part: int = 1) -> None:
    """Make the workspace, without vectors, or one with that part of everything: 100 for a hundredth."""
    root.mkdir(parents=True)
    prepare(root)
    with Database.open(root / DIRECTORY / DATABASE) as database, database.transaction():
        sections = _write_documents(root, database, part)
        names = list(dict.fromkeys(_names(part)))
        _write_entities(database, names)
        _write_facts(database, names, sections, part)
        _write_mentions(database, names, [node for those in sections.values() for node in those], part)


def with_vectors(root: Path) -> Path:
    """Return the workspace's second database, whose entities have vectors; make it if it is missing."""
    path = root / DIRECTORY / "vectors.db"
    if not path.exists():
        unfinished = path.with_suffix(".tmp")
        shutil.copy(root / DIRECTORY / DATABASE, unfinished)
        with Database.open(unfinished) as database:
            near_vectors.save(database, ENTITY_VECTORS)
        unfinished.rename(path)
    return path


def _names(part: int) -> Iterator[str]:
    generator = np.random.default_rng(11)
    for number in range(ENTITIES // part):
        yield f"{vocabulary.text(generator, words=int(generator.integers(1, 4)))} {number}"


def _write_documents(root: Path, database: Database, part: int) -> dict[NodeId, list[NodeId]]:
    """Write documents, on disk too, with their sections; return the sections of each."""
    paths = [f"docs/part{number % 40}/guide{number}.md" for number in range(DOCUMENTS // part)]
    files = NodeStore(database).ensure(NodeKind.FILE, paths)
    keys = {path: [section_key(path, f"step-{number}") for number in range(1, SECTIONS_EACH)] for path in paths}
    nodes = NodeStore(database).ensure(NodeKind.SECTION, [key for those in keys.values() for key in those])
    for path in paths:
        text = f"# {path}\n\n" + "\n".join(f"## Step {number}\n\nDo it.\n" for number in range(1, SECTIONS_EACH))
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        digest = hashlib.sha256(text.encode()).hexdigest()
        DocumentStore(database).save([_document(files[path], path, digest)])
        parts = [files[path], *(nodes[key] for key in keys[path])]
        SectionStore(database).save(_section(node, parts[0], position) for position, node in enumerate(parts))
    return {files[path]: [files[path], *(nodes[key] for key in keys[path])] for path in paths}


def _document(node: NodeId, path: str, digest: str) -> DocumentRow:
    return DocumentRow(
        node=node, path=path, format=Format.MARKDOWN, title=path, size=1, mtime_ns=1, content_hash=digest
    )


def _section(node: NodeId, document: NodeId, position: int) -> SectionRow:
    return SectionRow(
        node=node,
        document=document,
        parent=document if position else None,
        position=position,
        part=0,
        level=2 if position else 0,
        title=f"Step {position}",
        slug=f"step-{position}" if position else "",
        labels=(),
        line_start=4 * position + 1,
        line_end=4 * position + 3,
        content_hash=str(position),
        text="Do it.",
    )


def _write_entities(database: Database, names: Sequence[str]) -> None:
    generator, entities = np.random.default_rng(12), EntityStore(database)
    for name in names:
        if generator.random() < _DESCRIBED:
            entity = Entity(
                uid=uid_from(generator.bytes(UID_BYTES)),
                name=name,
                created_at=_NOW,
                type=COMMON_TYPES[int(generator.integers(len(COMMON_TYPES)))],
                description=vocabulary.text(generator, words=8),
            )
            entities.save(entity, record="", now=_NOW)
    entities.settle()
    entities.ensure(names)


def _write_facts(
    database: Database, names: Sequence[str], sections: Mapping[NodeId, Sequence[NodeId]], part: int
) -> None:
    documents, store = list(sections), FactStore(database)
    paths = {row.node: row.path for row in DocumentStore(database).every()}
    derived: list[Derived] = []
    for number, fact in enumerate(_facts(names, part)):
        if fact.source is not FactSource.FILE:
            store.save(fact, record="", now=_NOW)
            continue
        document = documents[number % len(documents)]
        place = f"{paths[document]}#step-1"
        stated = replace(fact, source_ref=place, status=FactStatus.CONFIRMED)
        derived.append(Derived(stated, document, sections[document][1]))
    store.save_derived(derived)


def _facts(names: Sequence[str], part: int) -> Iterator[Fact]:
    generator = np.random.default_rng(13)
    sources = list(FactSource)
    for _ in range(FACTS // part):
        subject, target = (names[int(len(names) * share)] for share in generator.random(2) ** (1.5, _HUBS))
        leads_on = generator.random() < _LEADING_ON
        yield Fact(
            uid=uid_from(generator.bytes(UID_BYTES)),
            subject=subject,
            predicate=_PREDICATES[int(generator.integers(len(_PREDICATES)))],
            object=target if leads_on else None,
            value=None if leads_on else vocabulary.text(generator, words=5),
            confidence=round(0.5 + float(generator.random()) / 2, 2),
            status=FactStatus.STAGED if generator.random() < _STAGED else FactStatus.CONFIRMED,
            source=sources[int(generator.integers(len(sources)))],
            created_at=_NOW,
        )


def _write_mentions(database: Database, names: Sequence[str], nodes: Sequence[NodeId], part: int) -> None:
    generator = np.random.default_rng(14)
    entities = list(EntityStore(database).ensure(names).values())
    drawn = zip(
        (len(entities) * generator.random(MENTIONS // part) ** _HUBS).astype(int).tolist(),
        generator.integers(len(nodes), size=MENTIONS // part).tolist(),
        (0.2 + 0.8 * generator.random(MENTIONS // part)).tolist(),
        strict=True,
    )
    pairs = {(entities[entity], nodes[node]): weight for entity, node, weight in drawn}
    database.write_many(
        "INSERT INTO mentions (entity, node, origin, weight) VALUES (?, ?, 'text', ?)",
        ((*pair, weight) for pair, weight in pairs.items()),
    )
    database.write("UPDATE entities SET mentions = (SELECT count(*) FROM mentions WHERE entity = node_id)")
