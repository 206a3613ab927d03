"""The index equals the working tree, whichever way it came to be."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.opened import open_workspace
from tests.core.test_random_edits import rows, rows_from_nothing
from tests.support import Project, let_stamps_settle
from tx_graph.core.errors import NotInitialised, RepositoryError
from tx_graph.workspace import prepare

FILES = {
    "package.json": '{"name": "app"}',
    "src/app.ts": 'import { a } from "./a";\nimport "@/deep/b";\nimport "react";\n',
    "src/a.ts": 'export { c } from "./deep/c";\n',
    "src/deep/b.ts": 'const lazy = () => import("../a");\n',
    "py/main.py": "import os\nfrom py import tool\nfrom .pkg import thing\n",
    "py/tool.py": "import json\n",
    "README.md": "# App\n",
}
SOURCES = [path for path in FILES if path.startswith("src/")]
ALIAS = '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}'
CHANGES: dict[str, dict[str, str | None]] = {
    "a target appears": {"src/deep/c.ts": ""},
    "a package appears": {"py/pkg/__init__.py": "", "py/pkg/thing.py": "from .. import tool\n"},
    "an alias appears": {"tsconfig.json": ALIAS},
    "imports go while another file appears": {"src/app.ts": "export {};\n", "src/other.ts": ""},
    "imports go": {"src/app.ts": "export {};\n"},
    "an import changes": {"src/app.ts": 'import type { b } from "./deep/b";\n'},
    "a target goes": {"src/a.ts": None},
    "an importer goes": {"src/app.ts": None},
    "a file is renamed": {
        "src/a.ts": None,
        "src/renamed.ts": FILES["src/a.ts"],
        "src/app.ts": 'import { a } from "./renamed";\n',
    },
    "a name changes its case": {"src/a.ts": None, "src/A.ts": FILES["src/a.ts"]},
    "a directory moves": dict.fromkeys(SOURCES) | {f"lib{path[3:]}": FILES[path] for path in SOURCES},
    "a file becomes a directory": {"src/a.ts": None, "src/a/index.ts": 'export * from "../deep/b";\n'},
    "a file becomes binary": {"src/app.ts": 'import "./a";\0'},
}
"""What a change leaves in each file that it touches; no text stands for no file."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    make(project, FILES)
    return project


def make(project: Project, changes: Mapping[str, str | None]) -> None:
    for path, text in changes.items():
        if text is None:
            (project.root / path).unlink()
        else:
            project.write(path, text)


def imports(project: Project) -> set[tuple[str, str]]:
    return {(source, target) for source, target, _ in rows(project)["imports"]}


@pytest.mark.parametrize("changes", [[name] for name in CHANGES] + [[
    "a target appears", "an alias appears", "a file is renamed", "a package appears", "an importer goes",
]], ids=", ".join)  # fmt: skip
def test_an_updated_index_equals_a_fresh_one(project: Project, changes: list[str]) -> None:
    project.index()
    for change in changes:
        make(project, CHANGES[change])
        project.index()
    updated = rows(project)
    assert updated == rows_from_nothing(project)


def test_imports_point_at_what_they_mean(project: Project) -> None:
    project.index()
    assert imports(project) == {("src/app.ts", "src/a.ts"), ("src/deep/b.ts", "src/a.ts"), ("py/main.py", "py/tool.py")}


def test_an_importer_is_resolved_again_when_its_target_appears(project: Project) -> None:
    project.index()
    make(project, CHANGES["a target appears"])
    assert project.index().read == 1
    assert ("src/a.ts", "src/deep/c.ts") in imports(project)


def test_importers_are_resolved_again_when_an_alias_is_added_changed_or_removed(project: Project) -> None:
    project.index()
    config = project.root / "tsconfig.json"
    for target, expected in (("./src/*", True), ("./nowhere/*", False), ("./src/*", True)):
        config.write_text(json.dumps({"compilerOptions": {"paths": {"@/*": [target]}}}), encoding="utf-8")
        project.index()
        assert (("src/app.ts", "src/deep/b.ts") in imports(project)) is expected
    config.unlink()
    project.index()
    assert ("src/app.ts", "src/deep/b.ts") not in imports(project)


