"""The texts of a hub as a search has them: found by words and by vectors, as those of a workspace are."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Mapping, Sequence
from heapq import nlargest
from math import log
from typing import Any, NamedTuple

from tx_graph.core.identifiers import query_terms
from tx_graph.core.ports import Vector
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import beside
from tx_graph.graph.search import Index, Ranked, Source
from tx_graph.graph.word_store import telling_rows
from tx_graph.hub.repository_store import Publication
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


LEARNINGS = Texts("learnings", "learning")
CHUNKS = Texts("chunks", "chunk")
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


class Told(NamedTuple):
    """A learning, section or fact as it is shown; `verdict` is the worst that was published, from 1."""

    ref: str
    title: str
    text: str
    verdict: int | None


class Finding:
    """What of one kind answers a question: rows as they are met, and how well each does. No database."""

    def __init__(self, texts: Texts, question: str, *, least: float = 0.0) -> None:
        self.texts = texts
        self._terms = query_terms(question)
        self.phrases = list(dict.fromkeys(spelling for spellings in self._terms for spelling in spellings))
        self._least = least
        self._words: Ranked = ()
        self._vectors: Ranked | None = None
        self._numbers: dict[Row, int] = {}
        self.rows: list[Row] = []
        self.known = 1.0  # share of what the question's words tell that any row has

    def source(self, *, words_share: float) -> Source:
        """Return it as a search has it; `things` are nodes."""
        indexes = {
            "words": Index(rows=lambda *_: self._words, share=words_share),
            "vectors": Index(rows=lambda *_: self._vectors, share=1 - words_share),
        }
        return Source(indexes, things=lambda numbers: {number: self.rows[number].node for number in numbers})

    def together(self, phrases: str) -> str:
        """Return the whole question as an expression over a parameter with its phrases: one spelling of each term."""
        places = {phrase: place for place, phrase in enumerate(self.phrases, start=1)}
        return " && ".join(
            "(" + " || ".join(f"phraseto_tsquery('tx.words', ({phrases})[{places[one]}])" for one in spellings) + ")"
            for spellings in self._terms
        )

    def _number(self, row: Row) -> int:
        if row not in self._numbers:
            self._numbers[row] = len(self.rows)
            self.rows.append(row)
        return self._numbers[row]

    def take_words(self, found: Sequence[tuple[Any, ...]], limit: int) -> None:
        """Rank rows in which the question's words were counted, by the sums of what each word counts in them (BM25)."""
        if not found:
            return
        total, spread = found[0][-2:]
        average = sum(length for _, _, _, length, *_ in found) / len(found) or 1.0
        words: list[dict[int, float]] = [{} for _ in spread]
        for repository, node, position, length, counts, *_ in found:
            number = self._number(Row(repository, node, position))
            for place, count in enumerate(counts):
                if count:
                    # Of what is too common to be counted, as many have it as of those that were found.
                    has = spread[place]
                    if has > _COMMON:
                        has = max(has, total * sum(bool(one[4][place]) for one in found) / len(found))
                    norm = _SATURATION * (1 - _LENGTHS + _LENGTHS * length / average)
                    words[place][number] = _rarity(has, total) * count * (_SATURATION + 1) / (count + norm)
        totals, _ = beside(words, {})
        best = [(one, totals[one]) for one in nlargest(limit, totals, key=lambda one: (totals[one], -one))]
        self._words = best if len(best) <= _FEW else telling_rows(best)
        rows_with = dict(zip(self.phrases, spread, strict=True))
        having = [max(rows_with[spelling] for spelling in spellings) for spellings in self._terms]
        tells = [(has, _rarity(has, total)) for has in having]
        self.known = sum(told for has, told in tells if has) / (sum(told for _, told in tells) or 1.0)

    def take_vectors(self, found: Sequence[tuple[Any, ...]]) -> None:
        """Rank rows by their cosines; below the least nothing is meant."""
        cosines = {self._number(Row(*key)): cosine for *key, cosine in found if cosine >= self._least}
        self._vectors = sorted(cosines.items(), key=lambda one: (-one[1], one[0]))


