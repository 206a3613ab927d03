"""JavaScript and TypeScript: what they declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.tree import Tree, first_line, last_line
from tx_graph.domain.symbols import Symbol

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NAMED = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "interface_declaration": "interface",
    "type_alias_declaration": "type",
    "enum_declaration": "enum",
}
_CLASSES = frozenset({"class_declaration", "abstract_class_declaration"})
_NAMESPACES = frozenset({"internal_module", "module"})
_VARIABLES = frozenset({"lexical_declaration", "variable_declaration"})
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "generator_function"})
_VALUES = _FUNCTION_VALUES | {"class"}
_WRAPPERS = frozenset({"as_expression", "satisfies_expression", "parenthesized_expression"})
_BLOCKS = frozenset(
    {
        "catch_clause",
        "else_clause",
        "expression_statement",
        "finally_clause",
        "if_statement",
        "statement_block",
        "try_statement",
    }
)
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_NAMES = frozenset({"identifier", "type_identifier", "property_identifier", "private_property_identifier"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the walk stands: the names around it, and the statement that a declaration there belongs to."""

    path: str
    scope: tuple[str, ...] = ()
    statement: SgNode | None = None
    exported: bool = False

    def inside(self, name: str) -> _Place:
        return _Place(path=self.path, scope=(*self.scope, name))

    def symbol(self, name: str, kind: str, first: SgNode, last: SgNode | None = None) -> Symbol:
        return Symbol(
            path=self.path,
            name="::".join((*self.scope, name)),
            kind=kind,
            line_start=first_line(first),
            line_end=last_line(last or first),
        )


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it.

    Only what can hold declarations is looked into: never the bodies of functions.
    """
    return _inside(tree.root, _Place(path=path))


def _inside(block: SgNode, place: _Place) -> Iterator[Symbol]:
    for node in block.children():
        yield from _declared(node, place)


def _declared(node: SgNode, place: _Place) -> Iterator[Symbol]:
    kind = node.kind()
    handle = _HANDLERS.get(kind)
    return handle(node, place) if handle else iter(())


def _export(node: SgNode, place: _Place) -> Iterator[Symbol]:
    declaration, value = node.field("declaration"), node.field("value")
    outer = replace(place, statement=node, exported=True)
    if declaration:
        yield from _declared(declaration, outer)
    elif value and value.kind() in _VALUES:
        yield from _value("default", value, outer)


def _ambient(node: SgNode, place: _Place) -> Iterator[Symbol]:
    augments_global = any(child.kind() == "global" for child in node.children())
    return _inside(node, place.inside("global") if augments_global else place)


def _named(node: SgNode, place: _Place) -> Iterator[Symbol]:
    if name := _name(node):
        yield place.symbol(name, _NAMED[node.kind()], place.statement or node)


def _class(node: SgNode, place: _Place) -> Iterator[Symbol]:
    return _class_named(_name(node) or "default", node, place)


def _class_named(name: str, node: SgNode, place: _Place) -> Iterator[Symbol]:
    yield place.symbol(name, "class", place.statement or node)
    if body := node.field("body"):
        yield from _members(body, place.inside(name))


def _members(body: SgNode, place: _Place) -> Iterator[Symbol]:
    """Yield the methods of a class, and its fields that hold functions; decorators count in."""
    decorator: SgNode | None = None
    for node in body.children():
        kind = node.kind()
        if kind == "decorator":
            decorator = decorator or node
            continue
        name = _name(node) if kind == "method_definition" or _is_function_field(node, kind) else None
        if name:
            yield place.symbol(name, "method", decorator or node, node)
        decorator = None


def _namespace(node: SgNode, place: _Place) -> Iterator[Symbol]:
    name, body = node.field("name"), node.field("body")
    if name is None:
        return
    quoted = name.kind() == "string"
    label = name.text()[1:-1] if quoted else name.text().replace(".", "::")
    if not quoted:
        yield place.symbol(label, "namespace", place.statement or node)
    if body:
        yield from _inside(body, place.inside(label))


def _variables(node: SgNode, place: _Place) -> Iterator[Symbol]:
    """Yield functions kept in variables, and exported variables of any kind."""
    declarators = [child for child in node.named_children() if child.kind() == "variable_declarator"]
    alone = len(declarators) == 1
    for declarator in declarators:
        if name := _name(declarator):
            whole = (place.statement or node) if alone else declarator
            yield from _variable(name, declarator, replace(place, statement=whole))


def _variable(name: str, declarator: SgNode, place: _Place) -> Iterator[Symbol]:
    value = _unwrapped(declarator.field("value"))
    if value and value.kind() in _VALUES:
        yield from _value(name, value, place)
    elif place.exported:
        yield place.symbol(name, "const", place.statement or declarator)


def _value(name: str, value: SgNode, place: _Place) -> Iterator[Symbol]:
    if value.kind() == "class":
        yield from _class_named(name, value, place)
    else:
        yield place.symbol(name, "function", place.statement or value)


def _is_function_field(node: SgNode, kind: str) -> bool:
    value = _unwrapped(node.field("value")) if kind in _FIELDS else None
    return value is not None and value.kind() in _FUNCTION_VALUES


def _unwrapped(value: SgNode | None) -> SgNode | None:
    """Return the expression inside parentheses and casts."""
    while value and value.kind() in _WRAPPERS:
        inner = value.named_children()
        value = inner[0] if inner else None
    return value


def _name(node: SgNode) -> str | None:
    """Return the plain name of a declaration; computed, quoted and destructured names are none."""
    name = node.field("name") or node.field("property")
    return name.text() if name and name.kind() in _NAMES else None


_HANDLERS: dict[str, Callable[[SgNode, _Place], Iterator[Symbol]]] = {
    "export_statement": _export,
    **dict.fromkeys(_NAMED, _named),
    **dict.fromkeys(_CLASSES, _class),
    **dict.fromkeys(_NAMESPACES, _namespace),
    **dict.fromkeys(_VARIABLES, _variables),
    **dict.fromkeys(_BLOCKS, _inside),
    "ambient_declaration": _ambient,
}
