"""Passages: what fingerprints see of symbols, lines and whole files."""

from __future__ import annotations

import sys

import pytest

from tx_graph.code.passages import Passages, read_passages
from tx_graph.code.symbols import Symbol

PYTHON = '''\
import a


@decorated
def f(b, c=1) -> int:  # takes two
    """Return the sum.

    Of both.
    """
    return b + c


text = """first
second
third"""
'''
DECLARATIONS = {
    "a.c": ("int f(int a) { return 1; }", "int f ( int a )"),
    "a.cpp": ("int A::f(int a) { return 1; }", "int A :: f ( int a )"),
    "a.cs": ("class A { int F(int a) { return 1; } }", "class A"),
    "a.ex": ("defmodule A do\n  def f(a) do\n    1\n  end\nend", "defmodule A"),
    "a.go": ("package a\nfunc (t *T) F(a int) int { return 1 }", "func ( t * T ) F ( a int ) int"),
    "a.java": ("class A<T> extends B { int f(int a) { return 1; } }", "class A < T > extends B"),
    "a.js": ("export const f = async (a) => { return 1 }", "export const f = async ( a ) =>"),
    "a.kt": ("fun f(a: Int): Int { return 1 }", "fun f ( a : Int ) : Int"),
    "a.lua": ("local function f(a)\n  return 1\nend", "local function f ( a )"),
    "a.php": ("<?php function f(int $a): int { return 1; }", "function f ( int $a ) : int"),
    "a.py": ("@d\nclass A(B):\n    x = 1", "@ d class A ( B ) :"),
    "a.rb": ("class A < B\n  def f; end\nend", "class A < B"),
    "a.rs": ("#[d]\npub fn f(a: u8) -> u8 { 1 }", "# [ d ] pub fn f ( a : u8 ) -> u8"),
    "a.scala": ("def f(a: Int): Int = { 1 }", "def f ( a : Int ) : Int ="),
    "a.sh": ("f() {\n  echo\n}", "f ( )"),
    "a.swift": ("func f(a: Int) -> Int { return 1 }", "func f ( a : Int ) -> Int"),
    "a.ts": ("export type A = B | C", "export type A ="),
    "a.vue": ("<template/>\n<script>\nfunction f(a) { return 1 }\n</script>", "function f ( a )"),
}
DEEP = {
    "a.py": ("x = " + "[" * 2_000, "]" * 2_000),
    "a.ts": ("x = " + "a + " * 5_000, "a"),
    "b.ts": ("x = a", "?.b" * 5_000),
    "c.ts": ("x = " + "a && " * 5_000, "a"),
    "a.rs": ("fn f() " + "{" * 2_000, "}" * 2_000),
    "a.json": ("[" * 3_000, "]" * 3_000),
    "a.tsx": ("x = " + "<a>" * 2_000, "</a>" * 2_000),
    "a.yaml": ("[" * 2_000, "]" * 2_000),
    "a.html": ("<a>" * 5_000, ""),
}


def named(passages: Passages, name: str) -> Symbol:
    return next(symbol for symbol in passages.symbols if symbol.name == name)


def code(tokens: tuple[str, ...]) -> str:
    """Return the tokens that stand in the source."""
    return " ".join(token for token in tokens if not token.startswith("\0"))


def test_a_symbol_is_its_lines_its_code_its_head_and_its_comments() -> None:
    passages = read_passages("a.py", PYTHON)

    passage = passages.of_symbol(named(passages, "f"))

    assert passage.text.startswith("@decorated\ndef f(")
    assert passage.text.endswith("return b + c")
    assert code(passage.tokens) == "@ decorated def f ( b , c = 1 ) -> int : return b + c"
    assert code(passage.head) == "@ decorated def f ( b , c = 1 ) -> int :"
    assert passage.comments == ("takes", "two", "Return", "the", "sum.", "Of", "both.")


@pytest.mark.parametrize("path", DECLARATIONS)
def test_a_head_ends_where_the_body_begins_in_every_language(path: str) -> None:
    source, head = DECLARATIONS[path]
    passages = read_passages(path, source)

    assert code(passages.of_symbol(passages.symbols[0]).head) == head


def test_a_head_is_the_same_whatever_the_body_does() -> None:
    one, other = (read_passages("a.ts", f"export const a: B = {value}") for value in ("1", "{\n  b: 1,\n}"))

    assert one.of_symbol(one.symbols[0]).head == other.of_symbol(other.symbols[0]).head


def test_symbols_on_one_line_are_told_apart() -> None:
    passages = read_passages("a.ts", "class A { b() { c } d() { e } }")

    assert code(passages.of_symbol(named(passages, "A::d")).tokens) == "d ( ) { e }"


