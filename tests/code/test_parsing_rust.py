"""What Rust sources import, declare and offer."""

from __future__ import annotations

import pytest

from tx_graph.code.imports import Offered, Surface
from tx_graph.code.parsing import read_source, read_symbols


def imports(source: str | bytes) -> list[str]:
    data = source.encode() if isinstance(source, str) else source
    return [found.module for found in read_source("m.rs", data).specifiers]


def scopes(source: str) -> list[tuple[str, str]]:
    return [(found.scope, found.module) for found in read_source("m.rs", source.encode()).specifiers]


def types(source: str) -> dict[str, str]:
    return {found.module: str(found.type) for found in read_source("m.rs", source.encode()).specifiers}


def surface(source: str) -> Surface:
    return read_source("m.rs", source.encode()).surface


def lines(source: str | bytes) -> dict[str, tuple[int, int]]:
    data = source.encode() if isinstance(source, str) else source
    return {symbol.name: (symbol.line_start, symbol.line_end) for symbol in read_symbols("m.rs", data)}


def signatures(source: str) -> dict[str, str]:
    return {symbol.name: symbol.signature for symbol in read_symbols("m.rs", source.encode())}


def kinds(source: str) -> dict[str, str]:
    return {symbol.name: symbol.kind for symbol in read_symbols("m.rs", source.encode())}


# --- imports ---


@pytest.mark.parametrize(
    ("tree", "paths"),
    [
        ("a", ["a"]),
        ("a::b as c", ["a::b"]),
        ("::a::b", ["::a::b"]),
        ("a::*", ["a::*"]),
        ("a::{b, c::{d, e as f},}", ["a::b", "a::c::d", "a::c::e"]),
        ("a::{self, b}", ["a", "a::b"]),
        ("a::{self as x, *}", ["a", "a::*"]),
        ("{a, ::b, c::{self}}", ["a", "::b", "c"]),
        ("::{a, b::c}", ["::a", "::b::c"]),
        ("super :: super::a", ["super::super::a"]),
        ("r#try::r#mod", ["try::mod"]),
        ("a::{}", []),
        ("a::b as _", ["a::b"]),
        ("a::{ // b, }\n /* c, */ d }", ["a::d"]),
        ("größe::Maß", ["größe::Maß"]),
    ],
)
def test_a_use_tree_is_read_leaf_by_leaf(tree: str, paths: list[str]) -> None:
    assert imports(f"use {tree};") == paths


def test_what_is_brought_in_for_others_too_is_a_re_export() -> None:
    source = (
        "pub use a::A;\npub(crate) use b::B;\npub(in crate::x) use c::C;\nuse d::D;\npub extern crate e;\npub mod f;"
    )

    assert types(source) == {
        "a::A": "re-export",
        "b::B": "re-export",
        "c::C": "re-export",
        "d::D": "static",
        "extern crate e": "re-export",
        "mod f": "static",
    }


def test_a_module_without_a_body_is_an_import_and_one_with_a_body_is_none() -> None:
    assert imports("mod a;\npub(crate) mod b;\nmod c { mod d; }\nmod r#async;") == [
        "mod a",
        "mod b",
        "mod d",
        "mod async",
    ]


def test_a_module_is_where_its_path_attribute_says() -> None:
    source = '#[cfg(unix)]\n#[path = "sys/unix.rs"]\n// why\nmod sys;\nmod plain;'

    found = read_source("m.rs", source.encode()).specifiers

    assert [(one.module, one.name, one.line) for one in found] == [
        ("mod sys", "sys/unix.rs", 4),
        ("mod plain", None, 5),
    ]


def test_a_path_under_a_condition_leaves_the_usual_file_possible() -> None:
    source = '#[cfg_attr(unix, path = "u.rs")]\n#[cfg_attr(windows, path = "w.rs")]\nmod imp;'

    found = read_source("m.rs", source.encode()).specifiers

    assert [one.name for one in found] == ["u.rs", "w.rs", None]


def test_an_attribute_that_merely_mentions_a_path_says_nothing() -> None:
    assert [one.name for one in read_source("m.rs", b'#[doc(alias = "path = \\"x\\"")]\nmod a;').specifiers] == [None]


def test_an_import_knows_the_modules_around_it() -> None:
    source = "use a::A;\nmod tests {\n    use super::*;\n    mod deep { use super::b; }\n    use c::C;\n}\nuse d::D;"

    assert scopes(source) == [
        ("", "a::A"),
        ("tests", "super::*"),
        ("tests::deep", "super::b"),
        ("tests", "c::C"),
        ("", "d::D"),
    ]


def test_imports_inside_functions_count_and_know_their_modules() -> None:
    source = (
        "mod m {\n fn f() {\n use a::A;\n if x { use b::B; }\n mod n { use super::C; }\n }\n}\nfn g() { use d::D; }"
    )

    assert scopes(source) == [("m", "a::A"), ("m", "b::B"), ("m::n", "super::C"), ("", "d::D")]


