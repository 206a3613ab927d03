"""Where Go imports lead."""

from __future__ import annotations

import pytest

from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.resolvers import RepositoryIndex, Resolution, resolve_imports
from tx_graph.code.resolvers.go import MANIFESTS

Files = dict[str, Surface | str]
MODULE: Files = {"go.mod": "module example.com/acme\n"}


def declares(package: str, names: str = "") -> Surface:
    return Surface(package=package, offers=tuple(Offered(name) for name in names.split()))


def resolution(specifier: Specifier, uses: str, files: Files, source: str) -> Resolution:
    surfaces = {path: surface for path, surface in files.items() if isinstance(surface, Surface)}
    surfaces[source] = Surface(package="main", uses=tuple(uses.split()))
    texts = {path: text for path, text in files.items() if isinstance(text, str)}
    index = RepositoryIndex([source, *files], texts.get, lambda _: surfaces)
    return resolve_imports(source=source, language="go", specifiers=[specifier], index=index)


def targets(
    module: str, uses: str, files: Files, *, alias: str | None = None, source: str = "cmd/main.go"
) -> list[str] | str:
    """Return the files that an import leads to, else the reason why there are none."""
    found = resolution(Specifier(module=module, name=alias), uses, files, source)
    return found.unresolved[0].reason if found.unresolved else sorted(edge.target for edge in found.edges)


# --- from names to files ---


def test_an_import_leads_to_the_files_that_declare_the_names_used() -> None:
    files: Files = {
        **MODULE,
        "store/a.go": declares("store", "New"),
        "store/b.go": declares("store", "Item"),
        "store/c.go": declares("store", "Other"),
    }

    assert targets("example.com/acme/store", "other.Other store.Item store.New", files) == ["store/a.go", "store/b.go"]


def test_the_package_s_own_name_counts_not_that_of_its_directory() -> None:
    files: Files = {**MODULE, "odd-dir/a.go": declares("plain", "New")}

    assert targets("example.com/acme/odd-dir", "plain.New", files) == ["odd-dir/a.go"]
    assert targets("example.com/acme/odd-dir", "dir.New", files) == "missing"


def test_an_alias_replaces_the_package_s_name() -> None:
    files: Files = {**MODULE, "store/a.go": declares("store", "New"), "store/b.go": declares("store", "Old")}

    assert targets("example.com/acme/store", "kept.New store.Old", files, alias="kept") == ["store/a.go"]


def test_a_name_for_several_platforms_leads_to_every_file_that_declares_it() -> None:
    files: Files = {**MODULE, "os/linux.go": declares("os", "Open"), "os/windows.go": declares("os", "Open")}

    assert targets("example.com/acme/os", "os.Open", files) == ["os/linux.go", "os/windows.go"]


def test_tests_are_no_part_of_a_package() -> None:
    files: Files = {**MODULE, "s/a_test.go": declares("s", "New Fake"), "s/b.go": declares("s", "New")}

    assert targets("example.com/acme/s", "s.Fake s.New", files) == ["s/b.go"]


def test_a_test_of_a_package_imports_it_like_anybody() -> None:
    files: Files = {**MODULE, "s/b.go": declares("s", "New")}

    assert targets("example.com/acme/s", "s.New", files, source="s/b_test.go") == ["s/b.go"]


def test_programs_and_odd_files_beside_a_package_are_no_part_of_it() -> None:
    files: Files = {
        **MODULE,
        "s/gen1.go": declares("main", "New"),
        "s/gen2.go": declares("main", "New"),
        "s/notes.go": declares("documentation", "New"),
        "s/s.go": declares("s", "New"),
        "s/t.go": declares("s"),
        "s/_ignored.go": declares("s", "New"),
    }

    assert targets("example.com/acme/s", "s.New", files) == ["s/s.go"]


def test_a_program_can_be_imported_by_its_tests() -> None:
    files: Files = {**MODULE, "cmd/run.go": declares("main", "Run")}

    assert targets("example.com/acme/cmd", "main.Run", files, source="cmd/x_test.go") == ["cmd/run.go"]


