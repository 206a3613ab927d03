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


def test_importing_a_module_depends_on_that_module_and_not_on_its_packages() -> None:
    files = "a/__init__.py a/b/__init__.py a/b/c.py"

    assert target("x.py", "a.b.c", files=files) == "a/b/c.py"


def test_importing_a_package_depends_on_its_init() -> None:
    assert target("x.py", "a.b", files="a/__init__.py a/b/__init__.py") == "a/b/__init__.py"


def test_a_name_that_is_a_submodule_leads_to_it() -> None:
    assert target("x.py", "p", "n", files="p/__init__.py p/n.py") == "p/n.py"


def test_a_name_that_is_a_subpackage_leads_to_its_init() -> None:
    assert target("x.py", "p", "n", files="p/__init__.py p/n/__init__.py") == "p/n/__init__.py"


def test_a_name_that_is_no_module_leads_to_the_module_it_is_taken_from() -> None:
    assert target("x.py", "p", "n", files="p/__init__.py") == "p/__init__.py"


def test_a_star_leads_to_the_module_itself() -> None:
    assert target("x.py", "p", "*", files="p/__init__.py p/n.py") == "p/__init__.py"


def test_a_module_beside_a_plain_directory_of_its_name_has_no_submodules() -> None:
    assert target("x.py", "p", "n", files="p.py p/n.py") == "p.py"


def test_a_package_goes_before_a_module_of_its_name() -> None:
    assert target("x.py", "p", files="p.py p/__init__.py") == "p/__init__.py"


def test_one_statement_can_lead_to_several_files() -> None:
    names = [Specifier(module="p", name=name) for name in ("one", "two", "VALUE")]

    found = resolution("x.py", *names, files="p/__init__.py p/one.py p/two.py")

    assert [edge.target for edge in found.edges] == ["p/one.py", "p/two.py", "p/__init__.py"]


def test_dots_climb_from_the_directory_of_the_file() -> None:
    files = "a/__init__.py a/b/__init__.py a/peer.py"

    assert target("a/b/x.py", "..peer", "n", files=files) == "a/peer.py"
    assert target("a/b/__init__.py", "..", "peer", files=files) == "a/peer.py"


def test_dots_work_without_an_init() -> None:
    assert target("a/x.py", ".y", "n", files="a/y.py") == "a/y.py"


def test_a_name_taken_from_a_dot_is_a_sibling_or_the_package_itself() -> None:
    files = "a/__init__.py a/y.py a.py"

    assert target("a/x.py", ".", "y", files=files) == "a/y.py"
    assert target("a/x.py", ".", "VALUE", files=files) == "a/__init__.py"


def test_a_dot_never_means_the_module_beside_the_directory() -> None:
    assert target("a/x.py", ".", "VALUE", files="a.py") == "missing"


def test_dots_that_climb_out_of_the_repository_lead_nowhere() -> None:
    assert target("a/x.py", "...b", "n", files="b.py") == "missing"
    assert target("x.py", "..b", "n", files="b.py") == "missing"


def test_standard_library_names_never_lead_into_the_repository() -> None:
    assert target("a/x.py", "logging", files="logging.py a/logging.py") == "stdlib"


def test_unknown_packages_are_external() -> None:
    assert target("x.py", "requests.adapters", files="y.py") == "external"


def test_a_missing_module_of_our_own_package_is_missing() -> None:
    assert target("x.py", "p.gone", files="p/__init__.py") == "missing"


def test_a_script_finds_its_siblings() -> None:
    assert target("scripts/run.py", "helper", files="scripts/helper.py") == "scripts/helper.py"


def test_a_test_in_a_package_finds_modules_from_above_the_package() -> None:
    files = "tests/__init__.py tests/unit/__init__.py tests/helpers.py"

    assert target("tests/unit/test_x.py", "tests.helpers", files=files) == "tests/helpers.py"


def test_source_directories_of_the_repository_are_roots() -> None:
    for root in ("src", "lib", "python"):
        package = f"{root}/acme/__init__.py"
        assert target("tests/test_x.py", "acme", files=package) == package


def test_the_nearest_project_goes_first() -> None:
    files = "svc/a/pyproject.toml svc/a/src/common.py svc/b/setup.py svc/b/common.py common.py"

    assert target("svc/a/app/x.py", "common", files=files) == "svc/a/src/common.py"
    assert target("svc/b/app/x.py", "common", files=files) == "svc/b/common.py"
    assert target("svc/c/app/x.py", "common", files=files) == "common.py"


def test_a_package_anywhere_beats_a_plain_directory() -> None:
    assert target("tools/x.py", "acme.a", files="tools/acme/a.py src/acme/__init__.py src/acme/a.py") == (
        "src/acme/a.py"
    )


def test_a_plain_directory_counts_when_the_import_ends_at_a_file_in_it() -> None:
    assert target("x.py", "space.part.one", files="space/part/one.py") == "space/part/one.py"
    assert target("x.py", "space.part", "one", files="space/part/one.py") == "space/part/one.py"
    assert target("x.py", "space.part", "gone", files="space/part/one.py") == "missing"


def test_a_directory_without_python_is_no_namespace() -> None:
    assert target("x.py", "docs.conf", files="docs/index.md") == "external"


def test_stubs_stand_in_for_missing_sources() -> None:
    assert target("x.py", "fast", files="fast.pyi") == "fast.pyi"
    assert target("x.py", "fast", files="fast.pyi fast.py") == "fast.py"


def test_the_strongest_of_several_imports_of_a_file_stays() -> None:
    kinds = (ImportType.TYPE_ONLY, ImportType.STATIC, ImportType.DYNAMIC)
    specifiers = [Specifier(module="p", type=kind) for kind in kinds]

    assert [edge.type for edge in resolution("x.py", *specifiers, files="p.py").edges] == [ImportType.STATIC]


def test_a_file_does_not_depend_on_itself() -> None:
    found = resolution("p/__init__.py", Specifier(module=".", name="VALUE"), files="")

    assert (found.edges, found.unresolved) == ((), ())


def test_what_is_installed_in_node_modules_is_no_part_of_the_repository() -> None:
    assert target("x.py", "node_modules.gyp", files="node_modules/gyp.py") == "external"


def test_a_source_that_is_not_tracked_has_no_edges() -> None:
    index = RepositoryIndex(["a.py"], lambda _: None)
    specifiers = [Specifier(module="a")]

    assert resolve_imports(source="b.py", language="python", specifiers=specifiers, index=index) == Resolution()


def test_a_language_without_a_resolver_has_no_edges() -> None:
    index = RepositoryIndex(["a.py"], lambda _: None)
    specifiers = [Specifier(module="a")]

    assert resolve_imports(source="a.py", language="cobol", specifiers=specifiers, index=index) == Resolution()


def test_files_that_move_import_roots_are_manifests() -> None:
    assert all("python" in resolvers_concerned(path) for path in ("pyproject.toml", "a/setup.py", "a/b/setup.cfg"))
    assert not any("python" in resolvers_concerned(path) for path in ("a/mysetup.cfg", "tox.ini", "pyproject.toml/x"))
