"""Comments as the parser finds them."""

from __future__ import annotations

from tx_graph.code.comments import read_comments

PYTHON = '''"""Module."""
# NOTE: the first
# block of two lines
X = "# no comment"


class Loader:
    # HACK: inside a class, above a method
    def load(self):
        y = 1  # behind code
        # WHY: inside
        # the method
        return y
'''


def found(path: str, text: str) -> list[tuple[str, tuple[int, int], str | None]]:
    return [(one.text, one.lines, one.symbol) for one in read_comments(path, text)]


def test_blocks_are_joined_and_strings_are_no_comments() -> None:
    assert found("a.py", PYTHON) == [
        ("NOTE: the first\nblock of two lines", (2, 3), None),
        ("HACK: inside a class, above a method", (8, 8), "Loader::load"),
        ("behind code", (10, 10), "Loader::load"),
        ("WHY: inside\nthe method", (11, 12), "Loader::load"),
    ]


def test_a_comment_outside_of_all_declarations_is_about_the_code_below() -> None:
    (first, *_) = read_comments("a.py", PYTHON)
    assert first.code == (2, 4)
    assert read_comments("a.py", "x = 1\n\n# at the end")[0].code == (3, 3)


def test_the_signs_of_comments_are_taken_off() -> None:
    script = "/**\n * Loads.\n *\n * NOTE: slow\n */\nexport function load() {}\n// one\n//two\nconst s = '// none'\n"
    assert found("a.ts", script) == [("Loads.\n\nNOTE: slow", (1, 5), "load"), ("one\ntwo", (7, 8), None)]
    assert found("a.c", "/* WHY: this */\nint f(void) { return 1; }\n") == [("WHY: this", (1, 1), "f")]
    assert found("a.zig", '// WHY: this\nfn f() void {}\nconst x = "// none";\n') == [("WHY: this", (1, 1), "f")]
    assert found("a.rs", "/// Doc\n// NOTE: x\nfn f() {}\n") == [("Doc\nNOTE: x", (1, 2), "f")]


def test_languages_without_symbols_have_comments_too() -> None:
    assert found("a.yaml", "# HACK: pinned\na: '# none'\n") == [("HACK: pinned", (1, 1), None)]
    assert found("Makefile", "# WHY: order\nall: a b\n") == [("WHY: order", (1, 1), None)]
    assert found("a.toml", "# WHY: order\n") == [("WHY: order", (1, 1), None)]


def test_what_a_comment_looks_like_must_be_known() -> None:
    assert found("a.unknown", "# NOTE: x\n") == []
    assert found("a.py", "") == []
