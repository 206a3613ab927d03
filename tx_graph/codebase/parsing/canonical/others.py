"""Languages that no formatter is known for which changes more than white space and the last comma of a list."""

from __future__ import annotations

from tx_graph.codebase.parsing.canonical.lexing import BRACED, between
from tx_graph.codebase.parsing.canonical.literals import as_written
from tx_graph.codebase.parsing.canonical.parts import Rules

RULES = Rules(
    spellings=dict.fromkeys(("variable_name", "simple_expansion"), as_written),
    between=between(BRACED),
)
