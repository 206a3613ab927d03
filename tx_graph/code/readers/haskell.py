"""Haskell: what a module imports and defines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from tx_graph.code.imports import Offered, Specifier, Surface
from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import (
    PLACE,
    Declaration,
    Reader,
    Scope,
    Tree,
    callable_kind,
    child_of,
    each,
    first_line,
    outlined,
    parse_masked,
    text_of,
    within,
    without,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DIRECTIVE = re.compile(r"^#[ \t]*(?:if|el|endif|define|undef|include|error|warning)(?:\\\r?\n|[^\n])*+", re.MULTILINE)
"""A line for the C preprocessor. With these the grammar would leave out all branches but the first."""


def _parse(text: str, language: str) -> Tree:
    masked = without(_DIRECTIVE, text) if "#" in text else text
    return parse_masked(text, masked, language)


def _specifiers(tree: Tree) -> Iterator[Specifier]:
    """Yield the imported modules; the branches of all conditionals count."""
    waiting = tree.root.children()[::-1]
    while waiting:
        node = waiting.pop()
        kind = node.kind()
        if kind == "import" and (module := node.field("module")):
            yield Specifier(module="".join(module.text().split()), line=first_line(node))
        elif kind in {"imports", "ERROR"}:
            waiting += reversed(node.children())


def _surface(tree: Tree) -> Surface:
    header = child_of(tree.root, "header")
    module = header.field("module") if header else None
    return Surface(offers=(Offered("".join(text_of(module).split())),))


def _names(node: SgNode) -> list[str]:
    """Return what a signature or a clause is about; operators bear no brackets."""
    infix = child_of(node, "infix")
    if infix:
        operator = infix.field("operator")
        return [_bare(operator.text())] if operator else []
    several = child_of(node, "binding_list")
    found = several.named_children() if several else [node.field("name") or child_of(node, "variable", "prefix_id")]
    return [_bare(one.text()) for one in found if one]


def _bare(name: str) -> str:
    return name.strip("`() ")


def _signature(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare what a signature is for; one for several names says less than the clauses that follow, except in a class.

    In an instance a signature only repeats the class's.
    """
    names = _names(node)
    if len(names) == 1 or scope.kind == "class":
        for name in names:
            yield Declaration(name, callable_kind(scope), node, node)


def _clause(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the function that a clause defines; a class's own clauses are what its signatures fall back to."""
    if scope.kind != "class":
        for name in _names(node):
            yield Declaration(name, callable_kind(scope), node, node, child_of(node, "match"))


def _type(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    body = node.field("constructors") or node.field("constructor") or child_of(node, "where")
    return (Declaration(_bare(text_of(node.field("name"))), "type", node, node, body),)


def _class(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    body = child_of(node, "class_declarations")
    name = _bare(text_of(node.field("name")))
    return (Declaration(name, "class", node, node, child_of(node, "where"), body.children() if body else ()),)


def _instance(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look into what an instance defines: it belongs to the type that comes last in the head."""
    body, patterns = child_of(node, "instance_declarations"), child_of(node, "type_patterns")
    last = patterns.named_children()[-1] if patterns and patterns.named_children() else None
    holder = (last.find(kind="name") or last).text() if last else ""
    return (Declaration(holder, PLACE, node, node, body, body.children() if body else ()),)


def _foreign(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    found = child_of(node, "signature")
    return (Declaration(name, "function", node, node) for name in (_names(found) if found else ()))


_FORMS = {
    **each("signature", _signature),
    **each("function bind", _clause),
    **each("data_type newtype type_synomym type_synonym type_family data_family", _type),
    **each("class", _class),
    **each("instance", _instance),
    **each("foreign_import", _foreign),
    **each("declarations ERROR", within),
}

_clauses = outlined(_FORMS)


def _symbols(path: str, tree: Tree) -> Iterator[Symbol]:
    """Yield the declarations of a module; a signature and the clauses that follow it are one."""
    for _, run in groupby(_clauses(path, tree), key=lambda one: (one.name, one.kind)):
        first, *others = run
        if others and first.extent and others[-1].extent:
            extent = first.extent._replace(end=others[-1].extent.end)
            first = replace(first, line_end=others[-1].line_end, extent=extent)
        yield first


READER = Reader(specifiers=_specifiers, symbols=_symbols, surface=_surface, parse=_parse)
