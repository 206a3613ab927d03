"""What Rust sources import, declare and offer."""

from __future__ import annotations

import pytest

from tests.corpora import reads
from tx_graph.code.imports import Offered, Surface
from tx_graph.code.parsing import read_source

imports = reads("modules", "m.rs")
lines = reads("lines", "m.rs")
signatures = reads("signatures", "m.rs")


def surface(source: str) -> Surface:
    return read_source("m.rs", source.encode()).surface


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


def test_names_of_one_scope_say_nothing_in_another() -> None:
    assert surface("use crate::a;\nmod m { use a::b::C; }").uses == ()


def test_globs_are_told_where_a_path_starts_with_a_name_that_they_may_bring() -> None:
    assert surface("mod tests { use super::*; use a::A; }").uses == ("tests::*=super",)
    assert surface("mod tests { use super::*; use std::fmt; }").uses == ()


# --- symbols ---


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
