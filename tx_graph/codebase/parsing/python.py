"""Python: its imports and its definitions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, first_line, last_line, outermost
from tx_graph.domain.imports import ImportType, Specifier
from tx_graph.domain.symbols import Symbol

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode


_STATEMENTS: Rule = {"any": [{"kind": "import_statement"}, {"kind": "import_from_statement"}]}
_FUTURE = "future_import_statement"
_KEYWORD_KINDS = frozenset({"import_statement", "import_from_statement", _FUTURE})
_KEYWORD = re.compile("import(?![0-9A-Za-z_])")
_CALLS: Rule = {
    "kind": "call",
    "has": {"field": "function", "regex": r"^(?:__import__|(?:[\w.]+\.)?import_module)$"},
}
_TYPE_CHECKS: Rule = {
    "any": [{"kind": "if_statement"}, {"kind": "elif_clause"}],
    "has": {"field": "condition", "regex": "TYPE_CHECKING"},
}
_DEFINITIONS: Rule = {
    "any": [{"kind": "function_definition"}, {"kind": "class_definition"}],
    "not": {"inside": {"kind": "function_definition", "stopBy": "end"}},
}

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
    for node in _statements(tree):
        kind = ImportType.TYPE_ONLY if typed and _inside(node, typed) else ImportType.STATIC
        line = first_line(node)
        for module, name in _names(node.text()):
            yield Specifier(module=module, name=name, type=kind, line=line)
    if "import_module" in tree.text or "__import__" in tree.text:
        yield from _dynamic(tree)


def _statements(tree: Tree) -> list[SgNode]:
    """Return the import statements in source order."""
    found = outermost(tree, _KEYWORD_KINDS, _KEYWORD)
    if found is None:
        return tree.root.find_all({"rule": _STATEMENTS})
    return [node for node in found if node.kind() != _FUTURE]


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the functions, classes and methods of a module, but nothing that a function defines inside."""
    lines = tree.text.split("\n")
    scopes: list[tuple[int, str]] = []
    for node in tree.root.find_all({"rule": _DEFINITIONS}):
        span = node.range()
        while scopes and scopes[-1][0] <= span.start.index:
            scopes.pop()
        name = "::".join([*(scope for _, scope in scopes), _name(node)])
        is_class = node.kind() == "class_definition"
        yield Symbol(
            path=path,
            name=name,
            kind="class" if is_class else "method" if scopes else "function",
            line_start=first_line(_with_decorators(node)),
            line_end=_last_code_line(node, lines),
        )
        if is_class:
            scopes.append((span.end.index, _name(node)))


def _names(statement: str) -> Iterator[tuple[str, str | None]]:
    """Yield the (module, name) pairs of an import statement; `name` is None for a plain `import module`."""
    text = _NOISE.sub(" ", statement)
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
    for node in tree.root.find_all({"rule": _CALLS}):
        match = _CALLED.fullmatch(_COMMENT.sub("", node.text()))
        module = _absolute(match) if match else None
        if module:
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
    if "TYPE_CHECKING" not in tree.text:
        return
    for node in tree.root.find_all({"rule": _TYPE_CHECKS}):
        condition = node.field("condition")
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


def _with_decorators(node: SgNode) -> SgNode:
    parent = node.parent()
    return parent if parent and parent.kind() == "decorated_definition" else node


def _last_code_line(node: SgNode, lines: list[str]) -> int:
    """Return the last line of a definition without the comments that the grammar counts in after it."""
    start, end = first_line(node), last_line(node)
    if not lines[end - 1].lstrip().startswith("#"):
        return end
    comments = {first_line(comment) for comment in node.find_all(kind="comment")}
    while end > start and not _is_code(lines[end - 1], commented=end in comments):
        end -= 1
    return end


def _is_code(line: str, *, commented: bool) -> bool:
    text = line.strip()
    return bool(text) and not (commented and text.startswith("#"))


READER = Reader(specifiers=specifiers, symbols=symbols, import_word=re.compile("import"))
