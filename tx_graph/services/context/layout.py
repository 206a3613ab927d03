"""The page as a whole: a layout writes it, and as much goes in as the budget holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tx_graph.domain.tokens import CountTokens
from tx_graph.retrieval.packing import Chosen, Section, packed
from tx_graph.services.context.values import Material, Page, Part

_ROUNDS = 5
"""A page that names its own size is written again until the number is right; a tokenizer may never settle."""

Items = Mapping[Part, Sequence[str]]
"""The items of each part as they are printed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What goes on a page: items as they are printed, how many of each part did not get in, and the page's size."""

    items: Items
    omitted: Mapping[Part, int]
    tokens: int
    budget: int


class Layout(Protocol):
    """A way to write the page."""

    def items(self, material: Material) -> Items:
        """Return each item as it is printed."""

    def page(self, contents: Contents) -> str:
        """Return all that is printed, the last line end included."""


def laid_out(material: Material, layout: Layout, *, budget: int, count: CountTokens) -> Page:
    """Return the page with as much on it as the budget holds.

    Raises:
        UsageError: Not even an empty page fits.
    """
    items = layout.items(material)
    writing = _Writing(material=material, items=items, layout=layout, budget=budget, count=count)
    sections = [Section(items=len(items[part]), share=material.shares[part]) for part in Part]
    chosen = packed(sections, budget=budget, cost=writing.cost)
    text, tokens = writing.written(chosen)
    return Page(
        text=text,
        tokens=tokens,
        budget=budget,
        shown=_shown(material, chosen),
        omitted={part: number for part, number in writing.omitted(chosen).items() if number},
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """Writes the page with the items chosen, again and again while it is packed."""

    material: Material
    items: Items
    layout: Layout
    budget: int
    count: CountTokens

    def cost(self, chosen: Chosen) -> int:
        return self.written(chosen)[1]

    def written(self, chosen: Chosen) -> tuple[str, int]:
        """Return the page and its tokens; where it says how many it has, it says the truth, or a little more."""
        items = {part: [self.items[part][place] for place in at] for part, at in zip(Part, chosen, strict=True)}
        contents = Contents(items=items, omitted=self.omitted(chosen), tokens=0, budget=self.budget)
        text, most = "", 0
        for _ in range(_ROUNDS):
            before, text = text, self.layout.page(replace(contents, tokens=most))
            if text == before:
                break
            most = max(most, self.count(text))
        return text, most

    def omitted(self, chosen: Chosen) -> dict[Part, int]:
        counts = self.material.counts
        return {
            part: max(counts[part], self.material.found.get(part, 0)) - len(at)
            for part, at in zip(Part, chosen, strict=True)
        }


def _shown(material: Material, chosen: Chosen) -> Material:
    at = dict(zip(Part, chosen, strict=True))
    return replace(
        material,
        task=material.task if at[Part.TASK] else None,
        learnings=tuple(material.learnings[place] for place in at[Part.LEARNINGS]),
        facts=tuple(material.facts[place] for place in at[Part.FACTS]),
        sections=tuple(material.sections[place] for place in at[Part.SECTIONS]),
        files=tuple(material.files[place] for place in at[Part.FILES]),
        partners=tuple(material.partners[place] for place in at[Part.PARTNERS]),
        tasks=tuple(material.tasks[place] for place in at[Part.TASKS]),
        runs=tuple(material.runs[place] for place in at[Part.RUNS]),
    )
