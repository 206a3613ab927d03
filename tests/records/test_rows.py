"""Learnings and their anchors as rows: what is saved comes back, numbers stay, absent ones are in no answer."""

from __future__ import annotations

from dataclasses import replace as change

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fakes import learning, uid_of
from tests.records.strategies import learnings
from tx_graph.anchors.store import AnchoredFileStore, SeenFile
from tx_graph.core.database import Database
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Invalidation, Reason
from tx_graph.records.anchor_store import GLOB_WEIGHT, AnchorState, AnchorStore
from tx_graph.records.learning import Learning, Link, SourceType, Status, StoredLearning
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import LearningStore
from tx_graph.workspace.health_store import Maintenance

EVERYTHING = learning(
    "Compare tokens in constant time.",
    number=1,
    anchors=(Anchor(path="src/auth.py", type=AnchorType.HASH, fingerprints=Fingerprints(content="ab" * 32)),),
    links=(Link(target=uid_of(2)),),
)


def save(database: Database, *learnings: Learning, now: str = "2026-12-01T00:00:00Z") -> list[int]:
    store = LearningStore(database)
    with database.transaction():
        return [store.save(one, record=f"{one.uid}-record.md", now=now) for one in learnings]


def mark_absent(database: Database, *learnings: Learning) -> None:
    with database.transaction():
        LearningStore(database).mark_absent([one.uid for one in learnings])


def contents(found: list[StoredLearning]) -> list[str]:
    return [stored.learning.content for stored in found]


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None, max_examples=60
)
@given(learnings)
def test_any_learning_comes_back_as_the_same_record(database: Database, one: Learning) -> None:
    (number,) = save(database, one)
    (stored,) = LearningStore(database).by_numbers([number])
    assert LEARNING_FORMAT.render(stored.learning) == LEARNING_FORMAT.render(one)
    assert (stored.record, stored.ref) == (f"{one.uid}-record.md", f"learning:{number}")


def test_saving_again_keeps_the_number_and_the_history(database: Database) -> None:
    store = LearningStore(database)
    (number,) = save(database, learning("First", number=1))
    with database.transaction():
        store.count_use(number, helpful=0.5, now="2026-12-02T00:00:00Z")
        store.count_use(number, helpful=1.0, now="2026-12-03T00:00:00Z")
    assert save(database, learning("Second", number=1), now="2026-12-04T00:00:00Z") == [number]
    (stored,) = store.by_numbers([number])
    assert contents([stored]) == ["Second"]
    assert stored.updated_at == "2026-12-04T00:00:00Z"
    assert (stored.usage.count, stored.usage.helpful, stored.usage.last_used_at) == (2, 1.5, "2026-12-03T00:00:00Z")


def test_a_learning_whose_record_is_gone_is_in_no_answer_until_it_is_back(database: Database) -> None:
    store, text = LearningStore(database), TextSearch(database)
    one, other = learning("Rotate keys yearly"), learning("Salt passwords")
    numbers = save(database, one, other)
    mark_absent(database, one)
    assert contents(store.listed(limit=10)) == ["Salt passwords"]
    assert store.by_numbers(numbers)[0].learning == other
    assert store.by_content(one.content) == store.by_uid_prefix(one.uid) == []
    assert text.learnings("rotate", allowed=None, limit=10) == []
    assert store.numbers_by_status() == {"active": 1}
    assert save(database, one) == numbers[:1]
    assert [number for number, *_ in text.learnings("rotate", allowed=None, limit=10)] == numbers[:1]


def test_a_number_is_never_given_twice(database: Database) -> None:
    first = learning("First")
    save(database, first)
    mark_absent(database, first)
    assert save(database, learning("Second")) == [2]


def test_filters_are_met_together_and_the_newest_come_first(database: Database) -> None:
    store = LearningStore(database)
    save(
        database,
        learning("old", created_at="2026-01-01T00:00:00Z", category="a", keywords=("k", "no")),
        learning("new", created_at="2026-02-01T00:00:00Z", category="a", keywords=("k",)),
        learning("staged", status=Status.STAGED, category="a"),
        learning("agent", source_type=SourceType.AGENT),
        learning("gone", category="a", keywords=("k",), removed_at="2026-03-01T00:00:00Z"),
    )

    def listed(**criteria: object) -> list[str]:
        return contents(store.listed(**criteria, limit=10))  # type: ignore[arg-type]

    assert listed(category="a", keyword="k") == ["new", "old"]
    assert listed(keyword="no") == ["old"]
    assert listed(status=Status.STAGED) == ["staged"]
    assert listed(source_type=SourceType.AGENT) == ["agent"]
    assert listed(removed=True) == ["gone"]
    assert listed(category="b") == []
    assert contents(store.listed(category="a", limit=1)) == ["staged"]


def test_unknown_numbers_are_left_out_and_the_order_is_kept(database: Database) -> None:
    numbers = save(database, learning("One"), learning("Two"))
    found = LearningStore(database).by_numbers([numbers[1], 10**30, -1, numbers[0]])
    assert contents(found) == ["Two", "One"]


def test_nothing_is_orphaned_when_learnings_come_and_go_and_what_is_orphaned_is_removed(database: Database) -> None:
    save(database, EVERYTHING, learning("Other"))
    mark_absent(database, EVERYTHING)
    maintenance = Maintenance(database)
    assert (maintenance.integrity(), maintenance.orphans()) == ([], {})
    save(database, EVERYTHING)
    database.write("UPDATE learnings SET present = 0")
    kinds = ("anchors of absent learnings", "links from absent learnings", "text entries of absent learnings")
    assert set(maintenance.orphans()) == set(kinds)
    with database.transaction():
        maintenance.remove_orphans()
    assert maintenance.orphans() == {}


