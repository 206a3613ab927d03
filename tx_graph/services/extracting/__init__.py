"""Relations between sections that a model, an agent or vectors find."""

from tx_graph.services.extracting.crossing import CrossLinking
from tx_graph.services.extracting.extracting import Extracting
from tx_graph.services.extracting.values import (
    Applied,
    AskingOptions,
    CrossLinked,
    CrossLinkOptions,
    Extracted,
    ExtractOptions,
    Failure,
    Plan,
)

__all__ = [
    "Applied",
    "AskingOptions",
    "CrossLinkOptions",
    "CrossLinked",
    "CrossLinking",
    "ExtractOptions",
    "Extracted",
    "Extracting",
    "Failure",
    "Plan",
]
