"""What a change usually brings along and does not, by the history of real repositories."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import open_workspace
from tests.support import Project
from tx_graph.context.partners import ChangeCheck, CoChanges, FilePartners
from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.history.cochange import CoChangeOptions
from tx_graph.history.cochanges import CoChangeRequest
from tx_graph.workspace import prepare


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """`src.py` was touched 5 times, with its test 4 times and with its page 3 times."""
    project = Project(tmp_path, monkeypatch)
    project.git.commit()
    for paths in (("test.py",), ("test.py", "docs.md"), ("test.py", "docs.md"), ("test.py", "docs.md"), ()):
        project.git.commit("src.py", *paths)
    project.git.commit("alone.py")
    analyse(project)
    return project


def analyse(project: Project, *exclude: str) -> None:
    with project.open() as workspace:
        workspace.cochanges.run(CoChangeRequest(options=CoChangeOptions(), exclude=exclude))


def check(project: Project, **asked: Any) -> ChangeCheck:  # noqa: ANN401 - what the use case takes
    with project.open() as workspace:
        return workspace.kernel.one(CoChanges).check_changes(**asked)


def missing(project: Project, **asked: Any) -> list[str]:  # noqa: ANN401 - what the use case takes
    return [one.path for one in check(project, **asked).missing]


STAGED: dict[str, Any] = {"staged": True}


def test_the_usual_partners_of_a_changed_file_are_missed_surest_first(project: Project) -> None:
    project.git.write("src.py")
    found = check(project)
    assert (found.changed, found.silence) == (("src.py",), "")
    evidence = [(one.path, one.evidence[0].shared, one.evidence[0].commits) for one in found.missing]
    assert evidence == [("test.py", 4, 5), ("docs.md", 3, 5)]


BRANCH = """
git checkout -qb side; echo >> src.py; git commit -qam 1
git checkout -q main; echo >> docs.md; git commit -qam 2
git checkout -q side
"""
CHANGES = """
a partner in the change is not missed     | echo >> src.py; echo >> test.py  | | src.py test.py | docs.md
sure enough partners are missed           | echo >> src.py | min_confidence=0.61 | src.py | test.py
also those just sure enough               | echo >> src.py | min_confidence=0.6 | src.py | test.py docs.md
often enough partners are missed          | echo >> src.py | min_support=4 | src.py | test.py
and no others                             | echo >> src.py | min_support=5 | src.py |
new files belong to it, ignored ones not  | echo x.log > .gitignore; echo >> x.log | | .gitignore |
a file that was only touched does not     | touch -d 1970-01-02 src.py | | |
a deleted file has partners               | rm src.py | | src.py | test.py docs.md
a deleted partner is not missed           | rm src.py; git rm -q test.py | | src.py test.py | docs.md
nor is one that is gone since             | git rm -q test.py; git commit -qm x; echo >> src.py | | src.py | docs.md
a renamed file has those of its old name  | git mv src.py new.py | staged=1 | new.py src.py | test.py docs.md
a renamed partner is not missed           | git mv src.py a; git mv test.py b | staged=1 | a b src.py test.py | docs.md
what is not staged is left out            | echo >> src.py | staged=1 | |
what is staged is alone if asked for | echo >> src.py; git add .; echo >> test.py | staged=1 | src.py | test.py docs.md
and else with what is not                 | echo >> src.py; git add .; echo >> test.py | | src.py test.py | docs.md
the commits of a branch count             | BRANCH | since=main | src.py | test.py docs.md
with what is not committed                | BRANCH echo >> test.py | since=main | src.py test.py | docs.md
"""


@pytest.mark.parametrize(
    ("script", "asked", "changed", "lacking"),
    [pytest.param(*row[1:], id=row[0]) for line in CHANGES.strip().splitlines() for row in [re.split(r" *\| ?", line)]],
)
def test_what_belongs_to_a_change_and_what_it_lacks(
    project: Project, script: str, asked: str, changed: str, lacking: str
) -> None:
    subprocess.run(["bash", "-ec", script.replace("BRANCH", BRANCH)], cwd=project.root, check=True)
    name, _, value = asked.partition("=")
    options = {name: value if name == "since" else float(value)} if asked else {}
    found = check(project, **options)
    assert found.changed == tuple(changed.split())
    assert [one.path for one in found.missing] == lacking.split()


def test_confidence_is_seen_from_the_changed_file(project: Project) -> None:
    project.git.write("docs.md")
    assert [one.evidence[0].confidence for one in check(project).missing] == [1.0, 1.0]


def test_several_reasons_for_one_file_are_one_finding_with_the_best_first(project: Project) -> None:
    project.git.write("src.py", "docs.md")
    [one] = check(project).missing
    assert one.path == "test.py"
    assert [(why.file, why.confidence) for why in one.evidence] == [("docs.md", 1.0), ("src.py", 0.8)]


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        *(({"min_confidence": share}, UsageError) for share in (0, -0.1, 1.1, float("nan"), float("inf"))),
        ({"staged": True, "since": "main"}, UsageError),
        ({"since": " "}, UsageError),
        *(({"since": one}, NotFound) for one in ("nope", "--all", "main:src.py", "main..main", "@{upstream}")),
    ],
)
def test_what_means_nothing_is_refused(project: Project, asked: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        check(project, **asked)


def test_records_and_installed_packages_are_no_part_of_a_change(project: Project) -> None:
    project.add("Something learned", "src.py")
    project.write("node_modules/left/index.js")
    project.git.git("add", "--all")
    assert check(project).changed == check(project, **STAGED).changed == ()


def test_a_partner_that_a_sparse_checkout_leaves_out_is_missed(project: Project) -> None:
    for _ in range(3):
        project.git.commit("src.py", "far/away.py")
    analyse(project)
    project.git.git("sparse-checkout", "set", "--no-cone", "/*", "!/far/")
    assert not (project.root / "far").exists()
    project.git.write("src.py")
    assert check(project).changed == ("src.py",)
    assert "far/away.py" in missing(project, min_confidence=0.3)
    assert "far/away.py" in [one.path for one in partners(project, "src.py").partners]


def test_excluded_files_are_neither_missed_nor_a_reason(project: Project) -> None:
    analyse(project, "*.md")
    project.git.write("src.py")
    assert missing(project) == ["test.py"]
    project.git.write("docs.md")
    assert missing(project) == ["test.py"]


def test_lines_of_history_without_a_common_commit_are_an_error(project: Project) -> None:
    project.git.git("checkout", "--quiet", "--orphan", "other")
    project.git.commit("src.py")
    with pytest.raises(RepositoryError, match="no commit in common"):
        check(project, since="main")


def test_where_nothing_can_be_said_the_reason_is(project: Project) -> None:
    assert check(project).silence == "Nothing has changed."
    project.git.write("alone.py", "brand-new.py")
    assert check(project).silence == "History is too thin to say what usually changes with these files."
    project.git.write("src.py")
    assert check(project).silence == ""


def test_before_the_first_analysis_nothing_can_be_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = Project(tmp_path, monkeypatch)
    fresh.git.write("a.py")
    for asked in ({}, STAGED):  # nor before the first commit
        assert check(fresh, **asked).silence.startswith("Co-changes were never analysed; run ")
    assert "a.py" in check(fresh).changed
    assert check(fresh, **STAGED).changed == ()


def test_outside_git_there_is_no_change(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    prepare(plain)
    with open_workspace(plain) as workspace, pytest.raises(RepositoryError, match="not a git repository"):
        workspace.kernel.one(CoChanges).check_changes()


def test_names_of_any_kind_may_change(project: Project) -> None:
    odd = ["a\tb", 'q"', "n\nl", "ünï"]
    project.git.write(*odd)
    try:
        (project.root / os.fsdecode(b"caf\xe9")).touch()
        odd.append("caf\udce9")
    except OSError:
        pass  # this file system only takes UTF-8 names
    assert check(project).changed == tuple(sorted(odd))


def test_what_the_user_configured_for_diffs_changes_nothing(project: Project) -> None:
    for setting in ("diff.renames=copies", "diff.relative=true", "diff.external=false", "diff.orderFile=missing"):
        project.git.git("config", *setting.split("="))
    project.git.git("mv", "src.py", "source.py")
    assert check(project, **STAGED).changed == ("source.py", "src.py")


def test_the_index_of_a_hook_counts_in_its_own_repository_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git sets GIT_INDEX_FILE for hooks: here as if a hook of this and of another repository ran the check."""
    project.git.write("src.py")
    aside = project.root / ".git" / "next-index-1.lock"
    aside.write_bytes((project.root / ".git" / "index").read_bytes())
    subprocess.run(
        ["git", "add", "src.py"], cwd=project.root, env=os.environ | {"GIT_INDEX_FILE": str(aside)}, check=True
    )
    assert check(project, **STAGED).changed == ()
    with monkeypatch.context() as hook:
        hook.setenv("GIT_INDEX_FILE", str(aside))
        assert check(project, **STAGED).changed == ("src.py",)
        hook.setenv("GIT_INDEX_FILE", ".git/next-index-1.lock")
        assert check(project, **STAGED).changed == ("src.py",)
    foreign = project.root.parent / "foreign"
    foreign.mkdir()
    (foreign / "index").write_bytes(aside.read_bytes())
    monkeypatch.setenv("GIT_INDEX_FILE", str(foreign / "index"))
    assert check(project, **STAGED).changed == ()
    monkeypatch.setenv("GIT_INDEX_FILE", "gone")
    assert check(project, **STAGED).changed == ()


