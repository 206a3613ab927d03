from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.git_sandbox import DAY, NEW_YEAR_2024, GitSandbox
from tx_graph.core.repository import GitRepository
from tx_graph.history.commits import Changeset, read_changesets


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


def read(git: GitSandbox, root: Path | None = None) -> list[Changeset]:
    return list(read_changesets(GitRepository(root or git.root)))


def test_commits_come_oldest_first_without_the_first_of_all(git: GitSandbox) -> None:
    first = git.commit("a")
    second = git.commit("a", "b", message="Add b\n\nIts body.")
    third = git.commit("a", "b")
    assert [one.sha for one in read(git)] == [second, third]
    assert read(git)[0] == Changeset(
        sha=second, parent=first, time=NEW_YEAR_2024 + DAY, subject="Add b", paths=2, existing=("a",)
    )


def test_a_file_exists_that_was_changed_or_removed_and_a_renamed_one_by_its_old_name(git: GitSandbox) -> None:
    git.commit("changed", "removed", "old")
    git.git("mv", "old", "new")
    git.git("rm", "--quiet", "removed")
    git.commit("changed", "added")
    (found,) = read(git)
    assert found.paths == 5
    assert set(found.existing) == {"changed", "removed", "old"}


def test_merges_are_left_out_and_both_branches_are_there(git: GitSandbox) -> None:
    git.commit("a")
    git.git("checkout", "--quiet", "-b", "side")
    side = git.commit("b")
    git.git("checkout", "--quiet", "main")
    main = git.commit("c")
    git.git("merge", "--quiet", "--no-edit", "side")
    assert {one.sha for one in read(git)} == {side, main}


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_links_submodules_and_what_tx_keeps_are_no_files_to_be_found(git: GitSandbox, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    git.git("init", "--quiet", str(inner))
    git.git("commit", "--quiet", "--allow-empty", "--message=inner", at=inner)
    git.git("submodule", "--quiet", "add", str(inner), "module")
    (git.root / "link").symlink_to("a")
    git.commit("a", ".tx/learnings/one.md", "node_modules/x.js")
    git.git("commit", "--quiet", "--allow-empty", "--message=more", at=git.root / "module")
    (git.root / "link").unlink()
    (git.root / "link").symlink_to("b")
    git.commit("a", ".tx/learnings/one.md", "node_modules/x.js")
    (found,) = read(git)
    assert found.paths == 5
    assert found.existing == ("a",)


@pytest.mark.skipif(os.name == "nt", reason="needs names that are no text")
def test_odd_names_go_through_and_those_that_are_no_text_are_not_to_be_found(git: GitSandbox) -> None:
    names = ["ünï code.py", 'quo"te.py', "tab\t.py", ":colon", os.fsdecode(b"latin-\xe9.py")]
    git.commit(*names)
    git.commit(*names)
    (found,) = read(git)
    assert found.paths == 5
    assert set(found.existing) == set(names[:-1])


@pytest.mark.parametrize("subject", ["/ starts with a slash", "käse", "a" * 5000, ": 100644 x"])
def test_a_subject_comes_as_it_is(git: GitSandbox, subject: str) -> None:
    git.commit("a")
    git.commit("a", message=subject)
    assert [one.subject for one in read(git)] == [subject]


def test_a_commit_that_changed_nothing_has_no_paths(git: GitSandbox) -> None:
    git.commit("a")
    git.commit(message="empty")
    (found,) = read(git)
    assert (found.subject, found.paths, found.existing) == ("empty", 0, ())


def test_before_the_first_commit_there_is_nothing(git: GitSandbox) -> None:
    assert read(git) == []


def test_the_boundary_of_a_shallow_clone_has_no_parent_here(git: GitSandbox, tmp_path: Path) -> None:
    git.commit("a")
    git.commit("a", message="boundary")
    last = git.commit("a", message="inside")
    git.git("clone", "--quiet", "--depth=2", git.root.as_uri(), str(tmp_path / "shallow"))
    assert [one.sha for one in read(git, tmp_path / "shallow")] == [last]
