"""What reading documents did."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.storage.section_links import SectionLink

ANALYSIS = "documents"
"""What reading documents is called among analyses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """What one pass over the documents did.

    `documents`, `sections` and `chunks` are how many there are now; `read` documents were taken in anew, `removed`
    are gone. `kept` of the sections of changed documents were as before. Of the documents that were looked at `refused`
    could not be read, with the reason as a sentence's end, `named` are those of them that were asked for by name, and
    `broken` links lead nowhere although they should.
    """

    documents: int
    sections: int
    chunks: int
    read: int = 0
    removed: int = 0
    kept: int = 0
    linked: int = 0
    refused: tuple[tuple[str, str], ...] = ()
    named: tuple[str, ...] = ()
    broken: tuple[SectionLink, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentPruning:
    """What was removed because nothing holds it any more."""

    documents: int
    edges: int
    nodes: int
    vectors: int