def test_a_manifest_that_does_not_parse_is_named_and_harms_nothing(project: Project) -> None:
    project.write("tsconfig.json", "{ broken")
    report = project.index()
    assert [path for path, _ in report.manifests] == ["tsconfig.json"]
    assert ("src/app.ts", "src/a.ts") in imports(project)


def test_an_unchanged_tree_is_not_read_again(project: Project) -> None:
    let_stamps_settle()
    assert project.index().read == 5
    report = project.index()
    assert (report.read, report.resolved, report.removed, report.files) == (0, 0, 0, 7)
    assert project.index(force=True).read == 5


def test_what_gave_no_edge_is_counted_by_reason(project: Project) -> None:
    report = project.index()
    assert report.unresolved["external"] >= 1
    assert report.unresolved["stdlib"] == 2
    assert report.unresolved["missing"] >= 1


def test_files_that_cannot_be_understood_are_named_and_not_fatal(project: Project) -> None:
    project.configure('embedder = "none"', "index.max_file_size = 2000")
    project.write("broken.ts", "import { from ;;; (((\n")
    (project.root / "binary.py").write_bytes(b"import os\0\xff")
    (project.root / "latin1.py").write_bytes(b"import os  # caf\xe9\n")
    project.write("huge.py", "import os\n" * 400)
    project.write("deep.js", f'import "./src/a";\nx = {"(" * 900}')
    let_stamps_settle()
    report = project.index()
    assert dict(report.skipped) == {
        "binary.py": "is binary",
        "broken.ts": "has a syntax error in line 1, and was read as far as possible",
        "deep.js": "has a syntax error in line 1, and was read as far as possible",
        "huge.py": "is larger than index.max_file_size",
        "latin1.py": "is not UTF-8, and was read as far as possible",
    }
    again = project.index()
    assert dict(again.skipped) == dict(report.skipped)
    assert (again.read, again.resolved) == (0, 0)
    assert ("src/app.ts", "src/a.ts") in imports(project)


def test_a_file_is_read_when_the_limit_no_longer_forbids_it(project: Project) -> None:
    let_stamps_settle()
    project.configure('embedder = "none"', "index.max_file_size = 10")
    assert len(project.index().skipped) == 5
    project.configure('embedder = "none"')
    assert project.index().skipped == ()
    assert ("src/app.ts", "src/a.ts") in imports(project)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is unreadable to root")
def test_an_unreadable_file_is_named_and_read_once_it_can_be(project: Project) -> None:
    file = project.root / "src/app.ts"
    file.chmod(0)
    assert dict(project.index().skipped) == {"src/app.ts": "cannot be read"}
    file.chmod(0o644)
    assert project.index().skipped == ()


@pytest.mark.parametrize("below", ["src", "src/"])
def test_below_a_directory_the_rest_stays_as_it_was(project: Project, below: str) -> None:
    project.index()
    project.write("src/deep/c.ts")
    project.write("py/new.py")
    (project.root / "py/tool.py").unlink()
    report = project.index(below)
    assert report.files == 4
    known = {row[0] for row in rows(project)["files"]}
    assert {"src/deep/c.ts", "py/tool.py"} <= known
    assert "py/new.py" not in known
    assert ("src/a.ts", "src/deep/c.ts") in imports(project)
    assert ("py/main.py", "py/tool.py") in imports(project)


def test_only_the_whole_tree_counts_as_indexed(project: Project) -> None:
    for below, files, counts in (("src", 3, False), (".", 7, True), ("", 7, True)):
        assert project.index(below).files == files
        with project.open() as workspace:
            assert (workspace.graph.stats().analyses["index"] is not None) is counts


def test_without_parsers_one_sentence_says_so_and_files_wait_until_they_are_there(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_stamps_settle()
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "ast_grep_py", None)
        for _ in range(2):
            report = project.index()
            assert (report.files, report.read, report.imports, report.skipped) == (7, 0, 0, ())
            [notice] = report.notices
            assert "ast-grep-py cannot be loaded" in notice
    report = project.index()
    assert (report.read, report.imports, report.notices) == (5, 3, ())
    waited = rows(project)
    assert waited == rows_from_nothing(project)


