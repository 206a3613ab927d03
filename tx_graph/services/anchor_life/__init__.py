"""The life of an anchor: people say that it holds or not, pin it, look at what became of it, and clear away."""

from __future__ import annotations

from tx_graph.services.anchor_life.confirming import Confirming
from tx_graph.services.anchor_life.history import AnchorHistory
from tx_graph.services.anchor_life.life import AnchorLife
from tx_graph.services.anchor_life.pruning import Pruning

__all__ = ["AnchorHistory", "AnchorLife", "Confirming", "Pruning"]
