"""Which section of now is which of before: what did not change keeps its node, with its edges and vectors."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from tx_graph.domain.edges import NodeId


class Known(NamedTuple):
    """A section of before; that of a document which is gone may live on in another one."""

    node: NodeId
    key: str
    content_hash: str
    is_loose: bool = False


def matched(wanted: Sequence[tuple[str, str]], known: Collection[Known]) -> list[Known | None]:
    """Return for each wanted (key, content hash) the section of before that it is, None for a new one.

    What has both its name and its text comes first, then what has its text and may have been moved or renamed along
    with a heading like it, then what has its name and was edited. None stands for two.
    """
    found: list[Known | None] = [None] * len(wanted)
    free = {one.node: one for one in known}
    named = {one.key: one for one in known if not one.is_loose}
    for place, (key, content_hash) in enumerate(wanted):
        one = named.get(key)
        if one is not None and one.content_hash == content_hash:
            found[place] = free.pop(one.node)
    alike = _by_content(free.values())
    for place, (_, content_hash) in enumerate(wanted):
        if found[place] is None and alike[content_hash]:
            found[place] = free.pop(alike[content_hash].popleft().node)
    for place, (key, _) in enumerate(wanted):
        if found[place] is None and key in named and named[key].node in free:
            found[place] = free.pop(named[key].node)
    return found


def _by_content(known: Iterable[Known]) -> defaultdict[str, deque[Known]]:
    alike: defaultdict[str, deque[Known]] = defaultdict(deque)
    for one in sorted(known, key=lambda one: one.is_loose):
        alike[one.content_hash].append(one)
    return alike
