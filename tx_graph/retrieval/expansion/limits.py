"""What bounds an expansion: how far it goes, how much it brings back, and which types of edges it follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tx_graph.domain.edges import EdgeType
from tx_graph.errors import UsageError

MAX_DEPTH = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How far an expansion goes: hops (0–10), factor per hop in (0, 1], and most nodes reached beyond the seeds."""

    depth: int = 2
    decay: float = 0.7
    max_nodes: int = 100

    def __post_init__(self) -> None:
        """Raise UsageError for numbers out of range."""
        if not 0 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth must be from 0 to {MAX_DEPTH}, not {self.depth}.")
        if not 0 < self.decay <= 1:
            raise UsageError(f"The decay must be above 0 and at most 1, not {self.decay:g}.")
        if self.max_nodes < 1:
            raise UsageError(f"The most nodes to reach must be at least 1, not {self.max_nodes}.")


def chosen_types(include: Iterable[str], exclude: Iterable[str]) -> tuple[EdgeType, ...]:
    """Return the edge types to follow: the included ones, or all but the excluded.

    Raises:
        UsageError: A type is unknown, or both included and excluded.
    """
    included, excluded = _types(include), _types(exclude)
    if both := [kind for kind in included if kind in excluded]:
        raise UsageError(f"{', '.join(both)} cannot be both included and excluded.")
    return tuple(kind for kind in included or tuple(EdgeType) if kind not in excluded)


def types_by_hop(texts: Iterable[str]) -> dict[int, tuple[EdgeType, ...]]:
    """Return the edge types to follow at single hops, read from texts such as `2=ANCHORED_TO,LINKS_TO`.

    Types that follow a minus are those not to follow: `1=-IMPORTS`. A hop that is named twice follows what
    both say together.

    Raises:
        UsageError: A text names no hop from 1 to 10, an unknown type, or a type both ways at one hop.
    """
    wanted: dict[int, list[str]] = {}
    for text in texts:
        hop, _, names = text.partition("=")
        if not hop.strip().isdecimal() or not 1 <= int(hop) <= MAX_DEPTH or not names.strip():
            raise UsageError(
                f"'{text}' does not say which types to follow at which hop.",
                hint=f"Write the hop, from 1 to {MAX_DEPTH}, and the types: 2=ANCHORED_TO,LINKS_TO.",
            )
        wanted.setdefault(int(hop), []).extend(name.strip() for name in names.split(",") if name.strip())
    return {hop: _signed_types(names) for hop, names in wanted.items()}


def _signed_types(names: Iterable[str]) -> tuple[EdgeType, ...]:
    names = list(names)
    excluded = [name[1:] for name in names if name.startswith("-")]
    return chosen_types([name for name in names if not name.startswith("-")], excluded)


def _types(names: Iterable[str]) -> tuple[EdgeType, ...]:
    known = {kind.value: kind for kind in EdgeType}
    found = []
    for name in names:
        key = name.strip().upper().replace("-", "_")
        if key not in known:
            raise UsageError(f"'{name}' is no edge type.", hint=f"Choose from {', '.join(known)}.")
        found.append(known[key])
    return tuple(dict.fromkeys(found))
