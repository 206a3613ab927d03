"""Python: its imports and its definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, around, declared, first_line, last_line, signature, span_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_IMPORTS = frozenset({"import_statement", "import_from_statement"})
_IMPORT_WORD = re.compile(r"import(?!\w)")
_CALL_WORDS = (re.compile("import_module"), re.compile("__import__"))
_CALLEE = re.compile(r"__import__|(?:[\w.]+\.)?import_module")
_TYPE_WORD = re.compile("TYPE_CHECKING")
_CONDITIONALS = frozenset({"if_statement", "elif_clause"})

_DEFINITIONS = frozenset({"function_definition", "class_definition", "decorated_definition"})
_BLOCKS = frozenset(
    "module block if_statement elif_clause else_clause try_statement except_clause except_group_clause"
    " finally_clause with_statement for_statement while_statement match_statement case_clause ERROR".split()
)
"""Whatever may hold definitions outside functions; around a syntax error the grammar may have lost the class."""

_NOISE = re.compile(r"#[^\n]*|\\\r?\n|[()]")
_FROM = re.compile(r"from([\w.\s]*?)\bimport\b(.*)", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")
_FLAG = r"[\s(]*[\w.]*TYPE_CHECKING[\s)]*"
_CONDITION = re.compile(rf"[\s(]*(not\b){_FLAG}|{_FLAG}(?:and\b.*)?", re.DOTALL)
_CALLED = re.compile(
    r"""[\w.]+\(\s*(?:name\s*=\s*)?(?P<q>["'])(?P<module>[\w.]+)(?P=q)\s*"""
    r"""(?:,\s*(?:package\s*=\s*)?(?:(?P<here>__package__|__name__)|(?P<p>["'])(?P<package>[\w.]+)(?P=p))?.*)?\)""",
    re.DOTALL,
)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a module imports, in source order per kind of import."""
    typed = _type_only(tree)
    for node in around(tree, _IMPORT_WORD, leaves=_IMPORTS):
        if node.kind() in _IMPORTS:
            place, line = span_of(node)[0], first_line(node)
            is_typed = any(start <= place < end for start, end in typed)
            for module, name in _names(node.text()):
                kind = ImportType.TYPE_ONLY if is_typed else ImportType.STATIC
                yield Specifier(module=module, name=name, type=kind, line=line)
    for node in around(tree, *_CALL_WORDS):
        callee = node.field("function") if node.kind() == "call" else None
        if callee and _CALLEE.fullmatch(callee.text()):
            call = _CALLED.fullmatch(_COMMENT.sub("", node.text()))
            if call and (called := _absolute(call)):
                yield Specifier(module=called, type=ImportType.DYNAMIC, line=first_line(node))


def _type_only(tree: Tree) -> list[tuple[int, int]]:
    """Return where blocks are under `if TYPE_CHECKING:`, and those under the `else` of `if not TYPE_CHECKING:`."""
    blocks: list[SgNode] = []
    for node in around(tree, _TYPE_WORD):
        condition = node.field("condition") if node.kind() in _CONDITIONALS else None
        match = _CONDITION.fullmatch(condition.text()) if condition else None
        if match and match[1]:
            blocks += (clause for clause in node.field_children("alternative") if clause.kind() == "else_clause")
        elif match:
            blocks += node.field_children("consequence")
    return list(map(span_of, blocks))


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions, classes and methods of a module, but nothing that a function defines inside."""
    waiting = [(tree.root, "")]
    while waiting:
        node, scope = waiting.pop()
        kind = node.kind()
        if kind in _BLOCKS:
            waiting += [(child, scope) for child in reversed(node.children())]
        definition = node.field("definition") if kind == "decorated_definition" else node
        if kind in _DEFINITIONS and definition:
            written, is_class = definition.field("name"), definition.kind() == "class_definition"
            name, body = f"{scope}{written.text() if written else ''}", definition.field("body")
            kind = "class" if is_class else "method" if scope else "function"
            symbol = declared(path, name, kind, node, node, body, signature(tree, definition, body))
            yield replace(symbol, line_end=_last_code_line(definition, tree))
            if is_class:
                waiting += [(child, f"{name}::") for child in reversed(definition.children())]


def _names(statement: str) -> Iterator[tuple[str, str | None]]:
    """Yield the (module, name) pairs of an import statement; `name` is None for a plain `import module`."""
    text = _NOISE.sub(" ", statement) if "(" in statement or "#" in statement or "\\" in statement else statement
    is_plain = text.startswith("import")
    match = None if is_plain else _FROM.match(text)
    module = "".join(match[1].split()) if match else ""
    for item in text.removeprefix("import").split(",") if is_plain else match[2].split(",") if match else ():
        if words := item.split():
            name = "".join(words[: words.index("as")] if "as" in words else words)
            yield (name, None) if is_plain else (module, name)


def _absolute(call: re.Match[str]) -> str | None:
    """Return the module that a call names; a relative one stays relative only to the module's own package."""
    module, package = call["module"], call["package"]
    if not module.startswith(".") or call["here"]:
        return module
    if package is None:
        return None
    below = module.lstrip(".")
    kept = package.split(".")[: len(package.split(".")) - (len(module) - len(below) - 1)]
    return ".".join([*kept, below]) if kept and below else None


def _last_code_line(node: SgNode, tree: Tree) -> int:
    """Return the last line of a definition without the comments that the grammar counts in after it."""
    end = span_of(node)[1]
    start, last = first_line(node), last_line(node)
    if tree.text[tree.text.rfind("\n", 0, max(end - 1, 0)) + 1 : end].lstrip().startswith("#"):
        lines = tree.text.split("\n")
        comments = {first_line(comment) for comment in node.find_all(kind="comment")}
        while last > start:
            text = lines[last - 1].strip()
            if text and not (last in comments and text.startswith("#")):
                break
            last -= 1
    return last


READER = Reader(
    tells_errors=True, uses="python", specifiers=specifiers, symbols=symbols, import_word=re.compile("import")
)
