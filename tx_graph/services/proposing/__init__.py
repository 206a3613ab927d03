"""Learnings that the repository's own words propose, and what people say to them."""

from tx_graph.services.proposing.proposing import Proposing
from tx_graph.services.proposing.reviewing import Reviewing
from tx_graph.services.proposing.values import Origin, ProposalRequest, Proposals, Proposed

__all__ = ["Origin", "ProposalRequest", "Proposals", "Proposed", "Proposing", "Reviewing"]
