"""The texts of a hub as a search has them: found by words and by vectors, as those of a workspace are."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import Any, NamedTuple

from tx_graph.core.identifiers import query_terms
from tx_graph.core.ports import Vector
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import beside
from tx_graph.graph.search import Index, Question, Ranked, Source
from tx_graph.graph.word_store import telling_rows
from tx_graph.hub.store import Hub

_COMMON = 2_000
"""Rows that may have a word for which rows are looked for: what more have only ranks those that others found."""
_SCORED = 150  # rows whose words are counted: those that have most of the question's words
_FEW = 10  # matches that are all shown, however weak
_SATURATION, _LENGTHS = 1.2, 0.75  # k1 and b of BM25, as SQLite has them


class Texts(NamedTuple):
    """A table whose rows can be found; `kind` is what their vectors are called."""

    table: str
    kind: str
    node: str = "node"
    position: str = ""


LEARNINGS = Texts("learnings", "learning")
CHUNKS = Texts("chunks", "chunk", node="section", position="position")
FACTS = Texts("facts", "fact")
_HOLDS = "status = 'confirmed' AND valid_until IS NULL"


class Row(NamedTuple):
    """What was found: a learning, a fact, or one chunk of a section."""

    repository: int
    node: NodeId
    position: int


class Claimed(NamedTuple):
    """A fact as one repository tells it."""

    subject: NodeId
    predicate: str
    subject_name: str
    told: str
    repository: int
    uid: str
    confidence: float


class Meant(NamedTuple):
    """A question as a vector, and the model that made it."""

    vector: Vector
    model: str


class SearchStore:
    """Finds the rows of one table that answer a question, but for those of the repository that asks.

    `meant` is asked for the question's vector when its words have been looked for. Below a cosine of `least` nothing
    is meant.
    """

    def __init__(
        self, hub: Hub, texts: Texts, *, own: int | None, meant: Callable[[], Meant | None], least: float = 0.0
    ) -> None:
        self._hub = hub
        self._texts = texts
        self._own = own
        self._meant = meant
        self._least = least
        self._ahead: dict[str, Ranked | None] = {}
        self._numbers: dict[Row, int] = {}
        self.rows: list[Row] = []
        self.known = 1.0  # share of what the question's words tell that any row has

    def source(self, *, words_share: float) -> Source:
        """Return the table as a search has it; `things` are nodes."""
        by_meaning = Index(rows=self._by_meaning, share=1 - words_share)
        indexes = {"words": Index(rows=self._by_words, share=words_share), "vectors": by_meaning}
        return Source(indexes, things=lambda numbers: {number: self.rows[number].node for number in numbers})

    def look_ahead(self, question: Question, limit: int) -> None:
        """Look for a question's words now, though it is asked later."""
        self._ahead[question.words] = self._by_words(question, None, limit)

    def _number(self, row: Row) -> int:
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return self._numbers[row]

    def _by_words(self, question: Question, _: Collection[int] | None, limit: int) -> Ranked | None:
        """Return rows with their share of the question, best first.

        Rows that have most of what its words tell are looked for, by their presence; in the best of them each word is
        counted, and weighs by BM25.
        """
        if question.words in self._ahead:
            return self._ahead.pop(question.words)
        terms = query_terms(question.words)
        phrases = list(dict.fromkeys(spelling for spellings in terms for spelling in spellings))
        if not phrases:
            return []
        given: dict[str, Any] = {f"s{number}": phrase for number, phrase in enumerate(phrases)}
        asked = {phrase: f"phraseto_tsquery('tx.words', %(s{number})s)" for number, phrase in enumerate(phrases)}
        every = " && ".join(f"({' || '.join(map(asked.__getitem__, spellings))})" for spellings in terms)
        found = self._hub.rows(
            _words(self._texts, [*asked.values(), every]),
            given | {"own": self._own, "table": self._texts.table, "common": _COMMON, "scored": _SCORED},
        )
        if not found:
            return []
        total, rows_with = found[0][-2], dict(zip(phrases, found[0][-1], strict=True))
        spread = [max(rows_with[spelling] for spelling in spellings) for spellings in terms]
        tells = [(has, _rarity(has, total)) for has in spread]
        self.known = sum(told for has, told in tells if has) / (sum(told for _, told in tells) or 1.0)
        return self._ranked(found, limit)

    def _ranked(self, found: Sequence[tuple[Any, ...]], limit: int) -> Ranked:
        """Return the rows that were found by the sums of what each word counts in them."""
        total, rows_with = found[0][-2], found[0][-1]
        average = sum(length for _, _, _, length, *_ in found) / len(found) or 1.0
        words: list[dict[int, float]] = [{} for _ in rows_with]
        for repository, node, position, length, counts, *_ in found:
            number = self._number(Row(repository, node, position))
            for place, count in enumerate(counts):
                if count:
                    # Of what is too common to be counted, as many have it as of those that were found.
                    has = rows_with[place]
                    if has > _COMMON:
                        has = max(has, total * sum(bool(one[4][place]) for one in found) / len(found))
                    norm = _SATURATION * (1 - _LENGTHS + _LENGTHS * length / average)
                    words[place][number] = _rarity(has, total) * count * (_SATURATION + 1) / (count + norm)
        totals, _ = beside(words, {})
        best = [(one, totals[one]) for one in nlargest(limit, totals, key=lambda one: (totals[one], -one))]
        return best if len(best) <= _FEW else telling_rows(best)

    def _by_meaning(self, question: Question, _: Collection[int] | None, limit: int) -> Ranked | None:
        """Return the rows nearest to the question with their cosines, and those of rows that its words found."""
        if not question.has_meaning or (meant := self._meant()) is None:
            return None
        numbers = array("f", meant.vector)
        known = list(self.rows)
        found = self._hub.rows(
            _vectors(self._texts),
            {
                "vector": f"[{','.join(map(str, numbers))}]",
                "model": meant.model,
                "own": self._own,
                "limit": limit,
                "repositories": [one.repository for one in known],
                "nodes": [one.node for one in known],
                "positions": [one.position for one in known],
            },
        )
        cosines = {self._number(Row(*key)): cosine for *key, cosine in found if cosine >= self._least}
        return sorted(cosines.items(), key=lambda one: (-one[1], one[0]))


