"""How many texts a second each engine embeds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from scripts.benchmarks import vocabulary
from scripts.benchmarks.report import Quantity, Row
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import medians, timed
from tx_graph.vectors.models import is_installed, open_embedder

_TEXTS, _WORDS = 64, 12


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the engine that starts fastest, and the one for bulk work where that is another."""
    if not is_installed():
        yield Row(what="embedding", note="model not installed (tx model install, or TX_MODEL_DIR)")
        return
    generator = np.random.default_rng(9)
    texts = [vocabulary.text(generator, words=_WORDS) for _ in range(_TEXTS)]
    engines = {type(engine).__name__: engine for engine in (open_embedder(), open_embedder(bulk=True))}
    for name, engine in engines.items():
        (wall,) = medians([partial(timed, engine.embed, texts)], rounds=settings.heavy_rounds)
        yield Row(
            what=f"embedding, {name}",
            measured=Quantity(value=_TEXTS / wall * 1000, unit="texts/s"),
            note=f"{_TEXTS} texts of {_WORDS} words",
        )
