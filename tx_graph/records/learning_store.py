"""Learnings as rows, with their anchors and links, and what searches need of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import CorpusText
from tx_graph.graph.edge_statements import SHOWN, WITHHELD
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import NodeId
from tx_graph.graph.fuse import WORDS_SHARE
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.search import Index, Question, Ranked, Source
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.anchor import Anchor, AnchorType
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning import COLUMNS, Learning, Link, SourceType, Status, StoredLearning, Usage
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.records.seen_store import Kept
from tx_graph.vectors.store import VectorStore

_USED = "usage_count + (SELECT count(*) FROM votes WHERE votes.learning = learnings.uid)"
_HELPFUL = "helpful_score + (SELECT total(helpful) FROM votes WHERE votes.learning = learnings.uid)"
"""What was counted here, and votes that were shared."""
_LOCAL = ("id", "node_id", "updated_at", "record", _USED, _HELPFUL, "last_used_at")
_COLUMNS = ", ".join((*_LOCAL, *COLUMNS))

_EACH = 8  # learnings each index looks at for one that is wanted: of .85 of answers found, .03 are with the first 200
_LABEL = 400  # characters of content that name a learning


class Brief(NamedTuple):
    """What ranking needs to know of a learning: a search looks at many, and shows few."""

    id: int
    node: NodeId
    used: int
    helpful: float
    category: str | None = None
    asks: bool = False

    @property
    def ref(self) -> str:
        """The explicit reference, `learning:12`."""
        return f"learning:{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What names a learning where its anchors are talked about; `content` may be cut, `record` is its file's name.

    What the working tree lacks, and git's index or a commit has, goes by its uid: its `id` is 0.
    """

    node: NodeId
    id: int
    uid: str
    content: str
    record: str
    status: Status = Status.ACTIVE
    category: str | None = None

    @property
    def ref(self) -> str:
        """The explicit reference, `learning:12`."""
        return f"learning:{self.id or self.uid}"


