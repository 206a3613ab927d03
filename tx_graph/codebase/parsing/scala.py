"""Scala, 2 and 3: what its files declare."""

from __future__ import annotations

from tx_graph.codebase.parsing.outline import each, function_form, outlined, type_form, within
from tx_graph.codebase.parsing.reader import Reader

FORMS = {
    **each("class_definition", type_form("class")),
    **each("object_definition package_object given_definition", type_form("object")),
    **each("trait_definition", type_form("trait")),
    **each("enum_definition", type_form("enum")),
    **each("type_definition", type_form("type")),
    **each("function_definition function_declaration", function_form()),
    **each("package_clause template_body extension_definition ERROR", within),
}

READER = Reader(symbols=outlined(FORMS))
