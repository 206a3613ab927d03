"""What Python imports mean."""

from __future__ import annotations

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.resolvers import RepositoryIndex, Resolution, resolve_imports, resolvers_concerned


def resolution(source: str, *specifiers: Specifier, files: str) -> Resolution:
    tracked = [source, *files.split()]
    index = RepositoryIndex(tracked, lambda _: None)
    return resolve_imports(source=source, language="python", specifiers=specifiers, index=index)


def target(source: str, module: str, name: str | None = None, *, files: str) -> str:
    """Return the one file that the import leads to, else the reason why there is none."""
    found = resolution(source, Specifier(module=module, name=name), files=files)
    return found.edges[0].target if found.edges else found.unresolved[0].reason


def test_one_statement_can_lead_to_several_files() -> None:
    names = [Specifier(module="p", name=name) for name in ("one", "two", "VALUE")]

    found = resolution("x.py", *names, files="p/__init__.py p/one.py p/two.py")

    assert [edge.target for edge in found.edges] == ["p/one.py", "p/two.py", "p/__init__.py"]


def test_source_directories_of_the_repository_are_roots() -> None:
    for root in ("src", "lib", "python"):
        package = f"{root}/acme/__init__.py"
        assert target("tests/test_x.py", "acme", files=package) == package


def test_the_strongest_of_several_imports_of_a_file_stays() -> None:
    kinds = (ImportType.TYPE_ONLY, ImportType.STATIC, ImportType.DYNAMIC)
    specifiers = [Specifier(module="p", type=kind) for kind in kinds]

    assert [edge.type for edge in resolution("x.py", *specifiers, files="p.py").edges] == [ImportType.STATIC]


def test_a_file_does_not_depend_on_itself() -> None:
    found = resolution("p/__init__.py", Specifier(module=".", name="VALUE"), files="")

    assert (found.edges, found.unresolved) == ((), ())


def test_files_that_move_import_roots_are_manifests() -> None:
    assert all("python" in resolvers_concerned(path) for path in ("pyproject.toml", "a/setup.py", "a/b/setup.cfg"))
    assert not any("python" in resolvers_concerned(path) for path in ("a/mysetup.cfg", "tox.ini", "pyproject.toml/x"))
