"""What resolvers do beside finding files, which corpora say (`fixtures/landings`)."""

from __future__ import annotations

import json

import pytest

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.resolvers import RepositoryIndex, Resolution, resolve_imports, resolvers_concerned


def resolution(*modules: str, index: RepositoryIndex) -> Resolution:
    specifiers = [Specifier(module=module) for module in modules]
    return resolve_imports(source="a.ts", language="typescript", specifiers=specifiers, index=index)


def test_the_strongest_of_several_imports_of_a_file_stays() -> None:
    kinds = (ImportType.TYPE_ONLY, ImportType.STATIC, ImportType.DYNAMIC)
    index = RepositoryIndex(["x.py", "p.py"], lambda _: None)
    specifiers = [Specifier(module="p", type=kind) for kind in kinds]

    found = resolve_imports(source="x.py", language="python", specifiers=specifiers, index=index)

    assert [edge.type for edge in found.edges] == [ImportType.STATIC]


@pytest.mark.parametrize(
    ("resolver", "deciding", "others"),
    [
        ("python", "pyproject.toml a/setup.py a/b/setup.cfg", "a/mysetup.cfg tox.ini pyproject.toml/x"),
        ("go", "go.mod a/go.work x.go", "go.sum go.mod/x"),
        ("javascript", "package.json web/tsconfig.json pnpm-workspace.yaml style.css a.ts", ""),
    ],
)
def test_files_whose_coming_or_going_may_change_what_an_import_means(resolver: str, deciding: str, others: str) -> None:
    assert all(resolver in resolvers_concerned(path) for path in deciding.split())
    assert not any(resolver in resolvers_concerned(path) for path in others.split())


def test_comments_and_trailing_commas_are_allowed_in_configurations() -> None:
    text = """\ufeff{
        // a comment with "quotes" and a url https://example.org
        "compilerOptions": { /* "paths": {}, */ "paths": { "@/*": ["./src/*",], }, },
    }"""
    texts = {"a.ts": "", "tsconfig.json": text, "src/x.ts": ""}

    found = resolution("@/x", index=RepositoryIndex(texts, texts.get))

    assert [edge.target for edge in found.edges] == ["src/x.ts"]


@pytest.mark.parametrize("text", ["{", "[]", "null", "\x00", "[" * 100_000, '{"compilerOptions": {"paths": '])
def test_a_malformed_manifest_counts_as_absent_and_is_reported(text: str) -> None:
    texts = {"a.ts": "", "tsconfig.json": text, "package.json": text, "pnpm-workspace.yaml": "a: [b"}
    index = RepositoryIndex(texts, texts.get)

    found = resolution("@/x", "#x", index=index)

    assert [miss.reason for miss in found.unresolved] == ["external", "missing"]
    assert {path for path, _ in index.problems} >= {"tsconfig.json", "package.json"}


@pytest.mark.parametrize("odd", [None, 1, "x", [1], {"x": 1}, [["x"]], {"x": None}])
def test_manifests_with_odd_values_are_read_for_what_makes_sense(odd: object) -> None:
    options = {"baseUrl": odd, "paths": odd}
    manifests = {
        "tsconfig.json": {"extends": odd, "references": odd, "compilerOptions": options},
        "package.json": dict.fromkeys(["name", "main", "exports", "imports", "workspaces"], odd),
        "pnpm-workspace.yaml": {"packages": odd},
    }
    texts = {"a.ts": "", **{path: json.dumps(value) for path, value in manifests.items()}}

    found = resolution("@/x", "#x", index=RepositoryIndex(texts, texts.get))

    assert [miss.reason for miss in found.unresolved] == ["external", "missing"]


def test_an_unreadable_manifest_counts_as_absent() -> None:
    found = resolution("@/x", index=RepositoryIndex(["a.ts", "tsconfig.json"], lambda _: None))

    assert found.unresolved[0].reason == "external"


def test_manifests_are_read_once_and_only_when_an_import_needs_them() -> None:
    reads: list[str] = []
    index = RepositoryIndex(["a.ts", "b.ts", "tsconfig.json"], reads.append)

    for module in ("./b", "x", "y"):
        resolution(module, index=index)

    assert reads == ["tsconfig.json"]
