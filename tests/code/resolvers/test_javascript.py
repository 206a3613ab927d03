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


def test_an_exact_file_goes_first() -> None:
    assert target("a.ts", "./twin.js", "twin.js twin.ts") == "twin.js"


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


def test_a_file_goes_before_a_directory_unless_a_slash_asks_for_the_directory() -> None:
    files = "lib/x.ts lib/x/index.ts"

    assert target("lib/a.ts", "./x", files) == "lib/x.ts"
    assert target("lib/a.ts", "./x/", files) == "lib/x/index.ts"


@pytest.mark.parametrize("written", [".", "./", "./index"])
def test_a_dot_means_the_index_of_the_directory(written: str) -> None:
    assert target("lib/a.ts", written, "lib/index.tsx lib.ts") == "lib/index.tsx"


def test_two_dots_mean_the_index_of_the_directory_above() -> None:
    assert target("lib/sub/a.ts", "..", "lib/index.js lib.ts") == "lib/index.js"


def test_a_directory_answers_with_the_main_file_of_its_package_json() -> None:
    files: Files = {"lib/package.json": {"main": "./core"}, "lib/core.js": "", "lib/index.js": ""}

    assert target("a.js", "./lib", files) == "lib/core.js"


def test_queries_are_no_part_of_the_path() -> None:
    assert target("a.ts", "./worker.ts?worker&inline", "worker.ts") == "worker.ts"


def test_assets_and_data_are_not_code() -> None:
    assert target("a.ts", "./data.json", "data.json") == "not code"
    assert target("a.ts", "./data", "data.json") == "not code"
    assert target("a.ts", "./logo.svg?raw", "logo.svg") == "not code"


def test_paths_that_lead_nowhere_are_missing() -> None:
    assert target("a.ts", "./gone", "b.ts") == "missing"
    assert target("a.ts", "../../gone", "b.ts") == "missing"
    assert target("a.ts", "/b", "b.ts") == "missing"


def test_nothing_leads_into_node_modules() -> None:
    assert target("a.ts", "./node_modules/x/index.js", "node_modules/x/index.js") == "missing"


# --- built-ins and packages of others ---


def test_modules_of_the_runtime_never_lead_into_the_repository() -> None:
    files: Files = {"tsconfig.json": {"compilerOptions": {"baseUrl": "."}}, "fs.ts": "", "path/index.ts": ""}

    assert target("a.ts", "fs", files) == "stdlib"
    assert target("a.ts", "node:test", files) == "stdlib"
    assert target("a.ts", "path/posix", files) == "stdlib"


@pytest.mark.parametrize("module", ["react", "@scope/kit/deep", "https://deno.land/x.ts", "virtual:pwa"])
def test_unknown_packages_are_external(module: str) -> None:
    assert target("a.ts", module, "react-native/index.ts") == "external"


# --- aliases ---


def test_the_nearest_configuration_governs() -> None:
    files: Files = {
        "tsconfig.json": {"compilerOptions": {"paths": {"@/*": ["./app/*"]}}},
        "app/x.ts": "",
        "web/jsconfig.json": {"compilerOptions": {"paths": {"@/*": ["./src/*"]}}},
        "web/src/x.js": "",
    }

    assert target("app/deep/a.ts", "@/x", files) == "app/x.ts"
    assert target("web/src/deep/a.js", "@/x", files) == "web/src/x.js"


def test_the_longest_prefix_wins_and_its_targets_are_tried_in_order() -> None:
    paths = {"@/*": ["app/*"], "@/ui/*": ["gone/*", "kit/*"], "@/ui/exact": ["kit/other.ts"]}
    files: Files = {
        "tsconfig.json": {"compilerOptions": {"baseUrl": ".", "paths": paths}},
        **dict.fromkeys(["app/ui/button.ts", "kit/button.ts", "kit/exact.ts", "kit/other.ts"], ""),
    }

    assert target("a.ts", "@/ui/button", files) == "kit/button.ts"
    assert target("a.ts", "@/ui/exact", files) == "kit/other.ts"


def test_a_base_url_is_tried_after_paths() -> None:
    options = {"baseUrl": "./src", "paths": {"x": ["other/x.ts"]}}
    files: Files = {
        "tsconfig.json": {"compilerOptions": options},
        **dict.fromkeys(["src/x.ts", "src/other/x.ts", "src/y.ts"], ""),
    }

    assert target("a.ts", "x", files) == "src/other/x.ts"
    assert target("a.ts", "y", files) == "src/y.ts"


