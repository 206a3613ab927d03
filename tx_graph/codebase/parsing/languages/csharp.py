"""C#: what its files declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.languages.preprocessor import one_reading
from tx_graph.codebase.parsing.outline import child_of, each, field_name, function_form, outlined, type_form, within
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, parse_as

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def _destructor(node: SgNode) -> str:
    return f"~{field_name(node)}"


def _operator(node: SgNode) -> str:
    operator = node.field("operator")
    return f"operator{operator.text()}" if operator else ""


def _conversion(node: SgNode) -> str:
    """Return `implicit` or `explicit`: what the compiler calls such an operator, without the type it leads to."""
    way = child_of(node, "implicit", "explicit")
    return way.text() if way else ""


def read(text: str, language: str) -> Tree:
    """Return the tree of a file without its directives, which may stand in the middle of a declaration."""
    del language
    return parse_as(one_reading(text), "csharp")


FORMS = {
    **each("class_declaration", type_form("class")),
    **each("struct_declaration", type_form("struct")),
    **each("record_declaration record_struct_declaration", type_form("record")),
    **each("interface_declaration", type_form("interface")),
    **each("enum_declaration", type_form("enum")),
    **each("delegate_declaration", type_form("type")),
    **each("method_declaration constructor_declaration local_function_statement", function_form()),
    **each("destructor_declaration", function_form(_destructor)),
    **each("operator_declaration", function_form(_operator)),
    **each("conversion_operator_declaration", function_form(_conversion)),
    **each("namespace_declaration file_scoped_namespace_declaration declaration_list global_statement", within),
    **each("ERROR", within),
}

READER = Reader(symbols=outlined(FORMS), parse=read)
