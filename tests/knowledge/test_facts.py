"""Facts: added once, superseded and protected by rule, confirmed, retracted, and told as of a day in the past."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.knowledge.entities import Entities
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact
from tx_graph.knowledge.facts import Added, Facts
from tx_graph.workspace.composition import Workspace
from tx_graph.workspace.doctor import examine

DAY = timedelta(days=1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def add(workspace: Workspace, subject: str, predicate: str, value: str, **fields: object) -> Added:
    return workspace.kernel.one(Facts).add(subject=subject, predicate=predicate, value=value, **fields)  # type: ignore[arg-type]


def tie(workspace: Workspace, subject: str, predicate: str, named: str, **fields: object) -> Added:
    return workspace.kernel.one(Facts).add(subject=subject, predicate=predicate, object=named, **fields)  # type: ignore[arg-type]


def told(workspace: Workspace, **query: object) -> list[str]:
    found = workspace.kernel.one(Facts).list(**query, limit=100)  # type: ignore[arg-type]
    return [f"{one.stored.subject_name} {one.stored.fact.predicate} {one.stored.told}" for one in found]


def by_number(workspace: Workspace, number: int) -> StoredFact:
    return workspace.kernel.one(Facts).get(str(number))


def test_a_fact_is_a_record_and_both_ends_are_entities(project: Project) -> None:
    with project.open() as workspace:
        added = tie(workspace, "Billing  service", "Depends on", "DuckDB")
        assert (added.stored.fact.predicate, added.stored.fact.status) == ("depends_on", FactStatus.STAGED)
        assert {one.name for one in workspace.kernel.one(Entities).list(limit=10)} == {"Billing service", "DuckDB"}
    (record,) = (project.root / ".tx" / "facts").iterdir()
    assert record.name.endswith("-billing-service-depends-on-duckdb.md")
    with project.open() as workspace:
        assert workspace.synced.changed == 0


def test_a_file_is_named_by_its_path_from_wherever_one_stands(project: Project) -> None:
    project.write("src/auth.py", "x = 1\n")
    project.index()
    with project.open("src") as workspace:
        added = add(workspace, "auth.py", "owner", "Ada")
        assert added.stored.subject_name == "src/auth.py"
        assert workspace.kernel.one(Entities).show("src/auth.py").entity.type == "file"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "either an object or a value"),
        ({"object": "a", "value": "b"}, "either an object or a value"),
        ({"value": " "}, "value is empty"),
        ({"value": "x", "confidence": 1.5}, "from 0 to 1"),
        ({"value": "x", "confidence": float("nan")}, "from 0 to 1"),
        ({"value": "x", "status": FactStatus.RETRACTED}, "staged or confirmed"),
        ({"value": "<<<<<<< a\n=======\n>>>>>>> b"}, "conflict markers"),
        ({"object": ""}, "name of an entity is empty"),
    ],
)
def test_what_is_no_fact_is_refused_and_nothing_is_written(
    project: Project, fields: dict[str, object], message: str
) -> None:
    with project.open() as workspace, pytest.raises(UsageError, match=message):
        workspace.kernel.one(Facts).add(subject="a", predicate="is", **fields)  # type: ignore[arg-type]
    with project.open() as workspace:
        assert workspace.kernel.one(Entities).list(limit=10) == ()
    assert not (project.root / ".tx" / "facts").exists()


def test_the_same_statement_is_one_fact_and_gains_what_is_said_of_it(project: Project) -> None:
    with project.open() as workspace:
        first = tie(workspace, "Ada", "uses", "DuckDB", confidence=0.5, source=FactSource.CONVERSATION)
        again = tie(workspace, "ADA", "Uses", "duckdb", confidence=0.4, source=FactSource.FILE, source_ref="docs/a.md")
        assert (again.existed, again.stored.id) == (True, first.stored.id)
        fact = again.stored.fact
        assert (fact.confidence, fact.source, fact.source_ref) == (0.5, FactSource.FILE, "docs/a.md")
        assert tie(workspace, "Ada", "uses", "DuckDB", status=FactStatus.CONFIRMED).stored.fact.status == "confirmed"
        assert tie(workspace, "Ada", "uses", "DuckDB").stored.fact.status == "confirmed"
    assert len(list((project.root / ".tx" / "facts").iterdir())) == 1


def test_a_literal_and_an_entity_of_the_same_name_are_two_facts(project: Project) -> None:
    with project.open() as workspace:
        tie(workspace, "Ada", "uses", "DuckDB")
        assert not add(workspace, "Ada", "uses", "DuckDB").existed


def test_a_certain_new_value_supersedes_the_old_one(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")
        project.clock.pass_by(DAY)
        added = add(workspace, "Billing", "owner", "Bob", confidence=0.9)
        (old,) = added.superseded
        assert (old.fact.status, old.fact.valid_until, old.fact.superseded_by) == (
            FactStatus.SUPERSEDED,
            "2026-11-21T12:00:00Z",
            added.stored.fact.uid,
        )
        assert told(workspace) == ["Billing owner Bob"]
        assert workspace.kernel.one(Facts).conflicts() == ()


def test_a_doubtful_new_value_leaves_both_and_is_a_conflict(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")
        added = add(workspace, "Billing", "owner", "Bob", confidence=0.89)
        assert (added.superseded, [one.told for one in added.conflicting]) == ((), ["Ada"])
        (conflict,) = workspace.kernel.one(Facts).conflicts()
        assert (conflict.subject, conflict.predicate) == ("Billing", "owner")
        assert [one.stored.told for one in conflict.facts] == ["Ada", "Bob"]


def test_a_more_trusted_source_protects_the_old_value(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada", source=FactSource.FILE)
        assert not add(workspace, "Billing", "owner", "Bob", source=FactSource.CONVERSATION).superseded
        cleo = add(workspace, "Billing", "owner", "Cleo", source=FactSource.SYSTEM)
        assert ([one.told for one in cleo.superseded], [one.told for one in cleo.conflicting]) == (["Bob"], ["Ada"])
        assert len(add(workspace, "Billing", "owner", "Dan", source=FactSource.FILE).superseded) == 2
        assert told(workspace) == ["Billing owner Dan"]


def test_only_what_is_declared_takes_one_value(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "uses", "a")
        assert not add(workspace, "Billing", "uses", "b").superseded
        assert workspace.kernel.one(Facts).conflicts() == ()
    project.configure('embedder = "none"', "[facts]", 'single_valued = ["Uses"]')
    with project.open() as workspace:
        assert len(workspace.kernel.one(Facts).conflicts()) == 1
        assert len(add(workspace, "Billing", "uses", "c").superseded) == 2


def test_saying_again_what_was_superseded_turns_it_around_and_keeps_the_past(project: Project) -> None:
    with project.open() as workspace:
        ada = add(workspace, "Billing", "owner", "Ada").stored  # on the 20th
        project.clock.pass_by(DAY)
        add(workspace, "Billing", "owner", "Bob")
        project.clock.pass_by(DAY)
        back = add(workspace, "Billing", "owner", "Ada")
        assert (back.revived, back.existed, back.stored.id == ada.id) == (True, False, False)
        assert told(workspace) == ["Billing owner Ada"]
        days = ("2026-11-20", "2026-11-21", "2026-11-22")
        assert [told(workspace, as_of=day) for day in days] == [
            [f"Billing owner {one}"] for one in ("Ada", "Bob", "Ada")
        ]
        assert [one.stored.told for one in workspace.kernel.one(Facts).history("Billing")] == ["Ada", "Bob", "Ada"]


def test_what_is_doubted_when_it_is_said_again_supersedes_nothing(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")
        add(workspace, "Billing", "owner", "Bob", confidence=0.5)
        again = add(workspace, "Billing", "owner", "Ada", confidence=0.1)
        assert (again.existed, again.superseded, len(again.conflicting)) == (True, (), 1)


def test_confirming_and_retracting(project: Project) -> None:
    with project.open() as workspace:
        stored = add(workspace, "Billing", "uses", "a").stored
        assert workspace.kernel.one(Facts).confirm(stored.ref).fact.status is FactStatus.CONFIRMED
        project.clock.pass_by(DAY)
        gone = workspace.kernel.one(Facts).retract(stored.fact.uid[:6])
        assert (gone.fact.status, gone.fact.valid_until) == (FactStatus.RETRACTED, "2026-11-21T12:00:00Z")
        project.clock.pass_by(DAY)
        assert workspace.kernel.one(Facts).retract(stored.ref) == gone
        assert told(workspace) == []
        assert told(workspace, status=FactStatus.RETRACTED) == told(workspace, past=True) == ["Billing uses a"]
        assert workspace.kernel.one(Facts).confirm(stored.ref).fact.valid_until is None


@pytest.mark.parametrize("ref", ["9", "fact:9", "zzzz", "", "fact:", "9" * 40, "9" * 5000, "²", "fact:²"])
def test_an_unknown_fact_lists_the_nearest(project: Project, ref: str) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "uses", "a")
        with pytest.raises(NotFound, match="There is no fact") as error:
            workspace.kernel.one(Facts).confirm(ref)
        assert error.value.candidates[0].endswith("Billing uses: a")


def test_the_past_is_answered_as_it_was_known_then(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")  # on the 20th
        project.clock.pass_by(DAY)
        add(workspace, "Billing", "owner", "Bob")  # on the 21st
        project.clock.pass_by(DAY)
        workspace.kernel.one(Facts).retract("2")  # on the 22nd
        assert told(workspace, about="Billing", as_of="2026-11-19") == []
        assert told(workspace, about="billing", as_of="2026-11-20") == ["Billing owner Ada"]
        assert told(workspace, about="Billing", as_of="2026-11-21T11:59:59Z") == ["Billing owner Ada"]
        assert told(workspace, about="Billing", as_of="2026-11-21") == ["Billing owner Bob"]
        assert told(workspace, about="Billing", as_of="2026-11-22") == told(workspace) == []


def test_what_was_retracted_by_hand_without_a_day_held_at_none(project: Project) -> None:
    with project.open() as workspace:
        stored = add(workspace, "Billing", "owner", "Ada").stored
    record = project.root / ".tx" / "facts" / str(stored.record)
    project.write(f".tx/facts/{record.name}", record.read_text(encoding="utf-8").replace("staged", "retracted"))
    with project.open() as workspace:
        assert told(workspace, as_of="2026-11-20") == told(workspace) == []
        assert told(workspace, past=True) == ["Billing owner Ada"]


def test_history_tells_all_that_was_ever_said_oldest_first(project: Project) -> None:
    with project.open() as workspace:
        for owner in ("Ada", "Bob"):
            add(workspace, "Billing", "owner", owner)
            project.clock.pass_by(DAY)
        tie(workspace, "Ada", "works_on", "Billing")
        values = [one.stored.told for one in workspace.kernel.one(Facts).history("billing")]
        assert values == ["Ada", "Bob", "Billing"]
        assert [one.stored.told for one in workspace.kernel.one(Facts).history("Billing", predicate="Owner")] == [
            "Ada",
            "Bob",
        ]
        assert [one.stored.told for one in workspace.kernel.one(Facts).history("fact:2")] == ["Ada", "Bob"]


def test_facts_are_filtered_by_every_field(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Ada", "likes", "tea", source=FactSource.CONVERSATION)
        tie(workspace, "Bob", "knows", "Ada", status=FactStatus.CONFIRMED)
        assert told(workspace, subject="Ada") == ["Ada likes tea"]
        assert told(workspace, about="Ada") == ["Bob knows Ada", "Ada likes tea"]
        assert told(workspace, predicate="Likes") == ["Ada likes tea"]
        assert told(workspace, source=FactSource.USER_EDIT) == ["Bob knows Ada"]
        assert told(workspace, status=FactStatus.CONFIRMED) == ["Bob knows Ada"]
        with pytest.raises(NotFound, match="no entity 'Cleo'") as error:
            told(workspace, about="Cleo")
        assert error.value.candidates
        with pytest.raises(UsageError, match="limit"):
            workspace.kernel.one(Facts).list(limit=0)


def test_a_lost_database_loses_no_fact(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")
        add(workspace, "Billing", "owner", "Bob")
        workspace.kernel.one(Entities).alias("Billing", "BS")
        before = [by_number(workspace, 1).fact, by_number(workspace, 2).fact]
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
    with project.open() as workspace:
        history = workspace.kernel.one(Facts).history("bs")
        assert sorted((one.stored.fact for one in history), key=lambda fact: fact.value or "") == before


def test_records_edited_by_hand_and_broken_ones(project: Project) -> None:
    with project.open() as workspace:
        add(workspace, "Billing", "owner", "Ada")
    (record,) = (project.root / ".tx" / "facts").iterdir()
    record.write_text(record.read_text().replace("subject: Billing", "subject: Payments"), encoding="utf-8")
    with project.open() as workspace:
        assert told(workspace) == ["Payments owner Ada"]
    record.write_text("no record\n", encoding="utf-8")
    with project.open() as workspace:
        assert told(workspace) == []
        assert workspace.record_problems() == [
            f".tx/facts/{record.name}:1: it does not start with '---'; it is skipped"
        ]
        assert {finding.check for finding in examine(workspace.kernel) if finding.level == "problem"} == {"records"}
