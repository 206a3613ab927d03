"""JSON and its relatives with comments."""

from __future__ import annotations

from tx_graph.codebase.parsing.canonical.lexing import BRACED, between
from tx_graph.codebase.parsing.canonical.literals import as_written
from tx_graph.codebase.parsing.canonical.parts import Part, Rules, Source, bare
from tx_graph.codebase.parsing.canonical.shapes import unlisted


def _listed(part: Part, source: Source) -> None:
    """Drop the last comma of a list, an error in JSON itself."""
    if part.parts and len(part.parts) > 2 and (comma := bare(part.parts[-2])).text == ",":  # noqa: PLR2004 - and brackets
        part.parts[-2] = comma
    unlisted(part, source)


RULES = Rules(spellings={"string": as_written}, every=_listed, between=between(BRACED))
