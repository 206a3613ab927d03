"""The index says truly how far it lags behind the working tree: nothing is claimed that has not changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.support import Project
from tx_graph.code import freshness as index_freshness
from tx_graph.code.freshness import Freshness
from tx_graph.context.freshness import index_notices
from tx_graph.core.kernel import iso
from tx_graph.workspace import prepare


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("a.py", "import b\n")
    project.write("b.py", "value = 1\n")
    project.write("README.md", "# Project\n")
    project.write("web.ts", "import '@/auth'\n")
    project.write("tsconfig.json", "{}\n")
    project.git.commit()
    project.index()
    return project


def freshness(project: Project) -> Freshness:
    with project.open() as workspace:
        found = workspace.health.age().freshness
    assert found is not None
    return found


def make_old(path: Path) -> None:
    """Give a file a time stamp of yesterday, which is another one than it had."""
    yesterday = time.time_ns() - 86_400 * 10**9
    os.utime(path, ns=(yesterday, yesterday))


def test_what_was_just_indexed_is_fresh(project: Project) -> None:
    found = freshness(project)
    assert not found.is_behind
    assert found.indexed_at == iso(project.clock.now())
    assert found.head == project.git.git("rev-parse", "HEAD")


def test_changed_new_and_gone_files_are_told_apart(project: Project) -> None:
    project.write("a.py", "import c\n")
    project.write("new.py")
    (project.root / "b.py").unlink()
    found = freshness(project)
    assert [found.changed, found.new, found.gone] == [{"a.py"}, {"new.py"}, {"b.py"}]
    project.index()
    assert not freshness(project).is_behind


def test_a_change_that_keeps_the_size_shows_in_the_content(project: Project) -> None:
    make_old(project.write("a.py", "import c\n"))
    assert freshness(project).changed == {"a.py"}


def test_a_file_that_was_only_touched_has_not_changed(project: Project) -> None:
    make_old(project.root / "a.py")
    make_old(project.root / "tsconfig.json")
    assert not freshness(project).is_behind


def test_a_file_indexed_the_moment_it_was_written_has_not_changed(project: Project) -> None:
    project.write("a.py", "import b  # written and indexed at once\n")
    project.index()
    assert not freshness(project).is_behind


def test_a_text_of_which_the_index_holds_nothing_makes_it_no_older(project: Project) -> None:
    project.write("README.md", "# Another title\n")
    assert not freshness(project).is_behind
    project.write("tsconfig.json", '{"compilerOptions": {}}\n')
    assert freshness(project).changed == {"tsconfig.json"}


def test_a_file_that_was_too_large_counts_once_it_has_another_size(project: Project) -> None:
    project.configure('embedder = "none"', "[index]", "max_file_size = 20")
    make_old(project.write("big.py", "value = 1\n" * 10))
    project.index()
    assert not freshness(project).is_behind
    project.write("big.py", "value = 1\n")
    assert freshness(project).changed == {"big.py"}


def test_more_than_can_be_compared_is_counted_and_not_called_changed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_freshness, "_MOST_HASHED", 0)
    for path in ("a.py", "b.py", "web.ts", "tsconfig.json"):
        make_old(project.root / path)
    found = freshness(project)
    assert (found.changed, found.unproven) == (frozenset(), 4)
    [sentence] = index_notices(found)
    assert sentence.startswith("The index may be behind the working tree: 4 files have another time stamp, too many")


def test_what_was_never_indexed_says_only_that(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "a.py").write_text("import b\n", encoding="utf-8")
    with open_workspace(tmp_path) as workspace:
        age = workspace.health.age()
    assert age.notices == ("Files were never indexed; run 'tx sync'.",)
    assert age.freshness == Freshness()


def test_outside_git_it_is_told_too(tmp_path: Path) -> None:
    prepare(tmp_path)
    (tmp_path / "a.py").write_text("import b\n", encoding="utf-8")
    with open_workspace(tmp_path) as workspace:
        workspace.indexing.run()
        assert workspace.health.age().notices == ()
        (tmp_path / "b.py").write_text("", encoding="utf-8")
        workspace.kernel.forget()
        assert workspace.health.age().notices == ("The index is behind the working tree: 1 file new; run 'tx sync'.",)


def test_a_manifest_of_equal_size_that_says_something_else_has_changed(project: Project) -> None:
    project.write("src/use.ts", 'import "@/a";\n')
    project.write("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}')
    make_old(project.root / "tsconfig.json")
    project.index()
    project.write("tsconfig.json", '{"compilerOptions": {"paths": {"@/*": ["./lib/*"]}}}')
    assert freshness(project).changed == {"tsconfig.json"}
