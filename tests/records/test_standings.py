"""What may be wrong by now says so wherever it is shown, ranks lower, and is left out or taken in on request."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.anchors.linking import Linking
from tx_graph.anchors.verdict import Standing
from tx_graph.anchors.verify import verify
from tx_graph.context.graph import standings
from tx_graph.context.search import Query, SearchAnswer
from tx_graph.core.errors import UsageError
from tx_graph.graph.expand import Limits
from tx_graph.graph.fuse import STALE_SHARE
from tx_graph.records.learning import Link, Status
from tx_graph.records.learning_store import LearningStore

SOURCE = "def old():\n    return 18\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("stale.py", SOURCE)
    project.write("fresh.py", "def new():\n    return 1\n")
    project.git.commit()
    return project


@pytest.fixture
def workspace(project: Project) -> Iterator[Workspace]:
    """A workspace that stays open while files change."""
    with project.open() as opened:
        yield opened


def break_code(project: Project) -> None:
    project.write("stale.py", SOURCE.replace("18", "21"))


def ask(project: Project, **options: object) -> SearchAnswer:
    return project.search("xerus", Query(text="xerus", **options))  # type: ignore[arg-type]


def numbers(answer: SearchAnswer) -> list[int]:
    return [result.stored.id for result in answer.results]


def test_a_stale_result_ranks_below_a_fresh_one_that_matches_as_well(project: Project) -> None:
    project.add("xerus one", "stale.py::old")
    project.add("xerus two", "fresh.py::new")
    assert numbers(ask(project)) == [1, 2]
    break_code(project)
    answer = ask(project)
    assert numbers(answer) == [2, 1]
    assert [result.is_stale for result in answer.results] == [False, True]
    fresh, stale = answer.results
    assert stale.relevance == pytest.approx(fresh.relevance * STALE_SHARE, rel=0.05)
    assert [judged.standing for judged in stale.anchors] == [Standing.DRIFTED_BODY]


def test_a_stale_result_still_ranks_above_what_hardly_matches(project: Project) -> None:
    project.add("xerus quokka numbat", "stale.py::old")
    project.add("numbat, among many other animals that live somewhere and eat something", "fresh.py")
    break_code(project)
    assert numbers(project.search("xerus quokka numbat")) == [1, 2]


def test_a_fresh_result_below_the_limit_displaces_a_stale_one_at_the_top(project: Project) -> None:
    project.add("xerus one", "stale.py::old")
    for number in range(30):
        project.add(f"xerus stale {number}", "stale.py::old")
    project.add("xerus last", "fresh.py::new")
    break_code(project)
    assert numbers(ask(project, limit=1)) == [32]
    everything = numbers(ask(project, limit=40))
    assert numbers(ask(project, limit=7)) == everything[:7]


def test_fresh_results_alone_fill_up_from_further_down(project: Project) -> None:
    rest = "is one of the many animals that dig and live in burrows below the dry open plains of the south"
    project.add_all(f"{number}: a xerus {rest}" for number in range(3))
    for number in range(70):
        project.add(f"xerus xerus {number}", "stale.py::old")
    break_code(project)
    assert {result.standing for result in ask(project).results} == {Standing.DRIFTED_BODY}
    answer = ask(project, fresh_only=True)
    assert sorted(numbers(answer)) == [1, 2, 3]
    assert (answer.stats.matched, answer.stats.stale_left_out) == (3, 70)
    assert numbers(ask(project, fresh_only=True, limit=2)) == numbers(answer)[:2]
    with pytest.raises(UsageError, match="use one of them"):
        ask(project, fresh_only=True, include_stale=True)


@pytest.mark.parametrize("text", [f"# moved down\n\n{SOURCE}", SOURCE.replace("18", "18  # of age"), None])
def test_what_moved_or_drifted_in_comments_or_has_no_anchors_is_not_stale(project: Project, text: str | None) -> None:
    project.add("xerus", *["stale.py::old"] if text else [])
    project.write("stale.py", text or "")
    [result] = ask(project, fresh_only=True).results
    assert not result.is_stale


def test_a_result_that_counts_less_may_fall_below_the_least_score(project: Project) -> None:
    project.add("xerus", "stale.py::old")
    assert numbers(ask(project, min_score=0.9)) == [1]
    break_code(project)
    answer = ask(project, min_score=0.9)
    assert (answer.results, answer.stats.matched, answer.stats.stale_left_out) == ((), 0, 0)
    assert ask(project, fresh_only=True).stats.stale_left_out == 1


def test_stale_results_that_are_asked_for_rank_like_others(project: Project) -> None:
    project.add("xerus one", "stale.py::old")
    project.add("xerus two", "fresh.py::new")
    break_code(project)
    answer = ask(project, include_stale=True)
    assert numbers(answer) == [1, 2]
    assert [result.is_stale for result in answer.results] == [True, False]


def test_superseded_and_retracted_learnings_come_only_when_asked_for(project: Project) -> None:
    for status in (Status.SUPERSEDED, Status.RETRACTED, Status.ACTIVE):
        project.add(f"xerus {status}", status=status)
    project.add("xerus removed")
    with project.open() as workspace:
        workspace.learnings.remove("4")
    assert numbers(ask(project)) == [3]
    assert sorted(numbers(ask(project, include_stale=True))) == [1, 2, 3]
    assert numbers(ask(project, include_stale=True, status=Status.RETRACTED)) == [2]


def test_a_walk_comes_to_superseded_learnings_only_when_asked_to(project: Project) -> None:
    uid = project.add("The old way", status=Status.SUPERSEDED).learning.uid
    project.add("xerus", links=[Link(target=uid)])
    assert numbers(ask(project, expansion=Limits())) == [2]
    assert numbers(ask(project, expansion=Limits(), include_stale=True)) == [2, 1]


def found(workspace: Workspace) -> list[tuple[int, Standing]]:
    return [(one.stored.id, one.standing) for one in workspace.search.run(Query(text="xerus")).results]


@pytest.mark.parametrize("spec", ["stale.py", "stale.py::old", "stale.py:L1-L2", "sta*.py"])
def test_a_change_between_two_questions_is_noticed_whatever_was_remembered(
    project: Project, workspace: Workspace, spec: str
) -> None:
    project.add("xerus", spec)
    time.sleep(0.06)  # from then on the file's stamp is trusted
    assert found(workspace) == found(workspace) == [(1, Standing.FRESH)]
    if spec != "sta*.py":
        break_code(project)
        assert found(workspace) == found(workspace) == [(1, Standing.DRIFTED_BODY)]
        [checked] = verify(workspace.kernel).findings
        assert checked.judgement.standing is workspace.learnings.show("1").standing is Standing.DRIFTED_BODY
        workspace.kernel.one(Linking).link("1", spec)
        assert found(workspace) == [(1, Standing.FRESH)]
    (project.root / "stale.py").unlink()
    assert found(workspace) == [(1, Standing.GONE)]


@pytest.mark.parametrize("offset", [0, -3600, 3600])
@pytest.mark.parametrize("spec", ["stale.py", "stale.py::old", "stale.py:L1-L2"])
def test_a_save_of_the_same_size_and_time_is_noticed(
    project: Project, workspace: Workspace, spec: str, offset: int
) -> None:
    project.add("xerus", spec)
    moment = time.time_ns() + offset * 1_000_000_000
    os.utime(project.root / "stale.py", ns=(moment, moment))
    verify(workspace.kernel)
    before = (project.root / "stale.py").stat()
    break_code(project)
    os.utime(project.root / "stale.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (project.root / "stale.py").stat().st_size == before.st_size
    assert found(workspace) == [(1, Standing.DRIFTED_BODY)]
    assert [(one.stored.id, one.standing) for one in ask(project).results] == [(1, Standing.DRIFTED_BODY)]


def test_each_way_to_look_at_learnings_tells_their_standing(project: Project) -> None:
    uid = project.add("xerus", "stale.py::old").learning.uid
    project.add("unanchored", links=[Link(target=uid)])
    break_code(project)
    with project.open() as workspace:
        neighbors = {one.ref: one.standing for one in workspace.graph.neighbors("2").neighbors}
        listed = workspace.learnings.standings(LearningStore(workspace._database).listed(limit=10))
        told = standings(workspace.kernel, ["learning:1", "stale.py", "learning:2", "learning:99"])
    assert neighbors["learning:1"] is Standing.DRIFTED_BODY
    assert neighbors["stale.py"] is None
    assert listed == {1: Standing.DRIFTED_BODY, 2: Standing.UNANCHORED}
    assert told == {"learning:1": Standing.DRIFTED_BODY, "learning:2": Standing.UNANCHORED}


def test_asking_writes_nothing(project: Project) -> None:
    project.add("xerus", "stale.py::old")
    break_code(project)
    with project.open() as workspace:
        changes = workspace._database.value("SELECT total_changes()")
        ask(project)
        workspace.search.run(Query(text="xerus", expansion=Limits()))
        workspace.learnings.show("1")
        assert workspace._database.value("SELECT total_changes()") == changes


HEAVY = ("ast_grep_py", "tx_graph.code.passages", "tx_graph.history.past", "numpy", "git")


def test_nothing_is_parsed_for_what_was_verified_and_has_not_changed_since(project: Project) -> None:
    project.add("xerus", "stale.py::old", "stale.py:L1-L2", "stale.py")
    with project.open() as workspace:
        verify(workspace.kernel)
    program = (
        "import sys; from pathlib import Path; from scripts.opened import open_workspace\n"
        "from tx_graph.context.search import Query\n"
        "with open_workspace(Path()) as workspace:\n"
        "    print([one.standing.value for one in workspace.search.run(Query(text='xerus')).results])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=project.root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['fresh']", "[]"]