class LearningStore:
    """Reads and writes learnings together with their anchors, links and search entries."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)
        self._anchors = AnchorStore(database)
        self._edges = EdgeStore(database)
        self._provenance = ProvenanceStore(database)
        self._text = TextSearch(database)
        self._vectors = VectorStore(database)

    def save(self, learning: Learning, *, record: str, now: str) -> int:
        """Insert or update the learning and all that hangs on it; return its local number. Needs a transaction."""
        node = self._nodes.ensure(NodeKind.LEARNING, [learning.uid])[learning.uid]
        self._provenance.reassert(learning.uid)
        self._database.write(_UPSERT, _parameters(learning, node=node, record=record, now=now))
        number = int(self._database.value("SELECT id FROM learnings WHERE uid = ?", (learning.uid,)))
        self._anchors.replace(node, learning.anchors)
        ends = self._nodes.ensure(NodeKind.LEARNING, [link.target for link in learning.links])
        for uid, end in ends.items():  # a target whose record is elsewhere gets a row that is not present
            absent = Learning(uid=uid, content="", created_at=now)
            parameters = _parameters(absent, node=end, record="", now=now, present=0)
            self._database.write(f"INSERT OR IGNORE {_INSERT}", {**parameters, "updated_at": ""})
        links = [(ends[link.target], link.relation, link.weight) for link in learning.links]
        self._edges.replace_links(node, links, now=now)
        self._provenance.follow(node, learning, at=now)
        labels = [*learning.keywords, learning.category or ""]
        places = [anchor.path if anchor.type is AnchorType.GLOB else anchor.spec for anchor in learning.anchors]
        self._text.index(number, learning.content, labels=labels, places=places)
        self._vectors.forget_changed(number, learning.content)
        return number

    def mark_absent(self, uids: Collection[str]) -> None:
        """Take learnings whose records are gone out of every answer; their numbers stay theirs.

        Their edges are invalidated, at the time of the database's clock, and valid again when the record is back.
        """
        now = str(self._database.value("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')"))
        for uid in uids:
            row = self._database.row("SELECT id, node_id FROM learnings WHERE uid = ?", (uid,))
            if row is None:
                continue
            number, node = row
            self._database.write("UPDATE learnings SET present = 0 WHERE id = ?", (number,))
            self._anchors.replace(node, ())
            self._edges.replace_links(node, (), now=now)
            self._provenance.withdraw(node, at=now)
            self._text.forget(number)

    def by_numbers(self, numbers: Collection[int]) -> list[StoredLearning]:
        """Return the learnings with these local numbers, in that order; unknown ones are left out."""
        found = {stored.id: stored for stored in self._select("id IN (SELECT value FROM json_each(:ids))", ids=numbers)}
        return [found[number] for number in numbers if number in found]

    def every(self) -> list[StoredLearning]:
        """Return every learning that is present, removed ones too, oldest number first."""
        return self._select("1", order="id")

    def kept(self, uid: str) -> Kept[Learning] | None:
        """Return the learning with this uid, None if there is none or its record is gone."""
        return next((kept for kept in self.every_kept(self.by_uid_prefix(uid))), None)

    def every_kept(self, stored: Iterable[StoredLearning] | None = None) -> list[Kept[Learning]]:
        """Return every learning that is present, or these, each with its record."""
        every = self.every() if stored is None else stored
        return [Kept(thing=one.learning, record=one.record, updated_at=one.updated_at) for one in every]

    def settle(self) -> None:
        """Do nothing: each learning stands for itself."""

    def briefs(self, *, numbers: Collection[int] = (), nodes: Collection[NodeId] = ()) -> list[Brief]:
        """Return what ranking needs of the learnings with these local numbers, or at these nodes, in any order."""
        column, ids = ("id", numbers) if numbers else ("node_id", nodes)
        rows = self._database.rows(
            f"""
            SELECT id, node_id, {_USED}, {_HELPFUL}, category, content LIKE '%?'
            FROM learnings
            WHERE present = 1 AND {column} IN (SELECT value FROM json_each(:ids))
            """,
            {"ids": json.dumps(list(ids))},
        )
        return [Brief._make(row) for row in rows]

    def told_by_commits(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        """Return when each of those of these nodes that is a learning from a commit was written, as a UTC time."""
        rows = self._database.rows(
            """
            SELECT node_id, created_at
            FROM learnings
            WHERE source_type = 'commit' AND node_id IN (SELECT value FROM json_each(:nodes))
            """,
            {"nodes": json.dumps(list(nodes))},
        )
        return dict(rows)

    def contents(self, numbers: Collection[int]) -> dict[int, str]:
        """Return the content of each of the learnings with these local numbers."""
        rows = self._database.rows(
            """
            SELECT id, content
            FROM learnings
            WHERE present = 1 AND id IN (SELECT value FROM json_each(:numbers))
            """,
            {"numbers": json.dumps(list(numbers))},
        )
        return dict(rows)

    def by_uid_prefix(self, prefix: str) -> list[StoredLearning]:
        """Return the learnings whose uid starts with `prefix`, at most ten."""
        return self._select("uid >= :low AND uid < :high", low=prefix, high=f"{prefix}~", limit=10)

    def by_content(self, content: str) -> list[StoredLearning]:
        """Return the learnings with exactly this content, removed ones too."""
        return self._select("substr(content, 1, 64) = substr(:content, 1, 64) AND content = :content", content=content)

    def listed(
        self,
        *,
        limit: int,
        category: str | None = None,
        status: Status | None = None,
        source_type: SourceType | None = None,
        keyword: str | None = None,
        removed: bool = False,
        confirmed: bool = False,
    ) -> list[StoredLearning]:
        """Return the newest learnings that meet all criteria; `confirmed` leaves out staged ones."""
        return self._select(
            """
            (:category IS NULL OR category = :category)
            AND (:status IS NULL OR status = :status)
            AND (:source_type IS NULL OR source_type = :source_type)
            AND (:keyword IS NULL OR EXISTS (SELECT 1 FROM json_each(keywords) WHERE value = :keyword))
            AND (removed_at IS NOT NULL) = :removed
            AND (NOT :confirmed OR status <> 'staged')
            """,
            limit=limit,
            category=category,
            status=status,
            source_type=source_type,
            keyword=keyword,
            removed=removed,
            confirmed=confirmed,
        )

    def recently_used(self, *, limit: int) -> list[StoredLearning]:
        """Return the learnings that were used, last used first."""
        return self._select("last_used_at IS NOT NULL", order="last_used_at DESC, id DESC", limit=limit)

    def count_use(
        self, number: int, *, helpful: float, replacing: float | None = None, now: str, uses: int | None = None
    ) -> None:
        """Count one use and its vote in [0, 1], or what a vote differs from that it replaces. Needs a transaction.

        With `uses` so many are counted.
        """
        self._database.write(
            """
            UPDATE learnings
            SET usage_count = usage_count + :uses, helpful_score = helpful_score + :difference, last_used_at = :now
            WHERE id = :number
            """,
            {
                "number": number,
                "uses": int(replacing is None) if uses is None else uses,
                "difference": helpful - (replacing or 0),
                "now": now,
            },
        )

    def numbers_by_status(self) -> dict[str, int]:
        """Return how many learnings have each status, `removed` counted apart."""
        return dict(
            self._database.rows(
                """
                SELECT iif(removed_at IS NULL, status, 'removed'), count(*)
                FROM learnings
                WHERE present = 1
                GROUP BY 1
                ORDER BY 1
                """
            )
        )

    def sources(self) -> set[str]:
        """Return what learnings came from, as their records name it, removed ones too."""
        rows = self._database.rows("SELECT source_ref FROM learnings WHERE present = 1 AND source_ref IS NOT NULL")
        return {source for (source,) in rows}

    def labels(self) -> list[tuple[int, str, str]]:
        """Return number, uid and content of every learning that is present: material for suggestions."""
        return self._database.rows("SELECT id, uid, content FROM learnings WHERE present = 1 ORDER BY id DESC")

    def staged(self) -> frozenset[int]:
        """Return the numbers of the learnings that nobody has confirmed: whoever names one of them is to say so."""
        rows = self._database.rows("SELECT id FROM learnings WHERE present = 1 AND status = 'staged'")
        return frozenset(number for (number,) in rows)

    def labelled(self, nodes: Collection[NodeId] | None = None, *, withheld: bool = False) -> list[Label]:
        """Return what names each learning that answers show, of the `withheld` ones too if asked for, by number.

        Only those at the `nodes`, if these are given.
        """
        rows = self._database.rows(
            f"""
            SELECT node_id, id, uid, substr(content, 1, {_LABEL}), record, status, category
            FROM learnings
            WHERE present = 1 AND (:withheld OR node_id NOT IN (SELECT node_id FROM learnings WHERE {WITHHELD}))
              AND (:nodes IS NULL OR node_id IN (SELECT value FROM json_each(:nodes)))
            ORDER BY id
            """,
            {"withheld": withheld, "nodes": None if nodes is None else json.dumps(list(nodes))},
        )
        return [
            Label(
                node=node,
                id=number,
                uid=uid,
                content=content,
                record=record,
                status=Status(status),
                category=category,
            )
            for node, number, uid, content, record, status, category in rows
        ]

    def linking_to(self, learning: NodeId) -> list[NodeId]:
        """Return the present learnings that link to this one."""
        rows = self._database.rows(
            """
            SELECT DISTINCT e.source
            FROM learning_edges e
            JOIN learnings l ON l.node_id = e.source AND l.present = 1
            WHERE e.target = ? AND e.edge_type = 'LINKS_TO' AND e.invalidated_at IS NULL
            ORDER BY e.source
            """,
            (learning,),
        )
        return [source for (source,) in rows]

    def by_nodes(self, nodes: Collection[NodeId]) -> list[StoredLearning]:
        """Return the learnings at these nodes, newest first."""
        return self._select("node_id IN (SELECT value FROM json_each(:nodes))", nodes=nodes)

    def _select(
        self, condition: str, *, order: str = "created_at DESC, id DESC", limit: int = -1, **parameters: Any
    ) -> list[StoredLearning]:
        values = {name: _bindable(value) for name, value in parameters.items()}
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM learnings WHERE present = 1 AND ({condition}) ORDER BY {order} LIMIT :limit",
            values | {"limit": limit},
        )
        nodes = [row[1] for row in rows]
        anchors, links = defaultdict[NodeId, list[Anchor]](list), self._edges.links_of(nodes)
        for one in self._anchors.rows(nodes):
            anchors[one.learning].append(one.anchor)
        found = []
        for number, node, updated_at, record, count, helpful, last_used_at, *rest in rows:
            values = dict(zip(COLUMNS, rest, strict=True))
            values |= {column: read(values[column]) for column, read in _READ.items()}
            tied = tuple(Link(target=uid, relation=how, weight=weight) for uid, how, weight in links.get(node, ()))
            learning = Learning(**values, anchors=tuple(anchors[node]), links=tied)
            usage = Usage(count=count, helpful=helpful, last_used_at=last_used_at)
            found.append(
                StoredLearning(
                    id=number, node=node, learning=learning, updated_at=updated_at, record=record, usage=usage
                )
            )
        return found

    def numbers(self, *, category: str | None = None, status: Status | None = None, stale: bool = False) -> set[int]:
        """Return the local numbers of the learnings that meet all criteria; removed ones never do.

        All but active ones are withheld, unless a status is asked for; `stale` takes in superseded and retracted ones.
        """
        rows = self._database.rows(
            f"""
            SELECT l.id
            FROM learnings l
            WHERE l.present = 1 AND l.removed_at IS NULL
              AND (:category IS NULL OR l.category = :category)
              AND iif(:status IS NULL, {SHOWN} OR :stale AND l.status <> 'staged', l.status = :status)
            """,
            {"category": category, "status": _bindable(status), "stale": stale},
        )
        return {number for (number,) in rows}

    def anchored_paths(self) -> list[tuple[int, str, bool]]:
        """Return (number, path or pattern, whether it is a glob) of every anchor."""
        rows = self._database.rows(
            """
            SELECT l.id, a.file_path, a.anchor_type = 'glob'
            FROM file_anchors a
            JOIN learnings l ON l.node_id = a.learning
            ORDER BY l.id, a.id
            """
        )
        return [(number, path, bool(is_glob)) for number, path, is_glob in rows]

    def texts(self) -> list[tuple[int, CorpusText]]:
        """Return the local number and the text of every learning that is present and not removed, by number."""
        rows = self._database.rows(
            """
            SELECT l.id, l.uid, l.content, l.category, l.status, l.keywords,
                   (SELECT json_group_array(a.anchor_value) FROM file_anchors a WHERE a.learning = l.node_id)
            FROM learnings l
            WHERE l.present = 1 AND l.removed_at IS NULL
            ORDER BY l.id
            """
        )
        found = []
        for number, uid, content, category, status, keywords, places in rows:
            words, specs = tuple(json.loads(keywords)), tuple(sorted(json.loads(places)))
            said = CorpusText(uid=uid, content=content, category=category, keywords=words, places=specs, status=status)
            found.append((number, said))
        return found


_WRITTEN = ("node_id", "updated_at", "record", "present", *COLUMNS)
_INSERT = f"INTO learnings ({', '.join(_WRITTEN)}) VALUES ({', '.join(f':{column}' for column in _WRITTEN)})"
_UPSERT = f"""
    INSERT {_INSERT}
    ON CONFLICT (uid) DO UPDATE SET
        {", ".join(f"{column} = excluded.{column}" for column in COLUMNS if column != "uid")},
        updated_at = iif(record = '' AND updated_at > '', updated_at, :now), record = excluded.record, present = 1
