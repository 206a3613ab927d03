"""Words as developers use them: a few often, most seldom (Zipf), some joined to identifiers."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.random import Generator

_KNOWN = """
    token session retry timeout worker queue cache index commit branch merge schema query parser lexer logger metric
    request response header cookie cursor buffer socket thread process signal handler router middleware controller
    service client server proxy gateway cluster replica shard backup restore migration transaction rollback lock
    deadline latency throughput payload message event listener stream batch window cluster tenant account invoice
    payment refund currency amount user role permission policy audit secret password digest cipher encoder decoder
    template widget layout render canvas vector matrix gradient tensor model dataset sample feature fixture assertion
    mock coverage pipeline artifact release version dependency package module import export registry plugin hook
    config option flag argument default override environment path file directory symlink archive checksum upload
    download mirror crawler scheduler cron clock timezone locale charset unicode escape quote regex pattern glob
""".split()
_SYLLABLES = product("bdfgklmnprstvz", "aeiou", "lmnrst", ("el", "ik", "or", "um", "ax", "it", "on"))
_SIZE = 3000
_FLATNESS = 20
"""Added to each rank, so that the commonest word stands in one learning of six, not in every one."""
_JOINED = 0.15
"""Share of words that are two, joined to an identifier."""


@cache
def _words() -> tuple[str, ...]:
    invented = ["".join(parts) for parts in _SYLLABLES]
    words = [*dict.fromkeys(_KNOWN), *invented]
    return tuple(np.random.default_rng(1).permutation(words[:_SIZE]).tolist())


def text(generator: Generator, *, words: int) -> str:
    """Return so many words, drawn as they occur."""
    known = _words()
    shares = 1 / (np.arange(len(known)) + _FLATNESS)
    drawn = [known[rank] for rank in generator.choice(len(known), size=2 * words, p=shares / shares.sum())]
    joined = generator.random(words) < _JOINED
    return " ".join(
        first + second.capitalize() if both else first
        for first, second, both in zip(drawn[:words], drawn[words:], joined, strict=True)
    )


def questions(count: int) -> list[str]:
    """Return questions of three or four words each, always the same."""
    generator = np.random.default_rng(2)
    return [text(generator, words=int(generator.integers(3, 5))) for _ in range(count)]
