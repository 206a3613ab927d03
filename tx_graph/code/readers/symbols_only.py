"""Languages of which only symbols are read, each by its table of forms, and by what their grammars stumble over."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from tx_graph.code.outline import (
    PLACE,
    Declaration,
    Scope,
    callable_kind,
    child_of,
    each,
    field_name,
    function_form,
    outlined,
    type_form,
    within,
)
from tx_graph.code.readers.c import one_reading
from tx_graph.code.tree import Reader, Tree, blanked, parse_as, parse_masked, without

if TYPE_CHECKING:
    from ast_grep_py import SgNode


# --- C# -----------------------------------------------------------------------------------------------


def _csharp_destructor(node: SgNode) -> str:
    return f"~{field_name(node)}"


def _csharp_operator(node: SgNode) -> str:
    operator = node.field("operator")
    return f"operator{operator.text()}" if operator else ""


def _csharp_conversion(node: SgNode) -> str:
    """Return `implicit` or `explicit`: what the compiler calls such an operator, without the type it leads to."""
    way = child_of(node, "implicit", "explicit")
    return way.text() if way else ""


def _csharp_read(text: str, language: str) -> Tree:
    """Return the tree of a file without its directives, which may stand in the middle of a declaration."""
    del language
    return parse_as(one_reading(text), "csharp")


_CSHARP_FORMS = {
    **each("class_declaration", type_form("class")),
    **each("struct_declaration", type_form("struct")),
    **each("record_declaration record_struct_declaration", type_form("record")),
    **each("interface_declaration", type_form("interface")),
    **each("enum_declaration", type_form("enum")),
    **each("delegate_declaration", type_form("type")),
    **each("method_declaration constructor_declaration local_function_statement", function_form()),
    **each("destructor_declaration", function_form(_csharp_destructor)),
    **each("operator_declaration", function_form(_csharp_operator)),
    **each("conversion_operator_declaration", function_form(_csharp_conversion)),
    **each("namespace_declaration file_scoped_namespace_declaration declaration_list global_statement", within),
    **each("ERROR", within),
}

CSHARP = Reader(symbols=outlined(_CSHARP_FORMS), parse=_csharp_read)

# --- PHP ----------------------------------------------------------------------------------------------

_PHP_OPENING = r"<\?(?:php\b|=)"
_PHP_CODE = re.compile(_PHP_OPENING, re.IGNORECASE)
_PHP_MARKUP = re.compile(
    rf"""
    '(?:\\.|[^'\\])*' | "(?:\\.|[^"\\])*"
    | /\*.*?\*/ | (?://|\#(?!\[))(?:(?!\?>)[^\n])*
    | <<<\s*(?P<quote>["']?)(?P<end>\w+)(?P=quote)\r?\n.*?\n\s*(?P=end)\b
    | (?P<mask>\?>.*?(?:{_PHP_OPENING}|\Z))
    """,
    re.DOTALL | re.VERBOSE | re.IGNORECASE,
)
"""Markup between code, and everything in which `?>` would not end the code."""


def _php_read(text: str, language: str) -> Tree:
    """Return the tree of a file's code; the grammar knows nothing of markup around it."""
    del language
    first = _PHP_CODE.search(text)
    start = first.start() if first else len(text)
    code = without(_PHP_MARKUP, text[start:]) if "?>" in text else text[start:]
    return parse_masked(text, blanked(text[:start]) + code, "php")


_PHP_FORMS = {
    **each("class_declaration", type_form("class")),
    **each("interface_declaration", type_form("interface")),
    **each("trait_declaration", type_form("trait")),
    **each("enum_declaration", type_form("enum")),
    **each("function_definition method_declaration", function_form()),
    **each("namespace_definition declare_statement compound_statement", within),
    **each("return_statement object_creation_expression", within),
    **each("anonymous_class", type_form(PLACE)),
    **each("if_statement else_clause else_if_clause try_statement ERROR", within),
}

PHP = Reader(symbols=outlined(_PHP_FORMS), parse=_php_read)

# --- Ruby ---------------------------------------------------------------------------------------------

_RUBY_MAKERS = {"Struct": "class", "Class": "class", "Data": "class", "Module": "module"}
"""Constants whose `new` or `define` makes a class of what it is assigned to."""


def _ruby_constant(node: SgNode) -> str:
    return field_name(node).removeprefix("::")


def _ruby_singleton_method(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class's own method; `def Other.name` belongs to Other, unless that is the class around it."""
    holder, name = node.field("object"), field_name(node)
    owner = holder.text() if holder else "self"
    if owner != "self" and owner != scope.name.rpartition("::")[2]:
        name = f"{owner}::{name}"
    kind = "method" if owner != "self" else callable_kind(scope)
    return (Declaration(name, kind, node, node, node.field("body")),)


def _ruby_call(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Look into `private def name`, and into blocks, which hold definitions in many a DSL."""
    del scope
    arguments, block = node.field("arguments"), node.field("block")
    inside = [*(arguments.children() if arguments else ()), *([block] if block else ())]
    return (Declaration("", "", node, node, inside=inside),) if inside else ()


def _ruby_assignment(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the class that `Name = Struct.new(:field) do … end` makes; other blocks only lend the name."""
    del scope
    left, right = node.field("left"), node.field("right")
    if not left or not right or left.kind() != "constant" or right.kind() != "call":
        return ()
    block = right.field("block")
    inside = [block] if block else []
    return (Declaration(left.text(), _ruby_made(right) or PLACE, node, node, block, inside),)


def _ruby_made(call: SgNode) -> str:
    """Return the kind of what a call such as `Struct.new` makes."""
    receiver, method = call.field("receiver"), call.field("method")
    makes = method is not None and method.text() in {"new", "define"}
    return _RUBY_MAKERS.get(receiver.text(), "") if receiver and makes else ""


_RUBY_FORMS = {
    **each("class", type_form("class", _ruby_constant)),
    **each("module", type_form("module", _ruby_constant)),
    **each("method", function_form()),
    **each("singleton_method", _ruby_singleton_method),
    **each("call", _ruby_call),
    **each("assignment", _ruby_assignment),
    **each("singleton_class body_statement block block_body do_block program ERROR", within),
    **each("if unless if_modifier unless_modifier then else elsif begin rescue ensure", within),
}

RUBY = Reader(symbols=outlined(_RUBY_FORMS, tail=re.compile(r"(?:[\s;]+end|;)$")))

# --- Scala, 2 and 3 -----------------------------------------------------------------------------------


def _scala_value(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into an instance that is made in place: `val order = new Order[A] { … }`."""
    del scope
    name, value = node.field("pattern"), node.field("value")
    if value and value.kind() == "indented_block":
        value = child_of(value, "instance_expression")
    if not name or not value or name.kind() != "identifier" or value.kind() != "instance_expression":
        return ()
    body = child_of(value, "template_body")
    return (Declaration(name.text(), PLACE, node, node, body, body.children()),) if body else ()


_SCALA_FORMS = {
    **each("class_definition", type_form("class")),
    **each("object_definition package_object given_definition", type_form("object")),
    **each("trait_definition", type_form("trait")),
    **each("enum_definition", type_form("enum")),
    **each("type_definition", type_form("type")),
    **each("function_definition function_declaration", function_form()),
    **each("val_definition", _scala_value),
    **each("package_clause template_body extension_definition ERROR", within),
}

SCALA = Reader(symbols=outlined(_SCALA_FORMS, tail=re.compile(r"\s+with$")))

# --- Swift --------------------------------------------------------------------------------------------

_SWIFT_KINDS = {"class": "class", "struct": "struct", "enum": "enum", "actor": "class", "extension": PLACE}

_SWIFT_SPELLINGS = {
    "try? await ": "try?       ",
    "#_sourceLocation": "__sourceLocation",
    "#require(": "_require(",
    "#expect(": "_expect(",
}
"""What the grammar stumbles over, so that it loses the rest of the file, and what it reads in the same place."""


def _swift_read(text: str, language: str) -> Tree:
    del language
    spelled = text
    for unknown, known in _SWIFT_SPELLINGS.items():
        spelled = spelled.replace(unknown, known)
    return parse_masked(text, spelled, "swift")


def _swift_class(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a class, struct, enum or actor; an extension declares nothing, its members have the type's name."""
    keyword, name, body = node.field("declaration_kind"), node.field("name"), node.field("body")
    del scope
    if not keyword or not name:
        return ()
    kind = _SWIFT_KINDS.get(keyword.text(), "class")
    inside = body.children() if body else ()
    return (Declaration(_swift_plain(name.text()), kind, node, node, body, inside),)


def _swift_plain(type_name: str) -> str:
    """Return `Array::Index` for `Array<Int>.Index`."""
    return "::".join(part.partition("<")[0].strip("` ") for part in type_name.split("."))


def _swift_deinit(node: SgNode) -> str:
    del node
    return "deinit"


_SWIFT_FORMS = {
    **each("class_declaration", _swift_class),
    **each("protocol_declaration", type_form("interface")),
    **each("typealias_declaration", type_form("type")),
    **each("function_declaration protocol_function_declaration init_declaration", function_form()),
    **each("deinit_declaration", function_form(_swift_deinit)),
    **each("ERROR", within),
}

SWIFT = Reader(symbols=outlined(_SWIFT_FORMS), parse=_swift_read)
