"""Lua: what a file requires and declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tx_graph.code.imports import Specifier
from tx_graph.code.tree import PLACE, Declaration, Reader, Scope, Tree, child_of, each, outlined, within

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_REQUIRE_OR_NOT = re.compile(
    r"""
    (?<![\w.:]) require \s*+ [(,]? \s*+
      (?: (?P<quote>["'])(?P<quoted>[\w./-]++)(?P=quote) | \[\[(?P<long>[\w./-]++)\]\] ) (?! \s*+ \.\. )
    | --\[(?P<remark>=*+)\[ .*? (?:\](?P=remark)\]|\Z) | --[^\n]*+
    | \[(?P<level>=*+)\[ .*? (?:\](?P=level)\]|\Z)
    | "(?:[^"\\\n]|\\.)*+"? | '(?:[^'\\\n]|\\.)*+'?
    """,
    re.VERBOSE | re.DOTALL,
)
"""A module that is required by its name, also as `pcall(require, "a.b")`, or what is no code."""


def _specifiers(tree: Tree) -> Iterator[Specifier]:
    line, position = 1, 0
    for found in _REQUIRE_OR_NOT.finditer(tree.text):
        if module := found["quoted"] or found["long"]:
            line, position = line + tree.text.count("\n", position, found.start()), found.start()
            yield Specifier(module=module, line=line)


_PLAIN = re.compile(r"\w+(?:[.:]\w+)*")
_QUOTED = re.compile(r"""\[\s*(["'])(\w+)\1\s*\]""")


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    name = node.field("name")
    kind = "method" if name and name.kind() == "method_index_expression" else "function"
    return (Declaration(_qualified(name), kind, node, node, node.field("body")),)


def _assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what is assigned to a name or a field where that is a function; a table is looked into."""
    targets, values = child_of(node, "variable_list"), child_of(node, "expression_list")
    names = targets.named_children() if targets else [node.field("name")]
    assigned = values.named_children() if values else [node.field("value")]
    for name, value in zip(names, assigned, strict=False):
        kind, qualified = value.kind() if value else "", _qualified(name)
        if value and qualified and kind == "function_definition":
            yield Declaration(qualified, "function", node, node, value.field("body"))
        elif value and qualified and kind == "table_constructor":
            yield Declaration(qualified, PLACE, node, node, inside=value.children())


def _qualified(name: SgNode | None) -> str:
    """Return `M::f` for `M.f`, `M:f` and `M["f"]`; computed names are none."""
    text = _QUOTED.sub(r".\2", name.text()).strip("\"'") if name else ""
    return text.replace(":", ".").replace(".", "::") if _PLAIN.fullmatch(text) else ""


_FORMS = {
    **each("function_declaration", _function),
    **each("assignment_statement field", _assignment),
    **each("variable_declaration block do_statement ERROR", within),
    **each("if_statement elseif_statement else_statement return_statement expression_list table_constructor", within),
}

READER = Reader(
    specifiers=_specifiers,
    symbols=outlined(_FORMS, tail=re.compile(r"\s+end$")),
    import_word=re.compile("require"),
)
