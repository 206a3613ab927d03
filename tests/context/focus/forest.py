"""Trees in memory, written as people draw them, for walks that need no database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tx_graph.context.focus.rules import Cost, Name, Note, Shuffle, TokensBy, cost_by
from tx_graph.context.focus.walk import Found, Walk

EACH_AS_ONE = cost_by(TokensBy.ITEMS)


class Forest:
    """Nodes by indentation. `note -> other` is a relation note, `node @ other, another` mentions others.

    `details` are what nodes say; `told` are the nodes that were asked about, as often as they were.
    """

    def __init__(self, drawing: str, *, details: Mapping[str, str] | None = None) -> None:
        self.parents: dict[str, str | None] = {}
        self.targets: dict[str, str] = {}
        self.mentions: dict[str, list[str]] = {}
        self.details = details or {}
        self.told: list[str] = []
        above: list[tuple[int, str]] = []
        for line in drawing.splitlines():
            depth, text = len(line) - len(line.lstrip()), line.strip()
            if text:
                above = [one for one in above if one[0] < depth]
                self._add(text, parent=above[-1][1] if above else None)
                above.append((depth, text.split()[0]))

    def _add(self, text: str, *, parent: str | None) -> None:
        name, mark, others = (*text.split(maxsplit=2), "", "")[:3]
        self.parents[name] = parent
        if mark == "->":
            self.targets[name] = others
        elif mark:
            self.mentions[name] = others.split(", ")

    def parent(self, key: str) -> str | None:
        return self.parents[key]

    def target(self, key: str) -> str | None:
        return self.targets.get(key)

    def children(self, key: str) -> Sequence[str]:
        return [name for name, parent in self.parents.items() if parent == key]

    def siblings(self, key: str) -> Sequence[str]:
        above = self.parents[key]
        return self.children(above) if above else [key]

    def references(self, key: str) -> Sequence[str]:
        return [name for name in self.parents if self.targets.get(name) == key or key in self.mentions.get(name, ())]

    def tell(self, keys: Sequence[str]) -> Mapping[str, Note]:
        self.told += keys
        return {key: self._note(key) for key in keys}

    def _note(self, key: str) -> Note:
        parent, target = self.parents[key], self.targets.get(key)
        return Note(
            ref=key,
            kind="section",
            title=key,
            details=self.details.get(key, ""),
            parent=Name(parent, parent) if parent else None,
            target=Name(target, target) if target else None,
        )

    def around(
        self, focus: str, *, budget: int | None = None, cost: Cost = EACH_AS_ONE, shuffled: Shuffle[str] | None = None
    ) -> Found[str]:
        """Return what a walk finds around a node; each node counts as one unless told otherwise."""
        return Walk(self, focus, budget=budget, cost=cost, shuffled=shuffled).run()

    def order(self, focus: str, *, budget: int | None = None) -> list[str]:
        """Return the nodes that a walk finds, in their order."""
        return list(self.around(focus, budget=budget).related)


def by_details() -> Cost:
    """Return what counts a node by the characters it says, at least 1."""
    counted: Cost = lambda one: max(1, len(one.note.details))  # noqa: E731 - named for its type
    return counted
