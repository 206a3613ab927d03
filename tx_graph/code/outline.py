"""Outlines: the declarations of languages whose syntax trees show them plainly, read by a table per language.

A language's table says for each kind of node that matters which form it has: what it declares, and which nodes in
it may hold further declarations. The walk enters nothing else, so it never sees the body of a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.symbols import Symbol
from tx_graph.code.tree import Tree, declared, signature, span_of

if TYPE_CHECKING:
    from ast_grep_py import SgNode


NAMESPACE = "namespace"
PLACE = "place"
"""The kind of what only lends its name to its members: a type that is declared elsewhere, a table of functions."""
_NAME = re.compile(r"[^\n\r\t{};\"]{1,200}")
"""A name as it may stand in a source, other than those that a parser makes up when it has lost its way."""
_ATTRIBUTES = frozenset({"annotation", "attribute", "attribute_list"})
_ATTRIBUTE_STARTS = ("[", "#[", "@")


class Scope(NamedTuple):
    """What is around a node: the qualified name of the innermost declaration, and its kind; both empty at the top."""

    name: str = ""
    kind: str = ""

    @property
    def is_type(self) -> bool:
        """Whether the functions in it are methods."""
        return self.kind not in {"", NAMESPACE}

    def qualified(self, name: str) -> str:
        """Return a name as it is known in the file."""
        return f"{self.name}::{name}" if self.name and name else name or self.name


class Declaration(NamedTuple):
    """What a node declares; without a kind it declares nothing and only has nodes to look into.

    `name` may be qualified. `first` and `last` are the nodes that it begins and ends with, `body` is what its
    signature stops before, and `inside` may hold declarations in its scope.
    """

    name: str
    kind: str
    first: SgNode
    last: SgNode
    body: SgNode | None = None
    inside: Sequence[SgNode] = ()


Form = Callable[["SgNode", Scope], Iterable[Declaration]]
NameOf = Callable[["SgNode"], str]
BodyOf = Callable[["SgNode"], "SgNode | None"]
Forms = Mapping[str, Form]


def outlined(forms: Forms, tail: re.Pattern[str] | None = None) -> Callable[[str, Tree], Iterator[Symbol]]:
    """Return the function that yields a file's declarations by a table of forms, each before those inside it.

    `tail` is what a signature may end with in the language without saying anything.
    """

    def symbols(path: str, tree: Tree) -> Iterator[Symbol]:
        top = Scope()
        pending = [(node, top) for node in reversed(tree.root.children())]
        while pending:
            node, scope = pending.pop()
            form = forms.get(node.kind())
            found = [*form(node, scope)] if form else ()
            for one in found:
                if one.kind and one.kind != PLACE and _NAME.fullmatch(one.name):
                    yield _symbol(path, tree, one, scope, tail)
            for one in reversed(found):
                inner = Scope(scope.qualified(one.name), one.kind) if one.kind else scope
                pending += [(child, inner) for child in reversed(one.inside)]

    return symbols


def each(kinds: str, form: Form) -> dict[str, Form]:
    """Return the part of a table in which blank-separated kinds of nodes have one form."""
    return dict.fromkeys(kinds.split(), form)


def within(node: SgNode, scope: Scope) -> Iterable[Declaration]:
    """Declare nothing, but look inside: preprocessor branches, blocks, and what a parser could not make sense of."""
    return (Declaration("", "", node, node, inside=node.children()),)


def text_of(node: SgNode | None) -> str:
    """Return a name as it is written, without the backticks that only quote it; empty where there is none."""
    return node.text().strip("`") if node else ""


def field_name(node: SgNode) -> str:
    """Return the name that the grammar calls so."""
    return text_of(node.field("name"))


def body_field(node: SgNode) -> SgNode | None:
    """Return the body that the grammar calls so."""
    return node.field("body")


def type_form(kind: str | NameOf, name: NameOf = field_name, body: BodyOf = body_field) -> Form:
    """Return the form of a named type; its body is looked into."""

    def form(node: SgNode, scope: Scope) -> Iterable[Declaration]:
        held, told = body(node), kind if isinstance(kind, str) else kind(node)
        return (Declaration(name(node), told, node, node, held, held.children() if held else ()),)

    return form


def function_form(name: NameOf = field_name, body: BodyOf = body_field) -> Form:
    """Return the form of a function; in a type it is a method."""
    return lambda node, scope: (Declaration(name(node), callable_kind(scope), node, node, body(node)),)


def callable_kind(scope: Scope) -> str:
    """Return what a function is called where it stands."""
    return "method" if scope.is_type else "function"


def child_of(node: SgNode, *kinds: str) -> SgNode | None:
    """Return the first child of these kinds."""
    return next((child for child in node.children() if child.kind() in kinds), None)


def _symbol(path: str, tree: Tree, found: Declaration, scope: Scope, tail: re.Pattern[str] | None) -> Symbol:
    name, start = scope.qualified(found.name), span_of(found.first)[0]
    head = found.first
    if found.body and tree.text.startswith(_ATTRIBUTE_STARTS, start):
        head = next((child for child in head.children() if child.kind() not in _ATTRIBUTES), head)
    written = signature(tree, head, found.body)
    written = tail.sub("", written) if tail else written
    symbol = declared(path, name, found.kind, found.first, found.last, found.body, written)
    # The line of the last visible character; where indentation ends blocks, blank lines count in.
    end = span_of(found.last)[1]
    if not tree.text[end - 1 : end].isspace():
        return symbol
    text = tree.text[span_of(found.last)[0] : end]
    last = found.last.range().end.line + 1 - text.count("\n", len(text.rstrip()))
    return replace(symbol, line_end=last)
