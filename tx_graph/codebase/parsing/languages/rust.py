"""Rust: its imports, its declarations, and the modules that its files make up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.codebase.parsing.languages.rust_items import MODULE, Item, inside, items, label, members
from tx_graph.codebase.parsing.languages.rust_uses import Import, imports_of, local_names
from tx_graph.codebase.parsing.reader import Reader
from tx_graph.codebase.parsing.tree import Tree, extent, first_line, last_line, parse_as, signature
from tx_graph.domain.imports import Offered, Specifier, Surface
from tx_graph.domain.symbols import Symbol

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_KINDS = {
    "function_item": "function",
    "struct_item": "struct",
    "enum_item": "enum",
    "union_item": "union",
    "trait_item": "trait",
    "type_item": "type",
    "macro_definition": "macro",
}
_VALUES = {"const_item": "const", "static_item": "static"}
_METHOD = "function_item"
_TUPLE_FIELDS = "ordered_field_declaration_list"
_NAMED_TYPES = frozenset({"type_identifier", "primitive_type"})
_INNER_TYPES = {
    "generic_type": "type",
    "scoped_type_identifier": "name",
    "reference_type": "type",
    "pointer_type": "type",
    "dynamic_type": "trait",
}
_PARAMETER = re.compile(r"(?:const\s+)?(\w+)")
_PATH = re.compile(r'#\[\s*path\s*=\s*r?#*"([^"]+)"')
_PATH_UNDER_CONDITION = re.compile(r'\bpath\s*=\s*r?#*"([^"]+)"')


@dataclass(frozen=True, kw_only=True)
class _RustTree(Tree):
    """A tree that is walked once for everything that is read from it; without slots, so that it can remember."""

    @cached_property
    def items(self) -> list[Item]:
        # Of a tree of their own: items that held this one would keep it, and all its nodes, until garbage is collected.
        return list(items(Tree(text=self.text, root=self.root)))

    @cached_property
    def imports(self) -> list[Import]:
        return list(imports_of(self.items))


def parse(text: str, language: str) -> Tree:
    """Return the tree of a Rust file."""
    del language
    return _RustTree(text=text, root=parse_as(text, "rust").root)


def specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield what a file imports in the order of its lines: `mod x`, `use` paths leaf by leaf, `extern crate x`."""
    file = _walkable(tree)
    modules = [one for item in file.items if item.kind == MODULE for one in _module_files(item)]
    paths = [
        Specifier(module=one.statement or one.path, type=one.type, line=one.line, scope=one.scope)
        for one in file.imports
    ]
    yield from sorted([*modules, *paths], key=lambda specifier: specifier.line)


def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a file, each before those inside it, but nothing inside functions."""
    for item in _walkable(tree).items:
        if item.kind in _KINDS or (item.kind in _VALUES and _is_visible(item.node)):
            yield from _named(path, item)
        elif item.kind == MODULE:
            if item.node.field("body"):
                yield _symbol(path, item, label(item.node), "module")
        elif item.kind == "impl_item" and (owner := _implementor(item.node)):
            yield from _methods(path, item, owner)


def surface(tree: Tree) -> Surface:
    """Return the modules that a file declares, and the names in it that other paths of it start with."""
    file = _walkable(tree)
    return Surface(
        offers=tuple(
            Offered(inside(item.scope, label(item.node)), place)
            for item in file.items
            if item.kind == MODULE
            for place in _places(item)
        ),
        uses=tuple(dict.fromkeys(local_names(file.imports))),
    )


def _walkable(tree: Tree) -> _RustTree:
    return tree if isinstance(tree, _RustTree) else _RustTree(text=tree.text, root=tree.root)


def _module_files(item: Item) -> Iterator[Specifier]:
    """Yield an import for each file that a module without a body may be in."""
    if item.node.field("body") is None:
        line, name = first_line(item.node), label(item.node)
        for place in _places(item):
            yield Specifier(module=f"mod {name}", name=place or None, line=line, scope=item.scope)


def _places(item: Item) -> list[str]:
    """Return where the text of a module is, as a surface says it; several places when a condition decides."""
    written = [attribute.text() for attribute in item.attributes]
    plain = [match[1] for text in written if (match := _PATH.match(text))]
    choices = [path for text in written if "cfg_attr" in text for path in _PATH_UNDER_CONDITION.findall(text)]
    places = plain[:1] or [*choices, ""]
    return [f"{{{place}}}" for place in places] if item.node.field("body") else places


def _named(path: str, item: Item) -> Iterator[Symbol]:
    name = label(item.node)
    if not name or name == "_":
        return
    yield _symbol(path, item, name, _KINDS.get(item.kind) or _VALUES[item.kind])
    if item.kind == "trait_item":
        yield from _methods(path, item, name)


def _methods(path: str, item: Item, owner: str) -> Iterator[Symbol]:
    body = item.node.field("body")
    for node, kind, attributes in members(body) if body else ():
        if kind == _METHOD and (name := label(node)):
            method = item._replace(node=node, kind=kind, attributes=attributes)
            yield _symbol(path, method, f"{owner}::{name}", "method")


def _symbol(path: str, item: Item, name: str, kind: str) -> Symbol:
    node = item.node
    body = node.field("value" if item.kind in _VALUES else "body")
    if body and body.kind() == _TUPLE_FIELDS:
        body = None
    first = item.attributes[0] if item.attributes else node
    return Symbol(
        path=path,
        name=inside(item.scope, name),
        kind=kind,
        line_start=first_line(first),
        line_end=last_line(node),
        signature=signature(item.tree, node, body).removesuffix(";"),
        extent=extent(first, node, body),
    )


def _is_visible(node: SgNode) -> bool:
    first = node.child(0)
    return first is not None and first.kind() == "visibility_modifier"


def _implementor(node: SgNode) -> str:
    """Return the name of the type whose methods an `impl` has; empty for all types at once and for unnamed ones."""
    kind, found = "", node.field("type")
    while found and (kind := found.kind()) not in _NAMED_TYPES:
        found = found.child(0) if kind == "bounded_type" else found.field(_INNER_TYPES.get(kind, "?"))
    if found is None:
        return ""
    name, parameters = found.text(), node.field("type_parameters")
    generic = [_PARAMETER.match(one.text()) for one in parameters.children()] if parameters else []
    return "" if any(match and match[1] == name for match in generic) else name


READER = Reader(
    specifiers=specifiers,
    symbols=symbols,
    surface=surface,
    import_word=re.compile(r"\b(?:use|mod|crate)\b"),
    parse=parse,
)
