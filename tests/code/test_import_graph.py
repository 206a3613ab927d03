"""What a file imports, what imports it, what leads nowhere, and what goes round in circles."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.code.import_graph import DeadEnd, ImportCycles, ImportGraph, Imports
from tx_graph.code.imports import ImportType
from tx_graph.core.errors import NotFound, UsageError

FILES = {
    "web/app.ts": "import './auth'\nimport './log'\nimport type { Config } from './config'\nimport 'react'\n",
    "web/auth.ts": "import { sign } from './jwt'\nimport fs from 'node:fs'\nimport './gone'\n",
    "web/jwt.ts": "import './log'\n",
    "web/log.ts": "export { level } from '../shared/level'\n",
    "web/config.ts": "import type { App } from './app'\n",
    "shared/level.ts": "export const level = 1\n",
    "README.md": "# Web\n",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    for path, text in FILES.items():
        project.write(path, text)
    project.git.commit()
    project.index()
    return project


def imports(project: Project, typed: str, *, reverse: bool = False, depth: int = 1) -> Imports:
    with project.open() as workspace:
        graph = workspace.kernel.one(ImportGraph)
        return (graph.importers if reverse else graph.imports)(typed, depth=depth)


def pairs(found: Imports) -> list[tuple[str, str, int]]:
    return [(step.source, step.target, step.hops) for step in found.steps]


def dead_ends(project: Project, typed: str | None = None) -> list[DeadEnd]:
    with project.open() as workspace:
        return list(workspace.kernel.one(ImportGraph).unresolved_imports(typed).dead_ends)


def cycles(project: Project, *, with_type_only: bool = False) -> ImportCycles:
    with project.open() as workspace:
        return workspace.kernel.one(ImportGraph).cycles(with_type_only=with_type_only)


def test_a_file_leads_to_what_it_imports_with_the_type(project: Project) -> None:
    found = imports(project, "web/app.ts")
    assert [(step.target, step.type) for step in found.steps] == [
        ("web/auth.ts", ImportType.STATIC),
        ("web/config.ts", ImportType.TYPE_ONLY),
        ("web/log.ts", ImportType.STATIC),
    ]


def test_a_walk_names_each_file_once_by_the_nearest_import(project: Project) -> None:
    assert pairs(imports(project, "web/app.ts", depth=9)) == [
        ("web/app.ts", "web/auth.ts", 1),
        ("web/app.ts", "web/config.ts", 1),
        ("web/app.ts", "web/log.ts", 1),
        ("web/log.ts", "shared/level.ts", 2),
        ("web/auth.ts", "web/jwt.ts", 2),
    ]


def test_importers_are_found_against_the_direction(project: Project) -> None:
    assert pairs(imports(project, "web/log.ts", reverse=True, depth=2)) == [
        ("web/app.ts", "web/log.ts", 1),
        ("web/jwt.ts", "web/log.ts", 1),
        ("web/auth.ts", "web/jwt.ts", 2),
        ("web/config.ts", "web/app.ts", 2),
    ]


def test_of_a_directory_every_import_over_its_border_is_named(project: Project) -> None:
    found = imports(project, "web/")
    assert (pairs(found), found.inside) == ([("web/log.ts", "shared/level.ts", 1)], 6)
    found = imports(project, "shared", reverse=True)
    assert (pairs(found), found.inside) == ([("web/log.ts", "shared/level.ts", 1)], 0)
    found = imports(project, ".")
    assert (pairs(found), found.inside) == ([], 7)


def test_paths_are_understood_from_where_one_stands(project: Project) -> None:
    with project.open("web") as workspace:
        assert workspace.kernel.one(ImportGraph).imports("jwt.ts").place.path == "web/jwt.ts"
        assert workspace.kernel.one(ImportGraph).imports("file:../shared/level.ts").place.path == "shared/level.ts"


def test_imports_that_should_lead_to_a_file_are_counted(project: Project) -> None:
    assert imports(project, "web/auth.ts").missing == 1
    assert imports(project, "web").missing == 1
    assert imports(project, "web/jwt.ts").missing == 0


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_a_usage_error(project: Project, depth: int) -> None:
    with pytest.raises(UsageError):
        imports(project, "web/app.ts", depth=depth)


def test_a_directory_has_no_depth(project: Project) -> None:
    with pytest.raises(UsageError):
        imports(project, "web", depth=2)


def test_an_unknown_file_names_the_nearest(project: Project) -> None:
    with pytest.raises(NotFound) as error:
        imports(project, "web/aut.ts")
    assert "web/auth.ts" in error.value.candidates


def test_a_file_that_is_not_indexed_says_why(project: Project) -> None:
    project.write("web/new.ts")
    with pytest.raises(NotFound, match="not indexed") as error:
        imports(project, "web/new.ts")
    assert error.value.hint == "Run 'tx sync'."
    project.write(".gitignore", "*.log\n")
    project.write("debug.log")
    with pytest.raises(NotFound, match="git ignores it"):
        imports(project, "debug.log")


def test_a_deleted_file_is_known_until_the_next_index(project: Project) -> None:
    (project.root / "web/jwt.ts").unlink()
    assert pairs(imports(project, "web/jwt.ts")) == [("web/jwt.ts", "web/log.ts", 1)]
    project.index()
    with pytest.raises(NotFound):
        imports(project, "web/jwt.ts")


def test_an_empty_answer_says_why(project: Project) -> None:
    assert imports(project, "README.md").remark == "README.md is in no language whose imports are read."
    assert imports(project, "shared/level.ts").remark == ""
    (project.root / "empty").mkdir()
    assert imports(project, "empty").remark == "'empty/' is not indexed."
    project.write("web/dist.min.js", "var a=1;" * 1_000)
    project.index()
    assert imports(project, "web/dist.min.js").remark == "web/dist.min.js is minified, so its imports are not read."


def test_dead_ends_stand_in_source_order_with_their_reason(project: Project) -> None:
    assert [(end.line, end.module, end.reason) for end in dead_ends(project, "web/auth.ts")] == [
        (2, "node:fs", "stdlib"),
        (3, "./gone", "missing"),
    ]
    assert [(end.source, end.module) for end in dead_ends(project)] == [
        ("web/app.ts", "react"),
        ("web/auth.ts", "node:fs"),
        ("web/auth.ts", "./gone"),
    ]
    assert dead_ends(project, "shared") == []


def test_the_names_of_one_statement_are_one_dead_end(project: Project) -> None:
    project.write("tool.py", "from os import path, sep\nimport os\n")
    project.index()
    assert [(end.line, end.module, end.names) for end in dead_ends(project, "tool.py")] == [
        (1, "os", ("path", "sep")),
        (2, "os", ()),
    ]


def test_type_only_imports_close_no_cycle_unless_asked(project: Project) -> None:
    found = cycles(project)
    assert (found.cycles, found.files, found.with_types) == ((), 0, 1)
    found = cycles(project, with_type_only=True)
    assert ([cycle.nodes for cycle in found.cycles], found.files) == ([("web/app.ts", "web/config.ts")], 2)
    assert found.types["web/config.ts", "web/app.ts"] is ImportType.TYPE_ONLY
    assert found.with_types == 0


def test_cycles_come_shortest_first(project: Project) -> None:
    project.write("web/jwt.ts", "import './app'\n")
    project.write("shared/level.ts", "import '../web/log'\n")
    project.index()
    found = cycles(project)
    assert [cycle.nodes for cycle in found.cycles] == [
        ("shared/level.ts", "web/log.ts"),
        ("web/app.ts", "web/auth.ts", "web/jwt.ts"),
    ]
    assert found.files == 5
