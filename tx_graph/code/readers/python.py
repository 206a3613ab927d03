"""Python: its imports and its definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Reader, Tree, around, extent, first_line, last_line, signature

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
    (
        "module block if_statement elif_clause else_clause try_statement except_clause except_group_clause "
        "finally_clause with_statement for_statement while_statement match_statement case_clause ERROR"
    ).split()
)
"""Whatever may hold definitions outside functions; around a syntax error the grammar may have lost the class."""

_NOISE = re.compile(r"#[^\n]*|\\\r?\n|[()]")
_FROM = re.compile(r"from\s*([.\s]*[\w.\s]*?)\s*\bimport\b(.*)", re.DOTALL)
_COMMENT = re.compile(r"#[^\n]*")
_FLAG = r"[\s(]*[\w.]*TYPE_CHECKING[\s)]*"
_CONDITION = re.compile(rf"[\s(]*(not\b){_FLAG}|{_FLAG}(?:and\b.*)?", re.DOTALL)
_CALLED = re.compile(
    r"""[\w.]+\(\s*(?:name\s*=\s*)?(?P<q>["'])(?P<module>[\w.]+)(?P=q)\s*"""
    r"""(?:,\s*(?:package\s*=\s*)?(?:(?P<here>__package__|__name__)|(?P<p>["'])(?P<package>[\w.]+)(?P=p))?.*)?\)""",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Span:
    """Character offsets of a block that only type checkers read."""

    start: int
    end: int


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a module imports, in source order per kind of import."""
    typed = list(_type_only_spans(tree))
    for node in around(tree, _IMPORT_WORD, leaves=_IMPORTS):
        if node.kind() in _IMPORTS:
            kind = ImportType.TYPE_ONLY if typed and _inside(node, typed) else ImportType.STATIC
            line = first_line(node)
            for module, name in _names(node.text()):
                yield Specifier(module=module, name=name, type=kind, line=line)
    yield from _dynamic(tree)


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions, classes and methods of a module, but nothing that a function defines inside."""
    waiting = [(tree.root, "")]
    while waiting:
        node, scope = waiting.pop()
        kind = node.kind()
        if kind in _BLOCKS:
            waiting += [(child, scope) for child in reversed(node.children())]
        elif kind in _DEFINITIONS and (definition := _undecorated(node, kind)):
            name, is_class = f"{scope}{_name(definition)}", definition.kind() == "class_definition"
            body = definition.field("body")
            yield Symbol(
                path=path,
                name=name,
                kind="class" if is_class else "method" if scope else "function",
                line_start=first_line(node),
                line_end=_last_code_line(definition, tree),
                signature=signature(tree, definition, body),
                extent=extent(node, node, body),
            )
            if is_class:
                waiting += [(child, f"{name}::") for child in reversed(definition.children())]


def _names(statement: str) -> Iterator[tuple[str, str | None]]:
    """Yield the (module, name) pairs of an import statement; `name` is None for a plain `import module`."""
    text = _NOISE.sub(" ", statement) if "(" in statement or "#" in statement or "\\" in statement else statement
    if text.startswith("import"):
        yield from ((module, None) for module in _listed(text.removeprefix("import")))
    elif match := _FROM.match(text):
        module = "".join(match[1].split())
        yield from ((module, name) for name in _listed(match[2]))


def _listed(names: str) -> Iterator[str]:
    """Yield the names of a comma-separated list, each without its `as`."""
    for item in names.split(","):
        if words := item.split():
            yield "".join(words[: words.index("as")] if "as" in words else words)


def _dynamic(tree: Tree) -> Iterator[Specifier]:
    for node in around(tree, *_CALL_WORDS):
        callee = node.field("function") if node.kind() == "call" else None
        if callee is None or not _CALLEE.fullmatch(callee.text()):
            continue
        match = _CALLED.fullmatch(_COMMENT.sub("", node.text()))
        if match and (module := _absolute(match)):
            yield Specifier(module=module, type=ImportType.DYNAMIC, line=first_line(node))


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


def _type_only_spans(tree: Tree) -> Iterator[_Span]:
    """Yield the blocks under `if TYPE_CHECKING:` and those under the `else` of `if not TYPE_CHECKING:`."""
    for node in around(tree, _TYPE_WORD):
        condition = node.field("condition") if node.kind() in _CONDITIONALS else None
        match = _CONDITION.fullmatch(condition.text()) if condition else None
        if match:
            yield from map(_span, _else_clauses(node) if match[1] else node.field_children("consequence"))


def _else_clauses(node: SgNode) -> list[SgNode]:
    return [clause for clause in node.field_children("alternative") if clause.kind() == "else_clause"]


def _span(node: SgNode) -> _Span:
    span = node.range()
    return _Span(span.start.index, span.end.index)


def _inside(node: SgNode, spans: list[_Span]) -> bool:
    start = node.range().start.index
    return any(span.start <= start < span.end for span in spans)


def _name(node: SgNode) -> str:
    name = node.field("name")
    return name.text() if name else ""


def _undecorated(node: SgNode, kind: str) -> SgNode | None:
    return node.field("definition") if kind == "decorated_definition" else node


def _last_code_line(node: SgNode, tree: Tree) -> int:
    """Return the last line of a definition without the comments that the grammar counts in after it."""
    end = node.range().end
    if not _ends_with_comment(tree.text, end.index):
        return last_line(node)
    lines = tree.text.split("\n")
    comments = {first_line(comment) for comment in node.find_all(kind="comment")}
    start, last = first_line(node), last_line(node)
    while last > start and not _is_code(lines[last - 1], commented=last in comments):
        last -= 1
    return last


def _ends_with_comment(text: str, end: int) -> bool:
    """Tell whether the line of a definition's last character starts like a comment."""
    last = text.rfind("\n", 0, max(end - 1, 0)) + 1
    return text[last:end].lstrip().startswith("#")


def _is_code(line: str, *, commented: bool) -> bool:
    text = line.strip()
    return bool(text) and not (commented and text.startswith("#"))


READER = Reader(specifiers=specifiers, symbols=symbols, import_word=re.compile("import"))
