"""Cuts a section into what is returned as a result and what search looks at to find it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tx_graph.analysis.chunking.cutting import cut
from tx_graph.analysis.chunking.options import ChunkOptions, Strategy
from tx_graph.analysis.chunking.places import Places
from tx_graph.analysis.chunking.semantic import FEWEST, Alike, cut_by_meaning, sentences_of
from tx_graph.analysis.chunking.spans import Piece, Span
from tx_graph.domain.document import Block
from tx_graph.domain.tokens import fits


def pieces_of(text: str, blocks: Sequence[Block], options: ChunkOptions, *, alike: Alike | None = None) -> list[Piece]:
    """Return the pieces of a section in order; a text that fits is one piece, a blank one none.

    They hold every character that is no blank, and only `recursive` repeats some. No piece is larger than the
    options say, and all but `semantic` cut from the start: an edit moves no piece that ends well before it.

    Args:
        text: The section's own text.
        blocks: Its blocks, in order, none within another; without any it is plain text.
        options: The strategy and the sizes.
        alike: What `semantic` asks how alike neighbouring sentences are; without it, it does as `recursive`.
    """
    if not text or text.isspace():
        return []
    if options.strategy is Strategy.PARENT_CHILD:
        return _parents(text, blocks, options)
    if fits(text, options.size):
        return [_childless(Span(0, len(text)))]
    return [_childless(span) for span in _spans(text, blocks, options, alike)]


def _parents(text: str, blocks: Sequence[Block], options: ChunkOptions) -> list[Piece]:
    whole = Span(0, len(text))
    if fits(text, options.child_size):
        return [_childless(whole)]
    small = Places(text, blocks, size=options.child_size)
    one = fits(text, options.parent_size)
    parents = [whole] if one else cut(Places(text, blocks, size=options.parent_size), whole)
    return [Piece(span=span, children=tuple(cut(small, span))) for span in parents]


def _spans(text: str, blocks: Sequence[Block], options: ChunkOptions, alike: Alike | None) -> Iterator[Span]:
    whole = Span(0, len(text))
    if options.strategy is Strategy.MARKDOWN:
        return cut(Places(text, blocks, size=options.size), whole)
    if options.strategy is Strategy.SEMANTIC and alike is not None:
        places = Places(text, blocks, size=options.size)
        sentences = sentences_of(places)
        if len(sentences) >= FEWEST:
            return cut_by_meaning(places, sentences, alike, percentile=options.percentile)
    return cut(Places(text, size=options.size), whole, overlap=options.overlap)


def _childless(span: Span) -> Piece:
    return Piece(span=span, children=(span,))
