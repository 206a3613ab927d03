"""What Java imports mean."""

from __future__ import annotations

import pytest

from tx_graph.code.imports import ImportType, Offered, Specifier, Surface
from tx_graph.code.resolvers import RepositoryIndex, Resolution, resolve_imports


def declaring(types: str, *, uses: str = "") -> Surface:
    """Return the surface of a file with these types, all of one package: `a.b.Type a.b.Other`."""
    names = [name.rpartition(".") for name in types.split()]
    offers = tuple(Offered(simple) for _, _, simple in names if simple != "-")
    return Surface(package=names[0][0], offers=offers, uses=tuple(uses.split()))


def resolution(
    source: str, *specifiers: Specifier, files: dict[str, str], own: str = "use.Use", uses: str = ""
) -> Resolution:
    surfaces = {path: declaring(types) for path, types in files.items()} | {source: declaring(own, uses=uses)}
    index = RepositoryIndex(surfaces, lambda _: None, lambda _: surfaces)
    return resolve_imports(source=source, language="java", specifiers=specifiers, index=index)


def target(
    module: str, name: str | None = None, *, files: dict[str, str], source: str = "src/main/java/use/Use.java"
) -> str:
    """Return the one file that the import leads to, else the reason why there is none."""
    found = resolution(source, Specifier(module=module, name=name), files=files)
    return found.edges[0].target if found.edges else found.unresolved[0].reason


def on_demand(
    package: str, uses: str, *, files: dict[str, str], own: str = "use.Use", source: str = "use/Use.java"
) -> list[str]:
    found = resolution(source, Specifier(module=package, name="*"), files=files, own=own, uses=uses)
    assert found.unresolved == ()
    return [edge.target for edge in found.edges]


# --- single imports ---


def test_an_import_leads_to_the_file_that_declares_the_type() -> None:
    assert target("a.B", files={"a/B.java": "a.B", "a/C.java": "a.C"}) == "a/B.java"


def test_the_name_of_a_file_does_not_matter() -> None:
    assert target("a.Second", files={"odd/place/First.java": "a.First a.Second"}) == "odd/place/First.java"


def test_a_nested_type_is_in_the_file_of_the_type_around_it() -> None:
    assert target("a.B.C.D", files={"a/B.java": "a.B"}) == "a/B.java"


@pytest.mark.parametrize("member", ["m", "*"])
def test_a_static_import_leads_to_the_type_that_has_the_member(member: str) -> None:
    assert target("a.B", member, files={"a/B.java": "a.B"}) == "a/B.java"


def test_members_of_a_nested_type_are_in_the_file_of_the_outer_one() -> None:
    assert target("a.B.C", "*", files={"a/B.java": "a.B"}) == "a/B.java"


def test_every_import_is_static_and_none_leads_back_to_its_file() -> None:
    specifiers = [Specifier(module="use.Use.Inner"), Specifier(module="a.B")]
    found = resolution("use/Use.java", *specifiers, files={"a/B.java": "a.B"})

    assert [(edge.target, edge.type) for edge in found.edges] == [("a/B.java", ImportType.STATIC)]
    assert found.unresolved == ()


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        ("java.util.List", "stdlib"),
        ("javax.swing.JFrame", "stdlib"),
        ("javax.xml.parsers.SAXParser", "stdlib"),
        ("org.w3c.dom.Node", "stdlib"),
        ("com.sun.net.httpserver.HttpServer", "stdlib"),
        ("javax.inject.Inject", "external"),
        ("javax.xml.bind.JAXB", "external"),
        ("com.sun.jna.Native", "external"),
        ("javafx.scene.Node", "external"),
        ("org.junit.Test", "external"),
        ("a.Generated", "missing"),
        ("a.Generated.Inner", "missing"),
        ("a.b.Other", "external"),
    ],
)
def test_an_import_without_a_file_says_why(module: str, reason: str) -> None:
    assert target(module, files={"a/B.java": "a.B"}) == reason


def test_a_member_of_a_type_that_is_not_there_is_missing_from_a_known_package() -> None:
    assert target("a.Generated", "m", files={"a/B.java": "a.B"}) == "missing"
    assert target("java.util.Objects", "*", files={"a/B.java": "a.B"}) == "stdlib"


