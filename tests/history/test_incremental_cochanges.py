"""Reading only what is new of history gives what reading all of it gives, row for row."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.developer import Developer
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeReport, CoChangeRequest, Pass
from tx_graph.history.commit_store import MOST_PATHS


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def request(*, renames: bool = False, half_life: int | None = None, **others: Any) -> CoChangeRequest:  # noqa: ANN401
    options = CoChangeOptions(
        max_files=others.pop("max_files", 5),
        min_support=others.pop("min_support", 1),
        half_life=timedelta(days=half_life) if half_life else None,
    )
    return CoChangeRequest(options=options, follow_renames=renames, **others)


def analyse(project: Project, asked: CoChangeRequest) -> CoChangeReport:
    with project.open() as workspace:
        return workspace.cochanges.run(asked)


def rows(database: Path) -> tuple[list[Any], ...]:
    with Database.open(database) as opened:
        return (
            opened.rows(
                """
                SELECT file_a, file_b, correlation_score, commit_count, commits_a, commits_b
                FROM file_cochanges_text
                ORDER BY 1, 2
                """
            ),
            opened.rows("SELECT n.key, f.commits FROM file_commits f JOIN nodes n ON n.id = f.file ORDER BY 1"),
        )


def assert_as_fresh(project: Project, asked: CoChangeRequest, monkeypatch: pytest.MonkeyPatch) -> CoChangeReport:
    """Analyse here and in a new database, and compare every row and number."""
    report = analyse(project, asked)
    fresh = project.root.parent / "fresh.db"
    fresh.unlink(missing_ok=True)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TX_DB", str(fresh))
        expected = analyse(project, asked)
    assert expected.how is Pass.FULL
    assert rows(project.root / ".tx" / "graph.db") == rows(fresh)
    counts = [(one.pairs, one.commits, one.dropped, one.files) for one in (report, expected)]
    assert counts[0] == counts[1]
    return report


def made(project: Project, *, commits: int = 4) -> None:
    for _ in range(commits):
        project.git.commit("a.py", "b.py")


def test_only_new_commits_are_read(project: Project) -> None:
    made(project)
    first = analyse(project, request())
    project.git.commit("a.py", "b.py")
    second = analyse(project, request())
    assert (first.how, first.new, first.why) == (Pass.FULL, 4, "")
    assert (second.how, second.new, second.commits) == (Pass.INCREMENTAL, 1, 5)


def test_where_nothing_is_new_git_is_not_asked_for_history(project: Project) -> None:
    made(project)
    first = analyse(project, request())
    objects = project.root / ".git" / "objects"
    objects.rename(objects.with_name("hidden"))
    objects.mkdir()  # git log would fail now
    again = analyse(project, request())
    assert (again.how, again.new) == (Pass.INCREMENTAL, 0)
    assert (again.pairs, again.commits, again.dropped, again.files) == (1, 4, 0, first.files)


def test_other_options_count_again_what_is_known(project: Project) -> None:
    made(project)
    project.git.commit("a.py", "c.py", "d.py")
    analyse(project, request())
    options: list[dict[str, Any]] = [{"max_files": 2}, {"half_life": 9}, {"min_support": 2}, {"exclude": ("b.py",)}]
    for others in options:
        report = analyse(project, request(**others))
        assert (report.how, report.new) == (Pass.INCREMENTAL, 0)
    assert analyse(project, request(exclude=("b.py",))).pairs == 3


def test_a_part_of_history_neither_uses_nor_spoils_what_is_known(project: Project) -> None:
    made(project)
    analyse(project, request())
    project.git.commit("a.py")
    part = analyse(project, request(since="2024-01-04"))
    assert (part.how, part.commits) == (Pass.FULL, 2)
    whole = analyse(project, request())
    assert (whole.how, whole.new, whole.commits) == (Pass.INCREMENTAL, 1, 5)


def test_full_reads_all_again(project: Project) -> None:
    made(project)
    analyse(project, request())
    report = analyse(project, request(full=True))
    assert (report.how, report.new, report.why) == (Pass.FULL, 4, "it was asked for")


def test_a_rewritten_history_is_read_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project)
    analyse(project, request())
    project.git.git("commit", "--quiet", "--amend", "--message=other")
    report = assert_as_fresh(project, request(), monkeypatch)
    assert "HEAD does not build on" in report.why


def test_a_commit_that_was_pruned_is_no_ancestor(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project)
    analyse(project, request())
    project.git.git("reset", "--quiet", "--hard", "HEAD~1")
    project.git.git("reflog", "expire", "--expire=now", "--all")
    project.git.git("gc", "--quiet", "--prune=now")
    assert assert_as_fresh(project, request(), monkeypatch).how is Pass.FULL


def test_another_way_to_see_renames_is_another_reading(project: Project) -> None:
    made(project)
    analyse(project, request())
    assert analyse(project, request(renames=True)).why == "renames were not followed before"
    assert analyse(project, request(renames=True)).how is Pass.INCREMENTAL
    assert analyse(project, request()).why == "renames were followed before"


def test_replaced_commits_are_another_history(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project)
    analyse(project, request())
    project.git.git("replace", "HEAD~1", "HEAD~3")
    report = assert_as_fresh(project, request(), monkeypatch)
    assert (report.how, report.commits) == (Pass.FULL, 2)
    project.git.git("replace", "--delete", project.git.git("rev-parse", "HEAD~1"))
    assert assert_as_fresh(project, request(), monkeypatch).commits == 4


def test_a_deepened_clone_is_read_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project, commits=6)
    origin = project.root.parent / "origin"
    project.git.git("clone", "--quiet", "--bare", str(project.root), str(origin))
    made(project, commits=1)
    project.git.git("push", "--quiet", str(origin), "main")
    shallow = project.root.parent / "shallow"
    project.git.git("clone", "--quiet", "--depth=3", origin.as_uri(), str(shallow))
    (shallow / ".tx").mkdir(exist_ok=True)
    project.root = shallow
    first = analyse(project, request())
    assert (first.commits, first.shallow) == (2, True)
    project.git.git("fetch", "--quiet", "--deepen=2", at=shallow)
    second = assert_as_fresh(project, request(), monkeypatch)
    assert (second.how, second.commits) == (Pass.FULL, 4)
    project.git.git("fetch", "--quiet", "--unshallow", at=shallow)
    assert assert_as_fresh(project, request(), monkeypatch).commits == 7


@pytest.mark.slow
def test_wide_commits_count_where_they_are_asked_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        project.git.commit(*(f"many/{number}" for number in range(MOST_PATHS + 1)))
    made(project)
    assert analyse(project, request()).dropped == 2
    asked = request(max_files=MOST_PATHS + 9, min_support=2, exclude=("many/1*",))
    report = assert_as_fresh(project, asked, monkeypatch)
    assert (report.how, report.dropped) == (Pass.FULL, 0)
    assert analyse(project, asked).dropped == 0
    again = assert_as_fresh(project, request(max_files=MOST_PATHS), monkeypatch)
    assert (again.how, again.dropped) == (Pass.INCREMENTAL, 2)


def test_names_that_are_no_unicode_are_remembered(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        (project.root / os.fsdecode(b"caf\xe9")).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    made(project)
    analyse(project, request())
    project.git.commit("a.py")
    assert assert_as_fresh(project, request(max_files=2), monkeypatch).dropped == 1


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))])
@pytest.mark.parametrize("renames", [False, True])
def test_whatever_happens_to_history_the_result_is_that_of_a_fresh_analysis(
    project: Project, monkeypatch: pytest.MonkeyPatch, seed: int, *, renames: bool
) -> None:
    developer = Developer(project, seed)
    random = Random(seed)
    passes = set()
    for _ in range(10):
        done = [developer.act() for _ in range(random.randint(1, 3))]
        asked = request(renames=renames, half_life=random.choice([None, 3]), max_files=random.choice([3, 5, 30]))
        report = assert_as_fresh(project, asked, monkeypatch)
        passes.add(report.how)
        assert report.head == project.git.git("rev-parse", "HEAD"), done
    assert passes == set(Pass)
