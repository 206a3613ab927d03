"""Anchors as rows, and as edges to the files and symbols they name."""

from __future__ import annotations

from dataclasses import replace as change

import pytest

from tests.fakes import learning, uid_of
from tx_graph.anchors.store import AnchoredFileStore, SeenFile
from tx_graph.core.database import Database
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Invalidation, Reason
from tx_graph.records.anchor_store import GLOB_WEIGHT, AnchorState, AnchorStore
from tx_graph.records.learning_store import LearningStore

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
