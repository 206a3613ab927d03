"""Tasks and runs are offered where they can stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from tx_graph.faces.cli.completion.candidates import Answer, Candidate, Hint, complete
from tx_graph.workspace import open_workspace


@pytest.fixture
def work(memory: Path) -> Path:
    """The root of a workspace with two learnings, three tasks, the second done, and two runs."""
    with open_workspace(memory) as workspace:
        workspace.tasks.add("Cache the index")
        workspace.tasks.add("Repair the login", external_id="GH-123")
        workspace.tasks.add("Write the manual", external_id="GH-124")
        workspace.tasks.done("2")
        workspace.runs.start(task="2")
        workspace.runs.start(agent="claude")
    return memory


def values(*words: str, cwd: Path) -> list[str]:
    return [one.value for one in complete(words, cwd=cwd).candidates]


def test_tasks_are_offered_open_ones_first_with_their_titles(work: Path) -> None:
    assert complete(["task:show", ""], cwd=work) == Answer(
        (Candidate("3", "Write the manual"), Candidate("1", "Cache the index"), Candidate("2", "Repair the login"))
    )
    assert values("run:start", "--task", "", cwd=work) == ["3", "1", "2"]
    assert values("learning:add", "text", "--task=", cwd=work) == ["--task=3", "--task=1", "--task=2"]


def test_tasks_are_found_by_what_a_tracker_calls_them(work: Path) -> None:
    assert values("task:done", "gh", cwd=work) == ["GH-124", "GH-123"]
    assert values("task:done", "GH-123", cwd=work) == ["GH-123"]


def test_runs_are_offered_with_what_they_are_for(work: Path) -> None:
    assert complete(["run:finish", ""], cwd=work) == Answer(
        (Candidate("2", "claude"), Candidate("1", "Repair the login"))
    )
    assert values("learning:add", "text", "--run", "", cwd=work) == ["2", "1"]


def test_a_node_may_be_a_task_or_a_run(work: Path) -> None:
    assert values("graph:show", "task:", cwd=work) == ["task:3", "task:1", "task:2"]
    assert values("graph:show", "task:g", cwd=work) == ["task:GH-124", "task:GH-123"]
    assert values("graph:path", "1", "run:", cwd=work) == ["run:2", "run:1"]


def test_learnings_are_offered_behind_a_comma_and_stay_open_for_the_next(work: Path) -> None:
    answer = complete(["run:feedback", "1", "--helpful", "1,"], cwd=work)
    assert [one.value for one in answer.candidates] == ["1,2", "1,1"]
    assert answer.hints == (Hint.OPEN,)
    assert values("run:feedback", "1", "--unhelpful", "", cwd=work) == ["2", "1"]


def test_a_transcript_is_a_file(work: Path) -> None:
    assert complete(["run:finish", "1", "--transcript", ""], cwd=work) == Answer(hints=(Hint.FILES,))


def test_without_a_workspace_nothing_is_offered(tmp_path: Path) -> None:
    assert values("task:show", "", cwd=tmp_path) == values("run:show", "", cwd=tmp_path) == []
