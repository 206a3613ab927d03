"""What Go sources import, use and declare."""

from __future__ import annotations

import pytest

from tests.corpora import reads
from tx_graph.code.imports import NO_SURFACE, Surface
from tx_graph.code.parsing import read_source, read_symbols

lines = reads("lines", "m.go")


def surface(source: str) -> Surface:
    return read_source("m.go", source.encode()).surface


def uses(source: str, *modules: str) -> list[str]:
    """Return what a file with this code uses of the packages that it imports, each written as in an import."""
    specs = "\n".join(module if '"' in module else f'"{module}"' for module in modules)
    return [*surface(f"package p\nimport (\n{specs}\n)\n{source}").uses]


def signatures(source: str) -> dict[str, str]:
    return {symbol.name: symbol.signature for symbol in read_symbols("m.go", f"package p\n{source}".encode())}


# --- imports ---


def test_every_import_knows_its_line() -> None:
    source = b'package p\n\nimport "a"\nimport (\n\n\t"b"\n\n\t// c\n\tx "c"\n)\n'

    assert [found.line for found in read_source("m.go", source).specifiers] == [3, 6, 9]
    assert [found.line for found in read_source("m.go", source.replace(b"\n", b"\r\n")).specifiers] == [3, 6, 9]


# --- what a file uses ---


@pytest.mark.parametrize(
    "written",
    [
        "f(&store.X{})",
        "f(<-store.X)",
        "f(x...,store.X)",
        "f(store.\n\tX)",
        "f(store . X)",
        "f(!store.X)",
        "{store.X:1}",
    ],
)
def test_a_use_is_seen_whatever_stands_around_it(written: str) -> None:
    assert uses(f"var _ = x{written}", "store") == ["store.X"]


@pytest.mark.parametrize(
    "written",
    [
        "x.store.X",
        "x().store.X",
        "x[0].store.X",
        "x().\n\tstore.X",
        '"store.X"',
        '"\\"store.X"',
        "`store.X`",
        "store.x",
        "store.x.X",
        "1 // store.X",
        "1 /* store.X\n store.X */",
        "'\"' // store.X \"",
    ],
)
def test_what_only_looks_like_a_use_is_none(written: str) -> None:
    assert uses(f"var a = {written}", "store") == []


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("store", "store"),
        ("a/go-store", "store"),
        ("a/store-go", "store"),
        ("a/store.go", "store"),
        ("a/odd-name", "oddname"),
        ("a/odd-name", "odd_name"),
        ("a/store/v2", "store"),
        ("gopkg.in/store.v3", "store"),
        ("a/store/v2", "v2"),
        ('alias "a/b"', "alias"),
        ("a/nothing/like/it", "unlike"),
    ],
)
def test_a_package_may_have_another_name_than_its_directory(module: str, name: str) -> None:
    assert f"{name}.X" in uses(f"var _ = {name}.X", module)


def test_a_file_without_imports_uses_nothing() -> None:
    assert surface("package p\nvar _ = store.X").uses == ()


@pytest.mark.parametrize(
    "shadowed",
    [
        "func (store T) m() { store.X() }",
        "func f(store T) { store.X() }",
        "func f(other, store T) { store.X() }",
        "func f(store ...T) { store.X() }",
        "func f() (store T) { store.X(); return }",
        "func f[store any]() { store.X() }",
        "func f() { store := x; store.X() }",
        "func f() { a, store := x(); { store.X() } }",
        "func f() { var store T; store.X() }",
        "func f() { var ( a int; store T ); store.X() }",
        "func f() { const store = 1; store.X() }",
        "func f() { type store struct{}; store.X() }",
        "func f() { for _, store := range x { store.X() } }",
        "func f() { for store := x; store.X; { store.X() } }",
        "func f() { if store := x; store.X {} else if y { store.X() } else { store.X() } }",
        "func f() { switch store := x; store.X { case store.X: store.X() } }",
        "func f() { switch store := x.(type) { case T: store.X() } }",
        "func f() { select { case store := <-x: store.X() } }",
        "func f() { select { case store, ok := <-x: store.X(ok) } }",
        "var f = func(store T) { store.X() }",
        "func f(store T) { func() { store.X() }() }",
    ],
)
def test_a_local_of_the_package_s_name_shadows_it(shadowed: str) -> None:
    assert uses(f"{shadowed}\nvar _ = store.Free", "store") == ["store.Free"]


