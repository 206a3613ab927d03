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


@pytest.mark.parametrize("member", ["m", "*"])
def test_a_static_import_leads_to_the_type_that_has_the_member(member: str) -> None:
    assert target("a.B", member, files={"a/B.java": "a.B"}) == "a/B.java"


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


# --- imports on demand ---


def test_a_type_of_a_package_by_the_same_name_in_another_module_hides_nothing() -> None:
    files = {"lib/src/main/java/a/B.java": "a.B", "other/src/main/java/use/B.java": "use.B"}

    found = on_demand("a", "B", files=files, source="app/src/main/java/use/Use.java")

    assert found == ["lib/src/main/java/a/B.java"]
