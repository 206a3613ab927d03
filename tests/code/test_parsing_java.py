"""What Java sources import, declare and offer."""

from __future__ import annotations

import pytest

from tests.corpora import reads
from tx_graph.code.parsing import SourceReading, read_source


def reading(source: str | bytes) -> SourceReading:
    return read_source("A.java", source.encode() if isinstance(source, str) else source)


imports = reads("imports", "A.java")
lines = reads("lines", "A.java")
heads = reads("signatures", "A.java")


def uses(source: str) -> set[str]:
    return set(reading(f"import p.*; {source}").surface.uses)


# --- imports ---


@pytest.mark.parametrize(
    ("declaration", "found"),
    [
        ("import a.b.C;", ("a.b.C", None)),
        ("import a.b.*;", ("a.b", "*")),
        ("import static a.C.m;", ("a.C", "m")),
        ("import static a.C.*;", ("a.C", "*")),
        ("import a . b\n . C ;", ("a.b.C", None)),
        ("import/**/static a/* import x.Y; */.C.m;", ("a.C", "m")),
        ("import a.$Gson$Types;", ("a.$Gson$Types", None)),
        ("import größe.Maß;", ("größe.Maß", None)),
        ("import C;", ("C", None)),
    ],
)
def test_an_import_names_a_type_and_a_static_one_a_member(declaration: str, found: tuple[str, str | None]) -> None:
    assert imports(declaration) == [found]


def test_imports_stand_on_their_lines() -> None:
    found = reading("package a;\r\n\r\nimport a.B;\r\nimport a.C; import a.D;;\r\nclass A {}").specifiers

    assert [(specifier.module, specifier.line) for specifier in found] == [("a.B", 3), ("a.C", 4), ("a.D", 4)]


# --- declarations ---


def test_kinds_are_those_of_the_language() -> None:
    source = "class C { C() {} void m() {} } interface I {} enum E { X } record R() { R {} } @interface A { int v(); }"
    kinds = [(symbol.name, symbol.kind) for symbol in reading(source).symbols if not symbol.is_detail]

    assert kinds == [
        ("C", "class"),
        ("C::C", "constructor"),
        ("C::m", "method"),
        ("I", "interface"),
        ("E", "enum"),
        ("R", "record"),
        ("R::R", "constructor"),
        ("A", "annotation"),
        ("A::v", "method"),
    ]


@pytest.mark.parametrize(
    ("declaration", "signature"),
    [
        (
            "@A(b = {1}) @C public static <T> T m(T t,\n   int n) throws E {\n}",
            "public static <T> T m(T t, int n) throws E",
        ),
        ("abstract void m();", "abstract void m()"),
        ("@A void m() {}", "void m()"),
        ("@A /* why */ final void m() {}", "final void m()"),
    ],
)
def test_a_signature_goes_from_the_modifiers_to_the_body(declaration: str, signature: str) -> None:
    assert heads(f"class A {{ {declaration} }}")["A::m"] == signature


# --- surfaces ---


def test_a_file_offers_its_top_level_types_in_its_package() -> None:
    surface = reading(
        "@X package a . b /* c */ . c; public class A { class N {} } interface B {} @interface C {}"
    ).surface

    assert surface.package == "a.b.c"
    assert [offered.name for offered in surface.offers] == ["A", "B", "C"]


def test_a_file_without_a_package_clause_is_in_the_unnamed_package() -> None:
    assert reading("class A {}").surface.package == ""


@pytest.mark.parametrize("source", ["module m { exports a; }", "@X package a;", ""])
def test_a_file_without_types_offers_nothing(source: str) -> None:
    assert reading(source).surface.offers == ()


def test_names_are_collected_only_for_imports_of_whole_packages() -> None:
    assert reading("import a.B; import static a.C.*; class A extends D {}").surface.uses == ()
    assert reading("// import a.*;\nclass A extends D {}").surface.uses == ()


@pytest.mark.parametrize(
    "code",
    [
        "class A extends N {}",
        "class A<T extends N> {}",
        "@N class A {}",
        "@N(1) class A {}",
        "class A { N.M n; }",
        "class A { void m(N... n) throws E {} }",
        "class A { Object o = N.m(), p = N::m; }",
        "class A { Object o = new N(), p = new\n N[1]; }",
        "class A { Object m(Object o) { return o instanceof N ? (N) o : N.class; } }",
        "class A { List<? super N> n; }",
    ],
)
def test_a_name_is_used_wherever_a_type_may_stand(code: str) -> None:
    assert "N" in uses(code)


@pytest.mark.parametrize(
    "code",
    [
        "/* N */ class A {} // N",
        "class A { String s = \"N\"; char c = 'N'; }",
        'class A { String s = """\n  N \\""" N\n  """; }',
        "class A { char c = '\"'; } // N",
        "class A { M.N n; Object o = p.N; }",
        "class A { void N() {} void m() { N(); } }",
        "class A { class N {} N n; }",
        "class A<N> { N n; }",
        "class A { enum E { N(1), M; } }",
    ],
)
def test_a_name_that_stands_for_something_else_is_not_used(code: str) -> None:
    assert "N" not in uses(code)


def test_a_name_that_is_imported_by_itself_is_not_left_to_whole_packages() -> None:
    assert "N" not in uses("import q.N; class A extends N {}")
    assert "N" in uses("import static q.N.*; class A extends N {}")


# --- bad input ---


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xef\xbb\xbf",
        b"\xff\xfe\x00",
        b"class",
        b"class {",
        b"import",
        b"import ;",
        b"import a.;",
        b"package",
        b"class A { void m( { }",
        b"enum E { A B }",
        b'import p.*; class A { String s = "\\',
        b"\xe9\xe8 class A { /* ",
    ],
)
def test_broken_sources_are_read_without_complaint(source: bytes) -> None:
    read_source("A.java", source)


def test_what_is_whole_in_a_broken_source_is_found() -> None:
    assert imports("import a.B\nimport a.C;\nclass A {") != []
    assert "A::m" in lines("import a.B;\nclass A {\n int = ;\n void m() {}\n}")


def test_marks_carriage_returns_and_tabs_do_not_shift_lines() -> None:
    source = b"\xef\xbb\xbfpackage a;\r\n\timport a.B;\r\nclass A {\r\n\tvoid m() {\r\n\t}\r\n}\r\n"

    assert imports(source) == [("a.B", None)]
    assert lines(source) == {"A": (3, 6), "A::m": (4, 5)}


def test_deep_nesting_is_no_trouble() -> None:
    deep = 2_000
    types = "".join(f"class C{level} {{" for level in range(deep)) + "}" * deep
    expression = f"class A {{ int a = {'(' * deep}1{')' * deep}; }}"

    assert len(reading(types).symbols) == deep
    assert list(lines(f"import p.*; {expression}")) == ["A"]
