"""A walk in a hub is that in a workspace: the same nodes, paths and scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tx_graph.core.database import Database
from tx_graph.graph.edge_store import HUB, DegreeStore, StrandReader
from tx_graph.graph.edges import EDGE_SOURCES, Direction, EdgeType, NodeId
from tx_graph.graph.expand import Ask, FactorsOf, Limits, NeighborsOf, Profile, explore, scoring_of
from tx_graph.hub.identity import repository_id
from tx_graph.hub.lanes import lane_of
from tx_graph.hub.store import Hub
from tx_graph.hub.walk_store import WalkStore

FILES, LEARNINGS, SECTIONS, ENTITIES = range(1, 7), range(11, 15), range(21, 26), range(31, 35)
CROWDS = {"file": range(1000, 1030 + HUB), "section": range(2000, 2030 + HUB)}
KINDS = {"file": FILES, "learning": LEARNINGS, "section": SECTIONS, "entity": ENTITIES}
NAMES = ("example.org/ours", "example.org/theirs")
OURS, THEIRS = map(repository_id, NAMES)

_WEIGHTS = (0.25, 0.6, 0.62, 0.9, 1.0)


def _edges(starts: Sequence[int], ends: Sequence[int], *, most: int = 12) -> st.SearchStrategy[dict[Any, float]]:
    pairs = st.tuples(st.sampled_from(starts), st.sampled_from(ends))
    return st.dictionaries(pairs, st.sampled_from(_WEIGHTS), max_size=most)


_SPEAKING = [*FILES, *LEARNINGS, *SECTIONS]
_GRAPHS = st.fixed_dictionaries(
    {
        "imports": _edges(FILES, FILES),
        "cochanges": _edges(FILES, FILES),
        "anchors": _edges(LEARNINGS, FILES),
        "links": _edges(LEARNINGS, LEARNINGS),
        "relations": _edges(SECTIONS, [*SECTIONS, *FILES]),
        "facts": _edges(ENTITIES, ENTITIES),
        "mentions": _edges(_SPEAKING, ENTITIES),
    }
)


def fill(database: Database, graph: Mapping[str, Mapping[tuple[int, int], float]], *, is_crowded: bool) -> None:
    """Replace all that the database holds by this graph; in a crowd are more edges than a walk follows."""
    tables = "file_degrees mentions facts section_edges learning_edges file_anchors file_cochanges file_imports"
    with database.transaction():
        for table in f"{tables} entities learnings nodes".split():
            database.write(f"DELETE FROM {table}")
        nodes = [(node, kind) for kinds in (KINDS, CROWDS) for kind, many in kinds.items() for node in many]
        database.write_many(
            "INSERT INTO nodes (id, kind, key) VALUES (?, ?, ?)", [(*one, str(one[0])) for one in nodes]
        )
        database.write_many(
            "INSERT INTO entities (node_id, key, name, type) VALUES (?, ?, '', '')",
            [(one, str(one)) for one in ENTITIES],
        )
        database.write_many(
            """
            INSERT INTO learnings (
                id, uid, node_id, content, status, confidence, source_type, created_at, updated_at, record
            )
            VALUES (?1, ?1, ?1, '', 'active', 1, 'manual', '', '', '')
            """,
            [(one,) for one in LEARNINGS],
        )
        crowd = [(one, 1, 1.0) for one in CROWDS["file"]] if is_crowded else []
        database.write_many(
            "INSERT INTO file_imports (source_file, target_file, import_type) VALUES (?, ?, 'static')",
            [(*pair,) for pair in graph["imports"]] + [one[:2] for one in crowd],
        )
        crowd = [(1, one, _WEIGHTS[one % 5]) for one in CROWDS["file"]] if is_crowded else []
        database.write_many(
            "INSERT INTO file_cochanges VALUES (?, ?, ?, 3, 3, 3)",
            [(a, b, weight) for (a, b), weight in graph["cochanges"].items() if a < b] + crowd,
        )
        database.write_many(
            """
            INSERT INTO file_anchors (learning, file_path, file_node, anchor_type, anchor_value, weight)
            VALUES (?1, '', ?2, 'hash', ?2, ?3)
            """,
            [(*pair, weight) for pair, weight in graph["anchors"].items()],
        )
        database.write_many(
            "INSERT INTO learning_edges (source, target, edge_type, weight, created_at) VALUES (?, ?, ?, ?, '')",
            [
                (*pair, kind, weight)
                for pair, weight in graph["links"].items()
                for kind in ("LINKS_TO", "SIMILAR_TO")[: 1 + sum(pair) % 2]
            ],
        )
        database.write_many(
            "INSERT INTO section_edges VALUES (?, ?, 'references', ?, ?, '', 'link')",
            [
                (*pair, "LINKS_TO" if sum(pair) % 2 else "SIMILAR_TO", weight)
                for pair, weight in graph["relations"].items()
            ],
        )
        database.write_many(
            """
            INSERT INTO facts (
                uid, subject, object, subject_name, object_name, predicate, confidence, status, source, created_at
            )
            VALUES (?, ?, ?, '', '', 'uses', ?, 'confirmed', 'user_edit', '')
            """,
            [(str(number), *pair, weight) for number, (pair, weight) in enumerate(graph["facts"].items())],
        )
        crowd = [(one, ENTITIES[0], _WEIGHTS[one % 5]) for one in CROWDS["section"]] if is_crowded else []
        database.write_many(
            "INSERT INTO mentions (node, entity, origin, weight) VALUES (?, ?, 'text', ?)",
            [(*pair, weight) for pair, weight in graph["mentions"].items()] + crowd,
        )
        DegreeStore(database).recount()


def publish(database: Database, hub: Hub) -> None:
    """Make the hub hold what the database does; of the facts, two repositories know one half each."""
    lanes = {(source.layer, kind): lane_of(source, kind) for source in reversed(EDGE_SOURCES) for kind in source.types}
    nodes = database.rows("SELECT id, kind, key FROM nodes")
    edges = database.rows("SELECT layer, type, source, target, weight FROM graph_edges")
    with hub.transaction():
        hub.write("TRUNCATE tx.repositories, tx.nodes, tx.edges")
        for name in NAMES:
            hub.write("INSERT INTO tx.repositories (id, name) VALUES (%s, %s)", (repository_id(name), name))
        hub.copy(
            "tx.nodes (repository, node, owner, kind, key)",
            (
                (repository, node, node, kind, key)
                for node, kind, key in nodes
                for repository in ([OURS, THEIRS] if kind == "entity" else [OURS])
            ),
            ["int8", "int8", "int8", "text", "text"],
        )
        hub.copy(
            "tx.edges (repository, source, target, weight, lane, relation)",
            (
                (
                    THEIRS if layer == "fact" and number % 2 else OURS,
                    source,
                    target,
                    weight,
                    lanes[layer, EdgeType(kind)],
                    0,
                )
                for number, (layer, kind, source, target, weight) in enumerate(edges)
            ),
            ["int8", "int8", "int8", "float4", "int2", "int2"],
        )


def walked(
    neighbors_of: NeighborsOf,
    degrees_of: FactorsOf,
    seeds: Mapping[NodeId, float],
    profile: Profile,
    limits: Limits,
) -> list[tuple[NodeId, float, list[tuple[NodeId, NodeId, str, bool]]]]:
    found = explore(seeds, neighbors_of, limits=limits, scoring=scoring_of(profile), degrees_of=degrees_of)
    return [
        (one.node, round(one.score, 9), [(edge.source, edge.target, edge.type, edge.forward) for edge in one.path])
        for one in found.reached()
    ]


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    graph=_GRAPHS,
    is_crowded=st.booleans(),
    seeds=st.dictionaries(
        st.sampled_from([*_SPEAKING, *ENTITIES]), st.sampled_from([0.4, 1.0]), min_size=1, max_size=3
    ),
    direction=st.sampled_from(Direction),
    types=st.sets(st.sampled_from(EdgeType), min_size=1) | st.just({*EdgeType}),
    depth=st.integers(1, 3),
    max_nodes=st.sampled_from([5, 100]),
)
def test_both_stores_give_the_same_nodes_paths_and_scores(
    database: Database,
    hub: Hub,
    graph: Mapping[str, Mapping[tuple[int, int], float]],
    is_crowded: bool,
    seeds: Mapping[NodeId, float],
    direction: Direction,
    types: set[EdgeType],
    depth: int,
    max_nodes: int,
) -> None:
    fill(database, graph, is_crowded=is_crowded)
    publish(database, hub)
    here, there, limits = StrandReader(database), WalkStore(hub), Limits(depth=depth, max_nodes=max_nodes)
    followed = [kind for kind in EdgeType if kind in types]

    def asking(reader: StrandReader | WalkStore) -> NeighborsOf:
        return lambda ask: reader.leaving(
            ask.nodes, types=followed, direction=direction, least=ask.least, is_capped=ask.is_capped
        )

    for profile in Profile:
        ours = walked(asking(here), DegreeStore(database).of, seeds, profile, limits)
        assert walked(asking(there), there.degrees, seeds, profile, limits) == ours
    uncapped = Ask(list(seeds), is_capped=False)
    assert sorted((one.type, one.forward, row) for one in asking(there)(uncapped) for row in one.rows) == sorted(
        (one.type, one.forward, row) for one in asking(here)(uncapped) for row in one.rows
    )


def test_a_hop_is_one_statement(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, rows = list[str](), Hub.rows

    def counted(hub: Hub, sql: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        asked.append(sql)
        return rows(hub, sql, parameters)

    monkeypatch.setattr(Hub, "rows", counted)
    WalkStore(hub).leaving([1, 2, 3], types=tuple(EdgeType), direction=Direction.BOTH)
    assert len(asked) == 1
