"""What of a workspace is published: the rows of a hub's tables, by what they are derived from."""

from __future__ import annotations

import json
import marshal
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from operator import itemgetter
from typing import Any, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.guard import suspected, without_secrets
from tx_graph.core.identifiers import searchable
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY, ENTITIES, FACTS, LEARNINGS
from tx_graph.graph.edges import EdgeSource, EdgeType, NodeId, Relation
from tx_graph.hub import crossing
from tx_graph.hub.collect_store import VECTORS, CollectStore, Row
from tx_graph.hub.identity import node_id
from tx_graph.hub.lanes import lane_of, relation_number
from tx_graph.knowledge.entity import entity_key
from tx_graph.knowledge.mentions import SAID, Mentions

_MOST_WORDS = 250_000
"""Characters of the words by which one text is found: PostgreSQL takes a megabyte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """What was held back because it may hold a secret: `ref` names it, and `holds` is what it may be."""

    kind: str
    ref: str
    holds: str


class Collected(NamedTuple):
    """Rows by table and owner, in the order of the table's columns behind the repository, and a digest of each owner.

    `unrecorded` counts learnings, facts and entities that no commit has, `vectors_left_out` vectors that no hub keeps.
    """

    rows: Mapping[str, Mapping[int, Sequence[Row]]]
    digests: Mapping[int, bytes]
    held_back: tuple[HeldBack, ...]
    unrecorded: int
    vectors_left_out: int

    @property
    def digest(self) -> bytes:
        """The digest of all rows."""
        return blake2b(marshal.dumps(sorted(self.digests.items()), 2), digest_size=16).digest()

    def counts(self) -> dict[str, int]:
        """Return how many rows there are in each table."""
        return {table: sum(map(len, of.values())) for table, of in sorted(self.rows.items())}

    def kinds(self, owners: Iterable[int]) -> dict[str, int]:
        """Return how many of these owners there are of each kind."""
        nodes = self.rows["nodes"]
        return dict(sorted(Counter(row[2] for one in owners for row in nodes[one] if row[0] == one).items()))


def collect(kernel: Kernel, repository: str, *, paths: Collection[str], has_vectors: bool) -> Collected:
    """Return what is published of a workspace whose files are as a commit has them, `paths` being its files.

    What no commit has is left out: files that git does not track, and records that it ignores.
    """
    found = _Collecting(kernel, repository, frozenset(paths))
    found.files()
    found.sections()
    found.learnings()
    found.facts_and_entities()
    found.edges()
    found.anchors()
    if has_vectors:
        found.vectors()
    found.crossing()
    return found.collected()


class _Collecting:
    """Takes in one sort of things after the other; each knows the nodes of those before it."""

    def __init__(self, kernel: Kernel, repository: str, paths: frozenset[str]) -> None:
        self._kernel = kernel
        self._repository = repository
        self._paths = paths
        self._store = CollectStore(kernel.database)
        self._rows: dict[str, defaultdict[int, list[Row]]] = defaultdict(lambda: defaultdict(list))
        self._nodes: dict[NodeId, tuple[int, int]] = {}  # by local node: the node in the hub, and its owner
        self._things: dict[str, dict[int, tuple[int, int, int]]] = {}  # what has vectors: node, position, owner
        self._keys: dict[int, str] = {}
        self._files: dict[str, int] = {}
        self._spoken: set[tuple[NodeId, NodeId]] = set()  # entity, and the node that says a published fact of it
        self._fact_edges: list[Row] = []
        self._held: list[HeldBack] = []
        self._unrecorded = 0

    def _id(self, kind: str, key: str) -> int:
        return node_id(self._repository, kind, key)

    def _add(self, table: str, owner: int, *row: object) -> None:
        self._rows[table][owner].append(row)

    def _add_node(self, node: int, owner: int, kind: str, key: str, *, local: NodeId | None = None) -> None:
        self._rows["nodes"][owner].append((node, owner, kind, key))
        self._keys[node] = key
        if local is not None:
            self._nodes[local] = node, owner

    def _holds(self, kind: str, ref: str, *texts: str | None) -> bool:
        """Whether one of the texts may hold a secret: then the thing is held back."""
        for text in filter(None, texts):
            if found := suspected(text):
                self._held.append(HeldBack(kind=kind, ref=without_secrets(ref), holds=found[0].kind))
                return True
        return False

    def _is_recorded(self, directory: str, record: str | None) -> bool:
        is_there = f"{DIRECTORY}/{directory}/{record}" in self._paths
        self._unrecorded += not is_there
        return is_there

    def files(self) -> None:
        paths: dict[NodeId, str] = {}
        for local, path, *row in self._store.files():
            if path in self._paths:
                node = self._files[path] = self._id("file", path)
                paths[local] = path
                self._add_node(node, node, "file", path, local=local)
                self._add("files", node, node, path, *row)
        for file, position, name, kind, start, end, signature in self._store.symbols():
            if file in paths and not self._holds("symbol", f"{paths[file]}::{name}", signature):
                node, _ = self._nodes[file]
                self._add("symbols", node, node, position, name, kind, start, end, _sound(signature))

    def sections(self) -> None:
        chunks = defaultdict[NodeId, list[Row]](list)
        for row in self._store.chunks():
            chunks[row[1]].append(row)
        pieces = self._things["chunk"] = {}
        for local, document, kind, key, position, level, title, *rest in self._store.sections():
            own = chunks.get(local, ())
            texts = (f"{headings}\n{text}" for _, _, _, headings, text, _ in own)
            if document not in self._nodes or self._holds("section", key, title, *texts):
                continue
            owner, _ = self._nodes[document]
            node = self._id(kind, key)
            if node != owner:
                self._add_node(node, owner, kind, key, local=local)
            self._add("sections", owner, node, owner, position, level, _sound(title), *rest)
            for number, _, place, headings, text, words in own:
                pieces[number] = node, place, owner
                self._add("chunks", owner, node, place, owner, _sound(headings), _sound(text), *_worded(words))

    def learnings(self) -> None:
        numbers = self._things["learning"] = {}
        for local, number, record, uid, content, category, keywords, *rest, words in self._store.learnings():
            labels = json.loads(keywords)
            if not self._is_recorded(LEARNINGS, record) or self._holds(
                "learning", uid, content, category, " ".join(labels), rest[-3]
            ):
                continue
            node = self._id("learning", uid)
            numbers[number] = node, 0, node
            self._add_node(node, node, "learning", uid, local=local)
            self._add("learnings", node, node, uid, content, category, labels, *rest, *_worded(words))

    def facts_and_entities(self) -> None:
        """Take in facts, and the entities that they, records or documents of the commit name."""
        entities, aliases = self._store.entities(), defaultdict[NodeId, list[str]](list)
        for entity, alias in self._store.aliases():
            aliases[entity].append(alias)
        declared = {entity_key(name) for document, name in self._store.declared() if document in self._nodes}
        told = {local: (key, record) for local, key, _, _, _, uid, record, _ in entities if uid is not None}
        # What a record says that no commit has is nobody else's business, whoever else names the entity.
        hidden = {local for local, (_, record) in told.items() if not self._is_recorded(ENTITIES, record)}
        facts = [row for row in self._store.facts() if self._is_of_commit(row)]
        named = {end for row in facts for end in (row[4], row[5]) if end is not None}
        wanted = [row for row in entities if row[0] in named or row[0] in told or row[1] in declared]
        hidden |= {
            local
            for local, _, name, kind, description, *_ in wanted
            if local not in hidden and self._holds("entity", f"entity:{name}", name, kind, description, *aliases[local])
        }
        for local, key, name, kind, description, _, _, words in wanted:
            if local not in hidden:
                node = self._id("entity", key)
                self._add_node(node, node, "entity", key, local=local)
                row = (node, key, name, kind, _sound(description), aliases[local], *_worded(words))
                self._add("entities", node, *row)
        self._facts(row for row in facts if row[4] not in hidden and row[5] not in hidden)

    def _is_of_commit(self, row: Row) -> bool:
        """Whether a fact stands in the commit, and holds no secret."""
        _, record, document, _, _, _, _, uid, name, predicate, told, _, _, _, source_ref, *_ = row
        is_there = document in self._nodes if record is None else self._is_recorded(FACTS, record)
        return is_there and not self._holds("fact", uid, name, f"{predicate} {told}", source_ref)

    def _facts(self, facts: Iterable[Row]) -> None:
        numbers = self._things["fact"] = {}
        speakers = {key: local for local, key in self._store.speakers()}
        for number, _, _, section, subject, object_, relation, uid, name, predicate, told, *rest in facts:
            confidence, status, _, source_ref, _, _ = rest
            node = self._id("fact", uid)
            numbers[number] = node, 0, node
            ends = [None if end is None else self._nodes[end][0] for end in (subject, object_)]
            words = searchable(f"{name} {predicate.replace('_', ' ')} {told}")
            row = (node, uid, ends[0], _sound(name), predicate, ends[1], _sound(told), *rest, *_worded(words))
            self._add_node(node, node, "fact", uid)
            self._add("facts", node, *row)
            if object_ is not None and status == "confirmed":
                self._fact_edges.append((subject, object_, EdgeType.LINKS_TO.value, confidence, relation, predicate))
            speaker = section or speakers.get(source_ref)
            if speaker is not None and status == "confirmed":
                self._spoken |= {(end, speaker) for end in (subject, object_) if end is not None}

    def edges(self) -> None:
        others = {local: (kind, key) for local, kind, key in self._store.others()}
        lanes: dict[tuple[EdgeSource, str], int] = {}
        relations: dict[str, int] = {}
        for source, rows in self._store.edges():
            for start, end, kind, weight, relation, description in self._told(source, rows):
                if start not in self._nodes or not (end in self._nodes or self._adopted(end, others)):
                    continue
                node, owner = self._nodes[start]
                if source.layer in ("asserted", "section") and self._holds("edge", self._keys[node], description):
                    continue
                lane = lanes.get((source, kind)) or lanes.setdefault((source, kind), lane_of(source, kind))
                if relation not in relations:
                    relations[relation] = relation_number(relation)
                target, _ = self._nodes[end]
                self._add("edges", owner, node, target, weight, lane, relations[relation], description or None)

    def _told(self, source: EdgeSource, rows: Sequence[Row]) -> Iterable[Row]:
        """Return the edges of a source; of those that facts make, the ones that published facts do."""
        if source.layer == "fact":
            return self._fact_edges
        if source.layer != "mention":
            return rows
        identities = {(row[1], row[0]) for row in rows if row[5] == "identity"}
        told = self._spoken - identities
        # Where only a fact that is not published says it, the text may say it too.
        unsaid = {(row[1], row[0]) for row in rows if row[5] == "fact"} - told
        texts = Mentions(self._kernel.database).in_texts(sorted({node for _, node in unsaid})) if unsaid else ()
        return [
            *(row for row in rows if row[5] != "fact" and (row[1], row[0]) not in told),
            *(_mention(node, entity, SAID, "fact") for entity, node in told),
            *(_mention(one.node, one.entity, one.weight, "text") for one in texts if one[:2] in unsaid),
        ]

    def _adopted(self, local: NodeId, others: Mapping[NodeId, tuple[str, str]]) -> bool:
        """Whether a node can be published that something is tied to: a commit, or a symbol of a file of the commit."""
        kind, key = others.get(local, ("", ""))
        file = self._files.get(key.partition("::")[0]) if kind == "symbol" else None
        if kind != "commit" and file is None:
            return False
        node = self._id(kind, key)
        self._add_node(node, file or node, kind, key, local=local)
        return True

    def anchors(self) -> None:
        positions = Counter[int]()
        for learning, end, *row in self._store.anchors():
            if learning in self._nodes:
                node, _ = self._nodes[learning]
                target, _ = self._nodes.get(end, (None, 0))
                kind, place, status, drift, reason, pinned, fallback = row
                self._add(
                    *("anchors", node, node, positions[node], kind, place, target, status, drift, reason),
                    *(bool(pinned), bool(fallback)),
                )
                positions[node] += 1

    def vectors(self) -> None:
        for kind in VECTORS:
            for number, model, vector in self._store.vectors(kind):
                if number in self._things[kind]:
                    node, position, owner = self._things[kind][number]
                    self._add("vectors", owner, kind, node, position, owner, model, vector)

    def crossing(self) -> None:
        known = set(self._files.values())
        for table, owners in crossing.collect(self._kernel, self._repository).items():
            for owner, rows in owners.items():
                if owner in known:
                    self._rows[table][owner] += rows

    def collected(self) -> Collected:
        digests = {}
        for owner, nodes in self._rows["nodes"].items():
            told = blake2b(digest_size=16)
            for table, of in self._rows.items():
                if rows := of.get(owner):
                    rows.sort(key=_ORDERS.get(table))
                    lasting = [(*row[:_SINCE], *row[_SINCE + 1 :]) for row in rows] if table == "facts" else rows
                    told.update(marshal.dumps((table, lasting), 2))
            digests[owner] = told.digest()
            self._rows["nodes"][owner] = [(*row, digests[owner] if row[0] == owner else None) for row in nodes]
        return Collected(
            rows=self._rows,
            digests=digests,
            held_back=tuple(self._held),
            unrecorded=self._unrecorded,
            vectors_left_out=self._store.other_vectors(),
        )


_SINCE = 11
"""The place of `created_at` in a fact: what a document states was read at another time in each clone."""
_ORDERS: dict[str, Callable[[Row], Any]] = {
    "edges": lambda row: (row[0], row[1], row[3], row[4], row[2], row[5] or ""),
    "anchors": itemgetter(1),
}
"""By what rows are sorted that may lack a value; all others by their columns, of which the first tell them apart."""


def _mention(node: NodeId, entity: NodeId, weight: float, origin: str) -> Row:
    """Return a mention as an edge."""
    return (node, entity, EdgeType.LINKS_TO.value, weight, Relation.REFERENCES.value, origin)


def _sound(text: str) -> str:
    """Return a text as PostgreSQL holds it."""
    return text.replace("\0", "")


def _worded(words: str) -> tuple[str, int]:
    """Return words by which a text is found, and how many these are."""
    words = _sound(words[:_MOST_WORDS])
    return words, words.count(" ") + 1
