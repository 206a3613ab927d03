"""Stored vectors that every engine of the default model must reproduce."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from tx_graph.errors import ModelError
from tx_graph.ports import Embedder, Vector

TOLERANCE = 1e-4
"""The largest difference allowed in a component; engines differ by rounding, about 1e-7."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """A text and how its vector begins.

    Attributes:
        text: What to embed.
        head: The first components of its vector.
    """

    text: str
    head: tuple[float, ...]


def references() -> tuple[Reference, ...]:
    """Return the stored reference vectors of all-MiniLM-L6-v2."""
    document = json.loads(files(__package__).joinpath("reference.json").read_text("utf-8"))
    return tuple(Reference(text=entry["text"], head=tuple(entry["head"])) for entry in document["references"])


def largest_error(embedder: Embedder) -> float:
    """Return the largest difference between an engine's components and the stored ones."""
    stored = references()
    vectors = embedder.embed([reference.text for reference in stored])
    return max(
        abs(component - expected)
        for reference, vector in zip(stored, vectors, strict=True)
        for component, expected in zip(_components(vector), reference.head, strict=False)
    )


def _components(vector: Vector) -> tuple[float, ...]:
    """Return a vector's components."""
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def check_reference(directory: Path) -> None:
    """Raise ModelError unless the model in a directory computes the stored reference vectors."""
    try:
        from tx_graph.embeddings.minilm import MiniLM
    except ImportError as error:
        raise ModelError(f"The model cannot run here: {error}.", hint="pip install numpy tokenizers") from error
    error_size = largest_error(MiniLM(directory))
    if not error_size <= TOLERANCE:
        raise ModelError(
            f"The model in {directory} computes other vectors than it should (off by {error_size:.1e}).",
            hint="Please report this with your platform and the versions of numpy and tokenizers.",
        )
