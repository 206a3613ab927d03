"""Details: what a file declares beside its outline, and what it is good for."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import Project
from tx_graph.anchors.anchors import Anchors
from tx_graph.code.parsing import read_source
from tx_graph.code.references import SymbolUses
from tx_graph.code.symbol_index import SymbolIndex

PYTHON = """LIMIT: int = 3
one, (two, *rest) = 1, (2, 3)
def outer():
    local = 1
    def inner():
        class Deep: ...
    return inner
class Shade(Enum):
    DARK = 1
class Store:
    size: int
    kind = 'a'
    def __init__(self):
        self.kit = self.other.thing = None
    def sell(self):
        self.kit = 1
LIMIT = 4
"""
SCRIPT = """const limit = 3, { a, b: [c] } = limits()
let later
export const api = { get() {}, post: () => 1, deep: { x: 1 }, ...rest }
function baseCreateRenderer() {
  const patch = () => { function inner() {} }
  const plain = 1
}
class Store { #size = 1; static made; constructor(private kit: Kit) { this.open = true } }
enum Shade { Dark, Light = 2 }
interface Kit { cut(): void; size: number }
declare global { interface Window { a: 1 } }
"""


def details(path: str, source: str) -> dict[str, tuple[str, int]]:
    found = read_source(path, source.encode()).symbols
    return {one.name: (one.kind, one.line_start) for one in found if one.is_detail}


def test_details_of_python() -> None:
    assert details("m.py", PYTHON) == {
        "LIMIT": ("constant", 1),
        "one": ("variable", 2),
        "two": ("variable", 2),
        "rest": ("variable", 2),
        "outer::inner": ("function", 5),
        "outer::inner::Deep": ("class", 6),
        "Shade::DARK": ("member", 9),
        "Store::size": ("field", 11),
        "Store::kind": ("field", 12),
        "Store::kit": ("field", 14),
    }


def test_details_of_scripts() -> None:
    assert details("m.ts", SCRIPT) == {
        "limit": ("const", 1),
        "a": ("const", 1),
        "c": ("const", 1),
        "later": ("variable", 2),
        "api::get": ("method", 3),
        "api::post": ("method", 3),
        "api::deep": ("property", 3),
        "api::deep::x": ("property", 3),
        "baseCreateRenderer::patch": ("function", 5),
        "baseCreateRenderer::patch::inner": ("function", 5),
        "Store::#size": ("field", 8),
        "Store::made": ("field", 8),
        "Store::kit": ("field", 8),
        "Store::open": ("field", 8),
        "Shade::Dark": ("member", 9),
        "Shade::Light": ("member", 9),
        "Kit::cut": ("method", 10),
        "Kit::size": ("property", 10),
        "global::Window::a": ("property", 11),
    }


PLAIN = {
    "m.go": (
        """package p
const (
    A = iota
    b, c = 1, 2
)
var handler = func() { deep := func() {} }
type S struct {
    Own, own int
    *Embedded
    part struct { inner int }
}
type I interface { M() error }
func (s *S) Do(t *testing.T) {
    local := 1
    helper := func() {}
    t.Run("a case", func(t *testing.T) {})
    type kept struct { size int }
}
""",
        (
            "b:const c:const handler:function handler::deep:function S::Own:field S::own:field S::Embedded:field"
            " S::part:field S::part::inner:field I::M:method S::Do::helper:function S::Do::a case:test"
            " S::Do::kept:type S::Do::kept::size:field"
        ),
    ),
    "M.java": (
        """class A {
    int size, other = 2;
    enum E { X, Y(2) }
    record P(int x) {}
    int size() { int local = 1; class L { int m; } return local; }
}""",
        (
            "A::size#2:field A::other:field A::E::X:member A::E::Y:member A::P::x:field A::size::L:class"
            " A::size::L::m:field"
        ),
    ),
    "m.rs": (
        """const A: u8 = 1;
struct S { a: u8 }
enum E { X, Z { q: u8 } }
macro_rules! made { () => {} }
impl S { const K: u8 = 1; fn m() { const L: u8 = 1; fn inner() {} } }
""",
        "A:const S::a:field E::X:member E::Z:member E::Z::q:field S::K:const S::m::inner:function",
    ),
    "m.cpp": (
        """int g = 1, *h;
int declared(int);
struct S { int a, *b; int arr[3]; void m(); };
enum class C { Z };
int f() { int local; return local; }
""",
        "g:variable h:variable S::a:field S::b:field S::arr:field C::Z:member",
    ),
    "m.h": (
        """#ifdef A
#define LIMIT 1
#else
  #  define LIMIT 2
#endif
/* #define NONE 1 */
#define MAX(a, b) \\
    struct held { int a; } b
static int LIMITS[] = {LIMIT};
""",
        "LIMITS:variable LIMIT:macro LIMIT#2:macro MAX:macro",
    ),
    "m.cs": (
        "class A { int a, b; int P { get; set; } enum E { X } void M() { int v; int Local() => 1; } record R(int Q); }",
        "A::a:field A::b:field A::P:property A::E::X:member A::M::Local:function A::R::Q:field",
    ),
    "m.kt": (
        """val top = 1
class A(val p: Int, q: Int) {
    val a = 1
    fun m() {
        val local = 1
        fun inner() {}
    }
}
enum class E { X }
""",
        "top:property A::p:property A::a:property A::m::inner:function E::X:member",
    ),
    "m.php": (
        """<?php
const A = 1;
class C { const K = 1; public int $p = 1; function __construct(private int $r) {} }
enum E { case X; }
""",
        "A:constant C::K:constant C::p:field C::r:field E::X:member",
    ),
    "m.rb": (
        "A = 1\nclass C\n  B = 2\n  def m\n    local = 1\n    def inner; end\n  end\nend\n",
        "A:constant C::B:constant C::m::inner:method",
    ),
    "m.scala": (
        "object O { val a = 1; def m() = { val local = 1; def inner() = 1; inner() } }\nclass C(val x: Int, y: Int)\n",
        "O::a:field O::m::inner:function C::x:field",
    ),
    "m.swift": (
        """let top = 1
class A {
    var b: Int { let local = 1; return local }
    func m() { let local = 1; func inner() {} }
}
enum E { case x, y }
""",
        "top:property A::b:property A::m::inner:function E::x:member E::y:member",
    ),
    "typed.ts": (
        "const ops: Ops = { cut() {}, deep: { x: 1 }, join: () => 1, rest }\n",
        "ops:const ops::cut:method ops::deep:property ops::deep::x:property ops::join:method ops::rest:property",
    ),
    "store.test.ts": (
        "describe('Store', () => { it(`sells`, () => {}); it.each([1])('many', () => {}) })\n",
        "Store:test Store::sells:test Store::many:test",
    ),
}


@pytest.mark.parametrize("path", PLAIN)
def test_details_of_other_languages(path: str) -> None:
    source, expected = PLAIN[path]
    assert [f"{name}:{kind}" for name, (kind, _) in details(path, source).items()] == [
        one.replace("\0", " ") for one in expected.replace("a case", "a\0case").split()
    ]


def test_what_is_nested_too_deeply_has_none() -> None:
    assert details("m.py", f"LIMIT = {'(' * 30_000}{')' * 30_000}\n") in ({}, {"LIMIT": ("constant", 1)})


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    project.write("m.py", PYTHON)
    project.git.commit()
    project.index()
    return project


def test_outlines_fold_them(project: Project) -> None:
    with project.open() as workspace:
        index = workspace.kernel.one(SymbolIndex)
        outline = index.symbols("m.py")
        assert [one.name for one in outline] == ["outer", "Shade", "Store", "Store::__init__", "Store::sell"]
        assert outline.folded == 10
        assert [one.name for one in index.symbols("m.py", details=True)][:4] == ["LIMIT", "one", "two", "rest"]
        assert [one.name for one in index.symbols(kind="member")] == ["Shade::DARK"]
        both = {one.kind for one in index.symbols(kind=["member", "class"])}
        assert both == {"member", "class"}
        assert index.find_symbol("LIMIT").symbols[0].signature == "LIMIT: int = 3"


def test_references_of_them_are_found(project: Project) -> None:
    with project.open() as workspace:
        found = workspace.kernel.one(SymbolUses).references("Store.kit")
        assert [(one.line, one.kind) for one in found] == [(14, "writes"), (16, "writes")]


def test_anchors_hold_them(project: Project) -> None:
    with project.open() as workspace:
        workspace.learnings.add("Three is enough", anchors=["m.py::LIMIT", "m.py::outer::inner"])
        assert workspace.kernel.one(Anchors).verify().tally.counts["valid"] == 2
    for change, outcomes in (
        (("int = 3", "int  =  3"), ["format", None]),
        (("int = 3", "int = 5"), ["body", None]),
        (("LIMIT", "MOST"), ["relocated", None]),
    ):
        project.write("m.py", PYTHON.replace(*change))
        project.index()
        with project.open() as workspace:
            report = workspace.kernel.one(Anchors).verify()
            told = [one.judgement.drift or one.judgement.verdict for one in report]
            assert [None if one == "valid" else one for one in told] == outcomes
