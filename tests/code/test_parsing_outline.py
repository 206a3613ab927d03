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


def test_a_header_is_read_in_the_language_it_is_written_in() -> None:
    assert kinds("a.h", "#pragma once\nclass A {\n public:\n  int get() { return 1; }\n};\n")["A::get"] == "method"
    assert kinds("a.h", "struct class_of { int template_id; };\n") == {"class_of": "struct"}


def test_signatures_have_neither_attributes_nor_the_end_of_an_empty_body() -> None:
    assert signatures("a.cs", "class A { [Obsolete]\n public int Get() => 1; }\n")["A::Get"] == "public int Get()"
    assert (
        signatures("a.php", "<?php\n#[Pure]\nfunction f(int $a): int { return 1; }\n")["f"] == "function f(int $a): int"
    )
    assert signatures("a.rb", "def empty(a)\nend\n") == {"empty": "def empty(a)"}
    assert signatures("a.lua", "function M.f(a) end\n") == {"M::f": "function M.f(a)"}
    assert signatures("a.ex", "def f(a), do: a\n") == {"f": "def f(a)"}


def test_broken_code_makes_up_no_names() -> None:
    source = "int f(int a {\n return }\nstruct { } } x(\n;;int int int(\n#if\nvoid g(void) { if ( }\n"

    assert all(name.isidentifier() for name in names("a.c", source))
