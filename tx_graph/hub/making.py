"""Makes a hub, or brings one up to date."""

from __future__ import annotations

from typing import ClassVar

from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.hub.rights_store import RightsStore
from tx_graph.hub.store import Hub, address_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Made(Answer):
    """A hub and the version of its schema; `is_changed` says whether anything was written."""

    hub: str
    schema: int
    is_changed: bool
    has_vectors: bool
    JSON: ClassVar = "hub hub_schema=schema changed=is_changed vectors=has_vectors"


def init(kernel: Kernel) -> Made:
    """Make a hub in a database of PostgreSQL 15 or newer, or bring one up to date.

    The address comes from TX_HUB or the setting hub.url. Whoever does this owns the hub, and grants others their
    rights with 'tx hub:grant'. What else the database holds is left alone: a hub lies in schemas of its own. With the
    extension pgvector it also finds by meaning, else by words alone.

    Example:
      TX_HUB=postgresql://localhost/knowledge tx hub:init
    """
    with Hub(address_of(kernel)) as hub:
        if is_changed := hub.migrate():
            RightsStore(hub).renew()  # of tables that have come
        return Made(hub=hub.address.shown, schema=hub.version(), is_changed=is_changed, has_vectors=hub.has_vectors)
