"""Tasks: named by number or by what a tracker calls them, with what was learned in them and what helped."""

from __future__ import annotations

from datetime import timedelta

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.learnings.learnings import Draft
from tx_graph.records.learning import SourceType, StoredLearning
from tx_graph.work.references import WorkReferences
from tx_graph.work.runs import record_shown
from tx_graph.work.store import TaskStore
from tx_graph.work.values import Task, TaskStatus

HOUR = timedelta(hours=1)


def learned(workspace: Workspace, content: str, task: Task) -> StoredLearning:
    draft = Draft(content=content, source_type=SourceType.TASK, source_ref=task.name, derived_from=task.node)
    return workspace.learnings.add_draft(draft).stored


def named(workspace: Workspace, name: str) -> Task:
    return workspace.kernel.one(WorkReferences).task(name)


@pytest.mark.parametrize("name", ["1", " 1 ", "task:1", "GH-123", "gh-123", "task:GH-123"])
def test_a_task_is_named_by_number_reference_or_external_id(workspace: Workspace, name: str) -> None:
    task = workspace.tasks.add("Repair the login", external_id="GH-123")
    assert named(workspace, name) == workspace.kernel.one(WorkReferences).find_task(name) == task


@pytest.mark.parametrize("name", ["3", "9" * 40, "GH-12", "task:7", "repair"])
def test_an_unknown_task_lists_the_nearest(workspace: Workspace, name: str) -> None:
    workspace.tasks.add("Something else")
    workspace.tasks.add("Repair the login", external_id="GH-123")
    workspace.tasks.done("2")
    with pytest.raises(NotFound, match="There is no task") as error:
        named(workspace, name)
    assert error.value.candidates[0] == "2 (GH-123) Repair the login"
    assert workspace.kernel.one(WorkReferences).find_task(name) is None


@pytest.mark.parametrize("name", ["run:1", "learning:1", "file:a.py"])
def test_what_is_of_another_kind_is_no_task(workspace: Workspace, name: str) -> None:
    workspace.tasks.add("One")
    with pytest.raises(NotFound, match=f"'{name}' is not a task"):
        named(workspace, name)


def test_an_external_id_that_is_taken_names_its_holder(workspace: Workspace) -> None:
    workspace.tasks.add("One", external_id="GH-1")
    workspace.tasks.add("Two")
    with pytest.raises(UsageError, match="called GH-1 already") as error:
        workspace.tasks.add("Three", external_id="gh-1")
    assert error.value.candidates == ("1 (GH-1) One",)
    with pytest.raises(UsageError):
        workspace.tasks.edit("2", external_id="GH-1")
    assert [task.title for task in workspace.tasks.list(None, limit=9)] == ["Two", "One"]


def test_tasks_are_listed_by_status_newest_first(workspace: Workspace) -> None:
    for title in ("One", "Two", "Three"):
        workspace.tasks.add(title)
    workspace.tasks.done("2")
    asked = [(TaskStatus.OPEN, 9), (TaskStatus.DONE, 9), (None, 9), (None, 1)]
    found = [[task.title for task in workspace.tasks.list(status, limit=limit)] for status, limit in asked]
    assert found == [["Three", "One"], ["Two"], ["Three", "Two", "One"], ["Three"]]
    for limit in (0, -1, 10_001):
        with pytest.raises(UsageError):
            workspace.tasks.list(limit=limit)


def test_an_edit_changes_what_is_given_and_clears_what_is_empty(workspace: Workspace, project: Project) -> None:
    before = workspace.tasks.add("One", description="more", external_id="GH-1")
    project.clock.pass_by(HOUR)
    after = workspace.tasks.edit("1", title=" Two ", external_id="gh-1")
    assert (after.title, after.description, after.external_id) == ("Two", "more", "gh-1")
    assert (after.created_at, after.updated_at) == (before.created_at, "2026-11-20T13:00:00Z")
    cleared = workspace.tasks.edit("1", description="", external_id=" ")
    assert (cleared.title, cleared.description, cleared.external_id) == ("Two", "", None)
    for changes in ({}, {"title": " "}, {"external_id": "12"}):
        with pytest.raises(UsageError):
            workspace.tasks.edit("1", **changes)
    assert named(workspace, "1") == cleared