def test_parsers_that_are_gone_leave_imports_as_they_were(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    let_stamps_settle()
    project.index()
    before = imports(project)
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    assert project.index().notices == ()
    make(project, CHANGES["imports go"])
    assert len(project.index().notices) == 1
    assert imports(project) == before
    monkeypatch.undo()
    project.index()
    updated = rows(project)
    assert updated == rows_from_nothing(project)


def test_progress_counts_to_the_end(project: Project) -> None:
    seen: list[tuple[int, int | None]] = []
    with project.open() as workspace:
        workspace.indexing.run(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (7, 7)
    assert seen == sorted(seen)


def test_initialising_twice_changes_nothing(project: Project) -> None:
    (project.root / ".tx/config.toml").write_text('embedder = "mine"\n', encoding="utf-8")
    again = prepare(project.root)
    assert again.created == ()
    assert (project.root / ".tx/config.toml").read_text(encoding="utf-8") == 'embedder = "mine"\n'


def test_what_is_missing_is_made_again(project: Project) -> None:
    shutil.rmtree(project.root / ".tx")
    assert prepare(project.root).created == (".tx/.gitignore", ".tx/config.toml")
    for name in ("learnings/.tmp-1-a", "facts/.tmp-1-a", "entities/.batch-1-a/a.md", ".config.toml.tmp"):
        project.write(f".tx/{name}", "what a process left that was killed")
    assert project.git.git("ls-files", "--others", "--exclude-standard", ".tx") == ".tx/.gitignore\n.tx/config.toml"
    assert project.git.git("status", "--porcelain", "--untracked-files=all", ".tx").count("\n") == 1


def test_a_subdirectory_initialises_the_repository_above_it(project: Project) -> None:
    shutil.rmtree(project.root / ".tx")
    prepared = prepare(project.root / "src" / "deep")
    assert (prepared.root, prepared.is_git) == (project.root, True)
    assert not (project.root / "src/deep/.tx").exists()


def test_a_worktree_has_a_memory_of_its_own_that_git_carries(project: Project, tmp_path: Path) -> None:
    project.add("One")
    project.git.commit()
    project.git.git("worktree", "add", "--quiet", str(tmp_path / "tree"))
    prepared = prepare(tmp_path / "tree" / "src")
    assert prepared.root == (tmp_path / "tree").resolve()
    with open_workspace(tmp_path / "tree", clock=project.clock) as workspace:
        assert workspace.indexing.run().files == 7
        assert [one.learning.content for one in workspace.learnings.recent(limit=5)] == ["One"]


def test_a_repository_without_a_commit_is_indexed(project: Project) -> None:
    report = project.index()
    assert (report.files, report.imports) == (7, 3)
    with project.open() as workspace:
        run = workspace.graph.stats().analyses["index"]
    assert run is not None
    assert run.head is None


def test_a_shallow_clone_is_indexed(project: Project, tmp_path: Path) -> None:
    project.git.commit()
    project.git.commit("more.py")
    project.git.git("clone", "--quiet", "--depth=1", f"file://{project.root}", str(tmp_path / "shallow"))
    prepare(tmp_path / "shallow")
    with open_workspace(tmp_path / "shallow", clock=project.clock) as workspace:
        assert workspace.indexing.run().files == 8


def test_outside_git_files_are_indexed_too(tmp_path: Path) -> None:
    root = tmp_path / "plain"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("import b\n", encoding="utf-8")
    (root / "src" / "b.py").touch()
    prepared = prepare(root)
    assert (prepared.root, prepared.is_git) == (root.resolve(), False)
    assert prepare(root / "src").root == root.resolve()
    with open_workspace(root / "src") as workspace:
        report = workspace.indexing.run()
    assert (report.files, report.imports) == (2, 1)


def test_without_a_workspace_nothing_opens(tmp_path: Path) -> None:
    with pytest.raises(NotInitialised):
        open_workspace(tmp_path)


def test_inside_a_git_directory_nothing_is_initialised(project: Project) -> None:
    with pytest.raises(RepositoryError):
        prepare(project.root / ".git")
