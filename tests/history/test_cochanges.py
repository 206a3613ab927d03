"""Which files change together is counted from real commits, read as they come, and grows stale."""

from __future__ import annotations

import os
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scripts.opened import open_workspace
from tests.developer import Developer
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.settings import Config
from tx_graph.graph.edges import EdgeType
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeReport, CoChangeRequest, Pass, options_from
from tx_graph.history.commit_store import MOST_PATHS
from tx_graph.workspace import prepare


def analyse(
    project: Project,
    *,
    max_files: int = 30,
    min_support: int = 3,
    half_life: int | None = None,
    **asked: Any,  # noqa: ANN401 - the fields of a request
) -> CoChangeReport:
    age = timedelta(days=half_life) if half_life else None
    options = CoChangeOptions(max_files=max_files, min_support=min_support, half_life=age)
    with project.open() as workspace:
        return workspace.cochanges.run(CoChangeRequest(options=options, **asked))


def pairs(project: Project, database: Path | None = None) -> list[Any]:
    with Database.open(database or project.root / ".tx" / "graph.db") as opened:
        return opened.rows(
            """
            SELECT file_a, file_b, correlation_score, commit_count, commits_a, commits_b
            FROM file_cochanges_text
            ORDER BY 1, 2
            """
        )


def touched(project: Project, database: Path | None = None) -> dict[str, int]:
    with Database.open(database or project.root / ".tx" / "graph.db") as opened:
        return dict(opened.rows("SELECT n.key, f.commits FROM file_commits f JOIN nodes n ON n.id = f.file ORDER BY 1"))


def made(project: Project, *, commits: int = 3) -> None:
    """Change two files together, several times."""
    for _ in range(commits):
        project.git.commit("a.py", "b.py")


def test_files_that_share_enough_commits_become_pairs_with_their_jaccard_index(project: Project) -> None:
    for _ in range(3):
        project.git.commit("b.py", "a.py")
    project.git.commit("a.py")
    project.git.commit("c.py", "a.py")
    report = analyse(project)
    assert pairs(project) == [("a.py", "b.py", 0.6, 3, 5, 3)]
    assert (report.pairs, report.commits, report.dropped, report.files, report.shallow) == (1, 5, 0, 3, False)
    assert report.head == project.git.git("rev-parse", "HEAD")


def test_records_of_learnings_are_no_files_of_the_project(project: Project) -> None:
    for number in range(3):
        project.add(f"Learning {number}")
        project.git.commit("a.py")
    analyse(project, min_support=1)
    assert all(not path.startswith(".tx") for pair in pairs(project) for path in pair[:2])


def test_analysing_again_replaces_what_was_counted(project: Project) -> None:
    made(project)
    analyse(project)
    assert len(pairs(project)) == 1
    project.git.git("rm", "--quiet", "b.py")
    project.git.commit()
    analyse(project)
    assert pairs(project) == []


