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


# --- from import paths to directories ---


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


# --- what lies elsewhere ---


@pytest.mark.parametrize("module", ["fmt", "net/http", "C", "unsafe", "math/rand/v2"])
def test_a_path_without_a_dot_in_its_first_name_is_the_standard_library_s(module: str) -> None:
    assert targets(module, "", {**MODULE, "fmt/f.go": declares("fmt", "Print")}) == "stdlib"


def test_a_module_file_that_says_nothing_is_no_module() -> None:
    assert targets("s", "s.New", {"go.mod": "module\n\n\x00", "s/s.go": declares("s", "New")}) == "stdlib"


def test_module_and_workspace_files_decide_what_imports_mean() -> None:
    assert [name for name in ("go.mod", "go.work", "go.sum", "x.go") if MANIFESTS.fullmatch(name)] == [
        "go.mod",
        "go.work",
    ]