def test_links_and_edits_use_up_no_numbers(database: Database) -> None:
    linked = learning("Two", number=2, links=(Link(target=uid_of(1)),))
    numbers = [*save(database, learning("One", number=1), linked), *save(database, linked, linked)]
    assert [*numbers, *save(database, learning("Three", number=3))] == [1, 2, 2, 2, 3]


FILE = Anchor(path="src/a.py", type=AnchorType.HASH, fingerprints=Fingerprints(content="00"))
SYMBOL = Anchor(path="src/a.py", type=AnchorType.SYMBOL, symbol="A::run", fingerprints=Fingerprints(content="11"))
LINES = Anchor(path="src/a.py", type=AnchorType.LINES, lines=(2, 4), fingerprints=Fingerprints(content="22"))
GLOB = Anchor(path="src/**/*.py", type=AnchorType.GLOB)


@pytest.fixture
def node(database: Database) -> NodeId:
    """The node of a learning that is anchored to nothing yet."""
    with database.transaction():
        LearningStore(database).save(learning("Anchored", number=1), record="r.md", now="")
    return NodeStore(database).find(NodeKind.LEARNING, [uid_of(1)])[uid_of(1)]


def replace(database: Database, node: NodeId, *anchors: Anchor) -> None:
    with database.transaction():
        AnchorStore(database).replace(node, anchors)


def test_replacing_leaves_only_the_new_anchors(database: Database, node: NodeId) -> None:
    store = AnchorStore(database)
    replace(database, node, LINES, GLOB, SYMBOL, FILE)
    assert [row.anchor for row in store.rows([node])] == [GLOB, FILE, SYMBOL, LINES]
    assert store.count() == 4
    assert store.globs() == [(node, GLOB.path)]
    replace(database, node, LINES)
    assert [row.anchor for row in store.rows([node])] == [LINES]
    replace(database, node)
    assert store.rows([node]) == []


def test_an_anchor_is_an_edge_to_its_file_and_to_its_symbol_but_a_glob_is_none(
    database: Database, node: NodeId
) -> None:
    replace(database, node, SYMBOL, GLOB)
    nodes = NodeStore(database)
    edges = EdgeStore(database).leaving([node], types=[EdgeType.ANCHORED_TO], direction=Direction.OUT)
    targets = nodes.describe([edge.target for edge in edges])
    assert set(targets.values()) == {(NodeKind.FILE, "src/a.py"), (NodeKind.SYMBOL, "src/a.py::A::run")}
    assert {edge.relation for edge in edges} == {"symbol"}
    assert {edge.description for edge in edges} == {SYMBOL.spec}
    assert 0 < GLOB_WEIGHT < 1


def test_an_invalid_anchor_is_no_edge(database: Database, node: NodeId) -> None:
    replace(database, node, FILE)
    database.write("UPDATE file_anchors SET status = 'invalid'")
    assert EdgeStore(database).leaving([node], types=list(EdgeType), direction=Direction.BOTH) == []


WHOLE = Fingerprints(content="ab", tokens="1", unnamed="2", signature="3", comments="4", sketch="5")
DRIFTED = AnchorState(
    status="drifted", drift=Drift.BODY, found_lines=(3, 9), verified_at="2026-11-20T12:00:00Z", verified_hash="cd"
)


def states(database: Database) -> dict[str, AnchorState]:
    return {row.anchor.spec: row.state for row in AnchorStore(database).rows()}


def test_everything_an_anchor_holds_comes_back(database: Database, node: NodeId) -> None:
    full = Anchor(
        path="src/a.py",
        type=AnchorType.LINES,
        lines=(2, 4),
        text="if a:\n    b",
        fingerprints=WHOLE,
        pinned=True,
        invalidated=Invalidation(reason="moved", at="2026-11-20T12:00:00Z"),
    )
    replace(database, node, full)
    [row] = AnchorStore(database).rows([node])
    assert (row.learning, row.anchor) == (node, full)
    assert row.state == AnchorState(status="invalid", reason=Reason.INVALIDATED)


def test_what_verification_said_stays_while_the_fingerprints_do(database: Database, node: NodeId) -> None:
    replace(database, node, FILE, SYMBOL)
    store = AnchorStore(database)
    assert set(states(database).values()) == {AnchorState()}
    with database.transaction():
        store.save_states([(row.id, DRIFTED) for row in store.rows()])
    replace(database, node, FILE, SYMBOL, LINES)
    assert states(database) == {FILE.spec: DRIFTED, SYMBOL.spec: DRIFTED, LINES.spec: AnchorState()}
    replace(database, node, change(FILE, fingerprints=WHOLE), SYMBOL)
    assert states(database) == {FILE.spec: AnchorState(), SYMBOL.spec: DRIFTED}
    replace(database, node, FILE, change(SYMBOL, pinned=True))
    assert states(database) == {FILE.spec: AnchorState(), SYMBOL.spec: AnchorState()}


def test_files_are_known_as_they_were_read_last(database: Database) -> None:
    store = AnchoredFileStore(database)
    one, other = SeenFile("a.py", 1, 2, "00"), SeenFile("b.py", 3, 4, "11")
    with database.transaction():
        store.save([one, other])
        store.save([one._replace(size=9)])
    assert store.of(["a.py", "c.py"]) == {"a.py": one._replace(size=9)}
    assert store.of(["b.py"]) == {"b.py": other}


def test_a_symbol_of_a_path_with_colons_comes_back_whole(database: Database, node: NodeId) -> None:
    odd = Anchor(path="odd::name.py", type=AnchorType.SYMBOL, symbol="a::b")
    replace(database, node, odd)
    assert [row.anchor for row in AnchorStore(database).rows([node])] == [odd]
