"""One view over every layer of edges, a whole frontier in one indexed query."""

from __future__ import annotations

import json
import re

import pytest

from tests.fakes import learning, uid_of
from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportEdge, ImportType
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.migrations import statements_of
from tx_graph.documents.document import SectionEdge
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.graph.edge_statements import WITHHELD_COUNT, lanes, view
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import EDGE_SOURCES, SYMMETRIC, Direction, Edge, EdgeSource, EdgeType, NodeId, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChange
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints
from tx_graph.records.learning import Link, Status
from tx_graph.records.learning_store import LearningStore

A, B, C = "src/a.py", "src/b.py", "src/c.py"


@pytest.fixture
def nodes(database: Database) -> dict[str, NodeId]:
    """A learning `one` anchored to a.py and linked to `two`; a.py imports b.py and co-changes with c.py."""
    with database.transaction():
        files = FileStore(database).save(
            FileRow(path=path, language="python", size=1, mtime_ns=1) for path in (A, B, C)
        )
        ImportStore(database).replace_edges(
            [files[A]], [ImportEdge(source=A, target=B, type=ImportType.STATIC)], [], nodes=files
        )
        pair = CoChange(file_a=A, file_b=C, score=0.8, shared=4, commits_a=5, commits_b=4)
        CoChangeStore(database).replace_all([pair])
        store = LearningStore(database)
        store.save(learning("Two", number=2), record="2.md", now="")
        anchor = Anchor(path=A, type=AnchorType.HASH, fingerprints=Fingerprints(content="00"))
        link = Link(target=uid_of(2), relation=Relation.CONTRADICTS, weight=0.5)
        store.save(learning("One", number=1, anchors=(anchor,), links=(link,)), record="1.md", now="")
    found = NodeStore(database).find(NodeKind.LEARNING, [uid_of(1), uid_of(2)])
    return {**files, "one": found[uid_of(1)], "two": found[uid_of(2)]}


def reached(
    database: Database, *frontier: NodeId, direction: Direction = Direction.BOTH, types: tuple[EdgeType, ...] = ()
) -> list[Edge]:
    return EdgeStore(database).leaving(frontier, types=types or tuple(EdgeType), direction=direction)


def test_every_layer_is_in_one_view(database: Database, nodes: dict[str, NodeId]) -> None:
    rows = database.rows("SELECT layer, type, relation, source, target, weight, valid FROM graph_edges ORDER BY layer")
    assert rows == [
        ("anchor", "ANCHORED_TO", "hash", nodes["one"], nodes[A], 1.0, 1),
        ("asserted", "LINKS_TO", "contradicts", nodes["one"], nodes["two"], 0.5, 1),
        ("cochange", "CO_CHANGES_WITH", "", nodes[A], nodes[C], 0.8, 1),
        ("import", "IMPORTS", "static", nodes[A], nodes[B], 1.0, 1),
    ]
    assert EdgeStore(database).counts() == {"ANCHORED_TO": 1, "CO_CHANGES_WITH": 1, "IMPORTS": 1, "LINKS_TO": 1}


def test_what_sections_are_tied_to_is_one_of_the_layers(database: Database, nodes: dict[str, NodeId]) -> None:
    section = tie_section(database, nodes[A])
    assert database.rows("SELECT * FROM graph_edges WHERE layer = 'section'") == [
        ("section", "LINKS_TO", "references", section, nodes[A], 0.9, "the login", 1)
    ]
    told = ("LINKS_TO", 0.9, "references", "the login")
    assert reached(database, section) == [Edge(section, nodes[A], *told, forward=True)]
    assert Edge(nodes[A], section, *told, forward=False) in reached(database, nodes[A])
    assert EdgeStore(database).counts()["LINKS_TO"] == 2


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "SELECT layer, source_type, source_id, target_type, target_id FROM graph_edges_text ORDER BY 1",
            [
                ("anchor", "learning", uid_of(1), "file", A),
                ("asserted", "learning", uid_of(1), "learning", uid_of(2)),
                ("cochange", "file", A, "file", C),
                ("import", "file", A, "file", B),
            ],
        ),
        ("SELECT source_file, target_file, import_type FROM file_imports_text", [(A, B, "static")]),
        (
            "SELECT file_a, file_b, correlation_score, commit_count, last_updated_at FROM file_cochanges_text",
            [(A, C, 0.8, 4, None)],
        ),
        (
            "SELECT learning_id, file_path, anchor_type, anchor_value, content_hash, status FROM file_anchors_text",
            [(2, A, "hash", A, "00", "valid")],
        ),
        (
            "SELECT edge_type, source_id, target_id, relation, weight, invalidated_at FROM learning_edges_text",
            [("LINKS_TO", uid_of(1), uid_of(2), "contradicts", 0.5, None)],
        ),
    ],
)
def test_each_layer_and_all_of_them_have_a_view_that_speaks_text(
    database: Database, nodes: dict[str, NodeId], query: str, expected: list[tuple[object, ...]]
) -> None:
    assert database.rows(query) == expected


