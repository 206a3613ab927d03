"""JavaScript and TypeScript: what they import."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.languages import declarations
from tx_graph.codebase.parsing.languages.grammar_gaps import imported_type, understood
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.search import around
from tx_graph.codebase.parsing.tree import Tree, first_line, parse_as
from tx_graph.domain.imports import ImportType, Specifier
from tx_graph.domain.languages import LANGUAGES

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_IMPORT_WORD = re.compile(r"import|require|export")

_WORDS = (
    re.compile(r"import(?![\w$]|\s*\.)"),
    re.compile(r"require(?=\s*[<(])"),
    re.compile(
        r"export(?!\s+(?:const|let|var|function|async|class|abstract|interface|enum|declare|namespace|default)\b|[\w$])"
    ),
)
"""The words that imports start with. An `export` before a declaration gives away what is here, not elsewhere."""
_CALLEES = frozenset({"import", "require"})
_NAMES = frozenset({"identifier", "type_identifier"})

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
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


def parse(text: str, language: str) -> Tree:
    """Return the tree of a source; what the grammar does not know is spelled otherwise for it."""
    grammar = LANGUAGES[language].grammar
    return replace(parse_as(understood(text, grammar), grammar), text=text)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports, in source order."""
    for node in around(tree, *_WORDS, leaves=("import_statement",)):
        if found := _imported(node, tree):
            module, kind = found
            yield Specifier(module=module, type=kind, line=first_line(node))


def _imported(node: SgNode, tree: Tree) -> tuple[str, ImportType] | None:
    """Return the module that a node imports, and how; None when it imports nothing itself."""
    kind = node.kind()
    if kind == "import_statement" or (kind == "export_statement" and node.field("source")):
        return _from_statement(node, kind)
    if kind == "call_expression":
        return _from_call(node)
    module = imported_type(tree.text, node.range().start.index) if kind in _NAMES else None
    return (module, ImportType.TYPE_ONLY) if module else None


def _from_statement(node: SgNode, kind: str) -> tuple[str, ImportType] | None:
    source = node.field("source") or node.find(kind="import_require_clause") or node.find(kind="string")
    if source and source.kind() == "import_require_clause":
        source = source.field("source") or source.find(kind="string")
    if source is None:
        return None
    module = source.text()[1:-1]
    if kind == "export_statement":
        return module, ImportType.RE_EXPORT
    text = node.text()
    if "type" not in text:
        return module, ImportType.STATIC
    head = text[: source.range().start.index - node.range().start.index]
    return module, ImportType.TYPE_ONLY if _names_types_only(head) else ImportType.STATIC


def _names_types_only(head: str) -> bool:
    """Tell whether an import statement (the part before its quotes) names nothing but types."""
    text = _COMMENT.sub(" ", head) if "/" in head else head
    if _TYPE_STATEMENT.match(text):
        return True
    names = _ONLY_NAMES.fullmatch(text)
    listed = [name.strip() for name in names[1].split(",")] if names else []
    return any(listed) and all(_TYPE_NAME.match(name) for name in listed if name)


def _from_call(node: SgNode) -> tuple[str, ImportType] | None:
    callee = node.field("function")
    match = _CALL.match(node.text()) if callee and callee.text() in _CALLEES else None
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


READER = Reader(specifiers=specifiers, symbols=declarations.symbols, import_word=_IMPORT_WORD, parse=parse)
