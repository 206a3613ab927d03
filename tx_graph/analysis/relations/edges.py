"""Which of the edges that a model proposes are kept."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tx_graph.domain.edges import Relation
from tx_graph.domain.inert import inert_line
from tx_graph.errors import UsageError

_RELATIONS = {relation.value: relation for relation in Relation}
_LONGEST_DESCRIPTION = 300
"""Characters; a sentence was asked for."""
_BRACKETS = {"[": "]", "`": "`"}


class Dropped(StrEnum):
    """Why an edge was not kept."""

    MALFORMED = "malformed"
    UNKNOWN_ID = "unknown_id"
    ITSELF = "itself"
    UNKNOWN_RELATION = "unknown_relation"
    BAD_WEIGHT = "bad_weight"
    DUPLICATE = "duplicate"
    TOO_LIGHT = "too_light"
    OVER_CAP = "over_cap"
    OUTDATED = "outdated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundEdge:
    """An edge between two passages by their ids; `weight` lies in (0, 1]."""

    source: str
    target: str
    relation: Relation
    weight: float
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pruning:
    """What to leave out: edges lighter than `min_weight`, and of each source all but its `most` heaviest.

    0 leaves out none.

    Raises:
        UsageError: The least weight is outside [0, 1], or the most is negative.
    """

    min_weight: float = 0.0
    most: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.min_weight <= 1:
            raise UsageError(f"The least weight must lie between 0 and 1, not {self.min_weight:g}.")
        if self.most < 0:
            raise UsageError(f"The most edges of a section must be at least 0, not {self.most}.")


def checked(proposed: Iterable[Any], *, ids: Collection[str]) -> tuple[list[FoundEdge], Counter[Dropped]]:
    """Return the proposals that are edges between the passages of a batch, and how many are not, by reason."""
    kept, dropped = [], Counter[Dropped]()
    for one in proposed:
        edge = _checked(one, ids)
        if isinstance(edge, Dropped):
            dropped[edge] += 1
        else:
            kept.append(edge)
    return kept, dropped


def _checked(proposal: Any, ids: Collection[str]) -> FoundEdge | Dropped:  # noqa: ANN401 - whatever JSON can hold
    if not isinstance(proposal, dict):
        return Dropped.MALFORMED
    source, target = (_id_from(proposal.get(end), ids) for end in ("source", "target"))
    if source is None or target is None:
        return Dropped.UNKNOWN_ID
    if source == target:
        return Dropped.ITSELF
    relation = _relation_from(proposal.get("relation"))
    if relation is None:
        return Dropped.UNKNOWN_RELATION
    weight = proposal.get("weight")
    # NaN and the infinities, which Python's JSON knows, are in no range; true is 1 only to Python.
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight <= 1:
        return Dropped.BAD_WEIGHT
    text = _description_from(proposal.get("description"))
    return FoundEdge(source=source, target=target, relation=relation, weight=float(weight), description=text)


def _id_from(value: Any, ids: Collection[str]) -> str | None:  # noqa: ANN401 - the same
    """Return the id that is meant; the prompt's brackets around it are forgiven."""
    if not isinstance(value, str):
        return None
    text = value.strip()
    if text in ids:
        return text
    bare = text[1:-1].strip() if text and _BRACKETS.get(text[0]) == text[-1] else text
    return bare if bare in ids else None


def _relation_from(value: Any) -> Relation | None:  # noqa: ANN401 - the same
    """Return the relation of that name, spelled with blanks or hyphens too."""
    if not isinstance(value, str):
        return None
    return _RELATIONS.get("_".join(value.casefold().replace("-", " ").replace("_", " ").split()))


def _description_from(value: Any) -> str:  # noqa: ANN401 - the same
    if not isinstance(value, str):
        return ""
    line = inert_line(value.encode("utf-8", "replace").decode())  # JSON may hold half a character
    return line if len(line) <= _LONGEST_DESCRIPTION else f"{line[: _LONGEST_DESCRIPTION - 1].rstrip()}…"


def distinct(edges: Iterable[FoundEdge]) -> list[FoundEdge]:
    """Return one edge for each source, target and relation: the heaviest, the first among equals, in their order."""
    best: dict[tuple[str, str, Relation], FoundEdge] = {}
    for edge in edges:
        key = (edge.source, edge.target, edge.relation)
        if key not in best or edge.weight > best[key].weight:
            best[key] = edge
    return list(best.values())


def oriented(edge: FoundEdge, order: Mapping[str, int]) -> FoundEdge:
    """Return the edge from its end of the smaller number to the other one, where it reads the same from both."""
    if edge.relation is not Relation.SIMILAR_TO or order[edge.source] <= order[edge.target]:
        return edge
    return replace(edge, source=edge.target, target=edge.source)


def pruned(edges: Iterable[FoundEdge], pruning: Pruning) -> tuple[list[FoundEdge], Counter[Dropped]]:
    """Return the edges that are heavy enough, of each source the heaviest, and how many are not, by reason.

    Of equal weight, the one whose target and then relation comes first stays. An edge of sequence is never one too
    many: it neither gives way nor takes another's place.
    """
    edges = list(edges)
    heavy = [edge for edge in edges if edge.weight >= pruning.min_weight]
    dropped = Counter({Dropped.TOO_LIGHT: len(edges) - len(heavy)})
    by_source: dict[str, list[FoundEdge]] = defaultdict(list)
    for edge in heavy:
        if edge.relation is not Relation.SEQUENCE:
            by_source[edge.source].append(edge)
    over = {edge for group in by_source.values() for edge in _beyond(group, pruning.most)}
    dropped[Dropped.OVER_CAP] = len(over)
    return [edge for edge in heavy if edge not in over], +dropped


def _beyond(group: Sequence[FoundEdge], most: int) -> list[FoundEdge]:
    ranked = sorted(group, key=lambda edge: (-edge.weight, edge.target, edge.relation))
    return ranked[most:] if most else []
