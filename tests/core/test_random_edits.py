"""Whatever is done to a working tree, the index that follows step by step equals one made from nothing."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support import Project
from tx_graph.core.database import Database

CONTENTS = {
    ".py": [
        "import a\nfrom pkg import b, missing\n",
        "from . import a\nfrom .b import x\n\n\nclass C:\n    def m(self): ...\n",
        "def f(): ...\n",
        "",
    ],
    ".ts": [
        'import "./a";\nexport * from "@/b";\n',
        'import type { T } from "./b";\nimport "../pkg/a.json";\nimport "app/sub/a";\n',
        "export const x = 1;\n",
        "const broken = (;\n",
    ],
    ".go": [
        'package pkg\n\nimport "example.com/app/sub"\n\nfunc A() { sub.B(); sub.C() }\n',
        "package sub\n\nfunc B() {}\n",
        "package sub\n\nfunc C() {}\n\ntype T struct{}\n",
        'package main\n\nimport s "example.com/app/sub"\n\nvar _ = s.C\n',
    ],
    ".java": [
        "package pkg;\n\nimport sub.*;\n\npublic class a { b x; }\n",
        "package sub;\n\npublic class b {}\n\nclass c {}\n",
        "package sub;\n\nimport pkg.a;\nimport sub.c;\n\npublic class c {}\n",
        "package other;\n\npublic class b {}\n",
    ],
    ".rs": [
        "mod a;\npub mod b;\nuse crate::b::x;\n",
        "use super::a;\n\npub fn x() {}\n\nmod tests { use super::*; }\n",
        '#[path = "b.rs"]\nmod odd;\npub use odd::x;\n',
        "",
    ],
}
MANIFESTS = {
    "tsconfig.json": ['{"compilerOptions": {"paths": {"@/*": ["./pkg/*"]}}}', '{"extends": "./base.config.json"}', "{"],
    "base.config.json": [
        '{"compilerOptions": {"paths": {"@/*": ["./sub/*"]}}}',
        '{"compilerOptions": {"baseUrl": "."}}',
    ],
    "package.json": ['{"name": "app", "exports": {"./sub/*": "./sub/*.ts"}}', '{"name": "other"}'],
    "go.mod": ["module example.com/app\n", "module example.com/other\n"],
    "sub/go.mod": ["module example.com/app/sub\n"],
    "Cargo.toml": ['[package]\nname = "app"\nedition = "2021"\n\n[lib]\npath = "pkg/a.rs"\n', "[workspace]\n"],
    "pyproject.toml": ["[project]\n"],
    "pkg/a.json": ["{}"],
    ".gitattributes": ["sub/* linguist-generated\n", "*.txt text\n"],
}
PLACES = [
    f"{directory}{name}{extension}"
    for directory in ("", "pkg/", "sub/")
    for name in ("a", "b", "__init__", "mod")
    for extension in CONTENTS
]
TABLES = {
    "files": "SELECT path, language, size, content_hash, problem FROM files ORDER BY path",
    "imports": "SELECT source_file, target_file, import_type FROM file_imports_text ORDER BY 1, 2",
    "specifiers": """
        SELECT f.path, s.position, s.module, s.name, s.import_type, s.line, s.scope, s.unresolved
        FROM import_specifiers s JOIN files f ON f.node_id = s.file ORDER BY 1, 2
    """,
    "symbols": """
        SELECT f.path, s.position, s.name, s.kind, s.line_start, s.line_end, s.signature
        FROM symbols s JOIN files f ON f.node_id = s.file ORDER BY 1, 2
    """,
    "surfaces": """
        SELECT f.path, s.package, s.offers, s.uses
        FROM source_surfaces s JOIN files f ON f.node_id = s.file ORDER BY 1
    """,
    "words": "SELECT n.key FROM files_fts f JOIN nodes n ON n.id = f.rowid ORDER BY 1",
}


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 10))])
def test_an_index_kept_current_equals_a_fresh_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    chance = random.Random(seed)
    project = Project(tmp_path, monkeypatch)
    for place in chance.sample(PLACES, 30):
        project.write(place, chance.choice(CONTENTS[Path(place).suffix]))
    for name in chance.sample(sorted(MANIFESTS), 5):
        project.write(name, chance.choice(MANIFESTS[name]))
    project.index()
    for _ in range(25):
        for _ in range(chance.choice((1, 1, 3))):
            edit(project, chance)
        project.index()

        assert rows(project) == rows_from_nothing(project)


def edit(project: Project, chance: random.Random) -> None:
    """Change one thing about the working tree: mostly what stands in a file, sometimes which files there are."""
    places = {path: CONTENTS[Path(path).suffix] for path in PLACES} | MANIFESTS
    existing = sorted(path for path in places if (project.root / path).is_file())
    chosen = chance.choice([path for path in existing if path in MANIFESTS or chance.random() < 0.3] or PLACES)
    act = chance.random()
    if act < 0.08 and chosen in existing:
        (project.root / chosen).unlink()
    elif act < 0.16 and chosen in existing:
        (project.root / chosen).replace(project.write(chance.choice(PLACES)))
    elif act < 0.24:
        chosen = chance.choice(sorted(places))
        project.write(chosen, chance.choice(places[chosen]))
    elif act < 0.3:
        project.write(chosen).write_bytes(b"\0\1\2")
    else:
        project.write(chosen, chance.choice(places[chosen]))


def rows(project: Project) -> dict[str, list[Any]]:
    with Database.open(project.root / ".tx" / "graph.db") as database:
        return {name: database.rows(sql) for name, sql in TABLES.items()}


def rows_from_nothing(project: Project) -> dict[str, list[Any]]:
    """Return the rows of an index made beside the one there is, without what was read before."""
    kept, readings = project.root / ".tx" / "graph.db", project.root / ".git" / "tx"
    aside = project.root.parent / "aside"
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir()
    for file in kept.parent.glob("graph.db*"):
        file.rename(aside / file.name)
    if readings.exists():
        readings.rename(aside / "tx")
    project.index()
    found = rows(project)
    for file in kept.parent.glob("graph.db*"):
        file.unlink()
    shutil.rmtree(readings, ignore_errors=True)
    for file in aside.glob("graph.db*"):
        file.rename(kept.parent / file.name)
    if (aside / "tx").exists():
        (aside / "tx").rename(readings)
    return found
