"""Facts as rows: a fast copy of their records and of what documents state, with the use that git does not carry."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.identifiers import query_terms
from tx_graph.graph.edges import NodeId, relation_of
from tx_graph.knowledge.entity import entity_key
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, FactStatus, StoredFact
from tx_graph.records.seen_store import Kept

_FIELDS = tuple(one.name for one in fields(Fact))
_SAID = tuple({"subject": "subject_name", "object": "object_name"}.get(name, name) for name in _FIELDS)
"""The columns that hold what a fact says, in the order of its fields; `subject` and `object` hold nodes."""
_COLUMNS = f"""
    {", ".join(f"f.{name}" for name in _SAID)},
    f.id, f.subject, s.name, f.object, o.name, f.record, f.section, f.access_count, f.last_accessed_at,
    f.private IS 1
"""
_STORED = tuple(one.name for one in fields(StoredFact) if one.name != "fact")
"""Of a stored fact, what the columns behind those of the fact itself hold, in their order."""
_FROM = "facts f JOIN entities s ON s.node_id = f.subject LEFT JOIN entities o ON o.node_id = f.object"
_IS_LIVE = "f.present = 1 AND f.status IN ('staged', 'confirmed')"
_HELD_THEN = """
    f.present = 1 AND f.created_at <= :moment
    AND (f.valid_until > :moment OR (f.valid_until IS NULL AND f.status IN ('staged', 'confirmed')))
