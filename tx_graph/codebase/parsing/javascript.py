"""JavaScript and TypeScript: what they import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing import declarations
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, first_line, outermost
from tx_graph.domain.imports import ImportType, Specifier

if TYPE_CHECKING:
    from ast_grep_py import Rule, SgNode

_IMPORT_WORD = re.compile(r"import|require|export")

_IMPORT_CALL = re.compile(r"import\s*\(")

_STATEMENTS: list[Rule] = [
    {"kind": "import_statement"},
    {"kind": "export_statement", "has": {"field": "source", "kind": "string"}},
]
_CALLS: list[Rule] = [
    {"kind": "call_expression", "has": {"field": "function", "regex": r"^(?:import|require)$"}},
]

_STATEMENT_KINDS = frozenset({"import_statement", "export_statement"})
_KEYWORDS = [re.compile(rf"{word}(?![0-9A-Za-z_$])") for word in ("import", "export")]

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_QUOTED = re.compile(r"""(["'])(.*)\1""", re.DOTALL)
_CALL = re.compile(
    r"""(?P<callee>import|require)\s*(?:<[^(]*>)?\(\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*"""
    r"""(?P<quote>["'`])(?P<module>[^"'`\n]*)(?P=quote)\s*(?:(?://[^\n]*\n|/\*.*?\*/)\s*)*[,)]""",
    re.DOTALL,
)
_TYPE_STATEMENT = re.compile(r"import\s+type\b(?!\s*(?:,|from\b\s*$|=))")
_ONLY_NAMES = re.compile(r"import\s*\{(.*)\}\s*from\s*", re.DOTALL)
_TYPE_NAME = re.compile(r"type\s+(?!as\s)\S|type\s+as\s+as\s")

_TYPE_POSITIONS = frozenset(
    {
        "type_annotation",
        "type_query",
        "type_alias_declaration",
        "type_arguments",
        "type_parameters",
        "interface_declaration",
        "asserts_annotation",
        "type_predicate_annotation",
        "implements_clause",
        "extends_type_clause",
        "constraint",
    }
)
_TYPE_AFTER = {"as_expression": "as", "satisfies_expression": "satisfies", "binary_expression": "<"}
"""Expressions whose right side is a type. The grammar takes `f<import('x').A>()` for comparisons."""


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order."""
    for node in _nodes(tree):
        found = _from_call(node) if node.kind() == "call_expression" else _from_statement(node)
        if found:
            module, kind = found
            yield Specifier(module=module, type=kind, line=first_line(node))


def _nodes(tree: Tree) -> list[SgNode]:
    """Return the statements and calls that may import, in source order."""
    if "require" in tree.text or _IMPORT_CALL.search(tree.text):
        return tree.root.find_all({"rule": {"any": [*_STATEMENTS, *_CALLS]}})
    found = outermost(tree, _STATEMENT_KINDS, *_KEYWORDS)
    if found is None:
        return tree.root.find_all({"rule": {"any": _STATEMENTS}})
    return [node for node in found if node.kind() == "import_statement" or node.field("source")]


def _from_statement(node: SgNode) -> tuple[str, ImportType] | None:
    source = node.field("source") or node.find(kind="import_require_clause") or node.find(kind="string")
    if source and source.kind() == "import_require_clause":
        source = source.field("source") or source.find(kind="string")
    quoted = _QUOTED.fullmatch(source.text()) if source else None
    if source is None or quoted is None:
        return None
    if node.kind() == "export_statement":
        return quoted[2], ImportType.RE_EXPORT
    text = node.text()
    if "type" not in text:
        return quoted[2], ImportType.STATIC
    head = text[: source.range().start.index - node.range().start.index]
    return quoted[2], ImportType.TYPE_ONLY if _names_types_only(head) else ImportType.STATIC


def _names_types_only(head: str) -> bool:
    """Tell whether an import statement (the part before its quotes) names nothing but types."""
    text = _COMMENT.sub(" ", head) if "/" in head else head
    if _TYPE_STATEMENT.match(text):
        return True
    names = _ONLY_NAMES.fullmatch(text)
    listed = [name.strip() for name in names[1].split(",")] if names else []
    return any(listed) and all(_TYPE_NAME.match(name) for name in listed if name)


def _from_call(node: SgNode) -> tuple[str, ImportType] | None:
    match = _CALL.match(node.text())
    if match is None or "${" in match["module"]:
        return None
    if match["callee"] == "require":
        return match["module"], ImportType.STATIC
    return match["module"], ImportType.TYPE_ONLY if _in_type_position(node) else ImportType.DYNAMIC


def _in_type_position(node: SgNode) -> bool:
    """Tell whether an `import()` stands where a type is expected: `import('x').A`, `typeof import('x')`."""
    below = node
    for above in node.ancestors():
        kind = above.kind()
        if kind in _TYPE_POSITIONS or (kind in _TYPE_AFTER and _follows(below, _TYPE_AFTER[kind])):
            return True
        if kind == "unary_expression" and above.text().startswith("typeof"):
            return True  # asking an import() for its run-time type would make no sense
        if kind in ("statement_block", "arguments"):
            return False
        below = above
    return False


def _follows(node: SgNode, token: str) -> bool:
    before = node.prev()
    return before is not None and before.text() == token


READER = Reader(specifiers=specifiers, symbols=declarations.symbols, import_word=_IMPORT_WORD)