def test_done_keeps_its_first_time_and_reopening_clears_it(workspace: Workspace, project: Project) -> None:
    workspace.tasks.add("One")
    done = workspace.tasks.done("1")
    assert (done.status, done.done_at) == (TaskStatus.DONE, "2026-11-20T12:00:00Z")
    project.clock.pass_by(HOUR)
    assert workspace.tasks.done("1") == done
    reopened = workspace.tasks.reopen("1")
    assert (reopened.status, reopened.done_at) == (TaskStatus.OPEN, None)
    assert workspace.tasks.reopen("1") == reopened


def test_a_task_shows_its_runs_what_was_learned_and_what_was_used(workspace: Workspace) -> None:
    learned(workspace, "Learned in the task", workspace.tasks.add("One", external_id="GH-1"))
    used = [workspace.learnings.add_draft(Draft(content=text)).stored for text in ("Used", "Better", "Gone")]
    run, _ = (workspace.runs.start(task="GH-1") for _ in range(2))
    workspace.learnings.add_draft(Draft(content="Learned in a run", derived_from=run.node))
    record_shown(workspace.kernel, "1", [(one.node, 0.5) for one in used])
    workspace.runs.feedback("1", helpful=["3"], unhelpful=["2"])
    workspace.runs.feedback("2", helpful=["3"])
    workspace.learnings.remove("4")
    shown = workspace.tasks.show("GH-1")
    assert [run.id for run in shown.runs] == [2, 1]
    assert [one.learning.content for one in shown.derived] == ["Learned in a run", "Learned in the task"]
    found = [(one.stored.learning.content, one.helpful, one.unhelpful, len(one.uses)) for one in shown.used]
    assert found == [("Better", 2, 0, 2), ("Used", 0, 1, 1)]


def test_a_removed_learning_is_not_shown_and_comes_back_with_its_origin(workspace: Workspace) -> None:
    learned(workspace, "Once", workspace.tasks.add("One"))
    workspace.learnings.remove("1")
    assert workspace.tasks.show("1").derived == ()
    assert workspace.graph.show("task:1").steps == ()
    workspace.learnings.restore("1")
    assert [one.id for one in workspace.tasks.show("1").derived] == [1]
    assert [step.target for step in workspace.graph.show("task:1").steps] == ["learning:1"]


def test_a_learning_that_is_known_gains_the_task_and_keeps_its_source(workspace: Workspace) -> None:
    workspace.learnings.add_draft(Draft(content="Once"))
    again = learned(workspace, "Once", workspace.tasks.add("One"))
    assert (again.id, again.learning.source_type, again.learning.source_ref) == (1, SourceType.MANUAL, None)
    assert [one.id for one in workspace.tasks.show("1").derived] == [1]


def test_another_clone_finds_the_learnings_of_a_task_by_the_name_others_know(project: Project) -> None:
    with project.open() as workspace:
        learned(workspace, "Known to all", workspace.tasks.add("One", external_id="GH-1"))
        learned(workspace, "Known here", workspace.tasks.add("Two"))
    for path in (*(project.root / ".tx").glob("graph.db*"), project.root / ".tx" / "local" / "journal.jsonl"):
        path.unlink()
    with project.open() as workspace:
        for title, name in (("Other", None), ("Another", None), ("One again", "GH-1")):
            workspace.tasks.add(title, external_id=name)
        assert [one.learning.content for one in workspace.tasks.show("GH-1").derived] == ["Known to all"]
        assert workspace.tasks.show("2").derived == ()


def test_open_tasks_that_have_to_do_with_a_learning_come_first(workspace: Workspace) -> None:
    tasks = [workspace.tasks.add(title) for title in ("Derived", "Shown", "Judged", "Made in a run", "Done", "New")]
    about = learned(workspace, "It", tasks[0])
    runs = [workspace.runs.start(task=task.ref) for task in tasks[1:5]]
    record_shown(workspace.kernel, "1", [(about.node, 1.0)])
    workspace.runs.feedback("2", unhelpful=["1"])
    workspace.learnings.add_draft(Draft(content="It", derived_from=runs[2].node))
    record_shown(workspace.kernel, "4", [(about.node, 1.0)])
    workspace.tasks.done("5")

    def titles(limit: int, *near: int) -> list[str]:
        return [task.title for task in TaskStore(workspace.kernel.database).open(near=near, limit=limit)]

    assert titles(9, about.node) == ["Made in a run", "Judged", "Shown", "Derived", "New"]
    assert titles(2, about.node) == ["Made in a run", "Judged"]
    assert titles(2) == ["New", "Made in a run"]
