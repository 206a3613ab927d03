"""The life cycle: what is recalled is promoted, what fades is retracted, what was often used is kept."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tests.knowledge.bank import Bank, lose_database, opened
from tests.support import Project
from tx_graph.core.kernel import iso
from tx_graph.knowledge.fact import FactSource, FactStatus
from tx_graph.knowledge.fact_store import FactStore

WEEK = timedelta(weeks=1)


def add(bank: Bank, value: str, *, accesses: int = 0, **fields: Any) -> None:  # noqa: ANN401
    stored = bank.add("Ada", "said", value, source=FactSource.CONVERSATION, **fields).stored
    database = bank.workspace.kernel.database
    with database.transaction():
        for _ in range(accesses):
            FactStore(database).count_accesses([stored.id], now=bank.workspace.kernel.now())


def outcome(bank: Bank, **how: bool) -> tuple[list[str], list[str]]:
    done = bank.facts.maintain(**how)
    return [one.stored.told for one in done.promoted], [one.stored.told for one in done.retracted]


def statuses(bank: Bank) -> dict[str, FactStatus]:
    return {one.stored.told: one.stored.fact.status for one in bank.facts.history("Ada")}


def test_what_was_recalled_three_times_is_confirmed(bank: Bank) -> None:
    add(bank, "twice", accesses=2)
    add(bank, "thrice", accesses=3)
    assert outcome(bank, dry_run=True) == (["thrice"], [])
    assert statuses(bank)["thrice"] is FactStatus.STAGED
    assert outcome(bank) == (["thrice"], [])
    assert statuses(bank) == {"twice": FactStatus.STAGED, "thrice": FactStatus.CONFIRMED}
    assert outcome(bank) == ([], [])


def test_what_has_faded_is_retracted(bank: Bank, project: Project) -> None:
    add(bank, "doubtful", confidence=0.19)  # 0.19 < 0.2
    add(bank, "just enough", confidence=0.2)  # 0.2 is not below 0.2
    assert outcome(bank) == ([], ["doubtful"])
    project.clock.pass_by(2 * WEEK)  # 0.2 × 0.95
    assert outcome(bank) == ([], ["just enough"])
    assert bank.facts.get("2").fact.valid_until == iso(project.clock.now())


def test_promotion_is_tried_first(bank: Bank) -> None:
    add(bank, "used", confidence=0.1, accesses=3)
    # Confirmed now, and faded: with three accesses it is not among those that are kept.
    assert [outcome(bank), outcome(bank)] == [(["used"], []), ([], ["used"])]


def test_confirmed_facts_that_were_recalled_five_times_are_kept_however_old(bank: Bank, project: Project) -> None:
    add(bank, "kept", status=FactStatus.CONFIRMED, accesses=5)
    add(bank, "gone", status=FactStatus.CONFIRMED, accesses=4)
    project.clock.pass_by(520 * WEEK)
    assert outcome(bank) == ([], ["gone"])


def test_it_is_all_or_nothing_in_the_records(project: Project) -> None:
    with opened(project) as bank:
        add(bank, "one", confidence=0.1)
        add(bank, "two", accesses=3)
        bank.facts.maintain()
    lose_database(project)
    with opened(project) as bank:
        assert statuses(bank) == {"one": FactStatus.RETRACTED, "two": FactStatus.CONFIRMED}
