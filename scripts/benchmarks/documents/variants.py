"""The ways of searching that are compared, as options of `doc:search`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tx_graph.graph.edges import Direction

WORDS = "words"
VECTORS = "vectors"
WALKED = "hops 2"
STRATEGIES = ("parent-child", "recursive", "markdown")
"""How long sections are cut; the first is the default, with which all variants are asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A way of searching: options by name, and the other way that it is compared with.

    Without `vectors` no model is at hand, so that words alone find sections.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    against: str = ""
    vectors: bool = True


def variants() -> Iterator[Variant]:
    """Yield each way once; what others are compared with comes before them."""
    yield Variant(name=WORDS, options={"hops": 0}, vectors=False)
    yield Variant(name=VECTORS, options={"hops": 0, "keyword_weight": 0.0}, against=WORDS)
    for weight in (0.3, 0.5):
        yield Variant(name=_fused(weight), options={"hops": 0, "keyword_weight": weight}, against=VECTORS)
    yield Variant(name=f"{WORDS}, {WALKED}", options={"hops": 2}, against=WORDS, vectors=False)
    for weight, direction, slots in product((0.0, 0.3, 0.5), (Direction.BOTH, Direction.OUT), (0, 1, 2)):
        yield Variant(
            name=f"{_fused(weight)}, {WALKED} {direction}{f', {slots} reserved' if slots else ''}",
            options={"hops": 2, "keyword_weight": weight, "direction": direction, "graph_slots": slots},
            against=_fused(weight),
        )


def few() -> Iterator[Variant]:
    """Yield the ways that strategies are compared with."""
    yield Variant(name=VECTORS, options={"hops": 0, "keyword_weight": 0.0})
    yield Variant(name="as it comes", against=VECTORS)


def _fused(keyword_weight: float) -> str:
    return f"{VECTORS}, words {keyword_weight:g}" if keyword_weight else VECTORS
