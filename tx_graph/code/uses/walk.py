"""How the walkers of all languages go through a syntax tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Generic, NamedTuple, TypeVar

from tx_graph.code.tree import first_line
from tx_graph.code.uses import Use, without_parts

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


_MOST_STEPS = 64
"""Chains of calls are long, but not longer: each step is compared with all that lead to it."""


class Written(NamedTuple):
    """What an expression is: a path, of which what stands after `cut` is written in `line`."""

    path: str
    line: int = -1
    cut: int = 0

    def then(self, steps: str) -> Written:
        """Return what these steps lead to from here."""
        return self._replace(path=self.path + steps)


class Names:
    """The names of a part of a function, with paths of what they hold; those of the parts around it are known, too."""

    __slots__ = ("names", "outer")

    def __init__(self, outer: Names | None) -> None:
        self.outer = outer
        self.names: dict[str, str] = {}

    def find(self, name: str) -> str | None:
        """Return what the innermost of a name holds, empty where nobody can tell; None where there is none."""
        at: Names | None = self
        while at is not None:
            if name in at.names:
                return at.names[name]
            at = at.outer
        return None


class OpenWalk(Walk[S, Written]):
    """A walk that leaves open what the names at the root of paths mean: files beside this one may tell."""

    def __init__(self) -> None:
        self._definitions: dict[str, str] = {}
        self._held: dict[str, set[str]] = {}
        self._bases: dict[str, list[str]] = {}
        self._found: dict[int, dict[tuple[str, str], None]] = {}

    def _use(self, line: int, kind: str, value: Written) -> None:
        if value.path.count(".") > _MOST_STEPS:
            return
        path = f"{value.path[: value.cut]}|{value.path[value.cut :]}" if value.cut else value.path
        self._found.setdefault(line, {})[kind, path] = None

    def _member(self, value: Written, name: SgNode, kind: str) -> Written:
        """Note the use of a member of what a value is; return what the member is."""
        line = first_line(name)
        found = Written(f"{value.path}.{name.text()}", line, value.cut if line == value.line else len(value.path))
        self._use(line, kind, found)
        return found

    def _hold(self, key: str, value: Written | None) -> None:
        """Note what something holds; what cannot be told leaves it open."""
        self._held.setdefault(key, set()).add(value.path if value else "")

    def _holds(self) -> dict[str, str]:
        """Return the one thing that each of those holds that always hold the same."""
        return {key: next(iter(paths)) for key, paths in self._held.items() if len(paths) == 1 and "" not in paths}

    def _uses(self) -> tuple[Use, ...]:
        """Return the uses by line, without those that others imply."""
        return tuple(
            Use(line, kind, path)
            for line in sorted(self._found)
            for kind, path in without_parts(list(self._found[line]))
        )