def _rarity(has: float, total: float) -> float:
    """Return what a word tells that so many rows of all have (BM25)."""
    return log(1 + (max(total, has) - has + 0.5) / (has + 0.5))


def _words(texts: Texts, queries: Sequence[str]) -> str:
    """Return the statement that finds rows by presence, and counts how often each query but the last is in them.

    The last query stands for all together: what has every word is found, however common each is.
    """
    last = len(queries) - 1
    lexemes = [f"tsvector_to_array(to_tsvector('tx.words', %(s{place})s))" for place in range(last)]
    finders = ", ".join(
        f"({place}, {query}, {words})"
        for place, (query, words) in enumerate(zip(queries, [*lexemes, "NULL"], strict=True))
    )
    asked = f"ARRAY[{', '.join(queries)}], %(own)s::bigint, %(common)s + 1"
    same = f"AND {texts.position} = b.position" if texts.position else ""
    return f"""
    WITH finder (place, query, lexemes) AS MATERIALIZED (VALUES {finders}),
    met AS MATERIALIZED (
        SELECT query - 1 AS place, repository, node, position
        FROM tx.matching_{texts.table}({asked})
    ),
    spread AS MATERIALIZED (
        SELECT f.place, count(m.place)::integer AS rows
        FROM finder f
        LEFT JOIN met m USING (place)
        GROUP BY f.place
    ),
    visible AS (
        SELECT coalesce(sum((counts ->> %(table)s)::bigint), 0)::float8 AS rows
        FROM tx.repositories
    ),
    best AS MATERIALIZED (
        SELECT m.repository, m.node, m.position
        FROM met m
        JOIN spread s USING (place)
        CROSS JOIN visible v
        WHERE s.rows <= %(common)s OR m.place = {last} OR NOT EXISTS (
            SELECT FROM spread WHERE place < {last} AND rows BETWEEN 1 AND %(common)s
        )
        GROUP BY m.repository, m.node, m.position
        ORDER BY sum(CASE WHEN m.place < {last} THEN ln(1 + greatest(v.rows, s.rows) / s.rows) ELSE 0 END) DESC,
                 m.repository, m.node, m.position
        LIMIT %(scored)s
    )
    SELECT b.repository, b.node, b.position, t.length, c.counts, v.rows,
           (SELECT array_agg(s.rows ORDER BY s.place) FROM spread s WHERE s.place < {last})
    FROM best b
    CROSS JOIN LATERAL (
        SELECT * FROM tx.{texts.table} WHERE repository = b.repository AND {texts.node} = b.node {same} OFFSET 0
    ) t
    CROSS JOIN visible v
    CROSS JOIN LATERAL (
        SELECT array_agg(
            CASE WHEN t.words @@ f.query THEN coalesce((
                SELECT min(cardinality(u.positions))
                FROM unnest(t.words) u
                WHERE u.lexeme = ANY(f.lexemes)
            ), 1) ELSE 0 END
            ORDER BY f.place
        ) AS counts
        FROM finder f
        WHERE f.place < {last}
    ) c
    """


def _vectors(texts: Texts) -> str:
    distance = "vector <=> %(vector)s::halfvec(384)"
    return f"""
    (
        SELECT repository, node, position, 1 - ({distance}) AS cosine
        FROM tx.vectors
        WHERE kind = '{texts.kind}' AND model = %(model)s AND repository IS DISTINCT FROM %(own)s::bigint
        ORDER BY {distance}
        LIMIT %(limit)s
    )
    UNION
    SELECT v.repository, v.node, v.position, 1 - (v.{distance})
    FROM unnest(%(repositories)s::bigint[], %(nodes)s::bigint[], %(positions)s::integer[])
        k (repository, node, position)
    CROSS JOIN LATERAL (
        SELECT *
        FROM tx.vectors
        WHERE repository = k.repository AND kind = '{texts.kind}' AND node = k.node AND position = k.position
        OFFSET 0
    ) v
    WHERE v.model = %(model)s
    """


