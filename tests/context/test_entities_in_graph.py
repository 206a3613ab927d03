"""Entities are nodes like any other: facts lead from one to the next, mentions to them, and answers name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.context.recall.house import furnish, says
from tests.support import Project
from tx_graph.context.ranking_evidence import Method
from tx_graph.core.errors import NotFound
from tx_graph.graph.edges import Direction
from tx_graph.graph.expand import Profile
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.facts import Facts


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path, monkeypatch)
    found.write("src/store.py", "x = 1\n")
    found.write("src/other.py", "x = 1\n")
    found.index()
    with found.open() as workspace:
        furnish(workspace)
    return found


def mention(workspace: Workspace, kind: NodeKind, key: str, name: str, weight: float = 1.0) -> None:
    """Note that something speaks of an entity."""
    database = workspace._database
    with database.transaction():
        node = NodeStore(database).ensure(kind, [key])[key]
        entity = EntityStore(database).ensure([name])[name.lower()]
        database.write(
            "INSERT INTO mentions (entity, node, origin, weight) VALUES (?, ?, 'text', ?)", (entity, node, weight)
        )


def test_an_entity_goes_by_each_of_its_names(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Entities).alias("DuckDB", "the duck")
        found = {workspace.references.node(f"entity:{name}").ref for name in ("DuckDB", "duckdb", "The  Duck")}
        assert found == {"entity:DuckDB"}


def test_an_unknown_name_is_an_error_that_names_the_nearest(project: Project) -> None:
    with project.open() as workspace, pytest.raises(NotFound, match="nothing named 'entity:DuckBD'") as error:
        workspace.references.node("entity:DuckBD")
    assert error.value.candidates[0] == "entity:DuckDB"


def test_what_it_is_said_to_be_is_its_text(project: Project) -> None:
    with project.open() as workspace:
        assert workspace.references.text("entity:DuckDB") == ""
        workspace.kernel.one(Entities).edit("DuckDB", description="Embedded OLAP")
        assert workspace.references.text("entity:DuckDB") == "DuckDB: Embedded OLAP"


@pytest.mark.parametrize("profile", Profile)
def test_facts_lead_from_entity_to_entity(project: Project, profile: Profile) -> None:
    with project.open() as workspace:
        hood = workspace.graph.neighbors("entity:user", depth=2, profile=profile)
    assert [(one.ref, one.kind) for one in hood.neighbors] == [
        ("entity:JACQ Project", NodeKind.ENTITY),
        ("entity:DuckDB", NodeKind.ENTITY),
    ]
    assert [step.why for step in hood.neighbors[1].steps] == ["works_on", "uses"]


def test_a_staged_fact_is_marked_on_the_way(project: Project) -> None:
    with project.open() as workspace:
        says(workspace, "DuckDB", "written_in", to="Zig", status=FactStatus.STAGED)
        shown = workspace.graph.show("entity:Zig")
        assert [step.description for step in shown.steps] == ["written_in (staged)"]
        sentence = workspace.graph.path("entity:DuckDB", "entity:Zig").sentence
    assert "written_in (staged)" in sentence


def test_a_fact_that_does_not_hold_leads_nowhere(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).retract("4")
        assert workspace.graph.show("entity:DuckDB").steps == ()


def test_two_learnings_reach_each_other_through_what_both_speak_of(project: Project) -> None:
    first, second = project.add("Spills go to disk"), project.add("Exports are slow")
    with project.open() as workspace:
        for stored in (first, second):
            mention(workspace, NodeKind.LEARNING, stored.learning.uid, "DuckDB")
        hood = workspace.graph.neighbors(first.ref, depth=2, direction=Direction.BOTH)
        assert {one.ref for one in hood.neighbors} >= {"entity:DuckDB", second.ref}
        found = [one.stored.ref for one in project.search("spills disk", expand=True).results]
    assert found == [first.ref, second.ref]


def test_files_are_ranked_without_what_entities_say(project: Project) -> None:
    def ranked() -> list[tuple[str, float]]:
        with project.open() as workspace:
            found = workspace.file_ranking.rank("store", open_files=["src/other.py"], method=Method.SPREAD)
            return [(one.path, one.score) for one in found]

    before = ranked()
    with project.open() as workspace:
        mention(workspace, NodeKind.FILE, "src/store.py", "DuckDB")
        mention(workspace, NodeKind.FILE, "src/other.py", "DuckDB")
    assert ranked() == before
