"""Batches: the passages that a model is asked about together, and what tells one batch from another."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.analysis.relations.windows import LEAST_TOGETHER


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A section, or a part of one, as a model sees it; `headings` are the titles that lead down to it."""

    id: str
    headings: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Passages to be asked about in one prompt.

    `document` is where they are from, the first of them where they are from several. `windowing` says how passages
    came together, so that a batch can be found again by its name: `5-0` for windows of 5 that overlap by 0.
    """

    document: str
    windowing: str
    passages: tuple[Passage, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its passages, in their order."""
        return tuple(passage.id for passage in self.passages)


class BatchName(NamedTuple):
    """The name of a batch, taken apart; `key` is the beginning of its content's hash."""

    size: int
    overlap: int
    key: str


_KEY_LENGTH = 24
"""Hexadecimal digits of a name: 96 bits, so that no two batches of a repository share one by chance."""


def key_of(batch: Batch) -> str:
    """Return what changes whenever an id, a heading or a text of the batch does: the beginning of a SHA-256."""
    content = [(passage.id, passage.headings, passage.text) for passage in batch.passages]
    serialised = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(serialised.encode()).hexdigest()[:_KEY_LENGTH]


def name_of(batch: Batch) -> str:
    """Return the name by which a reply says which batch it answers: `5-0-3f2a…`."""
    return f"{batch.windowing}-{key_of(batch)}"


def windowing_of(*, size: int, overlap: int) -> str:
    """Return how windows of a size and an overlap are called."""
    return f"{size}-{overlap}"


def name_from(text: str) -> BatchName | None:
    """Return the parts of a batch's name; None where it is none."""
    size, _, rest = text.partition("-")
    overlap, _, key = rest.partition("-")
    if not (_is_number(size) and _is_number(overlap) and len(key) == _KEY_LENGTH):
        return None
    name = BatchName(int(size), int(overlap), key)
    return name if name.overlap < name.size and name.size >= LEAST_TOGETHER else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 5  # noqa: PLR2004 - nobody's windows are larger