class TextStore:
    """Reads what was found. OFFSET keeps the planner from reading whole tables to join them, as rights make it do."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def learnings(self, rows: Sequence[Row]) -> Mapping[NodeId, tuple[Any, ...]]:
        """Return uid, content, category, confidence and time of each learning, and its worst published verdict."""
        return self._read(
            """
            SELECT l.node, l.uid, l.content, l.category, l.confidence, l.created_at, (
                SELECT max(array_position(ARRAY['valid', 'drifted', 'invalid'], status))
                FROM tx.anchors a
                WHERE a.repository = l.repository AND a.learning = l.node AND NOT a.fallback
            )
            FROM asked a
            CROSS JOIN LATERAL (
                SELECT * FROM tx.learnings WHERE repository = a.repository AND node = a.node OFFSET 0
            ) l
            WHERE l.status = 'active'
            """,
            rows,
        )

    def sections(self, rows: Sequence[Row]) -> Mapping[NodeId, tuple[Any, ...]]:
        """Return key, headings, text and lines of each section with the text of the chunk that was found."""
        return self._read(
            """
            SELECT c.section, n.key, c.headings, c.text, s.line_start, s.line_end
            FROM asked a
            CROSS JOIN LATERAL (
                SELECT *
                FROM tx.chunks
                WHERE repository = a.repository AND section = a.node AND position = a.position
                OFFSET 0
            ) c
            CROSS JOIN LATERAL (
                SELECT * FROM tx.sections WHERE repository = a.repository AND node = a.node OFFSET 0
            ) s
            CROSS JOIN LATERAL (SELECT * FROM tx.nodes WHERE repository = a.repository AND node = a.node OFFSET 0) n
            """,
            rows,
        )

    def facts(self, rows: Sequence[Row]) -> Mapping[NodeId, tuple[Any, ...]]:
        """Return uid, subject, predicate, what is told, confidence and time of each fact that holds."""
        return self._read(
            f"""
            SELECT f.node, f.uid, f.subject_name, f.predicate, f.told, f.confidence, f.created_at
            FROM asked a
            CROSS JOIN LATERAL (SELECT * FROM tx.facts WHERE repository = a.repository AND node = a.node OFFSET 0) f
            WHERE {_HOLDS}
            """,
            rows,
        )

    def facts_about(self, entities: Collection[NodeId], *, own: int | None, limit: int) -> list[Row]:
        """Return the facts about entities, or that name them, the most confident first."""
        found = self._hub.rows(
            f"""
            SELECT repository, node, 0
            FROM tx.facts
            WHERE subject = ANY(%(entities)s::bigint[]) AND repository IS DISTINCT FROM %(own)s::bigint
              AND {_HOLDS}
            ORDER BY confidence DESC, node
            LIMIT %(limit)s
            """,
            {"entities": list(entities), "own": own, "limit": limit},
        )
        return [Row(*one) for one in found]

    def entities(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return the names of those of these nodes that are entities somebody speaks of."""
        return dict(
            self._hub.rows(
                "SELECT node, min(name) FROM tx.entities WHERE node = ANY(%(nodes)s::bigint[]) GROUP BY node",
                {"nodes": list(nodes)},
            )
        )

    def conflicting(self, predicates: Collection[str]) -> list[Claimed]:
        """Return the facts with these predicates that several repositories tell of one entity, but differently."""
        found = self._hub.rows(
            f"""
            SELECT subject, predicate, subject_name, told, repository, uid, confidence
            FROM tx.facts
            WHERE {_HOLDS} AND predicate = ANY(%(predicates)s) AND (subject, predicate) IN (
                SELECT subject, predicate
                FROM tx.facts
                WHERE {_HOLDS} AND predicate = ANY(%(predicates)s)
                GROUP BY subject, predicate
                HAVING count(DISTINCT coalesce(object::text, told)) > 1 AND count(DISTINCT repository) > 1
            )
            ORDER BY subject, predicate, confidence DESC, repository, uid
            """,
            {"predicates": list(predicates)},
        )
        return [Claimed(*one) for one in found]

    def _read(self, sql: str, rows: Sequence[Row]) -> Mapping[NodeId, tuple[Any, ...]]:
        asked = """
        WITH asked AS (
            SELECT *
            FROM unnest(%(repositories)s::bigint[], %(nodes)s::bigint[], %(positions)s::integer[])
                a (repository, node, position)
        )
        """
        given = {
            "repositories": [one.repository for one in rows],
            "nodes": [one.node for one in rows],
            "positions": [one.position for one in rows],
        }
        return {node: tuple(rest) for node, *rest in self._hub.rows(asked + sql, given)} if rows else {}