def test_inherited_paths_start_where_they_were_written() -> None:
    files: Files = {
        "web/tsconfig.json": {"extends": ["../config/strict", "../config/base.json"]},
        "config/strict.json": {"compilerOptions": {"strict": True}},
        "config/base.json": {"compilerOptions": {"paths": {"~/*": ["../shared/*"]}}},
        "shared/x.ts": "",
    }

    assert target("web/a.ts", "~/x", files) == "shared/x.ts"


def test_own_paths_replace_inherited_ones() -> None:
    files: Files = {
        "tsconfig.base.json": {"compilerOptions": {"paths": {"@a/*": ["./a/*"]}}},
        "tsconfig.json": {"extends": "./tsconfig.base.json", "compilerOptions": {"paths": {"@b/*": ["./b/*"]}}},
        **dict.fromkeys(["a/x.ts", "b/x.ts"], ""),
    }

    assert target("m.ts", "@b/x", files) == "b/x.ts"
    assert target("m.ts", "@a/x", files) == "external"


def test_a_configuration_can_be_inherited_from_a_package_of_the_workspace() -> None:
    files: Files = {
        "package.json": {"workspaces": ["packages/*"]},
        "packages/config/package.json": {"name": "@acme/config"},
        "packages/config/base.json": {"compilerOptions": {"paths": {"@/*": ["${configDir}/src/*"]}}},
        "packages/web/tsconfig.json": {"extends": "@acme/config/base"},
        "packages/web/src/x.ts": "",
    }

    assert target("packages/web/src/a.ts", "@/x", files) == "packages/web/src/x.ts"


def test_a_configuration_of_references_speaks_through_the_one_beside_it() -> None:
    files: Files = {
        "tsconfig.json": {
            "files": [],
            "references": [{"path": "./tsconfig.node.json"}, {"path": "./tsconfig.app.json"}],
        },
        "tsconfig.node.json": {"compilerOptions": {"module": "esnext"}},
        "tsconfig.app.json": {"compilerOptions": {"paths": {"@/*": ["./src/*"]}}},
        "src/x.vue": "",
    }

    assert target("src/a.ts", "@/x.vue", files) == "src/x.vue"


def test_of_several_referenced_configurations_the_one_that_includes_the_file_decides() -> None:
    def project(where: str, **more: object) -> dict[str, object]:
        return {"include": [where], "compilerOptions": {"paths": {"~": [f"./{where}/x.ts"]}}, **more}

    files: Files = {
        "tsconfig.json": {"files": [], "references": [{"path": "./tsconfig.a.json"}, {"path": "./tsconfig.b.json"}]},
        "tsconfig.a.json": project("a", exclude=["a/not/*.ts"]),
        "tsconfig.b.json": project("b"),
        **dict.fromkeys(["a/x.ts", "b/x.ts"], ""),
    }

    assert target("a/m.ts", "~", files) == "a/x.ts"
    assert target("b/deep/m.ts", "~", files) == "b/x.ts"
    assert target("a/not/m.ts", "~", files) == target("c.ts", "~", files) == "a/x.ts"


def test_a_directory_may_send_its_visitors_elsewhere() -> None:
    files: Files = {"lib/bar/package.json": {"main": "../utils/bar.js"}, "lib/utils/bar.js": ""}

    assert target("lib/m.js", "./bar", files) == "lib/utils/bar.js"


def test_comments_and_trailing_commas_are_allowed_in_configurations() -> None:
    text = """\ufeff{
        // a comment with "quotes" and a url https://example.org
        "compilerOptions": { /* "paths": {}, */ "paths": { "@/*": ["./src/*",], }, },
    }"""

    assert target("a.ts", "@/x", {"tsconfig.json": text, "src/x.ts": ""}) == "src/x.ts"


def test_an_alias_that_leads_nowhere_is_missing() -> None:
    files: Files = {"tsconfig.json": {"compilerOptions": {"paths": {"@/*": ["./src/*"], "*": ["./types/*"]}}}}

    assert target("a.ts", "@/gone", files) == "missing"
    assert target("a.ts", "react", files) == "external"


def test_an_alias_for_an_installed_package_is_external() -> None:
    paths = {"lit/decorators": ["./node_modules/lit/decorators.js"]}

    assert target("a.ts", "lit/decorators", {"tsconfig.json": {"compilerOptions": {"paths": paths}}}) == "external"


def test_configurations_that_extend_each_other_come_to_an_end() -> None:
    files: Files = {"tsconfig.json": {"extends": "./b"}, "b.json": {"extends": "./tsconfig.json"}}

    assert target("a.ts", "@/x", files) == "external"


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