@pytest.mark.parametrize(
    "free",
    [
        "func f() { store := store.X(); y(store) }",
        "func f() { { store := y; y(store) }; store.X() }",
        "func f() { store.X(); store := y; y(store) }",
        "func f(store store.X) {}",
        "func f() { var store store.X; y(store) }",
        "func f() { for _, store := range store.X { y(store) } }",
        "func f() { switch store := store.X.(type) { case T: y(store) } }",
        "func f() { switch { case a: store := y; y(store); case b: store.X() } }",
        "func f() { if store := y; store {}; store.X() }",
        "func f() { for a = range store { store.X() } }",
        "func f() { y(func(store T) {}); store.X() }",
        "type F func(store T) store.X",
        "type I interface { M(store T) store.X }",
        "func f() { store: for { break store }; store.X() }",
        "func f() { y := T{store: 1}; y.store = store.X }",
        "func f() { struct{ store T }{}.x(); store.X() }",
    ],
)
def test_outside_the_scope_of_a_local_the_package_is_meant(free: str) -> None:
    assert uses(free, "store") == ["store.X"]


# --- symbols ---


def test_kinds_tell_what_a_type_is() -> None:
    source = b"package p\ntype S struct{}\ntype I interface{}\ntype A = S\ntype N []int\nconst C = 1\nfunc (S) M() {}"

    kinds = {symbol.name: symbol.kind for symbol in read_symbols("m.go", source)}

    assert kinds == {"S": "struct", "I": "interface", "A": "type", "N": "type", "C": "const", "S::M": "method"}


def test_marks_and_line_ends_do_not_shift_lines() -> None:
    source = b"package p\n\nfunc A() {\n}\n\ntype B struct {\n\tx int\n}\n"
    expected = {"A": (3, 4), "B": (6, 8)}

    assert lines(source) == expected
    assert lines(source.replace(b"\n", b"\r\n")) == expected
    assert lines(b"\xef\xbb\xbf" + source) == expected


# --- bad input ---


@pytest.mark.parametrize(
    "source",
    [
        b"",
        b"\xef\xbb\xbf",
        b"package",
        b"import",
        b"not go at all {{{",
        b'package p\nimport "',
        b"package p\nimport (\n",
        b"package p\ntype\nfunc (\nfunc () m() {}\nconst = 1\nvar\n",
        b"package p\ntype A struct\ntype B interface\nfunc (*) M()",
        b'package p\nimport "store"\nfunc f(store { store.X; store := }',
        b'package p\nimport "store"\nfunc \xff\xfe(store T) { store.\xff() }',
        b'package p\nimport "a"\nvar x = "unterminated\nvar y = `never ends',
        b'package p\nimport "a"\nvar x = ' + b"(" * 5000,
        b'package p\nimport "a"\n' + b"func f() { x := a.B; a.C(x) }\n" * 10_000,
    ],
)
def test_bad_sources_are_read_as_far_as_possible(source: bytes) -> None:
    read_source("m.go", source)


def test_what_stands_around_broken_code_is_still_read() -> None:
    source = "func A() { store.X() }\nfunc broken( {\n}\nfunc B() { store.Y() }\n"

    assert uses(source, "store") == ["store.X", "store.Y"]
    assert {"A", "B"} <= lines(f"package p\n{source}").keys()


def test_a_file_that_names_no_package_has_no_surface() -> None:
    assert surface("") == NO_SURFACE
