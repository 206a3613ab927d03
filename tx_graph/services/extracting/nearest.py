"""Which sections of different documents are near each other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.storage.section_vectors import SectionMatrix

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_BLOCK = 256
"""Sections compared at a time: their pieces against 10,000 others are some 20 MB of cosines."""
_ROUNDING = 1e-6
"""What float32 may be off: a threshold of 1 means the same vector."""


class Pair(NamedTuple):
    """Two sections of different documents, the smaller node first, and their cosine similarity, in (0, 1]."""

    source: NodeId
    target: NodeId
    cosine: float


def near_pairs(
    matrices: Sequence[SectionMatrix], *, threshold: float, most: int, among: Collection[NodeId] | None
) -> list[Pair]:
    """Return for each section its nearest ones in other documents, each pair once, in the order of the sections.

    Two sections are as near as their nearest pieces. `among` are the documents whose sections to start from, None
    for all; the other end may be anywhere. Of one section the nearest pair comes first.
    """
    found: dict[tuple[NodeId, NodeId], Pair] = {}
    for matrix in matrices:
        for one, other, cosine in _nearest(matrix, threshold, most, among):
            source, target = sorted((one, other))
            found.setdefault((source, target), Pair(source, target, min(1.0, cosine)))
    return list(found.values())


def _nearest(
    matrix: SectionMatrix, threshold: float, most: int, among: Collection[NodeId] | None
) -> Iterator[tuple[NodeId, NodeId, float]]:
    starts, nodes, documents = _sections(matrix)
    for first in range(0, len(nodes), _BLOCK):
        last = min(first + _BLOCK, len(nodes))
        cosines = _cosines(matrix.vectors, starts, first, last)
        cosines[documents[first:last, None] == documents[None, :]] = -1.0
        for row, place in _best(cosines, threshold=threshold - _ROUNDING, most=most):
            if among is None or int(documents[first + row]) in among:
                yield int(nodes[first + row]), int(nodes[place]), float(cosines[row, place])


def _best(cosines: npt.NDArray[np.float32], *, threshold: float, most: int) -> Iterator[tuple[int, int]]:
    """Yield row and column of the highest values of each row, highest first, the first column among equals."""
    import numpy as np

    kept = min(most, cosines.shape[1])
    least = np.partition(cosines, -kept, axis=1)[:, -kept]  # sorting whole rows takes ten times as long
    rows, places = np.nonzero(cosines >= np.maximum(least, threshold)[:, None])
    order = np.lexsort((places, -cosines[rows, places], rows))
    for row, group in groupby(order, key=lambda place: int(rows[place])):
        for place in islice(group, most):
            yield row, int(places[place])


def _sections(
    matrix: SectionMatrix,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where each section's rows begin, its node, and its document."""
    import numpy as np

    starts, at = [], 0
    for _, rows in groupby(matrix.sections):
        starts.append(at)
        at += sum(1 for _ in rows)
    places = np.asarray(starts, dtype=np.int64)
    return places, np.asarray(matrix.sections, dtype=np.int64)[places], np.asarray(matrix.documents)[places]


def _cosines(
    vectors: npt.NDArray[np.float32], starts: npt.NDArray[np.int64], first: int, last: int
) -> npt.NDArray[np.float32]:
    """Return how near each of some sections is to each of all: the best of their pieces."""
    import numpy as np

    end = starts[last] if last < len(starts) else len(vectors)
    pieces = vectors[starts[first] : end] @ vectors.T
    by_section = np.maximum.reduceat(pieces, starts, axis=1)
    return np.maximum.reduceat(by_section, starts[first:last] - starts[first], axis=0)
