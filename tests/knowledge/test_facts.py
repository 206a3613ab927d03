"""Facts: added once, superseded and protected by rule, confirmed by people, faded by age, and told as of a past day."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.knowledge.bank import Bank, lose_database, opened
from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.guard import SecretSuspected
from tx_graph.knowledge.fact import FactSource, FactStatus
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.workspace.doctor import examine

DAY = timedelta(days=1)


def test_a_fact_is_a_record_and_both_ends_are_entities(project: Project) -> None:
    with opened(project) as bank:
        added = bank.tie("Billing  service", "Depends on", "DuckDB")
        assert (added.stored.fact.predicate, added.stored.fact.status) == ("depends_on", FactStatus.STAGED)
        assert {one.name for one in bank.entities.list(limit=10)} == {"Billing service", "DuckDB"}
    (record,) = (project.root / ".tx" / "facts").iterdir()
    assert record.name.endswith("-billing-service-depends-on-duckdb.md")
    with opened(project) as bank:
        assert bank.workspace.synced.changed == 0


def test_a_file_is_named_by_its_path_from_wherever_one_stands(project: Project) -> None:
    project.write("src/auth.py", "x = 1\n")
    project.index()
    with project.open("src") as workspace:
        bank = Bank(workspace)
        added = bank.add("auth.py", "owner", "Ada")
        assert added.stored.subject_name == "src/auth.py"
        assert bank.entities.show("src/auth.py").entity.type == "file"


@pytest.mark.parametrize(("fields", "message"), [
    ({}, "either an object or a value"), ({"object": "a", "value": "b"}, "either an object or a value"),
    ({"value": " "}, "value is empty"), ({"value": "x", "confidence": 1.5}, "from 0 to 1"),
    ({"value": "x", "confidence": float("nan")}, "from 0 to 1"),
    ({"value": "x", "status": FactStatus.RETRACTED}, "staged or confirmed"),
    ({"value": "<<<<<<< a\n=======\n>>>>>>> b"}, "conflict markers"), ({"object": ""}, "name of an entity is empty"),
])  # fmt: skip
def test_what_is_no_fact_is_refused_and_not_written(project: Project, fields: dict[str, object], message: str) -> None:
    with opened(project) as bank, pytest.raises(UsageError, match=message):
        bank.facts.add(subject="a", predicate="is", **fields)  # type: ignore[arg-type]
    with opened(project) as bank:
        assert bank.entities.list(limit=10) == ()
    assert not (project.root / ".tx" / "facts").exists()


def test_the_same_statement_is_one_fact_and_gains_what_is_said_of_it(project: Project) -> None:
    with opened(project) as bank:
        first = bank.tie("Ada", "uses", "DuckDB", confidence=0.5, source=FactSource.CONVERSATION)
        again = bank.tie("ADA", "Uses", "duckdb", confidence=0.4, source=FactSource.FILE, source_ref="docs/a.md")
        assert (again.existed, again.stored.id) == (True, first.stored.id)
        fact = again.stored.fact
        assert (fact.confidence, fact.source, fact.source_ref) == (0.5, FactSource.FILE, "docs/a.md")
        assert bank.tie("Ada", "uses", "DuckDB", status=FactStatus.CONFIRMED).stored.fact.status == "confirmed"
        assert bank.tie("Ada", "uses", "DuckDB").stored.fact.status == "confirmed"
    assert len(list((project.root / ".tx" / "facts").iterdir())) == 1


def test_a_literal_and_an_entity_of_the_same_name_are_two_facts(bank: Bank) -> None:
    bank.tie("Ada", "uses", "DuckDB")
    assert not bank.add("Ada", "uses", "DuckDB").existed


def test_a_certain_new_value_supersedes_the_old_one(bank: Bank, project: Project) -> None:
    bank.add("Billing", "owner", "Ada")
    project.clock.pass_by(DAY)
    added = bank.add("Billing", "owner", "Bob", confidence=0.9)
    (old,) = added.superseded
    assert (old.fact.status, old.fact.valid_until, old.fact.superseded_by) == (
        FactStatus.SUPERSEDED,
        "2026-11-21T12:00:00Z",
        added.stored.fact.uid,
    )
    assert bank.told() == ["Billing owner Bob"]
    assert bank.facts.conflicts() == ()


def test_a_doubtful_new_value_leaves_both_and_is_a_conflict(bank: Bank) -> None:
    bank.add("Billing", "owner", "Ada")
    added = bank.add("Billing", "owner", "Bob", confidence=0.89)
    assert (added.superseded, [one.told for one in added.conflicting]) == ((), ["Ada"])
    (conflict,) = bank.facts.conflicts()
    assert (conflict.subject, conflict.predicate) == ("Billing", "owner")
    assert [one.stored.told for one in conflict.facts] == ["Ada", "Bob"]


def test_a_more_trusted_source_protects_the_old_value(bank: Bank) -> None:
    bank.add("Billing", "owner", "Ada", source=FactSource.FILE)
    assert not bank.add("Billing", "owner", "Bob", source=FactSource.CONVERSATION).superseded
    cleo = bank.add("Billing", "owner", "Cleo", source=FactSource.SYSTEM)
    assert ([one.told for one in cleo.superseded], [one.told for one in cleo.conflicting]) == (["Bob"], ["Ada"])
    assert len(bank.add("Billing", "owner", "Dan", source=FactSource.FILE).superseded) == 2
    assert bank.told() == ["Billing owner Dan"]


def test_only_what_is_declared_takes_one_value(project: Project) -> None:
    with opened(project) as bank:
        bank.add("Billing", "uses", "a")
        assert not bank.add("Billing", "uses", "b").superseded
        assert bank.facts.conflicts() == ()
    project.configure('embedder = "none"', "[facts]", 'single_valued = ["Uses"]')
    with opened(project) as bank:
        assert len(bank.facts.conflicts()) == 1
        assert len(bank.add("Billing", "uses", "c").superseded) == 2


def test_saying_again_what_was_superseded_turns_it_around_and_keeps_the_past(bank: Bank, project: Project) -> None:
    ada = bank.add("Billing", "owner", "Ada").stored  # on the 20th
    project.clock.pass_by(DAY)
    bank.add("Billing", "owner", "Bob")
    project.clock.pass_by(DAY)
    back = bank.add("Billing", "owner", "Ada")
    assert (back.revived, back.existed, back.stored.id == ada.id) == (True, False, False)
    assert bank.told() == ["Billing owner Ada"]
    days = ("2026-11-20", "2026-11-21", "2026-11-22")
    assert [bank.told(as_of=day) for day in days] == [[f"Billing owner {one}"] for one in ("Ada", "Bob", "Ada")]
    assert bank.history("Billing") == ["Ada", "Bob", "Ada"]


def test_what_is_doubted_when_it_is_said_again_supersedes_nothing(bank: Bank) -> None:
    bank.add("Billing", "owner", "Ada")
    bank.add("Billing", "owner", "Bob", confidence=0.5)
    again = bank.add("Billing", "owner", "Ada", confidence=0.1)
    assert (again.existed, again.superseded, len(again.conflicting)) == (True, (), 1)


def test_confirming_and_retracting(bank: Bank, project: Project) -> None:
    stored = bank.add("Billing", "uses", "a").stored
    assert bank.facts.confirm(stored.ref).fact.status is FactStatus.CONFIRMED
    project.clock.pass_by(DAY)
    gone = bank.facts.retract(stored.fact.uid[:6])
    assert (gone.fact.status, gone.fact.valid_until) == (FactStatus.RETRACTED, "2026-11-21T12:00:00Z")
    project.clock.pass_by(DAY)
    assert bank.facts.retract(stored.ref) == gone
    assert bank.told() == []
    assert bank.told(status=FactStatus.RETRACTED) == bank.told(past=True) == ["Billing uses a"]
    assert bank.facts.confirm(stored.ref).fact.valid_until is None


@pytest.mark.parametrize("ref", ["9", "fact:9", "zzzz", "", "fact:", "9" * 40, "9" * 5000, "²", "fact:²"])
def test_an_unknown_fact_lists_the_nearest(bank: Bank, ref: str) -> None:
    bank.add("Billing", "uses", "a")
    with pytest.raises(NotFound, match="There is no fact") as error:
        bank.facts.confirm(ref)
    assert error.value.candidates[0].endswith("Billing uses: a")


def test_the_past_is_answered_as_it_was_known_then(bank: Bank, project: Project) -> None:
    bank.add("Billing", "owner", "Ada")  # on the 20th
    project.clock.pass_by(DAY)
    bank.add("Billing", "owner", "Bob")  # on the 21st
    project.clock.pass_by(DAY)
    bank.facts.retract("2")  # on the 22nd
    assert bank.told(about="Billing", as_of="2026-11-19") == []
    assert bank.told(about="billing", as_of="2026-11-20") == ["Billing owner Ada"]
    assert bank.told(about="Billing", as_of="2026-11-21T11:59:59Z") == ["Billing owner Ada"]
    assert bank.told(about="Billing", as_of="2026-11-21") == ["Billing owner Bob"]
    assert bank.told(about="Billing", as_of="2026-11-22") == bank.told() == []


def test_what_was_retracted_by_hand_without_a_day_held_at_none(project: Project) -> None:
    with opened(project) as bank:
        stored = bank.add("Billing", "owner", "Ada").stored
    record = project.root / ".tx" / "facts" / str(stored.record)
    project.write(f".tx/facts/{record.name}", record.read_text(encoding="utf-8").replace("staged", "retracted"))
    with opened(project) as bank:
        assert bank.told(as_of="2026-11-20") == bank.told() == []
        assert bank.told(past=True) == ["Billing owner Ada"]


def test_history_tells_all_that_was_ever_said_oldest_first(bank: Bank, project: Project) -> None:
    for owner in ("Ada", "Bob"):
        bank.add("Billing", "owner", owner)
        project.clock.pass_by(DAY)
    bank.tie("Ada", "works_on", "Billing")
    values = bank.history("billing")
    assert values == ["Ada", "Bob", "Billing"]
    assert bank.history("Billing", predicate="Owner") == ["Ada", "Bob"]
    assert bank.history("fact:2") == ["Ada", "Bob"]


def test_facts_are_filtered_by_every_field(bank: Bank) -> None:
    bank.add("Ada", "likes", "tea", source=FactSource.CONVERSATION)
    bank.tie("Bob", "knows", "Ada", status=FactStatus.CONFIRMED)
    assert bank.told(subject="Ada") == ["Ada likes tea"]
    assert bank.told(about="Ada") == ["Bob knows Ada", "Ada likes tea"]
    assert bank.told(predicate="Likes") == ["Ada likes tea"]
    assert bank.told(source=FactSource.USER_EDIT) == ["Bob knows Ada"]
    assert bank.told(status=FactStatus.CONFIRMED) == ["Bob knows Ada"]
    with pytest.raises(NotFound, match="no entity 'Cleo'") as error:
        bank.told(about="Cleo")
    assert error.value.candidates
    with pytest.raises(UsageError, match="limit"):
        bank.facts.list(limit=0)


def test_facts_are_found_by_a_part_of_what_they_say(bank: Bank) -> None:
    bank.add("Billing", "owner", "Ada Lovelace")
    bank.tie("Reports", "uses", "DuckDB")
    assert bank.told(grep="LOVE") == ["Billing owner Ada Lovelace"]
    assert bank.told(grep="uses: duck") == ["Reports uses DuckDB"]
    assert bank.told(grep="%") == []


def test_a_lost_database_loses_no_fact(project: Project) -> None:
    with opened(project) as bank:
        bank.add("Billing", "owner", "Ada")
        bank.add("Billing", "owner", "Bob")
        bank.entities.alias("Billing", "BS")
        before = [bank.facts.get("1").fact, bank.facts.get("2").fact]
    lose_database(project)
    with opened(project) as bank:
        history = bank.facts.history("bs")
        assert sorted((one.stored.fact for one in history), key=lambda fact: fact.value or "") == before


def test_records_edited_by_hand_and_broken_ones(project: Project) -> None:
    with opened(project) as bank:
        bank.add("Billing", "owner", "Ada")
    (record,) = (project.root / ".tx" / "facts").iterdir()
    record.write_text(record.read_text().replace("subject: Billing", "subject: Payments"), encoding="utf-8")
    with opened(project) as bank:
        assert bank.told() == ["Payments owner Ada"]
    record.write_text("no record\n", encoding="utf-8")
    with opened(project) as bank:
        assert bank.told() == []
        assert bank.workspace.record_problems() == [
            f".tx/facts/{record.name}:1: it does not start with '---'; it is skipped"
        ]
        assert {finding.check for finding in examine(bank.workspace.kernel) if finding.level == "problem"} == {
            "records"
        }


WEEK = timedelta(weeks=1)


def add(bank: Bank, value: str, *, accesses: int = 0, **fields: Any) -> None:  # noqa: ANN401
    stored = bank.add("Ada", "said", value, source=FactSource.CONVERSATION, **fields).stored
    database = bank.workspace.kernel.database
    with database.transaction():
        for _ in range(accesses):
            FactStore(database).count_accesses([stored.id], now=bank.workspace.kernel.now())


def outcome(bank: Bank, **how: bool) -> tuple[list[str], list[str]]:
    done = bank.facts.maintain(**how)
    return [one.stored.told for one in done.waiting], [one.stored.told for one in done.retracted]


def statuses(bank: Bank) -> dict[str, FactStatus]:
    return {one.stored.told: one.stored.fact.status for one in bank.facts.history("Ada")}


def test_what_was_recalled_waits_for_a_person_who_confirms_it(bank: Bank) -> None:
    add(bank, "twice", accesses=2)
    add(bank, "thrice", accesses=3)
    assert outcome(bank) == outcome(bank, apply=True) == (["thrice"], [])
    assert set(statuses(bank).values()) == {FactStatus.STAGED}
    bank.facts.confirm("2")
    assert outcome(bank, apply=True) == ([], [])


def test_what_faded_is_shown_and_retracted_only_when_asked_for(bank: Bank, project: Project) -> None:
    add(bank, "doubtful", confidence=0.19)  # 0.19 < 0.2
    add(bank, "just enough", confidence=0.2)
    assert outcome(bank) == ([], ["doubtful"])
    assert statuses(bank)["doubtful"] is FactStatus.STAGED
    assert outcome(bank, apply=True) == ([], ["doubtful"])
    assert statuses(bank)["doubtful"] is FactStatus.RETRACTED
    project.clock.pass_by(2 * WEEK)  # 0.2 × 0.95
    assert outcome(bank, apply=True) == ([], ["just enough"])
    assert bank.facts.confirm("2").fact.status is FactStatus.CONFIRMED
    assert bank.history("Ada") == ["doubtful", "just enough"]
    with pytest.raises(UsageError, match="exclude each other"):
        bank.facts.maintain(apply=True, dry_run=True)


def test_what_a_person_confirmed_or_may_be_disputed_or_is_used_here_never_fades(bank: Bank, project: Project) -> None:
    add(bank, "confirmed", status=FactStatus.CONFIRMED)
    bank.add("Ada", "status", "busy", source=FactSource.CONVERSATION)
    add(bank, "used")
    add(bank, "gone")
    project.clock.pass_by(520 * WEEK)
    database = bank.workspace.kernel.database
    with database.transaction():
        FactStore(database).count_accesses([3], now=bank.workspace.kernel.now())
    assert outcome(bank, apply=True) == ([], ["gone"])


def test_a_fact_that_faded_in_one_clone_and_was_confirmed_in_another_holds(project: Project, tmp_path: Path) -> None:
    with opened(project) as bank:
        add(bank, "so", confidence=0.5)
    (record,) = (project.root / ".tx" / "facts").iterdir()
    before = record.read_text()
    project.clock.pass_by(52 * WEEK)
    with opened(project) as bank:
        assert outcome(bank, apply=True) == ([], ["so"])
        faded = record.read_text()
        assert bank.facts.get("1").fact.valid_until == "2027-04-01T13:06:37Z"
    record.write_text(before)
    with opened(project) as bank:
        bank.facts.confirm("1")
    ours, theirs = tmp_path / "confirmed", tmp_path / "faded"
    ours.write_text(record.read_text())
    theirs.write_text(faded)
    (tmp_path / "before").write_text(before)
    merged = project.git.git("merge-file", "-p", str(ours), str(tmp_path / "before"), str(theirs))
    record.write_text(merged)
    with opened(project) as bank:
        assert (bank.facts.get("1").fact.status, bank.facts.get("1").fact.valid_until) == (FactStatus.CONFIRMED, None)


def test_a_private_fact_has_no_record_outlives_the_database_and_ends_nothing_that_all_know(project: Project) -> None:
    with opened(project) as bank:
        bank.add("Billing", "owner", "Ada")
        added = bank.add("Billing", "owner", "Bob", private=True, status=FactStatus.CONFIRMED)
        assert (added.stored.private, added.stored.path, added.superseded) == (True, None, ())
        bank.add("Billing", "note", "mine", private=True)
        assert len([*(project.root / ".tx" / "facts").iterdir()]) == 1
        with pytest.raises(SecretSuspected):
            bank.add("Billing", "token", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8", private=True)
    lose_database(project)
    with opened(project) as bank:
        assert set(bank.told()) == {"Billing owner Ada", "Billing owner Bob", "Billing note mine"}
        note = bank.facts.list(predicate="note")[0].stored
        assert bank.facts.retract(note.ref).private
        assert set(bank.told()) == {"Billing owner Ada", "Billing owner Bob"}
        shared = bank.add("Billing", "owner", "Bob")
        assert (shared.existed, shared.stored.private, bool(shared.stored.path)) == (True, False, True)


def test_it_is_all_or_nothing_in_the_records(project: Project) -> None:
    with opened(project) as bank:
        add(bank, "one", confidence=0.1)
        add(bank, "two", confidence=0.15)
        bank.facts.maintain(apply=True)
    lose_database(project)
    with opened(project) as bank:
        assert statuses(bank) == {"one": FactStatus.RETRACTED, "two": FactStatus.RETRACTED}


def test_a_journal_of_a_tx_that_knew_no_private_facts_is_written_anew(project: Project) -> None:
    with opened(project) as bank:
        bank.add("Billing", "owner", "Ada")
    lose_database(project)
    (journal,) = (project.root / ".tx").rglob("journal*.jsonl")
    head, *lines = map(json.loads, journal.read_text().splitlines())
    head["columns"]["facts"].remove("private")
    for one in lines:
        one.update({name: [row[:-1] for row in rows] for name, rows in one.items() if name == "facts"})
    journal.write_text("".join(f"{json.dumps(one)}\n" for one in (head, *lines)))
    with opened(project) as bank:
        bank.add("Billing", "note", "mine", private=True)
    lose_database(project)
    with opened(project) as bank:
        assert set(bank.told()) == {"Billing owner Ada", "Billing note mine"}