def test_a_symbol_has_the_same_tokens_wherever_it_stands() -> None:
    alone = read_passages("a.py", "def f(a):\n    return a\n")
    inside = read_passages("b.py", "import x\n\nclass A:\n    y = 1\n\n    def f(a):\n        return a\n")

    assert alone.of_symbol(alone.symbols[0]).tokens == inside.of_symbol(named(inside, "A::f")).tokens


def test_a_lost_symbol_is_none_of_the_comments_after_it() -> None:
    passages = read_passages("a.py", "def f():\n    return 1\n    # after\n\n# more\nx = 1\n")

    assert passages.of_symbol(passages.symbols[0]).text == "def f():\n    return 1"
    assert passages.of_symbol(passages.symbols[0]).comments == ()


def test_lines_have_what_lies_wholly_in_them_and_no_head() -> None:
    passage = read_passages("a.py", PYTHON).of_lines(10, 10)

    assert code(passage.tokens) == "return b + c"
    assert passage.head == ()
    assert passage.text == "    return b + c"


def test_lines_through_a_string_or_a_comment_have_their_part_of_it() -> None:
    passages = read_passages("a.py", PYTHON)

    assert passages.of_lines(14, 14).tokens == ("second",)
    assert passages.of_lines(8, 8).comments == ("Of", "both.")
    assert passages.of_lines(13, 15).tokens[-1] == '"""first\nsecond\nthird"""'


def test_lines_that_are_not_there_are_empty() -> None:
    passages = read_passages("a.py", "x = 1\n")

    assert passages.of_lines(5, 9).text == ""
    assert passages.of_lines(5, 9).tokens == ()
    assert passages.of_lines(0, 99).tokens == passages.whole().tokens


def test_a_whole_file_ends_without_a_line_end() -> None:
    assert read_passages("a.py", "x = 1\n").whole().text == "x = 1"
    assert read_passages("a.py", "").whole().tokens == ()


@pytest.mark.parametrize(
    ("path", "source", "token"),
    [
        ("a.js", "$x = _x", "$x"),
        ("a.js", "class A { #x = 1 }", "#x"),
        ("a.php", "<?php $x = 1;", "$x"),
        ("a.rb", "@x = 1", "@x"),
        ("a.rs", "fn f<'a>() {}", "'a"),
        ("a.sh", "echo $x", "$x"),
    ],
)
def test_a_name_is_one_token_with_its_sigil(path: str, source: str, token: str) -> None:
    assert token in read_passages(path, source).whole().tokens


def test_words_of_comments_are_without_their_markers() -> None:
    source = "/**\n * One *two*.\n */\n/// three\n//! four\n/* five */ int a; // six"

    assert read_passages("a.c", source).whole().comments == ("One", "*two*.", "three", "four", "five", "six")
    assert read_passages("a.lua", "--[[ one\ntwo ]] -- three").whole().comments[0] == "one"
    assert read_passages("a.html", "<!-- one two --><a/>").whole().comments == ("one", "two")


def test_code_inside_other_text_is_read_as_code() -> None:
    one = "<template><a :b=\"c('d')\"/></template>\n<style>a{b:c}</style>"
    other = "<template>\n  <a :b='c(\"d\")' />\n</template>\n<style>\na {\n  b: c;\n}\n</style>"

    assert read_passages("a.vue", one).whole().tokens == read_passages("a.vue", other).whole().tokens
    fenced = (read_passages("a.md", f"```js\n{code}\n```") for code in ("f( 'a' )", 'f("a");'))
    assert len({passages.whole().tokens for passages in fenced}) == 1


@pytest.mark.parametrize("path", DEEP)
def test_what_is_nested_deeply_is_read(path: str) -> None:
    before, after = DEEP[path]

    assert len(read_passages(path, before + after).whole().tokens) > 1_000


def test_bytes_that_are_no_text_are_read() -> None:
    assert read_passages("a.py", "x = '\udcff'").whole().tokens


def test_without_a_parser_words_and_signs_remain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ast_grep_py", None)
    passages = read_passages("a.py", "if a:\n    b  # c\nd\n")

    assert passages.symbols == ()
    assert code(passages.whole().tokens) == "if a : b d"
    assert passages.whole().comments == ("c",)
    assert passages.whole().tokens != read_passages("a.py", "if a:\n    b\n    d").whole().tokens


def test_strings_side_by_side_are_one_in_a_symbol_and_pieces_in_lines() -> None:
    passages = read_passages("a.py", "x = (\n    'a '\n    'b'\n)\n")
    assert '"a b"' in passages.whole().tokens
    assert passages.of_lines(2, 3).tokens[-2:] == ('"a "', '"b"')
    assert passages.of_lines(3, 3).tokens == ('"b"',)
    assert passages.line_tokens()[1:3] == [['"a "'], ['"b"']]
