"""Use cases about mentions: which texts and files speak of which entities."""

from tx_graph.services.mentions.mentions import Mentions

__all__ = ["Mentions"]