"""
"""What was retracted by hand, without saying when, held at no time that is known."""
_FOUND_ANYWHERE = 50  # facts that a question finds by words, whomever they are about


class Derived(NamedTuple):
    """A fact that a document states, with the document and the section that does."""

    fact: Fact
    document: NodeId
    section: NodeId


class FactStore:
    """Reads and writes facts, whose ends become entities as they come; what writes needs a transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._entities = EntityStore(database)
        self._touched: set[NodeId] = set()

    def save(self, fact: Fact, /, *, record: str, now: str) -> int:  # noqa: ARG002 - a record says when
        """Insert or update a fact that has a record; return its local number."""
        nodes = self._nodes_of([fact])
        self._database.write(_UPSERT, _parameters(fact, nodes) | {"record": record})
        return int(self._database.value("SELECT id FROM facts WHERE uid = ?", (fact.uid,)))

    def save_private(self, fact: Fact) -> int:
        """Insert or update a fact that has no record; return its local number."""
        number = self.save(fact, record="", now="")
        self._database.write("UPDATE facts SET record = NULL, private = 1 WHERE id = ?", (number,))
        self.settle()
        return number

    def mark_absent(self, uids: Collection[str]) -> None:
        """Take facts whose records are gone out of every answer, but those that a document states."""
        for uid in uids:
            self._touch("uid = :uid", uid=uid)
            self._database.write(
                """
                UPDATE facts
                SET present = section IS NOT NULL,
                    record = NULL,
                    status = iif(section IS NOT NULL, 'confirmed', status),
                    valid_until = iif(section IS NOT NULL, NULL, valid_until),
                    superseded_by = iif(section IS NOT NULL, NULL, superseded_by)
                WHERE uid = ?
                """,
                (uid,),
            )

    def kept(self, uid: str) -> Kept[Fact] | None:
        """Return the fact with this uid, None if there is none or it has no record."""
        return next(iter(self._kept("f.uid = :uid", uid=uid)), None)

    def every_kept(self) -> list[Kept[Fact]]:
        """Return every fact that has a record."""
        return self._kept("1")

    def _kept(self, condition: str, **parameters: Any) -> list[Kept[Fact]]:
        found = self._select(f"f.present = 1 AND f.record IS NOT NULL AND {condition}", **parameters)
        return [Kept(thing=stored.fact, record=stored.record or "") for stored in found]

    def settle(self) -> None:
        """Name entities that only facts name by the oldest of them; those that none names any more are removed."""
        self._entities.respell(self._touched)
        self._touched.clear()

    def save_derived(self, derived: Sequence[Derived]) -> None:
        """Insert or update what documents state; of what has a record only the place changes.

        The time when a fact was first read stays, and so does what was counted of its use.
        """
        nodes = self._nodes_of([one.fact for one in derived])
        rows = (
            _parameters(one.fact, nodes) | {"document": one.document, "section": one.section, "record": None}
            for one in derived
        )
        self._database.write_many(_UPSERT_DERIVED, rows)

    def derived_by(self, documents: Collection[NodeId]) -> list[StoredFact]:
        """Return the facts that these documents stated when they were last read, and those whose document is gone."""
        return self._select(
            """
            f.present = 1 AND (
                f.document IN (SELECT value FROM json_each(:documents))
                OR (
                    f.document IS NULL AND f.record IS NULL AND f.private IS NOT 1
                    AND f.status IN ('staged', 'confirmed')
                )
            )
            """,
            documents=json.dumps(list(documents)),
        )

    def close_derived(self, numbers: Mapping[int, str | None], *, now: str) -> None:
        """Say that documents do not state these facts any more, each with the uid of what they state instead.

        Those with a record stay as they are, without a section.
        """
        self._touch("id IN (SELECT value FROM json_each(:numbers))", numbers=json.dumps(list(numbers)))
        self._database.write_many(
            """
            UPDATE facts
            SET document = NULL,
                section = NULL,
                status = iif(record IS NOT NULL, status, iif(:successor IS NULL, 'retracted', 'superseded')),
                valid_until = iif(record IS NOT NULL, valid_until, :now),
                superseded_by = iif(record IS NOT NULL, superseded_by, :successor)
            WHERE id = :number
            """,
            ({"number": number, "successor": successor, "now": now} for number, successor in numbers.items()),
        )

    def _nodes_of(self, facts: Collection[Fact]) -> dict[str, NodeId]:
        names = {fact.subject for fact in facts} | {fact.object for fact in facts if fact.object is not None}
        for fact in facts:
            self._touch("uid = :uid", uid=fact.uid)
        nodes = self._entities.ensure(names)
        self._touched.update(nodes.values())
        return nodes

    def _touch(self, condition: str, **parameters: Any) -> None:
        """Note the entities of facts that are about to change."""
        for subject, named in self._database.rows(f"SELECT subject, object FROM facts WHERE {condition}", parameters):
            self._touched.update(node for node in (subject, named) if node is not None)

    def numbers_of(
        self, entities: Collection[NodeId], *, moment: str | None = None, named: bool = False
    ) -> dict[NodeId, list[int]]:
        """Return the numbers of the facts about each entity, or that have it as object if `named`, surest first.

        They are those that are live, or that held at a UTC `moment`.
        """
        end = "object" if named else "subject"
        rows = self._database.rows(
            f"""
            SELECT f.{end}, f.id
            FROM facts f
            WHERE f.{end} IN (SELECT value FROM json_each(:entities)) AND {_HELD_THEN if moment else _IS_LIVE}
            ORDER BY f.confidence DESC, f.id
            """,
            {"entities": json.dumps(list(entities)), "moment": moment},
        )
        found: defaultdict[NodeId, list[int]] = defaultdict(list)
        for entity, number in rows:
            found[entity].append(number)
        return found

    def with_values(self, values: Collection[str], *, moment: str | None = None) -> dict[int, str]:
        """Return the numbers of facts whose literal value is one of these, in lower case, each with it."""
        rows = self._database.rows(
            f"""
            SELECT f.id, f.value
            FROM facts f
            WHERE lower(f.value) IN (SELECT value FROM json_each(:values)) AND f.value IS NOT NULL
              AND {_HELD_THEN if moment else _IS_LIVE}
            ORDER BY f.id
            """,
            {"values": json.dumps(list(values)), "moment": moment},
        )
        return dict(rows)

    def by_words(
        self, words: str, *, among: Collection[int] | None, moment: str | None = None, whole: bool = False
    ) -> dict[int, float]:
        """Return the numbers of facts that have some of these words, or all if `whole`, by BM25, the best first.

        Of those `among` some numbers only what they say counts; else also whom it is about, and a few are enough.
        """
        terms = [" OR ".join(f'"{term}"' for term in spellings) for spellings in query_terms(words)]
        match = (" AND " if whole else " OR ").join(f"({term})" for term in terms)
        if not match:
            return {}
        rows = self._database.rows(
            f"""
            SELECT f.id, -bm25(facts_fts)
            FROM facts_fts
            JOIN facts f ON f.id = facts_fts.rowid
            WHERE facts_fts MATCH :match AND {_HELD_THEN if moment else _IS_LIVE}
              AND {"1" if among is None else "facts_fts.rowid IN (SELECT value FROM json_each(:among))"}
            ORDER BY 2 DESC, 1
            LIMIT :limit
            """,
            {
                "match": match if among is None else f"{{predicate told}} : ({match})",
                "moment": moment,
                "among": json.dumps(list(among or ())),
                "limit": _FOUND_ANYWHERE if among is None else -1,
            },
        )
        return dict(rows)

    def recollected(self, question: str, *, since: str) -> dict[str, Any] | None:
        """Return what a question called up since a UTC time, if no fact has changed; None where nobody asked it."""
        found = self._database.value(
            """
            SELECT found FROM recollections
            WHERE question = :question AND at > :since AND version = (SELECT version FROM facts_version)
            """,
            {"question": question, "since": since},
        )
        return None if found is None else dict(json.loads(found))

    def recollect(self, question: str, found: Mapping[str, Any], *, version: int, since: str, now: str) -> None:
        """Keep what a question called up, true of a version of the facts; what is older than `since` goes."""
        self._database.write("DELETE FROM recollections WHERE at <= ? OR version <> ? OR at > ?", (since, version, now))
        self._database.write(
            "INSERT OR REPLACE INTO recollections (question, version, at, found) VALUES (?, ?, ?, ?)",
            (question, version, now, json.dumps(found, ensure_ascii=False)),
        )

    def contradicted(self, facts: Collection[StoredFact], *, single_valued: Collection[str]) -> set[int]:
        """Return the numbers of those live facts whose predicate takes one value, and of which another says else."""
        asked = [one for one in facts if one.fact.is_live and one.fact.predicate in single_valued]
        rows = self._database.rows(
            """
            SELECT subject, predicate
            FROM facts
            WHERE subject IN (SELECT value FROM json_each(:subjects))
              AND predicate IN (SELECT value FROM json_each(:predicates))
              AND present = 1 AND status IN ('staged', 'confirmed')
            GROUP BY subject, predicate
            HAVING count(DISTINCT iif(object IS NULL, 'value:' || value, 'object:' || object)) > 1
            """,
            {
                "subjects": json.dumps([one.subject for one in asked]),
                "predicates": json.dumps([one.fact.predicate for one in asked]),
            },
        )
        pairs = {(subject, predicate) for subject, predicate in rows}
        return {one.id for one in asked if (one.subject, one.fact.predicate) in pairs}

    def version(self) -> int:
        """Return a number that changes with the facts; triggers of the schema keep count. Recalling changes nothing."""
        return int(self._database.value("SELECT version FROM facts_version"))

    def by_numbers(self, numbers: Collection[int]) -> list[StoredFact]:
        """Return the facts with these local numbers, in that order; unknown ones are left out."""
        rows = self._select(
            "f.present = 1 AND f.id IN (SELECT value FROM json_each(:numbers))", numbers=json.dumps(list(numbers))
        )
        found = {stored.id: stored for stored in rows}
        return [found[number] for number in numbers if number in found]

    def by_uid_prefix(self, prefix: str) -> list[StoredFact]:
        """Return the facts whose uid starts with `prefix`, at most ten."""
        return self._select(
            "f.present = 1 AND f.uid >= :low AND f.uid < :high", low=prefix, high=f"{prefix}~", limit=10
        )

    def same(self, subject: str, predicate: str) -> list[StoredFact]:
        """Return every fact, past ones too, that says this of the entity that a name means, the oldest first."""
        node = self._entities.by_keys([entity_key(subject)]).get(entity_key(subject))
        return self._select(
            "f.present = 1 AND f.subject = :subject AND f.predicate = :predicate", subject=node, predicate=predicate
        )

    def listed(
        self,
        *,
        limit: int,
        subject: NodeId | None = None,
        about: NodeId | None = None,
        predicate: str | None = None,
        status: FactStatus | None = None,
        source: FactSource | None = None,
        moment: str | None = None,
        past: bool = False,
        words: str | None = None,
    ) -> list[StoredFact]:
        """Return the newest facts that meet all criteria; `moment` asks for those that held then, a UTC time.

        `words` are looked for in all that a fact says, whatever their case, as parts of words too.

        Without a status and a moment, `past` facts, superseded and retracted ones, are left out unless asked for.
        """
        asked = {"subject": subject, "about": about, "predicate": predicate, "status": status, "source": source}
        conditions = [f"f.{name} = :{name}" for name, value in asked.items() if value is not None and name != "about"]
        if about is not None:
            conditions.append("(f.subject = :about OR f.object = :about)")
        if words is not None:
            conditions.append(
                "instr(lower(s.name || ' ' || f.predicate || ': ' || coalesce(f.value, o.name)), lower(:words)) > 0"
            )
        if moment is not None:
            conditions.append(_HELD_THEN)
        elif status is None and not past:
            conditions.append(_IS_LIVE)
        condition = " AND ".join(["f.present = 1", *conditions])
        order = "f.created_at DESC, f.id DESC"
        return self._select(condition, order=order, limit=limit, moment=moment, words=words, **asked)

    def live(self) -> list[StoredFact]:
        """Return every live fact, by number."""
        return self._select(_IS_LIVE)

    def said_in(self, path: str) -> list[StoredFact]:
        """Return the live facts that a section or symbol of a file says, as far as its fingerprints are known."""
        ties = json.dumps([f"{path}#", f"{path}::"])
        said = "EXISTS (SELECT 1 FROM json_each(:ties) WHERE substr(f.source_ref, 1, length(value)) = value)"
        return self._select(f"{_IS_LIVE} AND f.source_print IS NOT NULL AND {said}", ties=ties)

    def count_accesses(self, numbers: Iterable[int], *, now: str) -> None:
        """Count one access of each fact."""
        self._database.write_many(
            "UPDATE facts SET access_count = access_count + 1, last_accessed_at = ? WHERE id = ?",
            ((now, number) for number in numbers),
        )

    def numbers_by_status(self) -> dict[str, int]:
        """Return how many facts have each status."""
        return dict(self._database.rows("SELECT status, count(*) FROM facts WHERE present = 1 GROUP BY 1 ORDER BY 1"))

    def predicates(self) -> list[str]:
        """Return every predicate that live facts use, sorted."""
        rows = self._database.rows(f"SELECT DISTINCT f.predicate FROM facts f WHERE {_IS_LIVE} ORDER BY 1")
        return [predicate for (predicate,) in rows]

    def labels(self) -> list[tuple[int, str, str]]:
        """Return number, uid and words of every fact, the newest first: material for suggestions."""
        return self._database.rows(
            f"""
            SELECT f.id, f.uid, s.name || ' ' || f.predicate || ': ' || substr(coalesce(f.value, o.name), 1, 200)
            FROM {_FROM}
            WHERE f.present = 1
            ORDER BY f.id DESC
            """
        )

    def _select(self, condition: str, *, order: str = "f.id", limit: int = -1, **parameters: Any) -> list[StoredFact]:
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM {_FROM} WHERE {condition} ORDER BY {order} LIMIT :limit",
            {**parameters, "limit": limit},
        )
        return [_stored(row) for row in rows]