class SearchStore:
    """Finds what answers questions, but for the rows of the repository that asks: of all kinds in one statement."""

    def __init__(self, hub: Hub, *, own: int | None) -> None:
        self._hub = hub
        self._own = own

    def look_for_words(self, findings: Collection[Finding], limit: int) -> None:
        """Let each take the rows that have its words, of which it ranks so many.

        Rows that have most of what its words tell are looked for, by their presence; in the best of them each word is
        counted, and weighs by BM25.
        """
        asked = {f"phrases_{number}": one for number, one in enumerate(findings) if one.phrases}
        found = self._of_each(
            {
                one: f"worded_{one.texts.table}(%({name})s, {one.together(f'%({name})s::text[]')}, "
                "%(own)s::bigint, %(common)s, %(scored)s)"
                for name, one in asked.items()
            },
            {name: one.phrases for name, one in asked.items()} | {"common": _COMMON, "scored": _SCORED},
        )
        for one, rows in found.items():
            one.take_words(rows, limit)

    def look_for_meaning(self, findings: Collection[Finding], meant: Meant) -> None:
        """Let each take the rows nearest to the question with their cosines, and those of rows that its words found."""
        given: dict[str, Any] = {"model": meant.model, "vector": str(array("f", meant.vector).tolist())}
        asked: dict[Finding, str] = {}
        for number, one in enumerate(findings):
            places = {f"{name}_{number}": [row[place] for row in one.rows] for place, name in enumerate(Row._fields)}
            given |= places
            types = zip(places, ("bigint", "bigint", "integer"), strict=True)
            known = ", ".join(f"%({name})s::{kind}[]" for name, kind in types)
            asked[one] = f"nearest_{one.texts.kind}(%(vector)s, %(model)s, %(own)s::bigint, {known})"
        for one, rows in self._of_each(asked, given).items():
            one.take_vectors(rows)

    def _of_each(
        self, functions: Mapping[Finding, str], given: Mapping[str, Any]
    ) -> dict[Finding, list[tuple[Any, ...]]]:
        """Return the rows of each of these functions of the hub, all asked in one statement."""
        findings = [*functions]
        found: dict[Finding, list[tuple[Any, ...]]] = {one: [] for one in findings}
        asked = (f"SELECT {number}, f.* FROM tx.{called} f" for number, called in enumerate(functions.values()))
        if findings:
            for number, *row in self._hub.rows(" UNION ALL ".join(asked), {**given, "own": self._own}):
                found[findings[number]].append(tuple(row))
        return found


def _rarity(has: float, total: float) -> float:
    """Return what a word tells that so many rows of all have (BM25)."""
    return log(1 + (max(total, has) - has + 0.5) / (has + 0.5))


class TextStore:
    """Reads what was found, and what is said of entities."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def told(
        self, rows: Mapping[str, Sequence[Row]], *, most: int
    ) -> tuple[dict[str, dict[NodeId, Told]], dict[int, Publication]]:
        """Return of each kind the first `most` that may be shown, by node, and of which commits they are."""
        asked = [(kind, one) for kind, those in rows.items() for one in those]
        found: dict[str, dict[NodeId, Told]] = {kind: {} for kind in rows}
        publications: dict[int, Publication] = {}
        if asked:
            for kind, node, *texts, repository, name, commit, committed_at in self._hub.rows(
                "SELECT * FROM tx.told(%(kinds)s, %(repositories)s, %(nodes)s, %(positions)s, %(most)s)",
                {
                    "kinds": [kind for kind, _ in asked],
                    "repositories": [one.repository for _, one in asked],
                    "nodes": [one.node for _, one in asked],
                    "positions": [one.position for _, one in asked],
                    "most": most,
                },
            ):
                found[kind][node] = Told(*texts)
                publications[repository] = Publication(repository, name, commit, committed_at)
        return found, publications

    def facts_about(self, entities: Collection[NodeId], *, own: int | None, limit: int) -> list[Row]:
        """Return the facts about entities, or that name them, the most confident first."""
        if not entities:
            return []
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
