"""Languages whose declarations are read by a table: what all of them promise, and what each decides for itself."""

from __future__ import annotations

import pytest

from tx_graph.code.parsing import read_symbols

NESTED = {
    "a.c": "struct a { ",
    "a.cpp": "namespace a { ",
    "a.cs": "class A { ",
    "a.ex": "if a do ",
    "a.kt": "class A { ",
    "a.lua": "x = { ",
    "a.php": "<?php if (1) { ",
    "a.rb": "module A ; ",
    "a.scala": "object A { ",
    "a.sh": "{ ",
    "a.swift": "class A { ",
}


def names(path: str, source: str) -> list[str]:
    return [symbol.name for symbol in read_symbols(path, source.encode())]


def kinds(path: str, source: str) -> dict[str, str]:
    return {symbol.name: symbol.kind for symbol in read_symbols(path, source.encode())}


def signatures(path: str, source: str) -> dict[str, str]:
    return {symbol.name: symbol.signature for symbol in read_symbols(path, source.encode())}


def lines(path: str, source: str) -> list[tuple[str, int, int]]:
    return [(symbol.name, symbol.line_start, symbol.line_end) for symbol in read_symbols(path, source.encode())]


@pytest.mark.parametrize("path", NESTED)
def test_what_is_nested_without_end_is_read_without_complaint(path: str) -> None:
    assert len(names(path, NESTED[path] * 2_000)) <= 2_000


@pytest.mark.parametrize("path", NESTED)
def test_an_empty_file_and_one_of_bytes_declare_nothing(path: str) -> None:
    assert read_symbols(path, b"") == ()
    assert read_symbols(path, bytes(range(256))) == ()


def test_marks_and_line_ends_of_windows_move_no_line() -> None:
    source = "\ufeffint first(void) {\r\n  return 1;\r\n}\r\n\r\nint second(void)\r\n{\r\n}\r\n"

    assert lines("a.c", source) == [("first", 1, 3), ("second", 5, 7)]


def test_functions_in_types_are_methods_and_those_in_namespaces_are_not() -> None:
    source = "namespace n { void f() {} class C { void m() {} }; }\nvoid C::out() {}\n"

    assert kinds("a.cpp", source) == {
        "n": "namespace",
        "n::f": "function",
        "n::C": "class",
        "n::C::m": "method",
        "C::out": "method",
    }


def test_conversions_are_named_after_the_type_they_lead_to() -> None:
    source = "struct A { operator bool() const { return 1; } void operator()(int a) {} };\n"

    assert names("a.cpp", source) == ["A", "A::operator bool", "A::operator()"]


def test_a_header_is_read_in_the_language_it_is_written_in() -> None:
    assert kinds("a.h", "#pragma once\nclass A {\n public:\n  int get() { return 1; }\n};\n")["A::get"] == "method"
    assert kinds("a.h", "struct class_of { int template_id; };\n") == {"class_of": "struct"}


def test_a_conditional_in_the_middle_of_a_function_does_not_hide_the_next() -> None:
    source = "int a(int b) {\n#ifdef X\n  if (b) {\n#else\n  if (!b) {\n#endif\n  }\n}\nint after(void) {}\n"

    assert lines("a.c", source) == [("a", 1, 8), ("after", 9, 9)]


def test_both_branches_of_a_conditional_are_read_where_each_is_whole() -> None:
    source = "#ifdef X\nint a(void) { return 1; }\n#else\nint a(void) { return 2; }\n#endif\n"

    assert lines("a.c", source) == [("a", 2, 2), ("a#2", 4, 4)]


def test_code_that_is_switched_off_is_none() -> None:
    assert names("a.c", "#if 0\nint off(void) {}\n#else\nint on(void) {}\n#endif\n") == ["on"]
    assert names("a.cs", "#if false\nclass Off {}\n#endif\nclass On {}\n") == ["On"]


def test_macros_between_declarations_and_after_functions_are_no_names() -> None:
    source = "class A {\n  Q_OBJECT\n public:\n  void m() LOCKS_EXCLUDED(mutex_) {}\n};\nCORE_END\nint f() {}\n"

    assert names("a.cpp", source) == ["A", "A::m", "f"]


def test_a_test_macro_declares_its_test() -> None:
    assert kinds("a.cc", "TEST_F(Suite, Case) {\n}\n") == {"Suite::Case": "function"}
    assert names("a.cc", "OTHER_MACRO(Suite, Case) {\n}\n") == []


def test_signatures_have_neither_attributes_nor_the_end_of_an_empty_body() -> None:
    assert signatures("a.cs", "class A { [Obsolete]\n public int Get() => 1; }\n")["A::Get"] == "public int Get()"
    assert (
        signatures("a.php", "<?php\n#[Pure]\nfunction f(int $a): int { return 1; }\n")["f"] == "function f(int $a): int"
    )
    assert signatures("a.rb", "def empty(a)\nend\n") == {"empty": "def empty(a)"}
    assert signatures("a.lua", "function M.f(a) end\n") == {"M::f": "function M.f(a)"}
    assert signatures("a.ex", "def f(a), do: a\n") == {"f": "def f(a)"}


def test_quoted_names_lose_their_quotes() -> None:
    assert names("a.kt", "class T { fun `it works`() {} }\n") == ["T", "T::it works"]
    assert names("a.swift", "func `default`() {}\n") == ["default"]


def test_clauses_of_one_function_are_one_declaration_and_other_arities_are_others() -> None:
    source = "defmodule M do\n  def f(1), do: 1\n  def f(a) do\n    a\n  end\n  def f(a, b), do: b\nend\n"

    assert lines("a.ex", source) == [("M", 1, 7), ("M::f", 2, 5), ("M::f#2", 6, 6)]


def test_markup_around_php_is_no_code() -> None:
    assert names("a.php", "<p>function no() {}</p>\n<?php function yes() {} ?>\nfunction no() {}\n") == ["yes"]


def test_members_of_an_extension_bear_the_name_of_the_type() -> None:
    assert kinds("a.swift", "extension Box<Int>.Part { func m() {} }\n") == {"Box::Part::m": "method"}


def test_indentation_ends_a_declaration_at_its_last_code() -> None:
    source = "class A:\n  def f =\n    1\n\n\nclass B\n"

    assert lines("a.scala", source) == [("A", 1, 3), ("A::f", 2, 3), ("B", 6, 6)]


def test_functions_of_a_shell_are_found_though_its_grammar_gets_lost() -> None:
    source = 'a() {\n  x=${y#*{\\"n\\":[}\n  z="{\\"t\\":"[${x}]"}"\n}\nfunction b\n{\n  :\n}\nc() { :; }\n'

    assert lines("a.sh", source) == [("a", 1, 4), ("b", 5, 8), ("c", 9, 9)]


def test_what_looks_like_a_function_of_a_shell_in_a_here_document_is_none() -> None:
    assert names("a.sh", "cat <<EOF\nno() {\n}\nEOF\nawk '\nalso_no() {\n}\n'\nyes() { :; }\n") == ["yes"]


def test_broken_code_makes_up_no_names() -> None:
    source = "int f(int a {\n return }\nstruct { } } x(\n;;int int int(\n#if\nvoid g(void) { if ( }\n"

    assert all(name.isidentifier() for name in names("a.c", source))