def test_types_of_the_unnamed_package_cannot_be_imported() -> None:
    assert target("com.acme.Thing", files={"com.java": "com"}) == "external"


# --- one type, several files ---


TWINS = {
    "m/src/main/java/a/B.java": "a.B",
    "m/src/test/java/a/B.java": "a.B",
    "n/src/main/java/a/B.java": "a.B",
    "m/src/test/resources/demo/src/main/java/a/B.java": "a.B",
}


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("m/src/main/java/use/Use.java", "m/src/main/java/a/B.java"),
        ("m/src/test/java/use/Use.java", "m/src/test/java/a/B.java"),
        ("n/src/test/java/use/Use.java", "n/src/main/java/a/B.java"),
        ("m/src/it/java/use/Use.java", "m/src/main/java/a/B.java"),
        ("m/src/test/resources/demo/src/main/java/use/Use.java", "m/src/test/resources/demo/src/main/java/a/B.java"),
        ("m/src/test/resources/demo/src/test/java/use/Use.java", "m/src/test/resources/demo/src/main/java/a/B.java"),
        ("o/src/main/java/use/Use.java", "m/src/main/java/a/B.java"),
    ],
)
def test_the_own_source_set_comes_first_then_the_module_then_what_is_near(source: str, file: str) -> None:
    assert target("a.B", files=TWINS, source=source) == file


def test_a_tests_resources_are_no_code_to_the_test() -> None:
    files = {"m/src/test/resources/demo/a/B.java": "a.B", "n/src/main/java/a/B.java": "a.B"}

    assert target("a.B", files=files, source="m/src/test/java/use/Use.java") == "n/src/main/java/a/B.java"


def test_a_type_that_lies_only_among_resources_is_found_all_the_same() -> None:
    files = {"m/src/test/resources/demo/a/B.java": "a.B"}

    assert target("a.B", files=files) == "m/src/test/resources/demo/a/B.java"


def test_the_order_of_the_files_does_not_matter() -> None:
    backwards = dict(reversed(TWINS.items()))

    assert target("a.B", files=backwards, source="x/Use.java") == target("a.B", files=TWINS, source="x/Use.java")


# --- imports on demand ---


def test_a_whole_package_leads_to_the_types_that_are_used() -> None:
    files = {"a/B.java": "a.B a.Second", "a/C.java": "a.C", "a/D.java": "a.D"}

    assert on_demand("a", "B D Second String", files=files) == ["a/B.java", "a/D.java"]


def test_a_whole_package_of_which_nothing_is_used_leads_nowhere_and_is_not_missed() -> None:
    assert on_demand("a", "String", files={"a/B.java": "a.B"}) == []


def test_a_type_of_the_own_package_hides_one_imported_on_demand() -> None:
    files = {"src/test/java/a/B.java": "a.B", "src/main/java/use/B.java": "use.B"}

    assert on_demand("a", "B", files=files, source="src/test/java/use/Use.java") == []


def test_a_type_of_a_package_by_the_same_name_in_another_module_hides_nothing() -> None:
    files = {"lib/src/main/java/a/B.java": "a.B", "other/src/main/java/use/B.java": "use.B"}

    found = on_demand("a", "B", files=files, source="app/src/main/java/use/Use.java")

    assert found == ["lib/src/main/java/a/B.java"]


def test_a_tests_resources_neither_hide_types_nor_are_imported_on_demand() -> None:
    files = {"src/test/demo/use/B.java": "use.B", "src/test/demo/a/C.java": "a.C", "src/main/java/a/B.java": "a.B"}

    assert on_demand("a", "B C", files=files, source="src/test/java/use/Use.java") == ["src/main/java/a/B.java"]
    assert on_demand("a", "C", files=files, source="src/test/demo/use/Use.java") == ["src/test/demo/a/C.java"]


def test_the_own_package_may_be_imported_as_a_whole() -> None:
    assert on_demand("use", "B", files={"use/B.java": "use.B"}) == ["use/B.java"]


def test_a_whole_package_that_is_not_here_is_somebody_elses() -> None:
    assert target("java.util", "*", files={"a/B.java": "a.B"}) == "stdlib"
    assert target("org.junit", "*", files={"a/B.java": "a.B"}) == "external"
