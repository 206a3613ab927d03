"""The life cycle: what is recalled is promoted, what fades is retracted, what was often used is kept."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.core.working_tree import iso
from tx_graph.knowledge.fact import FactSource, FactStatus
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.knowledge.facts import Facts, Maintained
from tx_graph.workspace.composition import Workspace

WEEK = timedelta(weeks=1)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def add(project: Project, workspace: Workspace, value: str, *, accesses: int = 0, **fields: object) -> None:
    facts = workspace.kernel.one(Facts)
    stored = facts.add("Ada", "said", value=value, source=FactSource.CONVERSATION, **fields).stored  # type: ignore[arg-type]
    database = workspace.kernel.database
    with database.transaction():
        for _ in range(accesses):
            FactStore(database).count_accesses([stored.id], now=iso(project.clock.now()))


def outcome(done: Maintained) -> tuple[list[str], list[str]]:
    return [one.stored.told for one in done.promoted], [one.stored.told for one in done.retracted]


def statuses(workspace: Workspace) -> dict[str, FactStatus]:
    return {one.stored.told: one.stored.fact.status for one in workspace.kernel.one(Facts).history("Ada")}


def test_what_was_recalled_three_times_is_confirmed(project: Project) -> None:
    with project.open() as workspace:
        add(project, workspace, "twice", accesses=2)
        add(project, workspace, "thrice", accesses=3)
        assert outcome(workspace.kernel.one(Facts).maintain(dry_run=True)) == (["thrice"], [])
        assert statuses(workspace)["thrice"] is FactStatus.STAGED
        assert outcome(workspace.kernel.one(Facts).maintain()) == (["thrice"], [])
        assert statuses(workspace) == {"twice": FactStatus.STAGED, "thrice": FactStatus.CONFIRMED}
        assert outcome(workspace.kernel.one(Facts).maintain()) == ([], [])


def test_what_has_faded_is_retracted(project: Project) -> None:
    with project.open() as workspace:
        add(project, workspace, "doubtful", confidence=0.19)  # 0.19 < 0.2
        add(project, workspace, "just enough", confidence=0.2)  # 0.2 is not below 0.2
        assert outcome(workspace.kernel.one(Facts).maintain()) == ([], ["doubtful"])
        project.clock.pass_by(2 * WEEK)  # 0.2 × 0.95
        assert outcome(workspace.kernel.one(Facts).maintain()) == ([], ["just enough"])
        (fact,) = (
            one.stored.fact for one in workspace.kernel.one(Facts).history("Ada") if one.stored.told == "just enough"
        )
        assert fact.valid_until == iso(project.clock.now())


def test_promotion_is_tried_first(project: Project) -> None:
    with project.open() as workspace:
        add(project, workspace, "used", confidence=0.1, accesses=3)
        assert outcome(workspace.kernel.one(Facts).maintain()) == (["used"], [])
        # Confirmed now, and faded: with three accesses it is not among those that are kept.
        assert outcome(workspace.kernel.one(Facts).maintain()) == ([], ["used"])


def test_confirmed_facts_that_were_recalled_five_times_are_kept_however_old(project: Project) -> None:
    with project.open() as workspace:
        add(project, workspace, "kept", status=FactStatus.CONFIRMED, accesses=5)
        add(project, workspace, "gone", status=FactStatus.CONFIRMED, accesses=4)
        project.clock.pass_by(520 * WEEK)
        assert outcome(workspace.kernel.one(Facts).maintain()) == ([], ["gone"])


def test_it_is_all_or_nothing_in_the_records(project: Project) -> None:
    with project.open() as workspace:
        add(project, workspace, "one", confidence=0.1)
        add(project, workspace, "two", accesses=3)
        workspace.kernel.one(Facts).maintain()
    for file in (project.root / ".tx").glob("graph.db*"):
        file.unlink()
    with project.open() as workspace:
        assert statuses(workspace) == {"one": FactStatus.RETRACTED, "two": FactStatus.CONFIRMED}
