"""Entities: known by any of their names, merged without touching a fact's record, and the same in every clone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.facts import Facts
from tx_graph.workspace.composition import Workspace


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def tie(workspace: Workspace, subject: str, predicate: str, named: str) -> None:
    workspace.kernel.one(Facts).add(subject=subject, predicate=predicate, object=named)


def told(workspace: Workspace) -> set[str]:
    found = workspace.kernel.one(Facts).list(limit=1000)
    return {f"{one.stored.subject_name} {one.stored.fact.predicate} {one.stored.told}" for one in found}


def picture(workspace: Workspace) -> object:
    """Return all that is known of entities and facts, without local numbers."""
    entities = workspace.kernel.one(Entities).list(limit=1000)
    return (
        sorted((one.key, one.name, one.type, one.aliases, one.description, one.facts) for one in entities),
        sorted(told(workspace)),
    )


def test_other_names_find_the_entity_everywhere(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Billing", "uses", "DuckDB")
        entity = workspace.kernel.one(Entities).alias("duckdb", "Duck", "DDB")
        assert entity.aliases == ("DDB", "Duck")
        assert (
            workspace.kernel.one(Entities).show("DDB").entity
            == workspace.kernel.one(Entities).show("entity:duckdb").entity
        )
        tie(workspace, "duck", "part_of", "Warehouse")
        assert told(workspace) == {"Billing uses DuckDB", "DuckDB part_of Warehouse"}
        assert len(workspace.kernel.one(Entities).show("ddb").named_by) == 1


def test_facts_that_used_another_name_before_it_was_one_follow(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Duck DB", "part_of", "Warehouse")
        tie(workspace, "Billing", "uses", "DuckDB")
        with pytest.raises(UsageError, match="name of another entity, Duck DB") as error:
            workspace.kernel.one(Entities).alias("DuckDB", "duck db")
        assert error.value.hint == "To make them one: tx entity:merge 'Duck DB' 'DuckDB'"
        merged = workspace.kernel.one(Entities).merge("Duck DB", "DuckDB")
        assert (merged.name, merged.aliases, merged.facts) == ("DuckDB", ("Duck DB",), 1)
        assert told(workspace) == {"DuckDB part_of Warehouse", "Billing uses DuckDB"}
        with pytest.raises(UsageError, match="one entity already"):
            workspace.kernel.one(Entities).merge("Duck DB", "DuckDB")


def test_taking_a_name_away_gives_its_facts_back(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Duck DB", "part_of", "Warehouse")
        tie(workspace, "Billing", "uses", "DuckDB")
        before = told(workspace)
        workspace.kernel.one(Entities).merge("Duck DB", "DuckDB")
        workspace.kernel.one(Entities).unalias("DuckDB", "duck db")
        assert told(workspace) == before
        with pytest.raises(UsageError, match="No record gives DuckDB the name 'duck'"):
            workspace.kernel.one(Entities).unalias("DuckDB", "duck")


def test_merging_described_entities_keeps_both_records_for_git(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Entities).edit("Duck DB", type="tool", description="An OLAP database")
        workspace.kernel.one(Entities).edit("DuckDB", type="tool")
        merged = workspace.kernel.one(Entities).merge("Duck DB", "DuckDB")
        assert (merged.aliases, merged.type) == (("Duck DB",), "tool")
    assert len(list((project.root / ".tx" / "entities").iterdir())) == 2
    with project.open() as workspace:
        assert [one.name for one in workspace.kernel.one(Entities).list(limit=9)] == ["DuckDB"]


def test_taking_the_name_of_a_merged_entity_away_parts_them(project: Project) -> None:
    with project.open() as workspace:
        workspace.kernel.one(Facts).add(subject="Duck DB", predicate="is", value="fast")
        workspace.kernel.one(Entities).edit("Duck DB", description="The engine.")
        workspace.kernel.one(Entities).edit("DuckDB", type="tool")
        workspace.kernel.one(Entities).merge("Duck DB", "DuckDB")
        assert workspace.kernel.one(Entities).unalias("DuckDB", "duck db").aliases == ()
        parted = workspace.kernel.one(Entities).show("Duck DB")
        assert (parted.entity.name, parted.entity.description, len(parted.facts)) == ("Duck DB", "The engine.", 1)


def test_two_branches_that_describe_one_entity_add_up(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Billing", "uses", "DuckDB")
    base = project.git.commit()
    project.git.git("checkout", "-q", "-b", "hers", base)
    with project.open() as workspace:
        workspace.kernel.one(Entities).alias("DuckDB", "duck")
    project.git.commit()
    project.git.git("checkout", "-q", "-b", "his", base)
    with project.open() as workspace:
        assert workspace.kernel.one(Entities).show("DuckDB").entity.aliases == ()
        workspace.kernel.one(Entities).edit("duckdb", type="tool", description="OLAP")
        tie(workspace, "Reports", "uses", "DUCKDB")
    project.git.commit()
    project.git.git("merge", "-q", "--no-edit", "hers")
    with project.open() as workspace:
        entity = workspace.kernel.one(Entities).show("duck").entity
        assert (entity.name, entity.type, entity.description, entity.aliases) == ("DuckDB", "tool", "OLAP", ("duck",))
        assert told(workspace) == {"Billing uses DuckDB", "Reports uses DuckDB"}


def test_an_entity_without_a_record_is_named_as_a_fact_names_it(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "user", "works_on", "Billing")
        assert workspace.kernel.one(Entities).show("USER").entity.type == "person"
        with pytest.raises(NotFound, match="no entity 'Biling'") as error:
            workspace.kernel.one(Entities).show("Biling")
        assert error.value.candidates[0] == "Billing"


def test_removing_the_record_leaves_what_facts_say(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Billing", "uses", "DuckDB")
        workspace.kernel.one(Entities).alias("DuckDB", "duck")
        tie(workspace, "duck", "part_of", "Warehouse")
    (record,) = (project.root / ".tx" / "entities").iterdir()
    record.unlink()
    with project.open() as workspace:
        assert told(workspace) == {"Billing uses DuckDB", "duck part_of Warehouse"}


@pytest.mark.parametrize("seed", range(12))
def test_any_sequence_of_changes_leaves_what_a_fresh_clone_reads(project: Project, seed: int) -> None:
    """Facts and entities are what their records say, whatever the way that led there."""
    chance = random.Random(seed)
    names = ["Ada", "Bob", "Duck DB", "DuckDB", "Warehouse"]
    for _ in range(14):
        with project.open() as workspace:
            one, other = chance.sample(names, 2)
            act = chance.choice(["tie", "tie", "alias", "merge", "describe", "unlink", "unalias"])
            try:
                if act == "tie":
                    tie(workspace, one, chance.choice(["uses", "knows"]), other)
                elif act == "alias":
                    workspace.kernel.one(Entities).alias(one, f"{other} alias")
                elif act == "unalias":
                    workspace.kernel.one(Entities).unalias(one, other)
                elif act == "merge":
                    workspace.kernel.one(Entities).merge(one, other)
                elif act == "describe":
                    workspace.kernel.one(Entities).edit(one, type=chance.choice(["tool", "person"]))
            except (UsageError, NotFound):
                continue
        records = sorted((project.root / ".tx").glob("[ef]*s/*.md"))
        if act == "unlink" and records:
            chance.choice(records).unlink()
    with project.open() as workspace:
        lived = picture(workspace)
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
    with project.open() as workspace:
        assert picture(workspace) == lived
