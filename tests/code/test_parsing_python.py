"""What Python sources import and declare."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.corpora import reads
from tx_graph.code.imports import ImportType
from tx_graph.code.parsing import SourceReading, read_source, read_symbols

imports = reads("imports", "m.py")
types = reads("types", "m.py")
lines = reads("lines", "m.py")


# --- imports ---


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("from . import x", "."),
        ("from .import x", "."),
        ("from ... import x", "..."),
        ("from .a.b import x", ".a.b"),
        ("from .. a import x", "..a"),
        ("from a . b import(x)", "a.b"),
        ("from importer.imports import x", "importer.imports"),
    ],
)
def test_dots_and_spaces_of_a_module_are_normalised(statement: str, module: str) -> None:
    assert imports(statement) == [(module, "x")]


@pytest.mark.parametrize("deeper", ["", "if x:\n    import b\n", "def f():\n    from b import c\n"])
@pytest.mark.parametrize("noise", ["", "importer = 1\n", "# import z\n", "from __future__ import annotations\n"])
def test_imports_at_the_top_hide_none_deeper_down(noise: str, deeper: str) -> None:
    found = [module for module, _ in imports(f"{noise}import a\n{deeper}")]
    assert found == (["a", "b"] if deeper else ["a"])


def test_lines_count_from_one() -> None:
    found = read_source("m.py", b"\xef\xbb\xbf# first\r\n\r\nimport a\r\nfrom b import (\r\n  c)\r\n").specifiers

    assert [(specifier.module, specifier.line) for specifier in found] == [("a", 3), ("b", 4)]


@pytest.mark.parametrize("test", ["TYPE_CHECKING", "typing.TYPE_CHECKING", "(t.TYPE_CHECKING)", "TYPE_CHECKING and X"])
def test_what_only_type_checkers_read_is_type_only(test: str) -> None:
    assert types(f"if {test}:\n    import a\nelse:\n    import b") == {"a": "type-only", "b": "static"}


@pytest.mark.parametrize("test", ["not TYPE_CHECKING", "not (typing.TYPE_CHECKING)"])
def test_a_negation_swaps_the_branches(test: str) -> None:
    assert types(f"if {test}:\n    import a\nelse:\n    import b") == {"a": "static", "b": "type-only"}


@pytest.mark.parametrize("test", ["TYPE_CHECKING or X", "X == 'TYPE_CHECKING'", "X and not TYPE_CHECKING"])
def test_a_condition_that_can_hold_at_run_time_is_static(test: str) -> None:
    assert types(f"if {test}:\n    import a\nelse:\n    import b") == {"a": "static", "b": "static"}


@pytest.mark.parametrize(
    ("call", "module"),
    [
        ("importlib.import_module('a.b')", "a.b"),
        ('import_module(  # why\n    "a.b",\n)', "a.b"),
        ("import_module(name='a')", "a"),
        ("__import__('a', fromlist=['b'])", "a"),
        ("import_module('.x', __package__)", ".x"),
        ("import_module('.x', package=__name__)", ".x"),
        ("import_module('..x.y', package='a.b')", "a.x.y"),
        ("import_module('.x', 'a.b')", "a.b.x"),
    ],
)
def test_a_call_with_a_literal_is_a_dynamic_import(call: str, module: str) -> None:
    found = read_source("m.py", f"def f():\n    return {call}".encode()).specifiers

    assert [(each.module, each.type, each.line) for each in found] == [(module, ImportType.DYNAMIC, 2)]


@pytest.mark.parametrize(
    "call",
    [
        "import_module(f'a.{b}')",
        "import_module('a.' + b)",
        "import_module(b)",
        "import_module()",
        "import_module('.x')",
        "import_module('.x', package)",
        "import_module('...x', 'a')",
        "reimport_module('a')",
        "'import_module(\"a\")'",
    ],
)
def test_a_call_that_does_not_say_which_module_is_no_import(call: str) -> None:
    assert imports(call) == []


# --- declarations ---


def test_kinds_tell_methods_from_functions() -> None:
    found = read_symbols("m.py", b"class A:\n    async def m(self): ...\ndef f(): ...")

    assert [(symbol.name, symbol.kind) for symbol in found] == [("A", "class"), ("A::m", "method"), ("f", "function")]


@pytest.mark.parametrize(
    "source",
    [
        b"\xef\xbb\xbfdef f():\n\tpass\n\nclass A:\n\tdef m(self):\n\t\tpass\n",
        b"def f():\r\n    pass\r\n\r\nclass A:\r\n    def m(self):\r\n        pass\r\n",
        b"def f():\n    '\xff\xfe'\n\nclass A:\n    def m(self):\n        pass # \xe9",
        "def f():\n    pass\n\nclass A:\n    def m(self):\n        '\u2028\x0c'".encode(),
        "def f():\n    pass\n\nclass A:\n    def m(self):\n        pass\n".encode("utf-16"),
    ],
    ids=["mark and tabs", "CRLF", "latin-1", "odd separators", "UTF-16"],
)
def test_the_encoding_does_not_shift_lines(source: bytes) -> None:
    assert lines(source) == {"f": (1, 2), "A": (4, 6), "A::m": (5, 6)}


def test_broken_sources_give_what_can_be_read() -> None:
    assert list(lines("def f(:\n\nclass A:\n    def m(self): ...\n")) != []
    assert lines(b"\x00\x00") == {}
    assert lines(b"") == {}


@pytest.mark.parametrize(
    "head",
    [
        "if a:",
        "while a:",
        "for a in b:",
        "with a:",
        "async with a:",
        "try:",
        "match a:\n case 1:",
        "if a:\n pass\nelif b:",
        "if a:\n pass\nelse:",
        "try:\n pass\nexcept* A:",
        "try:\n pass\nexcept A:",
        "try:\n pass\nfinally:",
    ],
)
def test_definitions_in_blocks_count(head: str) -> None:
    assert list(lines(f"{head}\n  def f(): ...\n  class A:\n    def m(self): ...")) == ["f", "A", "A::m"]


def test_depth_is_no_problem() -> None:
    deep = "".join(f"{' ' * depth}class A:\n" for depth in range(3000))

    assert len(lines(f"{deep}{' ' * 3000}import x")) > 1
    assert read_source("m.py", b"(" * 5000 + b"import x").symbols == ()


@pytest.mark.parametrize(
    ("source", "signature"),
    [
        ("def login(self, user: str) -> Token: ...", "def login(self, user: str) -> Token"),
        ("@cache\n@f(1)\nasync def f(a=':', *, b): return 1", "async def f(a=':', *, b)"),
        ("class A(B, metaclass=M):\n    'Doc.'", "class A(B, metaclass=M)"),
        ("class A: pass", "class A"),
        ("def f[T: (int, str)](x: T) -> list[T]:\n    return x", "def f[T: (int, str)](x: T) -> list[T]"),
        ("def f(\n    a,  # first\n    b='#',\n):  # noqa\n    pass", "def f(a, b='#')"),
        ("def f(\r\n\ta: int\r\n) -> int:\r\n\tpass", "def f(a: int) -> int"),
        ("def é(ü='日本'):\n    pass", "def é(ü='日本')"),
    ],
)
def test_a_signature_is_the_head_of_a_definition_on_one_line(source: str, signature: str) -> None:
    assert [symbol.signature for symbol in read_symbols("m.py", source.encode())] == [signature]


def test_a_long_signature_is_cut() -> None:
    names = ", ".join(f"name_{number}" for number in range(500))
    (symbol,) = read_symbols("m.py", f"def f({names}): ...".encode())

    assert len(symbol.signature) <= 200
    assert symbol.signature.endswith("…")


# --- all languages ---


def test_one_reading_gives_both() -> None:
    source = b"import a\ndef f(): ..."

    reading = read_source("m.py", source)

    assert [found.module for found in reading.specifiers] == ["a"]
    assert reading.symbols == read_symbols("m.py", source) != ()


@pytest.mark.parametrize("path", ["a.txt", "Makefile", "dir.py/README", ".py", "a.py.orig", "a.PY~"])
def test_languages_we_do_not_read_give_nothing(path: str) -> None:
    assert read_source(path, b"import a\ndef f(): ...") == SourceReading()
    assert read_symbols(path, b"def f(): ...") == ()


def test_importing_the_reader_does_not_load_ast_grep() -> None:
    code = "import sys, tx_graph.code.parsing; sys.exit('ast_grep_py' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
