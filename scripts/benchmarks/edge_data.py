"""Generated edges with the shape of real code: mostly between neighbours, some to a few hubs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tx_graph.code.imports import ImportEdge, ImportType
from tx_graph.history.cochange import CoChange

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

_REACH = 15
"""How far away, in files, a neighbour lies on average."""
_SKEW = 2.5
"""How unequal the popularity of files is: the best-known of 100,000 gets 1% of what goes to hubs."""
_SURPLUS = 1.25
"""Pairs to draw for each that is wanted: some come twice, or lead nowhere."""
_MOST_SHARED = 40
HUBS, HUB_EDGES = 5, 10_000
"""Files that very many import or change with, such as a module of constants or a changelog, and how many do."""


def paths(count: int) -> list[str]:
    """Return the paths of so many files, sorted."""
    return [f"src/area_{n // 2000:03d}/package_{n // 20:05d}/module_{n:06d}.ts" for n in range(count)]


def imports(files: Sequence[str], *, count: int) -> list[ImportEdge]:
    """Return distinct imports: two thirds of neighbours, one third of popular files; a few are hubs."""
    generator = np.random.default_rng(5)
    pairs = _with_hubs(generator, _pairs(generator, len(files), count=count, to_hubs=1 / 3), len(files))
    return [ImportEdge(source=files[a], target=files[b], type=ImportType.STATIC) for a, b in pairs.tolist()]


def cochanges(files: Sequence[str], *, count: int) -> list[CoChange]:
    """Return distinct co-changes: nearly all between neighbours, most of them weak; a few files are hubs."""
    generator = np.random.default_rng(6)
    drawn = _pairs(generator, len(files), count=int(count * _SURPLUS), to_hubs=0.05)
    distinct = generator.permutation(np.unique(np.sort(drawn, axis=1), axis=0))[:count]
    pairs = _with_hubs(generator, distinct, len(files))
    scores = generator.beta(1.5, 6, size=len(pairs)).clip(0.01, 1).round(4)
    shared = generator.integers(3, _MOST_SHARED, size=len(pairs))
    return [
        CoChange(file_a=files[a], file_b=files[b], score=score, shared=both, commits_a=both + 5, commits_b=both + 9)
        for (a, b), score, both in zip(pairs.tolist(), scores.tolist(), shared.tolist(), strict=True)
    ]


def _pairs(generator: Generator, files: int, *, count: int, to_hubs: float) -> NDArray[np.int64]:
    """Return `count` distinct pairs of file numbers, as a (count, 2) array."""
    size = int(count * _SURPLUS)
    hubs = generator.permutation(files)
    sources = generator.integers(0, files, size=size)
    near = (sources + generator.geometric(1 / _REACH, size=size) * generator.choice([-1, 1], size=size)) % files
    popular = hubs[(files * generator.random(size) ** _SKEW).astype(np.int64)]
    targets = np.where(generator.random(size) < to_hubs, popular, near)
    pairs = np.unique(np.stack([sources, targets], axis=1)[sources != targets], axis=0)
    kept: NDArray[np.int64] = generator.permutation(pairs)[:count]
    return kept


def _with_hubs(generator: Generator, pairs: NDArray[np.int64], files: int) -> NDArray[np.int64]:
    """Return as many distinct pairs, the last of them replaced by those of the hubs, which come first of all files."""
    count = min(HUB_EDGES, files // 2)
    ends = [generator.choice(np.arange(HUBS, files), count, replace=False) for _ in range(HUBS)]
    hubs = np.concatenate([np.stack([np.full(count, hub), end], axis=1) for hub, end in enumerate(ends)])
    others = pairs[(pairs >= HUBS).all(axis=1)][: len(pairs) - len(hubs)]
    return np.concatenate([others, hubs])
