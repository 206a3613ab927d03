"""Which files change together is counted from real commits, and grows stale."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.settings import Config
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.expand import Limits
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeReport, CoChangeRequest, options_from
from tx_graph.workspace import open_workspace, prepare

Pair = tuple[str, str, float, int, int, int]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def analyse(
    project: Project,
    *,
    since: str | None = None,
    exclude: tuple[str, ...] = (),
    follow_renames: bool = False,
    full: bool = False,
    **options: int,
) -> CoChangeReport:
    request = CoChangeRequest(
        options=CoChangeOptions(**options),  # type: ignore[arg-type]
        since=since,
        exclude=exclude,
        follow_renames=follow_renames,
        full=full,
    )
    with project.open() as workspace:
        return workspace.cochanges.run(request)


def pairs(project: Project) -> list[Pair]:
    with Database.open(project.root / ".tx" / "graph.db") as database:
        return database.rows(
            """
            SELECT file_a, file_b, correlation_score, commit_count, commits_a, commits_b
            FROM file_cochanges_text
            ORDER BY 1, 2
            """
        )


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
    for _ in range(3):
        project.git.commit("a.py", "b.py")
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
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(exclude=(glob,)))
    with Database.open(project.root / ".tx" / "graph.db") as database:
        files = {key for (key,) in database.rows("SELECT n.key FROM file_commits f JOIN nodes n ON n.id = f.file")}
    assert files == (left or {"a.py", "docs/b.py", "docs/c.md"})


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


def test_a_broken_history_leaves_the_old_result(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py", "b.py")
    analyse(project)
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


def test_a_date_that_cannot_be_read_leaves_the_old_result(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py", "b.py")
    analyse(project)
    with pytest.raises(UsageError):
        analyse(project, since="when pigs fly")
    assert len(pairs(project)) == 1


def test_a_repository_without_a_commit_has_no_pairs(project: Project) -> None:
    assert (analyse(project).commits, pairs(project)) == (0, [])


def test_outside_git_there_is_no_history(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    root.mkdir()
    prepare(root)
    with open_workspace(root) as workspace, pytest.raises(RepositoryError, match="not a git repository"):
        workspace.cochanges.run(CoChangeRequest())


def test_pairs_are_walked_both_ways(project: Project) -> None:
    for _ in range(3):
        project.git.commit("a.py", "b.py")
    analyse(project)
    for start, end in (("a.py", "b.py"), ("b.py", "a.py")):
        with project.open() as workspace:
            [neighbor] = workspace.graph.neighbors(start, limits=Limits(depth=1)).neighbors
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
    assert notices() == ("Co-changes are 8 days old (stale after 7); run 'tx graph:analyze-cochanges'.",)
    analyse(project)
    assert notices() == ()


def test_pairs_wait_for_files_that_another_branch_brings_back(project: Project) -> None:
    def partners() -> list[str]:
        with project.open() as workspace:
            hood = workspace.graph.neighbors("a.py", limits=Limits(depth=1), types=[EdgeType.CO_CHANGES_WITH])
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
    for _ in range(3):
        project.git.commit("a.py", "b.py")
    for _ in range(3):
        project.git.commit("a.py")
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(half_life=timedelta(days=1))))
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