def test_edges_are_turned_to_lead_away_the_heaviest_first_and_a_direction_follows_them_one_way(
    database: Database, nodes: dict[str, NodeId]
) -> None:
    assert [(edge.source, edge.target, edge.type, bool(edge.forward)) for edge in reached(database, nodes[A])] == [
        (nodes[A], nodes["one"], "ANCHORED_TO", False),
        (nodes[A], nodes[B], "IMPORTS", True),
        (nodes[A], nodes[C], "CO_CHANGES_WITH", True),
    ]
    out, into = (reached(database, nodes[A], direction=way) for way in (Direction.OUT, Direction.IN))
    assert {edge.type for edge in out} == {"IMPORTS", "CO_CHANGES_WITH"}
    assert {edge.type for edge in into} == {"ANCHORED_TO", "CO_CHANGES_WITH"}
    assert reached(database, nodes[B], direction=Direction.OUT) == []
    found = reached(database, *sorted(nodes.values(), reverse=True))
    assert [edge.weight for edge in found] == sorted((edge.weight for edge in found), reverse=True)
    assert found == reached(database, *sorted(nodes.values()))
    some = reached(database, nodes["one"], nodes[A], types=(EdgeType.LINKS_TO, EdgeType.IMPORTS))
    assert [(edge.type, edge.weight) for edge in some] == [("IMPORTS", 1.0), ("LINKS_TO", 0.5)]
    assert EdgeStore(database).leaving([nodes[A]], types=[], direction=Direction.BOTH) == []


@pytest.mark.parametrize("direction", list(Direction))
@pytest.mark.parametrize(("start", "end"), [(A, C), (C, A)])
def test_a_symmetric_edge_leads_both_ways_once_whatever_the_direction(
    database: Database, nodes: dict[str, NodeId], direction: Direction, start: str, end: str
) -> None:
    types = (EdgeType.CO_CHANGES_WITH,)
    assert [edge.target for edge in reached(database, nodes[start], direction=direction, types=types)] == [nodes[end]]


def links(database: Database) -> list[tuple[object, ...]]:
    return database.rows("SELECT relation, weight, created_at, invalidated_at FROM learning_edges ORDER BY relation")


def test_a_link_that_is_taken_back_is_kept_and_revived_as_old_as_it_was(
    database: Database, nodes: dict[str, NodeId]
) -> None:
    sequence, light, other = (Relation.SEQUENCE, 0.5), (Relation.SEQUENCE, 0.25), (Relation.REFERENCES, 1.0)
    for now, said, kept in (
        ("1", [sequence], ("sequence", 0.5, "1", None)),
        ("2", [sequence, other], ("sequence", 0.5, "1", None)),  # an unrelated change leaves it alone
        ("3", [other], ("sequence", 0.5, "1", "3")),
        ("4", [other], ("sequence", 0.5, "1", "3")),
        ("5", [other, light], ("sequence", 0.25, "1", None)),
    ):
        with database.transaction():
            EdgeStore(database).replace_links(nodes["one"], [(nodes["two"], *one) for one in said], now=now)
        assert links(database)[-1] == kept
        assert len(reached(database, nodes["two"])) == len(said)
    for weight in (-0.1, 1.1, float("nan"), float("inf")):
        with pytest.raises(StorageError), database.transaction():
            EdgeStore(database).replace_links(nodes["one"], [(nodes["two"], Relation.REFERENCES, weight)], now="")


def test_links_that_do_not_hold_are_kept_and_those_of_an_absent_learning_valid_again_when_it_is_back(
    database: Database, nodes: dict[str, NodeId]
) -> None:
    store = LearningStore(database)
    (one,) = store.by_uid_prefix(uid_of(1))
    before = links(database)
    with database.transaction():
        store.mark_absent([uid_of(1)])
    ((*_, invalidated),) = links(database)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(invalidated))
    assert reached(database, nodes["two"]) == []
    assert database.value("SELECT count(*) FROM graph_edges WHERE NOT valid") == 1
    with database.transaction():
        store.save(one.learning, record="1.md", now="2027-01-01T00:00:00Z")
    assert links(database) == before
    database.write("UPDATE learning_edges SET invalidated_at = '2026-12-01T00:00:00Z'")
    assert reached(database, nodes["two"]) == []
    assert [one.learning.links for one in store.every()] == [(), ()]


def test_learnings_that_no_answer_shows_are_withheld_and_counted_by_an_index(
    database: Database, nodes: dict[str, NodeId]
) -> None:
    with database.transaction():
        store = LearningStore(database)
        store.save(learning("Retracted", number=3, status=Status.RETRACTED), record="3.md", now="")
        store.save(learning("Superseded", number=4, status=Status.SUPERSEDED), record="4.md", now="")
        store.save(learning("Removed", number=5, removed_at="2026-12-01T00:00:00Z"), record="5.md", now="")
        store.save(learning("Absent", number=6), record="6.md", now="")
        store.mark_absent([uid_of(6)])
    withheld = EdgeStore(database).withheld()
    assert withheld == set(NodeStore(database).find(NodeKind.LEARNING, [uid_of(n) for n in (3, 4, 5, 6)]).values())
    plan = database.rows(f"EXPLAIN QUERY PLAN SELECT {WITHHELD_COUNT}")
    assert any("learnings_withheld" in row[3] for row in plan)


