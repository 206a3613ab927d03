"""What is read, what is read again, and what need not be read because it was read before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.support import Project, let_stamps_settle
from tx_graph.code.file_store import SymbolStore
from tx_graph.workspace import prepare

SYMBOLS = "SELECT fqname FROM symbols_text ORDER BY 1"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("a.py", "import b\n\n\ndef f(x: int) -> int: ...\n")
    project.write("b.py", "class B:\n    def m(self): ...\n")
    return project


def symbols(project: Project) -> list[str]:
    with project.open() as workspace:
        return [fqname for (fqname,) in workspace.kernel.database.rows(SYMBOLS)]


def test_symbols_are_stored_with_their_signature(project: Project) -> None:
    project.index()
    with project.open() as workspace:
        found = SymbolStore(workspace.kernel.database).below("")
    assert [(one.fqname, one.kind, one.line_start, one.line_end) for one in found] == [
        ("a.py::f", "function", 4, 4),
        ("b.py::B", "class", 1, 2),
        ("b.py::B::m", "method", 2, 2),
    ]


def test_going_back_to_a_branch_parses_nothing(project: Project) -> None:
    project.git.commit("a.py", "b.py", "c.py")
    project.index()
    project.git.git("checkout", "--quiet", "-b", "other")
    project.write("a.py", "def other(): ...\n")
    project.git.commit()
    assert project.index().reused == 0
    project.git.git("checkout", "--quiet", "main")
    report = project.index()
    assert (report.read, report.reused) == (1, 1)


def test_a_new_worktree_parses_nothing(project: Project, tmp_path: Path) -> None:
    project.git.commit("a.py", "b.py")
    project.index()
    other = tmp_path / "other"
    project.git.git("worktree", "add", "--quiet", str(other))
    prepare(other)
    with open_workspace(other, clock=project.clock) as workspace:
        report = workspace.indexing.run()
    assert report.read == report.reused > 0


def test_equal_contents_in_another_language_are_read_for_themselves(project: Project) -> None:
    project.write("c.js", "import './d';\n")
    project.index()
    project.write("c.ts", "import './d';\n")
    assert project.index().reused == 0


def test_files_of_equal_content_are_all_read(project: Project) -> None:
    project.write("c.py", "def same(): ...\n")
    project.write("d.py", "def same(): ...\n")
    project.index()
    assert {"c.py::same", "d.py::same"} <= set(symbols(project))


def test_without_a_cache_everything_is_parsed(project: Project) -> None:
    project.configure('embedder = "none"', "index.cache_size = 0")
    project.index()
    assert project.index(force=True).reused == 0
    assert not (project.root / ".git" / "tx").exists()


def test_a_damaged_reading_is_made_anew(project: Project) -> None:
    project.index()
    for file in (project.root / ".git" / "tx").iterdir():
        file.write_bytes(b"damaged")
    assert (project.index(force=True).reused, symbols(project)) == (0, ["a.py::f", "b.py::B", "b.py::B::m"])


@pytest.mark.parametrize("name", ["lib.min.js", "bundle.js"])
def test_minified_scripts_are_left_out_and_named(project: Project, name: str) -> None:
    project.write(name, "import './x';function a(){};" * 200)
    report = project.index()
    assert dict(report.skipped) == {name: "is minified"}


def test_files_marked_as_generated_are_targets_and_nothing_else(project: Project) -> None:
    project.write(".gitattributes", "b.py linguist-generated\n")
    project.write("b.py", "import a\n\n\nclass B: ...\n")
    report = project.index()
    assert dict(report.skipped) == {"b.py": "is marked as generated"}
    assert (report.imports, symbols(project)) == (1, ["a.py::f"])


def test_files_are_read_once_they_are_no_longer_marked(project: Project) -> None:
    let_stamps_settle()
    project.write(".gitattributes", "b.py linguist-generated\n")
    project.index()
    project.write(".gitattributes", "b.py -linguist-generated\n")
    assert (project.index().skipped, symbols(project)) == ((), ["a.py::f", "b.py::B", "b.py::B::m"])


def test_a_file_that_changed_but_for_its_size_and_time_is_read(project: Project) -> None:
    let_stamps_settle()
    project.index()
    path = project.root / "a.py"
    stat, text = path.stat(), path.read_text(encoding="utf-8")
    path.write_text(text.replace("def f", "def g"), encoding="utf-8")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert path.stat().st_size == stat.st_size
    project.index()
    assert "a.py::g" in symbols(project)


def test_another_version_of_the_readers_reads_everything(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    let_stamps_settle()
    project.index()
    assert project.index().read == 0
    with project.open() as workspace:
        database = workspace.kernel.database
        with database.transaction():
            database.write("UPDATE analyses SET options = json_set(options, '$.readers', 'older') WHERE name = 'index'")
    assert project.index().read == 2
    assert project.index().read == 0


def test_symbolic_links_and_submodules_are_named_and_not_followed(project: Project) -> None:
    (project.root / "link.py").symlink_to("a.py")
    (project.root / "loop").symlink_to(".")
    (project.root / "inner").mkdir()
    project.git.git("init", "--quiet", "inner")
    report = project.index()
    assert dict(report.skipped) == {
        "inner/": "is a repository of its own",
        "link.py": "is a symbolic link",
        "loop": "is a symbolic link",
    }


def test_a_file_that_goes_while_files_are_read_is_named(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    with project.open() as workspace:
        checkout = workspace.indexing._kernel.checkout
        listing = checkout.list_files
        monkeypatch.setattr(checkout, "list_files", lambda *report: _and_then(listing(*report), project.root / "b.py"))
        report = workspace.indexing.run()
    assert dict(report.skipped) == {"b.py": "cannot be read"}
    assert project.index().files == 1


def _and_then(listed: list, gone: Path) -> list:  # type: ignore[type-arg]
    gone.unlink(missing_ok=True)
    return listed


def test_without_git_on_the_path_files_are_indexed_all_the_same(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(".gitignore", "ignored.py\n")
    project.write("ignored.py")
    project.index()
    project.write("c.py", "import a\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    report = project.index()
    assert (report.files, report.read, report.removed, report.imports) == (4, 1, 0, 2)
    assert "Git cannot be run" in report.notices[0]
