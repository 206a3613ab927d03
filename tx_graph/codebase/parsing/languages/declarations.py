"""JavaScript and TypeScript: what they declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.codebase.parsing.tree import Tree, extent, first_line, last_line, signature
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
        "ERROR",
        "catch_clause",
        "else_clause",
        "expression_statement",
        "finally_clause",
        "if_statement",
        "program",
        "statement_block",
        "try_statement",
    }
)
_SHOWN = frozenset({"const", "type"})
"""Kinds whose values belong to their signatures if they fit into one line."""
_FIELDS = frozenset({"public_field_definition", "field_definition"})
_NAMES = frozenset({"identifier", "type_identifier", "property_identifier", "private_property_identifier"})


class _Place(NamedTuple):
    """Where a declaration stands: the names around it, each with `::` after it, and the statement it belongs to."""

    scope: str = ""
    statement: SgNode | None = None
    exported: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """A walk over the declarations of a file; what may hold more of them waits, the next one last."""

    path: str
    tree: Tree
    waiting: list[tuple[SgNode, _Place]] = field(default_factory=list)

    def look_into(self, block: SgNode, place: _Place) -> None:
        self.waiting.extend((child, place) for child in reversed(block.children()))

    def symbol(
        self, name: str, kind: str, node: SgNode, body: SgNode | None, *, decorator: SgNode | None = None
    ) -> Symbol:
        """Return the symbol for a node; its `decorator` may stand before it. A signature has a short body in it."""
        shown = _long(body) if kind in _SHOWN else body
        head = signature(self.tree, _undecorated(node, self.tree), shown)
        return Symbol(
            path=self.path,
            name=name,
            kind=kind,
            line_start=first_line(decorator or node),
            line_end=last_line(node),
            signature=head.rstrip("; "),
            extent=extent(decorator or node, node, body),
        )


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it.

    Only what can hold declarations is looked into: never the bodies of functions.
    """
    walk = _Walk(path=path, tree=tree, waiting=[(tree.root, _Place())])
    while walk.waiting:
        node, place = walk.waiting.pop()
        if handle := _HANDLERS.get(node.kind()):
            yield from handle(walk, node, place)


def _block(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    walk.look_into(node, place)
    return iter(())


def _export(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    outer = _Place(place.scope, node, exported=True)
    if declaration := node.field("declaration"):
        walk.waiting.append((declaration, outer))
    elif (value := node.field("value")) and value.kind() in _VALUES:
        yield from _value(walk, "default", value, (node, outer))


def _ambient(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    augments_global = any(child.kind() == "global" for child in node.children())
    outer = _Place(f"{place.scope}global::") if augments_global else place._replace(statement=place.statement or node)
    walk.look_into(node, outer)
    return iter(())


def _named(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    if name := _name(node):
        body = node.field("body") or node.field("value")
        outer = place.statement or node
        yield walk.symbol(place.scope + name, _NAMED[node.kind()], outer, body)


def _class(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    return _class_named(walk, _name(node) or "default", node, (place.statement or node, place))


def _class_named(walk: _Walk, name: str, node: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    body = node.field("body")
    yield walk.symbol(place.scope + name, "class", whole, body)
    if body:
        yield from _members(walk, body, f"{place.scope}{name}::")


def _members(walk: _Walk, body: SgNode, scope: str) -> Iterator[Symbol]:
    """Yield the methods of a class, and its fields that hold functions; decorators count in."""
    decorator: SgNode | None = None
    for node in body.children():
        kind = node.kind()
        if kind == "decorator":
            decorator = decorator or node
            continue
        method = node if kind == "method_definition" else _function_of(node) if kind in _FIELDS else None
        if method and (name := _name(node)):
            yield walk.symbol(scope + name, "method", node, method.field("body"), decorator=decorator)
        decorator = None


def _namespace(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    name, body = node.field("name"), node.field("body")
    if name is None:
        return
    quoted = name.kind() == "string"
    label = name.text()[1:-1] if quoted else name.text().replace(".", "::")
    if not quoted:
        outer = place.statement or node
        yield walk.symbol(place.scope + label, "namespace", outer, body)
    if body:
        walk.look_into(body, _Place(f"{place.scope}{label}::"))


def _variables(walk: _Walk, node: SgNode, place: _Place) -> Iterator[Symbol]:
    """Yield functions kept in variables, and exported variables of any kind."""
    declarators = [child for child in node.children() if child.kind() == "variable_declarator"]
    alone = len(declarators) == 1
    for declarator in declarators:
        if name := _name(declarator):
            whole = (place.statement or node) if alone else declarator
            yield from _variable(walk, name, declarator, (whole, place))


def _variable(walk: _Walk, name: str, declarator: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    written = declarator.field("value")
    value = _unwrapped(written)
    if value and value.kind() in _VALUES:
        yield from _value(walk, name, value, where)
    elif place.exported:
        yield walk.symbol(place.scope + name, "const", whole, written)


def _value(walk: _Walk, name: str, value: SgNode, where: tuple[SgNode, _Place]) -> Iterator[Symbol]:
    whole, place = where
    if value.kind() == "class":
        yield from _class_named(walk, name, value, where)
    else:
        yield walk.symbol(place.scope + name, "function", whole, value.field("body"))


def _function_of(node: SgNode) -> SgNode | None:
    """Return the function that a field of a class holds."""
    value = _unwrapped(node.field("value"))
    return value if value and value.kind() in _FUNCTION_VALUES else None


def _unwrapped(value: SgNode | None) -> SgNode | None:
    """Return the expression inside parentheses and casts."""
    while value and value.kind() in _WRAPPERS:
        inner = value.named_children()
        value = inner[0] if inner else None
    return value


def _long(value: SgNode | None) -> SgNode | None:
    """Return a value that takes several lines: a signature goes without it."""
    span = value.range() if value else None
    return value if span and span.start.line != span.end.line else None


def _undecorated(node: SgNode, tree: Tree) -> SgNode:
    """Return where a declaration starts after its decorators."""
    if not tree.text.startswith("@", node.range().start.index):
        return node
    rest = (child for child in node.children() if child.kind() not in ("decorator", "comment"))
    return next(rest, node)


def _name(node: SgNode) -> str | None:
    """Return the plain name of a declaration; computed, quoted and destructured names are none."""
    name = node.field("name") or node.field("property")
    return name.text() if name and name.kind() in _NAMES else None


_HANDLERS: dict[str, Callable[[_Walk, SgNode, _Place], Iterator[Symbol]]] = {
    "export_statement": _export,
    **dict.fromkeys(_NAMED, _named),
    **dict.fromkeys(_CLASSES, _class),
    **dict.fromkeys(_NAMESPACES, _namespace),
    **dict.fromkeys(_VARIABLES, _variables),
    **dict.fromkeys(_BLOCKS, _block),
    "ambient_declaration": _ambient,
}