def test_a_name_that_no_file_declares_is_missing() -> None:
    files: Files = {**MODULE, "s/s.go": declares("s", "New")}

    assert targets("example.com/acme/s", "s.Generated", files) == "missing"
    assert targets("example.com/acme/s", "", files) == "missing"


def test_a_blank_import_leads_to_the_initialisers() -> None:
    files: Files = {
        **MODULE,
        "s/a.go": declares("s", "init"),
        "s/b.go": declares("s", "New"),
        "s/c.go": declares("s", "init"),
    }

    assert targets("example.com/acme/s", "", files, alias="_") == ["s/a.go", "s/c.go"]


def test_a_blank_import_of_a_package_without_any_is_fulfilled_by_no_file() -> None:
    files: Files = {**MODULE, "s/b.go": declares("s", "New")}

    assert targets("example.com/acme/s", "", files, alias="_") == []


def test_a_dot_import_leads_to_the_files_of_the_bare_names() -> None:
    files: Files = {**MODULE, "s/a.go": declares("s", "New"), "s/b.go": declares("s", "Old")}

    assert targets("example.com/acme/s", ".New s.Old", files, alias=".") == ["s/a.go"]


# --- from import paths to directories ---


def test_the_root_of_a_module_is_a_package_too() -> None:
    assert targets("example.com/acme", "acme.New", {**MODULE, "acme.go": declares("acme", "New")}) == ["acme.go"]


@pytest.mark.parametrize(
    "line",
    [
        "module example.com/acme",
        'module "example.com/acme"',
        "// comment\n\nmodule\texample.com/acme // comment\r\n",
        "go 1.22\nmodule example.com/acme",
    ],
)
def test_a_module_may_be_written_in_several_ways(line: str) -> None:
    files: Files = {"go.mod": line, "s/s.go": declares("s", "New")}

    assert targets("example.com/acme/s", "s.New", files) == ["s/s.go"]


def test_the_longest_module_path_wins() -> None:
    files: Files = {
        **MODULE,
        "nested/go.mod": "module example.com/acme/tools",
        "nested/lib/l.go": declares("lib", "Run"),
        "tools/lib/l.go": declares("lib", "Run"),
    }

    assert targets("example.com/acme/tools/lib", "lib.Run", files) == ["nested/lib/l.go"]


def test_a_shorter_module_path_is_tried_where_the_longest_has_no_such_package() -> None:
    files: Files = {
        **MODULE,
        "nested/go.mod": "module example.com/acme/tools",
        "nested/x.go": declares("tools"),
        "tools/lib/l.go": declares("lib", "Run"),
    }

    assert targets("example.com/acme/tools/lib", "lib.Run", files) == ["tools/lib/l.go"]


def test_a_directory_belongs_to_the_nearest_module_only() -> None:
    files: Files = {**MODULE, "tools/go.mod": "module example.com/tools", "tools/t.go": declares("tools", "Run")}

    assert targets("example.com/tools", "tools.Run", files) == ["tools/t.go"]
    assert targets("example.com/acme/tools", "tools.Run", files) == "missing"


def test_a_major_version_is_part_of_the_module_path() -> None:
    files: Files = {"go.mod": "module example.com/acme/v2", "s/s.go": declares("s", "New")}

    assert targets("example.com/acme/v2/s", "s.New", files) == ["s/s.go"]
    assert targets("example.com/acme/s", "s.New", files) == "external"


def test_modules_of_one_name_each_import_their_own_packages() -> None:
    files: Files = {
        "examples/a/go.mod": "module demo",
        "examples/a/s/s.go": declares("s", "New"),
        "examples/b/go.mod": "module demo",
        "examples/b/s/s.go": declares("s", "New"),
    }

    assert targets("demo/s", "s.New", files, source="examples/a/main.go") == ["examples/a/s/s.go"]
    assert targets("demo/s", "s.New", files, source="examples/b/main.go") == ["examples/b/s/s.go"]


@pytest.mark.parametrize(
    "line",
    [
        "replace example.org/fork => ../forks/one",
        "replace example.org/fork v1.2.3 => ../forks/one/ // why",
        'replace (\n\texample.org/other => ../x\n\t"example.org/fork" => "../forks/one"\n)',
    ],
)
def test_a_replaced_module_lies_where_the_replacement_says(line: str) -> None:
    files: Files = {
        "app/go.mod": f"module example.com/app\n{line}\n",
        "forks/one/go.mod": "module example.net/fork",
        "forks/one/s/s.go": declares("s", "New"),
    }

    assert targets("example.org/fork/s", "s.New", files, source="app/main.go") == ["forks/one/s/s.go"]
    assert targets("example.org/fork/s", "s.New", files, source="main.go") == "external"


