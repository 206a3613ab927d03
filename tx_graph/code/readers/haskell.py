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
    type_form,
    within,
    without,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_DIRECTIVE = re.compile(r"^#[ \t]*(?:if|el|endif|define|undef|include|error|warning)(?:\\\r?\n|[^\n])*+", re.MULTILINE)
"""A line for the C preprocessor. With these the grammar would leave out all branches but the first."""


def _parse(text: str, language: str) -> Tree:
    masked = without(_DIRECTIVE, text) if "#" in text else text
    return parse_masked(text, masked.replace("\r", " "), language)  # which is no gap in a string


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
    """Declare what a signature is for; one for several names says less than the clauses below it, but for a class."""
    names = _names(node)
    if len(names) == 1 or scope.kind == "class":
        for name in names:
            yield Declaration(name, callable_kind(scope), node, node)


def _clause(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare the function that a clause defines; a class's own clauses are what its signatures fall back to."""
    if scope.kind != "class":
        for name in _names(node):
            yield Declaration(name, callable_kind(scope), node, node, child_of(node, "match"))


def _type_name(node: SgNode) -> str:
    return _bare(text_of(node.field("name")))


def _class(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    body = child_of(node, "class_declarations")
    inside = body.children() if body else ()
    return (Declaration(_type_name(node), "class", node, node, child_of(node, "where"), inside),)


def _holder(node: SgNode) -> str:
    """Return what an instance's methods belong to: the type that comes last in its head."""
    patterns = child_of(node, "type_patterns")
    types = patterns.named_children() if patterns else []
    return (types[-1].find(kind="name") or types[-1]).text() if types else ""


_CONSTRUCTORS = ("data_constructors", "newtype_constructor", "where")

_FORMS = {
    **each("signature", _signature),
    **each("function bind", _clause),
    **each(
        "data_type newtype type_synomym type_synonym type_family data_family",
        type_form("type", _type_name, lambda node: child_of(node, *_CONSTRUCTORS)),
    ),
    **each("class", _class),
    **each("instance", type_form(PLACE, _holder, lambda node: child_of(node, "instance_declarations"))),
    **each("declarations foreign_import ERROR", within),
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
