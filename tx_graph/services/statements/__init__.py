"""Use cases about what documents state: facts that live and die with the document that makes them."""

from tx_graph.services.statements.stating import Stating

__all__ = ["Stating"]
