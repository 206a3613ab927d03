"""Texts and their blocks, as readers of documents give them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from tx_graph.documents.document import Block, BlockKind

WORDS = (
    "auth",
    "validateToken",
    "a",
    "e.g.",
    "3.14",
    "`a. b`",
    "认证。",
    "是",
    "Dr.",
    "end.",
    "What?",
    "|",
    "é",
    "x" * 90,
)
KINDS = tuple(BlockKind)


def laid_out(blocks: Sequence[tuple[BlockKind, str]], *, gap: str = "\n\n") -> tuple[str, list[Block]]:
    """Return the text of these blocks with a gap between each, and where they stand in it."""
    text, placed = "", []
    for kind, words in blocks:
        text += gap if text else ""
        placed.append(Block(kind=kind, start=len(text), end=len(text) + len(words)))
        text += words
    return text, placed


sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=60).map(" ".join)
lines = st.lists(sentences, min_size=1, max_size=4).map("\n".join)
blocks = st.lists(st.tuples(st.sampled_from(KINDS), lines), max_size=12)
sections = blocks.map(laid_out)
plain = st.one_of(st.text(max_size=400), st.lists(sentences | st.text(max_size=80), max_size=8).map("\n\n".join))
