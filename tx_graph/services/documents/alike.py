"""How much neighbouring sentences resemble each other."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise
from operator import mul

from tx_graph.ports import Vector


def neighbour_similarities(vectors: Sequence[Vector]) -> list[float]:
    """Return the cosine similarity, in [-1, 1], of each vector with the next one; one less than there are vectors."""
    floats = [array("f", vector) for vector in vectors]
    return [sum(map(mul, one, other)) for one, other in pairwise(floats)]
