"""What imports of JavaScript, TypeScript and Vue mean."""

from __future__ import annotations

import json

import pytest

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import RepositoryIndex, resolve_imports, resolvers_concerned

Files = dict[str, object]
"""Tracked files; a manifest's content is its text or what will be written as JSON."""


def index_of(files: Files) -> RepositoryIndex:
    texts = {path: text if isinstance(text, str) else json.dumps(text) for path, text in files.items()}
    return RepositoryIndex(texts, texts.get)


def target(source: str, module: str, files: Files | str) -> str:
    """Return the one file that the import leads to, else the reason why there is none."""
    tracked: Files = dict.fromkeys(files.split(), "") if isinstance(files, str) else files
    found = resolve_imports(
        source=source,
        language="typescript",
        specifiers=[Specifier(module=module)],
        index=index_of({source: "", **tracked}),
    )
    return found.edges[0].target if found.edges else found.unresolved[0].reason


# --- paths ---


@pytest.mark.parametrize(
    ("written", "file"),
    [
        ("./x.js", "x.ts"),
        ("./x.js", "x.tsx"),
        ("./x.js", "x.d.ts"),
        ("./x.jsx", "x.tsx"),
        ("./x.mjs", "x.mts"),
        ("./x.mjs", "x.d.mts"),
        ("./x.cjs", "x.cts"),
    ],
)
def test_an_output_extension_means_the_source_it_is_compiled_from(written: str, file: str) -> None:
    assert target("a.ts", written, file) == file


def test_a_missing_extension_is_tried_in_order() -> None:
    files = ["x.ts", "x.tsx", "x.mts", "x.cts", "x.js", "x.jsx", "x.mjs", "x.cjs", "x.vue", "x.d.ts"]

    for position, file in enumerate(files):
        assert target("a.ts", "./x", " ".join(files[position:])) == file


@pytest.mark.parametrize("written", [".", "./", "./index"])
def test_a_dot_means_the_index_of_the_directory(written: str) -> None:
    assert target("lib/a.ts", written, "lib/index.tsx lib.ts") == "lib/index.tsx"


# --- built-ins and packages of others ---


@pytest.mark.parametrize("module", ["react", "@scope/kit/deep", "https://deno.land/x.ts", "virtual:pwa"])
def test_unknown_packages_are_external(module: str) -> None:
    assert target("a.ts", module, "react-native/index.ts") == "external"


# --- aliases ---


def test_comments_and_trailing_commas_are_allowed_in_configurations() -> None:
    text = """\ufeff{
        // a comment with "quotes" and a url https://example.org
        "compilerOptions": { /* "paths": {}, */ "paths": { "@/*": ["./src/*",], }, },
    }"""

    assert target("a.ts", "@/x", {"tsconfig.json": text, "src/x.ts": ""}) == "src/x.ts"


# --- packages of the repository ---


def workspace(package: object, *files: str) -> Files:
    """Return a workspace with the package `kit`, its files, and a neighbour."""
    return {
        "package.json": {"workspaces": ["packages/*"]},
        "packages/kit/package.json": package,
        "packages/web/package.json": {"name": "web"},
        **dict.fromkeys((f"packages/kit/{file}" for file in files), ""),
    }


@pytest.mark.parametrize("built", ["dist/index.js", "./lib/index.cjs", "build/esm/index.mjs", "out/index.d.ts"])
def test_a_built_entry_that_is_not_tracked_means_its_source(built: str) -> None:
    files = workspace({"name": "kit", "main": built}, "src/index.ts")

    assert target("packages/web/a.ts", "kit", files) == "packages/kit/src/index.ts"


@pytest.mark.parametrize("exports", ["./m.js", {"import": "./m.js"}, [{"import": "./m.js"}]])
def test_exports_may_name_the_main_entry_alone(exports: object) -> None:
    assert target("packages/web/a.ts", "kit", workspace({"name": "kit", "exports": exports}, "m.js")) == (
        "packages/kit/m.js"
    )


# --- manifests ---


@pytest.mark.parametrize("text", ["{", "[]", "null", "\x00", "[" * 100_000, '{"compilerOptions": {"paths": '])
def test_a_malformed_manifest_counts_as_absent_and_is_reported(text: str) -> None:
    index = index_of({"a.ts": "", "tsconfig.json": text, "package.json": text, "pnpm-workspace.yaml": "a: [b"})
    specifiers = [Specifier(module="@/x"), Specifier(module="#x")]

    found = resolve_imports(source="a.ts", language="typescript", specifiers=specifiers, index=index)

    assert [miss.reason for miss in found.unresolved] == ["external", "missing"]
    assert {problem.path for problem in index.problems} >= {"tsconfig.json", "package.json"}


@pytest.mark.parametrize("odd", [None, 1, "x", [1], {"x": 1}, [["x"]], {"x": None}])
def test_manifests_with_odd_values_are_read_for_what_makes_sense(odd: object) -> None:
    options = {"baseUrl": odd, "paths": odd}
    files: Files = {
        "tsconfig.json": {"extends": odd, "references": odd, "compilerOptions": options},
        "package.json": dict.fromkeys(["name", "main", "exports", "imports", "workspaces"], odd),
        "pnpm-workspace.yaml": {"packages": odd},
    }

    assert target("a.ts", "@/x", files) == "external"
    assert target("a.ts", "#x", files) == "missing"


def test_an_unreadable_manifest_counts_as_absent() -> None:
    index = RepositoryIndex(["a.ts", "tsconfig.json"], lambda _: None)
    specifiers = [Specifier(module="@/x")]

    found = resolve_imports(source="a.ts", language="typescript", specifiers=specifiers, index=index)

    assert found.unresolved[0].reason == "external"


def test_manifests_are_read_once_and_only_when_an_import_needs_them() -> None:
    reads: list[str] = []
    index = RepositoryIndex(["a.ts", "b.ts", "tsconfig.json"], reads.append)

    for module in ("./b", "x", "y"):
        resolve_imports(source="a.ts", language="tsx", specifiers=[Specifier(module=module)], index=index)

    assert reads == ["tsconfig.json"]


def test_any_file_that_comes_or_goes_may_change_what_an_import_means() -> None:
    names = ("package.json", "web/tsconfig.json", "pnpm-workspace.yaml", "style.css", "a.ts")

    assert all("javascript" in resolvers_concerned(name) for name in names)
