"""What a walk is told of edges: bare rows, the heaviest of a hub, and the words of those that are shown."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.code.file_store import FileRow, FileStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportEdge, ImportType
from tx_graph.core.database import Database
from tx_graph.documents.document import SectionEdge
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.graph.edge_statements import lanes
from tx_graph.graph.edge_store import HUB, DegreeStore, EdgeStore, StrandReader
from tx_graph.graph.edges import Direction, Edge, EdgeType, NodeId, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChange
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.knowledge.fact import FactStatus

MANY = HUB + 50
HUB_FILE, OTHER = "hub.py", "other.py"
BOTH_WAYS = (EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH)


def spoke(number: int) -> str:
    return f"spoke_{number:03}.py"


@pytest.fixture
def files(database: Database) -> dict[str, NodeId]:
    """`hub.py`, which `MANY` files import and change with, ever more weakly; and `other.py`, with three partners."""
    paths = [HUB_FILE, OTHER, *map(spoke, range(MANY))]
    with database.transaction():
        nodes = FileStore(database).save(FileRow(path=path, language="python", size=1, mtime_ns=1) for path in paths)
        imports = [ImportEdge(source=spoke(n), target=HUB_FILE, type=ImportType.DYNAMIC) for n in range(MANY)]
        imports.append(ImportEdge(source=OTHER, target=spoke(7), type=ImportType.STATIC))
        ImportStore(database).replace_edges(list(nodes.values()), imports, [], nodes=nodes)
        CoChangeStore(database).replace_all(
            [pair(HUB_FILE, spoke(n), 1 - n / 1000) for n in range(MANY)]
            + [pair(OTHER, spoke(n), score) for n, score in ((1, 0.3), (2, 0.2), (3, 0.1))]
        )
    return nodes


def pair(file_a: str, file_b: str, score: float) -> CoChange:
    return CoChange(file_a=file_a, file_b=file_b, score=score, shared=3, commits_a=5, commits_b=4)


def leaving(
    database: Database,
    *frontier: NodeId,
    types: tuple[EdgeType, ...] = tuple(EdgeType),
    least: float = 0.0,
    is_capped: bool = True,
) -> dict[tuple[str, bool], list[tuple[NodeId, NodeId, float]]]:
    found = StrandReader(database).leaving(
        frontier, types=types, direction=Direction.BOTH, least=least, is_capped=is_capped
    )
    rows: dict[tuple[str, bool], list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
    for strand in found:
        rows[strand.type, strand.forward] += strand.rows
    return rows


def test_bare_rows_are_the_edges_without_their_words(database: Database, files: dict[str, NodeId]) -> None:
    everything = EdgeStore(database).leaving(files.values(), types=tuple(EdgeType), direction=Direction.BOTH)
    bare = leaving(database, *files.values(), is_capped=False)
    found = [Edge(*row[:2], kind, row[2], forward=forward) for (kind, forward), rows in bare.items() for row in rows]
    assert sorted(found) == sorted(edge._replace(relation="", description="") for edge in everything)


_ENDS = st.integers(1, 8)
_WEIGHTS = st.sampled_from([0.25, 0.6, 0.9, 1.0])
_SECTION_EDGES = st.dictionaries(st.tuples(_ENDS, _ENDS, st.sampled_from(Relation)), _WEIGHTS, max_size=30)
_FACTS = st.dictionaries(
    st.tuples(_ENDS, st.none() | _ENDS, st.sampled_from(["uses", "owner"]), st.sampled_from(FactStatus)),
    _WEIGHTS,
    max_size=15,
)
_MENTIONS = st.dictionaries(st.tuples(_ENDS, _ENDS), _WEIGHTS, max_size=15)
_ASSERTED = st.dictionaries(st.tuples(_ENDS, _ENDS, st.sampled_from(["", *Relation])), _WEIGHTS, max_size=15)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    of_sections=_SECTION_EDGES,
    asserted=_ASSERTED,
    facts=_FACTS,
    mentions=_MENTIONS,
    frontier=st.sets(_ENDS, min_size=1),
)
def test_view_and_walks_tell_the_same_edges(
    database: Database,
    of_sections: dict[tuple[NodeId, NodeId, Relation], float],
    asserted: dict[tuple[NodeId, NodeId, str], float],
    facts: dict[tuple[NodeId, NodeId | None, str, FactStatus], float],
    mentions: dict[tuple[NodeId, NodeId], float],
    frontier: set[NodeId],
) -> None:
    with database.transaction():
        for table in ("section_edges", "learning_edges", "facts", "entities"):
            database.write(f"DELETE FROM {table}")
        SectionEdgeStore(database).replace(
            [], [SectionEdge(source=a, target=b, relation=how, weight=w) for (a, b, how), w in of_sections.items()]
        )
        database.write_many(
            "INSERT INTO learning_edges (source, target, edge_type, relation, weight, created_at) "
            "VALUES (?, ?, 'LINKS_TO', ?, ?, '')",
            [(*key, weight) for key, weight in asserted.items()],
        )
        write_facts(database, facts, mentions)
    layers = EdgeStore(database).leaving(frontier, types=tuple(EdgeType), direction=Direction.BOTH)
    lanes = leaving(database, *frontier, is_capped=False)
    bare = [Edge(*row[:2], kind, row[2], forward=forward) for (kind, forward), rows in lanes.items() for row in rows]
    assert sorted(bare) == sorted(edge._replace(relation="", description="") for edge in layers)
    view = database.rows("SELECT source, target, type, weight, relation, description FROM graph_edges WHERE valid")
    there = [(*row, True) for row in view if row[0] in frontier]
    back = [(row[1], row[0], *row[2:], False) for row in view if row[1] in frontier]
    assert sorted(map(tuple, layers)) == sorted(there + back)


def write_facts(
    database: Database,
    facts: dict[tuple[NodeId, NodeId | None, str, FactStatus], float],
    mentions: dict[tuple[NodeId, NodeId], float],
) -> None:
    """Make nodes 1 to 8, if there are none yet, and make them entities, with these facts and mentions."""
    NodeStore(database).ensure(NodeKind.SECTION, map(str, range(1, 9)))
    database.write_many(
        "INSERT INTO entities (node_id, key, name, type) VALUES (?, ?, ?, 'concept')",
        [(number, str(number), str(number)) for number in range(1, 9)],
    )
    database.write_many(
        """
        INSERT INTO facts (
            uid, subject, object, subject_name, object_name, predicate, value, confidence, status, source, created_at
        )
        VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, 'user_edit', '')
        """,
        [
            (str(number), start, end, end and str(end), predicate, None if end else "so", weight, status.value)
            for number, ((start, end, predicate, status), weight) in enumerate(facts.items())
        ],
    )
    database.write_many(
        "INSERT INTO mentions (node, entity, origin, weight) VALUES (?, ?, 'text', ?)",
        [(*pair, weight) for pair, weight in mentions.items()],
    )


def test_of_an_entity_that_thousands_mention_the_heaviest_mentions_are_told(database: Database) -> None:
    with database.transaction():
        write_facts(database, {}, {})
        nodes = NodeStore(database)
        sections = sorted(nodes.ensure(NodeKind.SECTION, [f"a.md#{n}" for n in range(25 * HUB)]).values())
        database.write_many(
            "INSERT INTO mentions (node, entity, origin, weight) VALUES (?, 1, 'text', ?)",
            [(node, 1 - place / 10_000) for place, node in enumerate(sections)],
        )
    ((_, rows),) = leaving(database, 1).items()
    assert [target for _, target, _ in sorted(rows, key=lambda row: -row[2])] == sections[:HUB]


def test_of_an_entity_with_thousands_of_facts_the_most_confident_are_followed(database: Database) -> None:
    with database.transaction():
        write_facts(database, {}, {})
        many = sorted(NodeStore(database).ensure(NodeKind.ENTITY, [f"e{n}" for n in range(25 * HUB)]).values())
        database.write_many(
            """
            INSERT INTO facts (
                uid, subject, object, subject_name, object_name, predicate, confidence, status, source, created_at
            )
            VALUES (?, 1, ?, '', '', 'uses', ?, 'confirmed', 'user_edit', '')
            """,
            [(str(node), node, 1 - place / 10_000) for place, node in enumerate(many)],
        )
    ((_, rows),) = leaving(database, 1).items()
    assert [target for _, target, _ in sorted(rows, key=lambda row: -row[2])] == many[:HUB]


def test_facts_lead_to_no_learning_but_mentions_may(database: Database) -> None:
    with database.transaction():
        write_facts(database, {(1, 2, "uses", FactStatus.CONFIRMED): 1.0}, {(3, 1): 0.5})
    reader, types = StrandReader(database), tuple(EdgeType)
    found = reader.leaving([1], types=types, direction=Direction.BOTH, only_to_learnings=True)
    assert [strand.rows for strand in found] == [[(1, 3, 0.5)]]


def test_who_asks_for_no_sections_is_told_of_none(database: Database, files: dict[str, NodeId]) -> None:
    with database.transaction():
        section = NodeStore(database).ensure(NodeKind.SECTION, ["a.md#x"])["a.md#x"]
        SectionEdgeStore(database).replace(
            [], [SectionEdge(source=section, target=files[OTHER], relation=Relation.REFERENCES)]
        )

    def types_at(node: NodeId, *, only_code: bool) -> set[str]:
        reader, types = StrandReader(database), tuple(EdgeType)
        found = reader.leaving([node], types=types, direction=Direction.BOTH, only_code=only_code)
        return {one.type for one in found}

    assert types_at(section, only_code=False) == {"LINKS_TO"}
    assert types_at(section, only_code=True) == set()
    assert types_at(files[OTHER], only_code=True) == {"IMPORTS", "CO_CHANGES_WITH"}


def test_of_a_file_that_very_many_sections_mention_the_heaviest_mentions_are_told(database: Database) -> None:
    with database.transaction():
        nodes = NodeStore(database)
        popular = nodes.ensure(NodeKind.FILE, ["a.py"])["a.py"]
        sections = sorted(nodes.ensure(NodeKind.SECTION, [f"a.md#{n}" for n in range(25 * HUB)]).values())
        SectionEdgeStore(database).replace(
            [],
            [
                SectionEdge(
                    source=one, target=popular, relation=Relation.REFERENCES, weight=0.6 if number % 20 else 0.9
                )
                for number, one in enumerate(sections)
            ],
        )
    rows = leaving(database, popular)["LINKS_TO", False]
    assert (len(rows), {weight for _, _, weight in rows}) == (HUB, {0.9})


def test_a_hub_gives_its_heaviest_edges_and_others_all_of_theirs(database: Database, files: dict[str, NodeId]) -> None:
    found = leaving(database, files[HUB_FILE], files[OTHER], types=(EdgeType.CO_CHANGES_WITH,))
    rows = found["CO_CHANGES_WITH", True]
    heaviest = {files[spoke(n)] for n in range(HUB)}
    assert {target for source, target, _ in rows if source == files[HUB_FILE]} == heaviest
    assert {weight for source, _, weight in rows if source == files[OTHER]} == {0.1, 0.2, 0.3}


def test_edges_that_weigh_the_same_are_cut_all_the_same(database: Database, files: dict[str, NodeId]) -> None:
    rows = leaving(database, files[HUB_FILE], types=(EdgeType.IMPORTS,))["IMPORTS", False]
    assert len(rows) == len(set(rows)) == HUB
    with database.transaction():
        CoChangeStore(database).replace_all([pair(HUB_FILE, spoke(n), 0.5) for n in range(MANY)])
    assert len(leaving(database, files[HUB_FILE], types=(EdgeType.CO_CHANGES_WITH,))["CO_CHANGES_WITH", True]) == HUB


def test_a_strand_says_how_many_nodes_were_cut(database: Database, files: dict[str, NodeId]) -> None:
    reader = StrandReader(database)
    frontier = [files[HUB_FILE], files[OTHER]]
    assert sum(one.cut for one in reader.leaving(frontier, types=BOTH_WAYS, direction=Direction.BOTH)) == 2
    whole = reader.leaving(frontier, types=BOTH_WAYS, direction=Direction.BOTH, is_capped=False)
    assert (sum(one.cut for one in whole), sum(len(one.rows) for one in whole)) == (0, 2 * MANY + 4)


def test_light_edges_are_left_out_when_nobody_wants_them(database: Database, files: dict[str, NodeId]) -> None:
    found = leaving(database, files[OTHER], least=0.2)
    assert {weight for _, _, weight in found["CO_CHANGES_WITH", True]} == {0.2, 0.3}
    assert found["IMPORTS", True] == [(files[OTHER], files[spoke(7)], 1.0)]


def test_a_run_that_used_very_many_learnings_gives_its_heaviest_edges(database: Database) -> None:
    with database.transaction():
        nodes = NodeStore(database)
        run = nodes.ensure(NodeKind.RUN, ["1"])["1"]
        learnings = sorted(nodes.ensure(NodeKind.LEARNING, [str(n) for n in range(25 * HUB)]).values())
        database.write_many(
            "INSERT INTO learning_edges (source, target, edge_type, weight, created_at) "
            "VALUES (?, ?, 'USED_IN_RUN', ?, '')",
            [(learning, run, 1.0 if number % 20 else 0.5) for number, learning in enumerate(learnings)],
        )
    found = leaving(database, run)
    rows = found["USED_IN_RUN", False]
    assert (len(rows), {weight for _, _, weight in rows}) == (HUB, {1.0})
    assert len(leaving(database, run, is_capped=False)["USED_IN_RUN", False]) == 25 * HUB


def test_files_that_are_gone_are_no_partners(database: Database, files: dict[str, NodeId]) -> None:
    with database.transaction():
        FileStore(database).remove([spoke(1)])
    found = leaving(database, files[OTHER], files[HUB_FILE])
    assert files[spoke(1)] not in {target for rows in found.values() for _, target, _ in rows}


def test_the_words_of_an_edge_are_found_whichever_way_it_is_walked(
    database: Database, files: dict[str, NodeId]
) -> None:
    edges = EdgeStore(database)
    there = Edge(files[OTHER], files[spoke(7)], "IMPORTS")
    back = Edge(files[HUB_FILE], files[spoke(3)], "IMPORTS", forward=False)
    unknown = Edge(files[OTHER], files[spoke(8)], "IMPORTS")
    found = edges.worded([there, back, unknown])
    assert found == {there: there._replace(relation="static"), back: back._replace(relation="dynamic")}


def test_the_first_of_several_relations_is_told(database: Database) -> None:
    with database.transaction():
        nodes = NodeStore(database).ensure(NodeKind.LEARNING, ["a", "b"])
        database.write_many(
            "INSERT INTO learning_edges (source, target, edge_type, relation, weight, created_at) "
            "VALUES (?, ?, 'LINKS_TO', ?, ?, '')",
            [(nodes["a"], nodes["b"], how, weight) for how, weight in (("sequence", 1), ("elaborates", 1), ("", 0.5))],
        )
    edge = Edge(nodes["a"], nodes["b"], "LINKS_TO", 1.0)
    assert EdgeStore(database).worded([edge]) == {edge: edge._replace(relation="elaborates")}


@pytest.mark.parametrize("gone", [False, True])
def test_a_frontier_is_answered_from_indexes_in_the_order_of_weights(
    database: Database, files: dict[str, NodeId], gone: bool
) -> None:
    asked = {"nodes": "[1]", "types": json.dumps(list(EdgeType)), "least": 0.1, "most": 10, "fan_out": 10}
    for lane in lanes(some_files_are_gone=gone):
        for statement in (lane.plain(has_least=True), lane.capped()):
            plan = [row[3] for row in database.rows(f"EXPLAIN QUERY PLAN {statement}", asked)]
            steps = [step for step in plan if lane.source.table in step]
            assert steps
            assert [step for step in steps if not step.startswith("SEARCH")] == []
            # A learning has few anchors, and no index knows their weights.
            assert lane.start == "learning" or not any("TEMP B-TREE" in step for step in plan)


def degrees(database: Database) -> dict[NodeId, float]:
    every = [node for (node,) in database.rows("SELECT node_id FROM files")]
    return DegreeStore(database).of(every)


def test_degrees_count_imports_and_co_changes_both_ways(database: Database, files: dict[str, NodeId]) -> None:
    found = degrees(database)
    assert (found[files[HUB_FILE]], found[files[OTHER]], found[files[spoke(7)]]) == (2 * MANY, 4, 3)


def test_degrees_follow_every_change_of_imports(database: Database, files: dict[str, NodeId]) -> None:
    with database.transaction():
        ImportStore(database).replace_edges(
            [files[OTHER]], [ImportEdge(source=OTHER, target=HUB_FILE, type=ImportType.STATIC)], [], nodes=files
        )
        FileStore(database).remove([spoke(9)])
    kept = degrees(database)
    assert (kept[files[HUB_FILE]], kept[files[spoke(7)]]) == (2 * MANY, 2)
    with database.transaction():
        DegreeStore(database).recount()
    assert degrees(database) == kept
