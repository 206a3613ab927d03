"""Learnings that the repository's own words and agents' sessions propose, and what people say to them."""

from tx_graph.services.proposing.values import (
    LEAST_CONFIDENCE,
    LEAST_OF_REPOSITORY,
    STANDARD,
    Origin,
    ProposalRequest,
    Proposals,
    Proposed,
    Recognised,
)

__all__ = [
    "LEAST_CONFIDENCE",
    "LEAST_OF_REPOSITORY",
    "STANDARD",
    "Origin",
    "ProposalRequest",
    "Proposals",
    "Proposed",
    "Recognised",
]