_WRITTEN = (*_SAID, "subject", "object", "relation", "record", "document", "section")
_INSERT = f"""
    INSERT INTO facts ({", ".join(_WRITTEN)}, present) VALUES ({", ".join(f":{name}" for name in _WRITTEN)}, 1)
    ON CONFLICT (uid) DO UPDATE SET
"""
_REPLACED = [name for name in _WRITTEN if name not in ("uid", "document", "section")]
_UPSERT = f"{_INSERT} {', '.join(f'{name} = excluded.{name}' for name in _REPLACED)}, present = 1, private = NULL"
_OF_RECORD = """subject_name object_name value confidence status source_ref source_print valid_until superseded_by
faded_at""".split()
"""What the record of a fact says has the last word, whatever a document states."""
_UPSERT_DERIVED = f"""
    {_INSERT}
        subject = excluded.subject, object = excluded.object, document = excluded.document, section = excluded.section,
        {", ".join(f"{one} = iif(record IS NOT NULL AND present = 1, {one}, excluded.{one})" for one in _OF_RECORD)},
        present = 1
"""


def _parameters(fact: Fact, nodes: Mapping[str, NodeId]) -> dict[str, Any]:
    said = {column: getattr(fact, name) for column, name in zip(_SAID, _FIELDS, strict=True)}
    return said | {
        "subject": nodes[entity_key(fact.subject)],
        "object": nodes[entity_key(fact.object)] if fact.object is not None else None,
        "relation": relation_of(fact.predicate).value,
        "document": None,
        "section": None,
    }


def _stored(row: Any) -> StoredFact:
    said = dict(zip(_FIELDS, row, strict=False))
    said |= {"status": FactStatus(said["status"]), "source": FactSource(said["source"])}
    stored = dict(zip(_STORED, row[len(_FIELDS) :], strict=True))
    return StoredFact(fact=Fact(**said), **stored | {"private": bool(stored["private"])})
