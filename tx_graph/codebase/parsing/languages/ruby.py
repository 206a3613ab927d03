"""Ruby: what its files declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.outline import (
    PLACE,
    Declaration,
    Scope,
    callable_kind,
    each,
    field_name,
    function_form,
    outlined,
    type_form,
    within,
)
from tx_graph.codebase.parsing.reader import Reader

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MAKERS = {"Struct": "class", "Class": "class", "Data": "class", "Module": "module"}
"""Constants whose `new` or `define` makes a class of what it is assigned to."""


def _constant(node: SgNode) -> str:
    return field_name(node).removeprefix("::")


def _singleton_method(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class's own method; `def Other.name` belongs to Other, unless that is the class around it."""
    holder, name = node.field("object"), field_name(node)
    owner = holder.text() if holder else "self"
    if owner != "self" and owner != scope.name.rpartition("::")[2]:
        name = f"{owner}::{name}"
    kind = "method" if owner != "self" else callable_kind(scope)
    return (Declaration(name, kind, node, node, node.field("body")),)


def _call(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Look into `private def name`, and into blocks, which hold definitions in many a DSL."""
    del scope
    arguments, block = node.field("arguments"), node.field("block")
    inside = [*(arguments.children() if arguments else ()), *([block] if block else ())]
    return (Declaration("", "", node, node, inside=inside),) if inside else ()


def _assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the class that `Name = Struct.new(:field) do … end` makes; other blocks only lend the name."""
    del scope
    left, right = node.field("left"), node.field("right")
    if not left or not right or left.kind() != "constant" or right.kind() != "call":
        return ()
    block = right.field("block")
    inside = [block] if block else []
    return (Declaration(left.text(), _made(right) or PLACE, node, node, block, inside),)


def _made(call: SgNode) -> str:
    """Return the kind of what a call such as `Struct.new` makes."""
    receiver, method = call.field("receiver"), call.field("method")
    makes = method is not None and method.text() in {"new", "define"}
    return _MAKERS.get(receiver.text(), "") if receiver and makes else ""


FORMS = {
    **each("class", type_form("class", _constant)),
    **each("module", type_form("module", _constant)),
    **each("method", function_form()),
    **each("singleton_method", _singleton_method),
    **each("call", _call),
    **each("assignment", _assignment),
    **each("singleton_class body_statement block block_body do_block program ERROR", within),
    **each("if unless if_modifier unless_modifier then else elsif begin rescue ensure", within),
}

READER = Reader(symbols=outlined(FORMS, tail=re.compile(r"(?:[\s;]+end|;)$")))
