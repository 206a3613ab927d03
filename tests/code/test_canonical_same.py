"""Sources that only a formatter, a comment or white space tells apart come to the same tokens."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tx_graph.code.parsing import read_symbols
from tx_graph.code.passages import read_passages

PAIRS: dict[str, list[tuple[str, str]]] = {
    "a.py": [
        ("x=f( a,b )", "x = f(\n    a,\n    b,\n)"),
        ("x = 'it'", 'x = "it"'),
        (r"x = 'it\'s'", 'x = "it\'s"'),
        ("x = u'a' + B'b' + Rb'c'", 'x = "a" + b"b" + rb"c"'),
        (r"x = '\xAB\N{dash}'", r'x = "\xab\N{DASH}"'),
        ("x = 0XFF + 1E5 + 10J + 1. + .5", "x = 0xff + 1e5 + 10j + 1.0 + 0.5"),
        ("x = (a)", "x = a"),
        ("if (a): pass", "if a:\n    pass"),
        ("return_ = (a and\n  b)", "return_ = a and b"),
        ("for (x, y) in z: pass", "for x, y in z:\n    pass"),
        ("for x in (a, b): pass", "for x in a, b: pass"),
        ("del (a, b)", "del a, b"),
        ("with (a as b, c as d): pass", "with a as b, c as d: pass"),
        ("class A(): pass", "class A: pass"),
        ("from a import (b, c,)", "from a import b, c"),
        ("x = a \\\n  + b", "x = a + b"),
        ("if x := a if b else c: pass", "if (x := a if b else c): pass"),
        ("if x := a and b: pass", "if (x := (a and b)): pass"),
        ("a; b", "a\nb"),
        ("def f() -> (int): pass", "def f() -> int: pass"),
        ("def f(a: (list[int])): pass", "def f(a: list[int]): pass"),
        ("(a, b) = c", "a, b = c"),
        ("x = f'{a}'", 'x = f"{a}"'),
        ("x = ('a ' 'b'\n     'c')", 'x = "a bc"'),
        ("x = ('{a}' f'b{c!r:>{d}}' 'e')", "x = f'{{a}}b{c!r:>{d}}e'"),
        ("x = rb'a' RB'b'", 'x = rb"ab"'),
        ("assert a == \\\n  'b', 'c' \\\n  'd'", "assert (\n    a == 'b'\n), 'cd'"),
        ("def f():\n  'doc  of f'\n  return 1", 'def f():\n    """doc of f"""\n    return 1  # one'),
        ("x = 1 # one", "# one\nx = 1"),
        ("try: a\nexcept (B): c", "try:\n    a\nexcept B:\n    c"),
    ],
    "a.ts": [
        ("f( a,b );", "f(\n  a,\n  b,\n)"),
        ("x = 'it'", 'x = "it";'),
        ("x => x", "(x) => x"),
        ("async x => { y }", "async (x) => {\n  y;\n};"),
        ("x = new A", "x = new A();"),
        ("type A = | B | C", "type A = B | C;"),
        ("interface A { b: c, d(): e }", "interface A {\n  b: c;\n  d(): e;\n}"),
        ("x = {'a': 1, b: 2}", "x = { a: 1, b: 2 };"),
        ("x = 0XAB + 1.50 + .5 + 5. + 1E+5 + 1.0e10", "x = 0xab + 1.5 + 0.5 + 5 + 1e5 + 1e10"),
        ("x = /a/mgi", "x = /a/gim"),
        ("x = a && (b && c)", "x = a && b && c"),
        ("x = (a && b) || c", "x = a && b || c"),
        ("class A { b = 1; c() {}; }", "class A {\n  b = 1\n  c() {}\n}"),
        (";;a()", "a();"),
        ("x = (a as B).c", "x = ((a) as B).c"),
        ("x = (a)?.b", "x = a?.b"),
        ("f((a?.b))", "f(a?.b)"),
        ("import {a,b,} from 'c'", 'import { a, b } from "c";'),
        ("import a from 'a' with {type: 'json'}", 'import a from "a" with { type: "json" };'),
        ("x = css`\n  a { b: 'c' }`", 'x = css`a {\n  b: "c"\n}`'),
        ("x = a % b * c", "x = (a % b) * c"),
        ("function f() { return a && b }", "function f() {\n  return ( // one\n    a &&\n    b\n  );\n}"),
        ("x = a || b as C", "x = a || (b as C)"),
        ("x = await a as B", "x = (await a) as B"),
        ("let x: (string)", "let x: string"),
        ("/** doc */ x = 1", "x = 1 // one"),
        ("type A = { [k in B]: C; }", "type A = { [k in B]: C }"),
    ],
    "a.tsx": [
        ("x = <a b='c'/>", 'x = <a b="c" />'),
        ("x = <a b={'c'}/>", 'x = <a b="c" />'),
        ("x = (<a>b c</a>)", "x = <a>\n  b\n  c\n</a>"),
        ("x = <a>b <c/></a>", "x = <a>\n  b{' '}\n  <c/>\n</a>"),
        ("x = <a>{b} {c}</a>", "x = <a>\n  {b} {c}\n</a>"),
        ("x = <a><b/></a>", "x = (\n  <a>\n    {/* b */}\n    <b />\n  </a>\n)"),
    ],
    "a.java": [
        ("class A { int[] a = {1,2,}; }", "class A {\n  int[] a = {1, 2};\n}"),
        ("class A { final static public int a = (1); }", "class A { public static final int a = 1; }"),
        ("enum A { B, C,; }", "enum A { B, C }"),
        ("import b.C;\nimport a.B;", "import a.B;\nimport b.C;"),
        ("class A { ; void f() {;} }", "class A { void f() { } }"),
        ('class A { String a = """\n    b\n      c\n    """; }', 'class A { String a = """\n  b\n    c\n  """; }'),
        ("/** doc */ class A { }", "class A { // a\n}"),
    ],
    "a.go": [
        ("package a\nfunc f() { a(); b() }", "package a\n\nfunc f() {\n\ta()\n\tb()\n}\n"),
        ("package a\nvar x = []int{1,2}", "package a\nvar x = []int{\n\t1,\n\t2,\n}"),
        ("package a\nvar x = 0XFF", "package a\nvar x = 0xff"),
        ("package a\nfunc f() { if (a) { } }", "package a\nfunc f() {\n\tif a {\n\t}\n}"),
        ('package a\nimport (\n"b"\n"a"\n)', 'package a\nimport (\n\t"a"\n\t"b"\n)'),
        ("package a\n// f does\nfunc f() {}", "package a\nfunc f() {} // does"),
    ],
    "a.rs": [
        ("fn f() -> () { return x }", "fn f() {\n    return x;\n}"),
        (
            "fn f() { match a { A => { x } B => y } }",
            "fn f() {\n    match a {\n        A => x,\n        B => { y }\n    }\n}",
        ),
        ("fn f() { g(|x| { x }) }", "fn f() { g(|x| x) }"),
        ("fn f() { g(a, b,) }", "fn f() { g(a, b) }"),
        ("fn f() { vec![a, b,]; }", "fn f() { vec![a, b]; }"),
        ("fn f() { match a { | A | B => x } }", "fn f() { match a { A | B => x } }"),
        ("use a::{c, b};\nuse a::a;", "use a::a;\nuse a::{b, c};"),
        ('extern "C" fn f() {}', "extern fn f() {}"),
        ("fn f() { let x = (a); }", "fn f() { let x = a; }"),
        ("fn f() { let x = 1;; }", "fn f() { let x = 1; }"),
        ("/// doc\nfn f() {}", "fn f() {} // f"),
    ],
    "a.yaml": [
        ("a:\n- b\n- c", "a:\n  - b\n  - c"),
        ("a: 'b'", 'a: "b"'),
        ("a: {b: c,}", "a: { b: c }"),
        ("a: |\n    b\n      c", "a: |\n  b\n    c\n"),
        ("a: 1 # one", "# one\na: 1"),
    ],
    "a.json": [('{"a":[1,2]}', '{\n  "a": [1, 2]\n}'), ('{"a": 1,}', '{ "a": 1 } // one')],
    "a.css": [("a>b{c:#FFF;d:.50px}", "a > b {\n  c: #fff;\n  d: 0.5px;\n}"), ("a[b=c]{d:'e'}", 'a[b="c"] { d: "e" }')],
    "a.md": [
        ("a\n=\n\n* b\n* c", "# a\n\n- b\n- c\n"),
        ("*a* __b__", "_a_ **b**"),
        ("|a|b|\n|-|-|\n|c|d|", "| a   | b   |\n| --- | --- |\n| c   | d   |"),
    ],
    "a.sql": [("SELECT a,\n  b -- two\nFROM c", "SELECT a, b FROM c")],
    "a.toml": [("a = 1 # one\n\nb = 2", "a = 1\nb = 2")],
    "a.c": [("int f(){return a;}", "int f()\n{\n  /* a */\n  return a;\n}")],
}


@pytest.mark.parametrize(("path", "one", "other"), [(path, *pair) for path, pairs in PAIRS.items() for pair in pairs])
def test_what_a_formatter_changes_leaves_the_tokens(path: str, one: str, other: str) -> None:
    assert read_passages(path, one).whole().tokens == read_passages(path, other).whole().tokens


@pytest.mark.skipif(not shutil.which("black"), reason="black is not installed")
def test_our_own_code_has_the_same_tokens_after_black(tmp_path: Path) -> None:
    sources = [*(Path(__file__).parents[2] / "tx_graph").rglob("*.py")][:40]
    copies = {source: tmp_path / f"{index}.py" for index, source in enumerate(sources)}
    for source, copy in copies.items():
        copy.write_bytes(source.read_bytes())
    subprocess.run(["black", "-q", "-l", "50", tmp_path], check=True)

    for source, copy in copies.items():
        before, after = source.read_text(encoding="utf-8"), copy.read_text(encoding="utf-8")
        assert read_passages("a.py", before).whole().tokens == read_passages("a.py", after).whole().tokens
        assert len(read_symbols("a.py", before.encode())) == len(read_symbols("a.py", after.encode()))