def partners(project: Project, path: str, **asked: int) -> FilePartners:
    with project.open() as workspace:
        return workspace.kernel.one(CoChanges).cochanges(path, **asked)


def test_partners_of_a_file_are_ranked_by_its_own_commits(project: Project) -> None:
    found = partners(project, "src.py")
    assert [(one.path, one.shared, one.commits) for one in found.partners] == [("test.py", 4, 5), ("docs.md", 3, 5)]
    assert (found.file, found.commits, found.total) == ("src.py", 5, 2)
    assert [one.path for one in partners(project, "src.py", limit=1).partners] == ["test.py"]
    alone = partners(project, "alone.py")
    assert (alone.commits, alone.partners) == (1, ())


def test_a_partner_that_is_gone_is_left_out(project: Project) -> None:
    (project.root / "test.py").unlink()
    assert [one.path for one in partners(project, "src.py").partners] == ["docs.md"]
    assert partners(project, "test.py").total == 2, "one may still ask about it"


def test_an_unknown_file_names_the_nearest(project: Project) -> None:
    with pytest.raises(NotFound) as caught:
        partners(project, "scr.py")
    assert "src.py" in caught.value.candidates


def test_reading_old_co_changes_says_so(project: Project) -> None:
    project.clock.pass_by(timedelta(days=8))
    with project.open() as workspace:
        assert "8 days old" in " ".join(workspace.health.age().notices)
