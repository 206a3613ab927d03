"""Entities: known by any of their names, merged without touching a fact's record, and the same in every clone."""

from __future__ import annotations

import random

import pytest

from tests.knowledge.bank import Bank, lose_database, opened
from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError


def test_other_names_find_the_entity_everywhere(bank: Bank) -> None:
    bank.tie("Billing", "uses", "DuckDB")
    assert bank.entities.alias("duckdb", "Duck", "DDB").aliases == ("DDB", "Duck")
    assert bank.entities.show("DDB").entity == bank.entities.show("entity:duckdb").entity
    bank.tie("duck", "part_of", "Warehouse")
    assert set(bank.told()) == {"Billing uses DuckDB", "DuckDB part_of Warehouse"}
    assert len(bank.entities.show("ddb").named_by) == 1


def test_facts_that_used_another_name_before_it_was_one_follow_and_come_back(bank: Bank) -> None:
    bank.tie("Duck DB", "part_of", "Warehouse")
    bank.tie("Billing", "uses", "DuckDB")
    before = bank.told()
    with pytest.raises(UsageError, match="name of another entity, Duck DB") as error:
        bank.entities.alias("DuckDB", "duck db")
    assert error.value.hint == "To make them one: tx entity:merge 'Duck DB' 'DuckDB'"
    merged = bank.entities.merge("Duck DB", "DuckDB")
    assert (merged.name, merged.aliases, merged.facts) == ("DuckDB", ("Duck DB",), 1)
    assert set(bank.told()) == {"DuckDB part_of Warehouse", "Billing uses DuckDB"}
    with pytest.raises(UsageError, match="one entity already"):
        bank.entities.merge("Duck DB", "DuckDB")
    bank.entities.unalias("DuckDB", "duck db")
    assert bank.told() == before
    with pytest.raises(UsageError, match="No record gives DuckDB the name 'duck'"):
        bank.entities.unalias("DuckDB", "duck")


def test_merging_described_entities_keeps_both_records_for_git(project: Project) -> None:
    with opened(project) as bank:
        bank.entities.edit("Duck DB", type="tool", description="An OLAP database")
        bank.entities.edit("DuckDB", type="tool")
        merged = bank.entities.merge("Duck DB", "DuckDB")
        assert (merged.aliases, merged.type) == (("Duck DB",), "tool")
    assert len(list((project.root / ".tx" / "entities").iterdir())) == 2
    with opened(project) as bank:
        assert [one.name for one in bank.entities.list(limit=9)] == ["DuckDB"]


def test_taking_the_name_of_a_merged_entity_away_parts_them(bank: Bank) -> None:
    bank.add("Duck DB", "is", "fast")
    bank.entities.edit("Duck DB", description="The engine.")
    bank.entities.edit("DuckDB", type="tool")
    bank.entities.merge("Duck DB", "DuckDB")
    assert bank.entities.unalias("DuckDB", "duck db").aliases == ()
    parted = bank.entities.show("Duck DB")
    assert (parted.entity.name, parted.entity.description, len(parted.facts)) == ("Duck DB", "The engine.", 1)


def test_two_branches_that_describe_one_entity_add_up(project: Project) -> None:
    with opened(project) as bank:
        bank.tie("Billing", "uses", "DuckDB")
    base = project.git.commit()
    project.git.git("checkout", "-q", "-b", "hers", base)
    with opened(project) as bank:
        bank.entities.alias("DuckDB", "duck")
    project.git.commit()
    project.git.git("checkout", "-q", "-b", "his", base)
    with opened(project) as bank:
        assert bank.entities.show("DuckDB").entity.aliases == ()
        bank.entities.edit("duckdb", type="tool", description="OLAP")
        bank.tie("Reports", "uses", "DUCKDB")
    project.git.commit()
    project.git.git("merge", "-q", "--no-edit", "hers")
    with opened(project) as bank:
        entity = bank.entities.show("duck").entity
        assert (entity.name, entity.type, entity.description, entity.aliases) == ("DuckDB", "tool", "OLAP", ("duck",))
        assert set(bank.told()) == {"Billing uses DuckDB", "Reports uses DuckDB"}


def test_an_entity_without_a_record_is_named_as_a_fact_names_it(bank: Bank) -> None:
    bank.tie("user", "works_on", "Billing")
    assert bank.entities.show("USER").entity.type == "person"
    with pytest.raises(NotFound, match="no entity 'Biling'") as error:
        bank.entities.show("Biling")
    assert error.value.candidates[0] == "Billing"


def test_removing_the_record_leaves_what_facts_say(project: Project) -> None:
    with opened(project) as bank:
        bank.tie("Billing", "uses", "DuckDB")
        bank.entities.alias("DuckDB", "duck")
        bank.tie("duck", "part_of", "Warehouse")
    (record,) = (project.root / ".tx" / "entities").iterdir()
    record.unlink()
    with opened(project) as bank:
        assert set(bank.told()) == {"Billing uses DuckDB", "duck part_of Warehouse"}


def picture(bank: Bank) -> object:
    """Return all that is known of entities and facts, without local numbers."""
    entities = bank.entities.list(limit=1000)
    names = sorted((one.key, one.name, one.type, one.aliases, one.description, one.facts) for one in entities)
    return names, sorted(bank.told())


@pytest.mark.parametrize("seed", range(12))
def test_any_sequence_of_changes_leaves_what_a_fresh_clone_reads(project: Project, seed: int) -> None:
    """Facts and entities are what their records say, whatever the way that led there."""
    chance = random.Random(seed)
    names = ["Ada", "Bob", "Duck DB", "DuckDB", "Warehouse"]
    for _ in range(14):
        with opened(project) as bank:
            one, other = chance.sample(names, 2)
            act = chance.choice(["tie", "tie", "alias", "merge", "describe", "unlink", "unalias"])
            try:
                if act == "tie":
                    bank.tie(one, chance.choice(["uses", "knows"]), other)
                elif act == "alias":
                    bank.entities.alias(one, f"{other} alias")
                elif act == "unalias":
                    bank.entities.unalias(one, other)
                elif act == "merge":
                    bank.entities.merge(one, other)
                elif act == "describe":
                    bank.entities.edit(one, type=chance.choice(["tool", "person"]))
            except (UsageError, NotFound):
                continue
        records = sorted((project.root / ".tx").glob("[ef]*s/*.md"))
        if act == "unlink" and records:
            chance.choice(records).unlink()
    with opened(project) as bank:
        lived = picture(bank)
    lose_database(project)
    with opened(project) as bank:
        assert picture(bank) == lived
