"""How the walkers of all languages go through a syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from ast_grep_py import SgNode

S = TypeVar("S")
V = TypeVar("V")


class Walk(Generic[S, V]):
    """Goes from node to node with the scope that each stands in; what a node is worth is a value, None if unknown.

    `_forms` tells what to do with a kind of node. Of any other the children are visited, unless it is one of the
    `_leaves`, in which nothing is named. Whoever walks clears the forms afterwards: they hold the walk, and so the
    tree.
    """

    _leaves: ClassVar[frozenset[str]]
    _forms: dict[str, Callable[[SgNode, S], V | None]]

    def _visit(self, node: SgNode, scope: S) -> V | None:
        kind = node.kind()
        if form := self._forms.get(kind):
            return form(node, scope)
        if kind not in self._leaves:
            self._children(node, scope)
        return None

    def _children(self, node: SgNode, scope: S) -> None:
        forms, leaves = self._forms, self._leaves
        for child in node.named_children():
            kind = child.kind()
            if form := forms.get(kind):
                form(child, scope)
            elif kind not in leaves:
                self._children(child, scope)

    def _last(self, node: SgNode, scope: S) -> V | None:
        value = None
        for child in node.named_children():
            value = self._visit(child, scope)
        return value

    def _field(self, node: SgNode, name: str, scope: S) -> V | None:
        found = node.field(name)
        return self._visit(found, scope) if found else None