def test_a_workspace_replaces_modules_for_all_its_members() -> None:
    files: Files = {
        "go.work": "use ./app\nreplace example.org/fork => ./forks/one",
        "app/go.mod": "module example.com/app",
        "forks/one/s/s.go": declares("s", "New"),
    }

    assert targets("example.org/fork/s", "s.New", files, source="app/main.go") == ["forks/one/s/s.go"]


def test_a_replacement_by_a_published_module_leads_nowhere() -> None:
    files: Files = {
        "go.mod": "module a\nreplace example.org/x => example.org/y v1.0.0\nreplace z.org/x => /abs ../../up"
    }

    assert targets("example.org/x", "x.New", files) == "external"


def test_vendored_packages_are_found_above_the_importing_file() -> None:
    files: Files = {**MODULE, "vendor/github.com/x/y/y.go": declares("y", "New")}

    assert targets("github.com/x/y", "y.New", files) == ["vendor/github.com/x/y/y.go"]
    assert targets("github.com/x/y", "y.New", files, source="vendor/github.com/z/z.go") == [
        "vendor/github.com/x/y/y.go"
    ]


def test_a_relative_import_starts_at_the_file() -> None:
    files: Files = {"a/lib/l.go": declares("lib", "Run")}

    assert targets("./lib", "lib.Run", files, source="a/main.go") == ["a/lib/l.go"]
    assert targets("../../lib", "lib.Run", files, source="a/main.go") == "missing"


# --- what lies elsewhere ---


@pytest.mark.parametrize("module", ["fmt", "net/http", "C", "unsafe", "math/rand/v2"])
def test_a_path_without_a_dot_in_its_first_name_is_the_standard_library_s(module: str) -> None:
    assert targets(module, "", {**MODULE, "fmt/f.go": declares("fmt", "Print")}) == "stdlib"


def test_a_module_of_the_repository_needs_no_dot() -> None:
    assert targets("acme/s", "s.New", {"go.mod": "module acme", "s/s.go": declares("s", "New")}) == ["s/s.go"]


def test_in_the_standard_library_s_own_repository_its_packages_are_found() -> None:
    files: Files = {"src/go.mod": "module std", "src/fmt/print.go": declares("fmt", "Print")}

    assert targets("fmt", "fmt.Print", files, source="src/cmd/main.go") == ["src/fmt/print.go"]
    assert targets("unsafe", "unsafe.Pointer", files, source="src/cmd/main.go") == "stdlib"
    assert targets("github.com/fmt", "fmt.Print", files, source="src/cmd/main.go") == "external"


def test_other_modules_are_external_and_lost_packages_missing() -> None:
    assert targets("github.com/x/y", "y.New", MODULE) == "external"
    assert targets("example.com/acmed", "acmed.New", MODULE) == "external"
    assert targets("example.com/acme/gone", "gone.New", MODULE) == "missing"


def test_a_published_module_may_have_a_path_below_one_of_the_repository() -> None:
    files: Files = {"go.mod": "module example.com/acme\nrequire (\n\texample.com/acme/api v1.0.0 // indirect\n)\n"}

    assert targets("example.com/acme/api/types", "types.New", files, source="main.go") == "external"


def test_without_any_module_nothing_is_found() -> None:
    assert targets("example.com/acme/s", "s.New", {"s/s.go": declares("s", "New")}) == "external"


def test_a_module_file_that_says_nothing_is_no_module() -> None:
    assert targets("s", "s.New", {"go.mod": "module\n\n\x00", "s/s.go": declares("s", "New")}) == "stdlib"


def test_module_and_workspace_files_decide_what_imports_mean() -> None:
    assert [name for name in ("go.mod", "go.work", "go.sum", "x.go") if MANIFESTS.fullmatch(name)] == [
        "go.mod",
        "go.work",
    ]
