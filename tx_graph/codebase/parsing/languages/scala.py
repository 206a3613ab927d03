"""Scala, 2 and 3: what its files declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.outline import (
    PLACE,
    Declaration,
    Scope,
    child_of,
    each,
    function_form,
    outlined,
    type_form,
    within,
)
from tx_graph.codebase.parsing.reader import Reader

if TYPE_CHECKING:
    from ast_grep_py import SgNode


def _value(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an instance that is made in place: `val order = new Order[A] { … }`."""
    del scope
    name, value = node.field("pattern"), node.field("value")
    if value and value.kind() == "indented_block":
        value = child_of(value, "instance_expression")
    if not name or not value or name.kind() != "identifier" or value.kind() != "instance_expression":
        return ()
    body = child_of(value, "template_body")
    return (Declaration(name.text(), PLACE, node, node, body, body.children()),) if body else ()


FORMS = {
    **each("class_definition", type_form("class")),
    **each("object_definition package_object given_definition", type_form("object")),
    **each("trait_definition", type_form("trait")),
    **each("enum_definition", type_form("enum")),
    **each("type_definition", type_form("type")),
    **each("function_definition function_declaration", function_form()),
    **each("val_definition", _value),
    **each("package_clause template_body extension_definition ERROR", within),
}

READER = Reader(symbols=outlined(FORMS, tail=re.compile(r"\s+with$")))
