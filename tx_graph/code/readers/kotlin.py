"""Kotlin: what its files declare."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.code.outline import (
    PLACE,
    Declaration,
    Form,
    NameOf,
    Scope,
    callable_kind,
    child_of,
    each,
    outlined,
    within,
)
from tx_graph.code.tree import Reader, Tree, parse_masked, without

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DECLARED = (
    r"(?:class|object|interface|fun|val|var|annotation|enum|sealed|data|value|open|abstract|inline|suspend|typealias)"
)
_UNKNOWN_WORDS = ("expect", "external", "actual", "fun interface")
_UNKNOWN = re.compile(
    rf"\b(?:expect|external)(?=[ \t]+{_DECLARED}\b)"
    r"|\b(?:actual|expect)(?=[ \t]+(?:companion|constructor|val|var)\b)"
    r"|\bfun(?=[ \t]+interface\b)"
)
"""Keywords that the grammar does not know in these places; without them it reads the declaration well."""
_HEAD_COMMENT = re.compile(r"\bclass[ \t]+\w+[^\n{(=/]*(?P<mask>(?:\s*//[^\n]*)+)(?=\s*[^\n{}()]*\bconstructor\b)")
"""Comments between the name of a class and its constructor, where the grammar takes the class for complete."""
_KEYWORDS = {"interface": "interface", "enum": "enum", "class": "class"}


def read(text: str, language: str) -> Tree:
    """Return the tree of a file."""
    del language
    plain = without(_HEAD_COMMENT, text) if "constructor" in text else text
    known = without(_UNKNOWN, plain) if any(word in plain for word in _UNKNOWN_WORDS) else plain
    return parse_masked(plain, known, "kotlin")


def _type(kind: str | NameOf, unnamed: str = "") -> Form:
    def form(node: SgNode, scope: Scope) -> Iterable[Declaration]:
        del scope
        children = {child.kind(): child for child in reversed(node.children())}
        name = children.get("type_identifier")
        body = children.get("class_body") or children.get("enum_class_body")
        inside = body.children() if body else ()
        told = kind if isinstance(kind, str) else kind(node)
        return (Declaration(name.text().strip("`") if name else unnamed, told, node, node, body, inside),)

    return form


def _class_kind(node: SgNode) -> str:
    return next((_KEYWORDS[kind] for child in node.children() if (kind := child.kind()) in _KEYWORDS), "class")


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    name, body = child_of(node, "simple_identifier"), child_of(node, "function_body")
    if not name:
        return ()
    return (Declaration(name.text().strip("`"), callable_kind(scope), node, node, body),)


def _constructor(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a secondary constructor; the first is the head of the class."""
    del scope
    return (Declaration("constructor", "method", node, node, child_of(node, "statements", "{")),)


def _object(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare an object that the grammar takes for an expression, `object` applied to a name and a lambda."""
    del scope
    literal, *applied = node.children()
    if literal.kind() != "object_literal" or literal.text() != "object":
        return ()
    match applied:
        case [name, body, *more]:
            inside = [inner for child in (body, *more) for inner in _statements(child)]
            return (Declaration(name.text(), "object", node, node, body, inside),)
    return ()


def _property(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an object that is made in place: `val sink = object : Sink { … }`."""
    del scope
    value = child_of(node, "object_literal")
    name = child_of(node, "variable_declaration") if value else None
    body = child_of(value, "class_body") if value else None
    plain = child_of(name, "simple_identifier") if name else None
    return (Declaration(plain.text(), PLACE, node, node, body, body.children()),) if plain and body else ()


def _statements(node: SgNode) -> list[SgNode]:
    found = child_of(node, "statements")
    return found.children() if found else []


FORMS = {
    **each("class_declaration", _type(_class_kind)),
    **each("object_declaration", _type("object")),
    **each("companion_object", _type("object", unnamed="Companion")),
    **each("type_alias", _type("type")),
    **each("function_declaration", _function),
    **each("secondary_constructor", _constructor),
    **each("property_declaration", _property),
    **each("infix_expression", _object),
    **each("ERROR", within),
}

READER = Reader(symbols=outlined(FORMS), parse=read)
