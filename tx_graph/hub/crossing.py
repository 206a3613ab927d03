"""What a repository offers to others and needs of them: packages, modules, imports that leave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tx_graph.core.kernel import Kernel


def collect(kernel: Kernel, repository: str) -> Mapping[str, Mapping[int, list[tuple[Any, ...]]]]:
    """Return rows of `packages`, `offers` and `needs` by their owner's node, columns without the repository."""
    del kernel, repository
    return {}
