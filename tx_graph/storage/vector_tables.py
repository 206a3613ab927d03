"""What has vectors: learnings, chunks of documents and entities; for each where they lie and which of them count."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.entity import DEFAULT_TYPE
from tx_graph.storage.visibility import SHOWN, WITHHELD_COUNT


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorTable:
    """One table of vectors and the sqlite-vec index over it, as parts of statements.

    `subject` is its row of `vector_index_state`, `key` the column that says what each vector is of: the id of a row
    `l` of `things`. `text` is what of such a row is embedded, `shown` the condition for those that answers show,
    `withheld` how many others there are, and `absent` the condition for those that count nowhere.
    `unchanged` is the condition under which a vector made of text with the SHA-256 `:hash` is still that of `:id`.
    """

    subject: str
    vectors: str
    index: str
    key: str
    things: str
    text: str
    shown: str = "1"
    withheld: str = "0"
    absent: str = "0"
    unchanged: str = "1"


LEARNINGS = VectorTable(
    subject="learnings",
    vectors="learning_vectors",
    index="learning_vector_index",
    key="learning_id",
    things="learnings",
    text="l.content",
    shown=SHOWN,
    withheld=WITHHELD_COUNT,
    absent="present = 0",
)
CHUNKS = VectorTable(
    subject="chunks",
    vectors="chunk_vectors",
    index="chunk_vector_index",
    key="chunk_id",
    things="chunks",
    text="l.headings || char(10) || l.text",
    # Numbers of chunks are given out again, and another process may ingest while this one embeds.
    unchanged="EXISTS (SELECT 1 FROM chunks WHERE id = :id AND content_hash = :hash)",
)
_ALIASES = (
    "(SELECT group_concat(alias, ', ') FROM (SELECT alias FROM entity_aliases WHERE entity = {entity} ORDER BY key))"
)
ENTITIES = VectorTable(
    subject="entities",
    vectors="entity_vectors",
    index="entity_vector_index",
    key="entity_id",
    things="(SELECT node_id AS id, name, type, description FROM entities)",
    text=(
        f"l.name || iif(l.type = '{DEFAULT_TYPE}', '', ' (' || l.type || ')') "
        f"|| coalesce(', ' || {_ALIASES.format(entity='l.id')}, '') "
        "|| iif(l.description = '', '', ': ' || l.description)"
    ),
    # One that was removed, or merged into another, while it was embedded.
    unchanged="EXISTS (SELECT 1 FROM entities WHERE node_id = :id)",
)