def test_big_commits_and_old_commits_count_when_asked_for_only(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py", "b.py", "c.py")
    assert analyse(project, max_files=2).dropped == 3
    assert pairs(project) == []
    assert analyse(project, min_support=1, since="2024-01-03").commits == 1
    assert len(pairs(project)) == 3


def test_excluded_files_count_towards_the_size_of_a_commit_and_no_further(project: Project) -> None:
    project.git.commit()  # the records
    for _ in range(3):
        project.git.commit("a.py", "b.py", "web/package-lock.json")
    assert analyse(project, exclude=("package-lock.json",), max_files=2).dropped == 3
    report = analyse(project, exclude=("package-lock.json",), max_files=3)
    assert (report.dropped, report.files) == (0, 2)
    assert [pair[:2] for pair in pairs(project)] == [("a.py", "b.py")]
    analyse(project)
    assert len(pairs(project)) == 3


@pytest.mark.parametrize(
    ("glob", "left"),
    [("*.md", {"a.py", "docs/b.py"}), ("docs/", {"a.py"}), ("/a.py", {"docs/b.py", "docs/c.md"}), ("\\", None)],
)
def test_globs_are_those_of_gitignore(project: Project, glob: str, left: set[str] | None) -> None:
    project.git.commit("a.py", "docs/b.py", "docs/c.md")
    analyse(project, exclude=(glob,))
    assert set(touched(project)) == (left or {"a.py", "docs/b.py", "docs/c.md"})


def test_a_history_goes_on_under_the_present_name(project: Project) -> None:
    lines = "".join(f"line {number}\n" for number in range(30))
    project.git.write("old.py", text=lines)
    for _ in range(2):
        project.git.commit("old.py", "b.py")
    project.git.git("mv", "old.py", "middle.py")
    project.git.commit("b.py")
    project.git.git("mv", "middle.py", "new.py")
    project.git.commit("b.py")
    analyse(project)
    assert pairs(project) == []
    assert analyse(project, follow_renames=True).files == 2
    assert pairs(project) == [("b.py", "new.py", 1.0, 4, 4, 4)]


def test_a_rename_counts_as_one_path(project: Project) -> None:
    project.git.commit()  # the records
    project.git.write("old.py", text="".join(f"line {number}\n" for number in range(30)))
    project.git.commit("b.py")
    project.git.git("mv", "old.py", "new.py")
    project.git.commit("b.py")
    assert analyse(project, max_files=2).dropped == 1
    assert analyse(project, max_files=2, follow_renames=True).dropped == 0


def test_following_renames_where_contents_are_missing_says_how_to_do_without(project: Project) -> None:
    project.git.git("config", "uploadpack.allowFilter", "true")
    project.git.write("old.py", text="".join(f"line {number}\n" for number in range(9)))
    project.git.commit()
    project.git.git("mv", "old.py", "new.py")
    project.git.commit("new.py")
    partial = project.root.parent / "partial"
    project.git.git("clone", "--quiet", "--filter=blob:none", "--no-checkout", project.root.as_uri(), str(partial))
    (partial / ".tx").mkdir()
    project.root = partial
    with pytest.raises(RepositoryError) as caught:
        analyse(project, follow_renames=True)
    assert "leave --follow-renames out" in caught.value.hint
    assert analyse(project).commits == 2


def test_a_broken_history_or_date_leaves_the_old_result(project: Project) -> None:
    made(project)
    analyse(project)
    with pytest.raises(UsageError):
        analyse(project, since="when pigs fly")
    tree = project.git.git("rev-parse", "HEAD^{tree}")
    project.git.commit("a.py")
    (project.root / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(RepositoryError, match=tree):
        analyse(project)
    assert len(pairs(project)) == 1


def test_a_submodule_has_its_own_history(project: Project) -> None:
    library = project.root.parent / "library"
    project.git.commit("a.py")
    project.git.git("clone", "--quiet", str(project.root), str(library))
    project.git.commit("a.py")
    project.git.git("submodule", "--quiet", "add", str(library), "lib")
    for _ in range(3):
        project.git.git("commit", "--quiet", "--allow-empty", "--message=library", at=project.root / "lib")
        project.git.commit("a.py", "b.py")
    analyse(project)
    assert [pair[:2] for pair in pairs(project)] == [("a.py", "b.py")], "the submodule itself is no file"
    prepare(project.root / "lib")
    with open_workspace(project.root / "lib") as workspace:
        assert workspace.cochanges.run(CoChangeRequest()).commits == 1 + 3


def test_a_repository_without_a_commit_has_no_pairs(project: Project) -> None:
    assert (analyse(project).commits, pairs(project)) == (0, [])


def test_outside_git_there_is_no_history(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    prepare(root)
    with open_workspace(root) as workspace, pytest.raises(RepositoryError, match="not a git repository"):
        workspace.cochanges.run(CoChangeRequest())


def test_pairs_are_walked_both_ways(project: Project) -> None:
    made(project)
    analyse(project)
    for start, end in (("a.py", "b.py"), ("b.py", "a.py")):
        with project.open() as workspace:
            [neighbor] = workspace.graph.neighbors(start, depth=1).neighbors
        assert neighbor.ref == end
        assert neighbor.score == pytest.approx(0.7)


def test_an_analysis_is_stale_after_seven_days(project: Project) -> None:
    def notices() -> tuple[str, ...]:
        with project.open() as workspace:
            return workspace.health.status().notices

    project.git.commit("a.py")
    project.index()
    assert "never analysed" in notices()[0]
    analyse(project)
    assert notices() == ()
    project.clock.pass_by(timedelta(days=7))
    assert notices() == ()
    project.clock.pass_by(timedelta(days=1))
    assert notices() == ("Co-changes are 8 days old (stale after 7); run 'tx sync'.",)
    analyse(project)
    assert notices() == ()


def test_pairs_wait_for_files_that_another_branch_brings_back(project: Project) -> None:
    def partners() -> list[str]:
        with project.open() as workspace:
            hood = workspace.graph.neighbors("a.py", depth=1, edge_types=[EdgeType.CO_CHANGES_WITH])
        return sorted(neighbor.ref for neighbor in hood.neighbors)

    for _ in range(3):
        project.git.commit("a.py", "b.py", "c.py")
    project.git.git("checkout", "--quiet", "-b", "without")
    project.git.git("rm", "--quiet", "c.py")
    project.git.commit()
    project.git.git("checkout", "--quiet", "main")
    project.index()
    analyse(project)
    assert partners() == ["b.py", "c.py"]
    project.git.git("checkout", "--quiet", "without")
    project.index()
    assert partners() == ["b.py"]
    project.git.git("checkout", "--quiet", "main")
    project.index()
    assert partners() == ["b.py", "c.py"]


def test_age_halves_what_a_commit_counts_back_from_head(project: Project) -> None:
    made(project)
    for _ in range(3):
        project.git.commit("a.py")
    analyse(project, half_life=1)
    [(_, _, score, shared, *_)] = pairs(project)
    together, alone = 0.5**3 + 0.5**4 + 0.5**5, 0.5**0 + 0.5**1 + 0.5**2
    assert shared == 3
    assert score == pytest.approx(together / (together + alone))


def test_a_half_life_that_cannot_be_counted_is_refused_wherever_the_settings_count(tmp_path: Path) -> None:
    config = Config(tmp_path / "config.toml")
    config.set("cochanges.half_life_days", "1e12")
    with pytest.raises(UsageError, match=r"cochanges\.half_life_days must be a number of days"):
        options_from(config)
    assert options_from(config, half_life=0.0).half_life is None


# --- only what is new ---------------------------------------------------------------------------

loosely = partial(analyse, max_files=5, min_support=1)


def assert_as_fresh(project: Project, monkeypatch: pytest.MonkeyPatch, **asked: Any) -> CoChangeReport:  # noqa: ANN401
    """Analyse here and in a new database, and compare every row and number."""
    report = loosely(project, **asked)
    fresh = project.root.parent / "fresh.db"
    fresh.unlink(missing_ok=True)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TX_DB", str(fresh))
        expected = loosely(project, **asked)
    assert expected.how is Pass.FULL
    assert (pairs(project), touched(project)) == (pairs(project, fresh), touched(project, fresh))
    counts = [(one.pairs, one.commits, one.dropped, one.files) for one in (report, expected)]
    assert counts[0] == counts[1]
    return report


def test_only_new_commits_are_read(project: Project) -> None:
    made(project, commits=4)
    first = loosely(project)
    project.git.commit("a.py", "b.py")
    second = loosely(project)
    assert (first.how, first.new, first.why) == (Pass.FULL, 4, "")
    assert (second.how, second.new, second.commits) == (Pass.INCREMENTAL, 1, 5)


def test_where_nothing_is_new_git_is_not_asked_for_history(project: Project) -> None:
    made(project, commits=4)
    first = loosely(project)
    objects = project.root / ".git" / "objects"
    objects.rename(objects.with_name("hidden"))
    objects.mkdir()  # git log would fail now
    again = loosely(project)
    assert (again.how, again.new) == (Pass.INCREMENTAL, 0)
    assert (again.pairs, again.commits, again.dropped, again.files) == (1, 4, 0, first.files)


def test_other_options_count_again_what_is_known(project: Project) -> None:
    made(project, commits=4)
    project.git.commit("a.py", "c.py", "d.py")
    loosely(project)
    options: list[dict[str, Any]] = [{"max_files": 2}, {"half_life": 9}, {"min_support": 2}, {"exclude": ("b.py",)}]
    for others in options:
        report = loosely(project, **others)
        assert (report.how, report.new) == (Pass.INCREMENTAL, 0)
    assert loosely(project, exclude=("b.py",)).pairs == 3


def test_a_part_of_history_neither_uses_nor_spoils_what_is_known(project: Project) -> None:
    made(project, commits=4)
    loosely(project)
    project.git.commit("a.py")
    part = loosely(project, since="2024-01-04")
    assert (part.how, part.commits) == (Pass.FULL, 2)
    whole = loosely(project)
    assert (whole.how, whole.new, whole.commits) == (Pass.INCREMENTAL, 1, 5)


def test_a_rewritten_history_is_read_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project, commits=4)
    loosely(project)
    report = loosely(project, full=True)
    assert (report.how, report.new, report.why) == (Pass.FULL, 4, "it was asked for")
    project.git.git("commit", "--quiet", "--amend", "--message=other")
    report = assert_as_fresh(project, monkeypatch)
    assert "HEAD does not build on" in report.why
    project.git.git("reset", "--quiet", "--hard", "HEAD~1")
    project.git.git("reflog", "expire", "--expire=now", "--all")
    project.git.git("gc", "--quiet", "--prune=now")
    assert assert_as_fresh(project, monkeypatch).how is Pass.FULL, "what was pruned is no ancestor"


def test_another_way_to_see_renames_is_another_reading(project: Project) -> None:
    made(project, commits=4)
    loosely(project)
    assert loosely(project, follow_renames=True).why == "renames were not followed before"
    assert loosely(project, follow_renames=True).how is Pass.INCREMENTAL
    assert loosely(project).why == "renames were followed before"


def test_replaced_commits_are_another_history(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    made(project, commits=4)
    loosely(project)
    project.git.git("replace", "HEAD~1", "HEAD~3")
    report = assert_as_fresh(project, monkeypatch)
    assert (report.how, report.commits) == (Pass.FULL, 2)
    project.git.git("replace", "--delete", project.git.git("rev-parse", "HEAD~1"))
    assert assert_as_fresh(project, monkeypatch).commits == 4


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
    first = loosely(project)
    assert (first.commits, first.shallow) == (2, True)
    project.git.git("fetch", "--quiet", "--deepen=2", at=shallow)
    second = assert_as_fresh(project, monkeypatch)
    assert (second.how, second.commits) == (Pass.FULL, 4)
    project.git.git("fetch", "--quiet", "--unshallow", at=shallow)
    assert assert_as_fresh(project, monkeypatch).commits == 7


@pytest.mark.slow
def test_wide_commits_count_where_they_are_asked_for(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        project.git.commit(*(f"many/{number}" for number in range(MOST_PATHS + 1)))
    made(project, commits=4)
    assert loosely(project).dropped == 2
    asked: dict[str, Any] = {"max_files": MOST_PATHS + 9, "min_support": 2, "exclude": ("many/1*",)}
    report = assert_as_fresh(project, monkeypatch, **asked)
    assert (report.how, report.dropped) == (Pass.FULL, 0)
    assert loosely(project, **asked).dropped == 0
    again = assert_as_fresh(project, monkeypatch, max_files=MOST_PATHS)
    assert (again.how, again.dropped) == (Pass.INCREMENTAL, 2)


def test_names_that_are_no_unicode_are_remembered(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        (project.root / os.fsdecode(b"caf\xe9")).touch()
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    made(project, commits=4)
    loosely(project)
    project.git.commit("a.py")
    assert assert_as_fresh(project, monkeypatch, max_files=2).dropped == 1


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 4))])
@pytest.mark.parametrize("renames", [False, True])
def test_whatever_happens_to_history_the_result_is_that_of_a_fresh_analysis(
    project: Project, monkeypatch: pytest.MonkeyPatch, seed: int, *, renames: bool
) -> None:
    developer = Developer(project, seed)
    random = Random(seed)
    passes = set()
    for _ in range(10):
        done = [developer.act() for _ in range(random.randint(1, 3))]
        half_life, max_files = random.choice([None, 3]), random.choice([3, 5, 30])
        asked = {"follow_renames": renames, "half_life": half_life, "max_files": max_files}
        report = assert_as_fresh(project, monkeypatch, **asked)
        passes.add(report.how)
        assert report.head == project.git.git("rev-parse", "HEAD"), done
    assert passes == set(Pass)