def test_a_built_entry_that_is_tracked_means_itself() -> None:
    files = workspace({"name": "kit", "main": "dist/index.js"}, "src/index.ts", "dist/index.js")

    assert target("packages/web/a.ts", "kit", files) == "packages/kit/dist/index.js"


def test_the_source_entry_goes_first() -> None:
    files = workspace({"name": "kit", "main": "main.js", "source": "lib.ts"}, "main.js", "lib.ts")

    assert target("packages/web/a.ts", "kit", files) == "packages/kit/lib.ts"


def test_a_package_without_entries_answers_with_its_index() -> None:
    assert target("packages/web/a.ts", "kit", workspace({"name": "kit"}, "src/index.ts", "index.js")) == (
        "packages/kit/src/index.ts"
    )


def test_conditions_of_exports_are_tried_in_order_until_a_target_exists() -> None:
    exports = {".": {"types": "./gone.d.ts", "import": {"node": ["./n.js"], "default": "./d.js"}}}
    files = workspace({"name": "kit", "exports": exports}, "n.js", "d.js")

    assert target("packages/web/a.ts", "kit", files) == "packages/kit/n.js"


@pytest.mark.parametrize("exports", ["./m.js", {"import": "./m.js"}, [{"import": "./m.js"}]])
def test_exports_may_name_the_main_entry_alone(exports: object) -> None:
    assert target("packages/web/a.ts", "kit", workspace({"name": "kit", "exports": exports}, "m.js")) == (
        "packages/kit/m.js"
    )


def test_exports_close_what_they_do_not_name() -> None:
    exports = {"./ui/*": "./src/ui/*.tsx", "./ui/internal/*": None}
    files = workspace({"name": "kit", "exports": exports}, "src/ui/b.tsx", "src/ui/internal/x.tsx", "secret.ts")

    assert target("packages/web/a.ts", "kit/ui/b", files) == "packages/kit/src/ui/b.tsx"
    assert target("packages/web/a.ts", "kit/ui/internal/x", files) == "missing"
    assert target("packages/web/a.ts", "kit/secret", files) == "missing"


def test_without_exports_every_file_of_a_package_can_be_imported() -> None:
    files = workspace({"name": "kit"}, "sub/thing.ts", "src/deep.ts")

    assert target("packages/web/a.ts", "kit/sub/thing.js", files) == "packages/kit/sub/thing.ts"
    assert target("packages/web/a.ts", "kit/dist/deep", files) == "packages/kit/src/deep.ts"


def test_a_package_can_import_itself_by_name() -> None:
    assert target("packages/kit/src/a.ts", "kit", workspace({"name": "kit", "main": "m.js"}, "m.js")) == (
        "packages/kit/m.js"
    )


def test_packages_outside_the_workspace_are_external() -> None:
    files: Files = {
        "package.json": {"workspaces": {"packages": ["packages/**", "!packages/old/*"]}},
        "packages/deep/kit/package.json": {"name": "kit", "main": "m.js"},
        "packages/old/past/package.json": {"name": "past", "main": "m.js"},
        "examples/demo/package.json": {"name": "demo", "main": "m.js"},
        **dict.fromkeys((f"{place}/m.js" for place in ("packages/deep/kit", "packages/old/past", "examples/demo")), ""),
    }

    assert target("a.js", "kit", files) == "packages/deep/kit/m.js"
    assert target("a.js", "past", files) == "external"
    assert target("a.js", "demo", files) == "external"


def test_pnpm_workspaces_count_too() -> None:
    files: Files = {
        "pnpm-workspace.yaml": "packages:\n  - 'libs/*'\n",
        "libs/kit/package.json": {"name": "@acme/kit", "main": "m.js"},
        "libs/kit/m.js": "",
    }

    assert target("apps/web/a.js", "@acme/kit", files) == "libs/kit/m.js"


def test_a_hash_means_the_imports_of_the_nearest_package() -> None:
    files: Files = {
        "package.json": {"imports": {"#x": "./wrong.js"}},
        "web/package.json": {"imports": {"#x": {"node": "./gone.js", "default": "./x.js"}, "#i/*": "./in/*.ts"}},
        **dict.fromkeys(["wrong.js", "web/x.js", "web/in/a/b.ts"], ""),
    }

    assert target("web/src/a.js", "#x", files) == "web/x.js"
    assert target("web/src/a.js", "#i/a/b", files) == "web/in/a/b.ts"
    assert target("web/src/a.js", "#gone", files) == "missing"


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
