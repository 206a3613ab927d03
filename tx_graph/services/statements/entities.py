"""Documents as entities: under which name, of which type, and by what else each goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.analysis.statements.decisions import is_decision, number_names, number_of, without_number
from tx_graph.domain.edges import NodeId
from tx_graph.domain.entity import COMMON_TYPES, entity_key
from tx_graph.storage.entities import DeclaredEntity
from tx_graph.storage.statements import Speaker

_DECISION, _DOCUMENT = "decision", "document"
_LONGEST = 200
"""Characters of a name."""


def declared(
    speakers: Sequence[Speaker], *, types: Mapping[NodeId, str], shared: Collection[str]
) -> dict[NodeId, DeclaredEntity]:
    """Return each document and each record of a decision as an entity.

    `types` are those that documents give themselves. Each goes by its title, with its path behind it where others
    have the same title or it is one of those that are `shared` as headings, and by its path where it has none.
    Records of decisions also go by their numbers, unless two have the same, and by their titles without these.
    """
    titles = Counter(entity_key(one.title) for one in speakers)
    records = {one.node: number_of(one.key, one.title) for one in speakers if is_decision(one.key, one.title)}
    times = Counter(int(number) for number in records.values() if number)
    found = {}
    for one in speakers:
        number = records.get(one.node, "")
        is_alone = bool(number) and times[int(number)] == 1
        said = types.get(one.node, "").lower()
        found[one.node] = DeclaredEntity(
            name=_name(one, is_shared=one.title in shared or titles[entity_key(one.title)] > 1),
            type=_DECISION if one.node in records else said if said in COMMON_TYPES else _DOCUMENT,
            aliases=tuple(_aliases(one, number, is_alone=is_alone)),
        )
    return found


def _name(one: Speaker, *, is_shared: bool) -> str:
    title = " ".join(one.title.split())
    if not _is_name(title):
        return one.key
    return f"{title} ({one.key})" if is_shared else title


def _aliases(one: Speaker, number: str, *, is_alone: bool) -> Iterable[str]:
    names = [one.key, *one.aliases]
    if is_alone:
        names += number_names(number)
    if number:
        names.append(without_number(one.title))
    return dict.fromkeys(name for name in names if _is_name(name) and name != one.title)


def _is_name(text: str) -> bool:
    return bool(text) and len(text) <= _LONGEST and text.isprintable()