def allowed(database: Database, table: str, column: str) -> set[str]:
    """Return what the CHECK of a column allows."""
    sql = database.value("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
    checked = re.search(rf"CHECK \({column} IN \(([^)]*)\)", sql)
    return set(re.findall(r"'([\w-]*)'", checked[1])) if checked else set()


def test_the_view_in_the_database_is_the_one_that_the_table_of_edges_makes(database: Database) -> None:
    stored = database.value("SELECT sql FROM sqlite_master WHERE name = 'graph_edges'")
    assert stored.split() == view().split(), "A migration must make the view anew: scripts/edges prints it."
    assert {kind for source in EDGE_SOURCES for kind in source.types} == set(EdgeType)
    assert len(set(EDGE_SOURCES)) == len(EDGE_SOURCES)


@pytest.mark.parametrize("source", [source for source in EDGE_SOURCES if len(source.types) > 1])
def test_what_rows_may_say_of_themselves_is_what_the_table_of_edges_says(
    database: Database, source: EdgeSource
) -> None:
    assert allowed(database, source.table, "edge_type") >= set(source.types)
    assert allowed(database, source.table, "relation") - {""} == set(Relation)
    assert allowed(database, "nodes", "kind") == set(NodeKind)


def test_a_walk_sees_the_edges_of_the_view(database: Database, nodes: dict[str, NodeId]) -> None:
    fill(database)
    columns = "source, target, type, weight, relation, description"
    every = [node for (node,) in database.rows("SELECT id FROM nodes")]
    seen = reached(database, *every, direction=Direction.OUT, types=tuple(set(EdgeType) - set(SYMMETRIC)))
    view = database.rows(f"SELECT {columns} FROM graph_edges WHERE valid AND type <> 'CO_CHANGES_WITH'")
    assert sorted(edge[:6] for edge in seen) == sorted(view)
    both_ways = reached(database, *every, types=(EdgeType.CO_CHANGES_WITH,))
    view = database.rows(f"SELECT {columns} FROM graph_edges WHERE valid AND type = 'CO_CHANGES_WITH'")
    assert sorted(edge[:6] for edge in both_ways if edge.forward) == sorted(view)
    assert len(both_ways) == 2 * len(view)


@pytest.mark.parametrize("filled", [False, True])
def test_a_frontier_is_answered_from_indexes_alone(database: Database, nodes: dict[str, NodeId], filled: bool) -> None:
    if filled:
        fill(database)
    asked = {"nodes": "[1]", "types": json.dumps(list(EdgeType))}
    steps = []
    for lane in lanes(some_files_are_gone=True):
        plan = [row[3] for row in database.rows(f"EXPLAIN QUERY PLAN {lane.whole()}", asked)]
        steps += [step for step in plan if lane.source.table in step]
    assert len(steps) == 2 * len(EDGE_SOURCES)
    assert [step for step in steps if not step.startswith("SEARCH")] == []


def tie_section(database: Database, target: NodeId) -> NodeId:
    """Make a section that refers to a node; return it."""
    with database.transaction():
        section = NodeStore(database).ensure(NodeKind.SECTION, ["docs/a.md#login"])["docs/a.md#login"]
        edge = SectionEdge(
            source=section, target=target, relation=Relation.REFERENCES, weight=0.9, description="the login"
        )
        SectionEdgeStore(database).replace([], [edge])
    return section


def fill(database: Database) -> None:
    """Add ten thousand edges to each layer, five to each target, and let the planner know."""
    numbers = "WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)"
    target = "i % 2000 + 100"
    statements = f"""
        INSERT INTO nodes SELECT i, 'learning', i FROM n;
        INSERT INTO learnings (uid, node_id, content, status, confidence, source_type, created_at, updated_at, record)
            SELECT i, i, '', 'active', 1, 'manual', '', '', '' FROM n;
        INSERT INTO file_imports SELECT i, {target}, 'static' FROM n;
        INSERT INTO file_cochanges SELECT {target}, i, 0.5, 1, 1, 1 FROM n;
        INSERT INTO learning_edges SELECT i, {target}, 'LINKS_TO', '', 1, '', '{{}}', '', NULL FROM n;
        INSERT INTO section_edges SELECT i, {target}, 'references', 'LINKS_TO', 1, i, 'link' FROM n;
        INSERT INTO file_anchors (learning, file_path, file_node, anchor_type, anchor_value)
            SELECT i, i, {target}, 'hash', i FROM n;
    """
    with database.transaction():
        for statement in statements_of(statements):
            database.write(f"{numbers} {statement}")
    database.write("ANALYZE")
