"""What paths lead to, and how a language looks up names where it has rules of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tx_graph.code.uses import FUNCTION

if TYPE_CHECKING:
    from tx_graph.code.uses.meaning import Meanings

OPEN = "~"
"""What the root of a path begins with whose name is looked up by the rules of its language."""

MODULE, DEFINITION, INSTANCE, ABOVE, BEGINNING = "module", "definition", "instance", "above", "beginning"


class Meaning(NamedTuple):
    """What a path leads to: a module, a definition, an instance of a class, or the classes above it.

    `is_likely` where a type was inferred on the way, `is_held` where it is what something holds, not what it names.
    """

    kind: str
    path: str
    name: str = ""
    is_likely: bool = False
    is_held: bool = False

    @property
    def is_definition(self) -> bool:
        """Whether it is something that can be used."""
        return self.kind == DEFINITION and not self.is_held

    def likely(self) -> Meaning:
        """Return the same, but inferred."""
        return self if self.is_likely else self._replace(is_likely=True)


class Lookup:
    """How a language looks up names: as most do. A language overrides what it does in its own way."""

    def __init__(self, meanings: Meanings) -> None:
        """Look up names in one state of the index."""
        self._meanings = meanings

    def root(self, path: str, name: str) -> Meaning | None:
        """Return what a name means that its file leaves open (`~name`); None where that cannot be told."""

    def member(self, held: Meaning, name: str) -> Meaning | None:
        """Return what a member of something is."""
        return self._meanings.member(held, name)

    def step(self, held: Meaning, step: str) -> Meaning | None:
        """Return what a step other than to a member leads to."""
        return self._meanings.step(held, step)

    def fits(self, found: Meaning, kind: str) -> bool:  # noqa: ARG002 - for those who override it
        """Tell whether what was found can be used like this."""
        return True

    def is_entry(self, path: str, qualified: str, declared: str) -> bool:  # noqa: ARG002 - for those who override it
        """Tell whether something outside may use what is declared like this: what a trait wants, or overrides."""
        uses, (holder, _, name) = self._meanings.uses(path), qualified.rpartition("::")
        is_wanted = qualified in uses.bases and uses.definitions.get(qualified) == FUNCTION
        return bool(holder) and (is_wanted or self._meanings.is_open(path, holder, name))
