"""graph:history: what happened to the anchors of a learning, or to those at a place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tx_graph.domain.anchor import parse_anchor
from tx_graph.domain.anchor_event import AnchorEvent
from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import Status
from tx_graph.errors import NotFound
from tx_graph.services.anchoring.naming import tail_of
from tx_graph.services.anchoring.taking import Anchoring
from tx_graph.services.references import References
from tx_graph.storage.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One event, with the uid of its learning, its commit's subject, and number and status if its record is there."""

    event: AnchorEvent
    uid: str
    number: int | None
    subject: str | None
    status: Status | None = None


class AnchorHistory:
    """Reads the log; `subjects` gives the first lines of the messages of commits, of those that git has."""

    def __init__(
        self,
        *,
        stores: Stores,
        references: References,
        anchoring: Anchoring,
        subjects: Callable[[Collection[str]], dict[str, str]],
    ) -> None:
        self._stores = stores
        self._references = references
        self._anchoring = anchoring
        self._subjects = subjects

    def of(self, place: str) -> list[Told]:
        """Return every event of a learning, a file, a directory or an anchor as it is written, oldest first.

        Raises:
            NotFound: There is no such learning; or there is nothing at the place, and never was an anchor.
            UsageError: The place is outside the repository.
        """
        if self._references.is_learning(place):
            node = self._references.learning(place).node
            return self._told([(node, event) for event in self._stores.anchor_log.of(node)])
        return self._told(self._at(place.strip().removeprefix("file:")))

    def _at(self, place: str) -> list[tuple[NodeId, AnchorEvent]]:
        request = parse_anchor(place)
        for path in self._anchoring.candidates(request.path):
            found = self._stores.anchor_log.at_path("" if path == "." else path)
            if tail := tail_of(request):
                found = [(node, event) for node, event in found if _is_at(event, f"{path}{tail}")]
            if found or self._anchoring.existing(path):
                return found
        raise NotFound(f"There is no '{place}', and nothing was ever anchored there.", candidates=self._near(place))

    def _near(self, place: str) -> list[str]:
        from difflib import get_close_matches

        specs = {row.anchor.spec for row in self._stores.anchors.rows()}
        return get_close_matches(place, sorted(specs), n=3, cutoff=0.5)

    def _told(self, events: Sequence[tuple[NodeId, AnchorEvent]]) -> list[Told]:
        subjects = self._subjects({event.commit for _, event in events if event.commit})
        nodes = {node for node, _ in events}
        uids = {node: key for node, (_, key) in self._stores.nodes.describe(nodes).items()}
        known = {stored.node: stored for stored in self._stores.learnings.by_nodes(list(nodes))}
        return [
            Told(
                event=event,
                uid=uids[node],
                number=known[node].id if node in known else None,
                subject=subjects.get(event.commit or ""),
                status=known[node].learning.status if node in known else None,
            )
            for node, event in events
        ]


def _is_at(event: AnchorEvent, spec: str) -> bool:
    """Whether an event is about an anchor written like this, or about one to a symbol inside that one."""
    places = filter(None, (event.anchor.spec, event.new_place))
    return any(place == spec or place.startswith(f"{spec}::") for place in places)
