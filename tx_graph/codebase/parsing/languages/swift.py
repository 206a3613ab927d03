"""Swift: what its files declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.outline import (
    PLACE,
    Declaration,
    Scope,
    each,
    function_form,
    outlined,
    type_form,
    within,
)
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KINDS = {"class": "class", "struct": "struct", "enum": "enum", "actor": "class", "extension": PLACE}

_SPELLINGS = {
    "try? await ": "try?       ",
    "#_sourceLocation": "__sourceLocation",
    "#require(": "_require(",
    "#expect(": "_expect(",
}
"""What the grammar stumbles over, so that it loses the rest of the file, and what it reads in the same place."""


def read(text: str, language: str) -> Tree:
    """Return the tree of a file."""
    del language
    spelled = text
    for unknown, known in _SPELLINGS.items():
        spelled = spelled.replace(unknown, known)
    return parse_masked(text, spelled, "swift")


def _class(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class, struct, enum or actor; an extension declares nothing, its members have the type's name."""
    keyword, name, body = node.field("declaration_kind"), node.field("name"), node.field("body")
    del scope
    if not keyword or not name:
        return ()
    kind = _KINDS.get(keyword.text(), "class")
    inside = body.children() if body else ()
    return (Declaration(_plain(name.text()), kind, node, node, body, inside),)


def _plain(type_name: str) -> str:
    """Return `Array::Index` for `Array<Int>.Index`."""
    return "::".join(part.partition("<")[0].strip("` ") for part in type_name.split("."))


def _deinit(node: SgNode) -> str:
    del node
    return "deinit"


FORMS = {
    **each("class_declaration", _class),
    **each("protocol_declaration", type_form("interface")),
    **each("typealias_declaration", type_form("type")),
    **each("function_declaration protocol_function_declaration init_declaration", function_form()),
    **each("deinit_declaration", function_form(_deinit)),
    **each("ERROR", within),
}

READER = Reader(symbols=outlined(FORMS), parse=read)