"""
"""A row that came from the journal has no record yet, and says when that was last seen to change."""


def _parameters(learning: Learning, *, node: NodeId, record: str, now: str, present: int = 1) -> Mapping[str, Any]:
    values = {column: _bindable(getattr(learning, column)) for column in COLUMNS}
    place = {"node_id": node, "record": record, "present": present}
    return values | place | {"updated_at": learning.created_at, "now": now}


def _bindable(value: Any) -> Any:
    """Return `value` as SQLite takes it: collections as JSON, enumerations as text."""
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return str(value)
    return json.dumps(list(value), ensure_ascii=False)


_READ: Mapping[str, Callable[[Any], Any]] = {
    "keywords": lambda text: tuple(json.loads(text)),
    "status": Status,
    "source_type": SourceType,
}
"""How columns are read that are neither text nor a number."""


def learnings(kernel: Kernel) -> Source:
    """Return learnings as a search has them: found by words and, where a question has a meaning, by vectors."""
    from tx_graph.vectors.embedding import Embedding

    text, embedding = TextSearch(kernel.database), kernel.one(Embedding)
    least = float(kernel.config.get("search.min_similarity"))

    def by_words(question: Question, allowed: Collection[int] | None, limit: int) -> Ranked:
        return text.learnings(question.words, allowed=allowed, limit=limit)

    def by_meaning(question: Question, allowed: Collection[int] | None, limit: int) -> Ranked | None:
        asked = embedding.asked(question.text) if question.has_meaning else None
        return asked and [(number, cosine) for number, cosine in asked.nearest(allowed, limit) if cosine >= least]

    return Source(
        {
            "bm25": Index(rows=by_words, share=WORDS_SHARE, each=_EACH),
            "vector": Index(rows=by_meaning, share=1 - WORDS_SHARE, each=_EACH),
        }
    )