@pytest.mark.parametrize(
    "source",
    [
        "// use a::b;",
        "/// use a::b;\nfn f() {}",
        "/* use a::b;\nmod c; */",
        'const S: &str = "use a::b;";',
        'const S: &str = r#"\nuse a::b;\nmod c;\n"#;',
        "macro_rules! m { () => { use a::b; mod c; } }",
        "fn f() { quote! { use a::b; } }",
        "fn f() { let user = mod_of(x); user.use_it(); }",
        "fn f() { a::b::c(); }",
    ],
)
def test_what_only_looks_like_an_import_is_none(source: str) -> None:
    assert imports(source) == []


def test_a_comment_beside_a_function_does_not_hide_the_imports_in_it() -> None:
    assert imports("use a::A;\n// one could use b::B here\nfn f() { /* yes */ use c::C; }") == ["a::A", "c::C"]


def test_macros_that_only_state_a_condition_are_looked_into() -> None:
    source = "cfg_rt! {\n    mod a;\n    cfg_io! { use b::B; }\n}\nfeature! {\n    #![unix]\n    pub use c::C;\n}"

    assert imports(source) == ["mod a", "b::B", "c::C"]


def test_every_branch_of_a_condition_counts() -> None:
    source = """
        cfg_if::cfg_if! {
          if #[cfg(unix)] {
            mod a;
          } else if #[cfg(x)] {
            use b::B;
          } else { mod c; }
        }
    """

    found = read_source("m.rs", source.encode()).specifiers

    assert [(one.module, one.line) for one in found] == [("mod a", 4), ("b::B", 6), ("mod c", 7)]


def test_every_choice_of_a_condition_counts() -> None:
    source = "cfg_select! {\n  all(unix, not(x)) => { mod a; pub use a::*; }\n  _ => { mod b; }\n}"

    assert sorted(imports(source)) == ["a::*", "mod a", "mod b"]


def test_an_extern_crate_is_read_by_its_own_name() -> None:
    source = "#[macro_use]\nextern crate a_b;\nextern crate c as d;\nextern crate self as me;"

    assert imports(source) == ["extern crate a_b", "extern crate c", "extern crate self"]


# --- surface ---


def test_a_file_offers_the_modules_that_it_declares() -> None:
    source = 'mod a;\n#[path = "x.rs"]\npub mod b;\nmod c {\n  mod d;\n  mod e {}\n}\n#[path = "y"]\nmod f { mod g; }'

    assert surface(source).offers == (
        Offered("a"),
        Offered("b", "x.rs"),
        Offered("c", "{}"),
        Offered("c::d"),
        Offered("c::e", "{}"),
        Offered("f", "{y}"),
        Offered("f::g"),
    )


def test_one_module_may_have_a_text_for_each_platform() -> None:
    source = '#[cfg(unix)] #[path = "u.rs"] mod sys;\n#[cfg(windows)] #[path = "w.rs"] mod sys;'

    assert surface(source).offers == (Offered("sys", "u.rs"), Offered("sys", "w.rs"))


def test_names_that_other_paths_start_with_are_told() -> None:
    assert surface("use crate::a;\nuse a::b::C;\nuse d::D;").uses == ("a=crate::a",)


def test_names_of_one_scope_say_nothing_in_another() -> None:
    assert surface("use crate::a;\nmod m { use a::b::C; }").uses == ()


def test_globs_are_told_where_a_path_starts_with_a_name_that_they_may_bring() -> None:
    assert surface("mod tests { use super::*; use a::A; }").uses == ("tests::*=super",)
    assert surface("mod tests { use super::*; use std::fmt; }").uses == ()


def test_renamed_crates_are_told() -> None:
    assert surface("extern crate a as b;\nextern crate c;\nextern crate self as d;").uses == ("b=::a", "d=crate")


# --- symbols ---


def test_methods_bear_the_name_of_the_type_without_its_path_and_parameters() -> None:
    source = "impl<'a, T> fmt::Display for &'a mut a::B<T> { fn fmt(&self) {} }\nimpl *const C { fn p() {} }"

    assert list(lines(source)) == ["B::fmt", "C::p"]


def test_an_implementation_for_every_type_belongs_to_none() -> None:
    assert lines("impl<T: A<Foo>> B for T { fn f() {} }\nimpl<T> B for &T { fn g() {} }") == {}


def test_an_argument_of_a_parameter_is_no_parameter() -> None:
    assert list(lines("impl<T: Into<Foo>> A for Foo<T> { fn f() {} }")) == ["Foo::f"]


def test_methods_that_a_constant_keeps_apart_are_methods_all_the_same() -> None:
    assert list(lines("const _: () = {\n  use a::A;\n  impl A for B { fn f() {} }\n};")) == ["B::f"]


