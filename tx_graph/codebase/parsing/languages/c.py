"""C and C++: the functions, types and namespaces that their files define."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.languages.macros import is_cpp, without_class_macros, without_macros
from tx_graph.codebase.parsing.languages.preprocessor import NEVER_IN_C, one_reading
from tx_graph.codebase.parsing.masking import parse_masked
from tx_graph.codebase.parsing.outline import (
    NAMESPACE,
    Declaration,
    Form,
    Scope,
    callable_kind,
    child_of,
    each,
    outlined,
    type_form,
    within,
)
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_TYPES = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}
_PLAIN = frozenset({"identifier", "field_identifier", "type_identifier", "primitive_type"})
_GENERIC = frozenset({"template_function", "template_type", "template_method"})
_NAMES = _PLAIN | _GENERIC | {"qualified_identifier", "operator_name", "destructor_name", "operator_cast"}
_FUNCTIONS = frozenset({"function_declarator", "operator_cast"})
_NAME = re.compile(r"(?:[^\W\d]\w*::)*(?:~?[^\W\d]\w*|operator[^\w\s]+|operator [\w:&* ]+)")


_KEYWORDS = frozenset(
    "bool case char class default do double else enum float for if int long return short signed sizeof static struct"
    " switch typedef union unsigned void while".split()
)
"""What may stand where names stand in code that the grammar could not follow."""
_TEST_MACRO = re.compile(r"(?:[A-Z0-9]+_)*TEST(?:_[A-Z0-9]+)*")


def _declared_name(declarator: SgNode | None) -> tuple[str, bool]:
    """Return the name inside a declarator such as `*(*name(int))[3]`, and whether that is a function's."""
    is_function = False
    while declarator:
        kind = declarator.kind()
        is_function = is_function or kind in _FUNCTIONS
        if kind in _NAMES:
            return _plain_name(declarator), is_function or _is_conversion(declarator)
        declarator = declarator.field("declarator") or next(iter(declarator.named_children()), None)
    return "", False


def _plain_name(node: SgNode | None) -> str:
    """Return a name without template arguments and blanks, `Box::get` for `Box<T> :: get`; empty if it is none."""
    parts = []
    while node and node.kind() == "qualified_identifier":
        parts.append(_part(node.field("scope")))
        node = node.field("name")
    name = "::".join([*filter(None, parts), _part(node)])
    return name if _NAME.fullmatch(name) and name not in _KEYWORDS else ""


def _part(node: SgNode | None) -> str:
    """Return one part of a qualified name."""
    if not node:
        return ""
    kind = node.kind()
    if kind in _GENERIC:
        return _part(node.field("name"))
    text = node.text()
    if kind in {"operator_name", "operator_cast"}:
        symbol = " ".join(text.removeprefix("operator").split())
        if kind == "operator_cast":
            symbol = symbol.partition("(")[0]
        return f"operator {symbol.rstrip()}" if symbol[:1].isalpha() else f"operator{symbol.replace(' ', '')}"
    return text.replace(" ", "")


def _is_conversion(name: SgNode) -> bool:
    while name.kind() == "qualified_identifier":
        inner = name.field("name")
        if not inner:
            return False
        name = inner
    return name.kind() == "operator_cast"


def _function(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a function that has a body; with a qualified name it is a method outside its class."""
    body, declarator = node.field("body") or child_of(node, "try_statement"), node.field("declarator")
    name, is_function = _declared_name(declarator) if body else ("", False)
    kind = "method" if "::" in name else callable_kind(scope)
    macro = _macro(node, name, is_function=is_function)
    if macro:
        name, is_function, kind = _test_name(macro, declarator), True, "function"
    return (Declaration(name, kind, node, node, body),) if name and is_function else ()


def _macro(node: SgNode, name: str, *, is_function: bool) -> str:
    """Return the macro that a definition begins with; empty for a function. One argument alone looks like a name."""
    told = node.field("type")
    if is_function:
        return name if name.isupper() and not told else ""
    return told.text() if told and told.text().isupper() else ""


def _test_name(macro: str, declarator: SgNode | None) -> str:
    """Return `Suite::Case` for `TEST(Suite, Case)`; nothing for other macros that stand where a function would."""
    arguments = (declarator.field("parameters") or declarator) if declarator else None
    names = [child.text() for child in arguments.named_children()] if arguments else []
    is_test = names and all(map(str.isidentifier, names)) and _TEST_MACRO.fullmatch(macro)
    return "::".join(names) if is_test else ""


def _type_specifier(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare a struct, union, enum or class where it is defined; a mere mention has no body."""
    del scope
    return _defined(node, node, node)


def _holder(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the type that a variable or field is given the definition of."""
    del scope
    specifier = node.field("type")
    return _defined(specifier, node, specifier) if specifier and specifier.kind() in _TYPES else ()


def _typedef(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare the type a typedef defines and the names it gives; `typedef struct a {…} a` is one declaration."""
    del scope
    specifier = node.field("type")
    defined = [*_defined(specifier, node, node)] if specifier and specifier.kind() in _TYPES else []
    yield from defined
    body = specifier.field("body") if specifier and specifier.kind() in _TYPES else None
    for declarator in node.field_children("declarator"):
        name, _ = _declared_name(declarator)
        if name and all(name != one.name for one in defined):
            anonymous = body is not None and not defined and specifier is not None
            kind = _TYPES[specifier.kind()] if anonymous and specifier else "type"
            yield Declaration(name, kind, node, node, body)


def _defined(specifier: SgNode, first: SgNode, last: SgNode) -> Iterable[Declaration]:
    body = specifier.field("body")
    name = _plain_name(specifier.field("name")) if body else ""
    if not name or not body:
        return ()
    inside = body.children() if specifier.kind() != "enum_specifier" else ()
    return (Declaration(name, _TYPES[specifier.kind()], first, last, body, inside),)


def _template(node: SgNode, scope: Scope) -> Iterator[Declaration]:
    """Declare what a template declares; it begins with its parameters."""
    for child in node.named_children():
        form = _FORMS.get(child.kind())
        for found in form(child, scope) if form else ():
            yield found._replace(first=node, last=node)


def _namespace(node: SgNode) -> str:
    name = node.field("name")
    return "".join(name.text().split()) if name else ""


_FORMS: dict[str, Form] = {
    **each("function_definition", _function),
    **each("class_specifier struct_specifier union_specifier enum_specifier", _type_specifier),
    **each("declaration field_declaration", _holder),
    **each("type_definition", _typedef),
    **each("alias_declaration concept_definition", type_form("type")),
    **each("namespace_definition", type_form(NAMESPACE, _namespace)),
    **each("template_declaration", _template),
    **each("linkage_specification declaration_list friend_declaration ERROR", within),
}


def _read_c(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; a header with C++ in it is read as such."""
    reading = one_reading(text, NEVER_IN_C)
    if is_cpp(reading):
        return _read_cpp(text, language)
    return parse_masked(reading, without_macros(reading), "c")


def _read_cpp(text: str, language: str) -> Tree:
    """Return the tree of a file in one reading of its conditionals; signatures have its macros."""
    del language
    reading = one_reading(text)
    return parse_masked(reading, without_class_macros(without_macros(reading)), "cpp")


_symbols = outlined(_FORMS)
READER = Reader(symbols=_symbols, parse=_read_c)
CPP = Reader(symbols=_symbols, parse=_read_cpp)
