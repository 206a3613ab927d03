"""Lua: the functions that its files name, by statement, by assignment or as fields of a table that has a name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tx_graph.code.outline import PLACE, Declaration, Scope, child_of, each, outlined, within
from tx_graph.code.tree import Reader

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_PLAIN = re.compile(r"\w+(?:[.:]\w+)*")
_QUOTED = re.compile(r"""\[\s*(["'])(\w+)\1\s*\]""")


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    name = node.field("name")
    kind = "method" if name and name.kind() == "method_index_expression" else "function"
    del scope
    return (Declaration(_qualified(name), kind, node, node, node.field("body")),) if name else ()


def _assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what is assigned to a name where that is a function; a table is looked into."""
    del scope
    targets, values = child_of(node, "variable_list"), child_of(node, "expression_list")
    if targets and values:
        for name, value in zip(targets.named_children(), values.named_children(), strict=False):
            yield from _valued(name, value, node)


def _field(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    del scope
    name, value = node.field("name"), node.field("value")
    return _valued(name, value, node) if name and value else ()


def _valued(name: SgNode, value: SgNode, whole: SgNode) -> Iterator[Declaration]:
    kind, qualified = value.kind(), _qualified(name)
    if qualified and kind == "function_definition":
        yield Declaration(qualified, "function", whole, whole, value.field("body"))
    elif qualified and kind == "table_constructor":
        yield Declaration(qualified, PLACE, whole, whole, inside=value.children())


def _qualified(name: SgNode) -> str:
    """Return `M::f` for `M.f`, `M:f` and `M["f"]`; computed names are none."""
    text = _QUOTED.sub(r".\2", name.text()).strip("\"'")
    return text.replace(":", ".").replace(".", "::") if _PLAIN.fullmatch(text) else ""


FORMS = {
    **each("function_declaration", _function),
    **each("assignment_statement", _assignment),
    **each("field", _field),
    **each("variable_declaration block do_statement ERROR", within),
    **each("if_statement elseif_statement else_statement", within),
    **each("return_statement expression_list table_constructor", within),
}

READER = Reader(symbols=outlined(FORMS, tail=re.compile(r"\s+end$")))