def test_only_what_a_trait_provides_is_declared_by_it() -> None:
    assert list(lines("trait A {\n  type B;\n  const C: u8;\n  fn d();\n  fn e() {}\n}")) == ["A", "A::e"]


def test_functions_hide_what_they_define_inside() -> None:
    assert list(lines("fn f() {\n  struct S;\n  impl S { fn m() {} }\n  fn g() {}\n  mod h {}\n}")) == ["f"]


def test_constants_count_when_others_can_see_them() -> None:
    source = "const A: u8 = 1;\npub const B: u8 = 1;\npub(crate) static C: u8 = 1;\npub const _: () = ();"

    assert list(lines(source)) == ["B", "C"]


def test_every_kind_has_its_word() -> None:
    source = (
        "fn a() {}\nstruct B;\nenum C {}\nunion D { x: u8 }\ntrait E {}\ntype F = B;\npub const G: u8 = 1;\n"
        "pub static H: u8 = 1;\nmacro_rules! i { () => {} }\nmod j { fn k() {} }\nimpl B { fn l() {} }"
    )

    assert kinds(source) == {
        "a": "function",
        "B": "struct",
        "C": "enum",
        "D": "union",
        "E": "trait",
        "F": "type",
        "G": "const",
        "H": "static",
        "i": "macro",
        "j": "module",
        "j::k": "function",
        "B::l": "method",
    }


def test_attributes_belong_to_what_they_stand_before_and_comments_do_not() -> None:
    assert lines("/// doc\n#[a]\n/// more\n#[b(\n  c\n)]\nfn f() {\n}\n// after\nfn g() {}") == {
        "f": (2, 8),
        "g": (10, 10),
    }


def test_a_declaration_for_each_platform_keeps_its_own_lines() -> None:
    assert lines("#[cfg(a)]\nfn f() {}\n#[cfg(b)]\nfn f() {}") == {"f": (1, 2), "f#2": (3, 4)}


def test_a_signature_is_the_head_of_a_declaration() -> None:
    source = (
        "#[inline]\npub(crate) async fn a<T>(\n    x: T,\n) -> u8\nwhere\n    T: B,\n{\n    0\n}\n"
        "pub struct C<T> { x: T }\npub struct D(u8, pub T);\nstruct E;\npub const F: u8 = 1;\ntype G = Vec<u8>;\n"
        "trait H: I { fn j(&self) {} }"
    )

    assert signatures(source) == {
        "a": "pub(crate) async fn a<T>(x: T) -> u8 where T: B,",
        "C": "pub struct C<T>",
        "D": "pub struct D(u8, pub T)",
        "E": "struct E",
        "F": "pub const F: u8",
        "G": "type G = Vec<u8>",
        "H": "trait H: I",
        "H::j": "fn j(&self)",
    }


def test_declarations_under_a_condition_keep_their_lines_and_signatures() -> None:
    source = "mod m {\n  cfg_a! {\n    /// doc\n    pub fn f(\n      x: u8\n    ) {}\n  }\n}"

    assert lines(source) == {"m": (1, 8), "m::f": (4, 6)}
    assert signatures(source)["m::f"] == "pub fn f(x: u8)"


# --- bad input ---


def test_line_ends_marks_and_tabs_do_not_shift_lines() -> None:
    source = "\ufeffuse a::A;\r\n\r\n\tfn f() {\r\n\t}\r\nmod t {\r\n\tuse super::*;\r\n}\r\n"

    assert lines(source) == {"f": (3, 4), "t": (5, 7)}
    assert [(one.module, one.line) for one in read_source("m.rs", source.encode()).specifiers] == [
        ("a::A", 1),
        ("super::*", 6),
    ]


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xff\xfe\x00",
        b"use ",
        b"use a::{b, c",
        b"use a::{b}}};",
        b"mod",
        b"mod ;",
        b"mod a { use b::C;",
        b"impl for {}",
        b"impl<T {",
        b"impl Tr for fn() -> u8 { fn f() {} }",
        b"extern crate ;",
        b"#[path = ] mod a;",
        b"cfg_if! {",
        b"cfg_x!",
        b"cfg_x! [mod a;]",
        b"fn f( { use a::B; }",
        "fn né() {}\nuse é::É;".encode("latin-1"),
        b"mod a { " * 2000 + b"use b::C;" + b"}" * 2000,
        b"use a::" + b"{b::" * 2000 + b"c" + b"}" * 2000 + b";",
        b"fn f() " + b"{" * 2000 + b"use a::B;" + b"}" * 2000,
        b"a" * 100_000,
        b"cfg_" * 50_000,
    ],
    ids=lambda source: repr(source[:20]),
)
def test_broken_sources_are_read_as_far_as_they_go(source: bytes) -> None:
    reading = read_source("m.rs", source)

    assert all(found.line >= 1 for found in reading.specifiers)


def test_an_import_after_a_syntax_error_is_still_found() -> None:
    assert "b::B" in imports("use a::A;\nfn broken( {\n}\nuse b::B;\n")
