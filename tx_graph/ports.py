"""Protocols for what has two real answers: an embedder and a clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Protocol

Vector = bytes
"""An L2-normalised embedding: `4 × dimension` bytes of little-endian float32."""

Progress = Callable[[int, int | None], None]
"""Called with the units done so far and the total, or None while the total is unknown."""


def no_progress(done: int, total: int | None) -> None:
    """Report nothing."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity."""

    @property
    def model(self) -> str:
        """The model's name; vectors of different models are never compared."""

    @property
    def dimension(self) -> int:
        """Components per vector."""

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        """Return one vector per text, in order.

        Raises:
            ModelError: The model cannot be loaded.
        """


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> datetime:
        """The current time, in UTC."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The current time, in UTC, to the second: enough for people, and short in records."""
        return datetime.now(UTC).replace(microsecond=0)
